"""A new index for the orders model, filled by a backfill that may stop and run again."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from support import drop, eventually, if_supported, index, requires, table_definition, unique, wait_active

pytestmark = requires("UpdateTable")

ORDERS = 200
SEGMENTS = 4


@pytest.fixture
def orders(client, resource):
    name = unique("orders")
    gsis = [index("GSI2", {"GSI2PK": "S", "GSI2SK": "S"}, ["status", "total"])]
    client.create_table(**table_definition(name, {"PK": "S", "SK": "S"}, gsis=gsis))
    wait_active(client, name)
    table = resource.Table(name)
    with table.batch_writer() as batch:
        for number in range(ORDERS):
            order = f"2026-06-{number % 28 + 1:02}#o-{number}"
            batch.put_item(
                Item={
                    "PK": f"CUST#{number % 17}",
                    "SK": f"ORDER#{order}",
                    "status": "OPEN",
                    "total": number,
                    "GSI2PK": "OPEN",
                    "GSI2SK": order,
                }
            )
    yield table
    drop(client, name)


def add_gsi3(client, table):
    create = {
        "IndexName": "GSI3",
        "KeySchema": [
            {"AttributeName": "GSI3PK", "KeyType": "HASH"},
            {"AttributeName": "GSI3SK", "KeyType": "RANGE"},
        ],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["status", "total"]},
    }
    with if_supported():
        client.update_table(
            TableName=table.name,
            AttributeDefinitions=[
                {"AttributeName": "GSI3PK", "AttributeType": "S"},
                {"AttributeName": "GSI3SK", "AttributeType": "S"},
            ],
            GlobalSecondaryIndexUpdates=[{"Create": create}],
        )
    wait_active(client, table.name)


def backfill(table, segment, stop_after=None):
    """Gives each order of the segment its GSI3 keys, unless it has them; returns how many it wrote."""
    written, start = 0, {}
    while True:
        page = table.scan(
            Segment=segment,
            TotalSegments=SEGMENTS,
            Limit=20,
            ConsistentRead=True,
            FilterExpression="attribute_not_exists(GSI3PK)",
            **start,
        )
        for item in page["Items"]:
            if written == stop_after:
                return written
            try:
                table.update_item(
                    Key={"PK": item["PK"], "SK": item["SK"]},
                    UpdateExpression="SET GSI3PK = :pk, GSI3SK = :sk",
                    ConditionExpression="attribute_not_exists(GSI3PK)",
                    # The board by shards: OPEN#0 .. OPEN#3 instead of one hot key.
                    ExpressionAttributeValues={
                        ":pk": f"OPEN#{int(item['total']) % 4}",
                        ":sk": item["GSI2SK"],
                    },
                )
                written += 1
            except table.meta.client.exceptions.ConditionalCheckFailedException:
                pass
        if "LastEvaluatedKey" not in page:
            return written
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def run(table, **extra):
    with ThreadPoolExecutor(SEGMENTS) as pool:
        return sum(pool.map(lambda segment: backfill(table, segment, **extra), range(SEGMENTS)))


def count(table, index_name, key_name, key):
    answer = table.query(
        IndexName=index_name,
        KeyConditionExpression="#k = :k",
        ExpressionAttributeNames={"#k": key_name},
        ExpressionAttributeValues={":k": key},
        Select="COUNT",
    )
    return answer["Count"]


def test_a_backfill_by_segments_can_stop_and_run_again(client, orders):
    add_gsi3(client, orders)
    first = run(orders, stop_after=10)
    assert 0 < first < ORDERS
    second = run(orders)
    assert first + second == ORDERS
    assert run(orders) == 0
    eventually(
        lambda: sum(count(orders, "GSI3", "GSI3PK", f"OPEN#{shard}") for shard in range(4)), ORDERS
    )
    assert count(orders, "GSI2", "GSI2PK", "OPEN") == ORDERS
