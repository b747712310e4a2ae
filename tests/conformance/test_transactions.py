"""TransactWriteItems and TransactGetItems: refusals, cancellations, tokens, effects."""

import re

import pytest

from wire import (
    CAPACITY, METRICS, NAME_PATTERN, NAMESPACES, NOT_NULL, assert_error, assert_invalid, assert_violations, enum, longer, shorter,
    violation, violations,
)

INVALID = "One or more parameter values were invalid: "
NOT_VALID = "One or more parameter values are not valid. "
EMPTY_KEY = "The AttributeValue for a key attribute cannot contain an empty string value."
ONE_ACTION = "TransactItems can only contain one of Check, Put, Update or Delete"
ONE_ITEM = "Transaction request cannot include multiple operations on one item"
NOT_THE_SCHEMA = "The provided key element does not match the schema"
NESTED = (
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit")
FAILED = "The conditional request failed"
NOT_FOUND = "Requested resource not found"
ON_FAILURE = enum("ALL_OLD", "NONE")
NONE = {"Code": "None"}
CONDITION_FAILED = {"Code": "ConditionalCheckFailed", "Message": FAILED}
T = "no-such-table"
A = {"S": "a"}
KEY = {"pk": A}


def put(table, item, **members):
    return {"Put": {"TableName": table, "Item": item, **members}}


def update(table, key, expression="SET x = :x", values=None, **members):
    if values is None and ":x" in expression:
        values = {":x": A}
    if values:
        members["ExpressionAttributeValues"] = values
    return {"Update": {"TableName": table, "Key": key, "UpdateExpression": expression, **members}}


def delete(table, key, **members):
    return {"Delete": {"TableName": table, "Key": key, **members}}


def check(table, key, condition="attribute_exists(pk)", **members):
    return {"ConditionCheck": {"TableName": table, "Key": key, "ConditionExpression": condition, **members}}


def get(table, key, **members):
    return {"Get": {"TableName": table, "Key": key, **members}}


def write(db, *actions, **members):
    return db.post("TransactWriteItems", {"TransactItems": list(actions), **members})


def written(db, *actions, **members):
    return db.call("TransactWriteItems", TransactItems=list(actions), **members)


def read(db, *gets, **members):
    return db.post("TransactGetItems", {"TransactItems": list(gets), **members})


def stored(db, table, key):
    return db.call("GetItem", TableName=table, Key=key, ConsistentRead=True).get("Item")


def invalid(text):
    return {"Code": "ValidationError", "Message": text}


def assert_cancelled(answer, *reasons):
    codes = ", ".join(r["Code"] for r in reasons)
    assert_error(
        answer, "TransactionCanceledException",
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]")
    document = answer.json()
    assert document["CancellationReasons"] == list(reasons)
    assert set(document) == {"__type", "Message", "CancellationReasons"}


def nested(depth):
    """An attribute value in which `depth` lists or maps lie in each other."""
    value = A
    for _ in range(depth):
        value = {"L": [value]}
    return value


@pytest.fixture
def key(unique):
    return {"pk": {"S": unique("key")}}


@pytest.fixture
def other(unique):
    return {"pk": {"S": unique("other")}}


# Constraints on members.

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


# What is refused before a table is looked up: always as a whole, never as a reason.

OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
PUT_TWICE = {**put(T, KEY), **delete(T, KEY)}
BIG_NUMBER = {"N": "1e126"}
WRAPPER = "ExpressionAttributeValues contains invalid value: {} for key :x"
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


# Tables, empty keys, one item twice.

def test_no_such_table(db, hash_table, key):
    assert_error(write(db, put(hash_table, key), put(T, key)), "ResourceNotFoundException", NOT_FOUND)
    assert_error(read(db, get(hash_table, key), get(T, key)), "ResourceNotFoundException", NOT_FOUND)
    assert stored(db, hash_table, key) is None


def test_the_table_goes_before_duplicates(db, hash_table, key):
    answer = write(db, put(hash_table, key), put(hash_table, key), put(T, key))
    assert_error(answer, "ResourceNotFoundException", NOT_FOUND)


TWICE = {
    "two puts": [put, put],
    "put and delete": [put, delete],
    "update and check": [update, check],
    "two checks": [check, check],
}


@pytest.mark.parametrize("actions", TWICE.values(), ids=TWICE.keys())
def test_one_item_twice(db, hash_table, key, actions):
    assert_invalid(write(db, *[act(hash_table, key) for act in actions]), ONE_ITEM)
    assert stored(db, hash_table, key) is None


def test_one_item_twice_however_its_key_is_written(db, range_table, number_table, unique):
    pk = {"S": unique("key")}
    assert_invalid(
        write(db, put(range_table, {"pk": pk, "sk": A}), delete(range_table, {"sk": A, "pk": pk})), ONE_ITEM)
    one, same = ({"pk": pk, "n": {"N": n}} for n in ("1", "1.0"))
    assert_invalid(write(db, delete(number_table, one), delete(number_table, same)), ONE_ITEM)


def test_one_item_read_twice(db, hash_table, key):
    assert_invalid(read(db, get(hash_table, key), get(hash_table, key)), ONE_ITEM)


def test_one_key_in_two_tables(db, hash_table, range_table, key):
    full = {**key, "sk": A}
    written(db, put(hash_table, key), put(range_table, full))
    assert stored(db, hash_table, key) == key
    assert stored(db, range_table, full) == full


@pytest.mark.parametrize("act", [put, update, delete, check])
def test_empty_key_value(db, hash_table, key, act):
    answer = write(db, put(hash_table, key), act(hash_table, {"pk": {"S": ""}}))
    assert_invalid(answer, NOT_VALID + EMPTY_KEY + " Key: pk")


def test_empty_key_value_of_a_get(db, hash_table):
    assert_invalid(read(db, get(hash_table, {"pk": {"S": ""}})), NOT_VALID + EMPTY_KEY + " Key: pk")


def test_empty_index_key_value(db, indexed_table, unique):
    item = {"pk": {"S": unique("key")}, "sk": A}
    assert_invalid(
        write(db, put(indexed_table, {**item, "gpk": {"S": ""}})),
        NOT_VALID + "A value specified for a secondary index key is not supported. " + EMPTY_KEY
        + " IndexName: gsi, IndexKey: gpk")
    assert_invalid(
        write(db, update(indexed_table, item, "SET gpk = :x", {":x": {"S": ""}})),
        NOT_VALID + "The update expression attempted to update a secondary index key to a value that is not "
        "supported. " + EMPTY_KEY)


# What needs the schema is a reason of a cancellation, and alone.

def mismatch(actual, name="pk"):
    return INVALID + f"Type mismatch for key {name} expected: S actual: {actual}"


ONE = {"N": "1"}
AGAINST_THE_SCHEMA = {
    "put without key": (lambda t: put(t, {"x": A}), INVALID + "Missing the key pk in the item"),
    "put without sort key": (lambda t: put(t, {"pk": A}), INVALID + "Missing the key sk in the item"),
    "put of another type": (lambda t: put(t, {"pk": ONE, "sk": A}), mismatch("N")),
    "put of another type of sort key": (lambda t: put(t, {"pk": A, "sk": {"L": []}}), mismatch("L", "sk")),
    "delete by half a key": (lambda t: delete(t, {"pk": A}), NOT_THE_SCHEMA),
    "delete by another type": (lambda t: delete(t, {"pk": ONE, "sk": A}), NOT_THE_SCHEMA),
    "delete by too many": (lambda t: delete(t, {"pk": A, "sk": A, "x": A}), NOT_THE_SCHEMA),
    "delete by nothing": (lambda t: delete(t, {}), NOT_THE_SCHEMA),
    "update by half a key": (lambda t: update(t, {"pk": A}), NOT_THE_SCHEMA),
    "check by another type": (lambda t: check(t, {"pk": ONE, "sk": A}), NOT_THE_SCHEMA),
    "update of the key": (lambda t: update(t, {"pk": A, "sk": A}, "SET sk = :x"),
                          INVALID + "Cannot update attribute sk. This attribute is part of the key"),
    "put of an index key of another type": (
        lambda t: put(t, {"pk": A, "sk": A, "gpk": ONE}),
        INVALID + "Type mismatch for Index Key gpk Expected: S Actual: N IndexName: gsi"),
    "update of an index key to another type": (
        lambda t: update(t, {"pk": A, "sk": A}, "SET gpk = :x", {":x": ONE}),
        INVALID + "Type mismatch for Index Key gpk Expected: S Actual: N IndexName: gsi"),
}


@pytest.mark.parametrize("action, text", AGAINST_THE_SCHEMA.values(), ids=AGAINST_THE_SCHEMA.keys())
def test_against_the_schema(db, indexed_table, hash_table, key, action, text):
    answer = write(db, put(hash_table, key), action(indexed_table))
    assert_cancelled(answer, NONE, invalid(text))
    assert stored(db, hash_table, key) is None


def test_no_condition_is_evaluated_then(db, hash_table, key):
    missing = {"pk": {"S": "missing"}}
    answer = write(db, check(hash_table, key), delete(hash_table, {"pk": ONE}), check(hash_table, missing))
    assert_cancelled(answer, NONE, invalid(NOT_THE_SCHEMA), NONE)


def test_only_the_first_of_several_is_reported(db, hash_table):
    answer = write(db, delete(hash_table, {"pk": ONE}), put(hash_table, {"x": A}))
    assert_cancelled(answer, invalid(NOT_THE_SCHEMA), NONE)


@pytest.mark.parametrize("key", [{"pk": A}, {"pk": ONE, "sk": A}, {"pk": A, "sk": A, "x": A}, {}],
                         ids=["half", "type", "too many", "nothing"])
def test_get_against_the_schema(db, range_table, hash_table, key):
    answer = read(db, get(hash_table, KEY), get(range_table, key))
    assert_cancelled(answer, NONE, invalid(NOT_THE_SCHEMA))


# Conditions.

def test_every_condition_is_evaluated(db, hash_table, key, other, unique):
    third = {"pk": {"S": unique("third")}}
    db.call("PutItem", TableName=hash_table, Item={**key, "x": A})
    answer = write(
        db, put(hash_table, key, ConditionExpression="attribute_not_exists(pk)"), put(hash_table, other),
        check(hash_table, third))
    assert_cancelled(answer, CONDITION_FAILED, NONE, CONDITION_FAILED)
    assert stored(db, hash_table, key) == {**key, "x": A}
    assert stored(db, hash_table, other) is None


FAILING = {
    "put": lambda t, k, **m: put(t, k, ConditionExpression="attribute_exists(y)", **m),
    "update": lambda t, k, **m: update(t, k, ConditionExpression="attribute_exists(y)", **m),
    "delete": lambda t, k, **m: delete(t, k, ConditionExpression="attribute_exists(y)", **m),
    "check": lambda t, k, **m: check(t, k, "attribute_exists(y)", **m),
}


@pytest.mark.parametrize("failing", FAILING.values(), ids=FAILING.keys())
def test_the_old_item_in_a_reason(db, hash_table, key, other, failing):
    item = {**key, "x": {"M": {"a": A}}, "z": {"NULL": True}}
    db.call("PutItem", TableName=hash_table, Item=item)
    all_old = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    answer = write(db, failing(hash_table, key, **all_old), failing(hash_table, other, **all_old))
    assert_cancelled(answer, {**CONDITION_FAILED, "Item": item}, CONDITION_FAILED)
    answer = write(db, failing(hash_table, key, ReturnValuesOnConditionCheckFailure="NONE"))
    assert_cancelled(answer, CONDITION_FAILED)


def test_checks_alone(db, hash_table, key, other):
    db.call("PutItem", TableName=hash_table, Item=key)
    assert written(db, check(hash_table, key), check(hash_table, other, "attribute_not_exists(pk)")) == {}
    assert stored(db, hash_table, other) is None


# Faults found while applying are reasons too.

APPLYING = {
    "operand type": ("SET n = s + :x", {":x": ONE}, "An operand in the update expression has an incorrect data type"),
    "missing operand": ("SET n = absent + :x", {":x": ONE},
                        "The provided expression refers to an attribute that does not exist in the item"),
    "path": ("SET absent.a = :x", {":x": ONE},
             "The document path provided in the update expression is invalid for update"),
    "add to a string": ("ADD s :x", {":x": ONE}, "An operand in the update expression has an incorrect data type"),
    "size": ("SET big = :x", {":x": {"S": "x" * 409600}}, "Item size to update has exceeded the maximum allowed size"),
}


@pytest.mark.parametrize("expression, values, text", APPLYING.values(), ids=APPLYING.keys())
def test_faults_while_applying(db, hash_table, key, other, expression, values, text):
    item = {**key, "s": A}
    db.call("PutItem", TableName=hash_table, Item=item)
    answer = write(db, put(hash_table, other), update(hash_table, key, expression, values))
    assert_cancelled(answer, NONE, invalid(text))
    assert stored(db, hash_table, key) == item
    assert stored(db, hash_table, other) is None


# Effects.

def test_all_four_actions(db, hash_table, range_table, key, unique):
    gone, new, there = ({"pk": {"S": unique("key")}} for _ in range(3))
    for k in (gone, there):
        db.call("PutItem", TableName=hash_table, Item=k)
    sorted_key = {**key, "sk": A}
    answer = written(
        db, put(hash_table, {**new, "x": A}), delete(hash_table, gone), check(hash_table, there),
        update(range_table, sorted_key, "SET #n = if_not_exists(#n, :x) + :x", {":x": ONE},
               ExpressionAttributeNames={"#n": "n"}))
    assert answer == {}
    assert stored(db, hash_table, new) == {**new, "x": A}
    assert stored(db, hash_table, gone) is None
    assert stored(db, hash_table, there) == there
    assert stored(db, range_table, sorted_key) == {**sorted_key, "n": {"N": "2"}}


def test_conditions_see_the_state_before(db, hash_table, key, other):
    answer = write(db, put(hash_table, key), put(hash_table, other, ConditionExpression="attribute_not_exists(pk)"),)
    assert answer.status == 200
    answer = write(db, delete(hash_table, key), check(hash_table, other))
    assert answer.status == 200


def test_put_replaces_and_delete_of_nothing_succeeds(db, hash_table, key, other):
    db.call("PutItem", TableName=hash_table, Item={**key, "x": A})
    assert written(db, put(hash_table, {**key, "y": A}), delete(hash_table, other)) == {}
    assert stored(db, hash_table, key) == {**key, "y": A}


def test_an_update_creates_the_item(db, hash_table, key, other):
    written(db, update(hash_table, key), update(hash_table, other, "REMOVE x"))
    assert stored(db, hash_table, key) == {**key, "x": A}
    assert stored(db, hash_table, other) is None


def test_indexes_follow(db, indexed_table, unique):
    group = {"S": unique("group")}
    items = [{"pk": {"S": unique("key")}, "sk": A, "gpk": group} for _ in range(2)]
    written(db, *[put(indexed_table, i) for i in items])

    def count():
        return db.call(
            "Query", TableName=indexed_table, IndexName="gsi", KeyConditionExpression="gpk = :g",
            ExpressionAttributeValues={":g": group})["Count"]

    assert count() == 2
    key = {"pk": items[0]["pk"], "sk": A}
    written(db, update(indexed_table, key, "REMOVE gpk"))
    assert count() == 1


def test_reading(db, hash_table, range_table, key, other):
    item = {**key, "m": {"M": {"a": A, "b": ONE}}, "l": {"L": [A, ONE]}}
    db.call("PutItem", TableName=hash_table, Item=item)
    db.call("PutItem", TableName=range_table, Item={**key, "sk": A})
    gets = [
        get(hash_table, other), get(hash_table, key), get(range_table, {**key, "sk": A}, ProjectionExpression="sk"),
    ]
    assert read(db, *gets).json() == {"Responses": [{}, {"Item": item}, {"Item": {"sk": A}}]}
    one = get(hash_table, key, ProjectionExpression="#m.a, l[1]", ExpressionAttributeNames={"#m": "m"})
    assert read(db, one).json() == {"Responses": [{"Item": {"m": {"M": {"a": A}}, "l": {"L": [ONE]}}}]}


def test_a_projection_that_matches_nothing(db, hash_table, key):
    db.call("PutItem", TableName=hash_table, Item=key)
    assert read(db, get(hash_table, key, ProjectionExpression="x")).json() in (
        {"Responses": [{}]}, {"Responses": [{"Item": {}}]})


# Tokens.

def test_a_token_makes_a_repetition_harmless(db, hash_table, key, unique):
    token = unique("token")
    action = update(hash_table, key, "ADD n :x", {":x": ONE})
    for _ in range(3):
        assert written(db, action, ClientRequestToken=token) == {}
    assert stored(db, hash_table, key) == {**key, "n": ONE}
    written(db, action, ClientRequestToken=unique("token"))
    assert stored(db, hash_table, key) == {**key, "n": {"N": "2"}}


def test_a_token_outlives_other_writes(db, hash_table, key, unique):
    token = unique("token")
    action = put(hash_table, key, ConditionExpression="attribute_not_exists(pk)")
    written(db, action, ClientRequestToken=token)
    db.call("DeleteItem", TableName=hash_table, Key=key)
    written(db, action, ClientRequestToken=token)
    assert stored(db, hash_table, key) is None


def test_without_a_token_nothing_is_remembered(db, hash_table, key):
    action = update(hash_table, key, "ADD n :x", {":x": ONE})
    written(db, action)
    written(db, action)
    assert stored(db, hash_table, key) == {**key, "n": {"N": "2"}}


def test_a_token_with_another_request(db, hash_table, key, other, unique):
    token = unique("token")
    written(db, put(hash_table, key), ClientRequestToken=token)
    others = [
        [put(hash_table, {**key, "x": A})], [put(hash_table, other)], [delete(hash_table, key)],
        [put(hash_table, key), put(hash_table, other)],
    ]
    for actions in others:
        answer = write(db, *actions, ClientRequestToken=token)
        assert (answer.status, answer.code) == (400, "IdempotentParameterMismatchException")
    assert stored(db, hash_table, key) == key
    assert stored(db, hash_table, other) is None


def test_what_is_asked_back_is_no_part_of_the_request(db, hash_table, key, unique):
    token = unique("token")
    written(db, put(hash_table, key), ClientRequestToken=token)
    answer = written(
        db, put(hash_table, key), ClientRequestToken=token, ReturnConsumedCapacity="TOTAL",
        ReturnItemCollectionMetrics="SIZE")
    assert "ConsumedCapacity" in answer


def test_a_refused_request_does_not_use_its_token_up(db, hash_table, key, unique):
    token = unique("token")
    assert_invalid(write(db, put(hash_table, key), put(hash_table, key), ClientRequestToken=token), ONE_ITEM)
    written(db, put(hash_table, key), ClientRequestToken=token)
    assert stored(db, hash_table, key) == key


# Size of the request.

def large(pk, size=350000):
    return {"pk": {"S": pk}, "x": {"S": "x" * size}}


def test_four_megabytes(db, hash_table, unique):
    names = [unique("large") for _ in range(12)]
    written(db, *[put(hash_table, large(n)) for n in names[:10]])
    answer = write(db, *[put(hash_table, large(n)) for n in names])
    assert_invalid(answer, re.compile(".*size cannot exceed.*"))
    # What is stored does not count.
    written(db, *[delete(hash_table, {"pk": {"S": n}}) for n in names])


# Capacity.

def of_size(key, size):
    used = len("pk") + len(key["pk"]["S"]) + len("x")
    return {**key, "x": {"S": "x" * (size - used)}}


def write_units(table, units, **members):
    return {"TableName": table, "CapacityUnits": units, "WriteCapacityUnits": units, **members}


def read_units(table, units, **members):
    return {"TableName": table, "CapacityUnits": units, "ReadCapacityUnits": units, **members}


@pytest.mark.parametrize("size, units", [(60, 2), (1024, 2), (1025, 4), (3000, 6)])
def test_capacity_of_a_write(db, hash_table, key, size, units):
    def consumed(action, level="TOTAL"):
        return written(db, action, ReturnConsumedCapacity=level)["ConsumedCapacity"]

    assert consumed(put(hash_table, of_size(key, size))) == [write_units(hash_table, units)]
    assert consumed(check(hash_table, key)) == [write_units(hash_table, units)]
    assert consumed(update(hash_table, key, "SET y = :x", {":x": {"BOOL": True}}), "INDEXES") in [
        [write_units(hash_table, u, Table={"CapacityUnits": u, "WriteCapacityUnits": u})]
        for u in (units, units + 2 * (size == 1024))]
    assert consumed(put(hash_table, key)) in [
        [write_units(hash_table, u)] for u in (units, units + 2 * (size == 1024))]
    assert consumed(delete(hash_table, key)) == [write_units(hash_table, 2)]
    assert consumed(delete(hash_table, key)) == [write_units(hash_table, 2)]


def test_capacity_of_a_delete_is_that_of_the_item(db, hash_table, key):
    db.call("PutItem", TableName=hash_table, Item=of_size(key, 3000))
    answer = written(db, delete(hash_table, key), ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == [write_units(hash_table, 6)]


def test_capacity_is_summed_by_table(db, hash_table, range_table, key, other):
    answer = written(
        db, put(hash_table, of_size(key, 1025)), put(range_table, {**key, "sk": A}),
        check(hash_table, other, "attribute_not_exists(pk)"), ReturnConsumedCapacity="TOTAL")
    consumed = sorted(answer["ConsumedCapacity"], key=lambda c: c["CapacityUnits"])
    assert consumed == [write_units(range_table, 2), write_units(hash_table, 6)]


def test_indexes_are_not_doubled(db, indexed_table, unique):
    item = {"pk": {"S": unique("key")}, "sk": A, "lsk": A, "gpk": A}
    answer = written(db, put(indexed_table, item), ReturnConsumedCapacity="INDEXES")
    one = {"CapacityUnits": 1, "WriteCapacityUnits": 1}
    assert answer["ConsumedCapacity"] == [write_units(
        indexed_table, 4, Table={"CapacityUnits": 2, "WriteCapacityUnits": 2},
        LocalSecondaryIndexes={"lsi": one}, GlobalSecondaryIndexes={"gsi": one})]


@pytest.mark.parametrize("size, units", [(60, 2), (4096, 2), (4097, 4)])
def test_capacity_of_a_read(db, hash_table, key, other, size, units):
    db.call("PutItem", TableName=hash_table, Item=of_size(key, size))
    gets = [get(hash_table, key, ProjectionExpression="pk"), get(hash_table, other)]
    assert "ConsumedCapacity" not in read(db, *gets).json()
    answer = read(db, *gets, ReturnConsumedCapacity="TOTAL").json()
    assert answer["ConsumedCapacity"] == [read_units(hash_table, units + 2)]
    answer = read(db, *gets, ReturnConsumedCapacity="INDEXES").json()
    assert answer["ConsumedCapacity"] == [read_units(
        hash_table, units + 2, Table={"CapacityUnits": units + 2, "ReadCapacityUnits": units + 2})]


def test_capacity_of_a_repetition_is_that_of_reading(db, hash_table, key, unique):
    token = unique("token")
    actions = [put(hash_table, of_size(key, 1500))]
    first = written(db, *actions, ClientRequestToken=token, ReturnConsumedCapacity="TOTAL")
    assert first["ConsumedCapacity"] == [write_units(hash_table, 4)]
    again = written(db, *actions, ClientRequestToken=token, ReturnConsumedCapacity="TOTAL")
    assert again["ConsumedCapacity"] == [read_units(hash_table, 2)]
    assert written(db, *actions, ClientRequestToken=token) == {}


def test_item_collection_metrics(db, indexed_table, hash_table, key):
    item = {**key, "sk": A}
    answer = written(db, put(indexed_table, item), put(hash_table, key), ReturnItemCollectionMetrics="SIZE")
    metrics = answer["ItemCollectionMetrics"]
    assert list(metrics) == [indexed_table]
    assert [m["ItemCollectionKey"] for m in metrics[indexed_table]] == [key]
    assert len(metrics[indexed_table][0]["SizeEstimateRangeGB"]) == 2
