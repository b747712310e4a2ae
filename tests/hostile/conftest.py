import os
import pathlib
import random
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

from server_process import ServerProcess, binary  # noqa: E402  (after the path is set)


def pytest_addoption(parser):
    parser.addoption("--requests", type=int, help="requests of the storm (300000, or STATOR_HOSTILE_REQUESTS)")
    parser.addoption("--every-byte", action="store_true", help="damage every byte of small files, not a sample")


def pytest_configure(config):
    if not binary().exists():
        pytest.exit(f"there is no {binary()}: build it, or set STATOR_BINARY", returncode=2)


@pytest.fixture(scope="session")
def storm_requests(request):
    given = request.config.getoption("requests", None)
    return given or int(os.environ.get("STATOR_HOSTILE_REQUESTS", "300000"))


@pytest.fixture(scope="session")
def every_byte(request):
    return bool(request.config.getoption("every_byte", False))


@pytest.fixture
def seed():
    """What random choices begin with; printed, so that a failed run can be had again."""
    value = int(os.environ.get("STATOR_SEED", random.randrange(1 << 32)))
    print(f"STATOR_SEED={value}")
    return value


@pytest.fixture
def new_server(tmp_path):
    """Makes servers; none outlives the test."""
    servers = []

    def make(*options, data=tmp_path / "data"):
        server = ServerProcess(tmp_path / "server.log", "--cache-mb", "32", *options, data=data)
        servers.append(server)
        return server

    yield make
    for server in servers:
        if server.process is not None and server.running():
            server.kill()


class Disk:
    """A small file system of its own."""

    def __init__(self, path):
        self.path = path

    def make_read_only(self):
        subprocess.run(["mount", "-o", "remount,ro", str(self.path)], check=True)


@pytest.fixture
def small_disk(tmp_path):
    """Mounts a tmpfs of so many megabytes; skips the test where that is not allowed."""
    mounted = []

    def mount(megabytes):
        path = tmp_path / "disk"
        path.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(path)], capture_output=True, text=True
        )
        if done.returncode != 0:
            pytest.skip(f"mounting a tmpfs needs root: {done.stderr.strip()}")
        mounted.append(path)
        return Disk(path)

    yield mount
    for path in mounted:
        subprocess.run(["umount", "-l", str(path)], check=False)
