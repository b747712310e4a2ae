"""Every attribute type goes in and comes out as it was; what is no value is refused."""

from decimal import Decimal

import pytest
from boto3.dynamodb.types import Binary

from support import fails

ALL_TYPES = {
    "string": {"S": "plain, ünïcödé, 漢字, 🚲, \"quoted\" \\ back\n\ttab \u0000 end"},
    "number": {"N": "-12.5"},
    "binary": {"B": bytes(range(256))},
    "yes": {"BOOL": True},
    "no": {"BOOL": False},
    "nothing": {"NULL": True},
    "map": {"M": {"inner": {"S": "v"}, "empty": {"M": {}}, "deeper": {"M": {"n": {"N": "1"}}}}},
    "list": {"L": [{"S": "a"}, {"N": "2"}, {"L": []}, {"BOOL": False}, {"B": b"\x00\xff"}]},
    "string set": {"SS": ["a", "ä", "b"]},
    "number set": {"NS": ["-1", "0", "3.14"]},
    "binary set": {"BS": [b"\x00", b"\x00\x00", b"\xff"]},
    "empty string": {"S": ""},
    "empty binary": {"B": b""},
}


@pytest.fixture(scope="module")
def table(new_table):
    return new_table({"pk": "S"})


def unordered(value):
    """Sets have no order on the wire; everything else must come back exactly."""
    ((kind, content),) = value.items()
    return (kind, sorted(content) if kind in ("SS", "NS", "BS") else content)


def store_and_load(client, table, key, value):
    client.put_item(TableName=table.name, Item={"pk": {"S": key}, "v": value})
    loaded = client.get_item(TableName=table.name, Key={"pk": {"S": key}}, ConsistentRead=True)
    return loaded["Item"]["v"]


@pytest.mark.parametrize("name", ALL_TYPES)
def test_each_type_round_trips_through_the_client(client, table, key, name):
    loaded = store_and_load(client, table, key, ALL_TYPES[name])
    assert unordered(loaded) == unordered(ALL_TYPES[name])


def test_an_item_of_all_types_round_trips_at_once(client, table, key):
    item = {"pk": {"S": key}} | ALL_TYPES
    client.put_item(TableName=table.name, Item=item)
    loaded = client.get_item(TableName=table.name, Key={"pk": {"S": key}}, ConsistentRead=True)["Item"]
    assert {name: unordered(value) for name, value in loaded.items()} == {
        name: unordered(value) for name, value in item.items()
    }


def test_native_python_values_round_trip_through_the_table(table, key):
    item = {
        "pk": key,
        "integer": 42,
        "decimal": Decimal("0.1"),
        "binary": Binary(b"\x00\x01\xfe\xff"),
        "truth": True,
        "none": None,
        "strings": {"x", "y"},
        "numbers": {1, Decimal("2.5")},
        "binaries": {Binary(b"a"), Binary(b"b")},
        "nested": {"list": [1, "two", {"three": [None, False]}], "map": {}},
    }
    table.put_item(Item=item)
    assert table.get_item(Key={"pk": key}, ConsistentRead=True)["Item"] == item


@pytest.mark.parametrize(
    "number",
    [
        "0",
        "12345678901234567890123456789012345678",
        "-0.12345678901234567890123456789012345678",
        "1234567890123456789.0123456789012345678",
        "1E-130",
        "-1E-130",
    ],
)
def test_decimals_keep_38_digits(table, key, number):
    table.put_item(Item={"pk": key, "n": Decimal(number)})
    assert table.get_item(Key={"pk": key}, ConsistentRead=True)["Item"]["n"] == Decimal(number)


@pytest.mark.parametrize("sign", ["", "-"])
def test_the_largest_number_keeps_its_value(client, table, key, sign):
    # Through the client: boto3's own Decimal context cannot read a number written in 126 digits.
    largest = sign + "9." + "9" * 37 + "E+125"
    assert Decimal(store_and_load(client, table, key, {"N": largest})["N"]) == Decimal(largest)


@pytest.mark.parametrize(
    "spelling, canonical",
    [
        ("00042", "42"),
        ("+7", "7"),
        ("-0", "0"),
        ("0.0", "0"),
        ("3.1400", "3.14"),
        ("1.5E2", "150"),
        ("1e-3", "0.001"),
        (".5", "0.5"),
        ("-120e-1", "-12"),
        ("1" + "0" * 50, "1" + "0" * 50),
    ],
)
def test_numbers_come_back_in_one_canonical_spelling(client, table, key, spelling, canonical):
    assert store_and_load(client, table, key, {"N": spelling}) == {"N": canonical}


