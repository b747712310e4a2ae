"""What each operation reports to have consumed, with TOTAL and with INDEXES."""

import pytest
from boto3.dynamodb.conditions import Attr, Key

from support import eventually, index

KIB = 1024


@pytest.fixture(scope="module")
def plain(new_table):
    return new_table({"pk": "S"})


@pytest.fixture(scope="module")
def sorted_table(new_table):
    table = new_table({"pk": "S", "sk": "S"})
    with table.batch_writer() as batch:
        for number in range(10):  # ten items of 1,000 bytes each
            batch.put_item(sized({"pk": "p", "sk": f"s{number}", "keep": str(number % 2)}, 1000))
    return table


@pytest.fixture(scope="module")
def indexed(new_table):
    """Small items, so that each write to table or index is one unit and the sums show the parts."""
    return new_table(
        {"pk": "S", "sk": "S"},
        gsis=[index("gsi", {"g": "S"}, ["projected"])],
        lsis=[index("lsi", {"pk": "S", "l": "S"}, "ALL")],
    )


def sized(item, size):
    """The item, filled up so that names and values have `size` bytes."""
    used = sum(len(name) + len(value) for name, value in item.items())
    return item | {"f": "x" * (size - used - 1)}


def units(answer):
    return answer["ConsumedCapacity"]["CapacityUnits"]


def parts(answer):
    """(total, table, global indexes, local indexes); an index that was not touched is not reported."""
    capacity = answer["ConsumedCapacity"]

    def by_index(kind):
        return {name: part["CapacityUnits"] for name, part in capacity.get(kind, {}).items()}

    return (
        capacity["CapacityUnits"],
        capacity["Table"]["CapacityUnits"],
        by_index("GlobalSecondaryIndexes"),
        by_index("LocalSecondaryIndexes"),
    )


def test_nothing_is_reported_unasked(plain, key):
    assert "ConsumedCapacity" not in plain.put_item(Item={"pk": key})
    assert "ConsumedCapacity" not in plain.get_item(Key={"pk": key}, ReturnConsumedCapacity="NONE")


