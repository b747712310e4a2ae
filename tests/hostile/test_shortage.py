"""Too few file descriptors, files that may not grow, nobody who reads the log: writes are refused for so long, and nothing ends."""

import os
import re
import resource
import shlex
import signal
import subprocess
import time

import pytest

import tables
from crowds import Crowd, get
from server_process import binary, run_to_end
from wire_client import Client, ServiceError

TABLE = "shortage"
FEW = 320
ATTEMPTS_MAX = 600
ATTEMPT_EVERY_S = 0.1
LARGE = "v" * 380_000
LARGE_WRITES = 220  # more than the store keeps in memory before it needs another file


@pytest.fixture
def started_by(tmp_path, monkeypatch):
    """Has the server started by a line of shell that ends with the binary and its arguments."""

    def use(line):
        script = tmp_path / "start"
        script.write_text(f'#!/bin/sh\n{line.format(stator=shlex.quote(str(binary())) + chr(32) + chr(34) + "$@" + chr(34))}\n')
        script.chmod(0o755)
        monkeypatch.setenv("STATOR_BINARY", str(script))

    return use


def put(client, key, value="v"):
    client.call("PutItem", TableName=TABLE, Item={"pk": {"S": key}, "v": {"S": value}})


def health(port):
    return get(port, "/healthz")


def put_until_it_works(port, key):
    client = Client(port)
    for _ in range(ATTEMPTS_MAX):
        try:
            return put(client, key)
        except ServiceError as error:
            assert error.status == 503, error
            time.sleep(ATTEMPT_EVERY_S)
    raise AssertionError("the cause is gone, but no write succeeds")


def assert_names_no_file(text, server):
    assert str(server.data) not in text and not re.search(r"/\w|\.(log|sst)\b", text), text


def test_connections_leave_the_store_its_descriptors(started_by, new_server):
    started_by(f"ulimit -n {FEW}; exec {{stator}}")
    server = new_server("--durability", "relaxed").start()
    client = Client(server.port)
    tables.create(client, TABLE, ("pk",), {"pk": "S"})
    with Crowd(server.port, 2 * FEW, b"GET / HT"):
        for number in range(LARGE_WRITES):
            put(client, f"large-{number}", LARGE)
        assert get(server.port, "/metrics")[0] == 200
    put(Client(server.port), "after")
    assert health(server.port) == (200, b"ok\n")
    assert server.stop() == 0
    assert server.log_text() == ""


def test_far_too_few_descriptors_are_told_of(tmp_path, started_by):
    started_by("ulimit -n 60; exec {stator}")
    code, _, said = run_to_end("serve", "--data", tmp_path / "data", "--port", "0")
    assert code == 1
    assert re.fullmatch(r"stator: this process may open 60 files, and needs \d+ \(see ulimit -n\)\n", said), said


def limit(server, what, soft):
    _, hard = resource.prlimit(server.process.pid, what)
    resource.prlimit(server.process.pid, what, (hard if soft is None else soft, hard))


def refused_write(client):
    """Writes until one is refused; gives the refusal and how many were acknowledged."""
    for number in range(LARGE_WRITES):
        try:
            put(client, f"large-{number}", LARGE)
        except ServiceError as error:
            return error, number
    raise AssertionError("no write was refused")


@pytest.mark.parametrize("what, soft", [(resource.RLIMIT_NOFILE, 3), (resource.RLIMIT_FSIZE, 1 << 20)],
                         ids=["no descriptor", "no larger file"])
@pytest.mark.parametrize("durability", ["full", "relaxed"])
def test_writes_are_refused_while_something_is_short_and_go_on_after(new_server, what, soft, durability):
    server = new_server("--durability", durability).start()
    client = Client(server.port)
    tables.create(client, TABLE, ("pk",), {"pk": "S"})
    put(client, "before")
    limit(server, what, soft)
    refusal, acknowledged = refused_write(client)
    assert (refusal.status, refusal.code) == (503, "ServiceUnavailable")
    assert_names_no_file(refusal.message, server)
    assert client.call("GetItem", TableName=TABLE, Key={"pk": {"S": "before"}})["Item"]["v"] == {"S": "v"}
    if what == resource.RLIMIT_FSIZE:  # otherwise there is no descriptor for the connection
        status, text = health(server.port)
        assert status == 503 and text.startswith(b"writes are refused: "), text
        assert_names_no_file(text.decode(), server)
    limit(server, what, None)
    put_until_it_works(server.port, "after")
    wait_until_healthy(server.port)
    assert server.stop() == 0
    restarted = new_server().start()
    there = {item["pk"]["S"] for item in tables.scan_all(Client(restarted.port), TABLE)}
    assert {"before", "after", *(f"large-{number}" for number in range(acknowledged))} <= there


def wait_until_healthy(port):
    for _ in range(ATTEMPTS_MAX):
        if health(port) == (200, b"ok\n"):
            return
        time.sleep(ATTEMPT_EVERY_S)
    raise AssertionError(health(port))


@pytest.mark.parametrize("streams", ["2>&1 >&3 3>&- | true", "2>&-", "<&- 2>&-"],
                         ids=["its reader is gone", "closed", "closed, and standard input"])
def test_nobody_reads_the_log(started_by, new_server, streams):
    """The server has something to say (a write that is refused) and goes on, and nothing of it gets into the data."""
    started_by("exec 3>&1; {stator} " + streams if "|" in streams else "exec {stator} " + streams)
    server = new_server().start()
    client = Client(server.port)
    tables.create(client, TABLE, ("pk",), {"pk": "S"})
    pid = server_pid(server)
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1 << 20, hard))
    refused_write(client)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
    put_until_it_works(server.port, "after")
    os.kill(pid, signal.SIGTERM)
    assert server.wait() is not None
    restarted = new_server().start()
    assert Client(restarted.port).call("GetItem", TableName=TABLE, Key={"pk": {"S": "after"}})["Item"]
    os.kill(server_pid(restarted), signal.SIGTERM)  # where a shell is its parent nobody else would
    restarted.wait()


def server_pid(server):
    """Of the server itself where a shell is its parent."""
    children = subprocess.run(["pgrep", "-P", str(server.process.pid), "-f", " serve "], capture_output=True, text=True).stdout.split()
    return int(children[0]) if children else server.process.pid
