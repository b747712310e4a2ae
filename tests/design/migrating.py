"""What the tests of `stator design migrate` share: an application that keeps writing, a process that can be killed, and
evolutions computed a second time, in Python."""

import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import threading
import time

from wire_client import Client, ServiceError

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("STATOR_BINARY", REPOSITORY / "build" / "stator"))
WAIT_S = 60  # a bound for a busy machine, not an expectation
STEP_S = 600  # the same for a whole step of a migration


def scan(client, table):
    """All items of a table."""
    items, request = [], {"TableName": table, "ConsistentRead": True}
    while True:
        answer = client.call("Scan", **request)
        items += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return items
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def key_names(client, table):
    return [key["AttributeName"] for key in client.call("DescribeTable", TableName=table)["Table"]["KeySchema"]]


class Writer(threading.Thread):
    """An application that knows the old model only: updates, deletes and writes items of a table again, until stopped.

    `mutate(item, random)` changes an item as the application would; it may return None for one that it leaves alone.
    """

    def __init__(self, port, table, mutate, seed=1):
        super().__init__(daemon=True)
        self.client, self.table, self.mutate = Client(port), table, mutate
        self.random = random.Random(seed)
        self.keys = key_names(self.client, table)
        self.items = scan(self.client, table)
        self.writes = 0
        self.error = None
        self._ended = threading.Event()
        self.start()

    def run(self):
        try:
            gone = []
            while not self._ended.is_set():
                began = time.monotonic()
                self.step(gone)
                self.writes += 1
                time.sleep(max(0.001, time.monotonic() - began))  # on a busy machine too it leaves time to catch up with it
        except Exception as error:  # shown by stop()
            self.error = error

    def step(self, gone):
        kind = self.random.choice(["delete", "again", "mutate", "mutate", "touch"])
        item = self.random.choice(self.items)
        key = {name: item[name] for name in self.keys}
        if kind == "delete":
            self.client.call("DeleteItem", TableName=self.table, Key=key)
            gone.append(item)
        elif kind == "again" and gone:
            self.client.call("PutItem", TableName=self.table, Item=gone.pop())
        elif kind == "touch":
            try:
                self.client.call("UpdateItem", TableName=self.table, Key=key, UpdateExpression="SET touched = :n",
                                 ConditionExpression=f"attribute_exists({self.keys[0]})",
                                 ExpressionAttributeValues={":n": {"N": str(self.writes)}})
            except ServiceError as error:
                if error.code != "ConditionalCheckFailedException":
                    raise
        else:
            answer = self.client.call("GetItem", TableName=self.table, Key=key, ConsistentRead=True)
            changed = self.mutate(dict(answer["Item"]), self.random) if "Item" in answer else None
            if changed:
                self.client.call("PutItem", TableName=self.table, Item=changed)

    def stop(self):
        self._ended.set()
        self.join(WAIT_S)
        self.client.close()
        if self.error:
            raise self.error
        assert self.writes > 0
        return self.writes


