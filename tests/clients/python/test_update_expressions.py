"""UpdateItem: every clause and function, on the item as it was before the update."""

from decimal import Decimal

import pytest

from support import fails, if_supported

# name: (item before, expression, values, item after); the key is left out of the items.
UPDATES = {
    "set a new attribute": ({}, "SET a = :x", {":x": 1}, {"a": 1}),
    "set replaces a value of another type": ({"a": {"s"}}, "SET a = :x", {":x": [1]}, {"a": [1]}),
    "set several": ({"a": 1}, "SET a = :x, b = :y", {":x": 2, ":y": "z"}, {"a": 2, "b": "z"}),
    "set from another attribute": ({"a": 1}, "SET b = a", {}, {"a": 1, "b": 1}),
    "swap sees the old values": ({"a": 1, "b": 2}, "SET a = b, b = a", {}, {"a": 2, "b": 1}),
    "add numbers": ({"a": 5}, "SET a = a + :x", {":x": 3}, {"a": 8}),
    "subtract numbers": ({"a": 5}, "SET a = :x - a", {":x": 3}, {"a": -2}),
    "sum of two attributes": ({"a": 1, "b": 2}, "SET c = a + b", {}, {"a": 1, "b": 2, "c": 3}),
    "decimal arithmetic is exact": (
        {"a": Decimal("0.1")},
        "SET a = a + :x",
        {":x": Decimal("0.2")},
        {"a": Decimal("0.3")},
    ),
    "arithmetic keeps 38 digits": (
        {"a": Decimal("12345678901234567890123456789012345677")},
        "SET a = a + :x",
        {":x": 1},
        {"a": Decimal("12345678901234567890123456789012345678")},
    ),
    "if_not_exists takes the default": ({}, "SET a = if_not_exists(a, :x)", {":x": 1}, {"a": 1}),
    "if_not_exists keeps what is there": ({"a": 0}, "SET a = if_not_exists(a, :x)", {":x": 1}, {"a": 0}),
    "counter with a start": ({}, "SET a = if_not_exists(a, :z) + :o", {":z": 0, ":o": 1}, {"a": 1}),
    "append to a list": ({"l": [1]}, "SET l = list_append(l, :x)", {":x": [2, 3]}, {"l": [1, 2, 3]}),
    "prepend to a list": ({"l": [1]}, "SET l = list_append(:x, l)", {":x": [2, 3]}, {"l": [2, 3, 1]}),
    "append to a list that may be absent": (
        {},
        "SET l = list_append(if_not_exists(l, :e), :x)",
        {":e": [], ":x": ["v"]},
        {"l": ["v"]},
    ),
    "set a map member": (
        {"m": {"a": 1, "b": {"c": 2}}},
        "SET m.b.c = :x, m.d = :x",
        {":x": 9},
        {"m": {"a": 1, "b": {"c": 9}, "d": 9}},
    ),
    "set a list element": ({"l": [1, 2]}, "SET l[0] = :x", {":x": 9}, {"l": [9, 2]}),
    "set far past the end appends": ({"l": [1]}, "SET l[7] = :x", {":x": 9}, {"l": [1, 9]}),
    "set inside a list of maps": (
        {"l": [{"a": 1}, {"a": 2}]},
        "SET l[1].a = l[0].a + :x",
        {":x": 10},
        {"l": [{"a": 1}, {"a": 11}]},
    ),
    "remove": ({"a": 1, "b": 2}, "REMOVE a", {}, {"b": 2}),
    "remove what is absent": ({"a": 1}, "REMOVE b", {}, {"a": 1}),
    "remove a map member": ({"m": {"a": 1, "b": 2}}, "REMOVE m.a", {}, {"m": {"b": 2}}),
    "remove list elements by old positions": (
        {"l": ["a", "b", "c", "d"]},
        "REMOVE l[0], l[2]",
        {},
        {"l": ["b", "d"]},
    ),
    "remove past the end": ({"l": [1]}, "REMOVE l[5]", {}, {"l": [1]}),
    "add to a number": ({"a": 5}, "ADD a :x", {":x": -7}, {"a": -2}),
    "add starts at zero": ({}, "ADD a :x", {":x": 3}, {"a": 3}),
    "add to a set": ({"s": {"a"}}, "ADD s :x", {":x": {"a", "b"}}, {"s": {"a", "b"}}),
    "add makes a set": ({}, "ADD s :x", {":x": {1, 2}}, {"s": {1, 2}}),
    "delete from a set": ({"s": {1, 2, 3}}, "DELETE s :x", {":x": {2, 9}}, {"s": {1, 3}}),
    "delete the whole set removes it": ({"s": {1}, "t": 1}, "DELETE s :x", {":x": {1}}, {"t": 1}),
    "delete from an absent set": ({"t": 1}, "DELETE s :x", {":x": {1}}, {"t": 1}),
    "all four clauses at once": (
        {"a": 1, "b": 1, "c": 1, "s": {"x", "y"}},
        "SET a = b REMOVE b ADD c :one DELETE s :gone",
        {":one": 1, ":gone": {"x"}},
        {"a": 1, "c": 2, "s": {"y"}},
    ),
    "clauses in any order and case": (
        {"a": 1, "b": 1},
        "remove b set c = :x",
        {":x": 5},
        {"a": 1, "c": 5},
    ),
}


