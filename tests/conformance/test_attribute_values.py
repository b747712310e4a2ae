"""Values that are refused wherever they stand, and how values come back.

The service reads values in two layers, which differ in a few texts and in how they read exponents: `current` serves
PutItem, UpdateItem, DeleteItem, GetItem, BatchGetItem and Query, the classic one all others.
"""

import base64

import pytest

from wire import ENVELOPE, assert_error, assert_invalid, assert_request_invalid

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
    (None, EMPTY),
    ({"L": [{"S": "a"}, None]}, EMPTY),
    ({"SS": ["a", None]}, INVALID + "An string set may not have a null string as a member"),
    ({"NS": ["1", None]}, INVALID + "An number set may not have a null string as a member"),
    ({"BS": ["YQ==", None]}, INVALID + "Binary sets may not contain null or empty members"),
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

CURRENT = {
    INVALID + "Input collection [a, a] contains duplicates.":
        INVALID + 'Input collection ["a", "a"] contains duplicates.',
    INVALID + "Input collection [, ] contains duplicates.":
        INVALID + 'Input collection ["", ""] contains duplicates.',
    INVALID + "Input collection [Yg==, Yg==]of type BS contains duplicates.":
        INVALID + 'Input collection ["Yg==","Yg=="]of type BS contains duplicates.',
    "Input collection contains duplicates": INVALID + "Input collection contains duplicates.",
    NOT_NUMERIC: NOT_NUMERIC + ": ",
}
BARE = {EMPTY, SEVERAL}  # found behind the layer that makes envelopes


def current(text):
    return CURRENT.get(text, text)


def assert_refused(answer, text):
    (assert_invalid if text in BARE else assert_request_invalid)(answer, current(text))


@pytest.mark.parametrize("value, text", REFUSED, ids=REFUSED_IDS)
def test_refused_in_an_item(db, value, text):
    answer = db.post("PutItem", {"TableName": "no-such-table", "Item": {"a": value}})
    assert_refused(answer, text)


KEY_CASES = [(v, t) for v, t in REFUSED if v is not None and "M" not in v and "L" not in v][:16]


@pytest.mark.parametrize("operation", ["GetItem", "UpdateItem", "DeleteItem"])
def test_refused_in_a_key(db, operation):
    for value, text in KEY_CASES:
        answer = db.post(operation, {"TableName": "no-such-table", "Key": {"a": value}})
        assert_refused(answer, text)


def test_refused_in_batches(db):
    for value, text in KEY_CASES:
        answer = db.post("BatchGetItem", {"RequestItems": {"no-such-table": {"Keys": [{"a": value}]}}})
        assert_invalid(answer, current(text))
        for request in ({"PutRequest": {"Item": {"a": value}}}, {"DeleteRequest": {"Key": {"a": value}}}):
            answer = db.post("BatchWriteItem", {"RequestItems": {"no-such-table": [request]}})
            assert_invalid(answer, text)


def test_refused_in_expression_values(db):
    for value, text in REFUSED:
        answer = db.post(
            "DeleteItem",
            {"TableName": "no-such-table", "Key": {"pk": {"S": "a"}}, "ConditionExpression": "a = :v",
             "ExpressionAttributeValues": {":v": value}},
        )
        assert_request_invalid(answer, current(text))
        answer = db.post(
            "Query",
            {"TableName": "no-such-table", "KeyConditionExpression": "pk = :v",
             "ExpressionAttributeValues": {":v": value}},
        )
        assert_invalid(answer, current(text))


def test_refused_in_expression_values_of_the_classic_layer(db):
    for value, text in REFUSED:
        answer = db.post(
            "Scan", {"TableName": "no-such-table", "FilterExpression": "a = :v",
                     "ExpressionAttributeValues": {":v": value}})
        # A false NULL is found by another part of the service, which does not say where.
        bare = value == {"NULL": False}
        assert_invalid(
            answer, text if bare else f"ExpressionAttributeValues contains invalid value: {text} for key :v")


def test_duplicates_are_sorted_up_to_the_first_repetition(db):
    sets = {
        'Input collection ["a", "b", "b"] contains duplicates.': {"SS": ["b", "a", "b"]},
        'Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.': {"BS": ["/w==", "AA==", "AA=="]},
        'Input collection ["a", "c", "c", "b", "a"] contains duplicates.': {"SS": ["c", "a", "c", "b", "a"]},
    }
    for text, value in sets.items():
        answer = db.post("GetItem", {"TableName": "no-such-table", "Key": {"a": value}})
        assert_invalid(answer, INVALID + text)


EXPONENTS = [  # the text, the current layer's answer, the classic layer's
    ("1e2147483647", OVERFLOW, UNDERFLOW),
    ("1e2147483648", OVERFLOW, NOT_NUMERIC + ": 1e2147483648"),
    ("1e-2147483648", UNDERFLOW, NOT_NUMERIC + ": 1e-2147483648"),
    ("1e99999999999", OVERFLOW, NOT_NUMERIC + ": 1e99999999999"),
    ("1e9223372036854775808", NOT_NUMERIC + ": 1e9223372036854775808", NOT_NUMERIC + ": 1e9223372036854775808"),
    ("0e126", OVERFLOW, OVERFLOW),
    ("0e-131", UNDERFLOW, UNDERFLOW),
]