BAD_VALUES = {
    "39 digits": ({"N": "1" * 39}, "Attempting to store more than 38 significant digits in a Number"),
    "too large": ({"N": "1E126"}, "Number overflow"),
    "too large and negative": ({"N": "-1E126"}, "Number overflow"),
    "too small": ({"N": "1E-131"}, "Number underflow"),
    "no number": ({"N": "twelve"}, "cannot be converted to a numeric value"),
    "empty number": ({"N": ""}, "cannot be converted to a numeric value"),
    "not a number": ({"N": "NaN"}, "cannot be converted to a numeric value"),
    "empty string set": ({"SS": []}, "An string set  may not be empty"),
    "empty number set": ({"NS": []}, "An number set  may not be empty"),
    "string twice in a set": ({"SS": ["a", "b", "a"]}, "contains duplicates"),
    "equal numbers in a set": ({"NS": ["1", "1.0"]}, "contains duplicates"),
    "bad number inside a list": ({"L": [{"N": "1E126"}]}, "Number overflow"),
}


@pytest.mark.parametrize("name", BAD_VALUES)
def test_what_is_no_value_is_refused(client, table, key, name):
    value, text = BAD_VALUES[name]
    with fails("ValidationException", text):
        client.put_item(TableName=table.name, Item={"pk": {"S": key}, "v": value})
    assert "Item" not in table.get_item(Key={"pk": key}, ConsistentRead=True)


def nested(levels):
    """A document whose innermost value sits at the given level; a plain attribute is level 1."""
    value = {"S": "bottom"}
    for level in range(levels - 1):
        value = {"L": [value]} if level % 2 else {"M": {"d": value}}
    return value


def test_documents_nest_to_32_levels(client, table, key):
    assert store_and_load(client, table, key, nested(32)) == nested(32)


def test_deeper_documents_are_refused(client, table, key):
    # Two levels more: whether the value inside the 32nd container is still level 32 is not documented.
    with fails("ValidationException", "Nesting Levels have exceeded supported limits"):
        client.put_item(TableName=table.name, Item={"pk": {"S": key}, "v": nested(34)})


def sized_item(key, size):
    return {"pk": key, "body": "x" * (size - len("pk") - len(key) - len("body"))}


def test_an_item_may_have_exactly_400_kib(table, key):
    item = sized_item(key, 400 * 1024)
    table.put_item(Item=item)
    assert table.get_item(Key={"pk": key}, ConsistentRead=True)["Item"] == item


def test_one_byte_more_than_400_kib_is_refused(table, key):
    with fails("ValidationException", "Item size has exceeded the maximum allowed size"):
        table.put_item(Item=sized_item(key, 400 * 1024 + 1))


def test_an_update_may_not_grow_an_item_over_400_kib(table, key):
    table.put_item(Item=sized_item(key, 400 * 1024 - 8))
    with fails("ValidationException", "Item size to update has exceeded the maximum allowed size"):
        table.update_item(
            Key={"pk": key},
            UpdateExpression="SET more = :m",
            ExpressionAttributeValues={":m": "12345"},
        )
    assert "more" not in table.get_item(Key={"pk": key}, ConsistentRead=True)["Item"]


def test_keys_that_are_equal_as_numbers_are_one_key(client, new_table):
    table = new_table({"pk": "N"})
    client.put_item(TableName=table.name, Item={"pk": {"N": "1.0"}, "v": {"S": "first"}})
    client.put_item(TableName=table.name, Item={"pk": {"N": "10e-1"}, "v": {"S": "second"}})
    assert table.scan(ConsistentRead=True)["Items"] == [{"pk": 1, "v": "second"}]


def test_binary_keys_are_compared_byte_by_byte(new_table):
    table = new_table({"pk": "B", "sk": "B"})
    sorts = [b"\x00", b"\x00\x00", b"\x7f", b"\x80", b"\xff"]
    for sort in reversed(sorts):
        table.put_item(Item={"pk": b"\x00\xff", "sk": sort})
    found = table.query(
        KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": b"\x00\xff"}, ConsistentRead=True
    )["Items"]
    assert [bytes(item["sk"].value) for item in found] == sorts
