"""The size of an item: 409,600 bytes are stored, 409,601 are not; so the size of any value can be told."""

import base64

import pytest

from wire import assert_invalid

LIMIT = 409_600
PUT_TOO_LARGE = "Item size has exceeded the maximum allowed size"
UPDATE_TOO_LARGE = "Item size to update has exceeded the maximum allowed size"


def padded(item, used, size):
    """The item with a string attribute `p` that brings it to this size; `used` is what it has."""
    return {**item, "p": {"S": "p" * (size - used - 1)}}


def assert_size(db, table, name, value, size):
    """Stores the value in items at the limit and one byte above it."""
    pk = {"pk": {"S": "size"}}
    used = len("pk") + len("size") + len(name.encode()) + size
    item = {**pk, name: value}
    answer = db.post("PutItem", {"TableName": table, "Item": padded(item, used, LIMIT)})
    assert answer.status == 200, f"{name} {str(value)[:40]} is larger than {size}"
    answer = db.post("PutItem", {"TableName": table, "Item": padded(item, used, LIMIT + 1)})
    assert_invalid(answer, PUT_TOO_LARGE)


NUMBERS = {
    "0": 1, "-0": 1, "1": 2, "12": 2, "123": 3, "1234": 3, "0042": 2, "100": 2, "1010": 3, "0.0000001": 2,
    "1E125": 2, "1E-100": 2, "1.5": 3, "15": 2, "1.2": 3, "1.200": 3, "1.234": 4, "3.14159": 5, "123456": 4,
    "100.5": 4, "0.15": 2, "-42": 3, "12345678901234567890123456789012345678": 20,
}


@pytest.mark.parametrize("text, size", NUMBERS.items())
def test_numbers(db, hash_table, text, size):
    assert_size(db, hash_table, "n", {"N": text}, size)


VALUES = [
    ({"S": ""}, 0), ({"S": "abc"}, 3), ({"S": "é\U0001f600"}, 6), ({"BOOL": True}, 1), ({"BOOL": False}, 1),
    ({"NULL": True}, 1), ({"B": base64.b64encode(b"12345").decode()}, 5), ({"SS": ["ab", "", "c"]}, 3),
    ({"NS": ["1", "100", "-42"]}, 7), ({"BS": ["YWI=", "Yw=="]}, 3), ({"L": []}, 3), ({"M": {}}, 3),
    ({"L": [{"S": "ab"}, {"N": "1"}]}, 9), ({"M": {"ab": {"S": "c"}}}, 7),
    ({"L": [{"L": [{"S": "a"}]}]}, 9), ({"M": {"a": {"M": {"b": {"NULL": True}}}}}, 11),
]


@pytest.mark.parametrize("value, size", VALUES, ids=[str(v)[:40] for v, _ in VALUES])
def test_values(db, hash_table, value, size):
    assert_size(db, hash_table, "value", value, size)


def test_names_count_in_bytes(db, hash_table):
    assert_size(db, hash_table, "é", {"S": "x"}, 1)


def test_size_is_checked_before_the_table(db):
    item = padded({"pk": {"S": "size"}}, 6, LIMIT + 1)
    assert_invalid(db.post("PutItem", {"TableName": "no-such-table", "Item": item}), PUT_TOO_LARGE)


def update(db, table, key, expression, values):
    return db.post("UpdateItem", {
        "TableName": table, "Key": key, "UpdateExpression": expression,
        "ExpressionAttributeValues": {n: {"S": v} for n, v in values.items()}})


# UpdateItem measures what it writes, plus 3 bytes, plus 19 for each SET and 2 for each REMOVE.
ACTIONS = {
    "one SET": ("SET b = :p", 3 + 19, 1),
    "two SETs": ("SET b = :p, c = :c", 3 + 19 * 2, 1 + 2),
    "SET and REMOVE": ("SET b = :p REMOVE r", 3 + 19 + 2, 1),
}


@pytest.mark.parametrize("expression, cost, names", ACTIONS.values(), ids=ACTIONS.keys())
def test_update_measures_what_it_writes(db, hash_table, expression, cost, names):
    # `names` is the size of what is written besides the padding: names, and the value of c.
    key = {"pk": {"S": "K"}}
    db.call("DeleteItem", TableName=hash_table, Key=key)
    others = {":c": "y"} if ":c" in expression else {}
    fits = LIMIT - cost - names
    answer = update(db, hash_table, key, expression, {":p": "p" * (fits + 1), **others})
    assert_invalid(answer, UPDATE_TOO_LARGE)
    answer = update(db, hash_table, key, expression, {":p": "p" * fits, **others})
    assert answer.status == 200, answer.body[:200]


def test_update_never_makes_an_item_larger_than_the_limit(db, hash_table):
    key = {"pk": {"S": "k" * 1000}}
    fits = LIMIT - 1002 - 1
    assert_invalid(update(db, hash_table, key, "SET b = :p", {":p": "p" * (fits + 1)}), UPDATE_TOO_LARGE)
    assert update(db, hash_table, key, "SET b = :p", {":p": "p" * fits}).status == 200
