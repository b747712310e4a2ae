"""CreateTable: what is refused, in the order in which it is refused."""

import pytest

from conftest import attribute, schema
from wire import (
    NAME_PATTERN, NOT_NULL, assert_error, assert_invalid, assert_violations, at_least, enum, longer,
    shorter, violation,
)

INVALID = "One or more parameter values were invalid: "
CAPACITY = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
NO_DEFINITION = "Invalid KeySchema: Some index key attribute have no definition"
SAME_NAME = "Both the Hash Key and the Range Key element in the KeySchema have the same name"
FIRST_NOT_HASH = "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"
SECOND_NOT_RANGE = "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"


def create(db, **members):
    request = {
        "TableName": "never-created", "AttributeDefinitions": [attribute("a")],
        "KeySchema": schema("a"), "ProvisionedThroughput": CAPACITY,
    }
    request.update(members)
    return db.post("CreateTable", {k: v for k, v in request.items() if v is not None})


def test_table_name_is_required(db):
    answer = db.post("CreateTable", {"AttributeDefinitions": [attribute("a")]})
    assert_invalid(answer, "The parameter 'TableName' is required but was not present in the request")


@pytest.mark.parametrize(
    "name, constraint",
    [("ab", longer(3)), ("a" * 256, shorter(255)), ("abc;", NAME_PATTERN), ("invalid name", NAME_PATTERN)],
)
def test_table_name(db, name, constraint):
    assert_violations(create(db, TableName=name), violation(name, "tableName", constraint))


def key(name, kind):
    return {"AttributeName": name, "KeyType": kind}


