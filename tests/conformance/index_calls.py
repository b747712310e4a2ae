"""Global indexes in few words: what the tests of indexes share."""

import time

from conftest import attribute

ALL = {"ProjectionType": "ALL"}
GONE_S = 60


def keys(hashes, ranges=""):
    """A key schema of attributes named by single letters."""
    return [{"AttributeName": n, "KeyType": "HASH"} for n in hashes] + [
        {"AttributeName": n, "KeyType": "RANGE"} for n in ranges]


def index(name, hashes, ranges="", projection=None, **members):
    return {"IndexName": name, "KeySchema": keys(hashes, ranges), "Projection": projection or ALL, **members}


def definitions(names, kinds=None):
    return [attribute(n, (kinds or {}).get(n, "S")) for n in names]


def post(db, table, *updates, **members):
    return db.post("UpdateTable", {"TableName": table, "GlobalSecondaryIndexUpdates": list(updates), **members})


def add(db, table, new, **members):
    members.setdefault("AttributeDefinitions", definitions(k["AttributeName"] for k in new["KeySchema"]))
    return post(db, table, {"Create": new}, **members)


def drop(db, table, name):
    return post(db, table, {"Delete": {"IndexName": name}})


def described(db, table):
    return db.call("DescribeTable", TableName=table)["Table"]


def indexes(description):
    return {i["IndexName"]: i for i in description.get("GlobalSecondaryIndexes", [])}


def wait_gone(db, table, name):
    deadline = time.monotonic() + GONE_S
    while name in indexes(description := described(db, table)) or description["TableStatus"] != "ACTIVE":
        assert time.monotonic() < deadline, description
        time.sleep(0.02)
    return description


def put(db, table, **values):
    item = {n: v if isinstance(v, dict) else {"S": v} for n, v in values.items()}
    db.call("PutItem", TableName=table, Item=item)
    return item


def scanned(db, table, name):
    found = db.call("Scan", TableName=table, IndexName=name)["Items"]
    return sorted(i["pk"]["S"] for i in found)


def eventually(wanted, current):
    deadline = time.monotonic() + 10
    while current() != wanted and time.monotonic() < deadline:
        time.sleep(0.05)
    assert current() == wanted
