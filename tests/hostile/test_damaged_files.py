"""Damage on the disk is refused or reported. It is never repaired in silence, and never served as if it were data."""

import os
import random
import shutil

import pytest

import tables
from server_process import StartFailed, run_to_end
from test_command_line import assert_refused
from test_data_directory import contents, serve_on
from wire_client import Client, ServiceError

TABLE = "damaged"
ITEMS = 400
SAMPLE = 8  # bytes per file in a short run
LOG_BLOCK_BYTES = 32 * 1024  # of RocksDB's log


def item(number):
    return {"pk": {"S": f"key-{number:04}"}, "v": {"S": f"{number:04}" * 200}, "g": {"S": f"g{number % 5}"}}


def write_items(port, numbers):
    client = Client(port)
    for number in numbers:
        client.call("PutItem", TableName=TABLE, Item=item(number))


@pytest.fixture(scope="module")
def stopped_cleanly(tmp_path_factory):
    """A data directory as SIGTERM leaves it: all items are in table files."""
    return make_directory(tmp_path_factory.mktemp("clean"), lambda server: server.stop())


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A data directory as SIGKILL leaves it: all items are in the log."""
    return make_directory(tmp_path_factory.mktemp("killed"), lambda server: server.kill())


def make_directory(folder, end):
    from server_process import ServerProcess

    server = ServerProcess(folder / "server.log", "--cache-mb", "32", data=folder / "data").start()
    indexes = [tables.index("by-g", ("g",))]
    tables.create(Client(server.port), TABLE, ("pk",), {"pk": "S", "g": "S"}, globals_=indexes)
    write_items(server.port, range(ITEMS))
    end(server)
    return server.data


def flip(path, at):
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 0x5A]))


def largest(folder, pattern):
    return max(folder.glob(pattern), key=lambda path: path.stat().st_size)


def places(size, seed, every_byte):
    """Which bytes to damage: the first and the last, and a sample of the others."""
    if every_byte:
        return range(size)
    choices = random.Random(seed)
    return sorted({0, size // 2, size - 1, *(choices.randrange(size) for _ in range(SAMPLE))})


def records(log):
    """Where records stand in a file of RocksDB's log format, with their types and ends: checksum 4, length 2, type 1, data."""
    data = log.read_bytes()
    found, at = [], 0
    while at + 7 <= len(data):
        in_block = LOG_BLOCK_BYTES - at % LOG_BLOCK_BYTES
        if in_block < 7:
            at += in_block
            continue
        if data[at : at + 7] == bytes(7):
            break  # the room behind the records
        end = at + 7 + int.from_bytes(data[at + 4 : at + 6], "little")
        found.append((at, data[at + 6], end))
        at = end
    return found


def length_bytes(log):
    """Where the lengths of the records stand."""
    assert records(log)[-1][2] == log.stat().st_size
    return [at + place for at, _, _ in records(log) for place in (4, 5)]


def damage_one_by_one(original, pattern, at_places, new_server, tmp_path, kept="*"):
    """Flips one byte in a fresh copy, for each place; gives the places whose damage went unnoticed with their losses.

    A refused start must leave the files of the pattern `kept` as they are.
    """
    unnoticed = {}
    for at in at_places:
        data = tmp_path / "copy"
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(original, data)
        flip(largest(data, pattern), at)
        before = contents(data, kept)
        server = new_server(data=data)
        try:
            server.start()
        except StartFailed:
            assert_refused(run_to_end("serve", "--port", "0", "--data", data), 1, ["damaged"])
            assert contents(data, kept) == before, f"a refused start changed the files (byte {at})"
            continue
        wrong = wrong_answers(server.port)
        server.kill()
        if wrong:
            unnoticed[at] = wrong
    return unnoticed


def wrong_answers(port):
    """What a server on damaged files says that is not so. An error in place of an answer is right."""
    client = Client(port)
    wrong = []
    for number in range(ITEMS):
        expected = item(number)
        try:
            found = client.call("GetItem", TableName=TABLE, Key={"pk": expected["pk"]}).get("Item")
        except ServiceError as error:
            if error.status < 500:
                return [f"{error.status} {error.code} {error.message}"]
            continue
        if found != expected:
            wrong.append(f"key-{number:04}: {str(found)[:60]}")
    for members in ({}, {"IndexName": "by-g"}):
        try:
            found = len(tables.scan_all(client, TABLE, **members))
        except ServiceError:
            continue
        if found != ITEMS:
            wrong.append(f"a scan {members} gives {found} items")
    count = client.call("DescribeTable", TableName=TABLE)["Table"]["ItemCount"]
    if count != ITEMS:
        wrong.append(f"ItemCount is {count}")
    return wrong[:3] + [f"{len(wrong)} wrong answers"] if wrong else []


def test_a_damaged_byte_in_a_table_file_is_refused_or_reported(
    stopped_cleanly, new_server, tmp_path, seed, every_byte
):
    """Most damage shows when the block is read. That in the catalog shows at the start, with the store open already."""
    size = largest(stopped_cleanly, "*.sst").stat().st_size
    at_places = places(size, seed, False)
    assert damage_one_by_one(stopped_cleanly, "*.sst", at_places, new_server, tmp_path, kept="*.sst") == {}


def test_a_damaged_byte_in_the_log_is_refused(killed, new_server, tmp_path, seed, every_byte):
    size = records(largest(killed, "*.log"))[-1][2]
    assert size > LOG_BLOCK_BYTES
    at_places = places(size, seed, False)
    assert damage_one_by_one(killed, "*.log", at_places, new_server, tmp_path) == {}


