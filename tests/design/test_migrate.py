"""`stator design migrate` end to end: every evolution while an application keeps writing by the old model."""

import json
import signal
import threading
import time

import pytest
import yaml

import migrating
from migrating import Migrate, Writer, key_names, scan
from models import REPOSITORY
from server_process import ServerProcess
from wire_client import Client

EVOLVED = "examples/models/evolved"
ORDERS = "examples/models/orders.yaml"
TABLES = [f"{EVOLVED}/tables/{table}.yaml" for table in ("users", "orders", "products")]


def products_only(folder):
    """one-table.yaml before users and orders came into it."""
    model = yaml.safe_load((REPOSITORY / EVOLVED / "one-table.yaml").read_text())
    model["entities"] = {"Product": model["entities"]["Product"]}
    model["patterns"] = {name: model["patterns"][name] for name in ("product", "products-of-category")}
    del model["relationships"]
    path = folder / "products-only.yaml"
    path.write_text(yaml.safe_dump(model))
    return str(path)


# name -> old models, new model, the evolution in Python, what the application does to an item
EVOLUTIONS = {
    "new-index": ([ORDERS], f"{EVOLVED}/orders-by-article.yaml", migrating.by_article, migrating.change_order),
    "new-sharding": ([ORDERS], f"{EVOLVED}/orders-sharded-board.yaml", migrating.sharded_board, migrating.change_order),
    "key-template": ([ORDERS], f"{EVOLVED}/orders-longer-orders.yaml", migrating.longer_orders, migrating.change_order),
    "more-shards": (["examples/models/shipments.yaml"], f"{EVOLVED}/shipments-more-shards.yaml", migrating.more_shards,
                    migrating.change_shipment),
    "into-one-of-them": ([products_only, *TABLES[:2]], f"{EVOLVED}/one-table.yaml", migrating.one_table,
                         migrating.change_market),
    "one-table": (TABLES, f"{EVOLVED}/one-table.yaml", migrating.one_table, migrating.change_market),
}
IN_PLACE = ("new-index", "new-sharding", "into-one-of-them")


class Tables:
    """Generated data in tables of the old models, and a migration of them."""

    def __init__(self, stator, endpoint, port, evolution, folder, items, suffix):
        self.name = evolution
        self.before, self.after, self.expected, self.mutate = EVOLUTIONS[evolution]
        self.before = [model if isinstance(model, str) else model(folder) for model in self.before]
        self.port, self.client = port, Client(port)
        self.sources = [f"{suffix}-{at}" for at in range(len(self.before))]
        self.target = self.sources[0] if evolution in IN_PLACE else f"{suffix}-target"
        for model, table in zip(self.before, self.sources):
            done = stator("prove", "--endpoint", endpoint, "--items", items, "--runs", "1", "--quiet", "--no-writes",
                          "--keep", "--table", table, model)
            assert done.returncode in (0, 1), done.stderr
        self.migrate = Migrate(endpoint, self.before, self.after, folder / "state", self.sources, self.target)

    def writers(self):
        return [Writer(self.port, table, self.mutate, seed) for seed, table in enumerate(self.sources)]

    def check(self):
        """The target is what the evolution makes of the sources, computed here: no item more or less."""
        keys = key_names(self.client, self.target)

        def by_key(items):
            return {tuple(str(item[name]) for name in keys): item for item in items}

        there = by_key(scan(self.client, self.target))
        wanted = by_key(self.expected(dict(item)) for table in self.sources for item in scan(self.client, table))
        assert there.keys() == wanted.keys()
        assert [(there[key], wanted[key]) for key in wanted if there[key] != wanted[key]] == []
        assert there


@pytest.fixture
def tables(stator, server, server_process, tmp_path, request):
    def make(evolution, items=800):
        name = request.node.name.translate({ord(c): "-" for c in "[]_"})
        return Tables(stator, server, server_process.port, evolution, tmp_path, items, f"m-{name}")

    return make


@pytest.mark.parametrize("evolution", EVOLUTIONS)
def test_evolution_while_the_application_writes_and_processes_are_killed(tables, evolution):
    there = tables(evolution)
    migrate = there.migrate
    done = migrate("prepare")
    assert done.returncode == 0, done.stderr
    writers = there.writers()
    try:
        sync = migrate.start("sync", "--format", "json")
        backfill = migrate.start("backfill", "--wcu", "50", "--rcu", "20", "--page", "5")  # in no hurry: it shall be killed
        stored = migrate.kill_in_the_middle(backfill)
        sync.kill()
        sync.communicate()
        sync = migrate.start("sync", "--format", "json")
        report = migrate.report("backfill")
        assert report["scanned"] > stored > 0
        migrating.wait_until_it_takes(sync, signal.SIGTERM)  # on a busy machine it may just have been started
        sync.send_signal(signal.SIGTERM)
        out, err = sync.communicate(timeout=migrating.WAIT_S)
        assert sync.returncode == 0, out + err
    finally:
        for writer in writers:
            writer.stop()
    assert migrate("finish").returncode == 2  # not validated
    done = migrate("sync", "--until-caught-up")
    assert done.returncode == 0, done.stderr
    done = migrate("validate")
    assert done.returncode == 0, done.stdout + done.stderr
    there.check()
    done = migrate("finish")
    assert done.returncode == 0, done.stderr
    for table in there.sources:
        stream = there.client.call("DescribeTable", TableName=table)["Table"].get("StreamSpecification", {})
        assert stream.get("StreamEnabled", False) == (evolution == "more-shards")  # that one had one before
    assert migrate("finish").returncode == 0


