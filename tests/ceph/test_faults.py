"""Faults in the middle of everything, through two nodes: what was acknowledged stays, and nothing is there by half.

Each test prints what it did, when, and how long requests stalled. STATOR_FAULT_S makes the load longer.
"""

import collections
import concurrent.futures
import os
import random
import signal
import threading
import time
import uuid

import pytest
from botocore.exceptions import BotoCoreError, ClientError
from conftest import cluster, create, index, scan_all, wait_for

LOAD_S = float(os.environ.get("STATOR_FAULT_S", "4"))
ACCOUNTS = 12
START = 100
CLIENTS = 8
ANSWER_S = 90  # bound of one request; a paused cluster answers late

# Outcomes of which it is known that nothing was done.
REFUSED = {"TransactionCanceledException", "TransactionConflictException", "ConditionalCheckFailedException"}


class Load:
    """Clients that move money between accounts, each transfer with an entry of its own, and put items with an index."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.table = "bank-" + uuid.uuid4().hex[:8]
        self.stop = threading.Event()
        self.begun = time.monotonic()
        self.acknowledged = collections.defaultdict(dict)  # by client: entry or item -> what was written
        self.unknown = collections.defaultdict(set)
        self.answers = []  # moments of acknowledged writes
        self.errors = collections.Counter()

    def prepare(self):
        db = self.nodes[0].db()
        create(db, self.table, GlobalSecondaryIndexes=[index("by-g", "g")])
        for number in range(ACCOUNTS):
            db.put_item(TableName=self.table, Item=account(number, START))

    def run(self, client):
        choice = random.Random(client)
        clients = [node.db(timeout_s=ANSWER_S) for node in self.nodes]
        for count in range(10**9):
            if self.stop.is_set():
                return
            name = f"e{client}-{count}"
            db = clients[client % len(clients)]  # a node that fails stops its own clients only
            work = self.transfer if count % 2 == 0 else self.put
            try:
                written = work(db, name, choice)
            except ClientError as error:
                code = error.response["Error"]["Code"]
                self.errors[code] += 1
                if code not in REFUSED:
                    self.unknown[client].add(name)
                    time.sleep(0.05)
            except BotoCoreError as error:
                self.errors[type(error).__name__] += 1
                self.unknown[client].add(name)
                time.sleep(0.05)
            else:
                self.acknowledged[client][name] = written
                self.answers.append(time.monotonic())

    def transfer(self, db, name, choice):
        source, target = choice.sample(range(ACCOUNTS), 2)
        change = "ADD balance :d"

        def update(number, delta):
            return {"Update": {"TableName": self.table, "Key": {"pk": {"S": f"a{number}"}}, "UpdateExpression": change,
                               "ExpressionAttributeValues": {":d": {"N": str(delta)}}}}

        entry = {"pk": {"S": name}, "g": {"S": f"g{source}"}, "from": {"N": str(source)}, "to": {"N": str(target)}}
        db.transact_write_items(TransactItems=[
            update(source, -1), update(target, 1), {"Put": {"TableName": self.table, "Item": entry}}])
        return entry

    def put(self, db, name, choice):
        item = {"pk": {"S": name}, "g": {"S": f"g{choice.randrange(5)}"}, "n": {"N": str(choice.randrange(10**6))}}
        db.put_item(TableName=self.table, Item=item)
        return item

    def stalls(self):
        """The longest times without any acknowledged write, in seconds after the beginning."""
        moments = sorted([self.begun, *self.answers])
        gaps = sorted(((b - a, a - self.begun) for a, b in zip(moments, moments[1:])), reverse=True)
        return ", ".join(f"{length:.1f} s from {at:.1f}" for length, at in gaps[:3])

    def check(self, db):
        items = {item["pk"]["S"]: item for item in scan_all(db, TableName=self.table)}
        indexed = {name: item for name, item in items.items() if "g" in item}

        def rows():
            return {item["pk"]["S"]: item for item in scan_all(db, TableName=self.table, IndexName="by-g")}

        wait_for(lambda: rows() == indexed, "index and table to be equal")
        balances = [START] * ACCOUNTS
        for name, item in items.items():
            if "from" in item:
                balances[int(item["from"]["N"])] -= 1
                balances[int(item["to"]["N"])] += 1
        assert [int(items[f"a{n}"]["balance"]["N"]) for n in range(ACCOUNTS)] == balances, "half a transaction"
        lost = [n for done in self.acknowledged.values() for n, written in done.items() if items.get(n) != written]
        assert not lost, f"acknowledged writes are gone: {lost[:5]}"
        allowed = {name for done in (*self.acknowledged.values(), *self.unknown.values()) for name in done}
        strange = [name for name in items if name.startswith("e") and name not in allowed]
        assert not strange, f"refused writes are there: {strange[:5]}"
        assert db.describe_table(TableName=self.table)["Table"]["ItemCount"] == len(items)
        return len(items)


def account(number, balance):
    return {"pk": {"S": f"a{number}"}, "balance": {"N": str(balance)}}


@pytest.fixture(scope="module")
def nodes(start_nodes):
    return start_nodes(2, "--ceph-timeout-ms", "20000")


@pytest.fixture
def load(nodes):
    load = Load(nodes)
    load.prepare()
    return load


def under_load(load, disturb):
    """Runs the clients, disturbs in the middle, lets them go on until each node has answered again; then checks all."""
    load.begun = time.monotonic()

    def say(text):
        print(f"{time.monotonic() - load.begun:6.1f} s  {text}")

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        running = [pool.submit(load.run, client) for client in range(CLIENTS)]
        time.sleep(LOAD_S / 2)
        say(f"{len(load.answers)} writes acknowledged")
        disturb(say)
        healed = len(load.answers)
        deadline = time.monotonic() + ANSWER_S
        while len(load.answers) < healed + 20 and time.monotonic() < deadline:
            time.sleep(0.1)
        say("20 more writes were acknowledged")
        time.sleep(LOAD_S / 2)
        load.stop.set()
        for client in running:
            client.result()
    counts = {load.check(node.db(timeout_s=ANSWER_S)) for node in load.nodes}
    assert len(counts) == 1
    say(f"{len(load.answers)} writes acknowledged, {counts.pop()} items, index equal; errors {dict(load.errors)}")
    say(f"longest stalls: {load.stalls()}")


def test_kill_a_node_in_the_middle_of_transactions(load, nodes):
    def disturb(say):
        for _ in range(2):
            nodes[1].kill()
            say("node 2 was killed with -9")
            time.sleep(1.5)
            nodes[1].start()
            say("node 2 runs again")
            time.sleep(1)

    under_load(load, disturb)


def test_kill_an_osd_and_bring_it_back(load):
    def disturb(say):
        cluster("kill", "osd.1")
        say("osd.1 was killed with -9")
        time.sleep(3)
        cluster("restart", "osd.1")
        say("osd.1 is back")

    under_load(load, disturb)


def test_stop_the_whole_cluster_and_restart_it(load):
    def disturb(say):
        cluster("kill")
        say("monitor and all OSDs were killed with -9")
        time.sleep(2)
        cluster("restart")
        say("all daemons run again")

    under_load(load, disturb)


def test_pause_a_node_for_longer_than_its_leases(load, nodes):
    def disturb(say):
        nodes[0].process.send_signal(signal.SIGSTOP)
        say("node 1 was paused")
        time.sleep(8)
        nodes[0].process.send_signal(signal.SIGCONT)
        say("node 1 goes on")

    under_load(load, disturb)