@pytest.mark.parametrize("state", ["stopped_cleanly", "killed"])
def test_a_damaged_byte_in_the_manifest_is_refused(state, request, new_server, tmp_path, seed, every_byte):
    original = request.getfixturevalue(state)
    manifest = largest(original, "MANIFEST-*")
    at_places = set(places(manifest.stat().st_size, seed, every_byte)) - set(length_bytes(manifest))
    assert damage_one_by_one(original, "MANIFEST-*", sorted(at_places), new_server, tmp_path) == {}


# RocksDB itself takes a MANIFEST with a torn end for an older state, and removes the files of the newer one.
def test_a_damaged_length_in_the_manifest_is_refused(stopped_cleanly, new_server, tmp_path):
    at_places = length_bytes(largest(stopped_cleanly, "MANIFEST-*"))
    assert damage_one_by_one(stopped_cleanly, "MANIFEST-*", at_places, new_server, tmp_path) == {}


def test_a_cut_manifest_is_refused(stopped_cleanly, new_server, tmp_path):
    data = tmp_path / "data"
    shutil.copytree(stopped_cleanly, data)
    manifest = largest(data, "MANIFEST-*")
    os.truncate(manifest, manifest.stat().st_size * 2 // 3)
    before = contents(data)
    with pytest.raises(StartFailed):
        new_server(data=data).start()
    assert contents(data) == before


@pytest.mark.parametrize("name", ["CURRENT", "FORMAT", "IDENTITY"])
def test_a_damaged_byte_in_a_small_file_is_refused(name, stopped_cleanly, new_server, tmp_path, seed, every_byte):
    if not (stopped_cleanly / name).exists():
        pytest.skip(f"there is no file {name}")
    size = (stopped_cleanly / name).stat().st_size
    at_places = places(size, seed, every_byte)
    assert damage_one_by_one(stopped_cleanly, name, at_places, new_server, tmp_path) == {}


@pytest.mark.parametrize(
    "pattern, damage",
    [(pattern, damage) for pattern in ("*.sst", "CURRENT", "FORMAT") for damage in ("missing", "empty", "cut")]
    + [("MANIFEST-*", "missing"), ("MANIFEST-*", "empty")],
)
def test_a_missing_or_cut_file_is_refused(pattern, damage, stopped_cleanly, tmp_path):
    data = tmp_path / "data"
    shutil.copytree(stopped_cleanly, data)
    file = largest(data, pattern)
    if damage == "missing":
        file.unlink()
    else:
        os.truncate(file, 0 if damage == "empty" else file.stat().st_size // 2)
    before = contents(data)
    assert_refused(serve_on(data), 1, [str(data)])
    assert contents(data) == before


def test_a_torn_end_of_the_log_loses_nothing_else(killed, new_server, tmp_path):
    """A crash may tear the last record, before it is acknowledged; the ones before it are there."""
    data = tmp_path / "data"
    shutil.copytree(killed, data)
    log = largest(data, "*.log")
    os.truncate(log, records(log)[-1][2] - 3)
    (data / "ENDS").unlink()
    server = new_server(data=data).start()
    keys = {row["pk"]["S"] for row in tables.scan_all(Client(server.port), TABLE)}
    assert keys == {f"key-{number:04}" for number in range(ITEMS - 1)}


LOG_LOSSES = {
    "removed": lambda log, end: log.unlink(),
    "emptied": lambda log, end: os.truncate(log, 0),
    "cut in half": lambda log, end: os.truncate(log, end // 2),
    "cut by a byte": lambda log, end: os.truncate(log, end - 1),
    "zeros at the end": lambda log, end: (os.truncate(log, end - 5000), os.truncate(log, end + 100_000)),
}


@pytest.mark.parametrize("loss", LOG_LOSSES)
def test_a_log_that_lost_acknowledged_writes_is_refused(loss, killed, new_server, tmp_path):
    data = tmp_path / "data"
    shutil.copytree(killed, data)
    log = largest(data, "*.log")
    LOG_LOSSES[loss](log, records(log)[-1][2])
    before = contents(data)
    assert_refused(serve_on(data), 1, [log.name, "commit", "acknowledged up to 2", f"stator serve --data {data} --accept-loss"])
    assert contents(data) == before
    server = new_server("--accept-loss", data=data).start()
    assert log.name in server.log_text() and "missing" in server.log_text()
    if loss not in ("removed", "emptied"):
        rows = tables.scan_all(Client(server.port), TABLE)
        assert rows and rows == [item(int(row["pk"]["S"][4:])) for row in rows] and len(rows) < ITEMS
    server.kill()
    new_server(data=data).start()


def test_accepting_a_loss_changes_nothing_where_there_is_none(killed, new_server, tmp_path):
    data = tmp_path / "data"
    shutil.copytree(killed, data)
    server = new_server("--accept-loss", data=data).start()
    assert "missing" not in server.log_text()
    assert len(tables.scan_all(Client(server.port), TABLE)) == ITEMS


def test_relaxed_writes_that_were_acknowledged_are_missed_after_a_kill(new_server, tmp_path):
    server = new_server("--durability", "relaxed").start()
    tables.create(Client(server.port), TABLE, ("pk",), {"pk": "S"})
    write_items(server.port, range(50))
    server.kill()
    log = largest(server.data, "*.log")
    whole = log.read_bytes()
    os.truncate(log, len(whole) - 2000)
    assert_refused(serve_on(server.data), 1, [log.name, "--accept-loss"])
    log.write_bytes(whole)
    assert len(tables.scan_all(Client(new_server(data=server.data).start().port), TABLE)) == 50
