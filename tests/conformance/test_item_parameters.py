"""Parameters of the item operations that do not go together; all refused before the table is looked up."""

import pytest

from wire import assert_invalid, assert_request_invalid

KEY = {"pk": {"S": "a"}}
NAMES = {"ExpressionAttributeNames": {"#a": "a"}}
VALUES = {"ExpressionAttributeValues": {":a": {"S": "a"}}}
EXPECTED = {"Expected": {"a": {"Exists": False}}}
FILTER = {"a": {"ComparisonOperator": "NULL"}}


def mixed(plain, expressions):
    return (
        "Can not use both expression and non-expression parameters in the same request: "
        f"Non-expression parameters: {{{plain}}} Expression parameters: {{{expressions}}}")


ONLY_NAMES = "ExpressionAttributeNames can only be specified when using expressions"
ONLY_VALUES = "ExpressionAttributeValues can only be specified when using expressions: "
UNUSED_NAMES = "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}"
UNUSED_VALUES = "Value provided in ExpressionAttributeValues unused in expressions: keys: {:a}"
NAMES_EMPTY = "ExpressionAttributeNames must not be empty"
VALUES_EMPTY = "ExpressionAttributeValues must not be empty"
NAMES_KEY = 'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"'
VALUES_KEY = 'ExpressionAttributeValues contains invalid key: Syntax error; key: "a"'

