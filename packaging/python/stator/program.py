"""Where the program is, and the command `stator`."""

import os
import pathlib
import sys
from typing import NoReturn


def program() -> pathlib.Path:
    """The program of this package; STATOR_BINARY in the environment names another one."""
    named = os.environ.get("STATOR_BINARY")
    return pathlib.Path(named) if named else pathlib.Path(__file__).parent / "program" / "bin" / "stator"


def main() -> NoReturn:
    """Becomes the program, so that signals and the exit code are its own."""
    os.execv(program(), ["stator", *sys.argv[1:]])
