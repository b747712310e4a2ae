"""The service's two layers of validation: what --validation=classic answers where the default answers as the current one."""

import os

import pytest

from conftest import served
from wire import (
    CAPACITY, CONDITIONAL, ENVELOPE, NAME_PATTERN, RETURN_VALUES, UNKNOWN_CONDITIONAL, UNKNOWN_RETURN_VALUES, Wire, assert_error,
    assert_invalid, longer, violation, violations,
)

INVALID = "One or more parameter values were invalid: "
NOT_NUMERIC = "The parameter cannot be converted to a numeric value"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
T = "no-such-table"
A = {"S": "a"}
KEY = {"pk": A}
TWICE = {"pk": {"SS": ["a", "a"]}}
TWICE_CLASSIC = INVALID + "Input collection [a, a] contains duplicates."
TWICE_CURRENT = INVALID + 'Input collection ["a", "a"] contains duplicates.'
WRAPPED = "ExpressionAttributeValues contains invalid value: {} for key :v"
WITHOUT = "ExpressionAttributeValues can only be specified when using expressions"
ONE_ACTION = "TransactItems can only contain one of Check, Put, Update or Delete"


def put(item=KEY, **members):
    return "PutItem", {"TableName": T, "Item": item, **members}


def query(condition, **members):
    return "Query", {
        "TableName": T, "KeyConditionExpression": condition, "ExpressionAttributeValues": {":v": A}, **members}


def batch(requests, **members):
    return "BatchGetItem", {"RequestItems": requests, **members}


def transact(*actions):
    return "TransactWriteItems", {"TransactItems": list(actions)}


def transact_put(item, table=T, **members):
    return {"Put": {"TableName": table, "Item": item, **members}}


VALUE = {"ExpressionAttributeValues": {":v": {"N": "x"}}}
CONDITION = {"ConditionExpression": "a = :v", **VALUE}
SYNTAX = 'Invalid ConditionExpression: Syntax error; token: "=", near: "= ="'
NAMES_OF_TABLES = (
    "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length "
    "greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]")

