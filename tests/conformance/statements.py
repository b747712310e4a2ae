"""Statements of PartiQL, one or many of them."""

INVALID = "One or more parameter values were invalid: "
MALFORMED = "Statement wasn't well formed, can't be processed: "
FAILED = "The conditional request failed"
DUPLICATE = "Duplicate primary key exists in table"
NOT_FOUND = "Requested resource not found"
WHOLE_KEY = "Where clause does not contain a mandatory equality on all key attributes"
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


def found(db, statement, *parameters, **members):
    """The keys of the rows in an answer, in short."""
    return [i["pk"]["S"] + i["sk"]["N"] for i in items(db, statement, *parameters, **members)]


def units(answer):
    return answer["ConsumedCapacity"]
