"""Keys of items against the schema of the table and its indexes."""

import base64

import pytest

from conftest import attribute, schema
from wire import assert_error, assert_invalid

INVALID = "One or more parameter values were invalid: "
NOT_VALID = "One or more parameter values are not valid. "
MISMATCH = "The provided key element does not match the schema"
EMPTY_STRING = "The AttributeValue for a key attribute cannot contain an empty string value. "
EMPTY_BINARY = "The AttributeValue for a key attribute cannot contain an empty binary value. "
LONG_HASH = INVALID + "Size of hashkey has exceeded the maximum size limit of2048 bytes"
LONG_RANGE = INVALID + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
A = {"S": "a"}
WRONG_KEYS = {
    "nothing": {},
    "no sort key": {"pk": A},
    "no partition key": {"sk": A},
    "another name": {"pk": A, "x": A},
    "one too many": {"pk": A, "sk": A, "x": A},
    "number for a string": {"pk": A, "sk": {"N": "1"}},
    "binary for a string": {"pk": {"B": "YWJj"}, "sk": A},
    "set for a string": {"pk": {"SS": ["a"]}, "sk": A},
    "list for a string": {"pk": A, "sk": {"L": [A]}},
}
BY_KEY = {
    "GetItem": {}, "DeleteItem": {},
    "UpdateItem": {"UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": A}},
}


def by_key(db, operation, table, key):
    """The operation on one key, alone or in a batch."""
    if operation == "BatchGetItem":
        return db.post(operation, {"RequestItems": {table: {"Keys": [key]}}})
    if operation == "BatchWriteItem":
        return db.post(operation, {"RequestItems": {table: [{"DeleteRequest": {"Key": key}}]}})
    return db.post(operation, {"TableName": table, "Key": key, **BY_KEY[operation]})


every_key_operation = pytest.mark.parametrize("operation", [*BY_KEY, "BatchGetItem", "BatchWriteItem"])


@every_key_operation
@pytest.mark.parametrize("key", WRONG_KEYS.values(), ids=WRONG_KEYS.keys())
def test_a_key_that_does_not_match_the_schema(db, range_table, operation, key):
    assert_invalid(by_key(db, operation, range_table, key), MISMATCH)


@every_key_operation
def test_an_empty_string_key(db, range_table, operation):
    answer = by_key(db, operation, range_table, {"pk": {"S": ""}, "sk": A})
    assert_invalid(answer, NOT_VALID + EMPTY_STRING + "Key: pk")
    answer = by_key(db, operation, range_table, {"pk": A, "sk": {"S": ""}})
    assert_invalid(answer, NOT_VALID + EMPTY_STRING + "Key: sk")


@every_key_operation
def test_an_empty_binary_key(db, binary_table, operation):
    answer = by_key(db, operation, binary_table, {"pk": {"B": ""}})
    assert_invalid(answer, NOT_VALID + EMPTY_BINARY + "Key: pk")


@every_key_operation
def test_keys_that_are_too_long(db, range_table, binary_table, operation):
    fits = by_key(db, operation, range_table, {"pk": {"S": "p" * 2048}, "sk": {"S": "s" * 1024}})
    assert fits.status == 200
    answer = by_key(db, operation, range_table, {"pk": {"S": "p" * 2049}, "sk": A})
    assert_invalid(answer, LONG_HASH)
    answer = by_key(db, operation, range_table, {"pk": {"S": "é" * 1025}, "sk": A})
    assert_invalid(answer, LONG_HASH)
    answer = by_key(db, operation, range_table, {"pk": A, "sk": {"S": "s" * 1025}})
    assert_invalid(answer, LONG_RANGE)
    answer = by_key(db, operation, binary_table, {"pk": {"B": base64.b64encode(b"b" * 2049).decode()}})
    assert_invalid(answer, LONG_HASH)


