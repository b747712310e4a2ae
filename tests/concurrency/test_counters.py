"""Additions to one counter by many writers."""

KEY = {"pk": {"S": "counter"}}


def add(client, table, counter="n", amount=1):
    answer = client.call(
        "UpdateItem", TableName=table, Key=KEY, UpdateExpression="ADD #n :amount",
        ExpressionAttributeNames={"#n": counter}, ExpressionAttributeValues={":amount": {"N": str(amount)}},
        ReturnValues="UPDATED_NEW",
    )
    return int(answer["Attributes"][counter]["N"])


def read(client, table):
    return client.call("GetItem", TableName=table, Key=KEY, ConsistentRead=True)["Item"]


def test_64_writers_of_one_counter_lose_nothing(client, table, at_once):
    shown = at_once(64, lambda own, _: [add(own, table) for _ in range(25)])
    assert read(client, table)["n"] == {"N": str(64 * 25)}
    # The additions are in one order, so every value was shown once, and to each writer in rising order.
    assert sorted(value for values in shown for value in values) == list(range(1, 64 * 25 + 1))
    assert all(values == sorted(values) for values in shown)


def test_writers_of_different_attributes_of_one_item_do_not_disturb_each_other(client, table, at_once):
    at_once(16, lambda own, number: [add(own, table, f"n{number}") for _ in range(25)])
    assert read(client, table) == {**KEY, **{f"n{number}": {"N": "25"} for number in range(16)}}


def test_additions_that_cancel_out_leave_zero(client, table, at_once):
    at_once(16, lambda own, number: [add(own, table, "n", 1 if number % 2 else -1) for _ in range(25)])
    assert read(client, table)["n"] == {"N": "0"}


def test_appends_to_one_list_are_all_there_once(client, table, at_once):
    client.call("PutItem", TableName=table, Item={**KEY, "log": {"L": []}})

    def append(own, number):
        for step in range(10):
            own.call(
                "UpdateItem", TableName=table, Key=KEY, UpdateExpression="SET #log = list_append(#log, :entry)",
                ExpressionAttributeNames={"#log": "log"},
                ExpressionAttributeValues={":entry": {"L": [{"S": f"{number}-{step}"}]}},
            )

    at_once(16, append)
    entries = [entry["S"] for entry in read(client, table)["log"]["L"]]
    assert sorted(entries) == sorted(f"{number}-{step}" for number in range(16) for step in range(10))
    for number in range(16):  # each writer's own in its order
        own = [entry for entry in entries if entry.startswith(f"{number}-")]
        assert own == [f"{number}-{step}" for step in range(10)]