@pytest.mark.parametrize("evolution", ["new-index", "key-template"])
def test_all_in_one_go_validates_while_the_application_writes(tables, evolution):
    there = tables(evolution, 2000)
    writers = there.writers()
    try:
        done = there.migrate(None)
    finally:
        for writer in writers:
            writer.stop()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "source and target agree" in done.stdout
    assert there.migrate("sync", "--until-caught-up").returncode == 0
    there.check()


def test_second_backfill_changes_nothing(tables):
    there = tables("key-template")
    assert there.migrate(None, "--finish").returncode == 0
    there.check()
    for file in there.migrate.state.glob("backfill-*.json"):
        file.unlink()
    report = there.migrate.report("backfill")
    assert report["written"] == 0 and report["unchanged"] == report["scanned"] > 0
    there.check()


def test_late_changes_come_with_finish(tables):
    """What was written after the last sync, but before finish, is applied by it."""
    there = tables("one-table")
    assert there.migrate(None).returncode == 0
    writers = there.writers()
    while min(writer.writes for writer in writers) < 50:
        threading.Event().wait(0.01)
    for writer in writers:
        writer.stop()
    done = there.migrate("finish")
    assert done.returncode == 0, done.stderr
    there.check()


def test_hot_item_ends_as_the_application_left_it(tables):
    """One item, written as fast as possible: what the application wrote last is what is there, with the new index key."""
    there = tables("new-index", 300)
    line = next(item for item in scan(there.client, there.target) if item["entity_type"]["S"] == "LineItem")
    key = {name: line[name] for name in ("PK", "SK")}
    assert there.migrate("prepare").returncode == 0
    sync = there.migrate.start("sync")
    for number in range(500):
        there.client.call("UpdateItem", TableName=there.target, Key=key, UpdateExpression="SET sku = :sku, qty = :qty",
                          ExpressionAttributeValues={":sku": {"S": f"sku-{number}"}, ":qty": {"N": str(number)}})
        if number == 250:
            assert there.migrate("backfill").returncode == 0
    sync.terminate()
    sync.communicate(timeout=migrating.WAIT_S)
    assert there.migrate("sync", "--until-caught-up").returncode == 0
    item = there.client.call("GetItem", TableName=there.target, Key=key, ConsistentRead=True)["Item"]
    assert (item["sku"], item["qty"], item["GSI3PK"]) == ({"S": "sku-499"}, {"N": "499"}, {"S": "SKU#sku-499"})


@pytest.fixture(scope="module")
def restless(tmp_path_factory):
    """A server whose eventually consistent reads lag, and whose stream shards end every now and then. What follows a stream has
    caught up when it has read all shards and none has ended meanwhile: on a busy machine that takes more than a moment."""
    with ServerProcess(tmp_path_factory.mktemp("restless") / "log", "--index-delay-ms", "300", "--shard-lifetime-ms",
                       "2000") as process:
        yield process


@pytest.mark.parametrize("evolution", ["key-template", "new-index"])
def test_stale_reads_and_short_shards(stator, restless, tmp_path, evolution):
    endpoint = f"http://127.0.0.1:{restless.port}"
    there = Tables(stator, endpoint, restless.port, evolution, tmp_path, 1500, f"restless-{evolution}")
    writers = there.writers()
    try:
        done = there.migrate(None, "--wcu", "2000")
    finally:
        for writer in writers:
            writer.stop()
    assert done.returncode == 0, done.stdout + done.stderr
    assert there.migrate("sync", "--until-caught-up").returncode == 0
    assert there.migrate("validate").returncode == 0
    there.check()


def test_lost_changes_are_noticed(stator, tmp_path):
    """A stream that has forgotten what was not yet read: an error, not silence."""
    with ServerProcess(tmp_path / "log", "--shard-lifetime-ms", "1000", "--stream-retention-ms", "3000") as forgetful:
        endpoint = f"http://127.0.0.1:{forgetful.port}"
        there = Tables(stator, endpoint, forgetful.port, "key-template", tmp_path, 200, "forgetful")
        assert there.migrate("prepare").returncode == 0
        deadline = time.monotonic() + migrating.WAIT_S
        unread = set()
        item = scan(there.client, there.sources[0])[0]
        while not unread:  # on a busy machine a shard may end before it is read: then it is read to its end
            assert time.monotonic() < deadline
            there.client.call("PutItem", TableName=there.sources[0], Item=item | {"note": {"S": str(time.monotonic())}})
            assert there.migrate("sync", "--until-caught-up").returncode == 0
            state = json.loads(next(there.migrate.state.glob("sync-*.json")).read_text())
            unread = {shard for shard, place in state["shards"].items() if "ended" not in place}
        streams = Client(forgetful.port, "DynamoDBStreams_20120810.")

        def listed():
            description = streams.call("DescribeStream", StreamArn=state["stream"])["StreamDescription"]
            return {shard["ShardId"] for shard in description["Shards"]}

        deadline = time.monotonic() + migrating.WAIT_S
        while unread & listed() and time.monotonic() < deadline:
            time.sleep(0.1)
        streams.close()
        done = there.migrate("sync", "--until-caught-up")
        assert done.returncode == 2 and "older than what its stream keeps" in done.stderr


