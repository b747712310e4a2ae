"""Transactions: ConsumedCapacity and ItemCollectionMetrics."""

import pytest

from transactions import A, check, delete, get, put, read, update, written


def of_size(key, size):
    used = len("pk") + len(key["pk"]["S"]) + len("x")
    return {**key, "x": {"S": "x" * (size - used)}}


def write_units(table, units, **members):
    return {"TableName": table, "CapacityUnits": units, "WriteCapacityUnits": units, **members}


def read_units(table, units, **members):
    return {"TableName": table, "CapacityUnits": units, "ReadCapacityUnits": units, **members}


@pytest.mark.parametrize("size, units", [(60, 2), (1024, 2), (1025, 4), (3000, 6)])
def test_capacity_of_a_write(db, hash_table, key, size, units):
    def consumed(action, level="TOTAL"):
        return written(db, action, ReturnConsumedCapacity=level)["ConsumedCapacity"]

    assert consumed(put(hash_table, of_size(key, size))) == [write_units(hash_table, units)]
    assert consumed(check(hash_table, key)) == [write_units(hash_table, units)]
    assert consumed(update(hash_table, key, "SET y = :x", {":x": {"BOOL": True}}), "INDEXES") in [
        [write_units(hash_table, u, Table={"CapacityUnits": u, "WriteCapacityUnits": u})]
        for u in (units, units + 2 * (size == 1024))]
    assert consumed(put(hash_table, key)) in [
        [write_units(hash_table, u)] for u in (units, units + 2 * (size == 1024))]
    assert consumed(delete(hash_table, key)) == [write_units(hash_table, 2)]
    assert consumed(delete(hash_table, key)) == [write_units(hash_table, 2)]


def test_capacity_of_a_delete_is_that_of_the_item(db, hash_table, key):
    db.call("PutItem", TableName=hash_table, Item=of_size(key, 3000))
    answer = written(db, delete(hash_table, key), ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == [write_units(hash_table, 6)]


def test_capacity_is_summed_by_table(db, hash_table, range_table, key, other):
    answer = written(
        db, put(hash_table, of_size(key, 1025)), put(range_table, {**key, "sk": A}),
        check(hash_table, other, "attribute_not_exists(pk)"), ReturnConsumedCapacity="TOTAL")
    consumed = sorted(answer["ConsumedCapacity"], key=lambda c: c["CapacityUnits"])
    assert consumed == [write_units(range_table, 2), write_units(hash_table, 6)]


def test_indexes_are_not_doubled(db, indexed_table, unique):
    item = {"pk": {"S": unique("key")}, "sk": A, "lsk": A, "gpk": A}
    answer = written(db, put(indexed_table, item), ReturnConsumedCapacity="INDEXES")
    one = {"CapacityUnits": 1, "WriteCapacityUnits": 1}
    assert answer["ConsumedCapacity"] == [write_units(
        indexed_table, 4, Table={"CapacityUnits": 2, "WriteCapacityUnits": 2},
        LocalSecondaryIndexes={"lsi": one}, GlobalSecondaryIndexes={"gsi": one})]


@pytest.mark.parametrize("size, units", [(60, 2), (4096, 2), (4097, 4)])
def test_capacity_of_a_read(db, hash_table, key, other, size, units):
    db.call("PutItem", TableName=hash_table, Item=of_size(key, size))
    gets = [get(hash_table, key, ProjectionExpression="pk"), get(hash_table, other)]
    assert "ConsumedCapacity" not in read(db, *gets).json()
    answer = read(db, *gets, ReturnConsumedCapacity="TOTAL").json()
    assert answer["ConsumedCapacity"] == [read_units(hash_table, units + 2)]
    answer = read(db, *gets, ReturnConsumedCapacity="INDEXES").json()
    assert answer["ConsumedCapacity"] == [read_units(
        hash_table, units + 2, Table={"CapacityUnits": units + 2, "ReadCapacityUnits": units + 2})]


def test_capacity_of_a_repetition_is_that_of_reading(db, hash_table, key, unique):
    token = unique("token")
    actions = [put(hash_table, of_size(key, 1500))]
    first = written(db, *actions, ClientRequestToken=token, ReturnConsumedCapacity="TOTAL")
    assert first["ConsumedCapacity"] == [write_units(hash_table, 4)]
    again = written(db, *actions, ClientRequestToken=token, ReturnConsumedCapacity="TOTAL")
    assert again["ConsumedCapacity"] == [read_units(hash_table, 2)]
    assert written(db, *actions, ClientRequestToken=token) == {}


def test_item_collection_metrics(db, indexed_table, hash_table, key):
    item = {**key, "sk": A}
    answer = written(db, put(indexed_table, item), put(hash_table, key), ReturnItemCollectionMetrics="SIZE")
    metrics = answer["ItemCollectionMetrics"]
    assert list(metrics) == [indexed_table]
    assert [m["ItemCollectionKey"] for m in metrics[indexed_table]] == [key]
    assert len(metrics[indexed_table][0]["SizeEstimateRangeGB"]) == 2


@pytest.mark.parametrize("before, action", [
    (9000, lambda table, key: put(table, key)), (60, lambda table, key: put(table, of_size(key, 9000))),
    (9000, lambda table, key: delete(table, key)), (9000, lambda table, key: check(table, key))],
    ids=["shrinks", "grows", "delete", "check"])
def test_a_repetition_pays_by_the_size_of_then(db, hash_table, key, other, unique, before, action):
    db.call("PutItem", TableName=hash_table, Item=of_size(key, before))
    actions = [action(hash_table, key), put(hash_table, other)]
    token = unique("token")
    first = written(db, *actions, ClientRequestToken=token, ReturnConsumedCapacity="TOTAL")
    assert first["ConsumedCapacity"] == [write_units(hash_table, 18 + 2)]
    again = written(db, *actions, ClientRequestToken=token, ReturnConsumedCapacity="TOTAL")
    assert again["ConsumedCapacity"] == [read_units(hash_table, 6 + 2)]
