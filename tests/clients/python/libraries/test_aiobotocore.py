"""aiobotocore: the same API from coroutines, many requests at once on few connections, pages, waiters."""

import asyncio

import pytest
import support
from aiobotocore.config import AioConfig
from aiobotocore.session import get_session
from botocore.exceptions import ClientError

CONNECTIONS = 8


def run(work, *arguments):
    """Runs a coroutine function with a client of its own event loop."""

    async def inner():
        config = AioConfig(max_pool_connections=CONNECTIONS, retries={"total_max_attempts": 1, "mode": "standard"})
        async with get_session().create_client("dynamodb", endpoint_url=support.endpoint(), config=config) as client:
            # The first request finds credentials and endpoint; many first ones would each do so, for seconds.
            await client.list_tables(Limit=1)
            return await work(client, *arguments)

    return asyncio.run(inner())


@pytest.fixture(scope="module")
def table(new_table):
    return new_table({"pk": "S", "sk": "N"}).name


def test_a_table_is_waited_for_and_dropped():
    async def work(client, name):
        await client.create_table(**support.table_definition(name, {"pk": "S"}))
        await client.get_waiter("table_exists").wait(TableName=name)
        found = await client.describe_table(TableName=name)
        await client.delete_table(TableName=name)
        await client.get_waiter("table_not_exists").wait(TableName=name)
        return found["Table"]["TableStatus"]

    assert run(work, support.unique("aio")) == "ACTIVE"


def test_no_increment_of_many_is_lost(table, key):
    async def add(client):
        answer = await client.update_item(
            TableName=table,
            Key={"pk": {"S": key}, "sk": {"N": "0"}},
            UpdateExpression="ADD hits :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
            ReturnValues="UPDATED_NEW",
        )
        return int(answer["Attributes"]["hits"]["N"])

    async def work(client):
        return await asyncio.gather(*(add(client) for _ in range(200)))

    assert sorted(run(work)) == list(range(1, 201))


def test_pages_come_in_order(table, key):
    async def work(client):
        puts = [{"PutRequest": {"Item": {"pk": {"S": key}, "sk": {"N": str(each)}}}} for each in range(75)]
        batches = [puts[begin : begin + 25] for begin in range(0, 75, 25)]
        answers = await asyncio.gather(*(client.batch_write_item(RequestItems={table: batch}) for batch in batches))
        assert [each["UnprocessedItems"] for each in answers] == [{}] * 3
        pages = client.get_paginator("query").paginate(
            TableName=table,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": key}},
            PaginationConfig={"PageSize": 20},
        )
        return [[int(item["sk"]["N"]) for item in page["Items"]] async for page in pages]

    found = run(work)
    assert [len(page) for page in found] == [20, 20, 20, 15]
    assert sum(found, []) == list(range(75))


def test_one_of_many_creations_wins(table, key):
    async def create(client, who):
        try:
            await client.put_item(
                TableName=table,
                Item={"pk": {"S": key}, "sk": {"N": "0"}, "who": {"N": str(who)}},
                ConditionExpression="attribute_not_exists(pk)",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except ClientError as error:
            assert error.response["Error"]["Code"] == "ConditionalCheckFailedException"
            return int(error.response["Item"]["who"]["N"])
        return who

    async def work(client):
        return await asyncio.gather(*(create(client, who) for who in range(30)))

    assert len(set(run(work))) == 1
