"""PartiQL: SELECT, its order, indexes and pages."""

import pytest

from conftest import attribute
from statements import A, INVALID, ONE, found, items, post, run
from wire import assert_invalid


def test_forms_of_a_statement(db, rows):
    forms = [
        "SELECT * FROM \"{}\" WHERE pk = 'b'",
        "select * from \"{}\" where \"pk\" = 'b';",
        "SELECT *\n  FROM \"{}\" -- a comment\n /* another */ WHERE pk = 'b'  ",
        "SELECT * FROM \"{}\" WHERE (pk = ('b'))",
    ]
    for form in forms:
        assert found(db, form.format(rows)) == ["b1", "b2"]
    assert found(db, f'SELECT * FROM "{rows}" WHERE pk = ?', {"S": "b"}) == ["b1", "b2"]


CONDITIONS = {
    "pk = 'a'": "12345",
    "pk = 'a' AND sk = 3": "3",
    "pk = 'a' AND sk <> 3": "1245",
    "pk = 'a' AND sk != 3": "1245",
    "pk = 'a' AND sk > 3": "45",
    "pk = 'a' AND sk >= 3": "345",
    "pk = 'a' AND sk < 2.5": "12",
    "pk = 'a' AND sk BETWEEN 2 AND 4": "234",
    "pk = 'a' AND sk IN [1, 5, 9]": "15",
    "pk = 'a' AND sk IN (1, 5, 9)": "15",
    "pk = 'a' AND x = 2.0e1": "2",
    "pk = 'a' AND x > 20 AND x < 50": "34",
    "pk = 'a' AND (x = 10 OR x = 50)": "15",
    "pk = 'a' AND NOT x = 10": "2345",
    "pk = 'a' AND NOT (x > 20)": "12",
    "pk = 'a' AND rare IS MISSING": "2345",
    "pk = 'a' AND rare IS NOT MISSING": "1",
    "pk = 'a' AND rare IS NULL": "1",
    "pk = 'a' AND b = true": "24",
    "pk = 'a' AND begins_with(s, 'text-3')": "3",
    "pk = 'a' AND begins_with(\"s\", 'text-')": "12345",
    "pk = 'a' AND contains(s, '-4')": "4",
    "pk = 'a' AND size(s) = 6": "12345",
    "pk = 'a' AND size(s) > 6": "",
    "pk = 'a' AND attribute_type(rare, 'NULL')": "1",
    "pk = 'a' AND attribute_exists(rare)": "1",
    "pk = 'a' AND attribute_not_exists(rare)": "2345",
    "pk = 'a' AND m.\"in\".deep = 'deep-2'": "2",
    "pk = 'a' AND t[1] = 4": "4",
    "pk = 'a' AND t = ['zero', 5]": "5",
    "pk = 'nobody'": "",
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions(db, rows, condition):
    assert found(db, f'SELECT * FROM "{rows}" WHERE {condition}') == ["a" + c for c in CONDITIONS[condition]]


@pytest.mark.parametrize("condition, wanted", [
    ("x = 20", ["a2", "b2"]), ("pk IN ['a', 'b'] AND sk = 2", ["a2", "b2"]), ("sk > 4", ["a5"]),
    ("pk = 'a' AND sk = 1 OR pk = 'b' AND sk = 2", ["a1", "b2"])])
def test_several_partitions(db, rows, condition, wanted):
    assert sorted(found(db, f'SELECT * FROM "{rows}" WHERE {condition}')) == wanted


def test_everything(db, rows):
    assert len(items(db, f'SELECT * FROM "{rows}"')) == 7
    assert len(items(db, f'SELECT * FROM "{rows}" WHERE attribute_exists(pk)', ConsistentRead=True)) == 7


COLUMNS = {
    "sk": {"sk": ONE},
    "pk, sk": {"pk": A, "sk": ONE},
    "s, zzz": {"s": {"S": "text-1"}},
    "zzz": {},
    "m.\"in\"": {"in": {"M": {"deep": {"S": "deep-1"}}}},
    "m.\"in\".deep": {"deep": {"S": "deep-1"}},
    "t[0]": {"t[0]": {"S": "zero"}},
}


@pytest.mark.parametrize("columns", COLUMNS)
def test_columns(db, rows, columns):
    assert items(db, f'SELECT {columns} FROM "{rows}" WHERE pk = \'a\' AND sk = 1') == [COLUMNS[columns]]


def test_order(db, rows):
    statement = f'SELECT * FROM "{rows}" WHERE pk = \'a\' ORDER BY sk'
    assert found(db, statement) == found(db, statement + " ASC") == ["a1", "a2", "a3", "a4", "a5"]
    assert found(db, statement + " DESC") == ["a5", "a4", "a3", "a2", "a1"]


ORDER_REFUSED = {
    "ORDER BY sk": "Must have WHERE clause in the statement when using ORDER BY clause.",
    "WHERE pk = 'a' ORDER BY x": "Attribute x in ORDER BY clause must be part of the primary key",
    "WHERE sk = 1 ORDER BY sk":
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.",
    "WHERE pk IN ['a', 'b'] ORDER BY sk":
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.",
}


@pytest.mark.parametrize("clause", ORDER_REFUSED)
def test_order_refused(db, rows, clause):
    assert_invalid(post(db, f'SELECT * FROM "{rows}" {clause}'), ORDER_REFUSED[clause])


def test_indexes(db, rows):
    assert sorted(found(db, f'SELECT * FROM "{rows}"."gsi" WHERE g = \'even\'')) == ["a2", "a4", "b2"]
    assert found(db, f'SELECT * FROM "{rows}"."gsi" WHERE g = \'even\' AND x > 20') == ["a4"]
    row = items(db, f'SELECT * FROM "{rows}"."gsi" WHERE g = \'even\' AND x > 20')[0]
    assert set(row) == {"pk", "sk", "g", "x"}
    assert found(db, f'SELECT * FROM "{rows}"."lsi" WHERE pk = \'a\'') == ["a5", "a4", "a3", "a2", "a1"]
    assert found(db, f'SELECT * FROM "{rows}"."lsi" WHERE pk = \'a\' AND l > \'l6\'') == ["a2", "a1"]
    # A local index fetches from the table what it lacks.
    assert items(db, f'SELECT s FROM "{rows}"."lsi" WHERE pk = \'a\' AND l = \'l8\'') == [{"s": {"S": "text-1"}}]


INDEX_REFUSED = {
    "SELECT * FROM \"{}\".\"none\"": "The table does not have the specified index",
    "SELECT s, t FROM \"{}\".\"gsi\" WHERE g = 'odd'":
        INVALID + "Global secondary index gsi does not project [s, t]",
    "SELECT * FROM \"{}\".\"gsi\" WHERE g = 'odd' AND s = 'a'":
        INVALID + "Secondary index gsi does not project one or more filter attributes: [s]",
    "UPDATE \"{}\".\"gsi\" SET x = 1 WHERE pk = 'a' AND sk = 1": "This operation is not supported on an index",
    "DELETE FROM \"{}\".\"gsi\" WHERE pk = 'a' AND sk = 1": "This operation is not supported on an index",
}


@pytest.mark.parametrize("statement", INDEX_REFUSED)
def test_index_refused(db, rows, statement):
    assert_invalid(post(db, statement.format(rows)), INDEX_REFUSED[statement])


def test_a_global_index_is_not_consistent(db, rows):
    answer = post(db, f'SELECT * FROM "{rows}"."gsi"', ConsistentRead=True)
    assert_invalid(answer, "Strongly consistent read is not supported on Global Secondary Indexes")


def test_an_index_with_a_key_of_many_attributes(db, create):
    name = create("many", {"pk": "S"}, more_definitions=[attribute("a"), attribute("b")], GlobalSecondaryIndexes=[{
        "IndexName": "many", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": n, "KeyType": "HASH"} for n in "ab"]}])
    assert_invalid(
        post(db, f'SELECT * FROM "{name}"."many" WHERE a = \'x\''),
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.")


def test_pages(db, rows):
    statement = f'SELECT * FROM "{rows}" WHERE pk = ?'
    pages, more = [], {}
    while True:
        answer = run(db, statement, A, Limit=2, **more)
        pages.append([i["sk"]["N"] for i in answer["Items"]])
        if "NextToken" not in answer:
            break
        more = {"NextToken": answer["NextToken"]}
    assert [n for p in pages for n in p] == ["1", "2", "3", "4", "5"]
    assert all(len(p) <= 2 for p in pages)


def test_the_limit_counts_what_is_read(db, rows):
    answer = run(db, f'SELECT * FROM "{rows}" WHERE pk = \'a\' AND x = 50', Limit=2)
    assert answer["Items"] == []
    assert "NextToken" in answer


def test_a_token_belongs_to_its_request(db, rows):
    statement = f'SELECT * FROM "{rows}" WHERE pk = ?'
    token = run(db, statement, A, Limit=2)["NextToken"]
    assert found(db, statement, A, Limit=1, NextToken=token) == ["a3"]
    text = "NextToken does not match request"
    assert_invalid(post(db, statement, {"S": "b"}, NextToken=token), text)
    assert_invalid(post(db, statement + " AND sk > 0", A, NextToken=token), text)
    assert_invalid(post(db, statement, A, NextToken="garbage"), "Invalid NextToken")
