"""Values that are refused wherever they stand, and how values come back."""

import base64

import pytest

from wire import assert_error, assert_invalid

INVALID = "One or more parameter values were invalid: "
EMPTY = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
SEVERAL = (
    "Supplied AttributeValue has more than one datatypes set, "
    "must contain exactly one of the supported datatypes"
)
NOT_NUMERIC = "The parameter cannot be converted to a numeric value"
DIGITS = "Attempting to store more than 38 significant digits in a Number"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = (
    "Number underflow. Attempting to store a number with magnitude smaller than supported range"
)
DEEP = (
    "Nesting Levels have exceeded supported limits: "
    "Attributes in the item have nested levels beyond supported limit"
)

REFUSED = [
    ({}, EMPTY),
    ({"M": {"a": {}}}, EMPTY),
    ({"L": [{}]}, EMPTY),
    ({"S": "a", "N": "1"}, SEVERAL),
    ({"S": "", "SS": ["a"]}, SEVERAL),
    ({"NULL": False}, INVALID + "Null attribute value types must have the value of true"),
    ({"SS": []}, INVALID + "An string set  may not be empty"),
    ({"NS": []}, INVALID + "An number set  may not be empty"),
    ({"BS": []}, INVALID + "Binary sets should not be empty"),
    ({"M": {"a": {"SS": []}}}, INVALID + "An string set  may not be empty"),
    ({"L": [{"NS": []}]}, INVALID + "An number set  may not be empty"),
    ({"SS": ["a", "a"]}, INVALID + "Input collection [a, a] contains duplicates."),
    ({"SS": ["", ""]}, INVALID + "Input collection [, ] contains duplicates."),
    ({"BS": ["Yg==", "Yg=="]}, INVALID + "Input collection [Yg==, Yg==]of type BS contains duplicates."),
    ({"NS": ["1", "1"]}, "Input collection contains duplicates"),
    ({"NS": ["1", "1.0"]}, "Input collection contains duplicates"),
    ({"N": ""}, NOT_NUMERIC),
    ({"NS": ["1", ""]}, NOT_NUMERIC),
    ({"NS": ["1", "b"]}, NOT_NUMERIC + ": b"),
    ({"N": "1234567890123456789012345678901234567890"[:39]}, DIGITS),
    ({"N": "-1.23456789012345678901234567890123456789"}, DIGITS),
    ({"N": "1e126"}, OVERFLOW),
    ({"N": "-1e126"}, OVERFLOW),
    ({"N": "1e-131"}, UNDERFLOW),
    ({"N": "-1e-131"}, UNDERFLOW),
]
NOT_NUMBERS = [
    "b", "dog", "NaN", "Infinity", "-Infinity", " 5", "5 ", "1 5", "+", "-", ".", "++5", "+-5", "-+5",
    "1+2", "+1+2", "1.2.3", "e2", "+e2", "1e", "1e+", "1.2e3.4", "1_000", "0x5", "1,5", "١",
]
REFUSED += [({"N": text}, f"{NOT_NUMERIC}: {text}") for text in NOT_NUMBERS]
REFUSED_IDS = [str(value)[:40] for value, _ in REFUSED]


@pytest.mark.parametrize("value, text", REFUSED, ids=REFUSED_IDS)
def test_refused_in_an_item(db, value, text):
    answer = db.post("PutItem", {"TableName": "no-such-table", "Item": {"a": value}})
    assert_invalid(answer, text)


KEY_CASES = [(v, t) for v, t in REFUSED if "M" not in v and "L" not in v][:16]


@pytest.mark.parametrize("operation", ["GetItem", "UpdateItem", "DeleteItem"])
def test_refused_in_a_key(db, operation):
    for value, text in KEY_CASES:
        answer = db.post(operation, {"TableName": "no-such-table", "Key": {"a": value}})
        assert_invalid(answer, text)


def test_refused_in_batches(db):
    for value, text in KEY_CASES:
        answer = db.post("BatchGetItem", {"RequestItems": {"no-such-table": {"Keys": [{"a": value}]}}})
        assert_invalid(answer, text)
        for request in ({"PutRequest": {"Item": {"a": value}}}, {"DeleteRequest": {"Key": {"a": value}}}):
            answer = db.post("BatchWriteItem", {"RequestItems": {"no-such-table": [request]}})
            assert_invalid(answer, text)


def test_refused_in_expression_values(db):
    for value, text in REFUSED:
        if value == {"NULL": False}:
            continue
        answer = db.post(
            "DeleteItem",
            {"TableName": "no-such-table", "Key": {"pk": {"S": "a"}}, "ConditionExpression": "a = :v",
             "ExpressionAttributeValues": {":v": value}},
        )
        assert_invalid(
            answer, f"ExpressionAttributeValues contains invalid value: {text} for key :v"
        )


def test_a_false_null_in_expression_values(db):
    # Found by another part of the service, which does not say where.
    answer = db.post(
        "DeleteItem",
        {"TableName": "no-such-table", "Key": {"pk": {"S": "a"}}, "ConditionExpression": "a = :v",
         "ExpressionAttributeValues": {":v": {"NULL": False}}},
    )
    assert_invalid(answer, INVALID + "Null attribute value types must have the value of true")


def test_refused_in_a_starting_key(db):
    # Numbers and duplicates are found by another part of the service, which does not say where.
    bare = ("contains duplicates", "number set", "numeric value", "significant digits", "magnitude")
    for value, text in KEY_CASES:
        answer = db.post("Scan", {"TableName": "no-such-table", "ExclusiveStartKey": {"a": value}})
        prefix = "" if any(b in text for b in bare) else "The provided starting key is invalid: "
        assert_invalid(answer, prefix + text)


