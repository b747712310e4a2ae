"""Clients that read a version, and write under the condition that it is still the same."""

from wire_client import ServiceError

KEY = {"pk": {"S": "account"}}
CLIENTS = 16
CHANGES = 15
ATTEMPTS_MAX = 10_000


def change_once(client, table, change):
    """Reads, changes and writes until no one came between; gives how often someone did."""
    for conflicts in range(ATTEMPTS_MAX):
        item = client.call("GetItem", TableName=table, Key=KEY, ConsistentRead=True)["Item"]
        version = int(item["version"]["N"])
        changed = change(item) | {"version": {"N": str(version + 1)}}
        try:
            client.call(
                "PutItem", TableName=table, Item=changed, ConditionExpression="version = :version",
                ExpressionAttributeValues={":version": {"N": str(version)}},
            )
            return conflicts
        except ServiceError as error:
            assert error.code == "ConditionalCheckFailedException", error
    raise AssertionError("always another client won")


def test_16_clients_with_versions_lose_no_change(client, table, at_once):
    client.call("PutItem", TableName=table, Item={**KEY, "version": {"N": "0"}, "sum": {"N": "0"}, "who": {"L": []}})

    def work(own, number):
        def change(item):
            return item | {
                "sum": {"N": str(int(item["sum"]["N"]) + number)},
                "who": {"L": [*item["who"]["L"], {"N": str(number)}]},
            }

        return sum(change_once(own, table, change) for _ in range(CHANGES))

    at_once(CLIENTS, work)
    item = client.call("GetItem", TableName=table, Key=KEY, ConsistentRead=True)["Item"]
    assert item["version"] == {"N": str(CLIENTS * CHANGES)}
    assert item["sum"] == {"N": str(CHANGES * sum(range(CLIENTS)))}
    who = sorted(int(entry["N"]) for entry in item["who"]["L"])
    assert who == sorted(list(range(CLIENTS)) * CHANGES)


def test_money_moves_between_two_attributes_without_loss(client, table, at_once):
    """One UpdateItem with a condition on what it takes: never below zero, the sum stays."""
    client.call("PutItem", TableName=table, Item={**KEY, "a": {"N": "50"}, "b": {"N": "50"}})

    def move(own, number):
        source, target = ("a", "b") if number % 2 else ("b", "a")
        moved = 0
        for _ in range(20):
            try:
                own.call(
                    "UpdateItem", TableName=table, Key=KEY, ConditionExpression=f"{source} >= :amount",
                    UpdateExpression=f"SET {source} = {source} - :amount, {target} = {target} + :amount",
                    ExpressionAttributeValues={":amount": {"N": "7"}},
                )
                moved += 7
            except ServiceError as error:
                assert error.code == "ConditionalCheckFailedException", error
        return moved if source == "a" else -moved

    from_a_to_b = sum(at_once(CLIENTS, move))
    item = client.call("GetItem", TableName=table, Key=KEY, ConsistentRead=True)["Item"]
    a, b = int(item["a"]["N"]), int(item["b"]["N"])
    assert (a, b) == (50 - from_a_to_b, 50 + from_a_to_b)
    assert a >= 0 and b >= 0
