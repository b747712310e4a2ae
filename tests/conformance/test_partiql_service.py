"""ExecuteStatement, BatchExecuteStatement, ExecuteTransaction: the language, its refusals, and what it does."""

import re

import pytest

from conftest import attribute, schema
from wire import (
    CAPACITY, NOT_NULL, assert_error, assert_invalid, assert_violations, at_least, enum, longer, shorter, violation,
)

INVALID = "One or more parameter values were invalid: "
MALFORMED = "Statement wasn't well formed, can't be processed: "
FAILED = "The conditional request failed"
DUPLICATE = "Duplicate primary key exists in table"
NOT_FOUND = "Requested resource not found"
WHOLE_KEY = "Where clause does not contain a mandatory equality on all key attributes"
ON_FAILURE = enum("ALL_OLD", "NONE")
A = {"S": "a"}
ONE = {"N": "1"}


def post(db, statement, *parameters, **members):
    if parameters:
        members["Parameters"] = list(parameters)
    return db.post("ExecuteStatement", {"Statement": statement, **members})


def run(db, statement, *parameters, **members):
    answer = post(db, statement, *parameters, **members)
    assert answer.status == 200, answer.body
    return answer.json()


def items(db, statement, *parameters, **members):
    return run(db, statement, *parameters, **members)["Items"]


def batch(db, *statements, **members):
    statements = [s if isinstance(s, dict) else {"Statement": s} for s in statements]
    return db.post("BatchExecuteStatement", {"Statements": statements, **members})


def transaction(db, *statements, **members):
    statements = [s if isinstance(s, dict) else {"Statement": s} for s in statements]
    return db.post("ExecuteTransaction", {"TransactStatements": statements, **members})


def stored(db, table, **key):
    key = {n: {"S": v} for n, v in key.items()}
    return db.call("GetItem", TableName=table, Key=key, ConsistentRead=True).get("Item")


def put(db, table, **item):
    item = {n: v if isinstance(v, dict) else {"S": v} for n, v in item.items()}
    db.call("PutItem", TableName=table, Item=item)
    return item


@pytest.fixture
def pk(unique):
    return unique("key")


@pytest.fixture(scope="module")
def rows(db, create):
    """Keys `pk` and `sk` (N); GSI `gsi` on `g` with `x`; LSI `lsi` on `l`, keys only.

    Partition `a` has sk 1 to 5, partition `b` sk 1 and 2.
    """
    name = create(
        "rows", {"pk": "S", "sk": "N"}, more_definitions=[attribute("g"), attribute("l")],
        LocalSecondaryIndexes=[{
            "IndexName": "lsi", "KeySchema": schema("pk", "l"), "Projection": {"ProjectionType": "KEYS_ONLY"}}],
        GlobalSecondaryIndexes=[{
            "IndexName": "gsi", "KeySchema": schema("g"),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]}}])
    for partition, count in (("a", 5), ("b", 2)):
        for n in range(1, count + 1):
            put(db, name, pk=partition, sk={"N": str(n)}, g="even" if n % 2 == 0 else "odd", l=f"l{9 - n}",
                x={"N": str(n * 10)}, s=f"text-{n}", t={"L": [{"S": "zero"}, {"N": str(n)}]},
                m={"M": {"in": {"M": {"deep": {"S": f"deep-{n}"}}}}}, b={"BOOL": n % 2 == 0},
                **({"rare": {"NULL": True}} if n == 1 else {}))
    return name


def found(db, statement, *parameters, **members):
    """The keys of the rows in an answer, in short."""
    return [i["pk"]["S"] + i["sk"]["N"] for i in items(db, statement, *parameters, **members)]


# Constraints on members.

