"""Definitions of tables, and reads of all there is in them."""

import time

ACTIVE_S = 30
PAGES_MAX = 100_000


def key_schema(*names):
    return [{"AttributeName": n, "KeyType": k} for n, k in zip(names, ("HASH", "RANGE"))]


def index(name, keys, projection="ALL", include=()):
    shown = {"ProjectionType": projection}
    if include:
        shown["NonKeyAttributes"] = list(include)
    return {"IndexName": name, "KeySchema": key_schema(*keys), "Projection": shown}


def create(client, name, keys, types, local=(), globals_=()):
    """Creates a table and waits until it and its indexes are ACTIVE. `types`: attribute name to S, N or B."""
    members = {
        "TableName": name,
        "KeySchema": key_schema(*keys),
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": t} for n, t in types.items()],
        "BillingMode": "PAY_PER_REQUEST",
    }
    if local:
        members["LocalSecondaryIndexes"] = list(local)
    if globals_:
        members["GlobalSecondaryIndexes"] = list(globals_)
    client.call("CreateTable", **members)
    wait_active(client, name)


def wait_active(client, name):
    deadline = time.monotonic() + ACTIVE_S
    while True:
        table = client.call("DescribeTable", TableName=name)["Table"]
        indexes = table.get("GlobalSecondaryIndexes", [])
        if table["TableStatus"] == "ACTIVE" and all(i["IndexStatus"] == "ACTIVE" for i in indexes):
            return table
        assert time.monotonic() < deadline, table
        time.sleep(0.02)


def scan_all(client, name, **members):
    """All items of a table or of one index, page by page."""
    items = []
    for _ in range(PAGES_MAX):
        page = client.call("Scan", TableName=name, **members)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        members["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    raise AssertionError(f"a scan of {name} does not end")
