"""Transactions against their tables: one item twice, and the reasons of cancellations."""

import pytest

from transactions import (
    A, FAILED, KEY, ONE, ONE_ITEM, T, assert_cancelled, check, delete, get, invalid, put, read, stored, update,
    write, written,
)
from wire import assert_error, assert_invalid

INVALID = "One or more parameter values were invalid: "
NOT_VALID = "One or more parameter values are not valid. "
EMPTY_KEY = "The AttributeValue for a key attribute cannot contain an empty string value."
NOT_THE_SCHEMA = "The provided key element does not match the schema"
NOT_FOUND = "Requested resource not found"
NONE = {"Code": "None"}
CONDITION_FAILED = {"Code": "ConditionalCheckFailed", "Message": FAILED}


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
