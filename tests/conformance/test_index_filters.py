"""Filters of Query and Scan on indexes that do not hold every attribute."""

import pytest

from conftest import attribute, schema
from wire import assert_invalid

NOT_PROJECTED = (
    "One or more parameter values were invalid: Secondary index {} does not project one or more filter attributes: [{}]")
KEYS = {"keys": "g", "some": "g", "local-keys": "pk", "local-some": "pk"}
A = {"S": "a"}


@pytest.fixture(scope="module")
def table(db, create):
    """GSIs `keys` and `some` on `g`, LSIs `local-keys` and `local-some` on `l`; the latter of each hold `held` too."""
    keys = {"ProjectionType": "KEYS_ONLY"}
    some = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["held"]}
    name = create(
        "filters", {"pk": "S", "sk": "S"}, more_definitions=[attribute("g"), attribute("l")],
        LocalSecondaryIndexes=[
            {"IndexName": "local-keys", "KeySchema": schema("pk", "l"), "Projection": keys},
            {"IndexName": "local-some", "KeySchema": schema("pk", "l"), "Projection": some}],
        GlobalSecondaryIndexes=[
            {"IndexName": "keys", "KeySchema": schema("g"), "Projection": keys},
            {"IndexName": "some", "KeySchema": schema("g"), "Projection": some}])
    for n in "123":
        db.call("PutItem", TableName=name, Item={
            "pk": A, "sk": {"S": n}, "g": A, "l": {"S": "l" + n}, "held": {"N": n}, "far": {"N": n}})
    return name


def query(db, table, index, **members):
    values = {":a": A, **members.pop("ExpressionAttributeValues", {})}
    return db.post("Query", {
        "TableName": table, "IndexName": index, "KeyConditionExpression": f"{KEYS[index]} = :a",
        "ExpressionAttributeValues": values, **members})


REFUSED = [
    ("keys", "held = :a", "held"), ("some", "far = :a", "far"), ("some", "attribute_not_exists(far)", "far"),
    ("some", "far.x = :a OR held = :a", "far"), ("local-keys", "held = :a", "held"),
    ("local-some", "size(far[0]) > :a OR zzz = :a OR aaa = held", "aaa, far, zzz"),
]


@pytest.mark.parametrize("index, expression, names", REFUSED)
@pytest.mark.parametrize("select", ["COUNT", "ALL_PROJECTED_ATTRIBUTES", None])
def test_a_query_does_not_filter_by_what_its_index_lacks(db, table, index, expression, names, select):
    members = {"Select": select} if select else {}
    answer = query(db, table, index, FilterExpression=expression, **members)
    assert_invalid(answer, NOT_PROJECTED.format(index, names))


def test_a_local_index_does_not_look_it_up_either(db, table):
    answer = query(db, table, "local-some", FilterExpression="attribute_exists(zzz)", Select="ALL_ATTRIBUTES")
    assert_invalid(answer, NOT_PROJECTED.format("local-some", "zzz"))


@pytest.mark.parametrize("index", KEYS)
def test_nor_does_a_query_filter(db, table, index):
    def condition(value):
        return {"ComparisonOperator": "EQ", "AttributeValueList": [value]}

    answer = db.post("Query", {
        "TableName": table, "IndexName": index, "KeyConditions": {KEYS[index]: condition(A)},
        "QueryFilter": {"zzz": condition(A), "far": {"ComparisonOperator": "NOT_NULL"}}})
    assert_invalid(answer, NOT_PROJECTED.format(index, "far, zzz"))


def test_keys_in_a_filter_go_first(db, table):
    answer = query(db, table, "keys", FilterExpression="zzz = :a OR g = :a")
    assert_invalid(answer, "Filter Expression can only contain non-primary key attributes: Primary key attribute: g")


@pytest.mark.parametrize("index, expression, found", [
    ("keys", "sk > :v", "23"), ("some", "sk > :v AND held > :n", "23"), ("local-keys", "sk <> :v", "23"),
    ("local-some", "held <> :n AND sk <> :v", "23")])
def test_what_the_index_holds_can_be_filtered_by(db, table, index, expression, found):
    values = {":v": {"S": "1"}, ":n": {"N": "1"}}
    values = {k: v for k, v in values.items() if k in expression}
    answer = query(db, table, index, FilterExpression=expression, ExpressionAttributeValues=values).json()
    assert sorted(i["sk"]["S"] for i in answer["Items"]) == list(found)


@pytest.mark.parametrize("index", KEYS)
def test_a_scan_sees_only_what_the_index_holds(db, table, index):
    def count(expression, **members):
        return db.call("Scan", TableName=table, IndexName=index, FilterExpression=expression, **members)["Count"]

    holds = index in ("some", "local-some")
    assert count("attribute_exists(far)") == 0
    assert count("attribute_not_exists(far)") == 3
    assert count("attribute_exists(held)") == (3 if holds else 0)
    assert count("sk > :v", ExpressionAttributeValues={":v": {"S": "1"}}) == 2


def test_a_scan_that_looks_items_up_filters_before(db, table):
    """Of a local index's rows, all are looked up in the table; which of them are shown, the index's row decides."""
    answer = db.call(
        "Scan", TableName=table, IndexName="local-some", Select="ALL_ATTRIBUTES", FilterExpression="held > :n",
        ExpressionAttributeValues={":n": {"N": "1"}})
    assert [i["far"]["N"] for i in answer["Items"]] == ["2", "3"]
    assert (answer["Count"], answer["ScannedCount"]) == (2, 3)
    hidden = db.call(
        "Scan", TableName=table, IndexName="local-some", Select="ALL_ATTRIBUTES", FilterExpression="far > :n",
        ExpressionAttributeValues={":n": {"N": "0"}})
    assert (hidden["Count"], hidden["ScannedCount"]) == (0, 3)