PUT = {
    "mix": ({**EXPECTED, "ConditionExpression": "attribute_exists(a)"}, mixed("Expected", "ConditionExpression")),
    "mix before empty names": (
        {**EXPECTED, "ConditionExpression": "", "ExpressionAttributeNames": {}},
        mixed("Expected", "ConditionExpression")),
    "names without expression": (NAMES, ONLY_NAMES),
    "empty names without expression": ({"ExpressionAttributeNames": {}}, ONLY_NAMES),
    "values without expression": (VALUES, ONLY_VALUES.rstrip(": ")),
    "names before values": ({**NAMES, **VALUES}, ONLY_NAMES),
    "empty names": ({"ConditionExpression": "", "ExpressionAttributeNames": {}}, NAMES_EMPTY),
    "bad name key": ({"ConditionExpression": "", "ExpressionAttributeNames": {"a": "a"}}, NAMES_KEY),
    "empty values": ({"ConditionExpression": "", "ExpressionAttributeValues": {}}, VALUES_EMPTY),
    "bad value key": ({"ConditionExpression": "", "ExpressionAttributeValues": {"a": {"S": "b"}}}, VALUES_KEY),
    "empty expression": (
        {"ConditionExpression": ""}, "Invalid ConditionExpression: The expression can not be empty;"),
    "unused names": ({"ConditionExpression": "attribute_exists(a)", **NAMES}, UNUSED_NAMES),
    "unused values": ({"ConditionExpression": "attribute_exists(a)", **VALUES}, UNUSED_VALUES),
    "unused names before unused values": (
        {"ConditionExpression": "attribute_exists(a)", **NAMES, **VALUES}, UNUSED_NAMES),
    "undefined value": (
        {"ConditionExpression": "a = :b"},
        "Invalid ConditionExpression: An expression attribute value used in expression is not defined; "
        "attribute value: :b"),
    "undefined name": (
        {"ConditionExpression": "attribute_exists(#b)"},
        "Invalid ConditionExpression: An expression attribute name used in the document path is not "
        "defined; attribute name: #b"),
}
UPDATE = {
    "mix": (
        {"AttributeUpdates": {"a": {"Action": "DELETE"}}, "UpdateExpression": "REMOVE a"},
        mixed("AttributeUpdates", "UpdateExpression")),
    "mix of all": (
        {"AttributeUpdates": {"a": {"Action": "DELETE"}}, **EXPECTED, "UpdateExpression": "",
         "ConditionExpression": ""},
        mixed("AttributeUpdates, Expected", "UpdateExpression, ConditionExpression")),
    "values without expression": (VALUES, ONLY_VALUES.rstrip(": ")),
    "names without expression": (NAMES, ONLY_NAMES),
    "empty expression": (
        {"UpdateExpression": ""}, "Invalid UpdateExpression: The expression can not be empty;"),
    "update before condition": (
        {"UpdateExpression": "", "ConditionExpression": ""},
        "Invalid UpdateExpression: The expression can not be empty;"),
    "unused names": ({"UpdateExpression": "REMOVE a", **NAMES}, UNUSED_NAMES),
    "unused values": ({"UpdateExpression": "REMOVE a", **VALUES}, UNUSED_VALUES),
}
GET = {
    "mix": (
        {"AttributesToGet": ["a"], "ProjectionExpression": "a"},
        mixed("AttributesToGet", "ProjectionExpression")),
    "names without expression": (NAMES, ONLY_NAMES),
    "empty names": ({"ProjectionExpression": "", "ExpressionAttributeNames": {}}, NAMES_EMPTY),
    "empty expression": (
        {"ProjectionExpression": ""}, "Invalid ProjectionExpression: The expression can not be empty;"),
    "duplicate attribute": (
        {"AttributesToGet": ["b", "a", "b"]},
        "One or more parameter values were invalid: Duplicate value in attribute name: b"),
    "unused names": ({"ProjectionExpression": "a", **NAMES}, UNUSED_NAMES),
}
SCAN = {
    "mix of all": (
        {"AttributesToGet": ["a"], "ScanFilter": FILTER, "ConditionalOperator": "OR",
         "ProjectionExpression": "", "FilterExpression": ""},
        mixed("AttributesToGet, ScanFilter, ConditionalOperator", "ProjectionExpression, FilterExpression")),
    "names without expression": (NAMES, ONLY_NAMES),
    "values without expression": (VALUES, ONLY_VALUES + "FilterExpression is null"),
    "values with only a projection": (
        {"ProjectionExpression": "a", **VALUES}, ONLY_VALUES + "FilterExpression is null"),
    "empty filter": ({"FilterExpression": ""}, "Invalid FilterExpression: The expression can not be empty;"),
    "duplicate attribute": (
        {"AttributesToGet": ["a", "a"]},
        "One or more parameter values were invalid: Duplicate value in attribute name: a"),
}
QUERY = {
    "mix of all": (
        {"AttributesToGet": ["a"], "QueryFilter": FILTER, "ConditionalOperator": "OR", "KeyConditions": FILTER,
         "ProjectionExpression": "", "FilterExpression": "", "KeyConditionExpression": ""},
        mixed("AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions",
              "ProjectionExpression, FilterExpression, KeyConditionExpression")),
    "key conditions go with a filter expression": (
        {"KeyConditions": FILTER, "QueryFilter": FILTER, "FilterExpression": ""},
        mixed("QueryFilter", "FilterExpression")),
    "names without expression": (NAMES, ONLY_NAMES),
    "values without expression": (
        VALUES, ONLY_VALUES + "FilterExpression and KeyConditionExpression are null"),
    "no key condition": (
        {}, "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."),
    "empty key condition": (
        {"KeyConditionExpression": "", "FilterExpression": "", **VALUES},
        "Invalid KeyConditionExpression: The expression can not be empty;"),
    "no conditions": ({"KeyConditions": {}}, "Conditions can be of length 1 or 2 only"),
    "three conditions": (
        {"KeyConditions": {n: {"ComparisonOperator": "NULL"} for n in "abc"}},
        "Conditions can be of length 1 or 2 only"),
}
CASES = [
    (operation, name, members, text)
    for operation, cases in (
        ("PutItem", PUT), ("DeleteItem", PUT), ("UpdateItem", UPDATE), ("GetItem", GET), ("Scan", SCAN),
        ("Query", QUERY))
    for name, (members, text) in cases.items()
]
NEEDS = {
    "PutItem": {"Item": KEY}, "DeleteItem": {"Key": KEY}, "UpdateItem": {"Key": KEY}, "GetItem": {"Key": KEY},
    "Scan": {}, "Query": {},
}


