"""ConsumedCapacity of writes, index by index, and ItemCollectionMetrics."""

import pytest

from conftest import attribute, schema


@pytest.fixture
def key(unique):
    return {"pk": {"S": unique("units")}}


def of_size(key, size):
    used = len("pk") + len(key["pk"]["S"]) + len("x")
    return {**key, "x": {"S": "x" * (size - used)}}


@pytest.mark.parametrize("size, units", [(40, 1), (1024, 1), (1025, 2), (2048, 2), (2049, 3)])
def test_put(db, hash_table, key, size, units):
    consumed = db.call(
        "PutItem", TableName=hash_table, Item=of_size(key, size), ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
    assert consumed == {"TableName": hash_table, "CapacityUnits": units}
    consumed = db.call(
        "PutItem", TableName=hash_table, Item=of_size(key, size), ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
    assert consumed == {
        "TableName": hash_table, "CapacityUnits": units, "Table": {"CapacityUnits": units}}


def test_the_larger_of_old_and_new_counts(db, hash_table, key):
    def units(operation, **members):
        answer = db.call(operation, TableName=hash_table, ReturnConsumedCapacity="TOTAL", **members)
        return answer["ConsumedCapacity"]["CapacityUnits"]

    assert units("PutItem", Item=of_size(key, 3000)) == 3
    assert units("PutItem", Item=of_size(key, 40)) == 3
    assert units("PutItem", Item=of_size(key, 40)) == 1
    big = {":x": {"S": "x" * 2000}}
    assert units("UpdateItem", Key=key, UpdateExpression="SET x = :x", ExpressionAttributeValues=big) == 2
    assert units("UpdateItem", Key=key, UpdateExpression="REMOVE x") == 2
    assert units("PutItem", Item=of_size(key, 5000)) == 5
    assert units("DeleteItem", Key=key) == 5
    assert units("DeleteItem", Key=key) == 1
    assert units("UpdateItem", Key=key) == 1


def test_batch_write(db, hash_table, range_table, unique):
    name = {"S": unique("units")}
    answer = db.call("BatchWriteItem", ReturnConsumedCapacity="TOTAL", RequestItems={
        hash_table: [
            {"PutRequest": {"Item": of_size({"pk": name}, 1025)}},
            {"DeleteRequest": {"Key": {"pk": {"S": "missing"}}}}],
        range_table: [{"PutRequest": {"Item": {"pk": name, "sk": name}}}]})
    by_table = {c["TableName"]: c for c in answer["ConsumedCapacity"]}
    assert by_table == {
        hash_table: {"TableName": hash_table, "CapacityUnits": 3},
        range_table: {"TableName": range_table, "CapacityUnits": 1}}


@pytest.fixture(scope="module")
def table(create):
    """GSI `gsi` on `g` with `p` included, LSI `lsi` on `l` with everything."""
    return create(
        "write-units", {"pk": "S", "sk": "S"}, more_definitions=[attribute("g"), attribute("l")],
        GlobalSecondaryIndexes=[{
            "IndexName": "gsi", "KeySchema": schema("g"),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["p"]}}],
        LocalSecondaryIndexes=[{
            "IndexName": "lsi", "KeySchema": schema("pk", "l"), "Projection": {"ProjectionType": "ALL"}}])


def capacity(table, units=1, gsi=None, lsi=None):
    consumed = {
        "TableName": table, "CapacityUnits": units + (gsi or 0) + (lsi or 0), "Table": {"CapacityUnits": units}}
    if gsi:
        consumed["GlobalSecondaryIndexes"] = {"gsi": {"CapacityUnits": gsi}}
    if lsi:
        consumed["LocalSecondaryIndexes"] = {"lsi": {"CapacityUnits": lsi}}
    return consumed


def item(unique, **attributes):
    return {"pk": {"S": unique("item")}, "sk": {"S": "1"}, **{n: {"S": v} for n, v in attributes.items()}}


def put(db, table, item):
    answer = db.call("PutItem", TableName=table, Item=item, ReturnConsumedCapacity="INDEXES")
    return answer["ConsumedCapacity"]


PUTS = {
    "no index": ({"o": "o"}, {}),
    "global": ({"g": "g", "p": "p"}, {"gsi": 1}),
    "local": ({"l": "l"}, {"lsi": 1}),
    "both": ({"g": "g", "l": "l"}, {"gsi": 1, "lsi": 1}),
    "sizes of what each projects": (
        {"g": "g", "l": "l", "p": "p" * 1100, "o": "o" * 1000}, {"units": 3, "gsi": 2, "lsi": 3}),
}


@pytest.mark.parametrize("attributes, units", PUTS.values(), ids=PUTS.keys())
def test_put_into_indexes(db, table, unique, attributes, units):
    assert put(db, table, item(unique, **attributes)) == capacity(table, **units)


def test_the_same_item_again_costs_the_indexes_nothing(db, table, unique):
    same = item(unique, g="g", l="l", p="p")
    assert put(db, table, same) == capacity(table, gsi=1, lsi=1)
    assert put(db, table, same) == capacity(table)


def test_total_includes_the_indexes(db, table, unique):
    answer = db.call(
        "PutItem", TableName=table, Item=item(unique, g="g", l="l"), ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == {"TableName": table, "CapacityUnits": 3}


UPDATES = {
    "an attribute that the index does not hold": ("SET o = :v", {"lsi": 1}),
    "an attribute that the index holds": ("SET p = :v", {"gsi": 1, "lsi": 1}),
    "the global key": ("SET g = :v", {"gsi": 2, "lsi": 1}),
    "the global key removed": ("REMOVE g", {"gsi": 1, "lsi": 1}),
    "the local key": ("SET l = :v", {"lsi": 2}),
    "the local key removed": ("REMOVE l", {"lsi": 1}),
}


@pytest.mark.parametrize("expression, units", UPDATES.values(), ids=UPDATES.keys())
def test_update_of_indexes(db, table, unique, expression, units):
    old = item(unique, g="g", l="l", p="p", o="o")
    put(db, table, old)
    members = {"ExpressionAttributeValues": {":v": {"S": "new"}}} if ":v" in expression else {}
    answer = db.call(
        "UpdateItem", TableName=table, Key={"pk": old["pk"], "sk": old["sk"]}, UpdateExpression=expression,
        ReturnConsumedCapacity="INDEXES", **members)
    assert answer["ConsumedCapacity"] == capacity(table, **units)


@pytest.mark.parametrize(
    "attributes, units", [({"g": "g", "l": "l"}, {"gsi": 1, "lsi": 1}), ({"o": "o"}, {})], ids=["indexed", "sparse"])
def test_delete_from_indexes(db, table, unique, attributes, units):
    old = item(unique, **attributes)
    put(db, table, old)
    answer = db.call(
        "DeleteItem", TableName=table, Key={"pk": old["pk"], "sk": old["sk"]}, ReturnConsumedCapacity="INDEXES")
    assert answer["ConsumedCapacity"] == capacity(table, **units)


def test_batch_write_into_indexes(db, table, unique):
    answer = db.call("BatchWriteItem", ReturnConsumedCapacity="INDEXES", RequestItems={table: [
        {"PutRequest": {"Item": item(unique, g="g", p="p")}}, {"PutRequest": {"Item": item(unique, o="o")}}]})
    assert answer["ConsumedCapacity"] == [capacity(table, units=2, gsi=1)]


def test_item_collection_metrics_of_a_table_with_a_local_index(db, table, unique):
    stored = item(unique, l="l")
    pk, members = stored["pk"], {"TableName": table, "ReturnItemCollectionMetrics": "SIZE"}
    key = {"pk": pk, "sk": stored["sk"]}
    for answer in (
        db.call("PutItem", Item=stored, **members),
        db.call("UpdateItem", Key=key, UpdateExpression="REMOVE z", **members),
        db.call("DeleteItem", Key=key, **members),
    ):
        metrics = answer["ItemCollectionMetrics"]
        assert metrics["ItemCollectionKey"] == {"pk": pk}
        low, high = metrics["SizeEstimateRangeGB"]
        assert 0 <= low <= high <= 1
    answer = db.call("BatchWriteItem", ReturnItemCollectionMetrics="SIZE", RequestItems={
        table: [{"PutRequest": {"Item": stored}}]})
    assert [m["ItemCollectionKey"] for m in answer["ItemCollectionMetrics"][table]] == [{"pk": pk}]


def test_no_metrics_unless_asked_and_only_with_a_local_index(db, table, hash_table, unique):
    assert db.call("PutItem", TableName=table, Item=item(unique), ReturnItemCollectionMetrics="NONE") == {}
    answer = db.call(
        "PutItem", TableName=hash_table, Item={"pk": {"S": unique("m")}}, ReturnItemCollectionMetrics="SIZE")
    assert answer == {}
