"""A JSON value of the wrong type is refused before any other check, with the parser's own words."""

import pytest

from wire import assert_error

AV = "com.amazonaws.dynamodb.v20120810.AttributeValue"
CASTS = (
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
    "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
    "java.lang.Class are in module java.base of loader 'bootstrap')"
)
NO_MAP = "Start of structure or map found where not expected"


def scalar(kind):
    """What is said when a value of this kind is expected."""
    wrong = {
        "list": ([], f"Unrecognized collection type class java.lang.{kind}"),
        "map": ({}, NO_MAP),
    }
    if kind != "Boolean":
        wrong["true"] = (True, f"TRUE_VALUE cannot be converted to {kind}")
        wrong["false"] = (False, f"FALSE_VALUE cannot be converted to {kind}")
    if kind in ("String", "Boolean"):
        wrong["integer"] = (23, f"NUMBER_VALUE cannot be converted to {kind}")
        wrong["long"] = (2147483648, f"NUMBER_VALUE cannot be converted to {kind}")
        wrong["decimal"] = (34.56, f"DECIMAL_VALUE cannot be converted to {kind}")
    if kind in ("Integer", "Long", "Double"):
        wrong["string"] = ("23", f"STRING_VALUE cannot be converted to {kind}")
    if kind == "Boolean":
        wrong["string"] = ("23", "Unexpected token received from parser")
    return wrong


def not_scalar(text):
    return {
        "string": ("23", text), "true": (True, text), "integer": (23, text), "decimal": (34.56, text),
    }


def struct_field(name):
    return not_scalar("Unexpected field type") | {
        "list": ([], f"Unrecognized collection type class com.amazonaws.dynamodb.v20120810.{name}")
    }


def struct_value(name):
    return not_scalar("Unexpected value type in payload") | {
        "list": ([], f"Unrecognized collection type class com.amazonaws.dynamodb.v20120810.{name}")
    }


def mapping(element):
    return not_scalar("Unexpected field type") | {
        "list": ([], f"Unrecognized collection type java.util.Map<java.lang.String, {element}>")
    }


SEQUENCE = not_scalar("Unexpected field type") | {"map": ({}, NO_MAP)}
BLOB = {
    "true": (True, "only base-64-encoded strings are convertible to bytes"),
    "integer": (23, "only base-64-encoded strings are convertible to bytes"),
    "decimal": (34.56, "only base-64-encoded strings are convertible to bytes"),
    "list": ([], "Unrecognized collection type class java.nio.ByteBuffer"),
    "map": ({}, NO_MAP),
    "bad length": ("23456", "Base64 encoded length is expected a multiple of 4 bytes but found: 5"),
    "bad last character": ("+/+=", "Invalid last non-pad Base64 character dectected"),
}
NESTED_MAP = not_scalar(CASTS) | {
    "list": ([], f"Unrecognized collection type java.util.Map<java.lang.String, {AV}>")
}
NESTED_LIST = not_scalar(CASTS) | {"map": ({}, NO_MAP)}

