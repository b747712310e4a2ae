"""PartiQL: INSERT, UPDATE, DELETE, what they return and what they cost."""

import re

import pytest

from statements import A, DUPLICATE, FAILED, INVALID, ONE, WHOLE_KEY, post, put, run, stored, units
from wire import assert_error, assert_invalid


def test_insert(db, hash_table, pk):
    statement = (
        f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{pk}', 'n': -1.50e1, 's': 'it''s', 't': true, 'z': null, "
        "'l': [1, 'a', []], 'm': {'k': {'v': 2}}, 'ss': <<'a', 'b'>>, 'ns': <<1, 2>>}")
    assert run(db, statement) == {"Items": []}
    item = stored(db, hash_table, pk=pk)
    assert sorted(item.pop("ss")["SS"]) == ["a", "b"]
    assert sorted(item.pop("ns")["NS"]) == ["1", "2"]
    assert item == {
        "pk": {"S": pk}, "n": {"N": "-15"}, "s": {"S": "it's"}, "t": {"BOOL": True}, "z": {"NULL": True},
        "l": {"L": [ONE, A, {"L": []}]}, "m": {"M": {"k": {"M": {"v": {"N": "2"}}}}}}


def test_insert_of_parameters(db, hash_table, pk):
    values = [{"S": pk}, {"B": "AA=="}, {"M": {"a": {"L": [A]}}}]
    run(db, f"INSERT INTO \"{hash_table}\" VALUE {{'pk': ?, 'b': ?, 'm': ?}}", *values)
    assert stored(db, hash_table, pk=pk) == {"pk": values[0], "b": values[1], "m": values[2]}