PUT = {
    "no key at all": ({}, INVALID + "Missing the key pk in the item"),
    "no partition key": ({"sk": A}, INVALID + "Missing the key pk in the item"),
    "no sort key": ({"pk": A, "x": A}, INVALID + "Missing the key sk in the item"),
    "number for the partition key": (
        {"pk": {"N": "1"}, "sk": A}, INVALID + "Type mismatch for key pk expected: S actual: N"),
    "null for the sort key": (
        {"pk": A, "sk": {"NULL": True}}, INVALID + "Type mismatch for key sk expected: S actual: NULL"),
    "map for the sort key": (
        {"pk": A, "sk": {"M": {}}}, INVALID + "Type mismatch for key sk expected: S actual: M"),
    "empty partition key": ({"pk": {"S": ""}, "sk": A}, NOT_VALID + EMPTY_STRING + "Key: pk"),
    "empty sort key": ({"pk": A, "sk": {"S": ""}}, NOT_VALID + EMPTY_STRING + "Key: sk"),
    "long partition key": ({"pk": {"S": "p" * 2049}, "sk": A}, LONG_HASH),
    "long sort key": ({"pk": A, "sk": {"S": "s" * 1025}}, LONG_RANGE),
}


@pytest.mark.parametrize("item, text", PUT.values(), ids=PUT.keys())
def test_put(db, range_table, item, text):
    assert_invalid(db.post("PutItem", {"TableName": range_table, "Item": item}), text)


@pytest.mark.parametrize("item, text", PUT.values(), ids=PUT.keys())
def test_put_in_a_batch(db, range_table, item, text):
    # A batch does not tell a missing or mistyped key apart.
    if "Missing" in text or "mismatch" in text:
        text = MISMATCH
    answer = db.post("BatchWriteItem", {"RequestItems": {range_table: [{"PutRequest": {"Item": item}}]}})
    assert_invalid(answer, text)


INDEX_KEYS = {
    "number for a global key": (
        {"gpk": {"N": "1"}},
        INVALID + "Type mismatch for Index Key gpk Expected: S Actual: N IndexName: gsi"),
    "string for a number key": (
        {"gpk2": A, "gsk2": A},
        INVALID + "Type mismatch for Index Key gsk2 Expected: N Actual: S IndexName: gsi-all"),
    "list for a local key": (
        {"lsk": {"L": []}}, INVALID + "Type mismatch for Index Key lsk Expected: S Actual: L IndexName: lsi"),
    "empty global key": (
        {"gpk": {"S": ""}},
        NOT_VALID + "A value specified for a secondary index key is not supported. " + EMPTY_STRING
        + "IndexName: gsi, IndexKey: gpk"),
    "empty local key": (
        {"lsk": {"S": ""}},
        NOT_VALID + "A value specified for a secondary index key is not supported. " + EMPTY_STRING
        + "IndexName: lsi, IndexKey: lsk"),
}


@pytest.mark.parametrize("attributes, text", INDEX_KEYS.values(), ids=INDEX_KEYS.keys())
def test_index_keys(db, indexed_table, attributes, text):
    item = {"pk": A, "sk": A, **attributes}
    assert_invalid(db.post("PutItem", {"TableName": indexed_table, "Item": item}), text)
    answer = db.post("BatchWriteItem", {"RequestItems": {indexed_table: [{"PutRequest": {"Item": item}}]}})
    assert_invalid(answer, text)


def update(db, table, expression, **values):
    request = {"TableName": table, "Key": {"pk": A, "sk": A}, "UpdateExpression": expression}
    if values:
        request["ExpressionAttributeValues"] = {f":{n}": v for n, v in values.items()}
    return db.post("UpdateItem", request)


@pytest.mark.parametrize("expression", ["SET {} = :v", "REMOVE {}", "ADD {} :v", "DELETE {} :v"])
@pytest.mark.parametrize("name", ["pk", "sk"])
def test_keys_cannot_be_updated(db, range_table, name, expression):
    values = {} if "REMOVE" in expression else {"v": {"N": "1"} if "ADD" in expression else {"SS": ["a"]}}
    answer = update(db, range_table, expression.format(name), **values)
    assert_invalid(answer, INVALID + f"Cannot update attribute {name}. This attribute is part of the key")


def test_keys_cannot_be_updated_by_attribute_updates(db, range_table):
    answer = db.post("UpdateItem", {
        "TableName": range_table, "Key": {"pk": A, "sk": A}, "AttributeUpdates": {"sk": {"Value": A}}})
    assert_invalid(answer, INVALID + "Cannot update attribute sk. This attribute is part of the key")


