import pytest
from server_process import ServerProcess, run_to_end
from trigger_process import Trigger, wait_until


class SamePort(ServerProcess):
    """A server that takes the place of one that has ended."""

    def __init__(self, before, log):
        super().__init__(log, data=before.data, keep_port=True)
        self.port = before.port


@pytest.fixture
def server(tmp_path):
    with ServerProcess(tmp_path / "server.log", data=tmp_path / "data") as one:
        yield one


def switch_stream(dynamodb, table, on):
    specification = {"StreamEnabled": on}
    if on:
        specification["StreamViewType"] = "NEW_AND_OLD_IMAGES"
    dynamodb.update_table(TableName=table, StreamSpecification=specification)
    dynamodb.get_waiter("table_exists").wait(TableName=table, WaiterConfig={"Delay": 1})


def test_a_new_stream_is_followed_after_the_old_one(dynamodb, table, put, trigger):
    put(table, "a", "first")
    follower = trigger(table)
    follower.wait_for_records(1)
    switch_stream(dynamodb, table, False)
    put(table, "a", "unseen")
    switch_stream(dynamodb, table, True)
    put(table, "a", "second")
    follower.wait_for_records(2)
    assert follower.keys() == ["first", "second"]
    follower.stop()
    put(table, "a", "third")
    again = trigger(table)
    again.wait_for_records(3)
    assert again.keys() == ["first", "second", "third"]


def test_streams_that_changed_meanwhile_are_read_in_order(dynamodb, table, put, trigger):
    put(table, "a", "1")
    first = trigger(table)
    first.wait_for_records(1)
    first.stop()
    put(table, "a", "2")
    for number in ("3", "4"):
        switch_stream(dynamodb, table, False)
        switch_stream(dynamodb, table, True)
        put(table, "a", number)
    second = trigger(table)
    second.wait_for_records(4)
    assert second.keys() == ["1", "2", "3", "4"]


def test_a_restarted_server_is_found_again(server, table, put, trigger, tmp_path):
    put(table, "a", "1")
    follower = trigger(table)
    follower.wait_for_records(1)
    server.kill()
    with SamePort(server, tmp_path / "server.log"):
        put(table, "a", "2")
        follower.wait_for_records(2)
        assert follower.keys() == ["1", "2"]
        follower.stop()


def test_a_table_without_stream_is_refused(server, dynamodb, table, tmp_path):
    switch_stream(dynamodb, table, False)
    error = Trigger(server.port, table, tmp_path).refused()
    assert f"table {table} has no stream; enable one: aws dynamodb update-table" in error


def test_a_table_that_is_not_there_is_refused(server, tmp_path):
    assert "ResourceNotFoundException" in Trigger(server.port, "nowhere", tmp_path).refused()


def test_a_server_that_is_not_there_is_refused(server, table, tmp_path):
    server.kill()
    error = Trigger(server.port, table, tmp_path).refused()
    assert f"cannot connect to 127.0.0.1:{server.port}: Connection refused" in error


def test_a_function_is_needed(server):
    code, out, err = run_to_end("trigger", "--table", "t")
    assert (code, out) == (2, "") and "--program" in err and "--url" in err
    code, out, err = run_to_end("trigger", "--table", "t", "--program", "x", "--url", "http://127.0.0.1:1")
    assert code == 2


def test_a_stop_waits_for_the_function(table, put, trigger, tmp_path):
    put(table, "a", "1")
    follower = trigger(table, program=f"touch {tmp_path}/began; sleep 1; touch {tmp_path}/ended")
    wait_until((tmp_path / "began").exists, "the function")
    follower.stop()
    assert (tmp_path / "ended").exists()
    assert '"after"' in follower.checkpoint.read_text()
