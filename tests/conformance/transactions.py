"""The actions of transactions, and what is expected of their answers."""

from wire import assert_error

ONE_ITEM = "Transaction request cannot include multiple operations on one item"
FAILED = "The conditional request failed"
T = "no-such-table"
A = {"S": "a"}
KEY = {"pk": A}


def put(table, item, **members):
    return {"Put": {"TableName": table, "Item": item, **members}}


def update(table, key, expression="SET x = :x", values=None, **members):
    if values is None and ":x" in expression:
        values = {":x": A}
    if values:
        members["ExpressionAttributeValues"] = values
    return {"Update": {"TableName": table, "Key": key, "UpdateExpression": expression, **members}}


def delete(table, key, **members):
    return {"Delete": {"TableName": table, "Key": key, **members}}


def check(table, key, condition="attribute_exists(pk)", **members):
    return {"ConditionCheck": {"TableName": table, "Key": key, "ConditionExpression": condition, **members}}


def get(table, key, **members):
    return {"Get": {"TableName": table, "Key": key, **members}}


def write(db, *actions, **members):
    return db.post("TransactWriteItems", {"TransactItems": list(actions), **members})


def written(db, *actions, **members):
    return db.call("TransactWriteItems", TransactItems=list(actions), **members)


def read(db, *gets, **members):
    return db.post("TransactGetItems", {"TransactItems": list(gets), **members})


def stored(db, table, key):
    return db.call("GetItem", TableName=table, Key=key, ConsistentRead=True).get("Item")


def invalid(text):
    return {"Code": "ValidationError", "Message": text}


def assert_cancelled(answer, *reasons):
    codes = ", ".join(r["Code"] for r in reasons)
    assert_error(
        answer, "TransactionCanceledException",
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]")
    document = answer.json()
    assert document["CancellationReasons"] == list(reasons)
    assert set(document) == {"__type", "Message", "CancellationReasons"}


def nested(depth):
    """An attribute value in which `depth` lists or maps lie in each other."""
    value = A
    for _ in range(depth):
        value = {"L": [value]}
    return value


ONE = {"N": "1"}
