"""Errors arrive as the exceptions and with the texts that programs match on."""

import pytest
from botocore.exceptions import ClientError

from support import fails, make_client, unique

KEY = {"pk": {"S": "a"}, "sk": {"S": "b"}}


@pytest.fixture(scope="module")
def table(new_table):
    return new_table({"pk": "S", "sk": "S"})


DATA_CALLS = {
    "get_item": {"Key": KEY},
    "put_item": {"Item": KEY},
    "delete_item": {"Key": KEY},
    "update_item": {"Key": KEY},
    "scan": {},
    "query": {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}},
}


@pytest.mark.parametrize("operation", DATA_CALLS)
def test_a_missing_table_is_resource_not_found(client, operation):
    with pytest.raises(client.exceptions.ResourceNotFoundException) as caught:
        getattr(client, operation)(TableName=unique("absent"), **DATA_CALLS[operation])
    assert caught.value.response["Error"]["Message"] == "Requested resource not found"


def test_conditional_check_failed_has_its_own_class(client, table):
    client.put_item(TableName=table.name, Item=KEY)
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as caught:
        client.put_item(TableName=table.name, Item=KEY, ConditionExpression="attribute_not_exists(pk)")
    error = caught.value.response
    assert error["Error"] == {
        "Code": "ConditionalCheckFailedException",
        "Message": "The conditional request failed",
    }
    assert error["ResponseMetadata"]["HTTPStatusCode"] == 400


def test_every_answer_has_a_request_id_and_a_checksum(client, table):
    good = client.get_item(TableName=table.name, Key=KEY)["ResponseMetadata"]
    with pytest.raises(ClientError) as caught:
        client.get_item(TableName=table.name, Key={"pk": {"S": "a"}})
    bad = caught.value.response["ResponseMetadata"]
    for answer in (good, bad):
        assert answer["RequestId"]
        assert answer["HTTPHeaders"]["x-amzn-requestid"] == answer["RequestId"]
        assert answer["HTTPHeaders"]["x-amz-crc32"].isdigit()
        assert answer["HTTPHeaders"]["content-type"] == "application/x-amz-json-1.0"
    assert good["RequestId"] != bad["RequestId"]


WRONG_KEYS = {
    "sort key missing": {"pk": {"S": "a"}},
    "attribute too many": KEY | {"more": {"S": "c"}},
    "wrong type": KEY | {"sk": {"N": "1"}},
    "other name": {"pk": {"S": "a"}, "other": {"S": "b"}},
}


@pytest.mark.parametrize("flaw", WRONG_KEYS)
@pytest.mark.parametrize("operation", ["get_item", "delete_item", "update_item"])
def test_a_key_must_match_the_schema(client, table, operation, flaw):
    with fails("ValidationException", "The provided key element does not match the schema"):
        getattr(client, operation)(TableName=table.name, Key=WRONG_KEYS[flaw])


def test_a_put_needs_its_whole_key(client, table):
    text = "One or more parameter values were invalid: Missing the key sk in the item"
    with fails("ValidationException", text):
        client.put_item(TableName=table.name, Item={"pk": {"S": "a"}})
    text = "One or more parameter values were invalid: Type mismatch for key sk expected: S actual: N"
    with fails("ValidationException", text):
        client.put_item(TableName=table.name, Item=KEY | {"sk": {"N": "1"}})


@pytest.mark.parametrize("name", ["pk", "sk"])
def test_key_values_may_not_be_empty(client, table, name):
    text = f"The AttributeValue for a key attribute cannot contain an empty string value. Key: {name}"
    with fails("ValidationException", text):
        client.put_item(TableName=table.name, Item=KEY | {name: {"S": ""}})
    with fails("ValidationException", text):
        client.get_item(TableName=table.name, Key=KEY | {name: {"S": ""}})


@pytest.mark.parametrize(
    "name, limit, text",
    [
        # The missing blank is the service's own.
        ("pk", 2048, "Size of hashkey has exceeded the maximum size limit of2048 bytes"),
        ("sk", 1024, "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"),
    ],
)
def test_key_values_have_a_largest_length(client, table, name, limit, text):
    longest = KEY | {name: {"S": "k" * limit}}
    client.put_item(TableName=table.name, Item=longest)
    assert client.get_item(TableName=table.name, Key=longest, ConsistentRead=True)["Item"] == longest
    with fails("ValidationException", text):
        client.put_item(TableName=table.name, Item=KEY | {name: {"S": "k" * (limit + 1)}})


# Sent without the SDK's own check of parameters, so that the server has to answer.
UNCHECKED = {
    "no table name": ("get_item", {"Key": KEY}, "ValidationException"),
    "table name with a blank": ("get_item", {"TableName": "a b c", "Key": KEY}, "ValidationException"),
    "no key": ("get_item", {"TableName": "{table}"}, "ValidationException"),
    "unknown return mode": (
        "put_item",
        {"TableName": "{table}", "Item": KEY, "ReturnValues": "SOME"},
        "ValidationException",
    ),
    "limit of zero": ("scan", {"TableName": "{table}", "Limit": 0}, "ValidationException"),
    "unknown select": ("scan", {"TableName": "{table}", "Select": "MOST"}, "ValidationException"),
    "empty batch": ("batch_get_item", {"RequestItems": {}}, "ValidationException"),
    "value without a type": ("put_item", {"TableName": "{table}", "Item": KEY | {"v": {}}}, "ValidationException"),
    "value of two types": (
        "put_item",
        {"TableName": "{table}", "Item": KEY | {"v": {"S": "1", "N": "1"}}},
        "ValidationException",
    ),
}


@pytest.mark.parametrize("name", UNCHECKED)
def test_the_server_checks_what_the_sdk_did_not(table, name):
    operation, parameters, code = UNCHECKED[name]
    if parameters.get("TableName") == "{table}":
        parameters = parameters | {"TableName": table.name}
    with fails(code):
        getattr(make_client(parameter_validation=False), operation)(**parameters)


def test_an_enum_is_checked_before_the_table_is_looked_up():
    unchecked = make_client(parameter_validation=False)
    with fails("ValidationException", "Member must satisfy enum value set") as caught:
        unchecked.put_item(TableName=unique("absent"), Item=KEY, ReturnValues="SOME")
    message = caught.error.response["Error"]["Message"]
    assert message.startswith("1 validation error detected: Failed to satisfy constraint: Member must satisfy enum value set")


def test_expressions_and_legacy_parameters_do_not_mix(client, table):
    with fails("ValidationException", "Can not use both expression and non-expression parameters"):
        client.put_item(
            TableName=table.name,
            Item=KEY,
            ConditionExpression="attribute_not_exists(pk)",
            Expected={"pk": {"Exists": False}},
        )


def test_a_failed_write_leaves_the_item_as_it_was(client, table):
    item = {"pk": {"S": "kept"}, "sk": {"S": "1"}, "v": {"N": "1"}}
    client.put_item(TableName=table.name, Item=item)
    key = {name: item[name] for name in ("pk", "sk")}
    with fails("ValidationException"):
        client.update_item(
            TableName=table.name,
            Key=key,
            UpdateExpression="SET v = v + :text",
            ExpressionAttributeValues={":text": {"S": "x"}},
        )
    assert client.get_item(TableName=table.name, Key=key, ConsistentRead=True)["Item"] == item
