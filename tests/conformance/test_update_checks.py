"""UpdateItem: what is refused for its keys and indexes, in which order, and what a new item's update can read."""

import re

import pytest

from conftest import attribute, schema
from wire import assert_error, assert_invalid

INVALID = "One or more parameter values were invalid: "
SCALARS = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
UNSUPPORTED = "The update expression attempted to update the secondary index key to unsupported type"
MISSING = "The provided expression refers to an attribute that does not exist in the item"
PART_OF_KEY = INVALID + "Cannot update attribute {}. This attribute is part of the key"
VALUES = {":s": {"S": "a"}, ":n": {"N": "1"}, ":l": {"L": []}, ":ns": {"NS": ["1"]}}


def mismatch(name, actual, index):
    return INVALID + f"Type mismatch for Index Key {name} Expected: S Actual: {actual} IndexName: {index}"


@pytest.fixture(scope="module")
def table(create):
    """Keys `pk`, `sk`; LSI `local` on `l`; GSI `global` on `g`, `global2` on `g` and `h`; all of them strings."""
    everything = {"ProjectionType": "ALL"}
    return create(
        "checks", {"pk": "S", "sk": "S"}, more_definitions=[attribute("l"), attribute("g"), attribute("h")],
        LocalSecondaryIndexes=[{"IndexName": "local", "KeySchema": schema("pk", "l"), "Projection": everything}],
        GlobalSecondaryIndexes=[
            {"IndexName": "global", "KeySchema": schema("g"), "Projection": everything},
            {"IndexName": "global2", "KeySchema": schema("g", "h"), "Projection": everything}])


def request(table, key, expression, **members):
    names = set(re.findall(r":\w+", expression))
    if names:
        members["ExpressionAttributeValues"] = {n: VALUES[n] for n in names}
    return {"TableName": table, "Key": key, "UpdateExpression": expression, **members}


def update(db, *arguments, **members):
    return db.post("UpdateItem", request(*arguments, **members))


@pytest.fixture
def both(unique):
    return {"pk": {"S": unique("key")}, "sk": {"S": "s"}}


# In the order in which they are found: the keys, the types of index keys, paths into keys.
REFUSED = {
    "SET pk = :s": PART_OF_KEY.format("pk"),
    "REMOVE sk": PART_OF_KEY.format("sk"),
    "SET sk = :s, pk = :s": PART_OF_KEY.format("pk"),
    "ADD pk.x :n": PART_OF_KEY.format("pk"),
    "REMOVE sk[0]": PART_OF_KEY.format("sk"),
    "SET g = :n, sk.x = :s": PART_OF_KEY.format("sk"),
    "SET pk = pk.x + pk[1]": PART_OF_KEY.format("pk"),
    "SET g = :n": mismatch("g", "N", "global"),
    "SET l = :n": mismatch("l", "N", "local"),
    "SET h = :l, g = :n": mismatch("g", "N", "global"),
    "SET h = :n": mismatch("h", "N", "global2"),
    "ADD g :n": mismatch("g", "N", "global"),
    "ADD g :ns": mismatch("g", "NS", "global"),
    "SET g = x + :n": mismatch("g", "N", "global"),
    "SET g = :n - x": mismatch("g", "N", "global"),
    "SET g = list_append(x, :l)": mismatch("g", "L", "global"),
    "SET g = if_not_exists(g, :n)": mismatch("g", "N", "global"),
    "SET x = l.y, g = :n": mismatch("g", "N", "global"),
    "SET l[0] = :n, g = :n": mismatch("g", "N", "global"),
    "SET x = pk.y": SCALARS + "Key: pk",
    "SET x = if_not_exists(y, sk[0])": SCALARS + "Key: sk",
    "SET x = list_append(y, g.z)": SCALARS + "IndexKey: g",
    "SET x = if_not_exists(l.y, :s)": SCALARS + "IndexKey: l",
    "SET l[1] = :s": SCALARS + "IndexKey: l",
    "ADD g.x :n": SCALARS + "IndexKey: g",
}


