"""DescribeTable, DeleteTable, ListTables: shapes of the answers and refusals."""

import re
import time

import pytest

from conftest import attribute, schema
from wire import NAME_PATTERN, assert_error, assert_invalid, assert_violations, longer, shorter, violation, wait_active

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
ARN = r"arn:aws:dynamodb:[a-z0-9-]+:\d{12}:table/"


@pytest.mark.parametrize("operation", ["DescribeTable", "DeleteTable"])
class TestNames:
    def test_required(self, db, operation):
        assert_invalid(
            db.post(operation, {}),
            "The parameter 'TableName' is required but was not present in the request")

    @pytest.mark.parametrize(
        "name, constraint", [("abc;", NAME_PATTERN), ("a" * 256, shorter(255)), ("ab", longer(3))],
        ids=["pattern", "too long", "too short"])
    def test_constraint(self, db, operation, name, constraint):
        assert_violations(
            db.post(operation, {"TableName": name}), violation(name, "tableName", constraint))

    def test_empty(self, db, operation):
        assert_violations(
            db.post(operation, {"TableName": ""}), violation("", "tableName", NAME_PATTERN),
            violation("", "tableName", longer(3)))

    def test_unknown(self, db, operation):
        assert_error(
            db.post(operation, {"TableName": "no-such-table"}), "ResourceNotFoundException",
            "Requested resource not found: Table: no-such-table not found")