@pytest.fixture(scope="module")
def table(new_table):
    return new_table({"pk": "S"})


def update(table, key, expression, values=None, **extra):
    if values:
        extra["ExpressionAttributeValues"] = values
    return table.update_item(Key={"pk": key}, UpdateExpression=expression, **extra)


def load(table, key):
    return table.get_item(Key={"pk": key}, ConsistentRead=True).get("Item")


@pytest.mark.parametrize("name", UPDATES)
def test_update(table, key, name):
    before, expression, values, after = UPDATES[name]
    table.put_item(Item={"pk": key} | before)
    answer = update(table, key, expression, values, ReturnValues="ALL_NEW")
    assert answer["Attributes"] == {"pk": key} | after
    assert load(table, key) == {"pk": key} | after


def test_names_stand_for_reserved_words_and_odd_characters(table, key):
    table.put_item(Item={"pk": key, "status": {"a.b": 1}})
    update(
        table,
        key,
        "SET #s.#dot = :x, #blank = :x",
        {":x": 2},
        ExpressionAttributeNames={"#s": "status", "#dot": "a.b", "#blank": "with blank"},
    )
    assert load(table, key) == {"pk": key, "status": {"a.b": 2}, "with blank": 2}


def test_update_creates_the_item(table, key):
    update(table, key, "SET a = :x", {":x": 1})
    assert load(table, key) == {"pk": key, "a": 1}


def test_update_without_an_expression_creates_the_bare_item(table, key):
    table.update_item(Key={"pk": key})
    assert load(table, key) == {"pk": key}


def test_removing_from_an_absent_item_creates_nothing(table, key):
    assert "Attributes" not in update(table, key, "REMOVE a", ReturnValues="ALL_NEW")
    assert load(table, key) is None


BEFORE = {"a": 1, "b": 2, "m": {"x": 1, "y": 2}}
CHANGE = ("SET a = a + :one, c = :one, m.x = :one REMOVE b", {":one": 10})
RETURNED = {
    "NONE": None,
    "ALL_OLD": BEFORE,
    "UPDATED_OLD": {"a": 1, "b": 2, "m": {"x": 1}},
    "ALL_NEW": {"a": 11, "c": 10, "m": {"x": 10, "y": 2}},
    "UPDATED_NEW": {"a": 11, "c": 10, "m": {"x": 10}},
}


@pytest.mark.parametrize("mode", RETURNED)
def test_return_values(table, key, mode):
    table.put_item(Item={"pk": key} | BEFORE)
    answer = update(table, key, *CHANGE, ReturnValues=mode)
    expected = RETURNED[mode]
    if mode.startswith("ALL_"):
        expected = {"pk": key} | expected
    assert answer.get("Attributes") == expected


