"""Conditions on PutItem, DeleteItem and UpdateItem, and what a failed condition gives back."""

import pytest
from boto3.dynamodb.conditions import Attr

from support import fails

STORED = {
    "name": "bicycle",
    "price": 120,
    "tags": {"red", "fast"},
    "parts": ["wheel", "chain"],
    "maker": {"city": "Gent", "since": 1921},
    "sold": False,
    "nothing": None,
    "digest": b"\x01\x80",
}

HOLDS = {
    "equal": ("price = :v", 120),
    "not equal": ("price <> :v", 119),
    "not equal to another type": ("price <> :v", "120"),
    "less": ("price < :v", 121),
    "at most": ("price <= :v", 120),
    "greater": ("price > :v", 119),
    "at least": ("price >= :v", 120),
    "binary compares unsigned": ("digest > :v", b"\x01\x7f"),
    "between includes the bounds": ("price BETWEEN :v AND :v", 120),
    "in": ("price IN (#n, :v)", 120),
    "exists": ("attribute_exists(maker.city)", None),
    "not exists": ("attribute_not_exists(maker.street)", None),
    "type": ("attribute_type(parts, :v)", "L"),
    "type of null": ("attribute_type(nothing, :v)", "NULL"),
    "begins": ("begins_with(#n, :v)", "bi"),
    "contains substring": ("contains(#n, :v)", "cyc"),
    "contains set element": ("contains(tags, :v)", "red"),
    "contains list element": ("contains(parts, :v)", "chain"),
    "size of string": ("size(#n) = :v", 7),
    "size of list": ("size(parts) = :v", 2),
    "size of map": ("size(maker) = :v", 2),
    "size of set": ("size(tags) = :v", 2),
    "list index": ("parts[1] = :v", "chain"),
    "sets are equal in any order": ("tags = :v", {"fast", "red"}),
    "maps are equal": ("maker = :v", {"since": 1921, "city": "Gent"}),
    "not": ("NOT price = :v", 1),
    "and binds before or": ("price = :v OR price = :v AND sold = :v", 120),
    "parentheses": ("(price = :v OR attribute_exists(zero)) AND NOT (attribute_exists(zero))", 120),
    "keywords in any case": ("nOt price = :v aNd attribute_exists(tags)", 1),
}

FAILS = {
    "a missing attribute equals nothing": ("absent = :v", 1),
    "a missing attribute is not less": ("absent < :v", 1),
    "another type is not equal": ("price = :v", "120"),
    "another type is not less": ("price < :v", "zzz"),
    "index past the end": ("parts[2] = :v", "chain"),
    "contains is exact in a list": ("contains(parts, :v)", "cha"),
    "and binds before or": ("(price = :v OR price = :v) AND sold = :v", 120),
    "begins with of a number": ("begins_with(price, :v)", "1"),
}


@pytest.fixture(scope="module")
def table(new_table):
    return new_table({"pk": "S"})


@pytest.fixture
def stored(table, key):
    table.put_item(Item={"pk": key} | STORED)
    return key


def condition(expression, value):
    parameters = {"ConditionExpression": expression}
    if ":v" in expression:
        parameters["ExpressionAttributeValues"] = {":v": value}
    if "#n" in expression:
        parameters["ExpressionAttributeNames"] = {"#n": "name"}
    return parameters


def exists(table, key):
    return "Item" in table.get_item(Key={"pk": key}, ConsistentRead=True)


@pytest.mark.parametrize("name", HOLDS)
def test_a_condition_that_holds_lets_the_delete_through(table, stored, name):
    table.delete_item(Key={"pk": stored}, **condition(*HOLDS[name]))
    assert not exists(table, stored)


@pytest.mark.parametrize("name", FAILS)
def test_a_condition_that_fails_keeps_the_item(table, stored, name):
    with fails("ConditionalCheckFailedException", "The conditional request failed"):
        table.delete_item(Key={"pk": stored}, **condition(*FAILS[name]))
    assert exists(table, stored)


def test_put_if_absent_succeeds_once(table, key):
    absent = Attr("pk").not_exists()
    table.put_item(Item={"pk": key, "by": "first"}, ConditionExpression=absent)
    with fails("ConditionalCheckFailedException"):
        table.put_item(Item={"pk": key, "by": "second"}, ConditionExpression=absent)
    assert table.get_item(Key={"pk": key}, ConsistentRead=True)["Item"]["by"] == "first"


