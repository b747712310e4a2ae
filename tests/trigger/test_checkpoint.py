import json
import signal
import time

from trigger_process import Trigger, wait_until


def stored(follower):
    return json.loads(follower.checkpoint.read_text())


def test_a_stopped_trigger_goes_on_where_it_was(make_table, put, trigger):
    table = make_table(shards=4)
    for i in range(20):
        put(table, f"pk{i}", i)
    first = trigger(table)
    first.wait_for_records(20)
    first.stop()
    for i in range(20, 40):
        put(table, f"pk{i}", i)
    second = trigger(table)
    second.wait_for_records(40)
    second.stop()
    assert sorted(second.keys(), key=int) == [str(i) for i in range(40)]  # each of them once


def test_nothing_is_lost_and_little_repeated_when_it_is_killed(make_table, put, trigger):
    table = make_table(shards=4)
    batch_size, kills, each = 5, 4, 60
    follower = trigger(table, "--batch-size", str(batch_size))
    written = 0
    for _ in range(kills):
        for _ in range(each):
            put(table, f"pk{written}", written)
            written += 1
        seen = len(set(follower.keys()))
        wait_until(lambda: len(set(follower.keys())) > seen + 3, "some more records")
        follower.process.send_signal(signal.SIGKILL)
        follower.process.communicate()
        follower = trigger(table, "--batch-size", str(batch_size))
    expected = {str(i) for i in range(written)}
    wait_until(lambda: set(follower.keys()) == expected, "all records")
    follower.stop()
    # A kill can fall between the end of a function and the storing of the position: one batch for each shard.
    repeated = len(follower.keys()) - written
    assert repeated <= kills * 4 * batch_size


def test_killed_before_its_first_record_latest_misses_nothing(table, put, trigger):
    put(table, "a", "before")
    time.sleep(1.1)  # streams tell the time of a record to the second
    first = trigger(table, "--starting-position", "LATEST")
    first.kill()
    put(table, "a", "meanwhile")
    second = trigger(table, "--starting-position", "LATEST")
    put(table, "a", "after")
    second.wait_for_records(2)
    assert second.keys() == ["meanwhile", "after"]


def test_a_batch_that_fails_while_stopping_comes_again(table, put, trigger):
    put(table, "a", 1)
    first = trigger(table, behaviour={"fail": ["1"]})
    first.wait_for_records(1)
    first.stop()
    assert all("after" not in position for position in stored(first)["shards"].values())
    before = len(first.keys())
    second = trigger(table)
    second.wait_for_records(before + 1)
    wait_until(lambda: any("after" in position for position in stored(second)["shards"].values()), "the position")


def test_one_file_serves_one_trigger(table, trigger, server, tmp_path):
    trigger(table)
    error = Trigger(server.port, table, tmp_path).refused()
    assert "another trigger keeps its position in" in error and "--checkpoint" in error


def test_a_file_of_another_table_is_refused(table, make_table, trigger, server, tmp_path):
    trigger(table).stop()
    error = Trigger(server.port, make_table(), tmp_path).refused()
    assert f"holds the position of a trigger of table {table}" in error


def test_a_damaged_file_is_refused(table, server, tmp_path):
    (tmp_path / "position.json").write_text('{"format": 1, "tab')
    assert "does not hold the position of a trigger" in Trigger(server.port, table, tmp_path).refused()


def test_two_functions_follow_one_table_with_a_file_each(table, put, trigger):
    first = trigger(table)
    trigger(table, checkpoint="other.json")
    put(table, "a", 1)
    first.wait_for_records(2)
    assert first.keys() == ["1", "1"]
