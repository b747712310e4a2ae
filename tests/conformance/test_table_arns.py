"""A request may name a table by its ARN; the answer then names it so too, where it names it at all."""

import pytest

KEY = {"pk": {"S": "by-arn"}, "sk": {"S": "1"}}
CONDITION = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": KEY["pk"]}}


@pytest.fixture(scope="module")
def arn(db, indexed_table):
    return db.call("DescribeTable", TableName=indexed_table)["Table"]["TableArn"]


@pytest.mark.parametrize("operation, members", [
    ("PutItem", {"Item": KEY}),
    ("GetItem", {"Key": KEY}),
    ("UpdateItem", {"Key": KEY}),
    ("DeleteItem", {"Key": KEY}),
    ("Query", CONDITION),
    ("Scan", {}),
])
@pytest.mark.parametrize("detail", ["TOTAL", "INDEXES"])
def test_capacity_names_the_table_as_the_request_did(db, indexed_table, arn, operation, members, detail):
    for name in (indexed_table, arn):
        answer = db.call(operation, TableName=name, ReturnConsumedCapacity=detail, **members)
        assert answer["ConsumedCapacity"]["TableName"] == name


def test_batches_name_the_table_as_the_request_did(db, indexed_table, arn):
    for name in (indexed_table, arn):
        written = db.call(
            "BatchWriteItem", RequestItems={name: [{"PutRequest": {"Item": KEY}}]}, ReturnConsumedCapacity="TOTAL",
            ReturnItemCollectionMetrics="SIZE")
        assert [c["TableName"] for c in written["ConsumedCapacity"]] == [name]
        assert list(written["ItemCollectionMetrics"]) == [name]
        read = db.call("BatchGetItem", RequestItems={name: {"Keys": [KEY]}}, ReturnConsumedCapacity="TOTAL")
        assert read["Responses"] == {name: [KEY]}
        assert [c["TableName"] for c in read["ConsumedCapacity"]] == [name]


def test_transactions_name_the_table_as_the_request_did(db, indexed_table, arn):
    for name in (indexed_table, arn):
        written = db.call(
            "TransactWriteItems", TransactItems=[{"Put": {"TableName": name, "Item": KEY}}],
            ReturnConsumedCapacity="TOTAL", ReturnItemCollectionMetrics="SIZE")
        assert [c["TableName"] for c in written["ConsumedCapacity"]] == [name]
        assert list(written["ItemCollectionMetrics"]) == [name]
        read = db.call(
            "TransactGetItems", TransactItems=[{"Get": {"TableName": name, "Key": KEY}}], ReturnConsumedCapacity="TOTAL")
        assert read["Responses"] == [{"Item": KEY}]
        assert [c["TableName"] for c in read["ConsumedCapacity"]] == [name]


def test_a_batch_read_answers_a_table_with_two_names_once(db, indexed_table, arn):
    db.call("PutItem", TableName=indexed_table, Item=KEY)
    keys = {"Keys": [KEY]}
    answer = db.call("BatchGetItem", RequestItems={arn: keys, indexed_table: keys}, ReturnConsumedCapacity="TOTAL")
    assert list(answer["Responses"].values()) == [[KEY]]
    assert [c["CapacityUnits"] for c in answer["ConsumedCapacity"]] == [0.5]