PATHS = [
    ({"AttributeDefinitions": None, "KeySchema": None},
     [(None, "attributeDefinitions", NOT_NULL), (None, "keySchema", NOT_NULL)]),
    ({"KeySchema": []}, [("[]", "keySchema", longer(1))]),
    ({"AttributeDefinitions": [{}]},
     [(None, "attributeDefinitions.1.member.attributeName", NOT_NULL),
      (None, "attributeDefinitions.1.member.attributeType", NOT_NULL)]),
    ({"AttributeDefinitions": [attribute("a", "SS")]},
     [("SS", "attributeDefinitions.1.member.attributeType", enum("B", "N", "S"))]),
    ({"AttributeDefinitions": [attribute("a"), attribute("b", "X")]},
     [("X", "attributeDefinitions.2.member.attributeType", enum("B", "N", "S"))]),
    ({"AttributeDefinitions": [attribute("")]},
     [("", "attributeDefinitions.1.member.attributeName", longer(1))]),
    ({"AttributeDefinitions": [attribute("a" * 256)]},
     [("a" * 256, "attributeDefinitions.1.member.attributeName", shorter(255))]),
    ({"KeySchema": [key("a", "INVALID")]},
     [("INVALID", "keySchema.1.member.keyType", enum("HASH", "RANGE"))]),
    ({"KeySchema": [{"AttributeName": "a"}, {"KeyType": "RANGE"}]},
     [(None, "keySchema.1.member.keyType", NOT_NULL),
      (None, "keySchema.2.member.attributeName", NOT_NULL)]),
    ({"KeySchema": [key("pk", "HASH"), key("sk", "RANGE"), key("extra", "RANGE")]},
     [("[KeySchemaElement(attributeName=pk, keyType=HASH), KeySchemaElement(attributeName=sk, "
       "keyType=RANGE), KeySchemaElement(attributeName=extra, keyType=RANGE)]", "keySchema",
       shorter(2))]),
    ({"BillingMode": "FREE"}, [("FREE", "billingMode", enum("PROVISIONED", "PAY_PER_REQUEST"))]),
    ({"ProvisionedThroughput": {}},
     [(None, "provisionedThroughput.readCapacityUnits", NOT_NULL),
      (None, "provisionedThroughput.writeCapacityUnits", NOT_NULL)]),
    ({"ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": -1}},
     [("0", "provisionedThroughput.readCapacityUnits", at_least(1)),
      ("-1", "provisionedThroughput.writeCapacityUnits", at_least(1))]),
    ({"LocalSecondaryIndexes": [{}]},
     [(None, "localSecondaryIndexes.1.member.indexName", NOT_NULL),
      (None, "localSecondaryIndexes.1.member.keySchema", NOT_NULL),
      (None, "localSecondaryIndexes.1.member.projection", NOT_NULL)]),
    ({"GlobalSecondaryIndexes": [{"IndexName": "h;", "KeySchema": [], "Projection": {}}]},
     [("h;", "globalSecondaryIndexes.1.member.indexName", NAME_PATTERN),
      ("h;", "globalSecondaryIndexes.1.member.indexName", longer(3)),
      ("[]", "globalSecondaryIndexes.1.member.keySchema", longer(1))]),
    ({"GlobalSecondaryIndexes": [
        {"IndexName": "abc", "KeySchema": schema("a"),
         "Projection": {"ProjectionType": "SOME", "NonKeyAttributes": []}}]},
     [("SOME", "globalSecondaryIndexes.1.member.projection.projectionType",
       enum("ALL", "INCLUDE", "KEYS_ONLY")),
      ("[]", "globalSecondaryIndexes.1.member.projection.nonKeyAttributes", longer(1))]),
    ({"GlobalSecondaryIndexes": [
        {"IndexName": "abc", "KeySchema": schema("a"), "Projection": {"ProjectionType": "ALL"},
         "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 1}}]},
     [("0", "globalSecondaryIndexes.1.member.provisionedThroughput.readCapacityUnits", at_least(1))]),
]


@pytest.mark.parametrize("members, found", PATHS, ids=[f"{','.join(m)}-{i}" for i, (m, _) in enumerate(PATHS)])
def test_constraints(db, members, found):
    assert_violations(create(db, **members), *[violation(*f) for f in found])


REFUSED = {
    "on-demand with throughput": (
        {"BillingMode": "PAY_PER_REQUEST"},
        INVALID + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
        "BillingMode is PAY_PER_REQUEST"),
    "provisioned without throughput": (
        {"BillingMode": "PROVISIONED", "ProvisionedThroughput": None},
        INVALID + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode "
        "is PROVISIONED"),
    "no billing mode, no throughput": (
        {"ProvisionedThroughput": None},
        INVALID + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode "
        "is PROVISIONED"),
    "read capacity beyond all bounds": (
        {"ProvisionedThroughput": {"ReadCapacityUnits": 1000000000001, "WriteCapacityUnits": 1000000000001}},
        "Given value 1000000000001 for ReadCapacityUnits is out of bounds"),
    "write capacity beyond all bounds": (
        {"ProvisionedThroughput": {"ReadCapacityUnits": 1000000000000, "WriteCapacityUnits": 1000000000001}},
        "Given value 1000000000001 for WriteCapacityUnits is out of bounds"),
    "no such table class": (
        {"TableClass": "CHEAP"},
        "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, "
        "STANDARD_INFREQUENT_ACCESS]."),
    "no definitions": ({"AttributeDefinitions": []}, NO_DEFINITION),
    "one attribute defined twice": (
        {"AttributeDefinitions": [attribute("a"), attribute("a", "N")]}, "Attribute Name is duplicated: a"),
    "key not defined": (
        {"AttributeDefinitions": [attribute("b")]},
        INVALID + "Some index key attributes are not defined in AttributeDefinitions. Keys: [a], "
        "AttributeDefinitions: [b]"),
    "more keys than definitions": (
        {"KeySchema": schema("a", "b")}, NO_DEFINITION),
    "same key twice, defined once": (
        {"KeySchema": [key("a", "HASH"), key("a", "RANGE")]}, NO_DEFINITION),
    "same key twice, two definitions": (
        {"AttributeDefinitions": [attribute("a"), attribute("b")],
         "KeySchema": [key("a", "HASH"), key("a", "RANGE")]}, SAME_NAME),
    "range first": ({"KeySchema": [key("a", "RANGE")]}, FIRST_NOT_HASH),
    "two hash keys": (
        {"AttributeDefinitions": [attribute("a"), attribute("b")],
         "KeySchema": [key("a", "HASH"), key("b", "HASH")]}, SECOND_NOT_RANGE),
    "definition not used": (
        {"AttributeDefinitions": [attribute("a"), attribute("b")]},
        INVALID + "Number of attributes in KeySchema does not exactly match number of attributes "
        "defined in AttributeDefinitions"),
    "stream enabled without a view type": (
        {"StreamSpecification": {"StreamEnabled": True}},
        INVALID + "Table is being created with a stream enabled, UpdateViewType is required"),
    "stream disabled with a view type": (
        {"StreamSpecification": {"StreamEnabled": False, "StreamViewType": "NEW_IMAGE"}},
        INVALID + "Table is being created with a stream disabled, UpdateViewType should not be "
        "specified"),
    "on-demand ceiling on a provisioned table": (
        {"OnDemandThroughput": {"MaxReadRequestUnits": 10}},
        INVALID + "MaxReadRequestUnits for OnDemandThroughput cannot be specified when table "
        "BillingMode is PROVISIONED."),
    "on-demand ceiling of nothing": (
        {"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": None,
         "OnDemandThroughput": {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 0}},
        INVALID + "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range"),
    "warm throughput below that of a new table": (
        {"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": None,
         "WarmThroughput": {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 3999}},
        INVALID + "Requested WriteUnitsPerSecond for WarmThroughput for table is lower than initial throughput for "
        "OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
        "on-demand-capacity-mode.html#on-demand-capacity-mode-initial"),
    "warm throughput below what is provisioned": (
        {"ProvisionedThroughput": {"ReadCapacityUnits": 10, "WriteCapacityUnits": 10},
         "WarmThroughput": {"ReadUnitsPerSecond": 5, "WriteUnitsPerSecond": 5}},
        INVALID + "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than ReadCapacityUnits of "
        "ProvisionedThroughput"),
    "encryption type of no encryption": (
        {"SSESpecification": {"Enabled": False, "SSEType": "KMS"}},
        INVALID + "SSEType can not be specified if Enabled is false"),
    "encryption key without type": (
        {"SSESpecification": {"Enabled": True, "KMSMasterKeyId": "alias/key"}},
        INVALID + "SSEType KMS is required if KMSMasterKeyId is specified"),
    "one tag twice": (
        {"Tags": [{"Key": "k", "Value": "1"}, {"Key": "k", "Value": "2"}]},
        "Duplicate Tag Keys provided as input: Duplicate Tag Key found k"),
}


@pytest.mark.parametrize("members, text", REFUSED.values(), ids=REFUSED.keys())
def test_refused(db, members, text):
    assert_invalid(create(db, **members), text)


def test_an_existing_table_is_in_use(db, hash_table):
    assert_error(
        create(db, TableName=hash_table), "ResourceInUseException", f"Table already exists: {hash_table}"
    )


def test_constraints_come_before_the_existing_table(db, hash_table):
    answer = create(db, TableName=hash_table, BillingMode="FREE")
    assert_violations(
        answer, violation("FREE", "billingMode", enum("PROVISIONED", "PAY_PER_REQUEST"))
    )
