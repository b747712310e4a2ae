"""Global secondary indexes whose keys have many attributes."""

import itertools
import re

import pytest

from conftest import attribute
from index_calls import ALL, add, definitions, described, eventually, index, indexes, keys, put, scanned
from wire import assert_invalid, shorter, wait_active

INVALID = "One or more parameter values were invalid: "
A = {"S": "a"}
ONE = {"N": "1"}


@pytest.fixture
def table(create):
    return create("online", {"pk": "S"})


@pytest.fixture(scope="module")
def shared(create):
    """A table on which only refused requests are tried."""
    return create("online", {"pk": "S"})


def creation(name, new, names):
    return {
        "TableName": name, "AttributeDefinitions": definitions(["pk", *names]), "KeySchema": keys(["pk"]),
        "BillingMode": "PAY_PER_REQUEST", "GlobalSecondaryIndexes": [new]}


def schema_of(*parts):
    return {"IndexName": "many", "KeySchema": [{"AttributeName": n, "KeyType": k} for n, k in parts], "Projection": ALL}


NOT_HASH_FIRST = "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"
TOO_MANY = INVALID + "The KeySchema exceeds the maximum allowed number of {} key attributes"
BAD_SCHEMAS = {
    "five hashes": (index("many", "abcde"), TOO_MANY.format("HASH")),
    "five ranges": (index("many", "a", "bcdef"), TOO_MANY.format("RANGE")),
    "hash after range": (
        schema_of(("a", "HASH"), ("b", "RANGE"), ("c", "HASH")),
        INVALID + "All HASH key attributes must precede RANGE key attributes in the KeySchema"),
    "one attribute twice": (
        index("many", "ab", "b"), "The KeySchema contains multiple key attributes with the same name"),
    "range first": (schema_of(("a", "RANGE"), ("b", "HASH"), ("c", "HASH")), NOT_HASH_FIRST),
    "ranges only": (index("many", "", "ab"), NOT_HASH_FIRST),
}


@pytest.mark.parametrize("new, text", BAD_SCHEMAS.values(), ids=BAD_SCHEMAS.keys())
def test_bad_schemas(db, shared, unique, new, text):
    names = sorted({k["AttributeName"] for k in new["KeySchema"]})
    assert_invalid(db.post("CreateTable", creation(unique("many"), new, names)), text)
    assert_invalid(add(db, shared, new, AttributeDefinitions=definitions(names)), text)


