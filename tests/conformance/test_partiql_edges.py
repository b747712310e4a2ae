"""PartiQL: indexes and signs in texts, literals inside literals, conditions that repeat or contradict a key."""

import pytest

from conftest import attribute, schema
from statements import INVALID, batch, found, items, post, put, run, stored, transaction
from wire import assert_error, assert_invalid

DEEP = "Nesting Levels have exceeded supported limits under root"
OPERAND = "Incorrect operand type for operator or function; operator or function: {}, operand type: {}"
OVERLAP = "Overlapping conditions with range keys are not supported in where clause"
TOO_MANY = "Too many decomposed read operations for a given query."
KEY_TYPE = "Key attribute's data type should match its data type in table's schema: Key {}"
IN_TRANSACTION = "Validation failed in TransactStatements[0]: "


def many(count, quote="'"):
    return "[" + ", ".join(f"{quote}{n}{quote}" for n in range(count)) + "]"


REFUSED = {
    "SELECT l[-1] FROM {t} WHERE pk = 'a'": "List index is not within the allowable range; index: [-1] at 1:11:1",
    "SELECT l[2147483648] FROM {t} WHERE pk = 'a'":
        "List index is not within the allowable range; index: [2147483648] at 1:10:10",
    "UPDATE {t} SET n = 'a' + 1 WHERE pk = 'a' AND sk = 1 AND zzz = 1": OPERAND.format("+", "S"),
    "UPDATE {t} SET n = n - null WHERE pk = 'a' AND sk = 1 AND zzz = 1": OPERAND.format("-", "NULL"),
    "UPDATE {t} SET n = << 2, 2.0 >> WHERE pk = 'a' AND sk = 1":
        INVALID + "Input collection [2, 2.0] contains duplicates! under root",
    "UPDATE {t} SET n = << 'b', 'b' >> WHERE pk = 'a' AND sk = 1":
        INVALID + "Input collection [b, b] contains duplicates.",
    "UPDATE {t} SET n = " + "{{'a': " * 32 + "1" + "}}" * 32 + " WHERE pk = 'zzz' AND sk = 1": DEEP + ".a" * 32,
    "UPDATE {t} SET n = {{'a': " + "[" * 31 + "1" + "]" * 31 + "}} WHERE pk = 'zzz' AND sk = 1": DEEP + ".a" + "[0]" * 31,
    "UPDATE {t} SET y = 1 WHERE pk = 'a' AND sk = 1 AND pk = 'b'":
        "Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported",
    "DELETE FROM {t} WHERE pk = 'a' AND sk = 1 AND sk = 2":
        "Multiple conditions on same key sk. Only single item Update/Insert/Delete are supported",
    "SELECT * FROM {t} WHERE pk IN ['a', 'a']": OVERLAP,
    "SELECT * FROM {t} WHERE pk = 'a' OR pk = 'a'": OVERLAP,
    "SELECT * FROM {t} WHERE (pk = 'a' AND x = 1) OR (pk = 'a' AND x = 2)": OVERLAP,
    "SELECT * FROM {t} WHERE pk = 'a' AND (sk > 0 OR sk < 5)": OVERLAP,
    "SELECT * FROM {t} WHERE pk = 'a' AND (sk = 1 OR x = 2)": OVERLAP,
    "SELECT * FROM {t} WHERE pk = 1": KEY_TYPE.format("pk"),
    "SELECT * FROM {t} WHERE pk = 1 OR pk = 'a'": KEY_TYPE.format("pk"),
    "SELECT * FROM {t} WHERE pk = 'a' AND sk IN [1, '2']": KEY_TYPE.format("sk"),
    "SELECT * FROM {t} WHERE pk IN " + many(51): TOO_MANY,
    "SELECT * FROM {t} WHERE pk = 'a' AND sk IN " + many(51, ""): TOO_MANY,
    "SELECT * FROM {t} WHERE pk IN " + many(26) + " AND sk IN [1, 2]": TOO_MANY,
    "SELECT * FROM {t} WHERE pk = 'a' AND x IN " + many(101):
        "The IN operator is provided with too many operands; number of operands: 101",
}