# --- differences are found ------------------------------------------------------------------------------------------


def test_induced_differences_are_found(tables):
    there = tables("key-template")
    migrate = there.migrate
    assert migrate(None).returncode == 0
    lines = sorted((item for item in scan(there.client, there.target) if item["entity_type"]["S"] == "LineItem"),
                   key=lambda item: (item["PK"]["S"], item["SK"]["S"]))

    def key(item):
        return {name: item[name] for name in ("PK", "SK")}

    call = there.client.call
    call("DeleteItem", TableName=there.target, Key=key(lines[0]))
    call("PutItem", TableName=there.target, Item=lines[1] | {"qty": {"N": "4711"}})
    call("PutItem", TableName=there.target, Item=lines[2] | {"SK": {"S": "ITEM#09999"}})
    call("PutItem", TableName=there.target, Item={"PK": {"S": "x"}, "SK": {"S": "y"}, "entity_type": {"S": "Nobody"}})
    report = migrate.report("validate", "--settle", "2")
    assert not report["agrees"] and report["found"] == 4
    kinds = {(one["kind"], one["entity"]) for one in report["differences"]}
    assert kinds == {("missing", "LineItem"), ("different", "LineItem"), ("extra", "LineItem"), ("extra", "")}
    (different,) = [one for one in report["differences"] if one["kind"] == "different"]
    assert "4711" in different["text"] and "qty" in different["text"]
    assert report["entities"]["LineItem"]["target"] == len(lines)  # one less, one more
    done = migrate("validate", "--settle", "1", "--differences", "1")
    assert done.returncode == 1
    assert "4 differences" in done.stdout and "and 3 more" in done.stdout
    done = migrate("finish")
    assert done.returncode == 2 and "not validated" in done.stderr


def test_induced_differences_are_found_in_place(tables):
    there = tables("new-index")
    migrate = there.migrate
    assert migrate(None).returncode == 0
    line = next(item for item in scan(there.client, there.target) if item["entity_type"]["S"] == "LineItem")
    key = {name: line[name] for name in ("PK", "SK")}
    there.client.call("UpdateItem", TableName=there.target, Key=key, UpdateExpression="SET GSI3PK = :wrong",
                      ExpressionAttributeValues={":wrong": {"S": "SKU#wrong"}})
    done = migrate("validate", "--settle", "2")
    assert done.returncode == 1 and "SKU#wrong" in done.stdout
    assert migrate("sync", "--until-caught-up").returncode == 0  # the change is in the stream: it is put right
    assert migrate("validate").returncode == 0
    there.check()


# --- settings -------------------------------------------------------------------------------------------------------


def test_drop_removed_takes_attributes_out(stator, server, wire, tmp_path):
    """From the model with GSI3 back to the one without."""
    table = "m-drop"
    done = stator("prove", "--endpoint", server, "--items", "300", "--runs", "1", "--quiet", "--no-writes", "--keep",
                  "--table", table, f"{EVOLVED}/orders-by-article.yaml")
    assert done.returncode == 0, done.stderr
    migrate = Migrate(server, [f"{EVOLVED}/orders-by-article.yaml"], ORDERS, tmp_path / "state", [table], table)
    done = migrate(None, "--drop-removed", "--finish")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "index GSI3 removed" in done.stdout
    items = wire("Scan", {"TableName": table})["Items"]
    assert items and not any("GSI3PK" in item or "GSI3SK" in item for item in items)
    indexes = wire("DescribeTable", {"TableName": table})["Table"]["GlobalSecondaryIndexes"]
    assert {index["IndexName"] for index in indexes} == {"GSI1", "GSI2"}


def test_new_table_gets_its_settings_at_the_end(tables, wire):
    """Expiry and stream of shipments-more-shards.yaml come with finish, not while items are copied."""
    there = tables("more-shards", 300)
    assert there.migrate(None).returncode == 0
    request = {"TableName": there.target}
    assert "StreamSpecification" not in wire("DescribeTable", request)["Table"]
    assert wire("DescribeTimeToLive", request)["TimeToLiveDescription"]["TimeToLiveStatus"] == "DISABLED"
    done = there.migrate("finish", "--drop-source")
    assert done.returncode == 0, done.stderr
    assert wire("DescribeTable", request)["Table"]["StreamSpecification"]["StreamViewType"] == "NEW_IMAGE"
    assert wire("DescribeTimeToLive", request)["TimeToLiveDescription"]["AttributeName"] == "expiresAt"
    assert there.sources[0] not in wire("ListTables", {})["TableNames"]
