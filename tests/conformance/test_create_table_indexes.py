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
    "name of 256 bytes": (
        [index(projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x" * 256]})],
        "1 validation error detected: Value '[" + "x" * 256 + "]' at "
        "'localSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must satisfy "
        "constraint: [Member must have length less than or equal to 255, Member must have length greater than or "
        "equal to 1]"),
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


def test_definitions_are_counted_before_indexes_are_checked_further(db):
    answer = ask(db, "abcd", GlobalSecondaryIndexes=[index(keys=schema("c"), projection={})])
    assert answer.message.startswith(INVALID + "Some AttributeDefinitions are not used.")


def hashes(names):
    return [key(n, "HASH") for n in names]


def ranges(names):
    return [key(n, "RANGE") for n in names]


SEVERAL = {
    "range before hash": (
        hashes("c") + ranges("d") + hashes("e"),
        INVALID + "All HASH key attributes must precede RANGE key attributes in the KeySchema"),
    "five hash keys": (
        hashes("cdefg"), INVALID + "The KeySchema exceeds the maximum allowed number of HASH key attributes"),
    "five range keys": (
        hashes("a") + ranges("cdefg"),
        INVALID + "The KeySchema exceeds the maximum allowed number of RANGE key attributes"),
    "same key twice": (
        hashes("cd") + ranges("c"), "The KeySchema contains multiple key attributes with the same name"),
}


@pytest.mark.parametrize("keys, text", SEVERAL.values(), ids=SEVERAL.keys())
def test_global_keys_of_several_attributes_are_refused(db, keys, text):
    names = sorted({"a", "b"} | {k["AttributeName"] for k in keys})
    assert_invalid(ask(db, names, GlobalSecondaryIndexes=[index(keys=keys)]), text)


def test_local_keys_are_two(db):
    keys = hashes("a") + ranges("cd")
    answer = ask(db, "abcd", LocalSecondaryIndexes=[index(keys=keys)])
    assert answer.message.endswith(
        "at 'localSecondaryIndexes.1.member.keySchema' failed to satisfy constraint: "
        "Member must have length less than or equal to 2")


def test_global_keys_of_several_attributes_are_queried(db, create):
    name = create(
        "several-queried", {"pk": "S"}, more_definitions=[attribute(f"g{i}") for i in range(1, 5)],
        GlobalSecondaryIndexes=[index("several", [
            key("g1", "HASH"), key("g2", "HASH"), key("g3", "RANGE"), key("g4", "RANGE")])])
    for i in range(6):
        db.call("PutItem", TableName=name, Item={
            "pk": {"S": str(i)}, "g1": {"S": "a"}, "g2": {"S": "b"}, "g3": {"S": str(i // 3)}, "g4": {"S": str(i)}})
    db.call("PutItem", TableName=name, Item={"pk": {"S": "not indexed"}, "g1": {"S": "a"}, "g2": {"S": "b"}})
    values = {":a": {"S": "a"}, ":b": {"S": "b"}, ":x": {"S": "1"}, ":y": {"S": "4"}}

    def query(condition, **members):
        used = {n: v for n, v in values.items() if n in condition}
        return db.post("Query", {
            "TableName": name, "IndexName": "several", "KeyConditionExpression": condition,
            "ExpressionAttributeValues": used, **members})

    assert query("g1 = :a AND g2 = :b").json()["Count"] == 6
    found = query("g1 = :a AND g2 = :b AND g3 = :x AND g4 >= :y").json()["Items"]
    assert [i["pk"]["S"] for i in found] == ["4", "5"]
    page = query("g1 = :a AND g2 = :b", Limit=2).json()
    assert set(page["LastEvaluatedKey"]) == {"pk", "g1", "g2", "g3", "g4"}
    page = query("g1 = :a AND g2 = :b", ExclusiveStartKey=page["LastEvaluatedKey"]).json()
    assert [i["pk"]["S"] for i in page["Items"]] == ["2", "3", "4", "5"]
    assert_invalid(query("g1 = :a"), "HASH key attributes g2 must have equality conditions specified in the query")


def test_global_keys_of_several_attributes(db, create):
    several = [key("g1", "HASH"), key("g2", "HASH"), key("g3", "RANGE"), key("g4", "RANGE")]
    name = create(
        "several", {"pk": "S"}, more_definitions=[attribute(f"g{i}") for i in range(1, 5)],
        GlobalSecondaryIndexes=[index("several", several)],
    )
    table = db.call("DescribeTable", TableName=name)["Table"]
    assert table["GlobalSecondaryIndexes"][0]["KeySchema"] == several