@pytest.mark.parametrize("statement", REFUSED, ids=range(len(REFUSED)))
def test_refused(db, rows, statement):
    assert_invalid(post(db, statement.format(t=f'"{rows}"')), REFUSED[statement])


@pytest.mark.parametrize("statement, text", [
    ("UPDATE \"{t}\" SET n = " + "[" * 32 + "1" + "]" * 32 + " WHERE pk = 'zzz' AND sk = 1", DEEP + "[0]" * 32),
    ("UPDATE \"{t}\" SET n = n + [1] WHERE pk = 'a' AND sk = 1", OPERAND.format("+", "L"))])
def test_refused_in_a_transaction(db, rows, statement, text):
    assert_invalid(transaction(db, statement.format(t=rows)), IN_TRANSACTION + text)


@pytest.mark.parametrize("value, place", [("[?]", "root[0] at 1:{}:1"), ("{'k': ?}", "root.k at 1:{}:1")])
def test_a_parameter_is_no_part_of_a_literal(db, hash_table, value, place):
    statement = f'INSERT INTO "{hash_table}" VALUE {{\'pk\': \'a\', \'x\': {value}}}'
    answer = post(db, statement, {"S": "v"})
    column = statement.index("?") + 1
    assert_invalid(answer, f"Unsupported data type: Parameter under key {place.format(column)}")


def test_parameters_are_looked_at_before_the_statement(db):
    answer = post(db, "UPDATE tbl SET WHERE", {"SS": ["a", "a"]})
    assert_invalid(answer, INVALID + "Input collection [a, a] contains duplicates.")


@pytest.mark.parametrize("condition, wanted", [
    ("x = - - 10", ["a1"]), ("x > -/* c */-40", ["a5"]), ("x BETWEEN - 2 AND +15 AND x IN [- 1, 10]", ["a1"]),
    ("sk = 1 AND sk = 1", ["a1"]), ("sk = 1 AND sk > 0", ["a1"]), ("pk = 'a' AND sk IN [2]", ["a2"]),
    ("sk = 1 AND sk = 2", []), ("(sk = 1 OR sk = 2)", ["a1", "a2"]), ("(sk < 2 OR sk > 4 OR sk = 2)", ["a1", "a2", "a5"])])
def test_conditions(db, rows, condition, wanted):
    assert found(db, f'SELECT * FROM "{rows}" WHERE pk = \'a\' AND {condition}') == wanted


@pytest.mark.parametrize("condition, holds", [
    ("attribute_exists(zzz) = false", True), ("true = attribute_exists(x)", True), ("attribute_exists(x) <> 1", True),
    ("(x BETWEEN 0 AND 50) = true", True), ("(x = 5 OR s = 'y') = false", True),
    ("attribute_exists(zzz) IN [true, false]", True), ("attribute_exists(x) = attribute_exists(s)", True),
    ("attribute_exists(x) = b", False), ("attribute_exists(zzz) = b", True), ("attribute_exists(x) = 1", False),
    ("NOT attribute_exists(x) = true", False), ("(attribute_exists(x) = true) = false", False)])
def test_conditions_are_booleans(db, rows, condition, holds):
    statement = f'SELECT * FROM "{rows}" WHERE pk = \'a\' AND sk = 1 AND {condition}'
    assert found(db, statement) == (["a1"] if holds else [])


def test_conditions_have_no_order(db, rows):
    assert_invalid(
        post(db, f'SELECT * FROM "{rows}" WHERE pk = \'a\' AND attribute_exists(x) > false'), OPERAND.format(">", "BOOL"))


def test_the_first_of_a_list(db, rows):
    assert items(db, f'SELECT t[-0] FROM "{rows}" WHERE pk = \'a\' AND sk = 1') == [{"t[0]": {"S": "zero"}}]
    assert items(db, f'SELECT t[2147483647] FROM "{rows}" WHERE pk = \'a\' AND sk = 1') == [{}]