CONSTRAINTS = {
    "no statement": ("ExecuteStatement", {}, [(None, "statement", NOT_NULL)]),
    "empty": ("ExecuteStatement", {"Statement": ""}, [("", "statement", longer(1))]),
    "long": ("ExecuteStatement", {"Statement": "x" * 8193}, [("x" * 8193, "statement", shorter(8192))]),
    "no parameters": ("ExecuteStatement", {"Statement": "x", "Parameters": []}, [("[]", "parameters", longer(1))]),
    "limit": ("ExecuteStatement", {"Statement": "x", "Limit": 0}, [("0", "limit", at_least(1))]),
    "capacity": ("ExecuteStatement", {"Statement": "x", "ReturnConsumedCapacity": "ALL"},
                 [("ALL", "returnConsumedCapacity", CAPACITY)]),
    "on failure": ("ExecuteStatement", {"Statement": "x", "ReturnValuesOnConditionCheckFailure": "ALL"},
                   [("ALL", "returnValuesOnConditionCheckFailure", ON_FAILURE)]),
    "token": ("ExecuteStatement", {"Statement": "x", "NextToken": ""}, [("", "nextToken", longer(1))]),
    "no statements": ("BatchExecuteStatement", {}, [(None, "statements", NOT_NULL)]),
    "empty batch": ("BatchExecuteStatement", {"Statements": []}, [("[]", "statements", longer(1))]),
    "batch of nothing": ("BatchExecuteStatement", {"Statements": [{}]},
                         [(None, "statements.1.member.statement", NOT_NULL)]),
    "batch's capacity": ("BatchExecuteStatement", {"Statements": [{"Statement": "x"}], "ReturnConsumedCapacity": "ALL"},
                         [("ALL", "returnConsumedCapacity", CAPACITY)]),
    "no transaction": ("ExecuteTransaction", {}, [(None, "transactStatements", NOT_NULL)]),
    "empty transaction": ("ExecuteTransaction", {"TransactStatements": []}, [("[]", "transactStatements", longer(1))]),
    "transaction of nothing": ("ExecuteTransaction", {"TransactStatements": [{}]},
                               [(None, "transactStatements.1.member.statement", NOT_NULL)]),
    "transaction's token": ("ExecuteTransaction", {
        "TransactStatements": [{"Statement": "x"}], "ClientRequestToken": "t" * 37},
        [("t" * 37, "clientRequestToken", shorter(36))]),
}


@pytest.mark.parametrize("operation, body, broken", CONSTRAINTS.values(), ids=CONSTRAINTS.keys())
def test_constraints(db, operation, body, broken):
    assert_violations(db.post(operation, body), *[violation(*f) for f in broken])


@pytest.mark.parametrize("operation, member, most", [
    ("BatchExecuteStatement", "Statements", 25), ("ExecuteTransaction", "TransactStatements", 100)])
def test_too_many_statements(db, operation, member, most):
    answer = db.post(operation, {member: [{"Statement": "x"}] * (most + 1)})
    shown = member[0].lower() + member[1:]
    assert_invalid(answer, re.compile(
        f"1 validation error detected: Value '.*' at '{shown}' failed to satisfy constraint: "
        + re.escape(shorter(most)), re.DOTALL))


# Statements that are refused for what they say. None of them needs the table.

