"""PartiQL: constraints on requests, and statements that are refused for what they say."""

import re

import pytest

from statements import A, MALFORMED, NOT_FOUND, post
from wire import (
    CAPACITY, NOT_NULL, assert_error, assert_invalid, assert_violations, at_least, enum, longer, shorter, violation,
)

ON_FAILURE = enum("ALL_OLD", "NONE")
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


# None of these needs the table.
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