@pytest.mark.parametrize("text, wide, narrow", EXPONENTS, ids=[e[0] for e in EXPONENTS])
def test_exponents(db, text, wide, narrow):
    number = {"N": text}
    assert_request_invalid(db.post("PutItem", {"TableName": "no-such-table", "Item": {"a": number}}), wide)
    answer = db.post("BatchWriteItem", {"RequestItems": {"no-such-table": [{"PutRequest": {"Item": {"a": number}}}]}})
    assert_invalid(answer, narrow)
    answer = db.post(
        "ExecuteStatement", {"Statement": "SELECT * FROM \"no-such-table\" WHERE a = ?", "Parameters": [number]})
    assert_invalid(answer, narrow)


def test_names_of_attributes_are_not_empty(db):
    item = {"pk": {"S": "a"}, "": {"S": "x"}}
    text = "Empty attribute name"
    assert_request_invalid(db.post("PutItem", {"TableName": "no-such-table", "Item": item}), text)
    answer = db.post("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": "no-such-table", "Item": item}}]})
    assert_invalid(answer, text)
    answer = db.post("BatchWriteItem", {"RequestItems": {"no-such-table": [{"PutRequest": {"Item": item}}]}})
    assert_invalid(answer, text)


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
    assert_invalid(answer, ENVELOPE + DEEP)
    answer = db.post("PutItem", {"TableName": hash_table, "Item": {"pk": {"S": "nested"}, "a": nested(61)}})
    assert_invalid(answer, ENVELOPE + DEEP)


def test_nesting_is_counted_in_expressions_of_reads(db):
    values = {"ExpressionAttributeValues": {":v": nested(32)}}
    answer = db.post("Query", {"TableName": "no-such-table", "KeyConditionExpression": "pk = :v", **values})
    assert_invalid(answer, DEEP)
    answer = db.post("Scan", {"TableName": "no-such-table", "FilterExpression": "pk = :v", **values})
    assert_invalid(answer, f"ExpressionAttributeValues contains invalid value: {DEEP} for key :v")
    values = {"ExpressionAttributeValues": {":v": nested(31)}}
    answer = db.post("Scan", {"TableName": "no-such-table", "FilterExpression": "pk = :v", **values})
    assert_error(answer, "ResourceNotFoundException", "Requested resource not found")


def test_requests_deeper_than_the_current_layer_are_read_by_the_other(db):
    key = {"pk": {"S": "a"}}
    answer = db.post("PutItem", {"TableName": "no-such-table", "Item": {**key, "a": nested(63)}})
    assert_invalid(answer, DEEP)
    deep = {"TableName": "no-such-table", "Key": key, "ConditionExpression": "a = :v",
            "ExpressionAttributeValues": {":v": nested(63)}}
    text = f"ExpressionAttributeValues contains invalid value: {DEEP} for key :v"
    assert_invalid(db.post("DeleteItem", deep), text)
    assert_invalid(db.post("DeleteItem", {**deep, "ReturnValues": "ALL_NEW"}), "ReturnValues can only be ALL_OLD or NONE")


def test_nesting_is_counted_when_values_are_stored(db, hash_table):
    key = {"pk": {"S": "nested-update"}}
    db.call("PutItem", TableName=hash_table, Item={**key, "a": nested(30)})
    deep = {"ExpressionAttributeValues": {":v": nested(40)}}
    request = {"TableName": hash_table, "Key": key, "UpdateExpression": "SET b = :v", **deep}
    assert_invalid(db.post("UpdateItem", request), ENVELOPE + DEEP)
    request["UpdateExpression"] = "SET a." + ".".join("a" * 29) + " = :v"
    request["ExpressionAttributeValues"] = {":v": nested(2)}
    assert db.post("UpdateItem", request).status == 200
    request["ExpressionAttributeValues"] = {":v": nested(3)}
    assert_invalid(db.post("UpdateItem", request), "Nesting Levels have exceeded supported limits")
    check = {"TableName": hash_table, "Key": key, "ConditionExpression": "a = :v"}
    answer = db.post("DeleteItem", {**check, **deep})
    assert_invalid(answer, ENVELOPE + DEEP)
    answer = db.post("DeleteItem", {**check, "ExpressionAttributeValues": {":v": nested(5)}})
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
    "kind, members, ordered", [
        ("SS", ["b", "", "a", "C"], ["", "C", "a", "b"]), ("NS", ["10", "9", "-2"], ["-2", "9", "10"]),
        ("BS", ["/w==", "", "AA=="], ["", "AA==", "/w=="])]
)
def test_sets_come_back_in_their_own_order(db, hash_table, kind, members, ordered):
    assert round_trip(db, hash_table, a={kind: members}) == {"a": {kind: ordered}}
    key = {"pk": {"S": "round-trip"}}
    db.call("PutItem", TableName=hash_table, Item={**key, "a": {kind: members[:1]}})
    db.call("UpdateItem", TableName=hash_table, Key=key, UpdateExpression="ADD a :m",
            ExpressionAttributeValues={":m": {kind: members[1:]}})
    assert db.call("GetItem", TableName=hash_table, Key=key)["Item"]["a"] == {kind: ordered}


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