class Migrate:
    """`stator design migrate` between the same models, again and again."""

    def __init__(self, endpoint, before, after, state, sources=(), target=None):
        self.arguments = [*map(str, before), str(after), "--endpoint", endpoint, "--state", str(state), "--quiet"]
        for source in sources:
            self.arguments += ["--source", source]
        if target:
            self.arguments += ["--target", target]
        self.state = pathlib.Path(state)

    def command(self, step, *options):
        return [str(BINARY), "design", "migrate", *([step] if step else []), *self.arguments, *map(str, options)]

    def __call__(self, step, *options):
        return subprocess.run(self.command(step, *options), cwd=REPOSITORY, capture_output=True, text=True, timeout=STEP_S)

    def start(self, step, *options):
        return subprocess.Popen(self.command(step, *options), cwd=REPOSITORY, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def report(self, step, *options):
        done = self(step, *options, "--format", "json")
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return json.loads(done.stdout)

    def progress(self):
        """How many items the backfill has stored as done, over all sources."""
        total = 0
        for file in self.state.glob("backfill-*.json"):
            total += json.loads(file.read_text()).get("counts", {}).get("scanned", 0)
        return total

    def complete(self):
        files = list(self.state.glob("backfill-*.json"))
        places = [json.loads(file.read_text()) for file in files]
        return bool(files) and all(
            len(one["places"]) == one["segments"] and all("done" in place for place in one["places"].values())
            for one in places)

    def kill_in_the_middle(self, process):
        """kill -9 when some of the backfill is stored and some is not. Gives how far it was."""
        deadline = time.monotonic() + WAIT_S
        while self.progress() == 0 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        assert process.poll() is None, "the backfill ended before it could be killed"
        process.send_signal(signal.SIGKILL)
        process.wait(WAIT_S)
        assert not self.complete()
        return self.progress()


# --- evolutions, computed a second time -----------------------------------------------------------------------------


def shard(text, count):
    return int.from_bytes(hashlib.md5(text.encode()).digest(), "big") % count


def text(item, name):
    (value,) = item[name].values()
    return value


def by_article(item):
    """orders.yaml to orders-by-article.yaml."""
    if text(item, "entity_type") == "LineItem":
        order = text(item, "PK").removeprefix("ORDER#")
        line = int(text(item, "SK").removeprefix("ITEM#"))
        item |= {"GSI3PK": {"S": "SKU#" + text(item, "sku")}, "GSI3SK": {"S": f"{order}#{line:03}"}}
    return item


def sharded_board(item):
    """orders.yaml to orders-sharded-board.yaml."""
    if text(item, "entity_type") == "Order" and text(item, "status") == "OPEN":
        item["GSI2PK"] = {"S": f"OPEN#{shard(text(item, 'SK').split('#')[2], 10)}"}
    return item


def longer_orders(item):
    """orders.yaml to orders-longer-orders.yaml."""
    if text(item, "entity_type") == "LineItem":
        item["SK"] = {"S": f"ITEM#{int(text(item, 'SK').removeprefix('ITEM#')):05}"}
    return item


def more_shards(item):
    """shipments.yaml to shipments-more-shards.yaml."""
    if text(item, "entity_type") == "BulkEvent":
        pallet = text(item, "PK").split("#")[1]
        item["PK"] = {"S": f"SHIPMENT#{pallet}#{shard(text(item, 'SK').split('#')[2], 20)}"}
    return item


def one_table(item):
    """The tables of evolved/tables to one-table.yaml."""
    def keys(kind, partition, sort, **more):
        return {"entity_type": {"S": kind}, "PK": {"S": partition}, "SK": {"S": sort},
                **{name: {"S": value} for name, value in more.items()}}

    if "entity_type" in item:
        return item  # is there already
    if "productId" in item:
        return item_without(item, "productId") | keys(
            "Product", "PRODUCT#" + text(item, "productId"), "DETAILS",
            GSI1PK="CATEGORY#" + text(item, "category"), GSI1SK=text(item, "title"))
    if "orderId" in item:
        sort = f"ORDER#{text(item, 'placedAt')[:19]}#{text(item, 'orderId')}"
        return item_without(item, "userId", "orderId") | keys("Order", "USER#" + text(item, "userId"), sort)
    return item_without(item, "userId") | keys("User", "USER#" + text(item, "userId"), "PROFILE")


def item_without(item, *names):
    return {name: value for name, value in item.items() if name not in names}


# --- what an application does to items of the old models ------------------------------------------------------------


def change_order(item, dice):
    """Another article on a line, another status of an order, with the index keys of orders.yaml."""
    kind = text(item, "entity_type")
    if kind == "LineItem":
        item["sku"] = {"S": dice.choice(["hammer", "saw", "nail", "glue"])}
    elif kind == "Order":
        status = dice.choice(["OPEN", "OPEN", "PAID", "SHIPPED"])
        item["status"] = {"S": status}
        item["GSI1PK"] = {"S": f"{text(item, 'PK')}#{status}"}
        item.pop("GSI2PK", None), item.pop("GSI2SK", None)
        if status == "OPEN":
            item["GSI2PK"] = {"S": "OPEN"}
            item["GSI2SK"] = {"S": text(item, "SK").removeprefix("ORDER#")}
    else:
        item["note"] = {"S": str(dice.random())}
    return item


def change_shipment(item, dice):
    item["place"] = {"S": dice.choice(["hamburg", "oslo", "pier 9"])}
    return item


def change_market(item, dice):
    """The time of an order is part of its key in the one table: the copy moves."""
    if "PK" in item:
        item["note"] = {"S": str(dice.random())}
    elif "orderId" in item:
        item["placedAt"] = {"S": f"2026-0{dice.randint(1, 9)}-11T10:00:{dice.randint(10, 59)}Z"}
    elif "productId" in item:
        item["category"] = {"S": dice.choice(["tools", "paint", "wood"])}
    else:
        item["name"] = {"S": dice.choice(["Ada", "Grace", "Edsger"])}
    return item


def wait_until_it_takes(process, number):
    """Until the process has a way of its own with a signal, instead of just ending by it."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline and process.poll() is None:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        masks = [int(line.split()[1], 16) for line in status.splitlines() if line.startswith(("SigCgt", "SigBlk"))]
        if any(mask >> (number - 1) & 1 for mask in masks):
            return
        time.sleep(0.01)
    raise AssertionError(f"the process never took signal {number}")