@pytest.mark.parametrize("mode", ["ALL_OLD", "UPDATED_OLD"])
def test_a_new_item_has_no_old_values(table, key, mode):
    assert "Attributes" not in update(table, key, "SET a = :x", {":x": 1}, ReturnValues=mode)


def test_updated_new_of_a_removal_is_left_out(table, key):
    table.put_item(Item={"pk": key, "a": 1})
    assert "Attributes" not in update(table, key, "REMOVE a", ReturnValues="UPDATED_NEW")


INVALID = {
    "key attribute": ("SET pk = :x", "Cannot update attribute pk. This attribute is part of the key"),
    "overlapping paths": ("SET m.a = :x REMOVE m", "Two document paths overlap with each other"),
    "same path twice": ("SET a = :x, a = :x", "Two document paths overlap with each other"),
    "clause twice": ("SET a = :x SET b = :x", 'The "SET" section can only be used once'),
    "unused value": ("REMOVE a", "Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}"),
    "reserved word": ("SET status = :x", "Attribute name is a reserved keyword; reserved keyword: status"),
    "syntax": ("SET a := :x", 'Syntax error; token: ":"'),
    "sum with a string": ("SET n = n + :x", "Incorrect operand type for operator or function; operator or function: +"),
    "add of a string": ("ADD n :x", "Incorrect operand type for operator or function; operator: ADD"),
    "missing source": ("SET a = absent REMOVE n ADD q :n", "refers to an attribute that does not exist in the item"),
    "path through nothing": ("SET absent.a = :x", "The document path provided in the update expression is invalid"),
    "path through a number": ("SET n.a = :x", "The document path provided in the update expression is invalid"),
    "stored type differs": ("SET t = t + :n", "An operand in the update expression has an incorrect data type"),
    "list_append to a string": ("SET t = list_append(t, :l)", "An operand in the update expression has an incorrect data type"),
    "add to a stored string": ("ADD t :n", "An operand in the update expression has an incorrect data type"),
}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_update_changes_nothing(table, key, name):
    expression, text = INVALID[name]
    item = {"pk": key, "n": 1, "t": "text", "m": {"a": 1}}
    table.put_item(Item=item)
    every = {":x": "x", ":n": 1, ":l": [1]}
    values = {name: value for name, value in every.items() if name in expression} or {":x": "x"}
    with fails("ValidationException", text):
        update(table, key, expression, values)
    assert load(table, key) == item


@pytest.mark.parametrize(
    "start, change, text",
    [
        ("9.9E+125", "9.9E+125", "Number overflow"),
        ("-9.9E+125", "-9.9E+125", "Number overflow"),
        # More than 38 digits in a result is an overflow to the service, too.
        ("1E+60", "1E-60", "Number overflow"),
    ],
)
def test_arithmetic_out_of_range_is_refused(client, table, key, start, change, text):
    address = {"TableName": table.name, "Key": {"pk": {"S": key}}}
    client.put_item(TableName=table.name, Item={"pk": {"S": key}, "a": {"N": start}})
    with fails("ValidationException", text):
        client.update_item(
            **address,
            UpdateExpression="SET a = a + :c",
            ExpressionAttributeValues={":c": {"N": change}},
        )
    kept = client.get_item(**address, ConsistentRead=True)["Item"]["a"]["N"]
    assert Decimal(kept) == Decimal(start)


def test_legacy_attribute_updates(table, key):
    table.put_item(Item={"pk": key, "a": 1, "b": 2, "s": {"x", "y"}})
    changes = {
        "a": {"Action": "ADD", "Value": 4},
        "b": {"Action": "DELETE"},
        "s": {"Action": "DELETE", "Value": {"x"}},
        "c": {"Value": "put"},
    }
    with if_supported():
        table.update_item(Key={"pk": key}, AttributeUpdates=changes)
    assert load(table, key) == {"pk": key, "a": 5, "s": {"y"}, "c": "put"}
