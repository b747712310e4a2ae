"""UpdateTable: what is refused, and what changes."""

import time

import pytest

from conftest import attribute, schema
from wire import (
    NAME_PATTERN, NOT_NULL, assert_error, assert_invalid, assert_violations, at_least, enum, longer, violation,
    wait_active,
)

INVALID = "One or more parameter values were invalid: "
FIVE = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
ONE_AT_A_TIME = (
    "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
)


def creation(name, key, **members):
    return {"Create": {
        "IndexName": name, "KeySchema": schema(key), "Projection": {"ProjectionType": "ALL"}, **members}}


def test_table_name_is_required(db):
    assert_invalid(
        db.post("UpdateTable", {"BillingMode": "PAY_PER_REQUEST"}),
        "The parameter 'TableName' is required but was not present in the request")


CONSTRAINTS = [
    ({"ProvisionedThroughput": {}},
     [(None, "provisionedThroughput.readCapacityUnits", NOT_NULL),
      (None, "provisionedThroughput.writeCapacityUnits", NOT_NULL)]),
    ({"ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 5}},
     [("0", "provisionedThroughput.readCapacityUnits", at_least(1))]),
    ({"BillingMode": "FREE"}, [("FREE", "billingMode", enum("PROVISIONED", "PAY_PER_REQUEST"))]),
    ({"GlobalSecondaryIndexUpdates": [{"Update": {}}]},
     [(None, "globalSecondaryIndexUpdates.1.member.update.indexName", NOT_NULL)]),
    ({"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "abc", "ProvisionedThroughput": {}}}]},
     [(None, "globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.readCapacityUnits", NOT_NULL),
      (None, "globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.writeCapacityUnits", NOT_NULL)]),
    ({"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "abc"}}]},
     [(None, "globalSecondaryIndexUpdates.1.member.create.keySchema", NOT_NULL),
      (None, "globalSecondaryIndexUpdates.1.member.create.projection", NOT_NULL)]),
    ({"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "a;"}}]},
     [("a;", "globalSecondaryIndexUpdates.1.member.delete.indexName", NAME_PATTERN),
      ("a;", "globalSecondaryIndexUpdates.1.member.delete.indexName", longer(3))]),
]


@pytest.mark.parametrize("members, found", CONSTRAINTS, ids=[f"{i}" for i in range(len(CONSTRAINTS))])
def test_constraints(db, members, found):
    answer = db.post("UpdateTable", {"TableName": "no-such-table", **members})
    assert_violations(answer, *[violation(*f) for f in found])


BEFORE_THE_TABLE = {
    "read capacity beyond all bounds": (
        {"ProvisionedThroughput": {"ReadCapacityUnits": 1000000000001, "WriteCapacityUnits": 1}},
        "Given value 1000000000001 for ReadCapacityUnits is out of bounds"),
    "provisioned without throughput": (
        {"BillingMode": "PROVISIONED"},
        INVALID + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"),
    "an index update that does nothing": (
        {"GlobalSecondaryIndexUpdates": [{}]},
        INVALID + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
        "GlobalSecondaryIndexUpdate.Delete must not be null"),
    "one index twice": (
        {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "abc"}}, {"Delete": {"IndexName": "abc"}}]},
        INVALID + "Only one global secondary index update per index is allowed simultaneously. Index: abc"),
    "two actions in one": (
        {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "abc"}, "Update": {"IndexName": "abc"}}]},
        INVALID + "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"),
    "an empty list beside a change": (
        {"GlobalSecondaryIndexUpdates": [], "DeletionProtectionEnabled": True},
        INVALID + "List of GlobalSecondaryIndexUpdates is empty"),
    "encryption beside a change": (
        {"SSESpecification": {"Enabled": True}, "DeletionProtectionEnabled": True, "TableClass": "STANDARD"},
        INVALID + "Server-Side Encryption modification must be the only operation in the request"),
    "table class beside a change": (
        {"DeletionProtectionEnabled": True, "TableClass": "STANDARD"},
        INVALID + "TableClass modification must be the only operation in the request"),
    "deletion protection beside a change": (
        {"DeletionProtectionEnabled": True, "BillingMode": "PAY_PER_REQUEST"},
        INVALID + "DeletionProtection modification must be the only operation in the request"),
    "on-demand ceiling beside a stream": (
        {"OnDemandThroughput": {"MaxReadRequestUnits": 5},
         "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}},
        INVALID + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"),
    "stream beside throughput": (
        {"ProvisionedThroughput": FIVE,
         "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}},
        INVALID + "You cannot modify stream status while updating table IOPS"),
    "stream without a view type": (
        {"StreamSpecification": {"StreamEnabled": True}},
        INVALID + "If stream is being enabled then UpdateViewType is required"),
    "no stream with a view type": (
        {"StreamSpecification": {"StreamEnabled": False, "StreamViewType": "KEYS_ONLY"}},
        INVALID + "If stream is being disabled, then UpdateViewType must not be specified"),
}


@pytest.mark.parametrize("members, text", BEFORE_THE_TABLE.values(), ids=BEFORE_THE_TABLE.keys())
def test_refused_before_the_table_is_looked_up(db, members, text):
    assert_invalid(db.post("UpdateTable", {"TableName": "no-such-table", **members}), text)


@pytest.mark.parametrize("members", [{}, {"GlobalSecondaryIndexUpdates": []}])
def test_nothing_to_update(db, members):
    answer = db.post("UpdateTable", {"TableName": "no-such-table", **members})
    assert answer.status == 400 and answer.code == "ValidationException"
    assert answer.message.startswith(
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates")


def test_no_such_table(db):
    answer = db.post("UpdateTable", {"TableName": "no-such-table", "ProvisionedThroughput": FIVE})
    assert_error(
        answer, "ResourceNotFoundException",
        "Requested resource not found: Table: no-such-table not found")


@pytest.fixture(scope="module")
def provisioned(create):
    return create("provisioned", {"pk": "S"}, ProvisionedThroughput=FIVE)


def test_the_same_throughput_is_refused(db, provisioned):
    answer = db.post("UpdateTable", {"TableName": provisioned, "ProvisionedThroughput": FIVE})
    assert_invalid(
        answer,
        "The provisioned throughput for the table will not change. The requested value equals the current "
        "value. Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. "
        "Current WriteCapacityUnits provisioned for the table: 5. Requested WriteCapacityUnits: 5. Refer to "
        "the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.")


def test_on_demand_takes_no_throughput(db, provisioned, hash_table):
    text = (
        INVALID + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST")
    members = {"ProvisionedThroughput": FIVE}
    assert_invalid(db.post("UpdateTable", {"TableName": hash_table, **members}), text)
    members["BillingMode"] = "PAY_PER_REQUEST"
    text = INVALID + "ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST"
    assert_invalid(db.post("UpdateTable", {"TableName": provisioned, **members}), text)


@pytest.fixture(scope="module")
def provisioned_index(create):
    return create(
        "gsi", {"pk": "S"}, more_definitions=[attribute("x")], ProvisionedThroughput=FIVE,
        GlobalSecondaryIndexes=[{
            "IndexName": "by-x", "KeySchema": schema("x"), "Projection": {"ProjectionType": "ALL"},
            "ProvisionedThroughput": FIVE}])


def update_index(db, table, name, **members):
    return db.post("UpdateTable", {
        "TableName": table, "GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": name, **members}}]})


def test_the_same_throughput_of_an_index_is_refused(db, provisioned_index):
    assert_invalid(
        update_index(db, provisioned_index, "by-x", ProvisionedThroughput=FIVE),
        "The provisioned throughput for the index by-x will not change. The requested value equals the current "
        "value. Current ReadCapacityUnits provisioned for index by-x: 5. Requested ReadCapacityUnits: 5. "
        "Current WriteCapacityUnits provisioned for index by-x: 5. Requested WriteCapacityUnits: 5. Refer to "
        "the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.")


def test_updates_of_an_index_that_cannot_be(db, provisioned_index, indexed_table):
    answer = update_index(db, provisioned_index, "ghost", ProvisionedThroughput=FIVE)
    assert_error(
        answer, "ResourceNotFoundException",
        f"Requested resource not found: Index ghost for table {provisioned_index}")
    assert_invalid(
        update_index(db, indexed_table, "lsi", OnDemandThroughput={"MaxReadRequestUnits": 5}),
        "Cannot update an index that is not a GlobalSecondaryIndex: lsi")
    for members in ({}, {"ProvisionedThroughput": FIVE}, {"OnDemandThroughput": {}}):
        assert_invalid(
            update_index(db, indexed_table, "gsi", **members),
            INVALID + "The only Updates for index: gsi when TableThroughputMode is PAY_PER_REQUEST can be to "
            "OnDemandThroughput, WarmThroughput")


def test_the_ceiling_of_an_on_demand_table(db, create, provisioned):
    name = create("ceiling", {"pk": "S"}, OnDemandThroughput={"MaxReadRequestUnits": 100})

    def change(**units):
        return db.post("UpdateTable", {"TableName": name, "OnDemandThroughput": units})

    assert wait_active(db, name)["OnDemandThroughput"] == {"MaxReadRequestUnits": 100}
    answer = change(MaxReadRequestUnits=-1, MaxWriteRequestUnits=7).json()["TableDescription"]
    assert answer["TableStatus"] == "ACTIVE"
    assert answer["OnDemandThroughput"] == {"MaxReadRequestUnits": -1, "MaxWriteRequestUnits": 7}
    assert wait_active(db, name)["OnDemandThroughput"] == {"MaxWriteRequestUnits": 7}
    assert change(MaxWriteRequestUnits=-1).status == 200
    assert "OnDemandThroughput" not in wait_active(db, name)
    assert_invalid(
        change(MaxReadRequestUnits=0),
        INVALID + "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range")
    assert_invalid(
        db.post("UpdateTable", {"TableName": provisioned, "OnDemandThroughput": {"MaxWriteRequestUnits": 1}}),
        INVALID + "MaxWriteRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode "
        "is PROVISIONED")


def units(throughput):
    return throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]


