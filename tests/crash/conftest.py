import os
import pathlib
import random
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
pytest.register_assert_rewrite("checker", "workload")

from server_process import ServerProcess, binary  # noqa: E402  (after the path is set)


def pytest_addoption(parser):
    parser.addoption("--rounds", type=int, help="kills per test (6, or STATOR_CRASH_ROUNDS)")


def pytest_configure(config):
    if not binary().exists():
        pytest.exit(f"there is no {binary()}: build it, or set STATOR_BINARY", returncode=2)


@pytest.fixture(scope="session")
def rounds(request):
    given = request.config.getoption("rounds", None)
    return given or int(os.environ.get("STATOR_CRASH_ROUNDS", "6"))


@pytest.fixture
def seeded():
    """Random choices of a test. The moments of the kills depend on the machine as well."""
    seed = int(os.environ.get("STATOR_SEED", random.randrange(1 << 32)))
    print(f"STATOR_SEED={seed}")
    return random.Random(seed)


@pytest.fixture
def new_server(tmp_path):
    """Makes servers on one data directory; none outlives the test."""
    servers = []

    def make(*options):
        server = ServerProcess(tmp_path / "server.log", "--cache-mb", "32", *options, data=tmp_path / "data")
        servers.append(server)
        return server

    yield make
    for server in servers:
        if server.running():
            server.kill()
