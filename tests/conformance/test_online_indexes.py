"""Global secondary indexes added to and taken from a living table."""

import re

import pytest

from conftest import attribute
from index_calls import (
    ALL, add, definitions, described, drop, eventually, index, indexes, keys, post, put, scanned, wait_gone)
from wire import assert_error, assert_invalid, assert_violations, longer, shorter, violation, wait_active

INVALID = "One or more parameter values were invalid: "
IN_USE = "Attempt to change a resource which is still in use: "
FIVE = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
ONE_AT_A_TIME = (
    "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
A = {"S": "a"}
ONE = {"N": "1"}


@pytest.fixture
def table(create):
    return create("online", {"pk": "S"})


@pytest.fixture(scope="module")
def shared(create):
    """A table on which only refused requests are tried."""
    return create("online", {"pk": "S"})


# What is refused.

BEFORE_THE_TABLE = {
    "warm throughput that says nothing": (
        {"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "old", "WarmThroughput": {}}}]},
        INVALID + "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for "
        "index: old"),
    "throughput beyond all bounds": (
        {"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "old", "ProvisionedThroughput": {
            "ReadCapacityUnits": 1000000000001, "WriteCapacityUnits": 1}}}]},
        "Given value 1000000000001 for ReadCapacityUnits is out of bounds for index old"),
    "no definitions": (
        {"GlobalSecondaryIndexUpdates": [{"Create": index("new", "x")}]},
        INVALID + "AttributeDefinitions is not specified for index: new"),
    "throughput beside a creation": (
        {"AttributeDefinitions": definitions("x"), "ProvisionedThroughput": FIVE,
         "GlobalSecondaryIndexUpdates": [{"Create": index("new", "x")}]},
        INVALID + "You cannot create or delete index while updating table IOPS"),
    "throughput beside a deletion": (
        {"ProvisionedThroughput": FIVE, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "old"}}]},
        INVALID + "You cannot create or delete index while updating table IOPS"),
    "stream beside a creation": (
        {"AttributeDefinitions": definitions("x"), "StreamSpecification": {
            "StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
         "GlobalSecondaryIndexUpdates": [{"Create": index("new", "x")}]},
        INVALID + "You cannot create or delete index while changing stream status"),
    "deletion protection beside a creation": (
        {"AttributeDefinitions": definitions("x"), "DeletionProtectionEnabled": True,
         "GlobalSecondaryIndexUpdates": [{"Create": index("new", "x")}]},
        INVALID + "DeletionProtection modification must be the only operation in the request"),
}


@pytest.mark.parametrize("members, text", BEFORE_THE_TABLE.values(), ids=BEFORE_THE_TABLE.keys())
def test_refused_before_the_table_is_looked_up(db, members, text):
    assert_invalid(db.post("UpdateTable", {"TableName": "no-such-table", **members}), text)


def test_a_key_attribute_without_definition(db, shared):
    answer = add(db, shared, index("new", "x"), AttributeDefinitions=definitions("y"))
    assert_invalid(answer, re.compile(re.escape(INVALID) + "Some index key attributes (are|have) no.*"))


def test_index_names(db):
    at = "globalSecondaryIndexUpdates.1.member.create.indexName"
    assert_violations(add(db, "no-such-table", index("ab", "x")), violation("ab", at, longer(3)))
    assert_violations(add(db, "no-such-table", index("a" * 256, "x")), violation("a" * 256, at, shorter(255)))


def test_indexes_that_are_not_there(db, shared, indexed_table):
    text = f"Requested resource not found: Index ghost for table {shared}"
    assert_error(drop(db, shared, "ghost"), "ResourceNotFoundException", text)
    update = {"Update": {"IndexName": "ghost", "OnDemandThroughput": {"MaxReadRequestUnits": 5}}}
    assert_error(post(db, shared, update), "ResourceNotFoundException", text)
    assert_invalid(
        drop(db, indexed_table, "lsi"), "Cannot delete an index that is not a GlobalSecondaryIndex: lsi")


def test_throughput_where_there_is_none(db, shared):
    assert_invalid(
        add(db, shared, index("new", "x", ProvisionedThroughput=FIVE)),
        INVALID + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: new when "
        "BillingMode is PAY_PER_REQUEST")