REFUSED = {
    "SELEKT * FROM tbl": MALFORMED + "Expected data manipulation",
    "hello": None,
    "SELECT * FROM": MALFORMED + "Unexpected term",
    "SELECT * FROM tbl WHERE": MALFORMED + "Unexpected term",
    "SELECT * FROM tbl WHERE NOT": MALFORMED + "Unexpected term",
    "SELECT * FROM tbl WHERE (": MALFORMED + "Unexpected term",
    "SELECT * FROM tbl WHERE pk =": MALFORMED + "Missing right-hand side expression of infix operator",
    "SELECT * FROM tbl WHERE pk = 'a' AND": MALFORMED + "Missing right-hand side expression of infix operator",
    "SELECT * FROM tbl WHERE ORDER BY pk": MALFORMED + "Unexpected keyword",
    "SELECT * FROM tbl WHERE pk IS FOO": MALFORMED + "Expected type name",
    "SELECT * FROM tbl WHERE IS NULL": MALFORMED + "Unexpected operator",
    "SELECT * FROM tbl WHERE pk = 'a')": MALFORMED + "Unexpected token after expression",
    "SELECT * FROM tbl ORDER BY sk WHERE pk = 'a'": MALFORMED + "Unexpected token after expression",
    "DELETE FROM tbl WHERE pk = 'a' ORDER BY pk": MALFORMED + "Unexpected token after expression",
    "FROM tbl SET x = 1 WHERE pk = 'a'": MALFORMED + "Unexpected token after expression",
    "DELETE FROM": MALFORMED + "Expected identifier for simple path",
    "SELECT * FROM tbl WHERE pk = 'a": MALFORMED,
    "SELECT * FROM tbl /* never ends": MALFORMED,
    "SELECT * FROM tbl WHERE pk = #": MALFORMED,
    "SELECT * FROM tbl WHERE x = 1e99999999999": MALFORMED,
    "SELECT x AS y FROM tbl": "Aliasing is not supported",
    "SELECT COUNT(*) FROM tbl": re.compile(r"Unexpected path component at 1:\d+:\d+"),
    "SELECT size(x) FROM tbl": re.compile(r"Unexpected path component at 1:\d+:\d+"),
    "SELECT * FROM tbl WHERE frobnicate(x)": re.compile(r"Unrecognized function: frobnicate at 1:\d+:\d+"),
    "SELECT * FROM one.two.three": "A path may contain at most 2 components in the FROM clause",
    "INSERT INTO tbl.i VALUE {'pk': 'a'}": re.compile("FROM clause may only contain a single table name( .*)?"),
    "SELECT * FROM tbl WHERE attribute_exists('x')":
        "Operator or function requires a document path; operator or function: attribute_exists",
    "SELECT * FROM tbl WHERE attribute_exists()":
        "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of "
        "operands: 0",
    "SELECT * FROM tbl WHERE x < true":
        "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL",
    "SELECT * FROM tbl WHERE attribute_type(x, 'X')":
        "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}",
    "INSERT INTO tbl VALUE {'pk': 'a', 'x': << >>}": re.compile("Empty bags are not supported( at .*)?"),
    "INSERT INTO tbl VALUE {'pk': 'a', 'x': <<true>>}":
        re.compile(
            r"Unsupported data type in Bag\. DynamoDB only supports either numbers or strings in bags( at .*)?"),
    "SELECT * FROM tbl WHERE EXISTS(SELECT * FROM tbl WHERE pk = 'a')": None,
    "SELECT * FROM tbl LIMIT 5": None,
    "SELECT * FROM tbl, u": None,
    "SELECT * FROM tbl GROUP BY x": None,
    "SELECT * FROM tbl WHERE x LIKE 'a%'": None,
    "INSERT INTO tbl VALUES {'pk': 'a'}": None,
    "UPDATE tbl WHERE pk = 'a'": None,
    "CREATE TABLE tbl": None,
}


@pytest.mark.parametrize("statement", REFUSED)
def test_refused(db, statement):
    answer = post(db, statement)
    text = REFUSED[statement]
    if text is None:
        assert (answer.status, answer.code) == (400, "ValidationException"), answer.body
    else:
        assert_invalid(answer, text)


STATEMENTS = {
    "select": "SELECT * FROM \"{}\" WHERE pk = 'a'",
    "insert": "INSERT INTO \"{}\" VALUE {{'pk': 'a'}}",
    "update": "UPDATE \"{}\" SET x = 1 WHERE pk = 'a'",
    "delete": "DELETE FROM \"{}\" WHERE pk = 'a'",
}


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS.keys())
def test_no_such_table(db, statement):
    assert_error(post(db, statement.format("no-such-table")), "ResourceNotFoundException", NOT_FOUND)


def test_too_few_parameters(db, hash_table):
    text = "Number of parameters in request and statement don't match."
    statement = f'SELECT * FROM "{hash_table}" WHERE pk = ? AND x = ?'
    assert_invalid(post(db, statement), text)
    assert_invalid(post(db, statement, A), text)