def test_only_global_indexes_may(db, unique):
    body = creation(unique("many"), index("gsi", "a"), "abc")
    assert_invalid(
        db.post("CreateTable", {**body, "KeySchema": keys(["pk", "b"])}),
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
    local = {**index("lsi", ["pk"], "bc")}
    answer = db.post("CreateTable", {**body, "LocalSecondaryIndexes": [local]})
    assert (answer.status, answer.code) == (400, "ValidationException")
    assert shorter(2) in answer.message


def test_a_definition_twice(db, unique):
    body = creation(unique("many"), index("gsi", "ab"), "ab")
    body["AttributeDefinitions"].append(attribute("a", "N"))
    assert_invalid(db.post("CreateTable", body), "Attribute Name is duplicated: a")


@pytest.fixture(scope="module")
def many(db, create):
    """Index `many` with HASH a, b and RANGE c, d (a number), over all that they may be."""
    name = create(
        "many", {"pk": "S"}, more_definitions=definitions("abcd", {"d": "N"}),
        GlobalSecondaryIndexes=[index("many", "ab", "cd")])
    for a, b, c, d in itertools.product("xy", "xy", "pq", (-1, 2, 10)):
        put(db, name, pk=f"{a}{b}{c}{d}", a=a, b=b, c=c, d={"N": str(d)})
    put(db, name, pk="no d", a="x", b="x", c="p")
    put(db, name, pk="no a", b="x", c="p", d=ONE)
    eventually(24, lambda: db.call("Scan", TableName=name, IndexName="many")["Count"])
    return name


def query(db, table, condition, **members):
    used = {
        ":a": {"S": "x"}, ":b": {"S": "y"}, ":c": {"S": "p"}, ":c2": {"S": "q"}, ":d": {"N": "0"}, ":d2": {"N": "10"}}
    values = {k: v for k, v in used.items() if re.search(k + r"\b", condition)}
    return db.post("Query", {
        "TableName": table, "IndexName": "many", "KeyConditionExpression": condition,
        "ExpressionAttributeValues": values, **members})


FOUND = {
    "a = :a AND b = :b": ["xyp-1", "xyp2", "xyp10", "xyq-1", "xyq2", "xyq10"],
    "b = :b AND a = :a AND c = :c": ["xyp-1", "xyp2", "xyp10"],
    "a = :a AND b = :b AND c > :c": ["xyq-1", "xyq2", "xyq10"],
    "a = :a AND b = :b AND c BETWEEN :c AND :c2": ["xyp-1", "xyp2", "xyp10", "xyq-1", "xyq2", "xyq10"],
    "a = :a AND b = :b AND begins_with(c, :c)": ["xyp-1", "xyp2", "xyp10"],
    "a = :a AND b = :b AND c = :c AND d > :d": ["xyp2", "xyp10"],
    "d < :d2 AND c = :c2 AND b = :b AND a = :a": ["xyq-1", "xyq2"],
    "a = :a AND b = :b AND c = :c AND d = :d2": ["xyp10"],
}


@pytest.mark.parametrize("condition", FOUND)
def test_query(db, many, condition):
    def found(**members):
        return [i["pk"]["S"] for i in query(db, many, condition, **members).json()["Items"]]

    assert found() == FOUND[condition]
    assert found(ScanIndexForward=False) == FOUND[condition][::-1]


def gap(missing, present):
    return (
        f"RANGE key attributes {missing} must have equality conditions specified in the query because a condition is "
        f"present on key attribute {present}")


REFUSED_QUERIES = {
    "a gap": ("a = :a AND b = :b AND d = :d", gap("c", "d")),
    "an inequality before the last": ("a = :a AND b = :b AND c > :c AND d = :d", gap("c", "d")),
}


@pytest.mark.parametrize("condition, text", REFUSED_QUERIES.values(), ids=REFUSED_QUERIES.keys())
def test_refused_queries(db, many, condition, text):
    assert_invalid(query(db, many, condition), text)


NOT_EQUAL = {
    "a = :a": "b", "b = :b": "a", "a = :a AND c = :c": "b", "a = :a AND b > :b": "b", "begins_with(a, :a) AND b < :b": "a, b",
    "c = :c": "a, b", "a = :a AND b BETWEEN :b AND :b AND c = :c AND d = :d": "b"}


@pytest.mark.parametrize("condition, names", NOT_EQUAL.items())
def test_every_hash_attribute_must_be_equal_to_something(db, many, condition, names):
    assert_invalid(
        query(db, many, condition), f"HASH key attributes {names} must have equality conditions specified in the query")


def test_pages(db, many):
    found, more = [], {}
    while True:
        page = query(db, many, "a = :a AND b = :b", Limit=1, **more).json()
        found += [i["pk"]["S"] for i in page["Items"]]
        if "LastEvaluatedKey" not in page:
            break
        assert set(page["LastEvaluatedKey"]) == {"pk", "a", "b", "c", "d"}
        more = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert found == FOUND["a = :a AND b = :b"]


def test_all_eight(db, create):
    names = "abcdefgh"
    name = create("many", {"pk": "S"}, more_definitions=definitions(names),
                  GlobalSecondaryIndexes=[index("many", "abcd", "efgh")])
    assert indexes(described(db, name))["many"]["KeySchema"] == keys("abcd", "efgh")
    put(db, name, pk="whole", **dict.fromkeys(names, "v"))
    for n in names:
        put(db, name, pk=f"without {n}", **dict.fromkeys(names.replace(n, ""), "v"))
    eventually(["whole"], lambda: scanned(db, name, "many"))


def test_one_added_online(db, table):
    put(db, table, pk="good", a="1", b="2", c="3", d="4")
    put(db, table, pk="half", a="1", c="3", d="4")
    put(db, table, pk="other type", a="1", b="2", c=ONE, d="4")
    assert add(db, table, index("many", "ab", "cd")).status == 200
    assert indexes(wait_active(db, table))["many"]["KeySchema"] == keys("ab", "cd")
    assert scanned(db, table, "many") == ["good"]


def test_writes_are_checked_against_every_attribute(db, many):
    answer = db.post("PutItem", {"TableName": many, "Item": {"pk": A, "d": A}})
    assert_invalid(answer, INVALID + "Type mismatch for Index Key d Expected: N Actual: S IndexName: many")
    answer = db.post("PutItem", {"TableName": many, "Item": {"pk": A, "b": {"S": ""}}})
    assert (answer.status, answer.code) == (400, "ValidationException")