def test_throughput_is_needed_where_the_table_has_it(db, create):
    name = create("online", {"pk": "S"}, ProvisionedThroughput=FIVE)
    assert_invalid(
        add(db, name, index("new", "x")),
        INVALID + "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: new")
    assert add(db, name, index("new", "x", ProvisionedThroughput=FIVE)).status == 200
    throughput = indexes(wait_active(db, name))["new"]["ProvisionedThroughput"]
    assert (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]) == (5, 5)


def test_twenty(db, create):
    name = create(
        "twenty", {"pk": "S"}, more_definitions=definitions("x"),
        GlobalSecondaryIndexes=[index(f"index-{i}", "x") for i in range(20)])
    assert_error(
        add(db, name, index("one-more", "x")), "LimitExceededException",
        "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20")


def test_a_type_cannot_change(db, indexed_table):
    answer = add(db, indexed_table, index("new", ["pk"]), AttributeDefinitions=[attribute("pk", "N")])
    assert (answer.status, answer.code) == (400, "ValidationException")
    assert answer.message.startswith(INVALID + "Attributes cannot be redefined.")


# The life of an index.

def test_the_answer_to_a_creation(db, table):
    description = add(db, table, index("new", "x", "y")).json()["TableDescription"]
    assert description["TableStatus"] == "UPDATING"
    new = indexes(description)["new"]
    assert new["IndexStatus"] == "CREATING"
    assert new["Backfilling"] is False
    assert new["IndexArn"] == description["TableArn"] + "/index/new"
    assert (new["ItemCount"], new["IndexSizeBytes"]) == (0, 0)
    assert new["KeySchema"] == keys("x", "y")
    assert new["Projection"] == ALL
    done = wait_active(db, table)
    assert "Backfilling" not in indexes(done)["new"]
    assert done["AttributeDefinitions"] == definitions(["pk", "x", "y"])


def test_an_index_of_a_new_table_is_not_backfilled(db, indexed_table):
    assert all("Backfilling" not in i for i in indexes(described(db, indexed_table)).values())


def test_what_is_backfilled(db, table):
    put(db, table, pk="good", x="a")
    put(db, table, pk="other type", x=ONE)
    put(db, table, pk="empty", x="")
    put(db, table, pk="too long", x="x" * 2049)
    put(db, table, pk="without")
    assert add(db, table, index("new", "x")).status == 200
    wait_active(db, table)
    assert scanned(db, table, "new") == ["good"]
    # From now on the rule holds for writes.
    put(db, table, pk="later", x="b")
    eventually(["good", "later"], lambda: scanned(db, table, "new"))
    answer = db.post("PutItem", {"TableName": table, "Item": {"pk": A, "x": ONE}})
    assert_invalid(answer, INVALID + "Type mismatch for Index Key x Expected: S Actual: N IndexName: new")


def test_what_was_skipped_can_be_mended(db, table):
    put(db, table, pk="mended", x=ONE)
    put(db, table, pk="removed", x=ONE)
    assert add(db, table, index("new", "x")).status == 200
    wait_active(db, table)
    put(db, table, pk="mended", x="a")
    db.call("DeleteItem", TableName=table, Key={"pk": {"S": "removed"}})
    eventually(["mended"], lambda: scanned(db, table, "new"))


@pytest.mark.parametrize("projection, found", [
    ({"ProjectionType": "KEYS_ONLY"}, {"pk", "x"}),
    ({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["y"]}, {"pk", "x", "y"}),
    (ALL, {"pk", "x", "y", "z"}),
], ids=["keys", "include", "all"])
def test_projection(db, table, projection, found):
    put(db, table, pk="before", x="a", y="b", z="c")
    assert add(db, table, index("new", "x", projection=projection)).status == 200
    wait_active(db, table)
    put(db, table, pk="after", x="a", y="b", z="c")
    eventually(["after", "before"], lambda: scanned(db, table, "new"))
    assert [set(i) for i in db.call("Scan", TableName=table, IndexName="new")["Items"]] == [found] * 2


def test_writes_meanwhile(db, table):
    for n in range(200):
        put(db, table, pk=f"old-{n:03}", x="a")
    assert add(db, table, index("new", "x")).status == 200
    for n in range(50):
        put(db, table, pk=f"new-{n:03}", x="a")
        db.call("DeleteItem", TableName=table, Key={"pk": {"S": f"old-{n:03}"}})
    wait_active(db, table)
    wanted = [f"new-{n:03}" for n in range(50)] + [f"old-{n:03}" for n in range(50, 200)]
    eventually(wanted, lambda: scanned(db, table, "new"))


