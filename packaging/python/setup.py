"""The wheel has a program for one platform and runs with every Python."""

import os

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class ProgramDistribution(Distribution):
    def has_ext_modules(self):
        return True  # goes where files of the platform go


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", os.environ["STATOR_PLATFORM"]


setup(distclass=ProgramDistribution, cmdclass={"bdist_wheel": PlatformWheel})
