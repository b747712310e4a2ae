"""PutItem, GetItem, UpdateItem, DeleteItem: answers, conditions, failures while applying."""

import pytest

from wire import assert_error, assert_invalid

OPERAND = "An operand in the update expression has an incorrect data type"
PATH = "The document path provided in the update expression is invalid for update"
NO_ATTRIBUTE = "The provided expression refers to an attribute that does not exist in the item"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"


@pytest.fixture
def key(unique):
    return {"pk": {"S": unique("key")}}


def put(db, table, item, **members):
    return db.call("PutItem", TableName=table, Item=item, **members)


def get(db, table, key, **members):
    return db.call("GetItem", TableName=table, Key=key, ConsistentRead=True, **members)


def test_put_and_delete_answer_with_nothing(db, hash_table, key):
    assert put(db, hash_table, key) == {}
    assert db.call("DeleteItem", TableName=hash_table, Key=key) == {}
    assert db.call("DeleteItem", TableName=hash_table, Key=key) == {}
    assert get(db, hash_table, key) == {}


def test_the_old_item_is_returned_only_if_there_was_one(db, hash_table, key):
    first = {**key, "v": {"N": "1"}}
    second = {**key, "v": {"N": "2"}}
    assert put(db, hash_table, first, ReturnValues="ALL_OLD") == {}
    assert put(db, hash_table, second, ReturnValues="ALL_OLD") == {"Attributes": first}
    delete = {"TableName": hash_table, "Key": key, "ReturnValues": "ALL_OLD"}
    assert db.call("DeleteItem", **delete) == {"Attributes": second}
    assert db.call("DeleteItem", **delete) == {}


def test_a_projection_that_matches_nothing_gives_an_empty_item(db, hash_table, key):
    put(db, hash_table, key)
    assert get(db, hash_table, key, ProjectionExpression="x") == {"Item": {}}
    assert get(db, hash_table, key, AttributesToGet=["x"]) == {"Item": {}}


@pytest.fixture
def item(db, hash_table, key):
    item = {
        **key, "n": {"N": "5"}, "s": {"S": "text"}, "l": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}]},
        "m": {"M": {"a": {"N": "1"}, "b": {"N": "2"}}}, "ss": {"SS": ["x", "y"]},
    }
    put(db, hash_table, item)
    return item


def update(db, table, key, expression, values=None, **members):
    request = {"TableName": table, "Key": {"pk": key["pk"]}, "UpdateExpression": expression, **members}
    if values:
        request["ExpressionAttributeValues"] = values
    return db.post("UpdateItem", request)


CONDITIONS = {
    "PutItem": lambda item: {"Item": item},
    "DeleteItem": lambda item: {"Key": {"pk": item["pk"]}},
    "UpdateItem": lambda item: {"Key": {"pk": item["pk"]}, "UpdateExpression": "REMOVE s"},
}


