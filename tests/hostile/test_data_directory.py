"""Data directories that cannot be used are refused with one line, and left as they are."""

import hashlib
import os
import pathlib
import subprocess

import pytest

import tables
from server_process import run_to_end
from test_command_line import assert_refused
from wire_client import Client

TABLE = "kept"


def fill(port):
    client = Client(port)
    tables.create(client, TABLE, ("pk",), {"pk": "S"})
    client.call("PutItem", TableName=TABLE, Item={"pk": {"S": "a"}, "v": {"S": "b"}})


def contents(folder, pattern="*"):
    """Every file with the hash of what is in it. RocksDB's own diary and its lock are no data."""
    return {
        path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in pathlib.Path(folder).rglob(pattern)
        if path.is_file() and not path.name.startswith("LOG") and path.name != "LOCK"
    }


def serve_on(data):
    return run_to_end("serve", "--port", "0", "--data", data)


def test_a_directory_in_use_is_refused_and_its_server_goes_on(new_server):
    server = new_server().start()
    fill(server.port)
    before = contents(server.data)
    for _ in range(3):
        assert_refused(serve_on(server.data), 1, [str(server.data), "in use"])
    assert contents(server.data) == before
    assert tables.scan_all(Client(server.port), TABLE) == [{"pk": {"S": "a"}, "v": {"S": "b"}}]
    assert server.stop() == 0


def test_a_directory_is_free_again_after_a_kill(new_server):
    first = new_server().start()
    fill(first.port)
    first.kill()
    second = new_server().start()
    assert tables.scan_all(Client(second.port), TABLE) == [{"pk": {"S": "a"}, "v": {"S": "b"}}]


def test_a_read_only_disk_is_refused(small_disk, new_server):
    disk = small_disk(64)
    server = new_server(data=disk.path / "data").start()
    fill(server.port)
    assert server.stop() == 0
    before = contents(disk.path)
    disk.make_read_only()
    assert_refused(serve_on(disk.path / "data"), 1, [str(disk.path / "data"), "Read-only file system"])
    assert_refused(serve_on(disk.path / "new"), 1, [str(disk.path / "new"), "Read-only file system"])
    assert contents(disk.path) == before


def without_rights(*command):
    """Runs a command as a user who owns nothing, where we are root; as ourselves otherwise."""
    if os.geteuid() != 0:
        return list(command)
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]


@pytest.mark.parametrize("mode, words", [(0o000, "Permission denied"), (0o555, "Permission denied")])
def test_a_directory_without_permission_is_refused(mode, words, new_server, tmp_path):
    from server_process import binary

    server = new_server().start()
    fill(server.port)
    assert server.stop() == 0
    before = contents(server.data)
    reachable = subprocess.run(without_rights("test", "-x", str(binary())), capture_output=True)
    readable = subprocess.run(without_rights("ls", str(tmp_path)), capture_output=True)
    if reachable.returncode != 0:
        pytest.skip(f"another user cannot run {binary()}: {reachable.stderr.decode().strip()}")
    server.data.chmod(mode)
    command = without_rights(str(binary()), "serve", "--port", "0", "--data", str(server.data))
    done = subprocess.run(command, capture_output=True, timeout=60)
    server.data.chmod(0o755)
    if readable.returncode != 0:  # a folder above is closed to others: the same refusal, for another folder
        words = "Permission denied"
    assert_refused((done.returncode, done.stdout.decode(), done.stderr.decode()), 1, [str(server.data), words])
    assert contents(server.data) == before


def test_a_file_in_place_of_the_directory_is_refused(tmp_path):
    file = tmp_path / "file"
    file.write_text("precious")
    assert_refused(serve_on(file), 1, [str(file), "not a directory"])
    assert_refused(serve_on(file / "below"), 1, [str(file / "below")])
    assert file.read_text() == "precious"


def test_a_directory_of_something_else_is_refused(tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "letter.txt").write_text("precious")
    assert_refused(serve_on(tmp_path / "letters"), 1, [str(tmp_path / "letters"), "not empty"])
    assert sorted(p.name for p in (tmp_path / "letters").iterdir()) == ["letter.txt"]


def test_a_directory_of_a_newer_version_is_refused(new_server):
    server = new_server().start()
    fill(server.port)
    assert server.stop() == 0
    (server.data / "FORMAT").write_text("stator 999\n")
    before = contents(server.data)
    assert_refused(serve_on(server.data), 1, [str(server.data), "newer version"])
    assert contents(server.data) == before


def test_a_missing_parent_is_refused(tmp_path):
    assert_refused(serve_on(tmp_path / "absent" / "data"), 1, ["absent", "No such file"])
    assert not (tmp_path / "absent").exists()