def nested(levels):
    value = {"S": "leaf"}
    for _ in range(levels):
        value = {"M": {"a": value}}
    return value


def test_31_levels_of_nesting_are_stored(db, hash_table):
    item = {"pk": {"S": "nested"}, "a": nested(31)}
    db.call("PutItem", TableName=hash_table, Item=item)
    assert db.call("GetItem", TableName=hash_table, Key={"pk": item["pk"]})["Item"] == item


def test_32_levels_of_nesting_are_refused(db, hash_table):
    answer = db.post(
        "PutItem", {"TableName": hash_table, "Item": {"pk": {"S": "nested"}, "a": nested(32)}}
    )
    assert_invalid(answer, DEEP)


def test_nesting_is_counted_when_values_are_stored(db, hash_table):
    key = {"pk": {"S": "nested-update"}}
    db.call("PutItem", TableName=hash_table, Item={**key, "a": nested(30)})
    deep = {"ExpressionAttributeValues": {":v": nested(40)}}
    request = {"TableName": hash_table, "Key": key, "UpdateExpression": "SET b = :v", **deep}
    assert_invalid(db.post("UpdateItem", request), DEEP)
    request["UpdateExpression"] = "SET a." + ".".join("a" * 29) + " = :v"
    request["ExpressionAttributeValues"] = {":v": nested(2)}
    assert db.post("UpdateItem", request).status == 200
    request["ExpressionAttributeValues"] = {":v": nested(3)}
    assert_invalid(db.post("UpdateItem", request), DEEP)
    answer = db.post("DeleteItem", {"TableName": hash_table, "Key": key, "ConditionExpression": "a = :v", **deep})
    assert_error(answer, "ConditionalCheckFailedException", "The conditional request failed")


def round_trip(db, table, **attributes):
    key = {"pk": {"S": "round-trip"}}
    db.call("PutItem", TableName=table, Item={**key, **attributes})
    item = db.call("GetItem", TableName=table, Key=key, ConsistentRead=True)["Item"]
    del item["pk"]
    return item


NUMBERS = {
    "+5": "5", "+0": "0", "-0": "0", "+0.0": "0", "0.0": "0", "00042": "42", "0042.1200": "42.12", ".5": "0.5",
    "+.5": "0.5", "5.": "5", "1.": "1", "1.e5": "100000", "1e2": "100", "1E+2": "100", "+1e-2": "0.01",
    "1.23E10": "12300000000", "1.0": "1", "3.1400": "3.14", "1.5E2": "150", "-1.50": "-1.5",
    "12345678901234567890123456789012345678": "12345678901234567890123456789012345678",
    "1E125": "1" + "0" * 125, "1E-130": "0." + "0" * 129 + "1",
    "9.9999999999999999999999999999999999999E+125": "9" * 38 + "0" * 88,
    "-9.9999999999999999999999999999999999999E+125": "-" + "9" * 38 + "0" * 88,
    "1000000000000000000000000000000000000000000": "1" + "0" * 42,
}


@pytest.mark.parametrize("text, canonical", NUMBERS.items())
def test_numbers_come_back_canonical(db, hash_table, text, canonical):
    assert round_trip(db, hash_table, n={"N": text}) == {"n": {"N": canonical}}


def test_numbers_that_are_equal_are_one_key(db, number_table):
    pk = {"S": "equal-keys"}
    db.call("PutItem", TableName=number_table, Item={"pk": pk, "n": {"N": "+1.50e1"}})
    item = db.call("GetItem", TableName=number_table, Key={"pk": pk, "n": {"N": "15.000"}})["Item"]
    assert item["n"] == {"N": "15"}


VALUES = [
    {"S": ""}, {"S": "é\u0000\U0001f600"}, {"B": ""}, {"B": "AAEC/w=="}, {"BOOL": True}, {"BOOL": False},
    {"NULL": True}, {"L": []}, {"M": {}}, {"M": {"": {"S": "empty name"}}}, {"SS": [""]},
    {"L": [{"S": ""}, {"N": "1"}, {"NULL": True}, {"L": [{"M": {"x": {"BOOL": False}}}]}]},
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_values_come_back_as_they_were(db, hash_table, value):
    assert round_trip(db, hash_table, a=value) == {"a": value}


@pytest.mark.parametrize(
    "kind, members", [("SS", ["b", "", "a"]), ("NS", ["3", "1", "-2"]), ("BS", ["Yg==", "", "YQ=="])]
)
def test_sets_come_back_with_all_members(db, hash_table, kind, members):
    came = round_trip(db, hash_table, a={kind: members})["a"]
    assert list(came) == [kind] and sorted(came[kind]) == sorted(members)


def test_an_unknown_type_is_an_empty_value(db):
    answer = db.post("PutItem", {"TableName": "no-such-table", "Item": {"a": {"XX": "a"}}})
    assert_invalid(answer, EMPTY)


def test_binary_of_any_length_comes_back(db, hash_table):
    for length in range(0, 10):
        value = {"B": base64.b64encode(bytes(range(length))).decode()}
        assert round_trip(db, hash_table, a=value) == {"a": value}


def test_values_are_checked_before_the_table(db):
    answer = db.post("PutItem", {"TableName": "no-such-table", "Item": {"a": {"S": "fine"}}})
    assert_error(answer, "ResourceNotFoundException", "Requested resource not found")