# Operation, path to the member (a number is a list position), what is said.
MEMBERS = [
    ("ListTables", "Limit", scalar("Integer")),
    ("ListTables", "ExclusiveStartTableName", scalar("String")),
    ("DescribeTable", "TableName", scalar("String")),
    ("DeleteTable", "TableName", scalar("String")),
    ("CreateTable", "AttributeDefinitions", SEQUENCE),
    ("CreateTable", "AttributeDefinitions.0", struct_value("AttributeDefinition")),
    ("CreateTable", "AttributeDefinitions.0.AttributeName", scalar("String")),
    ("CreateTable", "KeySchema", SEQUENCE),
    ("CreateTable", "KeySchema.0", struct_value("KeySchemaElement")),
    ("CreateTable", "BillingMode", scalar("String")),
    ("CreateTable", "ProvisionedThroughput", struct_field("ProvisionedThroughput")),
    ("CreateTable", "ProvisionedThroughput.ReadCapacityUnits", scalar("Long")),
    ("CreateTable", "LocalSecondaryIndexes.0", struct_value("LocalSecondaryIndex")),
    ("CreateTable", "GlobalSecondaryIndexes.0.Projection", struct_field("Projection")),
    ("CreateTable", "GlobalSecondaryIndexes.0.Projection.NonKeyAttributes.0", scalar("String")),
    ("CreateTable", "DeletionProtectionEnabled", scalar("Boolean")),
    ("UpdateTable", "GlobalSecondaryIndexUpdates.0", struct_value("GlobalSecondaryIndexUpdate")),
    ("UpdateTable", "GlobalSecondaryIndexUpdates.0.Create",
     struct_field("CreateGlobalSecondaryIndexAction")),
    ("PutItem", "TableName", scalar("String")),
    ("PutItem", "Item", mapping(AV)),
    ("PutItem", "Item.a", struct_value("AttributeValue")),
    ("PutItem", "Item.a.S", scalar("String")),
    ("PutItem", "Item.a.N", scalar("String")),
    ("PutItem", "Item.a.B", BLOB),
    ("PutItem", "Item.a.BOOL", scalar("Boolean")),
    ("PutItem", "Item.a.NULL", scalar("Boolean")),
    ("PutItem", "Item.a.SS", SEQUENCE),
    ("PutItem", "Item.a.SS.0", scalar("String")),
    ("PutItem", "Item.a.NS.0", scalar("String")),
    ("PutItem", "Item.a.BS.0", BLOB),
    ("PutItem", "Item.a.L", SEQUENCE),
    ("PutItem", "Item.a.L.0", struct_value("AttributeValue")),
    ("PutItem", "Item.a.L.0.BS.0", BLOB),
    ("PutItem", "Item.a.M", mapping(AV)),
    ("PutItem", "Item.a.M.b", struct_value("AttributeValue")),
    ("PutItem", "Item.a.M.b.S", scalar("String")),
    ("PutItem", "Expected", mapping("com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue")),
    ("PutItem", "Expected.a", struct_value("ExpectedAttributeValue")),
    ("PutItem", "Expected.a.Value", struct_field("AttributeValue")),
    ("PutItem", "Expected.a.Exists", scalar("Boolean")),
    ("PutItem", "ConditionExpression", scalar("String")),
    ("PutItem", "ExpressionAttributeNames", mapping("java.lang.String")),
    ("PutItem", "ExpressionAttributeNames.a", scalar("String")),
    ("PutItem", "ExpressionAttributeValues", mapping(AV)),
    ("GetItem", "Key", mapping(AV)),
    ("GetItem", "AttributesToGet", SEQUENCE),
    ("GetItem", "AttributesToGet.0", scalar("String")),
    ("GetItem", "ConsistentRead", scalar("Boolean")),
    ("UpdateItem", "AttributeUpdates",
     mapping("com.amazonaws.dynamodb.v20120810.AttributeValueUpdate")),
    ("UpdateItem", "AttributeUpdates.a", struct_value("AttributeValueUpdate")),
    ("UpdateItem", "AttributeUpdates.a.Action", scalar("String")),
    ("UpdateItem", "UpdateExpression", scalar("String")),
    ("DeleteItem", "ReturnValues", scalar("String")),
    ("Query", "KeyConditions", mapping("com.amazonaws.dynamodb.v20120810.Condition")),
    ("Query", "KeyConditions.a", struct_value("Condition")),
    ("Query", "KeyConditions.a.AttributeValueList", SEQUENCE),
    ("Query", "ExclusiveStartKey", mapping(AV)),
    ("Query", "Limit", scalar("Integer")),
    ("Query", "ScanIndexForward", scalar("Boolean")),
    ("Scan", "ScanFilter", mapping("com.amazonaws.dynamodb.v20120810.Condition")),
    ("Scan", "Segment", scalar("Integer")),
    ("Scan", "TotalSegments", scalar("Integer")),
    ("BatchGetItem", "RequestItems", mapping("com.amazonaws.dynamodb.v20120810.KeysAndAttributes")),
    ("BatchGetItem", "RequestItems.a", struct_value("KeysAndAttributes")),
    ("BatchGetItem", "RequestItems.a.Keys", SEQUENCE),
    ("BatchGetItem", "RequestItems.a.Keys.0", NESTED_MAP),
    ("BatchWriteItem", "RequestItems",
     mapping("java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>")),
    ("BatchWriteItem", "RequestItems.a", NESTED_LIST),
    ("BatchWriteItem", "RequestItems.a.0", struct_value("WriteRequest")),
    ("BatchWriteItem", "RequestItems.a.0.PutRequest", struct_field("PutRequest")),
    ("BatchWriteItem", "RequestItems.a.0.PutRequest.Item", mapping(AV)),
    ("BatchWriteItem", "RequestItems.a.0.DeleteRequest", struct_field("DeleteRequest")),
]


def document(path, value):
    for step in reversed(path.split(".")):
        value = [value] if step.isdigit() else {step: value}
    return value


@pytest.mark.parametrize(
    "operation, path, wrong", MEMBERS, ids=[f"{op}-{path}" for op, path, _ in MEMBERS]
)
def test_wrong_type(db, operation, path, wrong):
    for label, (value, text) in wrong.items():
        answer = db.post(operation, document(path, value))
        try:
            assert_error(answer, "SerializationException", text)
        except AssertionError as error:
            raise AssertionError(f"{label}: {error}") from None


@pytest.mark.parametrize("word", ["true", "TRUE", "1", "yes", "false", "0", "No"])
def test_words_that_are_booleans(db, word):
    answer = db.post("GetItem", {"TableName": "no-such-table", "Key": {"pk": {"S": "a"}}, "ConsistentRead": word})
    assert answer.code == "ResourceNotFoundException"


def test_decimals_are_cut_to_integers(db):
    assert db.post("ListTables", {"Limit": 1.9}).status == 200