def test_update_only_if_it_exists_creates_nothing(table, key):
    with fails("ConditionalCheckFailedException"):
        table.update_item(
            Key={"pk": key},
            UpdateExpression="SET a = :a",
            ConditionExpression="attribute_exists(pk)",
            ExpressionAttributeValues={":a": 1},
        )
    assert not exists(table, key)


def test_conditions_built_from_attr_objects(table, stored):
    matching = Attr("price").between(100, 200) & Attr("tags").contains("red") & ~Attr("sold").eq(True)
    failing = Attr("maker.city").begins_with("X") | Attr("parts").size().gt(5)
    with fails("ConditionalCheckFailedException"):
        table.delete_item(Key={"pk": stored}, ConditionExpression=failing)
    table.delete_item(Key={"pk": stored}, ConditionExpression=matching)
    assert not exists(table, stored)


WRITES = {
    "put": lambda table, key, **extra: table.put_item(Item={"pk": key, "x": 1}, **extra),
    "delete": lambda table, key, **extra: table.delete_item(Key={"pk": key}, **extra),
    "update": lambda table, key, **extra: table.update_item(
        Key={"pk": key}, UpdateExpression="REMOVE price", **extra
    ),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_failed_condition_gives_the_item_when_asked(table, stored, write):
    with pytest.raises(table.meta.client.exceptions.ConditionalCheckFailedException) as caught:
        WRITES[write](
            table,
            stored,
            ConditionExpression="attribute_not_exists(pk)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    returned = caught.value.response["Item"]
    assert returned["pk"] == {"S": stored}
    assert returned["price"] == {"N": "120"}
    assert returned["maker"] == {"M": {"city": {"S": "Gent"}, "since": {"N": "1921"}}}
    assert set(returned) == {"pk"} | set(STORED)


@pytest.mark.parametrize("write", WRITES)
def test_a_failed_condition_gives_no_item_unasked(table, stored, write):
    with fails("ConditionalCheckFailedException") as caught:
        WRITES[write](table, stored, ConditionExpression="attribute_not_exists(pk)")
    assert "Item" not in caught.error.response


def test_a_failed_condition_on_an_absent_item_gives_none(table, key):
    with fails("ConditionalCheckFailedException") as caught:
        table.delete_item(
            Key={"pk": key},
            ConditionExpression="attribute_exists(pk)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    assert "Item" not in caught.error.response


def test_put_returns_the_replaced_item(table, key):
    assert "Attributes" not in table.put_item(Item={"pk": key, "n": 1}, ReturnValues="ALL_OLD")
    replaced = table.put_item(Item={"pk": key, "m": 2}, ReturnValues="ALL_OLD")
    assert replaced["Attributes"] == {"pk": key, "n": 1}
    assert "Attributes" not in table.put_item(Item={"pk": key}, ReturnValues="NONE")


def test_delete_returns_the_deleted_item(table, stored):
    deleted = table.delete_item(Key={"pk": stored}, ReturnValues="ALL_OLD")
    assert deleted["Attributes"]["name"] == "bicycle"
    assert "Attributes" not in table.delete_item(Key={"pk": stored}, ReturnValues="ALL_OLD")


@pytest.mark.parametrize("mode", ["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"])
def test_put_and_delete_know_only_the_old_item(table, stored, mode):
    with fails("ValidationException"):
        table.put_item(Item={"pk": stored}, ReturnValues=mode)
    with fails("ValidationException"):
        table.delete_item(Key={"pk": stored}, ReturnValues=mode)
    assert exists(table, stored)


INVALID = {
    "syntax": ("price = ", "Invalid ConditionExpression: Syntax error; token: \"<EOF>\""),
    "reserved word": ("name = :v", "Attribute name is a reserved keyword; reserved keyword: name"),
    "undefined value": ("price = :w", "An expression attribute value used in expression is not defined"),
    "undefined name": ("#x = :v", "An expression attribute name used in the document path is not defined"),
    "unknown function": ("exists(price)", "Invalid function name; function: exists"),
    "operand type": ("begins_with(price, :v)", "Incorrect operand type for operator or function"),
}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_condition_is_refused(table, stored, name):
    expression, text = INVALID[name]
    values = {} if ":v" not in expression else {"ExpressionAttributeValues": {":v": 1}}
    with fails("ValidationException", text):
        table.delete_item(Key={"pk": stored}, ConditionExpression=expression, **values)
    assert exists(table, stored)