def test_create_answers_with_the_description_of_a_table_being_created(db, unique):
    name = unique("created")
    table = db.call(
        "CreateTable", TableName=name, BillingMode="PAY_PER_REQUEST", KeySchema=schema("pk"),
        AttributeDefinitions=[attribute("pk")])["TableDescription"]
    assert table["TableName"] == name
    assert table["TableStatus"] == "CREATING"
    assert table["KeySchema"] == schema("pk")
    assert table["AttributeDefinitions"] == [attribute("pk")]
    assert table["BillingModeSummary"] == {"BillingMode": "PAY_PER_REQUEST"}
    assert table["TableThroughputModeSummary"] == {"TableThroughputMode": "PAY_PER_REQUEST"}
    assert "WarmThroughput" not in table
    assert table["ProvisionedThroughput"] == {
        "NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0}
    assert (table["ItemCount"], table["TableSizeBytes"]) == (0, 0)
    assert re.fullmatch(ARN + re.escape(name), table["TableArn"])
    assert re.fullmatch(UUID, table["TableId"])
    assert abs(table["CreationDateTime"] - time.time()) < 60
    described = wait_active(db, name)
    assert described["TableId"] == table["TableId"]
    assert described["CreationDateTime"] == table["CreationDateTime"]
    db.call("DeleteTable", TableName=name)


def test_describe_an_on_demand_table(db, hash_table):
    table = db.call("DescribeTable", TableName=hash_table)["Table"]
    summary = table["BillingModeSummary"]
    assert summary["BillingMode"] == "PAY_PER_REQUEST"
    assert summary["LastUpdateToPayPerRequestDateTime"] == table["CreationDateTime"]
    assert table["DeletionProtectionEnabled"] is False
    absent = {
        "GlobalSecondaryIndexes", "LocalSecondaryIndexes", "StreamSpecification", "LatestStreamArn",
        "SSEDescription", "RestoreSummary", "TableClassSummary", "OnDemandThroughput"}
    assert not absent & set(table)


def test_describe_a_provisioned_table(db, create):
    name = create(
        "throughput", {"pk": "S"}, ProvisionedThroughput={"ReadCapacityUnits": 3, "WriteCapacityUnits": 2})
    table = db.call("DescribeTable", TableName=name)["Table"]
    assert "BillingModeSummary" not in table
    assert table["ProvisionedThroughput"] == {
        "NumberOfDecreasesToday": 0, "ReadCapacityUnits": 3, "WriteCapacityUnits": 2}


def test_describe_indexes(db, indexed_table):
    table = db.call("DescribeTable", TableName=indexed_table)["Table"]
    local = {i["IndexName"]: i for i in table["LocalSecondaryIndexes"]}
    assert set(local) == {"lsi", "lsi-keys"}
    assert local["lsi"]["KeySchema"] == schema("pk", "lsk")
    assert local["lsi-keys"]["Projection"] == {"ProjectionType": "KEYS_ONLY"}
    assert "IndexStatus" not in local["lsi"]
    gsis = {i["IndexName"]: i for i in table["GlobalSecondaryIndexes"]}
    gsi = gsis["gsi"]
    assert gsi["Projection"] == {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["proj"]}
    assert gsi["IndexStatus"] == "ACTIVE"
    assert gsi["ProvisionedThroughput"] == {
        "NumberOfDecreasesToday": 0, "ReadCapacityUnits": 0, "WriteCapacityUnits": 0}
    for index in (*local.values(), *gsis.values()):
        assert index["IndexArn"] == f"{table['TableArn']}/index/{index['IndexName']}"
        assert {"IndexSizeBytes", "ItemCount"} <= set(index)


def test_a_table_is_found_by_its_arn(db, hash_table):
    arn = db.call("DescribeTable", TableName=hash_table)["Table"]["TableArn"]
    assert db.call("DescribeTable", TableName=arn)["Table"]["TableName"] == hash_table
    key = {"pk": {"S": "by-arn"}}
    db.call("PutItem", TableName=arn, Item=key)
    assert db.call("GetItem", TableName=hash_table, Key=key)["Item"] == key
    assert db.call("Scan", TableName=arn)["Count"] >= 1


FOREIGN = {
    "region": ("us-east-9", "{account}", "table/{name}", "1 validation error detected: Invalid AWS region in '{arn}'"),
    "resource": (
        "{region}", "{account}", "backup/{name}", "1 validation error detected: Invalid resource type in '{arn}'"),
}


@pytest.mark.parametrize("operation", ["DescribeTable", "Scan"])
@pytest.mark.parametrize("region, account, resource, text", FOREIGN.values(), ids=FOREIGN.keys())
def test_arns_of_something_else(db, hash_table, operation, region, account, resource, text):
    own = db.call("DescribeTable", TableName=hash_table)["Table"]["TableArn"].split(":")
    parts = {"region": own[3], "account": own[4], "name": hash_table}
    arn = f"arn:aws:dynamodb:{region}:{account}:{resource}".format(**parts)
    assert_invalid(db.post(operation, {"TableName": arn}), text.format(arn=arn))


@pytest.mark.parametrize("operation", ["DescribeTable", "Scan"])
def test_arns_that_are_none(db, hash_table, operation):
    arn = db.call("DescribeTable", TableName=hash_table)["Table"]["TableArn"]
    for wrong in ("arn:aws:dynamodb", arn + "/index/x", arn[:arn.index("/") + 1] + "ab"):
        answer = db.post(operation, {"TableName": wrong})
        assert answer.code == "ValidationException" and "Valid ARN format is" in answer.message


@pytest.mark.parametrize("operation", ["DescribeTable", "Scan"])
def test_an_arn_of_another_account(db, hash_table, operation):
    arn = db.call("DescribeTable", TableName=hash_table)["Table"]["TableArn"].split(":")
    arn[4] = "111122223333"
    assert_error(db.post(operation, {"TableName": ":".join(arn)}), "AccessDeniedException", "Access is denied")


def test_an_arn_of_a_missing_table(db, hash_table):
    arn = db.call("DescribeTable", TableName=hash_table)["Table"]["TableArn"].rpartition("/")[0] + "/no-such-table"
    answer = db.post("DescribeTable", {"TableName": arn})
    assert_error(
        answer, "ResourceNotFoundException", "Requested resource not found: Table: no-such-table not found")
    assert_error(db.post("Scan", {"TableName": arn}), "ResourceNotFoundException", "Requested resource not found")


def test_delete_answers_without_schema(db, create):
    name = create("deleted", {"pk": "S"})
    table = db.call("DeleteTable", TableName=name)["TableDescription"]
    assert table["TableName"] == name
    assert table["TableStatus"] == "DELETING"
    assert re.fullmatch(UUID, table["TableId"])
    assert table["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
    for left_out in ("KeySchema", "AttributeDefinitions", "CreationDateTime", "GlobalSecondaryIndexes"):
        assert left_out not in table
    deadline = time.monotonic() + 30
    while (answer := db.post("DescribeTable", {"TableName": name})).status == 200:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert answer.code == "ResourceNotFoundException"


def test_a_protected_table_is_not_deleted(db, create):
    name = create("protected", {"pk": "S"}, DeletionProtectionEnabled=True)
    assert db.call("DescribeTable", TableName=name)["Table"]["DeletionProtectionEnabled"] is True
    assert_invalid(
        db.post("DeleteTable", {"TableName": name}),
        "Resource cannot be deleted as it is currently protected against deletion. "
        "Disable deletion protection first.")
    db.call("UpdateTable", TableName=name, DeletionProtectionEnabled=False)
    wait_active(db, name)
    db.call("DeleteTable", TableName=name)


def all_names(db, **members):
    names = []
    while True:
        page = db.call("ListTables", **members)
        names += page["TableNames"]
        if "LastEvaluatedTableName" not in page:
            return names
        assert page["LastEvaluatedTableName"] == page["TableNames"][-1]
        members["ExclusiveStartTableName"] = page["LastEvaluatedTableName"]


def test_list_tables_pages_in_order_of_names(db, hash_table, range_table):
    names = all_names(db)
    assert {hash_table, range_table} <= set(names)
    assert names == sorted(names)
    assert all_names(db, Limit=1) == names


def test_list_tables_starts_after_any_name(db, hash_table):
    page = db.call("ListTables", ExclusiveStartTableName=hash_table[:-1], Limit=1)
    assert page["TableNames"] == [hash_table]


def test_limits_and_endpoints(db):
    limits = db.call("DescribeLimits")
    assert set(limits) == {
        "AccountMaxReadCapacityUnits", "AccountMaxWriteCapacityUnits", "TableMaxReadCapacityUnits",
        "TableMaxWriteCapacityUnits"}
    assert all(isinstance(v, int) and v > 0 for v in limits.values())
    endpoints = db.call("DescribeEndpoints")["Endpoints"]
    assert len(endpoints) == 1
    assert endpoints[0]["CachePeriodInMinutes"] == 1440
    assert endpoints[0]["Address"]
