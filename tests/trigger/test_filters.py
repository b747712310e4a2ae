import json

from trigger_process import Trigger, wait_until


def pattern(**attributes):
    return json.dumps({"dynamodb": {"NewImage": {name: {"S": rules} for name, rules in attributes.items()}}})


def test_only_matching_records_come(table, put, trigger):
    for i, status in enumerate(["OPEN", "SHIPPED", "OPEN", "DELIVERED", "SHIPPED"]):
        put(table, "a", i, status=status)
    follower = trigger(table, "--filter", pattern(status=["SHIPPED", {"prefix": "DEL"}]))
    follower.wait_for_records(3)
    put(table, "a", "last", status="SHIPPED")
    follower.wait_for_records(4)
    assert follower.keys() == ["1", "3", "4", "last"]
    assert "2 filtered out" in follower.stop()


def test_one_of_several_filters_is_enough(dynamodb, table, put, trigger):
    put(table, "a", 1, kind="x")
    put(table, "a", 2, kind="y")
    put(table, "a", 3, kind="z")
    dynamodb.delete_item(TableName=table, Key={"pk": {"S": "a"}, "sk": {"S": "2"}})
    follower = trigger(table, "--filter", pattern(kind=["z"]), "--filter", '{"eventName": ["REMOVE"]}')
    follower.wait_for_records(2)
    assert follower.keys() == ["3", "2"]


def test_operators(table, put, trigger):
    for i, color in enumerate(["dark red", "red", "Red", "green", "blue"]):
        put(table, "a", i, color=color)
    put(table, "a", 5, shape="round")
    rules = [{"suffix": "red"}, {"equals-ignore-case": "GREEN"}]
    follower = trigger(
        table,
        "--filter", pattern(color=rules),
        "--filter", json.dumps({"dynamodb": {"NewImage": {"color": {"S": [{"exists": False}]}}}}),
        "--filter", json.dumps({"$or": [{"dynamodb": {"Keys": {"sk": {"S": ["4"]}}}}, {"eventName": ["REMOVE"]}]}),
    )  # fmt: skip
    follower.wait_for_records(5)
    assert follower.keys() == ["0", "1", "3", "4", "5"]


def test_positions_move_past_what_is_filtered_out(table, put, trigger):
    for i in range(5):
        put(table, "a", i, status="OPEN")
    first = trigger(table, "--filter", pattern(status=["CLOSED"]))
    wait_until(lambda: '"after"' in first.checkpoint.read_text(), "the stored position")
    first.stop()
    put(table, "a", "new", status="OPEN")
    second = trigger(table)
    second.wait_for_records(1)
    assert second.keys() == ["new"]


def test_a_wrong_pattern_is_refused(table, trigger, server, tmp_path):
    error = Trigger(server.port, table, tmp_path, "--filter", '{"eventName": "INSERT"}').refused()
    assert error == (
        'stator: filter pattern: eventName must be an object, or a list of the values that match, such as ["value"]\n'
    )


def test_numeric_on_a_number_attribute_is_warned_about(table, put, trigger):
    follower = trigger(table, "--filter", '{"dynamodb": {"NewImage": {"n": {"N": [{"numeric": [">", 1]}]}}}}')
    assert "streams carry numbers as strings" in follower.stop()
