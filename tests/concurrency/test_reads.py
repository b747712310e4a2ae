"""Consistent reads see what was acknowledged, and never less than was seen before."""

import threading

KEY = {"pk": {"S": "clock"}}
TICKS = 300


class Highest:
    """The highest value that anyone knew at some moment."""

    def __init__(self):
        self._lock = threading.Lock()
        self._value = 0

    def get(self):
        with self._lock:
            return self._value

    def raise_to(self, value):
        with self._lock:
            self._value = max(self._value, value)


def tick(client, table, highest):
    answer = client.call(
        "UpdateItem", TableName=table, Key=KEY, UpdateExpression="ADD n :one",
        ExpressionAttributeValues={":one": {"N": "1"}}, ReturnValues="UPDATED_NEW",
    )
    highest.raise_to(int(answer["Attributes"]["n"]["N"]))


def by_get(client, table):
    return client.call("GetItem", TableName=table, Key=KEY, ConsistentRead=True).get("Item")


def by_batch(client, table):
    request = {table: {"Keys": [KEY], "ConsistentRead": True}}
    return (client.call("BatchGetItem", RequestItems=request)["Responses"][table] or [None])[0]


def by_query(client, table):
    found = client.call(
        "Query", TableName=table, ConsistentRead=True, KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": KEY["pk"]},
    )["Items"]
    return (found or [None])[0]


def by_scan(client, table):
    return (client.call("Scan", TableName=table, ConsistentRead=True)["Items"] or [None])[0]


def test_consistent_reads_never_go_backwards(table, at_once):
    """A read that begins after a value was known to anyone, writer or reader, shows that value or a later one."""
    highest = Highest()
    reads = [by_get, by_batch, by_query, by_scan]

    def work(own, number):
        if number < 4:
            for _ in range(TICKS):
                tick(own, table, highest)
            return
        read = reads[number % len(reads)]
        for _ in range(TICKS):
            known = highest.get()
            item = read(own, table)
            value = int(item["n"]["N"]) if item else 0
            assert value >= known, f"{read.__name__} shows {value} after {known} was known"
            highest.raise_to(value)

    at_once(12, work)
    assert highest.get() == 4 * TICKS


def test_a_refused_condition_shows_what_is_really_there(client, table, at_once):
    """The item in a refusal is one that was acknowledged or is about to be: later reads never show an older one."""
    highest = Highest()

    def work(own, number):
        for _ in range(TICKS // 3):
            if number < 4:
                tick(own, table, highest)
                continue
            known = highest.get()
            status, answer = own.send("DeleteItem", (
                '{"TableName":"%s","Key":{"pk":{"S":"clock"}},"ConditionExpression":"n < :zero",'
                '"ExpressionAttributeValues":{":zero":{"N":"0"}},'
                '"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}' % table).encode())
            assert status == 400 and answer["__type"].endswith("ConditionalCheckFailedException"), answer
            value = int(answer["Item"]["n"]["N"]) if "Item" in answer else 0
            assert value >= known
            highest.raise_to(value)

    at_once(8, work)
    assert int(by_get(client, table)["n"]["N"]) == 4 * (TICKS // 3) == highest.get()
