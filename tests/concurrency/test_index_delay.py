"""Reads that lag behind (--index-delay-ms), as an application meets them."""

import time

import pytest

import tables
from server_process import ServerProcess
from wire_client import Client

SEEN_S = 60
HOUR_MS = "3600000"
KEY = {"pk": {"S": "a"}, "sk": {"N": "1"}}
GLOBAL = [tables.index("global", ("place",))]
LOCAL = [tables.index("local", ("pk", "lsk"), "KEYS_ONLY")]


@pytest.fixture(params=["disk", "memory"])
def lagging(request, tmp_path):
    """Starts a server that lags so far behind and gives a client, with the table `tbl`."""
    started = []

    def start(delay_ms):
        data = tmp_path / "data" if request.param == "disk" else None
        server = ServerProcess(tmp_path / "log", "--cache-mb", "32", "--index-delay-ms", delay_ms, data=data).start()
        started.append(server)
        client = Client(server.port)
        types = {"pk": "S", "sk": "N", "place": "S", "lsk": "S"}
        tables.create(client, "tbl", ("pk", "sk"), types, LOCAL, GLOBAL)
        return server, client

    yield start
    for server in started:
        assert server.running(), server.log_text()
        assert server.stop() == 0
        assert server.log_text() == ""


def by_place(client, place):
    return client.call(
        "Query", TableName="tbl", IndexName="global", KeyConditionExpression="place = :p",
        ExpressionAttributeValues={":p": {"S": place}})["Items"]


def test_only_consistent_reads_see_a_new_write(lagging):
    _, client = lagging(HOUR_MS)
    item = {**KEY, "place": {"S": "x"}, "lsk": {"S": "l"}, "note": {"S": "n"}}
    client.call("PutItem", TableName="tbl", Item=item)
    query = {"TableName": "tbl", "KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": KEY["pk"]}}
    assert by_place(client, "x") == []
    assert client.call("Scan", TableName="tbl", IndexName="global")["Items"] == []
    assert "Item" not in client.call("GetItem", TableName="tbl", Key=KEY)
    assert client.call("BatchGetItem", RequestItems={"tbl": {"Keys": [KEY]}})["Responses"] == {"tbl": []}
    assert client.call("Query", **query)["Items"] == []
    assert client.call("Query", **query, IndexName="local", Select="ALL_ATTRIBUTES")["Items"] == []
    assert client.call("Scan", TableName="tbl")["Items"] == []
    statement = "SELECT * FROM tbl WHERE pk = 'a'"
    assert client.call("ExecuteStatement", Statement=statement)["Items"] == []

    assert client.call("GetItem", TableName="tbl", Key=KEY, ConsistentRead=True)["Item"] == item
    batch = client.call("BatchGetItem", RequestItems={"tbl": {"Keys": [KEY], "ConsistentRead": True}})
    assert batch["Responses"] == {"tbl": [item]}
    assert client.call("Query", **query, ConsistentRead=True)["Items"] == [item]
    local = client.call("Query", **query, IndexName="local", Select="ALL_ATTRIBUTES", ConsistentRead=True)
    assert local["Items"] == [item]
    assert client.call("Scan", TableName="tbl", ConsistentRead=True)["Items"] == [item]
    assert client.call("ExecuteStatement", Statement=statement, ConsistentRead=True)["Items"] == [item]
    got = client.call("TransactGetItems", TransactItems=[{"Get": {"TableName": "tbl", "Key": KEY}}])
    assert got["Responses"] == [{"Item": item}]
    updated = client.call(
        "UpdateItem", TableName="tbl", Key=KEY, UpdateExpression="REMOVE note", ReturnValues="ALL_OLD",
        ConditionExpression="attribute_exists(place)")
    assert updated["Attributes"] == item


def test_a_write_is_seen_when_its_time_has_come(lagging):
    _, client = lagging("300")
    deadline = time.monotonic() + SEEN_S
    for place in ("x", "y"):
        client.call("PutItem", TableName="tbl", Item={**KEY, "place": {"S": place}})
        while not by_place(client, place):
            assert time.monotonic() < deadline
            time.sleep(0.02)
    while by_place(client, "x"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert client.call("GetItem", TableName="tbl", Key=KEY)["Item"]["place"] == {"S": "y"}


def test_what_lags_is_one_state_of_the_table(lagging):
    """Two items that a transaction changes together are never seen apart, on the table or on the index."""
    server, client = lagging("50")

    def change(n):
        actions = [
            {"Put": {"TableName": "tbl", "Item": {"pk": {"S": pk}, "sk": {"N": "1"}, "place": {"S": f"p{n % 5}"}}}}
            for pk in ("left", "right")]
        client.call("TransactWriteItems", TransactItems=actions)

    change(0)
    reader = Client(server.port)
    while len(reader.call("Scan", TableName="tbl")["Items"]) < 2:
        time.sleep(0.02)
    seen = set()
    for n in range(300):
        change(n)
        for members in ({}, {"IndexName": "global"}):
            rows = reader.call("Scan", TableName="tbl", **members)["Items"]
            assert len(rows) == 2, rows
            assert rows[0]["place"] == rows[1]["place"], rows
            seen.add(rows[0]["place"]["S"])
    assert len(seen) > 1
