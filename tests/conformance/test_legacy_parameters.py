"""Expected, AttributeUpdates, KeyConditions, QueryFilter, ScanFilter: the parameters before expressions."""

import pytest

from wire import assert_error, assert_invalid, assert_request_invalid

INVALID = "One or more parameter values were invalid: "
KEY = {"pk": {"S": "a"}}
A, B, ONE = {"S": "a"}, {"S": "b"}, {"N": "1"}
RANGE = "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"
SAME_TYPE = INVALID + "AttributeValues inside AttributeValueList must be of same type"


def op(operator, *values):
    return {"ComparisonOperator": operator, "AttributeValueList": list(values)}


EXPECTED = {
    "value and list": (
        {"Value": A, "AttributeValueList": [A]},
        INVALID + "Value and AttributeValueList cannot be used together for Attribute: a"),
    "operator and exists": (
        {"ComparisonOperator": "EQ", "Exists": True, "Value": A},
        INVALID + "Exists and ComparisonOperator cannot be used together for Attribute: a"),
    "operator without value": (
        {"ComparisonOperator": "EQ"},
        INVALID + "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"),
    "list without operator": (
        {"AttributeValueList": [A]},
        INVALID + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"),
    "nothing": ({}, INVALID + "Value must be provided when Exists is null for Attribute: a"),
    "exists without value": (
        {"Exists": True}, INVALID + "Value must be provided when Exists is true for Attribute: a"),
    "not exists with value": (
        {"Exists": False, "Value": A}, INVALID + "Value cannot be used when Exists is false for Attribute: a"),
    "null with value": (
        {"ComparisonOperator": "NULL", "Value": A},
        INVALID + "Invalid number of argument(s) for the NULL ComparisonOperator"),
    "two values for one": (
        op("EQ", A, A), INVALID + "Invalid number of argument(s) for the EQ ComparisonOperator"),
    "between one": (op("BETWEEN", A), INVALID + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"),
    "mixed types": (op("IN", A, ONE), SAME_TYPE),
    "between turned round": (op("BETWEEN", B, A), RANGE),
}


@pytest.mark.parametrize("operation", ["PutItem", "UpdateItem", "DeleteItem"])
@pytest.mark.parametrize("condition, text", EXPECTED.values(), ids=EXPECTED.keys())
def test_expected(db, operation, condition, text):
    needs = {"Item": KEY} if operation == "PutItem" else {"Key": KEY}
    answer = db.post(operation, {"TableName": "no-such-table", **needs, "Expected": {"a": condition}})
    assert_request_invalid(answer, text)


COUNTS = [
    *[(op(o), o) for o in ("EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "IN", "BETWEEN")],
    *[(op(o, A), o) for o in ("NULL", "NOT_NULL")],
    *[(op(o, A, A), o) for o in ("EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH")],
    (op("BETWEEN", A, A, A), "BETWEEN"),
]
TYPED = [{"BOOL": True}, {"NULL": True}, {"SS": ["a"]}, {"NS": ["1"]}, {"BS": ["YQ=="]}, {"M": {}}, {"L": []}]
TYPES = [
    *[(op(o, v), o, v) for o in ("LT", "LE", "GT", "GE", "IN") for v in TYPED],
    *[(op(o, v), o, v) for o in ("CONTAINS", "NOT_CONTAINS") for v in TYPED[2:]],
    *[(op("BETWEEN", v, v), "BETWEEN", v) for v in TYPED],
    *[(op("BEGINS_WITH", v), "BEGINS_WITH", v) for v in [ONE, *TYPED]],
]


def conditions(db, member, condition):
    if member == "ScanFilter":
        return db.post("Scan", {"TableName": "no-such-table", member: {"a": condition}})
    return db.post("Query", {"TableName": "no-such-table", member: {"a": condition}})


@pytest.mark.parametrize("member", ["KeyConditions", "QueryFilter", "ScanFilter"])
class TestConditions:
    def test_number_of_arguments(self, db, member):
        for condition, operator in COUNTS:
            answer = conditions(db, member, condition)
            assert_invalid(
                answer, INVALID + f"Invalid number of argument(s) for the {operator} ComparisonOperator")

    def test_types_of_arguments(self, db, member):
        for condition, operator, value in TYPES:
            answer = conditions(db, member, condition)
            kind = next(iter(value))
            assert_invalid(
                answer,
                INVALID + f"ComparisonOperator {operator} is not valid for {kind} AttributeValue type")

    def test_arguments_are_of_one_type(self, db, member):
        assert_invalid(conditions(db, member, op("IN", B, ONE)), SAME_TYPE)

    def test_between_turned_round(self, db, member):
        assert_invalid(conditions(db, member, op("BETWEEN", B, A)), RANGE)


UPDATES = {
    "put without value": (
        {"Action": "PUT"}, INVALID + "Only DELETE action is allowed when no attribute value is specified"),
    "no action, no value": ({}, INVALID + "Only DELETE action is allowed when no attribute value is specified"),
    "delete a string": (
        {"Action": "DELETE", "Value": A},
        INVALID + "DELETE action with value is not supported for the type S"),
    "delete a number": (
        {"Action": "DELETE", "Value": ONE},
        INVALID + "DELETE action with value is not supported for the type N"),
    "add a string": (
        {"Action": "ADD", "Value": A}, INVALID + "ADD action is not supported for the type S"),
    "add a map": (
        {"Action": "ADD", "Value": {"M": {}}}, INVALID + "ADD action is not supported for the type M"),
}


@pytest.mark.parametrize("update, text", UPDATES.values(), ids=UPDATES.keys())
def test_attribute_updates(db, update, text):
    answer = db.post("UpdateItem", {"TableName": "no-such-table", "Key": KEY, "AttributeUpdates": {"a": update}})
    assert_request_invalid(answer, text)


@pytest.fixture
def item(db, hash_table, unique):
    item = {
        "pk": {"S": unique("legacy")}, "n": {"N": "5"}, "s": {"S": "text"}, "ss": {"SS": ["x", "y"]},
        "l": {"L": [ONE]},
    }
    db.call("PutItem", TableName=hash_table, Item=item)
    return item


APPLIED = {
    "put": ({"a": {"Value": A}}, {"a": A}),
    "add a number": ({"n": {"Action": "ADD", "Value": ONE}}, {"n": {"N": "6"}}),
    "add to nothing": ({"z": {"Action": "ADD", "Value": ONE}}, {"z": ONE}),
    "add a list to a list": ({"l": {"Action": "ADD", "Value": {"L": [A, ONE]}}}, {"l": {"L": [ONE, A, ONE]}}),
    "add a list to nothing": ({"z": {"Action": "ADD", "Value": {"L": [A]}}}, {"z": {"L": [A]}}),
    "add members": ({"ss": {"Action": "ADD", "Value": {"SS": ["y", "z"]}}}, {"ss": {"SS": ["x", "y", "z"]}}),
    "names are not paths": ({"a.b": {"Value": A}}, {"a.b": A}),
    "nothing": ({}, {}),
    "delete members": ({"ss": {"Action": "DELETE", "Value": {"SS": ["x"]}}}, {"ss": {"SS": ["y"]}}),
    "delete all members": ({"ss": {"Action": "DELETE", "Value": {"SS": ["x", "y"]}}}, {"ss": None}),
    "delete": ({"s": {"Action": "DELETE"}}, {"s": None}),
}


@pytest.mark.parametrize("updates, change", APPLIED.values(), ids=APPLIED.keys())
def test_attribute_updates_are_applied(db, hash_table, item, updates, change):
    answer = db.call(
        "UpdateItem", TableName=hash_table, Key={"pk": item["pk"]}, AttributeUpdates=updates,
        ReturnValues="ALL_NEW")
    assert answer["Attributes"] == {n: v for n, v in {**item, **change}.items() if v is not None}


@pytest.mark.parametrize(
    "updates", [
        {"s": {"Action": "ADD", "Value": ONE}}, {"n": {"Action": "DELETE", "Value": {"SS": ["x"]}}},
        {"ss": {"Action": "ADD", "Value": {"NS": ["1"]}}}, {"ss": {"Action": "ADD", "Value": {"L": [A]}}}])
def test_attribute_updates_of_another_type(db, hash_table, item, updates):
    answer = db.post(
        "UpdateItem", {"TableName": hash_table, "Key": {"pk": item["pk"]}, "AttributeUpdates": updates})
    assert_invalid(answer, "Type mismatch for attribute to update")


HOLDS = [
    ({"n": op("EQ", {"N": "5.0"})}, True), ({"n": op("LT", {"N": "5"})}, False), ({"z": op("NULL")}, True),
    ({"s": op("NOT_NULL")}, True), ({"s": op("CONTAINS", {"S": "ex"})}, True),
    ({"ss": op("CONTAINS", {"S": "x"})}, True), ({"ss": op("NOT_CONTAINS", {"S": "x"})}, False),
    ({"s": op("BEGINS_WITH", {"S": "te"})}, True), ({"n": op("BETWEEN", {"N": "1"}, {"N": "5"})}, True),
    ({"n": op("IN", {"N": "4"}, {"N": "5"})}, True), ({"ss": op("EQ", {"SS": ["y", "x"]})}, True),
    ({"z": op("NE", A)}, True), ({"z": op("LT", A)}, False), ({"n": {"Value": {"N": "5"}}}, True),
    ({"z": {"Exists": False}}, True), ({"n": {"Exists": False}}, False), ({"n": op("LT", A)}, False),
    ({"n": op("NE", A)}, True), ({"l": op("CONTAINS", ONE)}, True), ({"l": op("NOT_CONTAINS", A)}, True),
    ({"n": op("NOT_CONTAINS", A)}, True), ({"z": op("CONTAINS", A)}, False), ({"z": op("NOT_CONTAINS", A)}, False),
    ({"a.b": op("NULL")}, True), ({"n": {"ComparisonOperator": "GE", "Value": {"N": "5"}}}, True), ({}, True),
    ({"n": op("EQ", {"N": "5"}), "s": op("EQ", A)}, False),
]


@pytest.mark.parametrize("expected, holds", HOLDS, ids=[str(e)[:50] for e, _ in HOLDS])
def test_expected_conditions(db, hash_table, item, expected, holds):
    answer = db.post("PutItem", {"TableName": hash_table, "Item": item, "Expected": expected})
    if holds:
        assert answer.status == 200
    else:
        assert_error(answer, "ConditionalCheckFailedException", "The conditional request failed")


def test_one_of_several_conditions(db, hash_table, item):
    expected = {"n": op("EQ", {"N": "5"}), "s": op("EQ", A)}
    db.call("PutItem", TableName=hash_table, Item=item, Expected=expected, ConditionalOperator="OR")


WITHOUT = "ConditionalOperator cannot be used without Filter or Expected"
WITH_ONE = "ConditionalOperator can only be used when Filter or Expected has two or more elements"


@pytest.mark.parametrize("conditions, text", [(None, WITHOUT), ({}, WITHOUT), ({"s": op("EQ", A)}, WITH_ONE)])
@pytest.mark.parametrize(
    "operation, member", [
        ("PutItem", "Expected"), ("UpdateItem", "Expected"), ("DeleteItem", "Expected"), ("Query", "QueryFilter"),
        ("Scan", "ScanFilter")])
def test_a_conditional_operator_needs_conditions(db, hash_table, item, operation, member, conditions, text):
    needs = {"PutItem": {"Item": item}, "UpdateItem": {"Key": KEY}, "DeleteItem": {"Key": KEY}}.get(operation, {})
    members = {} if conditions is None else {member: conditions}
    answer = db.post(operation, {"TableName": hash_table, **needs, **members, "ConditionalOperator": "OR"})
    assert_request_invalid(answer, text)


def test_key_conditions_are_checked_after_other_expressions(db):
    conditions = {"TableName": "no-such-table", "KeyConditions": {"a": op("EQ")}}
    answer = db.post("Query", {**conditions, "FilterExpression": ""})
    assert_invalid(answer, "Invalid FilterExpression: The expression can not be empty;")
    answer = db.post("Query", {**conditions, "FilterExpression": "attribute_exists(a)"})
    assert_invalid(answer, INVALID + "Invalid number of argument(s) for the EQ ComparisonOperator")


@pytest.fixture(scope="module")
def numbers(db, range_table, unique):
    key = {"S": unique("numbers")}
    for n in range(5):
        item = {"pk": key, "sk": {"S": str(n)}, "n": {"N": str(n)}, "x": A}
        db.call("PutItem", TableName=range_table, Item={k: v for k, v in item.items() if n != 4 or k != "n"})
    return key


RANGES = [
    (op("LT", {"S": "2"}), "01"), (op("LE", {"S": "2"}), "012"), (op("GT", {"S": "2"}), "34"),
    (op("GE", {"S": "2"}), "234"), (op("EQ", {"S": "2"}), "2"), (op("BEGINS_WITH", {"S": "3"}), "3"),
    (op("BETWEEN", {"S": "1"}, {"S": "3"}), "123"),
]


@pytest.mark.parametrize("condition, found", RANGES, ids=[r["ComparisonOperator"] for r, _ in RANGES])
def test_key_conditions(db, range_table, numbers, condition, found):
    conditions = {"sk": condition, "pk": op("EQ", numbers)}
    answer = db.call("Query", TableName=range_table, KeyConditions=conditions)
    assert [i["sk"]["S"] for i in answer["Items"]] == list(found)


def test_key_conditions_go_with_expressions(db, range_table, numbers):
    answer = db.call(
        "Query", TableName=range_table, KeyConditions={"pk": op("EQ", numbers)}, FilterExpression="n > :n",
        ExpressionAttributeValues={":n": {"N": "1"}}, ProjectionExpression="sk")
    assert answer["Items"] == [{"sk": {"S": "2"}}, {"sk": {"S": "3"}}]


def test_filters(db, range_table, numbers):
    conditions = {"n": op("IN", {"N": "1"}, {"N": "3"}), "x": op("NE", A)}
    query = {"TableName": range_table, "KeyConditions": {"pk": op("EQ", numbers)}, "AttributesToGet": ["sk", "none"]}
    assert db.call("Query", **query, QueryFilter=conditions)["Count"] == 0
    answer = db.call("Query", **query, QueryFilter=conditions, ConditionalOperator="OR")
    assert answer["Items"] == [{"sk": {"S": "1"}}, {"sk": {"S": "3"}}]
    assert (answer["Count"], answer["ScannedCount"]) == (2, 5)
    scan = {
        "TableName": range_table, "ScanFilter": {"pk": op("EQ", numbers), "n": op("NULL")}, "AttributesToGet": ["sk"]}
    found, start = [], {}
    while start is not None:
        page = db.call("Scan", **scan, **start)
        found += page["Items"]
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]} if "LastEvaluatedKey" in page else None
    assert found == [{"sk": {"S": "4"}}]


def test_attributes_to_get_of_a_batch(db, range_table, numbers):
    keys = [{"pk": numbers, "sk": {"S": n}} for n in "04"]
    answer = db.call("BatchGetItem", RequestItems={range_table: {"Keys": keys, "AttributesToGet": ["n", "x"]}})
    found = sorted(answer["Responses"][range_table], key=len)
    assert found == [{"x": A}, {"n": {"N": "0"}, "x": A}]


EMPTY_NAME = "Empty attribute name"


def test_names_of_attributes_to_get_are_not_empty(db):
    reads = {"GetItem": {"Key": KEY}, "Scan": {}, "Query": {"KeyConditions": {"pk": {
        "ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}}}
    for operation, members in reads.items():
        answer = db.post(operation, {"TableName": "no-such-table", "AttributesToGet": ["a", ""], **members})
        assert_request_invalid(answer, EMPTY_NAME)
    keys = {"no-such-table": {"Keys": [KEY], "AttributesToGet": [""]}}
    assert_request_invalid(db.post("BatchGetItem", {"RequestItems": keys}), EMPTY_NAME)


@pytest.mark.parametrize("update", [{"Value": {"S": "a"}}, {"Action": "DELETE"}, {"Value": {"N": "1"}, "Action": "ADD"}])
def test_names_of_attribute_updates_are_not_empty(db, update):
    answer = db.post("UpdateItem", {
        "TableName": "no-such-table", "Key": KEY, "AttributeUpdates": {"a": update, "": update}})
    assert_request_invalid(answer, EMPTY_NAME)
