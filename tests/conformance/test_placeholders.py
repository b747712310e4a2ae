"""How long placeholders may be, and the maps of them."""

import pytest

from transactions import update, write
from wire import ENVELOPE, assert_invalid

T = "no-such-table"
KEY = {"pk": {"S": "a"}}
TOO_LONG = "{} contains invalid key: The expression attribute map contains a key that is too long;"
LONG_NAME = "#" + "n" * 255
LONG_VALUE = ":" + "v" * 255
MEGABYTE = 1024 * 1024


def too_long(name, value):
    """By operation, a request with such placeholders, and what is put in front of a fault of it."""
    names = {"ExpressionAttributeNames": {name: "n"}}
    values = {"ExpressionAttributeValues": {value: {"N": "1"}}}
    return {
        "GetItem": ({"Key": KEY, "ProjectionExpression": name, **names}, None, ""),
        "Scan": (
            {"ProjectionExpression": name, **names}, {"FilterExpression": f"n = {value}", **values}, ""),
        "UpdateItem": (
            {"Key": KEY, "UpdateExpression": f"REMOVE {name}", **names},
            {"Key": KEY, "UpdateExpression": f"SET n = {value}", **values}, ENVELOPE),
    }


@pytest.mark.parametrize("operation", ["GetItem", "Scan", "UpdateItem"])
def test_names_that_are_too_long(db, operation):
    members, _, envelope = too_long(LONG_NAME, ":v")[operation]
    answer = db.post(operation, {"TableName": T, **members})
    assert_invalid(answer, envelope + TOO_LONG.format("ExpressionAttributeNames") + " size of key: 256")


@pytest.mark.parametrize("operation, size", [("Scan", ""), ("UpdateItem", " size of key: 256")])
def test_value_keys_that_are_too_long(db, operation, size):
    _, members, envelope = too_long("#n", LONG_VALUE)[operation]
    answer = db.post(operation, {"TableName": T, **members})
    assert_invalid(answer, envelope + TOO_LONG.format("ExpressionAttributeValues") + size)


def test_value_keys_that_are_too_long_in_a_transaction(db):
    answer = write(db, update(T, KEY, f"SET n = {LONG_VALUE}", {LONG_VALUE: {"N": "1"}}))
    assert_invalid(answer, TOO_LONG.format("ExpressionAttributeValues"))


def test_the_longest_placeholders(db, hash_table):
    members = {
        "ExpressionAttributeNames": {LONG_NAME[:-1]: "n"}, "ExpressionAttributeValues": {LONG_VALUE[:-1]: {"N": "1"}}}
    db.call("Scan", TableName=hash_table, FilterExpression=f"{LONG_NAME[:-1]} = {LONG_VALUE[:-1]}", **members)


def filled(count, size):
    return {f":v{i}": {"S": "x" * (size - len(f":v{i}"))} for i in range(count)}


def scan(db, table, values, names=None):
    members = {"ExpressionAttributeNames": names} if names else {}
    parts = [f"n = {v}" for v in values] + [f"attribute_exists({n})" for n in names or ()]
    return db.post("Scan", {
        "TableName": table, "FilterExpression": " OR ".join(parts), "ExpressionAttributeValues": values, **members})


def test_two_megabytes_of_values(db, hash_table):
    assert scan(db, hash_table, filled(2, MEGABYTE)).status == 200
    values = filled(2, MEGABYTE)
    values[":v0"]["S"] += "x"
    assert_invalid(scan(db, hash_table, values), "ExpressionAttributeValues exceeds max size")


def test_two_megabytes_of_names_and_values(db, hash_table):
    names = {f"#n{i}": f"{i}" * 60_000 for i in range(5)}
    assert_invalid(
        scan(db, hash_table, filled(2, MEGABYTE - 100_000), names),
        "Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size")


def test_two_megabytes_of_names(db, hash_table):
    names = {f"#n{i}": f"{i:02}" * 30_000 for i in range(40)}
    assert_invalid(scan(db, hash_table, filled(1, 100), names), "ExpressionAttributeNames exceeds max size")
