"""Every later version opens the data of each released one, and refuses that of a newer one."""

import json
import pathlib
import sys
import tarfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "harness")]

import contents  # noqa: E402
from server_process import ServerProcess, StartFailed  # noqa: E402

VERSIONS = sorted(path.name.removesuffix(".tar.gz") for path in HERE.glob("*.tar.gz"))


def unpack(version, folder):
    with tarfile.open(HERE / f"{version}.tar.gz") as archive:
        archive.extractall(folder)
    return folder / "data"


def test_there_is_data_of_released_versions():
    assert VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_data_of_an_earlier_version_is_read_and_written(version, tmp_path):
    expected = json.loads((HERE / f"{version}.json").read_text())
    server = ServerProcess(tmp_path / "log", data=unpack(version, tmp_path)).start()
    try:
        assert contents.read(server.url) == expected
        client = contents.connect(server.url)
        client.put_item(TableName="orders", Item=contents.item(100))
        server.kill()
        server.start()
        key = {name: contents.item(100)[name] for name in ("pk", "sk")}
        client = contents.connect(server.url)
        assert client.get_item(TableName="orders", Key=key)["Item"] == contents.item(100)
        assert client.describe_table(TableName="orders")["Table"]["ItemCount"] == 33
    finally:
        server.kill()


def test_data_of_a_newer_format_is_refused(tmp_path):
    data = unpack(VERSIONS[-1], tmp_path)
    written = (data / "FORMAT").read_text()
    (data / "FORMAT").write_text("stator 2\n")
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    with pytest.raises(StartFailed, match="was written by a newer version: it has format 2, this program reads up to 1"):
        ServerProcess(tmp_path / "log", data=data).start()
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before
    (data / "FORMAT").write_text(written)
    ServerProcess(tmp_path / "log", data=data).start().kill()
