"""PartiQL: conditions that come apart at an OR or IN of a key, and which of several faults is told of."""

import pytest

from conftest import attribute, schema
from statements import INVALID, batch, found, items, post, put, transaction
from wire import assert_invalid

OVERLAP = "Overlapping conditions with range keys are not supported in where clause"
NOT_HELD = INVALID + "Secondary index gsi does not project one or more filter attributes: [{}]"
MISMATCH = ("ValidationError", "The provided key element does not match the schema")
NOT_FOUND = ("ResourceNotFound", "Requested resource not found")
NONE = ("None", None)


def reasons(answer):
    assert answer.code == "TransactionCanceledException", answer.body
    return [(r["Code"], r.get("Message")) for r in answer.json()["CancellationReasons"]]


@pytest.fixture(scope="module")
def indexed(db, create):
    """A table with an index that holds `held` and no other attribute."""
    name = create(
        "branches", {"pk": "S"}, more_definitions=[attribute("g")], GlobalSecondaryIndexes=[{
            "IndexName": "gsi", "KeySchema": schema("g"),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["held"]}}])
    put(db, name, pk="1", g="y", held="h", lost="l")
    put(db, name, pk="2", g="y2", held="h", lost="l")
    return name


@pytest.mark.parametrize("condition, names", [
    ("(g = 'y' OR g = 'z') AND zz = '1'", "zz"),
    ("(g = 'b' AND u1 = '1') OR (g = 'q' AND u2 = '1')", "u2"),
    ("(g = 'q' AND u1 = '1') OR (g = 'b' AND u2 = '1')", "u1"),
    ("g IN ['q', 'b'] AND (u1 = '1' OR held = '2')", "u1")])
def test_what_an_index_lacks_is_named_for_the_highest_partition(db, indexed, condition, names):
    assert_invalid(post(db, f'SELECT pk FROM "{indexed}".gsi WHERE {condition}'), NOT_HELD.format(names))


@pytest.mark.parametrize("condition, wanted", [
    ("(g = 'y' AND held = '1') OR (g = 'z' AND aa = '1')", []),
    ("(g = 'y' AND lost = 'l') OR (g = 'y2')", ["2"]),
    ("(g = 'y' AND held = 'h') OR (g = 'y2' AND lost IS MISSING)", ["1", "2"]),
    ("g > 'a' AND zz = '1'", []),
    ("g = 'y' AND (g = 'z' OR zz = '1')", []),
    ("g = 'y' AND (g = 'y2' OR held = 'h')", ["1"]),
    ("(g = 'y' AND zz = '1') OR held = 'h'", ["1", "2"])])
def test_a_branch_that_an_index_can_serve_lets_the_others_pass(db, indexed, condition, wanted):
    answer = items(db, f'SELECT pk FROM "{indexed}".gsi WHERE {condition}')
    assert sorted(item["pk"]["S"] for item in answer) == wanted


def test_overlaps_come_before_what_an_index_lacks(db, indexed):
    statement = f"SELECT pk FROM \"{indexed}\".gsi WHERE (g = 'y' AND zz = '1') OR (g = 'y' AND aa = '1')"
    assert_invalid(post(db, statement), OVERLAP)


@pytest.mark.parametrize("condition, wanted", [
    ("(pk = 'a' AND sk = 1) OR (pk = 'a' AND sk = 2)", ["a1", "a2"]),
    ("pk = 'a' AND sk IN [5, 1]", ["a1", "a5"]),
    ("pk IN ['a', 'b'] AND (sk = 2 OR sk < 2)", ["a1", "a2", "b1", "b2"]),
    ("(pk = 'b') OR (pk = 'a' AND sk > 4)", ["b1", "b2", "a5"]),
    ("pk = 'a' AND (sk <= 1 OR sk > 3) ORDER BY sk DESC", ["a5", "a4", "a1"]),
    ("pk = 'b' ORDER BY sk", ["b1", "b2"]),
    ("pk = 'b' ORDER BY pk", ["b2", "b1"]),
    ("pk IN ['b', 'a'] AND sk < 3 ORDER BY pk", ["a2", "a1", "b2", "b1"])])
def test_branches_are_read_one_by_one(db, rows, condition, wanted):
    assert found(db, f'SELECT pk, sk FROM "{rows}" WHERE {condition}') == wanted


def test_pages_over_branches(db, rows):
    statement = f"SELECT pk, sk FROM \"{rows}\" WHERE pk IN ['a', 'b'] AND sk IN [5, 1, 2, 7]"
    answer = post(db, statement, Limit=1).json()
    seen = answer["Items"]
    for _ in range(20):
        if "NextToken" not in answer:
            break
        answer = post(db, statement, Limit=1, NextToken=answer["NextToken"]).json()
        assert len(answer["Items"]) <= 1
        seen += answer["Items"]
    assert [i["pk"]["S"] + i["sk"]["N"] for i in seen] == ["a1", "a2", "a5", "b1", "b2"]


def test_pages_over_single_items(db, hash_table):
    """Parts of one item each: a page of a Query could not go on behind them, one of a statement does."""
    for pk in ("page-a", "page-b", "page-c"):
        put(db, hash_table, pk=pk)
    statement = f"SELECT pk FROM \"{hash_table}\" WHERE pk IN ['page-a', 'page-b', 'page-c']"
    seen, more = [], {}
    for _ in range(10):
        answer = post(db, statement, Limit=1, **more).json()
        assert len(answer["Items"]) <= 1
        seen += [item["pk"]["S"] for item in answer["Items"]]
        if "NextToken" not in answer:
            break
        more = {"NextToken": answer["NextToken"]}
    assert seen == ["page-a", "page-b", "page-c"]


