"""Item collections of a table with local indexes that reach their limit (--collection-limit-mb)."""

import pytest

import tables
from server_process import ServerProcess
from wire_client import Client, ServiceError

CODE = "ItemCollectionSizeLimitExceededException"
TEXT = "Collection size exceeded."


@pytest.fixture
def client(tmp_path):
    """Of a server whose item collections may reach one megabyte, with the table `tbl`."""
    with ServerProcess(tmp_path / "log", "--collection-limit-mb", "1") as server:
        client = Client(server.port)
        tables.create(client, "tbl", ("pk", "sk"), {"pk": "S", "sk": "N", "lsk": "S"},
                      [tables.index("local", ("pk", "lsk"))])
        tables.create(client, "plain", ("pk", "sk"), {"pk": "S", "sk": "N"})
        yield client
        assert server.stop() == 0
        assert server.log_text() == ""


def item(sort, pk="a", size=300_000, **more):
    return {"pk": {"S": pk}, "sk": {"N": str(sort)}, "filler": {"S": "x" * size}, **more}


def refused(client, operation, **members):
    with pytest.raises(ServiceError) as error:
        client.call(operation, **members)
    assert error.value.status == 400
    return error.value.code, error.value.message


def test_a_full_collection_does_not_grow(client):
    for n in range(3):
        client.call("PutItem", TableName="tbl", Item=item(n))
        client.call("PutItem", TableName="plain", Item=item(n))
    assert refused(client, "PutItem", TableName="tbl", Item=item(3)) == (CODE, TEXT)
    key = {"pk": {"S": "a"}, "sk": {"N": "0"}}
    grow = {"UpdateExpression": "SET lsk = :x", "ExpressionAttributeValues": {":x": {"S": "x"}}}
    assert refused(client, "UpdateItem", TableName="tbl", Key=key, **grow) == (CODE, TEXT)  # the index row counts
    batch = {"tbl": [{"PutRequest": {"Item": item(3)}}]}
    assert refused(client, "BatchWriteItem", RequestItems=batch) == (CODE, TEXT)
    statement = "INSERT INTO tbl VALUE {'pk': 'a', 'sk': 3, 'filler': ?}"
    parameters = [{"S": "x" * 300_000}]
    assert refused(client, "ExecuteStatement", Statement=statement, Parameters=parameters) == (CODE, TEXT)

    client.call("PutItem", TableName="plain", Item=item(3))
    client.call("PutItem", TableName="tbl", Item=item(3, pk="b"))
    client.call("PutItem", TableName="tbl", Item=item(3, size=10))
    client.call("DeleteItem", TableName="tbl", Key=key)
    client.call("UpdateItem", TableName="tbl", Key={**key, "sk": {"N": "1"}}, UpdateExpression="SET b = sk")


def test_copies_in_indexes_count_from_the_first_item_on(client):
    """Two items of 300 kB and their copies are more than a megabyte; three items without copies are not."""
    for pk, write in {
        "put": lambda new: client.call("PutItem", TableName="tbl", Item=new),
        "batch": lambda new: client.call("BatchWriteItem", RequestItems={"tbl": [{"PutRequest": {"Item": new}}]}),
        "update": lambda new: client.call(
            "UpdateItem", TableName="tbl", Key={name: new[name] for name in ("pk", "sk")}, UpdateExpression="SET filler = :f, lsk = :l",
            ExpressionAttributeValues={":f": new["filler"], ":l": new["lsk"]}),
    }.items():
        write(item(0, pk, lsk={"S": "x"}))
        with pytest.raises(ServiceError) as error:
            write(item(1, pk, lsk={"S": "x"}))
        assert (error.value.code, error.value.message) == (CODE, TEXT), pk
        client.call("PutItem", TableName="tbl", Item=item(1, pk))
        assert len(tables.scan_all(client, "tbl", FilterExpression="pk = :p", ExpressionAttributeValues={":p": {"S": pk}})) == 2
    client.call("TransactWriteItems", TransactItems=[{"Put": {"TableName": "tbl", "Item": item(0, "t", lsk={"S": "x"})}}])
    with pytest.raises(ServiceError) as error:
        client.call("TransactWriteItems", TransactItems=[{"Put": {"TableName": "tbl", "Item": item(1, "t", lsk={"S": "x"})}}])
    assert error.value.message.endswith("[ItemCollectionSizeLimitExceeded]")


def test_a_transaction_names_the_item(client):
    for n in range(3):
        client.call("PutItem", TableName="tbl", Item=item(n))
    actions = [{"Put": {"TableName": "tbl", "Item": each}} for each in (item(1, pk="b"), item(3))]
    code, message = refused(client, "TransactWriteItems", TransactItems=actions)
    assert code == "TransactionCanceledException"
    assert message.endswith("[None, ItemCollectionSizeLimitExceeded]")
    assert tables.scan_all(client, "tbl", FilterExpression="pk = :b",
                           ExpressionAttributeValues={":b": {"S": "b"}}) == []
