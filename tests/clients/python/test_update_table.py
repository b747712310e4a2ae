"""Changing a table that is in use."""

import pytest
from boto3.dynamodb.conditions import Key

from support import drop, eventually, fails, if_supported, requires, table_definition, unique, wait_active

pytestmark = requires("UpdateTable")


@pytest.fixture
def table(client, resource):
    name = unique()
    client.create_table(**table_definition(name, {"pk": "S"}))
    wait_active(client, name)
    yield resource.Table(name)
    client.update_table(TableName=name, DeletionProtectionEnabled=False)
    wait_active(client, name)
    drop(client, name)


def add_index(client, table, name="by-city", attribute="city"):
    create = {
        "IndexName": name,
        "KeySchema": [{"AttributeName": attribute, "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    with if_supported():
        return client.update_table(
            TableName=table.name,
            AttributeDefinitions=[
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": attribute, "AttributeType": "S"},
            ],
            GlobalSecondaryIndexUpdates=[{"Create": create}],
        )


def people_of(table, city):
    found = table.query(IndexName="by-city", KeyConditionExpression=Key("city").eq(city))["Items"]
    return sorted(item["pk"] for item in found)


def test_a_new_index_is_filled_from_the_items_that_exist(client, table):
    with table.batch_writer() as batch:
        for number in range(60):
            batch.put_item({"pk": f"p{number:02}", "city": "Riga" if number % 3 == 0 else "Turku"})
        batch.put_item({"pk": "without city"})
    answer = add_index(client, table)["TableDescription"]
    assert answer["GlobalSecondaryIndexes"][0]["IndexStatus"] == "CREATING"
    wait_active(client, table.name)
    eventually(lambda: people_of(table, "Riga"), [f"p{number:02}" for number in range(0, 60, 3)])
    table.put_item(Item={"pk": "late", "city": "Riga"})
    table.delete_item(Key={"pk": "p00"})
    expected = ["late"] + [f"p{number:02}" for number in range(3, 60, 3)]
    eventually(lambda: people_of(table, "Riga"), expected)


def test_a_removed_index_can_no_longer_be_queried(client, table):
    add_index(client, table)
    wait_active(client, table.name)
    client.update_table(
        TableName=table.name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-city"}}]
    )
    # The description loses the index when its removal is complete.
    eventually(
        lambda: client.describe_table(TableName=table.name)["Table"].get("GlobalSecondaryIndexes"),
        None,
    )
    with fails("ValidationException", "The table does not have the specified index: by-city"):
        people_of(table, "Riga")


def test_billing_changes_to_provisioned_and_back(client, table):
    client.update_table(
        TableName=table.name,
        BillingMode="PROVISIONED",
        ProvisionedThroughput={"ReadCapacityUnits": 7, "WriteCapacityUnits": 8},
    )
    described = wait_active(client, table.name)
    assert described["ProvisionedThroughput"]["ReadCapacityUnits"] == 7
    assert described["ProvisionedThroughput"]["WriteCapacityUnits"] == 8
    client.update_table(TableName=table.name, BillingMode="PAY_PER_REQUEST")
    described = wait_active(client, table.name)
    assert described["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert described["ProvisionedThroughput"]["ReadCapacityUnits"] == 0


def test_a_protected_table_cannot_be_deleted(client, table):
    client.update_table(TableName=table.name, DeletionProtectionEnabled=True)
    assert wait_active(client, table.name)["DeletionProtectionEnabled"] is True
    with fails("ValidationException", "protected against deletion"):
        client.delete_table(TableName=table.name)
    assert wait_active(client, table.name)["TableStatus"] == "ACTIVE"


def test_a_stream_is_switched_on_and_off(client, table):
    client.update_table(
        TableName=table.name,
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    )
    described = wait_active(client, table.name)
    assert described["StreamSpecification"]["StreamViewType"] == "KEYS_ONLY"
    assert described["LatestStreamLabel"] in described["LatestStreamArn"]
    client.update_table(TableName=table.name, StreamSpecification={"StreamEnabled": False})
    assert "StreamSpecification" not in wait_active(client, table.name)