def test_an_index_key_is_not_updated_to_another_type(db, indexed_table):
    answer = update(db, indexed_table, "SET gpk = :v", v={"N": "1"})
    assert_invalid(answer, INVALID + "Type mismatch for Index Key gpk Expected: S Actual: N IndexName: gsi")


def test_an_index_key_is_not_updated_to_nothing(db, indexed_table):
    answer = update(db, indexed_table, "SET gpk = :v", v={"S": ""})
    assert_invalid(
        answer,
        NOT_VALID + "The update expression attempted to update a secondary index key to a value that is "
        "not supported. " + EMPTY_STRING.rstrip())


SCALARS = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "


@pytest.mark.parametrize("path, kind", [("pk.x", "Key: pk"), ("sk[0]", "Key: sk"), ("gpk.x[1]", "IndexKey: gpk")])
def test_no_expression_looks_inside_a_key(db, indexed_table, path, kind):
    key = {"pk": A, "sk": A}
    condition = {"ConditionExpression": f"size({path}) > :n", "ExpressionAttributeValues": {":n": {"N": "1"}}}
    filtered = {"FilterExpression": f"attribute_exists({path})"}
    projected = {"ProjectionExpression": f"x, {path}"}
    keys = {"KeyConditionExpression": "lsk = :a AND pk = :a", "ExpressionAttributeValues": {":a": A}, "IndexName": "lsi"}
    requests = [
        ("PutItem", {"Item": key, **condition}), ("DeleteItem", {"Key": key, **condition}),
        ("UpdateItem", {"Key": key, **condition}), ("UpdateItem", {"Key": key, "UpdateExpression": f"SET x = {path}"}),
        ("GetItem", {"Key": key, **projected}), ("Scan", filtered), ("Scan", projected), ("Query", {**keys, **projected})]
    if "Index" in kind:
        requests.append(("Query", {**keys, **filtered}))
        requests.append(("UpdateItem", {"Key": key, "UpdateExpression": f"REMOVE {path}"}))
    for operation, members in requests:
        assert_invalid(db.post(operation, {"TableName": indexed_table, **members}), SCALARS + kind)
    answer = db.post("BatchGetItem", {"RequestItems": {indexed_table: {"Keys": [key], **projected}}})
    assert_invalid(answer, SCALARS + kind)


def test_the_first_index_by_name_is_told(db, create):
    index = {"KeySchema": schema("g"), "Projection": {"ProjectionType": "ALL"}}
    name = create(
        "several-gsis", {"pk": "S"}, more_definitions=[attribute("g")],
        GlobalSecondaryIndexes=[{"IndexName": n, **index} for n in ("zzz", "aaa", "mmm")])
    answer = db.post("PutItem", {"TableName": name, "Item": {"pk": A, "g": {"N": "1"}}})
    assert_invalid(answer, INVALID + "Type mismatch for Index Key g Expected: S Actual: N IndexName: aaa")


def test_an_index_key_is_not_updated_to_a_value_that_is_too_long(db, indexed_table):
    assert_invalid(update(db, indexed_table, "SET gpk = :v", v={"S": "p" * 2049}), LONG_HASH)
    assert_invalid(update(db, indexed_table, "SET lsk = :v", v={"S": "s" * 1025}), LONG_RANGE)


@pytest.mark.parametrize(
    "operation, members",
    [
        ("PutItem", {"Item": {"pk": A}}), ("GetItem", {"Key": {"pk": A}}), ("DeleteItem", {"Key": {"pk": A}}),
        ("UpdateItem", {"Key": {"pk": A}}),
    ],
)
def test_the_table_is_looked_up_before_keys_are_checked(db, operation, members):
    answer = db.post(operation, {"TableName": "no-such-table", **members})
    assert_error(answer, "ResourceNotFoundException", "Requested resource not found")


def test_keys_are_checked_before_conditions(db, range_table):
    answer = db.post("DeleteItem", {
        "TableName": range_table, "Key": {"pk": A}, "ConditionExpression": "attribute_exists(pk)"})
    assert_invalid(answer, MISMATCH)
