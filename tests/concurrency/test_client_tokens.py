"""A transaction that many clients send at once with one token is done once."""

import json
import threading

import pytest

from wire_client import ServiceError

TOKENS = 40
CLIENTS = 8
IN_PROGRESS = "TransactionInProgressException"


def native(table, token):
    key = {"pk": {"S": token}}
    update = {"Update": {
        "TableName": table, "Key": key, "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}}}}
    check = {"ConditionCheck": {
        "TableName": table, "Key": {"pk": {"S": "other"}}, "ConditionExpression": "attribute_not_exists(pk)"}}
    return "TransactWriteItems", {"TransactItems": [update, check]}


def statement(table, token):
    text = f"UPDATE \"{table}\" SET n = n + 1 WHERE pk = '{token}'"
    return "ExecuteTransaction", {"TransactStatements": [{"Statement": text}]}


@pytest.mark.parametrize("request_of", [native, statement], ids=["TransactWriteItems", "ExecuteTransaction"])
def test_one_token_one_transaction(client, table, at_once, request_of):
    tokens = [f"token-{request_of.__name__}-{n}" for n in range(TOKENS)]
    for token in tokens:
        client.call("PutItem", TableName=table, Item={"pk": {"S": token}, "n": {"N": "0"}})
    together = threading.Barrier(CLIENTS)

    def work(own, _number):
        answers = []
        for token in tokens:
            operation, members = request_of(table, token)
            together.wait()
            status, answer = own.send(operation, json.dumps({**members, "ClientRequestToken": token}).encode())
            answers.append("done" if status == 200 else ServiceError(status, answer).code)
        return answers

    results = at_once(CLIENTS, work)
    for number, token in enumerate(tokens):
        answers = [of_client[number] for of_client in results]
        assert "done" in answers
        # A client that comes while the first one is under way is told to come again.
        assert set(answers) <= {"done", IN_PROGRESS}
        item = client.call("GetItem", TableName=table, Key={"pk": {"S": token}}, ConsistentRead=True)["Item"]
        assert item["n"] == {"N": "1"}
