import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "harness"))

from server_process import binary  # noqa: E402  (after the path is set)


def pytest_configure(config):
    if not binary().exists():
        pytest.exit(f"there is no {binary()}: build it, or set STATOR_BINARY", returncode=2)


# What is looked at comes from the packages alone.
for name in [name for name in os.environ if name.startswith(("AWS_", "STATOR_", "PYTHON", "LD_"))]:
    if name != "STATOR_BINARY":
        del os.environ[name]
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


@pytest.fixture(scope="session")
def version():
    return subprocess.run([ROOT / "packaging" / "version"], check=True, capture_output=True, text=True).stdout.strip()


def build_package(name, directory):
    """Runs the script of packaging/ and gives the file that it names."""
    environment = {**os.environ, "STATOR_BINARY": str(binary()), "PYTHON": sys.executable}
    done = subprocess.run(
        [ROOT / "packaging" / name, directory], check=True, stdout=subprocess.PIPE, text=True, env=environment
    )
    return pathlib.Path(done.stdout.splitlines()[-1])


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    return lambda name: build_package(name, tmp_path_factory.mktemp("package"))
