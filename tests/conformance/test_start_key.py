"""ExclusiveStartKey of Query and Scan."""

import pytest

from wire import assert_error, assert_invalid

BAD = "The provided starting key is invalid"
MISMATCH = "The provided key element does not match the schema"
OUTSIDE = "The provided starting key is outside query boundaries based on provided conditions"
PREDICATE = "The provided starting key does not match the range key predicate"
A, B, ONE = {"S": "a"}, {"S": "b"}, {"N": "1"}


def query(db, table, start, condition="pk = :a", **members):
    values = {":a": A, ":b": B}
    return db.post("Query", {
        "TableName": table, "KeyConditionExpression": condition, "ExclusiveStartKey": start,
        "ExpressionAttributeValues": {n: v for n, v in values.items() if n in condition}, **members})


TABLE = {
    "nothing": ({}, BAD),
    "only the partition key": ({"pk": A}, BAD),
    "another attribute": ({"pk": A, "x": A}, BAD),
    "one too many": ({"pk": A, "sk": A, "x": A}, BAD),
    "type of the partition key": ({"pk": ONE, "sk": A}, MISMATCH),
    "type of the sort key": ({"pk": A, "sk": ONE}, MISMATCH),
    "another partition": ({"pk": B, "sk": A}, OUTSIDE),
}


@pytest.mark.parametrize("start, text", TABLE.values(), ids=TABLE.keys())
def test_query_of_a_table(db, range_table, start, text):
    assert_invalid(query(db, range_table, start), text)


def test_a_start_outside_of_the_sort_key_condition(db, range_table):
    answer = query(db, range_table, {"pk": A, "sk": A}, "pk = :a AND sk > :b")
    assert_invalid(answer, PREDICATE)


def test_a_start_in_another_partition_with_a_sort_key_condition(db, range_table):
    answer = query(db, range_table, {"pk": B, "sk": A}, "pk = :a AND sk < :b")
    assert_invalid(answer, "The query can return at most one row and cannot be restarted")
    answer = query(db, range_table, {"pk": B, "sk": {"S": "c"}}, "pk = :a AND sk < :b")
    assert_invalid(answer, PREDICATE)


def test_the_partition_key_is_checked_before_the_sort_key(db, range_table):
    # Start key and condition are looked at together, one key attribute after the other.
    answer = query(db, range_table, {"pk": ONE, "sk": ONE}, "sk = :a")
    assert_invalid(answer, MISMATCH)
    answer = query(db, range_table, {"pk": A, "sk": ONE}, "sk = :a")
    assert_invalid(answer, "Query condition missed key schema element: pk")
    answer = query(db, range_table, {"pk": A, "sk": ONE}, "pk = :a AND x = :a")
    assert_invalid(answer, MISMATCH)


def test_the_table_is_looked_up_before_the_start_key_is_checked(db):
    assert_error(query(db, "no-such-table", {}), "ResourceNotFoundException", "Requested resource not found")


LOCAL = {
    "without the index key": ({"pk": A, "sk": A}, BAD),
    "without the table key": ({"pk": A, "lsk": A}, BAD),
    "another attribute": ({"pk": A, "sk": A, "x": A}, BAD),
    "type of the index key": ({"pk": A, "sk": A, "lsk": ONE}, MISMATCH),
    "type of the table key": ({"pk": A, "sk": ONE, "lsk": A}, f"{BAD}: {MISMATCH}"),
    "another partition": ({"pk": B, "sk": A, "lsk": A}, OUTSIDE),
}


@pytest.mark.parametrize("start, text", LOCAL.values(), ids=LOCAL.keys())
def test_query_of_a_local_index(db, indexed_table, start, text):
    assert_invalid(query(db, indexed_table, start, IndexName="lsi"), text)


GLOBAL = {
    "only the index key": ({"gpk": A}, BAD),
    "without the index key": ({"pk": A, "sk": A}, BAD),
    "type of the index key": ({"pk": A, "sk": A, "gpk": ONE}, MISMATCH),
    "type of the table key": ({"pk": ONE, "sk": A, "gpk": A}, f"{BAD}: {MISMATCH}"),
    "another partition": ({"pk": A, "sk": A, "gpk": B}, OUTSIDE),
}


@pytest.mark.parametrize("start, text", GLOBAL.values(), ids=GLOBAL.keys())
def test_query_of_a_global_index(db, indexed_table, start, text):
    assert_invalid(query(db, indexed_table, start, "gpk = :a", IndexName="gsi"), text)


