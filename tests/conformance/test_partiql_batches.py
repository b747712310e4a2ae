"""BatchExecuteStatement and ExecuteTransaction."""

import pytest

from conftest import attribute, schema
from statements import (
    DUPLICATE, FAILED, MALFORMED, NOT_FOUND, ONE, WHOLE_KEY, batch, post, put, stored, transaction, units,
)
from wire import assert_error, assert_invalid


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


def test_capacity_of_statements_that_failed(db, create):
    """They are part of the sum, by the size of the item that they met, unless none succeeded."""
    table = create(
        "failing", {"pk": "S"}, more_definitions=[attribute("g")], GlobalSecondaryIndexes=[{
            "IndexName": "gsi", "KeySchema": schema("g"), "Projection": {"ProjectionType": "ALL"}}])
    insert = f"INSERT INTO \"{table}\" VALUE {{{{'pk': '{{}}', 'g': 'x'}}}}"
    put(db, table, pk="small", g="x")
    put(db, table, pk="large", text="x" * 3000)
    answer = batch(db, insert.format("small"), ReturnConsumedCapacity="INDEXES").json()
    assert answer["Responses"][0]["Error"]["Code"] == "DuplicateItem" and "ConsumedCapacity" not in answer
    refused = f"UPDATE \"{table}\" SET y = 1 WHERE pk = 'small' AND g = 'y'"
    answer = batch(
        db, refused, insert.format("large"), insert.format("fresh"), ReturnConsumedCapacity="INDEXES").json()
    assert units(answer) == [{
        "TableName": table, "CapacityUnits": 1 + 3 + 2, "Table": {"CapacityUnits": 1},
        "GlobalSecondaryIndexes": {"gsi": {"CapacityUnits": 1}}}]


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