def test_the_answer_tells_of_throughput_as_it_was(db, create):
    name = create("stale", {"pk": "S"}, ProvisionedThroughput=FIVE)

    def change(read, write):
        answer = db.call("UpdateTable", TableName=name, ProvisionedThroughput={
            "ReadCapacityUnits": read, "WriteCapacityUnits": write})["TableDescription"]
        assert answer["TableStatus"] == "UPDATING"
        return answer["ProvisionedThroughput"], wait_active(db, name)["ProvisionedThroughput"]

    answer, after = change(9, 5)
    assert (units(answer), units(after)) == ((5, 5), (9, 5))
    assert after["LastIncreaseDateTime"] > answer["LastIncreaseDateTime"]
    answer, after = change(8, 4)
    assert (units(answer), units(after)) == ((9, 5), (8, 4))
    assert after["LastDecreaseDateTime"] > answer["LastDecreaseDateTime"]
    assert (answer["NumberOfDecreasesToday"], after["NumberOfDecreasesToday"]) == (0, 1)


def test_the_answer_tells_of_an_index_as_being_updated(db, create):
    name = create("index", {"pk": "S"}, more_definitions=[attribute("x")], ProvisionedThroughput=FIVE,
                  GlobalSecondaryIndexes=[{
                      "IndexName": "by-x", "KeySchema": schema("x"), "Projection": {"ProjectionType": "ALL"},
                      "ProvisionedThroughput": FIVE}])
    ten = {"ReadCapacityUnits": 10, "WriteCapacityUnits": 10}
    answer = update_index(db, name, "by-x", ProvisionedThroughput=ten).json()["TableDescription"]
    [index] = answer["GlobalSecondaryIndexes"]
    assert (answer["TableStatus"], index["IndexStatus"]) == ("ACTIVE", "UPDATING")
    assert units(index["ProvisionedThroughput"]) == (5, 5)
    [index] = wait_active(db, name)["GlobalSecondaryIndexes"]
    assert (index["IndexStatus"], units(index["ProvisionedThroughput"])) == ("ACTIVE", (10, 10))


