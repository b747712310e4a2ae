import os
import pathlib
import subprocess
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
sys.path.insert(0, str(REPOSITORY / "tests" / "harness"))

from server_process import ServerProcess  # noqa: E402  (after the path is set)
from wire_client import Client  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--rewrite", action="store_true", help="write the golden files anew; review reads the difference")


@pytest.fixture(scope="session")
def stator():
    """Runs `stator design ...` in the repository, so that paths in the output are the same everywhere."""
    binary = pathlib.Path(os.environ.get("STATOR_BINARY", REPOSITORY / "build" / "stator"))
    if not binary.exists():
        pytest.exit(f"{binary} is not built", returncode=2)

    def run(*arguments, input=None):
        return subprocess.run(
            [binary, "design", *map(str, arguments)],
            cwd=REPOSITORY, capture_output=True, text=True, input=input, timeout=60,
        )

    return run


@pytest.fixture
def golden(request):
    """golden(name, text): the text has to be that of the file tests/design/golden/<name>."""

    def compare(name, text):
        path = GOLDEN / name
        if request.config.getoption("--rewrite"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            return
        assert path.exists(), f"{path} is missing; run pytest tests/design --rewrite and review it"
        assert text == path.read_text(), f"differs from {path}; if it should, run pytest tests/design --rewrite"

    return compare


@pytest.fixture(scope="session")
def server_process(tmp_path_factory):
    process = ServerProcess(tmp_path_factory.mktemp("server") / "log").start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def server(server_process):
    """The endpoint of a server that keeps everything in memory."""
    return f"http://127.0.0.1:{server_process.port}"


@pytest.fixture(scope="session")
def wire(server_process):
    """wire(operation, request): an answer of that server, for looking behind a command's back."""
    client = Client(server_process.port)
    yield lambda operation, request: client.call(operation, **request)
    client.close()


@pytest.fixture
def fresh(wire):
    """fresh(table): no table of this name is there now, nor after the test."""
    names = []

    def drop(name):
        if name in wire("ListTables", {})["TableNames"]:
            wire("DeleteTable", {"TableName": name})

    def claim(name):
        drop(name)
        names.append(name)

    yield claim
    for name in names:
        drop(name)
