"""`stator serve --parent PID`: the server does not outlive the process that started it, however that ends."""

import os
import select
import signal
import subprocess
import sys
import threading
import time

import pytest

from server_process import START_S, STOP_S, ServerProcess, binary, run_to_end
from wire_client import Client

# So many processes, each started by the one before, and the server below the last. Each writes its id; then only the server has the pipe.
CHAIN = """
import os, subprocess, sys, time
source, levels, binary, *options = sys.argv[1:]
print(os.getpid(), flush=True)
options = ["--parent", str(os.getpid()), *options]
if levels == "1":
    subprocess.Popen([binary, "serve", "--port", "0", *options])
else:
    subprocess.Popen([sys.executable, "-c", source, source, str(int(levels) - 1), binary, *options])
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
time.sleep(600)
"""


class Chain:
    def __init__(self, levels, *options):
        self.first = subprocess.Popen(
            [sys.executable, "-c", CHAIN, CHAIN, str(levels), str(binary()), *options], stdout=subprocess.PIPE
        )
        self.said = self._read(START_S, lambda text: text.count(b"\n") > levels)
        self.processes = [int(line) for line in self.said.splitlines()[:levels]]

    def server_ends(self):
        return self._read(STOP_S, lambda _: False) == ""

    def _read(self, seconds, ends):
        """What comes until `ends` is true of it, or until nobody can write any more; None when that takes too long."""
        text = b""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not select.select([self.first.stdout], [], [], 0.5)[0]:
                continue
            more = os.read(self.first.stdout.fileno(), 4096)
            text += more
            if not more or ends(text):
                return text.decode()
        return None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.first.wait()
        self.first.stdout.close()


def test_a_killed_parent_takes_the_server_with_it():
    with Chain(1, "--in-memory") as chain:
        assert "is ready on" in chain.said
        os.kill(chain.processes[0], signal.SIGKILL)
        assert chain.server_ends()


@pytest.mark.parametrize("killed", [0, 1, 2])
def test_so_does_a_killed_parent_of_the_parent(killed):
    """Test runners have workers, which may live on when the runner is killed."""
    with Chain(3, "--in-memory") as chain:
        assert "is ready on" in chain.said
        os.kill(chain.processes[killed], signal.SIGKILL)
        assert chain.server_ends()


def test_what_such_a_server_had_answered_stays(tmp_path):
    """It ends as with SIGTERM: the directory can be opened at once."""
    with Chain(1, "--data", str(tmp_path / "data")) as chain:
        os.kill(chain.processes[0], signal.SIGKILL)
        assert chain.server_ends()
    with ServerProcess(tmp_path / "log", data=tmp_path / "data") as server:
        assert Client(server.port).call("ListTables") == {"TableNames": []}
        assert server.stop() == 0


def test_a_server_outlives_the_thread_that_started_it(new_server):
    server = new_server("--parent", str(os.getpid()), data=None)
    thread = threading.Thread(target=server.start)
    thread.start()
    thread.join()
    time.sleep(1)  # for a server that would end now
    assert Client(server.port).call("ListTables") == {"TableNames": []}
    assert server.stop() == 0
    assert server.log_text() == ""


@pytest.mark.parametrize("parents", [[4194304], [os.getpid(), 4194304]])
def test_a_parent_that_is_another_process_is_refused(parents):
    options = [word for parent in parents for word in ("--parent", parent)]
    code, out, error = run_to_end("serve", "--port", "0", "--in-memory", *options)
    assert (code, out) == (1, "")
    assert error == f"stator: --parent {', '.join(map(str, parents))} is not above this process, or is gone\n"
