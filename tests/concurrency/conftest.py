import pathlib
import sys
import threading

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

import tables  # noqa: E402  (after the path is set)
from server_process import ServerProcess, binary  # noqa: E402
from wire_client import Client  # noqa: E402


def pytest_configure(config):
    if not binary().exists():
        pytest.exit(f"there is no {binary()}: build it, or set STATOR_BINARY", returncode=2)


@pytest.fixture(scope="session", params=["disk", "memory"])
def server(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    data = folder / "data" if request.param == "disk" else None
    with ServerProcess(folder / "server.log", "--cache-mb", "32", data=data) as process:
        yield process
        assert process.running(), process.log_text()
        assert process.stop() == 0
        assert process.log_text() == ""


@pytest.fixture
def client(server):
    return Client(server.port)


@pytest.fixture
def table(client, request):
    """A table with the key `pk` of the test's own, gone when the test ends."""
    name = "".join(c if c.isalnum() else "-" for c in request.node.name)
    tables.create(client, name, ("pk",), {"pk": "S"})
    yield name
    client.call("DeleteTable", TableName=name)


@pytest.fixture
def at_once(server):
    """Runs work(client, number) for each number on a thread and a connection of its own; gives what they return."""

    def run(count, work):
        results, problems = [None] * count, []
        gate = threading.Barrier(count)

        def one(number):
            try:
                client = Client(server.port)
                gate.wait()
                results[number] = work(client, number)
                client.close()
            except Exception as error:  # a thread's failure must become the test's
                problems.append(repr(error))

        threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert problems == []
        return results

    return run