def test_signs_in_an_update(db, hash_table, pk):
    put(db, hash_table, pk=pk, n={"N": "1"})
    run(db, f"UPDATE \"{hash_table}\" SET n = n - - 2, l = [- 1] WHERE pk = '{pk}' AND pk = '{pk}'")
    assert stored(db, hash_table, pk=pk) == {"pk": {"S": pk}, "n": {"N": "3"}, "l": {"L": [{"N": "-1"}]}}


def test_reads_of_one_item(db, rows):
    select = f'SELECT sk FROM "{rows}" WHERE '
    one = {"Item": {"sk": {"N": "1"}}}
    for where in ("pk IN ['a'] AND sk IN [1]", "(sk = 1) AND pk = 'a' AND pk = 'a'"):
        answer = transaction(db, select + where)
        assert answer.json()["Responses"] == [one], answer.body
    answer = transaction(db, select + "pk IN ['b'] AND pk = 'a' AND sk = 1")
    assert_invalid(
        answer,
        IN_TRANSACTION + "Select statements within ExecuteTransaction must specify the primary key in the where clause.")
    responses = batch(
        db, select + "pk IN ['a'] AND sk = 1", select + "pk = 'a' AND sk = 1 AND x = 10",
        select + "pk = 'a' AND sk = 1 AND pk = 'b'").json()["Responses"]
    assert responses[0] == {"TableName": rows, **one}
    refused = "Select statements within BatchExecuteStatement must specify the primary key in the where clause."
    assert [r["Error"]["Message"] for r in responses[1:]] == [refused, refused]


def test_exists_takes_the_first_of_two_keys(db, rows, hash_table, pk):
    answer = transaction(
        db, f"EXISTS(SELECT * FROM \"{rows}\" WHERE pk = 'a' AND sk = 1 AND pk = 'b' AND x = 10)",
        f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{pk}'}}")
    assert_error(
        answer, "TransactionCanceledException",
        "Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed, None]")


@pytest.mark.parametrize("condition, names", [
    ("NOT (y = 1 OR held = 1)", "y"), ("b = '1' AND (a = '2' OR held = '3')", "a, b"),
    ("(zz = '1' OR aa = '2' OR mm = '3')", "zz, aa, mm")])
def test_filters_by_what_an_index_lacks(db, create, condition, names):
    table = create(
        "edges", {"pk": "S"}, more_definitions=[attribute("g")], GlobalSecondaryIndexes=[{
            "IndexName": "gsi", "KeySchema": schema("g"),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["held"]}}])
    select = f'SELECT pk FROM "{table}"."gsi" WHERE g = \'y\' AND '
    assert_invalid(
        post(db, select + condition),
        INVALID + f"Secondary index gsi does not project one or more filter attributes: [{names}]")
    for accepted in ("(held = 'a' OR held = 'b')", "(g = 'z' OR zz = '1')"):
        assert post(db, select + accepted).status == 200


def reasons(answer):
    assert answer.code == "TransactionCanceledException", answer.body
    return [(r["Code"], r.get("Message")) for r in answer.json()["CancellationReasons"]]


def test_faults_that_need_the_table_cancel_a_transaction(db, rows):
    none = ("None", None)
    schema_fault = ("ValidationError", "The provided key element does not match the schema")
    missing = ("ResourceNotFound", "Requested resource not found")
    update = f'UPDATE "{rows}" SET y = 1 WHERE '
    answer = transaction(
        db, update + "pk = 'a'", update + "pk IN ['a'] AND sk = 1", update + "pk = 'a' AND sk = 1 AND pk = 'b'",
        update + "pk = 'a' AND sk = 'x'", update + "pk = 'a' AND sk = 1", f'DELETE FROM "{rows}" WHERE sk = 1',
        "DELETE FROM \"no-such-table\" WHERE pk = 'a'")
    assert reasons(answer) == [schema_fault] * 4 + [none, schema_fault, missing]
    select = f'SELECT * FROM "{rows}" WHERE pk = \'a\' AND sk = '
    assert reasons(transaction(db, select + "1", select + "1", select + "'x'")) == [none, none, schema_fault]
    assert reasons(transaction(db, select + "1", select.replace(rows, "no-such-table") + "1")) == [none, missing]
