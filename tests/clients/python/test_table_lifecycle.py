"""Creating, describing, tagging, listing and deleting tables."""

import re

import pytest

from support import drop, fails, index, table_definition, unique, until, wait_active, wait_gone

TAGS = [{"Key": "team", "Value": "orders"}, {"Key": "stage", "Value": "test"}]


def full_definition(name):
    definition = table_definition(
        name,
        {"pk": "S", "sk": "N"},
        lsis=[index("by-date", {"pk": "S", "created": "S"}, "KEYS_ONLY")],
        gsis=[index("by-owner", {"owner": "S", "created": "S"}, ["state", "total"])],
        ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        Tags=TAGS,
    )
    definition["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"] = {
        "ReadCapacityUnits": 3,
        "WriteCapacityUnits": 4,
    }
    return definition


@pytest.fixture(scope="module")
def full(client):
    name = unique()
    created = client.create_table(**full_definition(name))["TableDescription"]
    # The one place with the SDK's own waiter and its pace of 20 s; it describes before it waits.
    client.get_waiter("table_exists").wait(TableName=name)
    yield created, client.describe_table(TableName=name)["Table"]
    drop(client, name)


@pytest.fixture
def plain(client):
    name = unique()
    client.create_table(**table_definition(name, {"pk": "S"}))
    yield wait_active(client, name)
    drop(client, name)


def test_create_answers_with_the_table_in_creation(full):
    created, described = full
    assert created["TableStatus"] == "CREATING"
    assert described["TableStatus"] == "ACTIVE"
    for same in ("TableName", "TableArn", "TableId", "CreationDateTime", "KeySchema"):
        assert created[same] == described[same]


