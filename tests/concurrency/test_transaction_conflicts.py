"""Plain writes and transactions that meet on one item."""

from wire_client import ServiceError

ROUNDS = 150
KEYS = [{"pk": {"S": "a"}}, {"pk": {"S": "b"}}]
ONE = {":one": {"N": "1"}}
ADD = {"UpdateExpression": "ADD n :one", "ExpressionAttributeValues": ONE}


def test_each_write_is_done_once_or_refused_as_a_conflict(client, table, at_once):
    """Transactions add to two items at once, plain writes to one of them: what was acknowledged is in the sums."""

    def work(own, number):
        done = conflicts = 0
        for _ in range(ROUNDS):
            try:
                if number % 2:
                    own.call("UpdateItem", TableName=table, Key=KEYS[0], **ADD)
                else:
                    actions = [{"Update": {"TableName": table, "Key": key, **ADD}} for key in KEYS]
                    own.call("TransactWriteItems", TransactItems=actions)
                done += 1
            except ServiceError as error:
                conflicts += 1
                if number % 2:
                    assert (error.code, error.message) == (
                        "TransactionConflictException", "Transaction is ongoing for the item")
                else:
                    assert error.code == "TransactionCanceledException"
                    assert "TransactionConflict" in error.message
        return done, conflicts

    results = at_once(8, work)
    plain = sum(done for done, _ in results[1::2])
    transactions = sum(done for done, _ in results[0::2])
    sums = [int(client.call("GetItem", TableName=table, Key=key, ConsistentRead=True)["Item"]["n"]["N"])
            for key in KEYS]
    assert sums == [plain + transactions, transactions]
    assert transactions and plain


def test_reads_go_on_while_transactions_run(client, table, at_once):
    def work(own, number):
        for n in range(ROUNDS):
            if number < 2:
                actions = [{"Put": {"TableName": table, "Item": {**key, "n": {"N": str(n)}}}} for key in KEYS]
                try:
                    own.call("TransactWriteItems", TransactItems=actions)
                except ServiceError as error:
                    assert error.code == "TransactionCanceledException"
            else:
                own.call("GetItem", TableName=table, Key=KEYS[0], ConsistentRead=bool(n % 2))
                own.call("Scan", TableName=table)

    at_once(4, work)
    rows = client.call("Scan", TableName=table, ConsistentRead=True)["Items"]
    assert len({row["n"]["N"] for row in rows}) == 1
