"""`stator design prove` against a real server: every example holds, and what is wrong is found."""

import json

import pytest

from models import EXAMPLES, REPOSITORY, name

ORDERS = (REPOSITORY / "examples/models/orders.yaml").read_text()


def prove(stator, server, model, *options):
    small = ("--items", "2000", "--runs", "20", "--quiet", "--no-times")
    return stator("prove", "--endpoint", server, *small, *options, model)


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_examples_hold(stator, server, golden, model):
    done = prove(stator, server, model)
    assert done.returncode == 0, done.stdout + done.stderr
    golden(f"prove/{model.stem}.txt", done.stdout)


def test_another_seed_holds_too(stator, server):
    done = prove(stator, server, "examples/models/orders.yaml", "--seed", "7", "--format", "json")
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report["proved"]
    assert report["items"] > 1000
    assert all(outcome["runs"] > 0 for outcome in report["outcomes"])


# What is changed in the order model, and what the proof has to say about it.
WRONG = {
    "scan": (
        'kind: get\n    entity: Customer\n    key: {PK: "CUST#{customerId}", SK: PROFILE}',
        "kind: scan\n    entity: Customer",
        "is a Scan",
    ),
    "filter": (
        'key: {PK: "CUST#{customerId}", SK: {begins_with: "ORDER#"}}',
        'key: {PK: "CUST#{customerId}", SK: {begins_with: "ORDER#"}}\n    filter: status = :wanted\n'
        "    parameters: {wanted: {value: PAID}}",
        "paid for and thrown away",
    ),
    "attribute that the index does not keep": (
        "projection: [status, total]\n    limit: 100",
        "projection: [status, total, version]\n    limit: 100",
        "does not project",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_models_fail(stator, server, tmp_path, case):
    old, new, complaint = WRONG[case]
    assert old in ORDERS
    model = tmp_path / "wrong.yaml"
    model.write_text(ORDERS.replace(old, new, 1))
    done = prove(stator, server, model)
    assert done.returncode == 1, done.stdout + done.stderr
    assert complaint in done.stdout, done.stdout
    assert "FAILED" in done.stdout


def test_lost_items_are_noticed(stator, server, wire):
    """A proof over a table in which an item is missing and another one is changed."""
    model = "examples/models/orders.yaml"
    kept = ("--table", "tampered", "--no-writes")
    assert prove(stator, server, model, "--keep", *kept).returncode == 0
    assert prove(stator, server, model, "--keep", "--no-load", *kept).returncode == 0
    items = wire("Query", {
        "TableName": "tampered", "IndexName": "GSI2", "KeyConditionExpression": "GSI2PK = :open",
        "ExpressionAttributeValues": {":open": {"S": "OPEN"}},
    })["Items"]
    key = {part: items[0][part] for part in ("PK", "SK")}
    wire("DeleteItem", {"TableName": "tampered", "Key": key})
    done = prove(stator, server, model, "--keep", "--no-load", *kept)
    assert done.returncode == 1
    assert "GSI2 is sparse FAILED" in done.stdout and "A5 FAILED" in done.stdout


def test_never_writes_into_a_table_that_is_there(stator, server):
    options = ("--table", "occupied", "--keep", "--no-writes")
    assert prove(stator, server, "examples/models/graph.yaml", *options).returncode == 0
    done = prove(stator, server, "examples/models/graph.yaml", *options)
    assert done.returncode == 2 and "is there already" in done.stderr


def test_cleans_up_behind_itself(stator, server, wire):
    assert prove(stator, server, "examples/models/graph.yaml", "--table", "fleeting").returncode == 0
    assert "fleeting" not in wire("ListTables", {})["TableNames"]


def test_no_server_is_an_error(stator):
    done = stator("prove", "--endpoint", "http://127.0.0.1:1", "--quiet", "examples/models/graph.yaml")
    assert done.returncode == 2 and "127.0.0.1" in done.stderr


SHARDED_PAGES = """
stator_model: 1
name: pages
table: {name: pages, partition_key: PK, sort_key: SK, type_attribute: type}
entities:
  Event:
    count: 1000
    attributes:
      eventId: {format: ulid, unique: true, stored: false}
      body: {size: 5000, max_size: 5000}
    keys: {PK: "EVENTS#{shard(eventId, 3)}", SK: "EVENT#{eventId}"}
patterns:
  all: {kind: query, entity: Event, key: {PK: "EVENTS#{shard(*, 3)}", SK: {begins_with: "EVENT#"}}, rate: 1ALLOW}
  newest: {kind: query, entity: Event, key: {PK: "EVENTS#{shard(*, 3)}", SK: {begins_with: "EVENT#"}}, order: descending, limit: 250, rate: 1ALLOW}
"""


def test_each_shard_of_a_query_has_pages_of_its_own(stator, server, tmp_path):
    """Some 330 items of 5 kB in each of three shards are two pages; so are the newest 250 of each."""
    model = tmp_path / "pages.yaml"
    options = ("--endpoint", server, "--items", "1000", "--runs", "1", "--quiet", "--format", "json")
    model.write_text(SHARDED_PAGES.replace("ALLOW", ", allow: {needs-several-pages: on purpose}"))
    report = json.loads(stator("prove", *options, model).stdout)
    assert report["proved"], report
    everything, newest = report["outcomes"]
    assert everything["items"] == 1000 and everything["calls"] == 3 * 2
    assert newest["items"] == 3 * 250 and newest["calls"] == 3 * 2

    model.write_text(SHARDED_PAGES.replace("ALLOW", ""))
    report = json.loads(stator("prove", *options, model).stdout)
    assert not report["proved"]
    for outcome in report["outcomes"]:
        assert all("one call is not enough" in failure for failure in outcome["failures"]), outcome
