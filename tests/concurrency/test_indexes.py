"""Indexes under many writers of the same items."""

import random

import pytest

import tables

KEYS = 12
WRITERS = 12
WRITES = 60
BUILT_ITEMS = 2000
LOCAL = [tables.index("local", ("pk", "lsk"))]
GLOBAL = [
    tables.index("global", ("place",)),
    tables.index("sparse", ("tag", "rank"), "INCLUDE", ["note"]),
]
SHOWN = {"local": None, "global": None, "sparse": {"pk", "sk", "tag", "rank", "note"}}
NEEDED = {"local": ["lsk"], "global": ["place"], "sparse": ["tag", "rank"]}


@pytest.fixture
def indexed(client, request):
    name = "indexed-" + request.node.originalname[:60].replace("_", "-")
    types = {"pk": "S", "sk": "N", "lsk": "S", "place": "S", "tag": "S", "rank": "N"}
    tables.create(client, name, ("pk", "sk"), types, LOCAL, GLOBAL)
    yield name
    client.call("DeleteTable", TableName=name)


def key_of(item):
    return item["pk"]["S"], item["sk"]["N"]


def random_attributes(choices):
    item = {"note": {"S": f"note {choices.random()}"}}
    for name, value in (("lsk", {"S": choices.choice("abc")}), ("place", {"S": choices.choice("xyz")}),
                        ("tag", {"S": choices.choice("pq")}), ("rank", {"N": str(choices.randrange(5))})):
        if choices.random() < 0.7:
            item[name] = value
    return item


def change_an_item(client, table, choices):
    n = choices.randrange(KEYS)
    key = {"pk": {"S": f"p{n % 3}"}, "sk": {"N": str(n)}}
    kind = choices.choice(["put", "put", "move", "move", "remove", "delete"])
    if kind == "put":
        client.call("PutItem", TableName=table, Item={**key, **random_attributes(choices)})
    elif kind == "move":
        client.call(
            "UpdateItem", TableName=table, Key=key, UpdateExpression="SET place = :place, #rank = :rank",
            ExpressionAttributeNames={"#rank": "rank"},
            ExpressionAttributeValues={":place": {"S": choices.choice("xyz")}, ":rank": {"N": "9"}},
        )
    elif kind == "remove":
        client.call("UpdateItem", TableName=table, Key=key, UpdateExpression="REMOVE tag, place, lsk")
    else:
        client.call("DeleteItem", TableName=table, Key=key)


def assert_indexes_match(client, table):
    items = {key_of(item): item for item in tables.scan_all(client, table, ConsistentRead=True)}
    description = client.call("DescribeTable", TableName=table)["Table"]
    assert description["ItemCount"] == len(items)
    for index in description["LocalSecondaryIndexes"] + description["GlobalSecondaryIndexes"]:
        name = index["IndexName"]
        rows = tables.scan_all(client, table, IndexName=name)
        keys = [key_of(row) for row in rows]
        assert len(keys) == len(set(keys)), f"{name} shows an item under two keys: {sorted(keys)}"
        implied = {
            key: {n: v for n, v in item.items() if SHOWN[name] is None or n in SHOWN[name]}
            for key, item in items.items() if all(part in item for part in NEEDED[name])
        }
        assert {key_of(row): row for row in rows} == implied, name
        assert index["ItemCount"] == len(rows), name


def test_indexes_are_what_the_table_implies_when_the_writers_are_done(client, indexed, at_once):
    def work(own, number):
        choices = random.Random(number)
        for _ in range(WRITES):
            change_an_item(own, indexed, choices)

    for _ in range(2):
        at_once(WRITERS, work)
        assert_indexes_match(client, indexed)


def test_an_item_that_moves_is_under_one_key_of_the_index(client, indexed, at_once):
    """One page of the index is one state of it, and an item moves in one commit: no page shows it twice."""
    key = {"pk": {"S": "mover"}, "sk": {"N": "1"}}

    def work(own, number):
        for step in range(WRITES * 2):
            if number < 4:
                item = {**key, "place": {"S": f"place-{(number + step) % 7}"}}
                own.call("PutItem", TableName=indexed, Item=item)
            else:
                rows = own.call("Scan", TableName=indexed, IndexName="global")["Items"]
                assert len(rows) <= 1, rows

    at_once(8, work)
    assert_indexes_match(client, indexed)


def test_indexes_match_after_concurrent_batches(client, indexed, at_once):
    def work(own, number):
        choices = random.Random(100 + number)
        for _ in range(WRITES // 4):
            requests = []
            for n in choices.sample(range(KEYS), 6):
                key = {"pk": {"S": f"p{n % 3}"}, "sk": {"N": str(n)}}
                if choices.random() < 0.3:
                    requests.append({"DeleteRequest": {"Key": key}})
                else:
                    requests.append({"PutRequest": {"Item": {**key, **random_attributes(choices)}}})
            assert not own.call("BatchWriteItem", RequestItems={indexed: requests})["UnprocessedItems"]

    at_once(WRITERS, work)
    assert_indexes_match(client, indexed)


def build_under_writes(client, table, at_once):
    """Adds the index `place` to a filled table while others change its items; gives what the index then shows."""
    for first in range(0, BUILT_ITEMS, 25):
        items = [{"pk": {"S": f"{n}"}, "place": {"S": f"{n % 9}"}} for n in range(first, first + 25)]
        client.call("BatchWriteItem", RequestItems={table: [{"PutRequest": {"Item": item}} for item in items]})

    def work(own, number):
        if number == 0:
            own.call(
                "UpdateTable", TableName=table,
                AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "place")],
                GlobalSecondaryIndexUpdates=[{"Create": tables.index("place", ("place",))}],
            )
            return
        choices = random.Random(number)
        for _ in range(WRITES * 2):
            key = {"pk": {"S": str(choices.randrange(BUILT_ITEMS))}}
            if choices.random() < 0.3:
                own.call("DeleteItem", TableName=table, Key=key)
            else:
                own.call("PutItem", TableName=table, Item={**key, "place": {"S": f"{choices.randrange(9)}"}})

    at_once(8, work)
    index = tables.wait_active(client, table)["GlobalSecondaryIndexes"][0]
    return index, tables.scan_all(client, table, IndexName="place")


def test_an_index_that_is_built_under_writes_is_whole(client, table, at_once):
    _, rows = build_under_writes(client, table, at_once)
    items = tables.scan_all(client, table, ConsistentRead=True)
    assert sorted(rows, key=str) == sorted((item for item in items if "place" in item), key=str)


def test_the_figures_of_an_index_that_was_built_under_writes_are_right(client, table, at_once):
    index, rows = build_under_writes(client, table, at_once)
    assert index["ItemCount"] == len(rows)
    assert index["IndexSizeBytes"] == sum(len("pk" + row["pk"]["S"] + "place" + row["place"]["S"]) for row in rows)
