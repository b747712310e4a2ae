"""Conditional writes of one key by many clients at once."""

import tables
from wire_client import ServiceError

CLIENTS = 24
KEYS = 20


def won(client, operation, **members):
    try:
        client.call(operation, **members)
        return True
    except ServiceError as error:
        assert error.code == "ConditionalCheckFailedException", error
        return False


def test_of_concurrent_conditional_puts_of_one_key_exactly_one_wins(client, table, at_once):
    def work(own, number):
        return [
            won(
                own, "PutItem", TableName=table, ConditionExpression="attribute_not_exists(pk)",
                Item={"pk": {"S": f"key-{key}"}, "owner": {"N": str(number)}},
            )
            for key in range(KEYS)
        ]

    results = at_once(CLIENTS, work)
    winners = {f"key-{key}": [n for n in range(CLIENTS) if results[n][key]] for key in range(KEYS)}
    assert all(len(numbers) == 1 for numbers in winners.values()), winners
    owners = {item["pk"]["S"]: [int(item["owner"]["N"])] for item in tables.scan_all(client, table)}
    assert owners == winners


def test_of_concurrent_conditional_deletes_of_one_key_exactly_one_wins(client, table, at_once):
    for key in range(KEYS):
        client.call("PutItem", TableName=table, Item={"pk": {"S": f"key-{key}"}})
    results = at_once(CLIENTS, lambda own, _: [
        won(own, "DeleteItem", TableName=table, Key={"pk": {"S": f"key-{key}"}},
            ConditionExpression="attribute_exists(pk)")
        for key in range(KEYS)
    ])
    assert [sum(column) for column in zip(*results)] == [1] * KEYS
    assert tables.scan_all(client, table) == []


def test_puts_and_deletes_of_one_key_take_turns(client, table, at_once):
    """Puts need absence and deletes presence, so successes alternate: puts lead by nothing or by one."""
    key = {"pk": {"S": "door"}}

    def work(own, number):
        if number % 2:
            return sum(won(own, "PutItem", TableName=table, Item=key, ConditionExpression="attribute_not_exists(pk)")
                       for _ in range(30))
        return -sum(won(own, "DeleteItem", TableName=table, Key=key, ConditionExpression="attribute_exists(pk)")
                    for _ in range(30))

    lead = sum(at_once(CLIENTS, work))
    assert lead == len(tables.scan_all(client, table))
    assert client.call("DescribeTable", TableName=table)["Table"]["ItemCount"] == lead


def test_a_batch_is_never_seen_in_part(client, table, at_once):
    """The server writes a batch in one commit: items that are only written together are always equal."""
    keys = [f"key-{n}" for n in range(10)]

    def work(own, number):
        for step in range(10):
            puts = [{"PutRequest": {"Item": {"pk": {"S": key}, "by": {"S": f"{number}-{step}"}}}} for key in keys]
            answer = own.call("BatchWriteItem", RequestItems={table: puts})
            assert not answer["UnprocessedItems"]

    at_once(12, work)
    items = tables.scan_all(client, table, ConsistentRead=True)
    assert sorted(item["pk"]["S"] for item in items) == sorted(keys)
    assert len({item["by"]["S"] for item in items}) == 1, items
