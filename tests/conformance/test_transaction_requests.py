"""TransactWriteItems and TransactGetItems: what is refused before a table is looked up."""

import re

import pytest

from transactions import A, KEY, T, check, delete, get, nested, put, read, stored, update, write, written
from wire import (
    CAPACITY, METRICS, NAMESPACES, NAME_PATTERN, NOT_NULL, assert_invalid, assert_violations, enum, longer, shorter,
    violation, violations,
)

ONE_ACTION = "TransactItems can only contain one of Check, Put, Update or Delete"
NESTED = (
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit")
ON_FAILURE = enum("ALL_OLD", "NONE")


def at(rest, member="put"):
    return f"transactItems.1.member.{member}.{rest}"


WRITE_CONSTRAINTS = {
    "no list": ({}, [(None, "transactItems", NOT_NULL)]),
    "empty token": ({"TransactItems": [put(T, KEY)], "ClientRequestToken": ""},
                    [("", "clientRequestToken", longer(1))]),
    "long token": ({"TransactItems": [put(T, KEY)], "ClientRequestToken": "t" * 37},
                   [("t" * 37, "clientRequestToken", shorter(36))]),
    "enums": ({"TransactItems": [put(T, KEY)], "ReturnConsumedCapacity": "ALL", "ReturnItemCollectionMetrics": "ALL"},
              [("ALL", "returnConsumedCapacity", CAPACITY), ("ALL", "returnItemCollectionMetrics", METRICS)]),
    "put of nothing": ({"TransactItems": [{"Put": {"TableName": T}}]}, [(None, at("item"), NOT_NULL)]),
    "put nowhere": ({"TransactItems": [{"Put": {"Item": KEY}}]}, [(None, at("tableName"), NOT_NULL)]),
    "update of nothing": ({"TransactItems": [{"Update": {"TableName": T}}]},
                          [(None, at("key", "update"), NOT_NULL),
                           (None, at("updateExpression", "update"), NOT_NULL)]),
    "delete of nothing": ({"TransactItems": [{"Delete": {"TableName": T}}]}, [(None, at("key", "delete"), NOT_NULL)]),
    "check of nothing": ({"TransactItems": [{"ConditionCheck": {"TableName": T}}]},
                         [(None, at("key", "conditionCheck"), NOT_NULL),
                          (None, at("conditionExpression", "conditionCheck"), NOT_NULL)]),
    "second of two": ({"TransactItems": [put(T, KEY), {"Delete": {"TableName": T}}]},
                      [(None, "transactItems.2.member.delete.key", NOT_NULL)]),
    "two actions in one": ({"TransactItems": [{"Put": {"TableName": T}, "Delete": {"TableName": T}}]},
                           [(None, at("item"), NOT_NULL), (None, at("key", "delete"), NOT_NULL)]),
    "on failure": ({"TransactItems": [update(T, KEY, ReturnValuesOnConditionCheckFailure="dog")]},
                   [("dog", at("returnValuesOnConditionCheckFailure", "update"), ON_FAILURE)]),
}


@pytest.mark.parametrize("body, found", WRITE_CONSTRAINTS.values(), ids=WRITE_CONSTRAINTS.keys())
def test_write_constraints(db, body, found):
    assert_violations(db.post("TransactWriteItems", body), *[violation(*f) for f in found])


GET_CONSTRAINTS = {
    "no list": ({}, [(None, "transactItems", NOT_NULL)]),
    "get of nothing": ({"TransactItems": [{"Get": {"TableName": T}}]}, [(None, at("key", "get"), NOT_NULL)]),
    "get nowhere": ({"TransactItems": [{"Get": {"Key": KEY}}]}, [(None, at("tableName", "get"), NOT_NULL)]),
    "no get": ({"TransactItems": [{}]}, [(None, "transactItems.1.member.get", NOT_NULL)]),
    "enum": ({"TransactItems": [get(T, KEY)], "ReturnConsumedCapacity": "ALL"},
             [("ALL", "returnConsumedCapacity", CAPACITY)]),
}


@pytest.mark.parametrize("body, found", GET_CONSTRAINTS.values(), ids=GET_CONSTRAINTS.keys())
def test_get_constraints(db, body, found):
    assert_violations(db.post("TransactGetItems", body), *[violation(*f) for f in found])


NAMED = {
    "put": put("bad!name", KEY), "delete": delete("bad!name", KEY), "update": update("bad!name", KEY, values={":x": A}),
    "conditionCheck": check("bad!name", KEY, "attribute_exists(pk)"),
}


@pytest.mark.parametrize("kind, action", NAMED.items(), ids=NAMED.keys())
def test_a_bad_table_name_is_named_with_its_place(db, kind, action):
    path = f"transactItems.2.member.{kind}.tableName"
    assert_violations(write(db, put(T, KEY), action), violation("bad!name", path, NAME_PATTERN))
    answer = read(db, get(T, KEY), get("bad!name", KEY))
    assert_violations(answer, violation("bad!name", "transactItems.2.member.get.tableName", NAME_PATTERN))


@pytest.mark.parametrize("operation", ["TransactWriteItems", "TransactGetItems"])
def test_empty_list(db, operation):
    assert_invalid(db.post(operation, {"TransactItems": []}), [
        violations(violation("[]", "transactItems", longer(1))),
        f"1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: {longer(1)}"])


def test_more_than_a_hundred(db):
    keys = [{"pk": {"S": str(i)}} for i in range(101)]
    text = re.compile(
        r"1 validation error detected: Value ('\[.*\]' )?at '[tT]ransactItems' failed to satisfy constraint: "
        + re.escape(shorter(100)), re.DOTALL)
    assert_invalid(write(db, *[put(T, k) for k in keys]), text)
    assert_invalid(read(db, *[get(T, k) for k in keys]), text)


def test_a_hundred(db, hash_table, unique):
    keys = [{"pk": {"S": unique("hundred")}} for _ in range(100)]
    written(db, *[put(hash_table, k) for k in keys])
    answer = db.call("TransactGetItems", TransactItems=[get(hash_table, k) for k in keys])
    assert answer == {"Responses": [{"Item": k} for k in keys]}


SERIALIZATION = {
    "write list": ("TransactWriteItems", {"TransactItems": {}}),
    "write element": ("TransactWriteItems", {"TransactItems": ["x"]}),
    "put": ("TransactWriteItems", {"TransactItems": [{"Put": []}]}),
    "token": ("TransactWriteItems", {"TransactItems": [put(T, KEY)], "ClientRequestToken": 1}),
    "get list": ("TransactGetItems", {"TransactItems": "x"}),
    "get": ("TransactGetItems", {"TransactItems": [{"Get": "x"}]}),
}


@pytest.mark.parametrize("operation, body", SERIALIZATION.values(), ids=SERIALIZATION.keys())
def test_types_come_first(db, operation, body):
    answer = db.post(operation, body)
    assert answer.status == 400
    assert answer.json()["__type"] == NAMESPACES["SerializationException"] + "SerializationException"


OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
PUT_TWICE = {**put(T, KEY), **delete(T, KEY)}
BIG_NUMBER = {"N": "1e126"}
WRAPPER = "ExpressionAttributeValues contains invalid value: {} for key :x"
# What is refused before a table is looked up is so as a whole, never as a reason.
BEFORE_THE_TABLE = {
    "two actions": ([PUT_TWICE], ONE_ACTION),
    "no action": ([{}], "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"),
    "an empty name before levels": ([put(T, {**KEY, "d": nested(99), "": A})], "Empty attribute name"),
    "an empty name before a later item's levels": (
        [put(T, {**KEY, "": A}), put(T, {**KEY, "d": nested(99)})], "Empty attribute name"),
    "levels before a later syntax": ([delete(T, {"pk": nested(40)}), check(T, KEY, "pk = =")], NESTED),
    "syntax before a later item's levels": (
        [check(T, KEY, "pk = ="), put(T, {**KEY, "d": nested(40)})],
        'Invalid ConditionExpression: Syntax error; token: "=", near: "= ="'),
    "syntax before the levels of the same key": (
        [delete(T, {"pk": nested(40)}, ConditionExpression="pk = =")],
        'Invalid ConditionExpression: Syntax error; token: "=", near: "= ="'),
    "an unused value before a later key's levels": (
        [update(T, KEY, values={":x": A, ":y": A}), check(T, {"pk": nested(40)}, "attribute_exists(pk)")],
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:y}"),
    "size of an update": (
        [update(T, KEY, expression="REMOVE " + ", ".join(f"a{i}" for i in range(900)), values=None),
         check(T, {"pk": nested(40)}, "attribute_exists(pk)")],
        "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;"),
    "number in an item": ([put(T, {**KEY, "x": BIG_NUMBER})], OVERFLOW),
    "number in a key": ([delete(T, {"pk": BIG_NUMBER})], OVERFLOW),
    "number in an expression": ([update(T, KEY, values={":x": BIG_NUMBER})], [WRAPPER.format(OVERFLOW), OVERFLOW]),
    "two types": ([put(T, {**KEY, "x": {"S": "a", "N": "1"}})],
                  "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
                  "datatypes"),
    "no type": ([put(T, {**KEY, "x": {}})],
                "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
    "nested item": ([put(T, {**KEY, "x": nested(33)})], NESTED),
    "item size": ([put(T, {**KEY, "x": {"S": "x" * 409600}})], "Item size has exceeded the maximum allowed size"),
    "empty update": ([update(T, KEY, expression="")], "Invalid UpdateExpression: The expression can not be empty;"),
    "empty condition": ([check(T, KEY, "")], "Invalid ConditionExpression: The expression can not be empty;"),
    "syntax": ([check(T, KEY, "pk = =")],
               'Invalid ConditionExpression: Syntax error; token: "=", near: "= ="'),
    "undefined value": ([check(T, KEY, "pk = :p")],
                        "Invalid ConditionExpression: An expression attribute value used in expression is not defined; "
                        "attribute value: :p"),
    "undefined name": ([update(T, KEY, expression="REMOVE #x")],
                       "Invalid UpdateExpression: An expression attribute name used in the document path is not "
                       "defined; attribute name: #x"),
    "unused value": ([update(T, KEY, values={":x": A, ":y": A})],
                     "Value provided in ExpressionAttributeValues unused in expressions: keys: {:y}"),
    "unused name": ([delete(T, KEY, ConditionExpression="attribute_exists(pk)", ExpressionAttributeNames={"#y": "y"})],
                    "Value provided in ExpressionAttributeNames unused in expressions: keys: {#y}"),
    "the first fault in order": ([put(T, {**KEY, "x": BIG_NUMBER}), PUT_TWICE], OVERFLOW),
    "the first fault in order, again": ([PUT_TWICE, put(T, {**KEY, "x": BIG_NUMBER})], ONE_ACTION),
    "faults before duplicates": ([put(T, KEY), put(T, KEY), PUT_TWICE], ONE_ACTION),
}


@pytest.mark.parametrize("actions, text", BEFORE_THE_TABLE.values(), ids=BEFORE_THE_TABLE.keys())
def test_refused_before_the_table_is_looked_up(db, actions, text):
    assert_invalid(write(db, *actions), text)


def test_a_deeply_nested_expression_value(db):
    assert_invalid(write(db, update(T, KEY, values={":x": nested(40)})), [WRAPPER.format(NESTED), NESTED])


def test_a_violation_goes_before_a_fault_of_an_earlier_action(db):
    answer = write(db, PUT_TWICE, {"Delete": {"TableName": T}})
    assert_violations(answer, violation(None, "transactItems.2.member.delete.key", NOT_NULL))


GET_BEFORE_THE_TABLE = {
    "number in a key": ([get(T, {"pk": BIG_NUMBER})], OVERFLOW),
    "empty projection": ([get(T, KEY, ProjectionExpression="")],
                         "Invalid ProjectionExpression: The expression can not be empty;"),
    "overlapping paths": ([get(T, KEY, ProjectionExpression="a, a.b")],
                          "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or "
                          "rewrite one of these paths; path one: [a], path two: [a, b]"),
    "unused name": ([get(T, KEY, ProjectionExpression="a", ExpressionAttributeNames={"#y": "y"})],
                    "Value provided in ExpressionAttributeNames unused in expressions: keys: {#y}"),
}


@pytest.mark.parametrize("gets, text", GET_BEFORE_THE_TABLE.values(), ids=GET_BEFORE_THE_TABLE.keys())
def test_get_refused_before_the_table_is_looked_up(db, gets, text):
    assert_invalid(read(db, *gets), text)


def test_placeholders_without_expressions_are_ignored(db, hash_table, key):
    """Only transactions take them; the other operations refuse them."""
    unused = {"ExpressionAttributeNames": {"#x": "x"}}
    assert write(db, put(hash_table, key, ExpressionAttributeValues={":x": A}, **unused)).status == 200
    answer = read(db, get(hash_table, key, **unused))
    assert answer.json()["Responses"] == [{"Item": key}]
    assert write(db, delete(hash_table, key, ExpressionAttributeValues={":x": A}, **unused)).status == 200
    assert stored(db, hash_table, key) is None