def test_insert_over_an_item(db, hash_table, pk):
    item = put(db, hash_table, pk=pk, x="old")
    answer = post(db, f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{pk}'}}")
    assert_error(answer, "DuplicateItemException", DUPLICATE)
    assert stored(db, hash_table, pk=pk) == item


INSERT_REFUSED = {
    "{'x': 1}": INVALID + "Missing the key pk in the item",
    "{'pk': ''}":
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
        "string value. Key: pk",
    "{'pk': 1}": INVALID + "Type mismatch for key pk expected: S actual: N",
}


@pytest.mark.parametrize("value", INSERT_REFUSED)
def test_insert_refused(db, hash_table, value):
    """The wordings that begin with "Key attribute" are an emulator's; which one the service uses is not known."""
    answer = post(db, f'INSERT INTO "{hash_table}" VALUE {value}')
    assert_invalid(answer, re.compile(re.escape(INSERT_REFUSED[value]) + "|Key attribute.*"))


UPDATES = {
    "SET x = 2": {"x": {"N": "2"}},
    "SET x = x + 1": {"x": {"N": "2"}},
    "SET x = x - 3": {"x": {"N": "-2"}},
    "SET y = x": {"y": ONE},
    "SET y = 'new' SET z = true": {"y": {"S": "new"}, "z": {"BOOL": True}},
    "SET y = 'new' REMOVE x": {"y": {"S": "new"}, "x": None},
    "REMOVE x": {"x": None},
    "REMOVE zzz": {},
    "SET m.k = 'new'": {"m": {"M": {"k": {"S": "new"}}}},
    "REMOVE m.k": {"m": {"M": {}}},
    "SET l[0] = 'first'": {"l": {"L": [{"S": "first"}, A]}},
    "SET l[9] = 'last'": {"l": {"L": [ONE, A, {"S": "last"}]}},
    "REMOVE l[0]": {"l": {"L": [A]}},
    "SET l = list_append(l, [2])": {"l": {"L": [ONE, A, {"N": "2"}]}},
    "SET s = set_add(s, <<'b'>>)": {"s": {"SS": ["a", "b"]}},
    "SET s = set_delete(s, <<'a'>>)": {"s": None},
}


@pytest.mark.parametrize("clause", UPDATES)
def test_update(db, hash_table, pk, clause):
    item = put(db, hash_table, pk=pk, x=ONE, m={"M": {"k": A}}, l={"L": [ONE, A]}, s={"SS": ["a"]})
    assert run(db, f"UPDATE \"{hash_table}\" {clause} WHERE pk = '{pk}'") == {"Items": []}
    wanted = {k: v for k, v in {**item, **UPDATES[clause]}.items() if v is not None}
    after = stored(db, hash_table, pk=pk)
    if "s" in after:
        after["s"]["SS"].sort()
    assert after == wanted


def test_update_of_parameters(db, hash_table, pk):
    put(db, hash_table, pk=pk)
    run(db, f'UPDATE "{hash_table}" SET x = ? SET y = ? WHERE pk = ?', ONE, {"L": [A]}, {"S": pk})
    assert stored(db, hash_table, pk=pk) == {"pk": {"S": pk}, "x": ONE, "y": {"L": [A]}}


def test_update_written_the_other_way_round(db, hash_table, pk):
    put(db, hash_table, pk=pk, x=ONE)
    run(db, f"FROM \"{hash_table}\" WHERE pk = '{pk}' SET y = 'b' REMOVE x")
    assert stored(db, hash_table, pk=pk) == {"pk": {"S": pk}, "y": {"S": "b"}}


def test_update_of_nothing(db, hash_table, pk):
    answer = post(db, f"UPDATE \"{hash_table}\" SET x = 1 WHERE pk = '{pk}'")
    assert_error(answer, "ConditionalCheckFailedException", FAILED)
    assert stored(db, hash_table, pk=pk) is None


UPDATE_FAULTS = {
    "SET x = zzz + 1": "The provided expression refers to an attribute that does not exist in the item",
    "SET x = list_append(zzz, [1])": "The provided expression refers to an attribute that does not exist in the item",
    "SET x = t + 1": "An operand in the update expression has an incorrect data type",
    "SET zzz.a = 1": "The document path provided in the update expression is invalid for update",
    "SET pk = 'b'": INVALID + "Cannot update attribute pk. This attribute is part of the key",
}


@pytest.mark.parametrize("clause", UPDATE_FAULTS)
def test_update_refused(db, hash_table, pk, clause):
    put(db, hash_table, pk=pk, t="text")
    assert_invalid(post(db, f"UPDATE \"{hash_table}\" {clause} WHERE pk = '{pk}'"), UPDATE_FAULTS[clause])


def test_delete(db, hash_table, pk):
    put(db, hash_table, pk=pk)
    statement = f"DELETE FROM \"{hash_table}\" WHERE pk = '{pk}'"
    assert run(db, statement) == {"Items": []}
    assert stored(db, hash_table, pk=pk) is None
    assert run(db, statement) == {"Items": []}
    assert run(db, statement + " AND x = 1") == {"Items": []}


CONDITIONAL = {
    "update": "UPDATE \"{}\" SET x = 2 WHERE pk = '{}' AND x = 5",
    "delete": "DELETE FROM \"{}\" WHERE pk = '{}' AND x = 5",
}


@pytest.mark.parametrize("statement", CONDITIONAL.values(), ids=CONDITIONAL.keys())
def test_further_conditions(db, hash_table, pk, statement):
    item = put(db, hash_table, pk=pk, x=ONE)
    statement = statement.format(hash_table, pk)
    answer = post(db, statement)
    assert_error(answer, "ConditionalCheckFailedException", FAILED)
    assert "Item" not in answer.json()
    answer = post(db, statement, ReturnValuesOnConditionCheckFailure="ALL_OLD")
    assert_error(answer, "ConditionalCheckFailedException", FAILED)
    assert answer.json()["Item"] == item
    assert stored(db, hash_table, pk=pk) == item
    run(db, statement.replace("x = 5", "x = 1"))
    assert stored(db, hash_table, pk=pk) != item


@pytest.mark.parametrize("statement", [
    "UPDATE \"{}\" SET x = 1 WHERE pk = 'a'", "UPDATE \"{}\" SET x = 1 WHERE pk = 'a' AND sk > 'a'",
    "DELETE FROM \"{}\" WHERE pk = 'a'", "DELETE FROM \"{}\" WHERE sk = 'a'", "FROM \"{}\" WHERE pk = 'a' SET x = 1",
])
def test_a_write_needs_the_whole_key(db, range_table, statement):
    assert_invalid(post(db, statement.format(range_table)), WHOLE_KEY)


RETURNING = {
    "ALL OLD": {"pk": True, "x": ONE, "m": {"M": {"k": A, "o": A}}},
    "ALL NEW": {"pk": True, "x": {"N": "2"}, "m": {"M": {"k": {"S": "b"}, "o": A}}},
    "MODIFIED OLD": {"x": ONE, "m": {"M": {"k": A}}},
    "MODIFIED NEW": {"x": {"N": "2"}, "m": {"M": {"k": {"S": "b"}}}},
}


@pytest.mark.parametrize("kind", RETURNING)
def test_returning(db, hash_table, pk, kind):
    put(db, hash_table, pk=pk, x=ONE, m={"M": {"k": A, "o": A}})
    wanted = {**RETURNING[kind]}
    if "pk" in wanted:
        wanted["pk"] = {"S": pk}
    statement = f"UPDATE \"{hash_table}\" SET x = 2 SET m.k = 'b' WHERE pk = '{pk}' RETURNING {kind} *"
    assert run(db, statement) == {"Items": [wanted]}


def test_returning_of_a_delete(db, hash_table, pk):
    item = put(db, hash_table, pk=pk, x=ONE)
    statement = f"DELETE FROM \"{hash_table}\" WHERE pk = '{pk}' RETURNING ALL OLD *"
    assert run(db, statement) == {"Items": [item]}
    assert run(db, statement) == {"Items": []}


def test_a_delete_returns_all_or_nothing(db, hash_table):
    assert_invalid(
        post(db, f"DELETE FROM \"{hash_table}\" WHERE pk = 'a' RETURNING MODIFIED OLD *"),
        "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.")


def test_capacity(db, hash_table, rows, pk):
    def consumed(statement, level="TOTAL", **members):
        return units(run(db, statement, ReturnConsumedCapacity=level, **members))

    assert "ConsumedCapacity" not in run(db, f"SELECT * FROM \"{hash_table}\" WHERE pk = '{pk}'")
    where = f"WHERE pk = '{pk}'"
    assert consumed(f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{pk}', 'x': '{'x' * 1500}'}}") == {
        "TableName": hash_table, "CapacityUnits": 2}
    assert consumed(f'SELECT pk FROM "{hash_table}" {where}') == {"TableName": hash_table, "CapacityUnits": 0.5}
    assert consumed(f'SELECT * FROM "{hash_table}" {where}', ConsistentRead=True) == {
        "TableName": hash_table, "CapacityUnits": 1}
    assert consumed(f'UPDATE "{hash_table}" REMOVE x {where}', "INDEXES") == {
        "TableName": hash_table, "CapacityUnits": 2, "Table": {"CapacityUnits": 2}}
    assert consumed(f'DELETE FROM "{hash_table}" {where}') == {"TableName": hash_table, "CapacityUnits": 1}
    assert consumed(f'SELECT * FROM "{rows}" WHERE pk = \'a\' AND x = 0') == {
        "TableName": rows, "CapacityUnits": 0.5}
