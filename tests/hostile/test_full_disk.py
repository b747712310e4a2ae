"""A full disk: writes fail aloud, nothing that was acknowledged is lost, and room makes all well again."""

import random
import signal
import threading
import time

import pytest

import tables
from crowds import get
from server_process import StartFailed
from wire_client import Client, ServiceError, Unanswered

TABLE = "full"
DISK_MB = 40
BALLAST_MB = 24
WRITERS = 4
WRITES_MAX = 20_000
ATTEMPTS_MAX = 600
ATTEMPT_EVERY_S = 0.1


class Writer(threading.Thread):
    """Puts items until one is refused; then it knows which are there for good."""

    def __init__(self, port, number, choices):
        super().__init__(daemon=True)
        self._client = Client(port)
        self._number = number
        self._choices = choices
        self.acknowledged = {}
        self.refusals = []

    def run(self):
        for step in range(WRITES_MAX):
            key = f"{self._number}-{step}"
            item = {"pk": {"S": key}, "g": {"S": "g"}, "v": {"S": self._choices.randbytes(8000).hex()}}
            try:
                self._client.call("PutItem", TableName=TABLE, Item=item)
                self.acknowledged[key] = item
            except ServiceError as error:
                self.refusals.append(error)
                return
            except Unanswered as error:
                self.refusals.append(error)
                return


@pytest.fixture
def full(small_disk, new_server, seed):
    """A server whose disk was filled by its writers; (server, acknowledged items, refusals, ballast)."""
    disk = small_disk(DISK_MB)
    ballast = disk.path / "ballast"
    ballast.write_bytes(b"x" * (BALLAST_MB << 20))
    server = new_server(data=disk.path / "data").start()
    tables.create(Client(server.port), TABLE, ("pk",), {"pk": "S", "g": "S"}, globals_=[tables.index("by-g", ("g",))])
    writers = [Writer(server.port, n, random.Random(seed + n)) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    acknowledged = {}
    for writer in writers:
        acknowledged.update(writer.acknowledged)
    assert len(acknowledged) > 100
    return server, acknowledged, [r for writer in writers for r in writer.refusals], ballast


def assert_holds(port, acknowledged, others_max):
    """Every acknowledged item, and at most so many others, in the table and in its index."""
    client = Client(port)
    for members in ({"ConsistentRead": True}, {"IndexName": "by-g"}):
        there = {item["pk"]["S"]: item for item in tables.scan_all(client, TABLE, **members)}
        missing = [key for key, item in acknowledged.items() if there.get(key) != item]
        assert missing == []
        assert len(there) <= len(acknowledged) + others_max
    assert client.call("DescribeTable", TableName=TABLE)["Table"]["ItemCount"] == len(there)


def test_writes_to_a_full_disk_fail_with_5xx_and_a_line_in_the_log(full):
    server, acknowledged, refusals, _ = full
    assert len(refusals) == WRITERS
    assert all(isinstance(r, ServiceError) and 500 <= r.status < 600 for r in refusals), refusals
    lines = server.log_text().splitlines()
    assert lines and all(line.startswith("stator: ") for line in lines), lines[:3]
    assert any("disk is full" in line for line in lines), lines[:3]
    assert_holds(server.port, acknowledged, 0)  # it still reads
    with pytest.raises(ServiceError) as refused:
        Client(server.port).call("PutItem", TableName=TABLE, Item={"pk": {"S": "more"}, "v": {"S": "v" * 100_000}})
    assert (refused.value.status, refused.value.code) == (503, "ServiceUnavailable")
    status, text = get(server.port, "/healthz")
    assert (status, text) == (503, b"writes are refused: the disk is full\n")
    for said in (text.decode(), *(refusal.message for refusal in (*refusals, refused.value))):
        assert "/" not in said and str(server.data) not in said, said


def test_writes_work_again_without_a_restart_when_there_is_room(full):
    server, acknowledged, _, ballast = full
    ballast.unlink()
    client = Client(server.port)
    for _ in range(ATTEMPTS_MAX):
        try:
            client.call("PutItem", TableName=TABLE, Item={"pk": {"S": "again"}, "g": {"S": "g"}})
            break
        except ServiceError as error:
            assert error.status >= 500, error
            time.sleep(ATTEMPT_EVERY_S)
    else:
        raise AssertionError("there is room again, but no write succeeds")
    assert get(server.port, "/healthz") == (200, b"ok\n")
    acknowledged["again"] = {"pk": {"S": "again"}, "g": {"S": "g"}}
    assert_holds(server.port, acknowledged, WRITERS)
    server.kill()


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_everything_acknowledged_is_there_after_a_restart_with_room(end, full, new_server):
    server, acknowledged, _, ballast = full
    if end == "kill":
        server.kill()
    else:
        assert server.stop(signal.SIGTERM) is not None, "the server does not stop"
    ballast.unlink()
    restarted = new_server(data=server.data).start()
    assert_holds(restarted.port, acknowledged, WRITERS)
    Client(restarted.port).call("PutItem", TableName=TABLE, Item={"pk": {"S": "after"}})
    assert restarted.stop() == 0


def start_on_a_full_disk(server, new_server):
    """Kills the server and starts another one; gives it, or None and what it said instead of being ready."""
    server.kill()
    again = new_server(data=server.data)
    before = len(again.log_text())
    try:
        return again.start(), []
    except StartFailed:
        return None, again.log_text()[before:].splitlines()


def test_a_start_on_a_full_disk_loses_nothing(full, new_server):
    server, acknowledged, _, ballast = full
    again, _ = start_on_a_full_disk(server, new_server)
    if again:
        assert_holds(again.port, acknowledged, WRITERS)
        again.kill()
    ballast.unlink()
    restarted = new_server(data=server.data).start()
    assert_holds(restarted.port, acknowledged, WRITERS)


def test_a_start_on_a_full_disk_serves_or_is_refused_with_one_line(full, new_server):
    server, _, _, _ = full
    again, lines = start_on_a_full_disk(server, new_server)
    assert again or (len(lines) == 1 and lines[0].startswith("stator: ") and "full" in lines[0]), lines
