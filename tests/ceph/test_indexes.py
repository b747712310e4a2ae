"""Global indexes behind their items, through two nodes of which one is killed: in the end index and table are equal, and nothing is pending."""

import concurrent.futures
import itertools
import random
import re
import subprocess
import threading
import time
import urllib.request

import pytest
from botocore.exceptions import BotoCoreError, ClientError
from conftest import CONFIGURATION, create, index, scan_all, wait_for

LOAD_S = 3
ITEMS = 150
CLIENTS = 8


def rados(pool, *arguments):
    return subprocess.run(["rados", "-c", CONFIGURATION, "-p", pool, *arguments],
                          check=True, capture_output=True, timeout=60).stdout


def pending_rows(pool):
    """Outbox rows in the pool: rows of the space of items (0 behind four bytes of table) whose key ends with FF (and the omap's 00)."""
    count = 0
    for name in rados(pool, "ls").decode().split():
        if name.startswith("leaf."):
            keys = rados(pool, "listomapkeys", name)
            count += len(re.findall(rb"(?:^|\n)r(?!\x00{4})[^\n]{4}\x00[^\n]{4}[^\n]*?\xff\x00(?=\n|$)", keys))
    return count


def metrics(node):
    return urllib.request.urlopen(f"{node.url}/metrics", timeout=10).read().decode()


def metric(node, name):
    """The sum of a metric over its labels."""
    return sum(float(value) for value in re.findall(rf"^{name}(?:\{{.*\}})? (\S+)$", metrics(node), re.MULTILINE))


def read_index(db):
    return {item["pk"]["S"]: item for item in scan_all(db, TableName="indexed", IndexName="by-g")}


def read_indexed_items(db):
    return {item["pk"]["S"]: item for item in scan_all(db, TableName="indexed") if "g" in item}


@pytest.fixture(scope="module")
def two(start_nodes):
    return start_nodes(2)


@pytest.fixture(scope="module")
def table(two):
    create(two[0].db(), "indexed", GlobalSecondaryIndexes=[index("by-g", "g")])


def write(db, choice):
    pk = {"S": f"i{choice.randrange(ITEMS)}"}
    item = {"pk": pk, "v": {"N": str(choice.randrange(10**6))}}
    if choice.randrange(4) != 0:  # others are not in the index
        item["g"] = {"S": f"g{choice.randrange(6)}"}
    kind = choice.randrange(6)
    if kind == 0:
        db.delete_item(TableName="indexed", Key={"pk": pk})
    elif kind == 1:
        other = {"Update": {"TableName": "indexed", "Key": {"pk": {"S": f"other-{pk['S']}"}}, "UpdateExpression": "SET g = :g",
                            "ExpressionAttributeValues": {":g": {"S": f"g{choice.randrange(6)}"}}}}
        db.transact_write_items(TransactItems=[{"Put": {"TableName": "indexed", "Item": item}}, other])
    else:
        db.put_item(TableName="indexed", Item=item)


class Load:
    """Clients of both nodes, which change to the other one when theirs does not answer."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.stop = threading.Event()
        self.written = itertools.count()

    def run(self, client):
        choice = random.Random(client)
        clients = [node.db(timeout_s=20) for node in self.nodes]
        turn = client
        while not self.stop.is_set():
            try:
                write(clients[turn % 2], choice)
                next(self.written)
            except ClientError as error:
                assert error.response["Error"]["Code"].startswith("Transaction"), error
            except BotoCoreError:
                turn += 1
                time.sleep(0.02)


def test_a_client_of_one_node_reads_its_own_writes(two, table):
    db = two[0].db()
    for number in range(50):
        db.put_item(TableName="indexed", Item={"pk": {"S": "own"}, "g": {"S": f"own-{number}"}})
        found = db.query(TableName="indexed", IndexName="by-g", KeyConditionExpression="g = :g",
                         ExpressionAttributeValues={":g": {"S": f"own-{number}"}})
        assert found["Count"] == 1, number
    wait_for(lambda: "own" in read_index(two[1].db()), "the other node to see it")


def test_nothing_is_lost_when_a_node_is_killed(pool, two, table):
    load = Load(two)
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
        running = [clients.submit(load.run, client) for client in range(CLIENTS)]
        time.sleep(LOAD_S)
        two[1].kill()
        killed = time.monotonic()
        left = pending_rows(pool)
        time.sleep(LOAD_S)
        load.stop.set()
        for client in running:
            client.result()
    print(f"{next(load.written)} writes; {left} outbox rows were there just after kill -9")
    a = two[0].db()
    wait_for(lambda: read_index(a) == read_indexed_items(a), "the index to be equal to the table")
    print(f"the index was equal to the table {time.monotonic() - killed:.1f} s after kill -9")
    wait_for(lambda: pending_rows(pool) == 0, "the outbox rows of the dead node to be applied")
    wait_for(lambda: metric(two[0], "stator_index_unswept_tables") == 0, "the table to be swept")
    wait_for(lambda: metric(two[0], "stator_index_outbox_rows") == 0, "the node to have nothing queued")
    assert metric(two[0], "stator_index_lag_seconds_count") > 0
    description = a.describe_table(TableName="indexed")["Table"]
    assert description["ItemCount"] == len(scan_all(a, TableName="indexed"))
    assert description["GlobalSecondaryIndexes"][0]["ItemCount"] == len(read_index(a))
    two[1].start()
    b = two[1].db()
    assert read_index(b) == read_indexed_items(b)


def test_a_node_that_stops_leaves_nothing_to_do(pool, two, table):
    db = two[1].db()
    for number in range(100):
        db.put_item(TableName="indexed", Item={"pk": {"S": f"last-{number}"}, "g": {"S": "last"}})
    two[1].stop()
    assert pending_rows(pool) == 0
    a = two[0].db()
    assert read_index(a) == read_indexed_items(a)