def test_a_prefix_ends_where_other_keys_begin(db, create):
    name = create("prefixes", {"pk": "S", "sk": "S"})
    for sk in ("ab", "b", "bc", "c"):
        put(db, name, pk="p", sk=sk)
    select = f"SELECT sk FROM \"{name}\" WHERE pk = 'p' AND "
    found_keys = [i["sk"]["S"] for i in items(db, select + "(begins_with(sk, 'b') OR sk >= 'c')")]
    assert found_keys == ["b", "bc", "c"]
    for condition in ("(begins_with(sk, 'b') OR sk = 'bz')", "(begins_with(sk, 'b') OR begins_with(sk, 'bc'))"):
        assert_invalid(post(db, select + condition), OVERLAP)


@pytest.mark.parametrize("literal, kind", [("TRUE", "BOOL"), ("[1]", "L"), ("NULL", "NULL"), ("<< 'a' >>", "SS")])
def test_values_that_can_be_no_key(db, rows, literal, kind):
    text = "Key value must be of type S, N, or B. Key name: {}, Key type: " + kind
    assert_invalid(post(db, f'SELECT * FROM "{rows}" WHERE pk = {literal}'), text.format("pk"))
    assert_invalid(post(db, f"SELECT * FROM \"{rows}\" WHERE pk = 'a' AND sk = {literal}"), text.format("sk"))


def test_conditions_that_double_the_branches(db, rows):
    statement = f"SELECT * FROM \"{rows}\" WHERE pk = 'a'" + " AND (sk = 1 OR sk = 2)" * 100
    assert_invalid(post(db, statement), "Too many decomposed read operations for a given query.")


def test_a_missing_table_comes_before_what_a_transaction_cannot_do(db, rows):
    missing = "UPDATE nowhere SET y = 1 WHERE pk = 'x' AND sk = 1"
    answer = transaction(db, missing + " RETURNING ALL NEW *", "DELETE FROM nowhere WHERE pk = 'x' AND sk = 1")
    assert reasons(answer) == [NOT_FOUND, NOT_FOUND]
    select = f"SELECT * FROM \"{rows}\" WHERE pk = 'a' AND sk = 1"
    answer = transaction(db, select, "SELECT * FROM nowhere.idx WHERE pk = 'x' AND sk = 1")
    assert reasons(answer) == [NONE, NOT_FOUND]
    at_second = "Validation failed in TransactStatements[1]: "
    answer = transaction(db, missing, f"UPDATE \"{rows}\" SET y = 1 WHERE pk = 'a' AND sk = 1 RETURNING ALL NEW *")
    assert_invalid(answer, at_second + "RETURNING clause is not supported in ExecuteTransaction.")
    answer = transaction(
        db, "SELECT * FROM nowhere WHERE pk = 'x' AND sk = 1", f"SELECT * FROM \"{rows}\".idx WHERE pk = 'x' AND sk = 1")
    assert_invalid(answer, at_second + "Reads on indices are not supported within transactions.")


def test_an_insert_without_its_key_beside_other_reasons(db, rows):
    answer = transaction(
        db, f"INSERT INTO \"{rows}\" VALUE {{'pk': 'z'}}", f'DELETE FROM "{rows}" WHERE sk = 1',
        f"INSERT INTO \"{rows}\" VALUE {{'pk': 'z', 'sk': 1}}", f"INSERT INTO \"{rows}\" VALUE {{'pk': 'z', 'sk': 'x'}}")
    assert reasons(answer) == [
        ("ValidationError", INVALID + "Missing the key sk in the item"), MISMATCH, NONE,
        ("ValidationError", INVALID + "Type mismatch for key sk expected: N actual: S")]


def test_overlaps_come_before_a_key_that_is_not_whole(db, rows):
    answer = transaction(db, f"SELECT sk FROM \"{rows}\" WHERE pk IN ['a', 'a'] AND sk = 1")
    assert_invalid(answer, "Validation failed in TransactStatements[0]: " + OVERLAP)
    answer = transaction(db, f"SELECT sk FROM \"{rows}\" WHERE pk IN ['a', 'b'] AND sk = 1")
    assert_invalid(answer, "Validation failed in TransactStatements[0]: Select statements within ExecuteTransaction "
                   "must specify the primary key in the where clause.")


def test_the_table_of_an_update_that_its_item_does_not_fit(db, hash_table, pk):
    put(db, hash_table, pk=pk, m={"M": {}}, s="text")
    deep = {"S": "x"}
    for _ in range(31):
        deep = {"M": {"a": deep}}
    too_deep = "Nesting Levels have exceeded supported limits"
    update = {"Statement": f"UPDATE \"{hash_table}\" SET m.deep = ? WHERE pk = '{pk}'", "Parameters": [deep]}
    assert_invalid(post(db, update["Statement"], deep), too_deep)
    assert reasons(transaction(db, update)) == [("ValidationError", too_deep)]
    assert batch(db, update).json()["Responses"] == [
        {"Error": {"Code": "ValidationError", "Message": too_deep}, "TableName": hash_table}]
    responses = batch(db, f"UPDATE \"{hash_table}\" SET y = 1 WHERE x = '{pk}'").json()["Responses"]
    assert responses[0]["Error"]["Code"] == "ValidationError" and "TableName" not in responses[0]