def test_reading_what_is_not_ready(db, table):
    for n in range(50):
        put(db, table, pk=f"{n}", x="a")
    assert add(db, table, index("new", "x")).status == 200
    answer = db.post("Scan", {"TableName": table, "IndexName": "new"})
    if answer.status == 200:
        assert indexes(described(db, table))["new"]["IndexStatus"] == "ACTIVE"
        return
    assert_invalid(answer, [
        "Cannot read from backfilling global secondary index: new", "The table does not have the specified index: new"])


def during_creation(db, table, name="new"):
    """Adds an index; whether it is still being made must be asked after each attempt on it."""
    assert add(db, table, index(name, "x")).status == 200


def still_creating(db, table, name="new"):
    found = indexes(described(db, table)).get(name)
    return found is not None and found["IndexStatus"] == "CREATING"


def test_one_at_a_time(db, table):
    during_creation(db, table)
    answer = add(db, table, index("second", "y"))
    if still_creating(db, table):
        assert_error(answer, "LimitExceededException", ONE_AT_A_TIME)
    wait_active(db, table)


def test_the_table_stays_while_an_index_is_made(db, table):
    during_creation(db, table)
    answer = db.post("DeleteTable", {"TableName": table})
    if answer.status == 400:
        assert_error(answer, "ResourceInUseException", [
            IN_USE + "Cannot delete table while indexes are being created, updated, or deleted.",
            IN_USE + f"Table: {table} is in the process of being updated."])


def test_deletion(db, table):
    put(db, table, pk="a", x="a")
    assert add(db, table, index("new", "x", "y")).status == 200
    wait_active(db, table)
    description = drop(db, table, "new").json()["TableDescription"]
    assert description["TableStatus"] == "UPDATING"
    assert indexes(description)["new"]["IndexStatus"] == "DELETING"
    description = wait_gone(db, table, "new")
    assert "GlobalSecondaryIndexes" not in description
    assert description["AttributeDefinitions"] == definitions(["pk"])
    assert_invalid(
        db.post("Scan", {"TableName": table, "IndexName": "new"}), "The table does not have the specified index: new")
    # Its rule goes with it, and its name and attributes are free.
    put(db, table, pk="b", x=ONE)
    assert add(db, table, index("new", "x"), AttributeDefinitions=[attribute("x", "N")]).status == 200
    wait_active(db, table)
    assert scanned(db, table, "new") == ["b"]


def test_an_attribute_that_another_index_needs_stays_defined(db, create):
    name = create(
        "online", {"pk": "S"}, more_definitions=definitions("xy"),
        GlobalSecondaryIndexes=[index("first", "x", "y"), index("second", "y")])
    assert drop(db, name, "first").status == 200
    assert wait_gone(db, name, "first")["AttributeDefinitions"] == definitions(["pk", "y"])


def test_definitions_are_shown_sorted(db, create):
    name = create(
        "sorted", {"pk": "S"}, more_definitions=definitions("zab"),
        GlobalSecondaryIndexes=[
            index("zzz", "z", projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": ["q", "c", "m"]}),
            index("aaa", "a", "b")])
    table = described(db, name)
    assert table["AttributeDefinitions"] == definitions(["a", "b", "pk", "z"])
    assert indexes(table)["zzz"]["Projection"]["NonKeyAttributes"] == ["c", "m", "q"]


def test_a_hundred_attributes_are_projected_by_name_at_most(db, create):
    def including(*names):
        return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(names)}

    full = create("included", {"pk": "S"}, more_definitions=definitions("abcde"), GlobalSecondaryIndexes=[
        index(f"by-{n}", n, projection=including(*(f"{n}{i}" for i in range(20)))) for n in "abcde"])
    answer = add(db, full, index("one-more", "x", projection=including("y")))
    assert_invalid(answer, INVALID + "Number of NonKeyAttributes exceeds per-table limit of 100")
    assert add(db, full, index("keys", "x", projection={"ProjectionType": "KEYS_ONLY"})).status == 200