# The request, what the current layer says, what the classic one says; None: that there is no such table.
CASES = {
    "number in an item": (put({**KEY, "n": {"N": "x"}}), f"{ENVELOPE}{NOT_NUMERIC}: x", f"{NOT_NUMERIC}: x"),
    "empty number": (put({**KEY, "n": {"N": ""}}), f"{ENVELOPE}{NOT_NUMERIC}: ", NOT_NUMERIC),
    "exponent of 33 bits": (
        put({**KEY, "n": {"N": "1e2147483648"}}), ENVELOPE + OVERFLOW, f"{NOT_NUMERIC}: 1e2147483648"),
    "set in an item": (put(TWICE), ENVELOPE + TWICE_CURRENT, TWICE_CLASSIC),
    "set in a key": (("GetItem", {"TableName": T, "Key": TWICE}), TWICE_CURRENT, TWICE_CLASSIC),
    "set in a batch": (batch({T: {"Keys": [TWICE]}}), TWICE_CURRENT, TWICE_CLASSIC),
    "empty table name": (
        put(TableName=""), violations(f"Value at 'TableName' failed to satisfy constraint: {longer(1)}"),
        violations(violation("", "tableName", longer(1)))),
    "return values": (
        put(ReturnValues="hi"), violations(UNKNOWN_RETURN_VALUES), violations(violation("hi", "returnValues", RETURN_VALUES))),
    "return values of an update and capacity": (
        ("UpdateItem", {"TableName": T, "Key": KEY, "ReturnValues": "hi", "ReturnConsumedCapacity": "hi"}),
        violations(UNKNOWN_RETURN_VALUES),
        violations(violation("hi", "returnConsumedCapacity", CAPACITY), violation("hi", "returnValues", RETURN_VALUES))),
    "conditional operator": (
        put(ConditionalOperator="XOR"), violations(UNKNOWN_CONDITIONAL),
        violations(violation("XOR", "conditionalOperator", CONDITIONAL))),
    "other return values": (
        put(ReturnValues="ALL_NEW"), ENVELOPE + "ReturnValues can only be ALL_OLD or NONE",
        "ReturnValues can only be ALL_OLD or NONE"),
    "values without expression": (
        put(**VALUE), ENVELOPE + WITHOUT, f"{WITHOUT}: ConditionExpression is null"),
    "value of a condition": (put(**CONDITION), f"{ENVELOPE}{NOT_NUMERIC}: x", WRAPPED.format(f"{NOT_NUMERIC}: x")),
    "syntax of a condition": (put(ConditionExpression="a = ="), ENVELOPE + SYNTAX, SYNTAX),
    "expected": (
        put(Expected={"a": {}}), ENVELOPE + INVALID + "Value must be provided when Exists is null for Attribute: a",
        INVALID + "Value must be provided when Exists is null for Attribute: a"),
    "value of a query": (
        query("pk = :v", **VALUE), f"{NOT_NUMERIC}: x", WRAPPED.format(f"{NOT_NUMERIC}: x")),
    "conditional operator of a query": (
        query("pk = :v", ConditionalOperator="XOR"), UNKNOWN_CONDITIONAL,
        violations(violation("XOR", "conditionalOperator", CONDITIONAL))),
    "nested key": (
        query("pk.a = :v"),
        "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes",
        "KeyConditionExpressions cannot have conditions on nested attributes"),
    "key twice": (
        query("pk > :v AND pk < :v"),
        "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key",
        "KeyConditionExpressions must only contain one condition per key"),
    "three keys": (query("a = :v AND b = :v AND c = :v"), None, "Conditions can be of length 1 or 2 only"),
    "no requests": (
        batch({}), violations(f"Value at 'RequestItems' failed to satisfy constraint: {longer(1)}"),
        "The requestItems parameter is required for BatchGetItem"),
    "no keys": (
        batch({T: {"Keys": []}}), violations(f"Value at 'RequestItems.{T}.member.Keys' failed to satisfy constraint: {longer(1)}"),
        violations(violation("[]", f"requestItems.{T}.member.keys", longer(1)))),
    "name of a batch's table": (
        batch({"a!b": {"Keys": [KEY]}}, ReturnConsumedCapacity="hi"),
        violations(
            violation('{"a!b":{"Keys":[{"pk":{"S":"a"}}]}}', "requestItems", NAMES_OF_TABLES),
            violation("hi", "returnConsumedCapacity", CAPACITY)),
        violations(violation("hi", "returnConsumedCapacity", CAPACITY))),
    "projections of both kinds": (
        batch({T: {"Keys": [KEY], "AttributesToGet": ["a"]}, "other": {"Keys": [KEY], "ProjectionExpression": "a"}}),
        "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
        "{AttributesToGet} Expression parameters: {ProjectionExpression}", None),
    "no action": (
        transact({}), "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request", ONE_ACTION),
    "name of a transaction's table": (
        transact(transact_put(KEY, "a!b"), {}),
        violations(violation("a!b", "transactItems.1.member.put.tableName", NAME_PATTERN)),
        violations(violation("a!b", "tableName", NAME_PATTERN))),
    "order of actions": (
        transact(transact_put(KEY, ConditionExpression="a = ="), transact_put({**KEY, "n": {"N": "x"}})),
        SYNTAX, f"{NOT_NUMERIC}: x"),
    # Served by the classic layer everywhere.
    "batch of writes": (
        ("BatchWriteItem", {"RequestItems": {T: [{"PutRequest": {"Item": TWICE}}]}}), TWICE_CLASSIC, TWICE_CLASSIC),
    "scan": (
        ("Scan", {"TableName": T, "FilterExpression": "a = :v", **VALUE}), WRAPPED.format(f"{NOT_NUMERIC}: x"),
        WRAPPED.format(f"{NOT_NUMERIC}: x")),
    # Said alike by both.
    "empty name": (transact(transact_put({**KEY, "": A})), "Empty attribute name", "Empty attribute name"),
    "size": (
        put({**KEY, "x": {"S": "x" * 400 * 1024}}), "Item size has exceeded the maximum allowed size",
        "Item size has exceeded the maximum allowed size"),
}


@pytest.fixture(scope="module")
def classic():
    if "STATOR_ENDPOINT" in os.environ:
        pytest.skip("the server is not ours to start with another option")
    for url in served("--validation=classic"):
        yield Wire(url, "testkey", "testsecret", "us-east-1")


def check(answer, text):
    if text is None:
        assert_error(answer, "ResourceNotFoundException", "Requested resource not found")
    else:
        assert_invalid(answer, text)


@pytest.mark.parametrize("request_of, text", [(r, t) for r, t, _ in CASES.values()], ids=CASES.keys())
def test_current(db, request_of, text):
    check(db.post(*request_of), text)


@pytest.mark.parametrize("request_of, text", [(r, t) for r, _, t in CASES.values()], ids=CASES.keys())
def test_classic(classic, request_of, text):
    check(classic.post(*request_of), text)