SCAN = {
    "nothing": ({}, f"{BAD}: {MISMATCH}"),
    "only the partition key": ({"pk": A}, f"{BAD}: {MISMATCH}"),
    "another attribute": ({"pk": A, "x": A}, f"{BAD}: {MISMATCH}"),
    "one too many": ({"pk": A, "sk": A, "x": A}, f"{BAD}: {MISMATCH}"),
    "type of the sort key": ({"pk": A, "sk": ONE}, f"{BAD}: {MISMATCH}"),
}


@pytest.mark.parametrize("start, text", SCAN.values(), ids=SCAN.keys())
def test_scan_of_a_table(db, range_table, start, text):
    assert_invalid(db.post("Scan", {"TableName": range_table, "ExclusiveStartKey": start}), text)


@pytest.mark.parametrize("start, text", list(LOCAL.values())[:5], ids=list(LOCAL)[:5])
def test_scan_of_an_index(db, indexed_table, start, text):
    answer = db.post(
        "Scan", {"TableName": indexed_table, "IndexName": "lsi", "ExclusiveStartKey": start})
    assert_invalid(answer, text)


def test_scan_looks_at_the_index_key_before_select_and_at_the_table_key_after_it(db, indexed_table):
    scan = {"TableName": indexed_table, "IndexName": "gsi", "Select": "ALL_ATTRIBUTES"}
    answer = db.post("Scan", {**scan, "ExclusiveStartKey": {"gpk": A}})
    assert_invalid(answer, BAD)
    answer = db.post("Scan", {**scan, "ExclusiveStartKey": {"x": A, "y": A, "gpk": A}})
    assert "Select type ALL_ATTRIBUTES is not supported" in answer.message


def test_scan_looks_at_the_start_key_before_the_paths_of_the_filter(db, hash_table):
    answer = db.post("Scan", {
        "TableName": hash_table, "FilterExpression": "attribute_exists(pk.x)", "ExclusiveStartKey": {"pk": ONE}})
    assert_invalid(answer, f"{BAD}: {MISMATCH}")


def test_a_start_key_that_no_item_has(db, range_table, unique):
    pk = {"S": unique("start")}
    for name in ("a", "c"):
        db.call("PutItem", TableName=range_table, Item={"pk": pk, "sk": {"S": name}})
    answer = db.call(
        "Query", TableName=range_table, KeyConditionExpression="pk = :p",
        ExpressionAttributeValues={":p": pk}, ExclusiveStartKey={"pk": pk, "sk": {"S": "b"}})
    assert [i["sk"]["S"] for i in answer["Items"]] == ["c"]


def test_the_last_key_of_an_index_has_the_keys_of_index_and_table(db, indexed_table, unique):
    gpk = {"S": unique("last")}
    for i in range(3):
        db.call("PutItem", TableName=indexed_table, Item={
            "pk": gpk, "sk": {"S": str(i)}, "gpk": gpk, "lsk": {"S": str(i)}})
    members = {
        "TableName": indexed_table, "IndexName": "gsi", "KeyConditionExpression": "gpk = :g",
        "ExpressionAttributeValues": {":g": gpk}, "Limit": 1}
    found = []
    while True:
        answer = db.call("Query", **members)
        found += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            break
        assert set(answer["LastEvaluatedKey"]) == {"pk", "sk", "gpk"}
        members["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
    assert sorted(i["sk"]["S"] for i in found) == ["0", "1", "2"]
    assert all(set(i) == {"pk", "sk", "gpk"} for i in found)


def test_a_query_of_one_item_has_no_second_page(db, hash_table):
    """The key of a table without sort key names one item at most, so there is nothing to go on behind."""
    db.call("PutItem", TableName=hash_table, Item={"pk": A})
    for start in (A, B):
        assert_invalid(query(db, hash_table, {"pk": start}), "The provided exclusive start key is invalid")
    for start, text in {"": BAD, "x": BAD}.items():
        assert_invalid(query(db, hash_table, {start: A} if start else {}), text)
    assert_invalid(query(db, hash_table, {"pk": ONE}), MISMATCH)
    page = db.call("Query", TableName=hash_table, KeyConditionExpression="pk = :a", ExpressionAttributeValues={":a": A}, Limit=1)
    assert page["Count"] == 1 and "LastEvaluatedKey" not in page