def test_the_answer_tells_of_a_switch(db, create):
    named = [{"IndexName": f"by-{x}", "KeySchema": schema(x), "Projection": {"ProjectionType": "ALL"},
              "ProvisionedThroughput": FIVE} for x in "xy"]
    name = create("switch", {"pk": "S"}, more_definitions=[attribute("x"), attribute("y")],
                  ProvisionedThroughput=FIVE, GlobalSecondaryIndexes=named)
    answer = db.call("UpdateTable", TableName=name, BillingMode="PAY_PER_REQUEST")["TableDescription"]
    assert answer["TableStatus"] == "UPDATING"
    assert answer["BillingModeSummary"] == {"BillingMode": "PAY_PER_REQUEST"}
    assert answer["TableThroughputModeSummary"] == {"TableThroughputMode": "PAY_PER_REQUEST"}
    assert "LastDecreaseDateTime" in answer["ProvisionedThroughput"]
    assert [index["IndexStatus"] for index in answer["GlobalSecondaryIndexes"]] == ["UPDATING", "UPDATING"]
    assert answer["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"] == {
        "NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0}
    table = wait_active(db, name)
    assert "LastUpdateToPayPerRequestDateTime" in table["BillingModeSummary"]
    assert table["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 1
    db.call("UpdateTable", TableName=name, OnDemandThroughput={"MaxReadRequestUnits": 9})
    answer = db.post("UpdateTable", {"TableName": name, "BillingMode": "PROVISIONED", "ProvisionedThroughput": FIVE})
    assert_invalid(answer, INVALID + "ProvisionedThroughput must be specified for index: by-x,by-y")
    answer = db.call("UpdateTable", TableName=name, BillingMode="PROVISIONED", ProvisionedThroughput=FIVE,
                     GlobalSecondaryIndexUpdates=[
                         {"Update": {"IndexName": index["IndexName"], "ProvisionedThroughput": FIVE}}
                         for index in named])["TableDescription"]
    assert units(answer["ProvisionedThroughput"]) == (5, 5)
    assert "OnDemandThroughput" not in wait_active(db, name)


def test_the_answer_tells_of_warm_throughput_and_encryption_as_being_updated(db, create):
    name = create("warm", {"pk": "S"})
    more = {"ReadUnitsPerSecond": 12001, "WriteUnitsPerSecond": 4001}
    answer = db.call("UpdateTable", TableName=name, WarmThroughput=more)["TableDescription"]
    assert answer["TableStatus"] == "ACTIVE"
    assert answer["WarmThroughput"] == {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000, "Status": "UPDATING"}
    assert wait_active(db, name)["WarmThroughput"] == {**more, "Status": "ACTIVE"}
    answer = db.call("UpdateTable", TableName=name, SSESpecification={"Enabled": True})["TableDescription"]
    assert (answer["TableStatus"], answer["SSEDescription"]) == ("ACTIVE", {"Status": "UPDATING"})
    assert wait_active(db, name)["SSEDescription"]["Status"] == "ENABLED"
    answer = db.call("UpdateTable", TableName=name, SSESpecification={"Enabled": False})["TableDescription"]
    assert (answer["SSEDescription"]["Status"], answer["SSEDescription"]["SSEType"]) == ("UPDATING", "KMS")
    assert "SSEDescription" not in wait_active(db, name)


def test_the_mode_has_two_names(db, create):
    definition = {"AttributeDefinitions": [attribute("pk")], "KeySchema": schema("pk")}
    answer = db.post("CreateTable", {
        "TableName": "no-such-table", **definition, "BillingMode": "FREE", "TableThroughputMode": "CHEAP"})
    modes = enum("PROVISIONED", "PAY_PER_REQUEST")
    assert_violations(answer, violation("FREE", "billingMode", modes),
                      violation("CHEAP", "tableThroughputMode", modes))
    name = create("mode", {"pk": "S"}, ProvisionedThroughput=FIVE)
    db.call("UpdateTable", TableName=name, TableThroughputMode="PAY_PER_REQUEST")
    table = wait_active(db, name)
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert table["TableThroughputModeSummary"] == {
        "TableThroughputMode": "PAY_PER_REQUEST",
        "LastUpdateToPayPerRequestDateTime": table["BillingModeSummary"]["LastUpdateToPayPerRequestDateTime"]}


def test_on_demand_to_on_demand_is_accepted(db, create):
    name = create("on-demand", {"pk": "S"})
    db.call("UpdateTable", TableName=name, BillingMode="PAY_PER_REQUEST")
    wait_active(db, name)


def test_throughput_and_billing_mode_change(db, create):
    name = create("billing", {"pk": "S"}, ProvisionedThroughput=FIVE)
    answer = db.call(
        "UpdateTable", TableName=name,
        ProvisionedThroughput={"ReadCapacityUnits": 10, "WriteCapacityUnits": 4})
    assert answer["TableDescription"]["TableName"] == name
    throughput = wait_active(db, name)["ProvisionedThroughput"]
    assert (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]) == (10, 4)
    db.call("UpdateTable", TableName=name, BillingMode="PAY_PER_REQUEST")
    table = wait_active(db, name)
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert table["ProvisionedThroughput"]["ReadCapacityUnits"] == 0


@pytest.mark.parametrize(
    "updates",
    [
        [creation("one", "x"), creation("two", "x")],
        [{"Delete": {"IndexName": "one"}}, {"Delete": {"IndexName": "two"}}],
        [creation("one", "x"), {"Delete": {"IndexName": "two"}}],
    ],
    ids=["two creations", "two deletions", "one of each"],
)
def test_one_index_change_at_a_time(db, hash_table, updates):
    answer = db.post("UpdateTable", {
        "TableName": hash_table, "AttributeDefinitions": [attribute("x")],
        "GlobalSecondaryIndexUpdates": updates})
    assert_error(answer, "LimitExceededException", ONE_AT_A_TIME)


def test_deleting_a_missing_index(db, hash_table):
    answer = db.post("UpdateTable", {
        "TableName": hash_table, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "missing"}}]})
    assert answer.code == "ResourceNotFoundException"
    assert answer.message.startswith("Requested resource not found")


