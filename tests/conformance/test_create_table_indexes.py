"""CreateTable: what is refused about secondary indexes."""

import pytest

from conftest import attribute, schema
from wire import assert_invalid

INVALID = "One or more parameter values were invalid: "
NO_DEFINITIONS = (
    INVALID + "Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], "
    "AttributeDefinitions: [{}]"
)
CAPACITY = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}


def key(name, kind):
    return {"AttributeName": name, "KeyType": kind}


def index(name="index", keys=None, projection=None, **members):
    return {
        "IndexName": name, "KeySchema": keys or schema("a", "c"),
        "Projection": {"ProjectionType": "ALL"} if projection is None else projection, **members,
    }


def ask(db, definitions="abc", keys=None, **members):
    return db.post("CreateTable", {
        "TableName": "never-created", "AttributeDefinitions": [attribute(n) for n in definitions],
        "KeySchema": keys or schema("a", "b"), "BillingMode": "PAY_PER_REQUEST", **members,
    })


LOCAL = {
    "empty list": ([], INVALID + "List of LocalSecondaryIndexes is empty"),
    "key not defined": ([index(keys=schema("a", "x"))], NO_DEFINITIONS.format("a, x", "a, b, c")),
    "same key twice": (
        [index(keys=[key("a", "HASH"), key("a", "RANGE")])],
        "Both the Hash Key and the Range Key element in the KeySchema have the same name"),
    "range first": (
        [index(keys=[key("a", "RANGE"), key("c", "HASH")])],
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"),
    "two hash keys": (
        [index(keys=[key("a", "HASH"), key("c", "HASH")])],
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"),
    "no range key": (
        [index(keys=schema("a"))],
        INVALID + "Index KeySchema does not have a range key for index: index"),
    "another hash key": (
        [index(keys=schema("c", "b"))],
        INVALID + "Index KeySchema does not have the same leading hash key as table KeySchema for "
        "index: index. index hash key: c, table hash key: a"),
    "no projection type": (
        [index(projection={})], INVALID + "Unknown ProjectionType: null"),
    "ALL with attributes": (
        [index(projection={"ProjectionType": "ALL", "NonKeyAttributes": ["x"]})],
        INVALID + "ProjectionType is ALL, but NonKeyAttributes is specified"),
    "KEYS_ONLY with attributes": (
        [index(projection={"ProjectionType": "KEYS_ONLY", "NonKeyAttributes": ["x"]})],
        INVALID + "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"),
    "INCLUDE without attributes": (
        [index(projection={"ProjectionType": "INCLUDE"})],
        INVALID + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"),
    "same name twice": ([index(), index()], INVALID + "Duplicate index name: index"),
    "more than five": (
        [index(f"index{i}") for i in range(6)],
        INVALID + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"),
}


@pytest.mark.parametrize("indexes, text", LOCAL.values(), ids=LOCAL.keys())
def test_local(db, indexes, text):
    assert_invalid(ask(db, LocalSecondaryIndexes=indexes), text)


def test_a_local_index_needs_a_range_key_in_the_table(db):
    answer = ask(db, "ac", keys=schema("a"), LocalSecondaryIndexes=[index()])
    assert_invalid(
        answer, INVALID + "Table KeySchema does not have a range key, which is required when "
        "specifying a LocalSecondaryIndex")


GLOBAL = {
    "empty list": ([], INVALID + "List of GlobalSecondaryIndexes is empty"),
    "key not defined": ([index(keys=schema("x"))], NO_DEFINITIONS.format("x", "a, b, c")),
    "range first": (
        [index(keys=[key("c", "RANGE")])],
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"),
    "no projection type": ([index(keys=schema("c"), projection={})], INVALID + "Unknown ProjectionType: null"),
    "ALL with attributes": (
        [index(keys=schema("c"), projection={"ProjectionType": "ALL", "NonKeyAttributes": ["x"]})],
        INVALID + "ProjectionType is ALL, but NonKeyAttributes is specified"),
    "INCLUDE without attributes": (
        [index(keys=schema("c"), projection={"ProjectionType": "INCLUDE"})],
        INVALID + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"),
    "throughput on an on-demand table": (
        [index(keys=schema("c"), ProvisionedThroughput=CAPACITY)],
        INVALID + "ProvisionedThroughput should not be specified for index: index when BillingMode is "
        "PAY_PER_REQUEST"),
    "same name twice": (
        [index(keys=schema("c")), index(keys=schema("c"))], INVALID + "Duplicate index name: index"),
    "more than twenty": (
        [index(f"index{i}", schema("c")) for i in range(21)],
        INVALID + "GlobalSecondaryIndex count exceeds the per-table limit of 20"),
}


@pytest.mark.parametrize("indexes, text", GLOBAL.values(), ids=GLOBAL.keys())
def test_global(db, indexes, text):
    assert_invalid(ask(db, GlobalSecondaryIndexes=indexes), text)


def test_no_throughput_on_a_provisioned_table(db):
    answer = ask(
        db, BillingMode="PROVISIONED", ProvisionedThroughput=CAPACITY,
        GlobalSecondaryIndexes=[index(keys=schema("c"))],
    )
    assert_invalid(answer, INVALID + "ProvisionedThroughput is not specified for index: index")


def test_local_and_global_indexes_share_their_names(db):
    answer = ask(
        db, LocalSecondaryIndexes=[index()], GlobalSecondaryIndexes=[index(keys=schema("c"))])
    assert_invalid(answer, INVALID + "Duplicate index name: index")


def test_a_definition_that_neither_table_nor_index_uses(db):
    answer = ask(db, "abcd", GlobalSecondaryIndexes=[index(keys=schema("c"))])
    assert answer.status == 400 and answer.code == "ValidationException"
    assert answer.message.startswith(INVALID + "Some AttributeDefinitions are not used. AttributeDefinitions: [")


def test_global_keys_of_several_attributes(db, create):
    several = [key("g1", "HASH"), key("g2", "HASH"), key("g3", "RANGE"), key("g4", "RANGE")]
    name = create(
        "several", {"pk": "S"}, more_definitions=[attribute(f"g{i}") for i in range(1, 5)],
        GlobalSecondaryIndexes=[index("several", several)],
    )
    table = db.call("DescribeTable", TableName=name)["Table"]
    assert table["GlobalSecondaryIndexes"][0]["KeySchema"] == several