@pytest.mark.parametrize("expression", REFUSED)
def test_refused(db, table, both, expression):
    assert_invalid(update(db, table, both, expression), REFUSED[expression])
    failing = update(db, table, both, expression, ConditionExpression="attribute_exists(pk)")
    assert_invalid(failing, REFUSED[expression])


@pytest.mark.parametrize("expression", REFUSED)
def test_refused_in_a_transaction(db, table, both, expression):
    answer = db.post("TransactWriteItems", {"TransactItems": [{"Update": request(table, both, expression)}]})
    assert answer.code == "TransactionCanceledException"
    assert answer.json()["CancellationReasons"] == [{"Code": "ValidationError", "Message": REFUSED[expression]}]


@pytest.mark.parametrize("name", ["g", "h", "l"])
def test_a_type_that_only_the_item_shows(db, table, both, name):
    db.call("PutItem", TableName=table, Item={**both, "n": {"N": "1"}, "s": {"S": "a"}})
    assert_invalid(update(db, table, both, f"SET {name} = n"), UNSUPPORTED)
    assert_invalid(update(db, table, both, f"SET {name} = if_not_exists(n, :s)"), UNSUPPORTED)
    failing = update(db, table, both, f"SET {name} = n", ConditionExpression="attribute_exists(x)")
    assert_error(failing, "ConditionalCheckFailedException", "The conditional request failed")
    assert update(db, table, both, f"SET {name} = s").status == 200


# A new item has its key while it is made.
NEW = {
    "SET x = pk": {"x": "pk"},
    "SET x = sk, y = :s": {"x": "sk", "y": {"S": "a"}},
    "SET x = if_not_exists(y, pk)": {"x": "pk"},
    "SET x = if_not_exists(sk, :s)": {"x": "sk"},
    "SET g = pk, l = sk": {"g": "pk", "l": "sk"},
}


@pytest.mark.parametrize("expression", NEW)
def test_a_new_item_reads_its_key(db, table, both, expression):
    answer = update(db, table, both, expression, ReturnValues="ALL_NEW")
    assert answer.status == 200, answer.body
    wanted = {k: both[v] if isinstance(v, str) else v for k, v in NEW[expression].items()}
    assert answer.json()["Attributes"] == {**both, **wanted}


@pytest.mark.parametrize("expression, text", [
    ("SET x = y", MISSING), ("SET x = if_not_exists(y, z)", MISSING),
    ("SET x = pk + :n", "An operand in the update expression has an incorrect data type"),
    ("SET x.y = pk", "The document path provided in the update expression is invalid for update")])
def test_a_new_item_has_nothing_else(db, table, both, expression, text):
    assert_invalid(update(db, table, both, expression), text)


ADD_OR_DELETE = (
    "1 validation error detected: Invalid UpdateExpression: Incorrect operand type for operator or function; operator: {}, "
    "operand type: {}, typeSet: ALLOWED_FOR_ADD_OPERAND")


@pytest.mark.parametrize("action, value, kind", [
    ("ADD", {"S": "x"}, "STRING"), ("ADD", {"BOOL": True}, "BOOL"), ("DELETE", {"L": [{"S": "m"}]}, "LIST"),
    ("DELETE", {"N": "1"}, "NUMBER"), ("DELETE", {"S": "a"}, "STRING")])
def test_operands_of_add_and_delete_are_looked_at_before_the_table(db, action, value, kind):
    answer = db.post("UpdateItem", {
        "TableName": "no-such-table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": f"{action} x :v",
        "ConditionExpression": "attribute_exists(zzz)", "ExpressionAttributeValues": {":v": value}})
    assert_invalid(answer, ADD_OR_DELETE.format(action, kind))


def test_the_types_that_attribute_type_knows(db):
    answer = db.post("PutItem", {
        "TableName": "no-such-table", "Item": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_type(x, :t)",
        "ExpressionAttributeValues": {":t": {"S": "STRING"}}})
    assert_invalid(
        answer, "1 validation error detected: Invalid ConditionExpression: Invalid attribute type name found; type: STRING, "
        "valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}")