def test_creating_an_existing_index(db, indexed_table):
    for name in ("gsi", "lsi"):
        answer = db.post("UpdateTable", {
            "TableName": indexed_table, "AttributeDefinitions": [attribute("gpk")],
            "GlobalSecondaryIndexUpdates": [creation(name, "gpk")]})
        assert_invalid(answer, "Attempting to create an index which already exists")


@pytest.mark.parametrize("definitions", [None, [attribute("y")]])
def test_an_index_key_must_be_defined_in_the_request(db, indexed_table, definitions):
    members = {"AttributeDefinitions": definitions} if definitions else {}
    answer = db.post("UpdateTable", {
        "TableName": indexed_table, "GlobalSecondaryIndexUpdates": [creation("new", "gpk")], **members})
    assert answer.code == "ValidationException"
    assert "AttributeDefinitions" in answer.message or "no definition" in answer.message


def test_an_index_comes_and_goes(db, create):
    name = create("online", {"pk": "S"})
    db.call("PutItem", TableName=name, Item={"pk": {"S": "1"}, "x": {"S": "a"}})
    db.call("PutItem", TableName=name, Item={"pk": {"S": "2"}, "x": {"N": "1"}})
    db.call("PutItem", TableName=name, Item={"pk": {"S": "3"}})
    answer = db.call(
        "UpdateTable", TableName=name, AttributeDefinitions=[attribute("x"), attribute("unused")],
        GlobalSecondaryIndexUpdates=[creation("by-x", "x")])
    assert answer["TableDescription"]["TableStatus"] == "UPDATING"
    assert answer["TableDescription"]["GlobalSecondaryIndexes"][0]["IndexStatus"] == "CREATING"
    table = wait_active(db, name)
    names = {d["AttributeName"] for d in table["AttributeDefinitions"]}
    assert names == {"pk", "x"}
    found = db.call("Scan", TableName=name, IndexName="by-x")["Items"]
    assert found == [{"pk": {"S": "1"}, "x": {"S": "a"}}]
    db.call("UpdateTable", TableName=name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-x"}}])
    table = wait_until_gone(db, name)
    assert [d["AttributeName"] for d in table["AttributeDefinitions"]] == ["pk"]


def wait_until_gone(db, name):
    deadline = time.monotonic() + 30
    while "GlobalSecondaryIndexes" in (table := db.call("DescribeTable", TableName=name)["Table"]):
        assert time.monotonic() < deadline, table
        time.sleep(0.02)
    return table