@pytest.mark.parametrize(
    "operation, members, text", [(o, m, t) for o, _, m, t in CASES], ids=[f"{o}-{n}" for o, n, _, _ in CASES])
def test_refused(db, operation, members, text):
    answer = db.post(operation, {"TableName": "no-such-table", **NEEDS[operation], **members})
    assert_request_invalid(answer, text)


@pytest.mark.parametrize("operation", ["PutItem", "DeleteItem"])
@pytest.mark.parametrize("values", ["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])
def test_put_and_delete_return_only_the_old_item(db, operation, values):
    answer = db.post(
        operation, {"TableName": "no-such-table", **NEEDS[operation], "ReturnValues": values})
    assert_request_invalid(answer, "ReturnValues can only be ALL_OLD or NONE")


PROJECTION = {
    "mix": ({"AttributesToGet": ["a"], "ProjectionExpression": "a"}, GET["mix"][1]),
    "names without expression": (NAMES, ONLY_NAMES),
    "duplicate attribute": GET["duplicate attribute"],
    "empty expression": GET["empty expression"],
}


@pytest.mark.parametrize("members, text", PROJECTION.values(), ids=PROJECTION.keys())
def test_batch_get(db, members, text):
    answer = db.post(
        "BatchGetItem", {"RequestItems": {"no-such-table": {"Keys": [KEY], **members}}})
    assert_invalid(answer, text)


def test_the_order_of_checks_on_placeholders(db):
    request = {"TableName": "no-such-table", "Item": KEY, "ConditionExpression": ""}
    large = {**KEY, "x": {"S": "x" * 409600}}
    answer = db.post("PutItem", {**request, "Item": large, "ExpressionAttributeNames": {}})
    assert_invalid(answer, "Item size has exceeded the maximum allowed size")
    answer = db.post("PutItem", {
        **request, "ExpressionAttributeNames": {"a": "a"}, "ExpressionAttributeValues": {}})
    assert_request_invalid(answer, NAMES_KEY)
    answer = db.post("PutItem", {
        **request, "ExpressionAttributeValues": {"a": {"S": "a"}, ":b": {"N": "b"}}})
    assert_request_invalid(answer, VALUES_KEY)


def test_the_shape_of_a_key_condition_is_checked_after_other_expressions(db):
    request = {"TableName": "no-such-table", "KeyConditionExpression": "a = :a OR b = :a", **VALUES}
    answer = db.post("Query", {**request, "FilterExpression": ""})
    assert_invalid(answer, "Invalid FilterExpression: The expression can not be empty;")
    answer = db.post("Query", {**request, **NAMES})
    assert_invalid(answer, UNUSED_NAMES)
    assert_invalid(db.post("Query", request), "Invalid operator used in KeyConditionExpression: OR")


@pytest.mark.parametrize("operation, kind, text, size", [
    ("UpdateItem", "ConditionExpression", "attribute_exists(a)", " expression size: 4097"),
    ("UpdateItem", "UpdateExpression", "REMOVE a", ""), ("GetItem", "ProjectionExpression", "a", ""),
    ("Query", "KeyConditionExpression", "pk = :a", ""),
    ("Scan", "FilterExpression", "x = :a", " expression size: 4097")])
def test_an_expression_is_at_most_4096_bytes(db, operation, kind, text, size):
    request = {"TableName": "no-such-table"}
    if operation in ("UpdateItem", "GetItem"):
        request["Key"] = KEY
    else:
        request["ExpressionAttributeValues"] = {":a": {"S": "a"}}
    answer = db.post(operation, {**request, kind: text + " " * (4096 - len(text))})
    assert answer.code == "ResourceNotFoundException"
    answer = db.post(operation, {**request, kind: text + " " * (4097 - len(text))})
    assert_request_invalid(
        answer, f"Invalid {kind}: Expression size has exceeded the maximum allowed size;" + size)