def test_describe_reports_keys_and_throughput(full):
    _, table = full
    assert table["KeySchema"] == [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ]
    types = {each["AttributeName"]: each["AttributeType"] for each in table["AttributeDefinitions"]}
    assert types == {"pk": "S", "sk": "N", "created": "S", "owner": "S"}
    assert table["ProvisionedThroughput"]["ReadCapacityUnits"] == 5
    assert table["ProvisionedThroughput"]["WriteCapacityUnits"] == 6
    assert table["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 0
    assert (table["ItemCount"], table["TableSizeBytes"]) == (0, 0)
    assert table["DeletionProtectionEnabled"] is False
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", table["TableId"])
    assert re.fullmatch(
        rf"arn:aws:dynamodb:[a-z0-9-]+:\d{{12}}:table/{table['TableName']}", table["TableArn"]
    )


def test_describe_reports_the_local_index(full):
    _, table = full
    (local,) = table["LocalSecondaryIndexes"]
    assert local["IndexName"] == "by-date"
    assert local["Projection"] == {"ProjectionType": "KEYS_ONLY"}
    assert [each["AttributeName"] for each in local["KeySchema"]] == ["pk", "created"]
    assert local["IndexArn"] == f"{table['TableArn']}/index/by-date"


def test_describe_reports_the_global_index(full):
    _, table = full
    (glob,) = table["GlobalSecondaryIndexes"]
    assert (glob["IndexName"], glob["IndexStatus"]) == ("by-owner", "ACTIVE")
    assert glob["Projection"]["ProjectionType"] == "INCLUDE"
    assert sorted(glob["Projection"]["NonKeyAttributes"]) == ["state", "total"]
    assert glob["ProvisionedThroughput"]["WriteCapacityUnits"] == 4
    assert glob["IndexArn"] == f"{table['TableArn']}/index/by-owner"


def test_describe_reports_the_stream(full):
    _, table = full
    assert table["StreamSpecification"] == {
        "StreamEnabled": True,
        "StreamViewType": "NEW_AND_OLD_IMAGES",
    }
    label = table["LatestStreamLabel"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}", label)
    assert table["LatestStreamArn"] == f"{table['TableArn']}/stream/{label}"


def test_on_demand_table_reports_its_billing_mode_and_no_throughput(plain):
    assert plain["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert plain["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
    assert plain["ProvisionedThroughput"]["WriteCapacityUnits"] == 0
    for absent in ("StreamSpecification", "LatestStreamArn", "GlobalSecondaryIndexes"):
        assert absent not in plain


def test_tags_given_at_creation_are_listed(client, full):
    _, table = full
    tags = client.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"]
    assert sorted(tags, key=lambda tag: tag["Key"]) == sorted(TAGS, key=lambda tag: tag["Key"])


def test_tags_are_added_replaced_and_removed(client, plain):
    arn = plain["TableArn"]

    def tags():
        listed = client.list_tags_of_resource(ResourceArn=arn)["Tags"]
        return {tag["Key"]: tag["Value"] for tag in listed}

    client.tag_resource(ResourceArn=arn, Tags=TAGS)
    until(lambda: tags() == {"team": "orders", "stage": "test"}, "the new tags")
    client.tag_resource(ResourceArn=arn, Tags=[{"Key": "stage", "Value": "live"}])
    until(lambda: tags() == {"team": "orders", "stage": "live"}, "the replaced tag")
    client.untag_resource(ResourceArn=arn, TagKeys=["team", "absent"])
    until(lambda: tags() == {"stage": "live"}, "the removed tag")


def test_creating_an_existing_table_is_resource_in_use(client, plain):
    name = plain["TableName"]
    with pytest.raises(client.exceptions.ResourceInUseException) as caught:
        client.create_table(**table_definition(name, {"pk": "S"}))
    assert caught.value.response["Error"]["Message"] == f"Table already exists: {name}"


def test_delete_answers_deleting_and_then_the_table_is_unknown(client):
    name = unique()
    client.create_table(**table_definition(name, {"pk": "S"}))
    wait_active(client, name)
    assert client.delete_table(TableName=name)["TableDescription"]["TableStatus"] == "DELETING"
    client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
    with fails("ResourceNotFoundException", f"Requested resource not found: Table: {name} not found"):
        client.describe_table(TableName=name)
    with fails("ResourceNotFoundException", f"Requested resource not found: Table: {name} not found"):
        client.delete_table(TableName=name)


def test_a_recreated_table_is_empty_and_new(client, resource):
    name = unique()
    ids = set()
    for _ in range(2):
        client.create_table(**table_definition(name, {"pk": "S"}))
        ids.add(wait_active(client, name)["TableId"])
        table = resource.Table(name)
        assert table.scan(ConsistentRead=True)["Count"] == 0
        table.put_item(Item={"pk": "left over"})
        client.delete_table(TableName=name)
        wait_gone(client, name)
    assert len(ids) == 2


def test_list_tables_pages_through_all_names_once(client):
    names = {unique("list") for _ in range(5)}
    for name in names:
        client.create_table(**table_definition(name, {"pk": "S"}))
    pages = list(client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 2}))
    listed = [name for page in pages for name in page["TableNames"]]
    for name in names:
        wait_active(client, name)
        drop(client, name)
    assert all(len(page["TableNames"]) <= 2 for page in pages)
    assert len(pages) >= 3
    assert names <= set(listed)
    assert len(listed) == len(set(listed))


BAD_DEFINITIONS = {
    "key without a definition": {"AttributeDefinitions": []},
    "definition that no key uses": {
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "loose", "AttributeType": "S"},
        ]
    },
    "local index without a sort key on the table": {
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "when", "AttributeType": "S"},
        ],
        "LocalSecondaryIndexes": [
            {
                "IndexName": "by-when",
                "KeySchema": [
                    {"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "when", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    },
    "throughput on an on-demand table": {
        "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
    },
    "name with a blank": {"TableName": "not a name"},
}


@pytest.mark.parametrize("flaw", BAD_DEFINITIONS)
def test_a_flawed_definition_is_refused_and_creates_nothing(client, flaw):
    definition = table_definition(unique(), {"pk": "S"}) | BAD_DEFINITIONS[flaw]
    with fails("ValidationException"):
        client.create_table(**definition)
    assert definition["TableName"] not in client.list_tables()["TableNames"]