@pytest.mark.parametrize("operation", CONDITIONS)
def test_a_failed_condition(db, hash_table, item, operation):
    request = {
        "TableName": hash_table, "ConditionExpression": "attribute_not_exists(pk)", **CONDITIONS[operation](item)}
    answer = db.post(operation, request)
    assert_error(answer, "ConditionalCheckFailedException", "The conditional request failed")
    assert "Item" not in answer.json()
    answer = db.post(operation, {**request, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
    assert_error(answer, "ConditionalCheckFailedException", "The conditional request failed")
    assert answer.json()["Item"] == item
    assert get(db, hash_table, {"pk": item["pk"]})["Item"] == item


def test_a_failed_condition_on_a_missing_item_has_no_item(db, hash_table, key):
    answer = db.post("PutItem", {
        "TableName": hash_table, "Item": key, "ConditionExpression": "attribute_exists(pk)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
    assert_error(answer, "ConditionalCheckFailedException", "The conditional request failed")
    assert "Item" not in answer.json()


RETURNED = [
    ("NONE", None), ("ALL_OLD", "all old"), ("UPDATED_OLD", {"n": {"N": "5"}}), ("ALL_NEW", "all new"),
    ("UPDATED_NEW", {"n": {"N": "6"}}),
]


@pytest.mark.parametrize("values, expected", RETURNED, ids=[v for v, _ in RETURNED])
def test_update_returns_what_is_asked(db, hash_table, item, values, expected):
    new = {**item, "n": {"N": "6"}}
    if isinstance(expected, str):
        expected = {"all old": item, "all new": new}[expected]
    answer = update(
        db, hash_table, item, "SET n = n + :one", {":one": {"N": "1"}}, ReturnValues=values).json()
    assert answer == ({} if expected is None else {"Attributes": expected})


@pytest.mark.parametrize("values", ["ALL_OLD", "UPDATED_OLD"])
def test_update_of_a_missing_item_has_no_old_values(db, hash_table, key, values):
    answer = update(db, hash_table, key, "SET a = :v", {":v": {"S": "v"}}, ReturnValues=values)
    assert answer.json() == {}


@pytest.mark.parametrize("values", ["UPDATED_OLD", "UPDATED_NEW"])
def test_nothing_updated_is_not_an_empty_map(db, hash_table, item, values):
    answer = update(db, hash_table, item, "REMOVE no_such_attribute", ReturnValues=values)
    assert answer.json() == {}


def test_update_without_an_expression_creates_the_item(db, hash_table, key):
    db.call("UpdateItem", TableName=hash_table, Key=key)
    assert get(db, hash_table, key) == {"Item": key}


DELETIONS = {
    "REMOVE": {"UpdateExpression": "REMOVE x"},
    "DELETE": {"UpdateExpression": "DELETE x :v", "ExpressionAttributeValues": {":v": {"SS": ["a"]}}},
    "AttributeUpdates": {"AttributeUpdates": {"x": {"Action": "DELETE"}}},
}


@pytest.mark.parametrize("members", DELETIONS.values(), ids=DELETIONS.keys())
def test_an_update_that_only_deletes_creates_nothing(db, hash_table, key, members):
    db.call("UpdateItem", TableName=hash_table, Key=key, **members)
    assert get(db, hash_table, key) == {}


APPLIED = {
    "every read sees the old item": ("SET n = :one, a = n", {"n": {"N": "1"}, "a": {"N": "5"}}),
    "removed positions are the old ones": ("REMOVE l[0], l[1]", {"l": {"L": [{"N": "2"}]}}),
    "a position past the end appends": (
        "SET l[9] = :one", {"l": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}, {"N": "1"}]}}),
    "an emptied set is gone": ("DELETE ss :xy", {"ss": None}),
    "add to a missing number": ("ADD z :one", {"z": {"N": "1"}}),
    "if_not_exists": ("SET n = if_not_exists(n, :one), z = if_not_exists(z, :one)", {"z": {"N": "1"}}),
    "list_append": (
        "SET l = list_append(:list, l)", {"l": {"L": [{"S": "new"}, {"N": "0"}, {"N": "1"}, {"N": "2"}]}}),
    "nested": ("SET m.c = :one REMOVE m.a", {"m": {"M": {"b": {"N": "2"}, "c": {"N": "1"}}}}),
}
VALUES = {":one": {"N": "1"}, ":xy": {"SS": ["x", "y"]}, ":list": {"L": [{"S": "new"}]}}


@pytest.mark.parametrize("expression, change", APPLIED.values(), ids=APPLIED.keys())
def test_update(db, hash_table, item, expression, change):
    values = {n: v for n, v in VALUES.items() if n in expression}
    answer = update(db, hash_table, item, expression, values, ReturnValues="ALL_NEW")
    expected = {n: v for n, v in {**item, **change}.items() if v is not None}
    assert answer.json()["Attributes"] == expected


REFUSED = {
    "add to a string": ("SET s = s + :one", OPERAND),
    "ADD to a string": ("ADD s :one", OPERAND),
    "ADD a set to a number": ("ADD n :xy", OPERAND),
    "DELETE from a number": ("DELETE n :xy", OPERAND),
    "list_append to a number": ("SET n = list_append(n, :list)", OPERAND),
    "missing operand": ("SET a = z", NO_ATTRIBUTE),
    "missing operand of a sum": ("SET a = z + :one", NO_ATTRIBUTE),
    "missing parent": ("SET z.a = :one", PATH),
    "parent is not a map": ("SET n.a = :one", PATH),
    "parent is not a list": ("SET m[0] = :one", PATH),
}


@pytest.mark.parametrize("expression, text", REFUSED.values(), ids=REFUSED.keys())
def test_update_refused(db, hash_table, item, expression, text):
    values = {n: v for n, v in VALUES.items() if n in expression}
    assert_invalid(update(db, hash_table, item, expression, values), text)
    assert get(db, hash_table, {"pk": item["pk"]})["Item"] == item


def test_arithmetic_overflows(db, hash_table, key):
    big = {"N": "9.9e125"}
    put(db, hash_table, {**key, "n": big})
    assert_invalid(update(db, hash_table, key, "SET n = n + :b", {":b": big}), OVERFLOW)
    assert_invalid(update(db, hash_table, key, "ADD n :b", {":b": big}), OVERFLOW)