def test_total_names_the_table_and_one_figure(plain, key):
    answer = plain.put_item(Item={"pk": key}, ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == {"TableName": plain.name, "CapacityUnits": 1.0}


def test_indexes_adds_the_table_figure(plain, key):
    answer = plain.put_item(Item={"pk": key}, ReturnConsumedCapacity="INDEXES")
    assert answer["ConsumedCapacity"] == {
        "TableName": plain.name,
        "CapacityUnits": 1.0,
        "Table": {"CapacityUnits": 1.0},
    }


@pytest.mark.parametrize(
    "size, write, eventual, consistent",
    [
        (100, 1, 0.5, 1),
        (1 * KIB, 1, 0.5, 1),
        (1 * KIB + 1, 2, 0.5, 1),
        (4 * KIB, 4, 0.5, 1),
        (4 * KIB + 1, 5, 1, 2),
        (9 * KIB, 9, 1.5, 3),
        (400 * KIB, 400, 50, 100),
    ],
)
def test_units_follow_the_item_size(plain, key, size, write, eventual, consistent):
    item = sized({"pk": key}, size)
    assert units(plain.put_item(Item=item, ReturnConsumedCapacity="TOTAL")) == write
    get = {"Key": {"pk": key}, "ReturnConsumedCapacity": "TOTAL"}
    assert units(plain.get_item(**get)) == eventual
    assert units(plain.get_item(**get, ConsistentRead=True)) == consistent
    assert units(plain.get_item(**get, ConsistentRead=True, ProjectionExpression="pk")) == consistent
    assert units(plain.delete_item(Key={"pk": key}, ReturnConsumedCapacity="TOTAL")) == write


def test_reading_and_deleting_nothing_costs_the_minimum(plain):
    get = {"Key": {"pk": "absent"}, "ReturnConsumedCapacity": "TOTAL"}
    assert units(plain.get_item(**get)) == 0.5
    assert units(plain.get_item(**get, ConsistentRead=True)) == 1
    assert units(plain.delete_item(Key={"pk": "absent"}, ReturnConsumedCapacity="TOTAL")) == 1


def test_a_replaced_or_updated_item_costs_its_larger_size(plain, key):
    plain.put_item(Item=sized({"pk": key}, 3 * KIB))
    shrink = plain.put_item(Item={"pk": key}, ReturnConsumedCapacity="TOTAL")
    assert units(shrink) == 3
    plain.put_item(Item=sized({"pk": key}, 5 * KIB))
    touch = plain.update_item(
        Key={"pk": key},
        UpdateExpression="SET a = :a",
        ExpressionAttributeValues={":a": 1},
        ReturnConsumedCapacity="TOTAL",
    )
    assert units(touch) == 6
    assert units(plain.update_item(Key={"pk": key}, UpdateExpression="REMOVE f", ReturnConsumedCapacity="TOTAL")) == 6


def test_a_query_rounds_the_sum_not_each_item(sorted_table):
    query = {"KeyConditionExpression": Key("pk").eq("p"), "ReturnConsumedCapacity": "TOTAL"}
    assert units(sorted_table.query(**query)) == 1.5
    assert units(sorted_table.query(**query, ConsistentRead=True)) == 3
    assert units(sorted_table.query(**query, ConsistentRead=True, Limit=4)) == 1
    assert units(sorted_table.query(**query, ConsistentRead=True, Limit=5)) == 2


@pytest.mark.parametrize(
    "narrower",
    [
        {"FilterExpression": Attr("keep").eq("1")},
        {"FilterExpression": Attr("keep").eq("none")},
        {"ProjectionExpression": "sk"},
        {"Select": "COUNT"},
    ],
    ids=["filter", "filter that matches nothing", "projection", "count"],
)
def test_a_narrower_answer_costs_the_same(sorted_table, narrower):
    condition = {"KeyConditionExpression": Key("pk").eq("p"), "ConsistentRead": True}
    assert units(sorted_table.query(**condition, ReturnConsumedCapacity="TOTAL", **narrower)) == 3
    # A Scan reads the three partitions without items too: an on-demand table begins with four.
    assert units(sorted_table.scan(ConsistentRead=True, ReturnConsumedCapacity="TOTAL", **narrower)) == 3 + 3


def test_an_empty_query_costs_the_minimum(sorted_table):
    query = {"KeyConditionExpression": Key("pk").eq("absent"), "ReturnConsumedCapacity": "TOTAL"}
    assert units(sorted_table.query(**query)) == 0.5
    assert units(sorted_table.query(**query, ConsistentRead=True)) == 1


def test_batches_round_each_item_and_report_per_table(resource, plain, sorted_table, key):
    items = [sized({"pk": f"{key}{n}"}, 1500) for n in range(3)]
    written = resource.batch_write_item(
        RequestItems={plain.name: [{"PutRequest": {"Item": item}} for item in items]},
        ReturnConsumedCapacity="TOTAL",
    )
    assert written["ConsumedCapacity"] == [{"TableName": plain.name, "CapacityUnits": 6.0}]
    read = resource.batch_get_item(
        RequestItems={
            plain.name: {"Keys": [{"pk": item["pk"]} for item in items] + [{"pk": "absent"}]},
            sorted_table.name: {"Keys": [{"pk": "p", "sk": "s1"}], "ConsistentRead": True},
        },
        ReturnConsumedCapacity="TOTAL",
    )
    figures = {each["TableName"]: each["CapacityUnits"] for each in read["ConsumedCapacity"]}
    assert figures == {plain.name: 2.0, sorted_table.name: 1.0}


def put(table, key, **attributes):
    item = {"pk": key, "sk": "1"} | attributes
    return table.put_item(Item=item, ReturnConsumedCapacity="INDEXES")


PUTS = {
    "no index": ({}, (1, 1, {}, {})),
    "global index": ({"g": "g"}, (2, 1, {"gsi": 1}, {})),
    "local index": ({"l": "l"}, (2, 1, {}, {"lsi": 1})),
    "both": ({"g": "g", "l": "l"}, (3, 1, {"gsi": 1}, {"lsi": 1})),
}


@pytest.mark.parametrize("name", PUTS)
def test_a_put_pays_for_the_indexes_that_it_enters(indexed, key, name):
    attributes, expected = PUTS[name]
    assert parts(put(indexed, key, **attributes)) == expected


def test_an_equal_put_pays_no_index(indexed, key):
    put(indexed, key, g="g", l="l")
    assert parts(put(indexed, key, g="g", l="l")) == (1, 1, {}, {})


UPDATES = {
    "attribute outside the global projection": ("SET loose = :v", (2, 1, {}, {"lsi": 1})),
    "projected attribute": ("SET projected = :v", (3, 1, {"gsi": 1}, {"lsi": 1})),
    "global key: out and in": ("SET g = :v", (4, 1, {"gsi": 2}, {"lsi": 1})),
    "local key: out and in": ("SET l = :v", (3, 1, {}, {"lsi": 2})),
    "global key removed": ("REMOVE g", (3, 1, {"gsi": 1}, {"lsi": 1})),
}


@pytest.mark.parametrize("name", UPDATES)
def test_an_update_pays_for_what_changes_in_each_index(indexed, key, name):
    expression, expected = UPDATES[name]
    put(indexed, key, g="g", l="l", projected="p", loose="o")
    values = {"ExpressionAttributeValues": {":v": "new"}} if ":v" in expression else {}
    answer = indexed.update_item(
        Key={"pk": key, "sk": "1"},
        UpdateExpression=expression,
        ReturnConsumedCapacity="INDEXES",
        **values,
    )
    assert parts(answer) == expected


def test_a_delete_pays_for_the_indexes_that_it_leaves(indexed, key):
    put(indexed, key, g="g", l="l")
    answer = indexed.delete_item(Key={"pk": key, "sk": "1"}, ReturnConsumedCapacity="INDEXES")
    assert parts(answer) == (3, 1, {"gsi": 1}, {"lsi": 1})


def test_a_query_of_an_index_pays_the_index(indexed, key):
    indexed.put_item(Item=sized({"pk": key, "sk": "1", "g": key, "l": "l"}, 20 * KIB))
    condition = Key("g").eq(key)
    # Only the projected part is read: the 20 KiB stay in the table.
    eventually(
        lambda: parts(
            indexed.query(IndexName="gsi", KeyConditionExpression=condition, ReturnConsumedCapacity="INDEXES")
        ),
        (0.5, 0, {"gsi": 0.5}, {}),
    )
    local = {"IndexName": "lsi", "KeyConditionExpression": Key("pk").eq(key), "ConsistentRead": True}
    assert parts(indexed.query(**local, ReturnConsumedCapacity="INDEXES")) == (5, 0, {}, {"lsi": 5})


def test_a_local_index_that_fetches_pays_the_table_for_each_item(new_table):
    table = new_table({"pk": "S", "sk": "S"}, lsis=[index("lsi", {"pk": "S", "l": "S"}, "KEYS_ONLY")])
    for number in range(3):
        table.put_item(Item={"pk": "p", "sk": str(number), "l": "l", "note": "n"})
    query = {"IndexName": "lsi", "KeyConditionExpression": Key("pk").eq("p"), "ReturnConsumedCapacity": "INDEXES"}
    assert parts(table.query(**query)) == (0.5, 0, {}, {"lsi": 0.5})
    fetching = query | {"Select": "ALL_ATTRIBUTES"}
    assert parts(table.query(**fetching)) == (2, 1.5, {}, {"lsi": 0.5})
    assert parts(table.query(**fetching, ConsistentRead=True)) == (4, 3, {}, {"lsi": 1})