@pytest.mark.parametrize("value, text", [
    ({"N": "1e126"}, "Number overflow. Attempting to store a number with magnitude larger than supported range"),
    ({"N": "x"}, "The parameter cannot be converted to a numeric value: x"),
    ({}, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
], ids=["overflow", "no number", "no type"])
def test_bad_parameters(db, hash_table, value, text):
    assert_invalid(post(db, f'SELECT * FROM "{hash_table}" WHERE x = ?', value), text)


# Reading.

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


# Pages.

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


# Writing.

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


# Capacity.

def units(answer):
    return answer["ConsumedCapacity"]


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


# Batches.

def test_a_batch_of_reads(db, hash_table, pk):
    item = put(db, hash_table, pk=pk, x=ONE)
    select = f'SELECT * FROM "{hash_table}" WHERE pk = '
    answer = batch(
        db, select + f"'{pk}'", select + "'missing'", {"Statement": select + "?", "Parameters": [{"S": pk + "x"}]},
        f'SELECT * FROM "{hash_table}"', select.replace(hash_table, "no-such-table") + "'a'", "SELEKT * FROM tbl")
    assert answer.status == 200
    responses = answer.json()["Responses"]
    assert responses[:3] == [
        {"TableName": hash_table, "Item": item}, {"TableName": hash_table}, {"TableName": hash_table}]
    assert [r["Error"] for r in responses[3:]] == [
        {"Code": "ValidationError",
         "Message": "Select statements within BatchExecuteStatement must specify the primary key in the where clause."},
        {"Code": "ResourceNotFound", "Message": NOT_FOUND},
        {"Code": "ValidationError", "Message": MALFORMED + "Expected data manipulation"}]


def test_a_batch_of_writes(db, hash_table, unique):
    new, old, missing, gone = (unique("key") for _ in range(4))
    put(db, hash_table, pk=old, x=ONE)
    put(db, hash_table, pk=gone)
    responses = batch(
        db, f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{new}'}}",
        f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{old}'}}",
        f"UPDATE \"{hash_table}\" SET x = 1 WHERE pk = '{missing}'",
        f"DELETE FROM \"{hash_table}\" WHERE pk = '{gone}' RETURNING ALL OLD *",
        f'UPDATE "{hash_table}" SET x = 1 WHERE x = 1').json()["Responses"]
    assert responses == [
        {"TableName": hash_table},
        {"TableName": hash_table, "Error": {"Code": "DuplicateItem", "Message": DUPLICATE}},
        {"TableName": hash_table, "Error": {"Code": "ConditionalCheckFailed", "Message": FAILED}},
        {"TableName": hash_table, "Item": {"pk": {"S": gone}}},
        {"Error": {"Code": "ValidationError", "Message": WHOLE_KEY}}]
    assert stored(db, hash_table, pk=new) == {"pk": {"S": new}}
    assert stored(db, hash_table, pk=gone) is None


def test_batches_refused_whole(db, hash_table, pk):
    select = f"SELECT * FROM \"{hash_table}\" WHERE pk = '{pk}'"
    delete = f"DELETE FROM \"{hash_table}\" WHERE pk = '{pk}'"
    insert = f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{pk}'}}"
    for statements in ((select, delete.replace(pk, pk + "x")), (insert, delete)):
        answer = batch(db, *statements)
        assert (answer.status, answer.code) == (400, "ValidationException")
    assert stored(db, hash_table, pk=pk) is None


def test_capacity_of_a_batch(db, hash_table, unique):
    first, second = unique("key"), unique("key")
    inserts = [f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{k}'}}" for k in (first, second)]
    answer = batch(db, *inserts, ReturnConsumedCapacity="TOTAL").json()
    assert units(answer) == [{"TableName": hash_table, "CapacityUnits": 2}]
    select = f"SELECT * FROM \"{hash_table}\" WHERE pk = '{{}}'"
    answer = batch(
        db, {"Statement": select.format(first), "ConsistentRead": True}, select.format(second),
        ReturnConsumedCapacity="TOTAL").json()
    assert units(answer) == [{"TableName": hash_table, "CapacityUnits": 1.5}]


# Transactions.

def cancelled(answer, *reasons):
    codes = ", ".join(r["Code"] for r in reasons)
    assert_error(
        answer, "TransactionCanceledException",
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]")
    assert answer.json()["CancellationReasons"] == list(reasons)


NONE = {"Code": "None"}


def test_a_transaction_of_reads(db, hash_table, pk):
    item = put(db, hash_table, pk=pk, x=ONE)
    select = f'SELECT {{}} FROM "{hash_table}" WHERE pk = \'{{}}\''
    answer = transaction(
        db, select.format("*", pk), select.format("*", pk + "x"), ReturnConsumedCapacity="TOTAL").json()
    assert answer["Responses"] == [{"Item": item}, {}]
    assert units(answer) == [{"TableName": hash_table, "CapacityUnits": 4, "ReadCapacityUnits": 4}]


def test_a_transaction_of_writes(db, hash_table, unique):
    new, old, gone, checked = (unique("key") for _ in range(4))
    for key in (old, gone, checked):
        put(db, hash_table, pk=key, x=ONE)
    answer = transaction(
        db, {"Statement": f"INSERT INTO \"{hash_table}\" VALUE {{'pk': ?}}", "Parameters": [{"S": new}]},
        f"UPDATE \"{hash_table}\" SET x = x + 1 WHERE pk = '{old}'",
        f"DELETE FROM \"{hash_table}\" WHERE pk = '{gone}'",
        f"EXISTS(SELECT * FROM \"{hash_table}\" WHERE pk = '{checked}' AND x = 1)", ReturnConsumedCapacity="TOTAL")
    assert answer.status == 200, answer.body
    assert answer.json()["Responses"] == []
    assert units(answer.json()) == [{"TableName": hash_table, "CapacityUnits": 8, "WriteCapacityUnits": 8}]
    assert stored(db, hash_table, pk=new) == {"pk": {"S": new}}
    assert stored(db, hash_table, pk=old)["x"] == {"N": "2"}
    assert stored(db, hash_table, pk=gone) is None


def test_a_cancelled_transaction(db, hash_table, unique):
    new, old, missing, checked = (unique("key") for _ in range(4))
    put(db, hash_table, pk=old)
    put(db, hash_table, pk=checked)
    failed = {"Code": "ConditionalCheckFailed", "Message": FAILED}
    answer = transaction(
        db, f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{new}'}}",
        f"INSERT INTO \"{hash_table}\" VALUE {{'pk': '{old}'}}",
        f"UPDATE \"{hash_table}\" SET x = 1 WHERE pk = '{missing}'",
        f"EXISTS(SELECT * FROM \"{hash_table}\" WHERE pk = '{checked}' AND x = 1)")
    cancelled(answer, NONE, {"Code": "DuplicateItem", "Message": DUPLICATE}, failed, failed)
    assert stored(db, hash_table, pk=new) is None


PREFIX = "Validation failed in TransactStatements[{}]: "
TRANSACTION_REFUSED = {
    "syntax": (["SELEKT * FROM tbl"], PREFIX.format(0) + MALFORMED + "Expected data manipulation"),
    "syntax of the second": (
        ["INSERT INTO \"{t}\" VALUE {{'pk': 'a', 'sk': 9}}", "SELEKT * FROM tbl"],
        PREFIX.format(1) + MALFORMED + "Expected data manipulation"),
    "returning": (
        ["DELETE FROM \"{t}\" WHERE pk = 'a' AND sk = 1 RETURNING ALL OLD *"],
        PREFIX.format(0) + "RETURNING clause is not supported in ExecuteTransaction."),
    "index": (
        ["SELECT * FROM \"{t}\".\"gsi\" WHERE g = 'odd'"],
        PREFIX.format(0) + "Reads on indices are not supported within transactions."),
    "half a key": (
        ["SELECT * FROM \"{t}\" WHERE pk = 'a'"],
        PREFIX.format(0)
        + "Select statements within ExecuteTransaction must specify the primary key in the where clause."),
    "reads and writes": (
        ["SELECT * FROM \"{t}\" WHERE pk = 'a' AND sk = 1", "DELETE FROM \"{t}\" WHERE pk = 'a' AND sk = 9"],
        "ExecuteTransaction API does not support both read and write operations in the same request."),
    "one item twice": (
        ["UPDATE \"{t}\" SET y = 1 WHERE pk = 'a' AND sk = 1", "DELETE FROM \"{t}\" WHERE pk = 'a' AND sk = 1"],
        "Transaction request cannot include multiple operations on one item"),
}


@pytest.mark.parametrize("statements, text", TRANSACTION_REFUSED.values(), ids=TRANSACTION_REFUSED.keys())
def test_a_refused_transaction(db, rows, statements, text):
    assert_invalid(transaction(db, *[s.format(t=rows) for s in statements]), text)


def test_exists_is_for_transactions(db, rows):
    assert_invalid(
        post(db, f'EXISTS(SELECT * FROM "{rows}" WHERE pk = \'a\' AND sk = 1 AND x = 10)'),
        "EXISTS can only be used in ExecuteTransaction write requests.")


def test_a_token_makes_a_repetition_harmless(db, hash_table, pk, unique):
    put(db, hash_table, pk=pk, n=ONE)
    token = unique("token")
    statement = f"UPDATE \"{hash_table}\" SET n = n + 1 WHERE pk = '{pk}'"
    first = transaction(db, statement, ClientRequestToken=token, ReturnConsumedCapacity="TOTAL").json()
    assert units(first) == [{"TableName": hash_table, "CapacityUnits": 2, "WriteCapacityUnits": 2}]
    again = transaction(db, statement, ClientRequestToken=token, ReturnConsumedCapacity="TOTAL").json()
    assert units(again) == [{"TableName": hash_table, "CapacityUnits": 2, "ReadCapacityUnits": 2}]
    assert stored(db, hash_table, pk=pk)["n"] == {"N": "2"}
    other = transaction(db, statement.replace("+ 1", "+ 2"), ClientRequestToken=token)
    assert (other.status, other.code) == (400, "IdempotentParameterMismatchException")
