"""Every member of every operation has a limit, and what is just past it is refused.

The limits of the service's public model (lengths, counts, ranges, patterns, enums, required members) are taken from the model itself,
by way of botocore. Members that have none there are listed in LIMITED, by their shape, with the limit that holds.
"""

import re

import pytest

from model_members import (
    A, INDEX, KEY, LOCAL_INDEX, SERVED, SHAPES, TABLE, TARGETS, alone, cases, changed, member_at, models, put, requests, sample,
    upward, walk, without,
)

KB = 1024
LONG_TEXT = {"S": "x" * 400 * KB}
SIZE = "Expression size has exceeded the maximum allowed size"
OUT_OF_BOUNDS = "is out(side)? of (bounds|valid range)"
CONDITIONS = "Member must have length less than or equal to 300"
# What is just past the limit of members that have no upper bound in the public model, by their shape, and what is said of it.
LIMITED = {
    "AttributeDefinitions": (  # as many as keys use
        [{"AttributeName": f"a{i}", "AttributeType": "S"} for i in range(3)], "AttributeDefinitions|At least one of"),
    "AttributeNameList": (["a"] * 1_000_001, "Member must have length less than or equal to 1000000"),
    "AttributeUpdates": ({"a": {"Value": LONG_TEXT}}, "Item size to update has exceeded"),
    "AttributeValueList": ([A] * 101, "Invalid number of argument|AttributeValueList"),
    "ConditionExpression": ("x" * (4 * KB + 1), SIZE),
    "UpdateExpression": ("x" * (4 * KB + 1), SIZE),
    "ProjectionExpression": ("x" * (4 * KB + 1), SIZE),
    "KeyExpression": ("x" * (4 * KB + 1), SIZE),
    "ExpressionAttributeNameMap": ({f"#a{i}": "x" * 65_535 for i in range(33)}, "exceeds max size"),  # 2 MB
    "ExpressionAttributeValueMap": ({f":a{i}": LONG_TEXT for i in range(6)}, "exceeds max size"),  # 2 MB
    "ExpressionAttributeNameVariable": ("#" + "x" * 255, "a key that is too long"),
    "ExpressionAttributeValueVariable": (":" + "x" * 255, "a key that is too long"),
    "ExpectedAttributeMap": ({f"a{i}": {"Exists": False} for i in range(301)}, CONDITIONS),
    "FilterConditionMap": ({f"a{i}": {"ComparisonOperator": "NULL"} for i in range(301)}, CONDITIONS),
    "KeyConditions": (
        {n: {"ComparisonOperator": "EQ", "AttributeValueList": [A]} for n in ("pk", "sk", "x")}, "of length 1 or 2 only"),
    "GlobalSecondaryIndexList": ([{**INDEX, "IndexName": f"gsi{i}"} for i in range(21)], "limit of 20"),
    "GlobalSecondaryIndexUpdateList": ([{"Delete": {"IndexName": f"gsi{i}"}} for i in range(2)], "Only 1 online index"),
    "LocalSecondaryIndexList": ([{**LOCAL_INDEX, "IndexName": f"lsi{i}"} for i in range(6)], "limit of 5"),
    "KMSMasterKeyId": ("x" * 2041, "Member must have length less than or equal to 2040"),
    "Key": ({**KEY, "x": A}, "does not match the schema|starting key is invalid|ValidationError"),
    "KeySchema": (
        [{"AttributeName": f"a{i}", "KeyType": "HASH" if i < 5 else "RANGE"} for i in range(9)],
        "Member must have length|not defined in AttributeDefinitions"),
    "LongObject": (10**12 + 1, OUT_OF_BOUNDS),
    "PositiveLongObject": (10**12 + 1, OUT_OF_BOUNDS),
    "PreparedStatementParameters": ([A] * 1_000_001, "Member must have length less than or equal to 1000000"),
    "PutItemInputAttributeMap": ({**KEY, "x": LONG_TEXT}, "Item size"),
    "TagKeyList": ([f"k{i}" for i in range(201)], "Number of Tags"),
    "TagList": ([{"Key": f"k{i}", "Value": ""} for i in range(51)], "Number of Tags"),
}
# Those that may be anything: a page has 1 MB at most whatever its Limit is, and nothing is kept of a token.
HARMLESS = {"PositiveIntegerObject": 2**31, "NextTokenString": "x" * 100_000}
# Refused as something else than an invalid value, as the service does it.
OTHER_CODES = {
    "GlobalSecondaryIndexUpdateList": "LimitExceededException",
    "Key": "TransactionCanceledException", "PutItemInputAttributeMap": "TransactionCanceledException"}


def unlimited_cases():
    for service, operation, shape in models():
        for path, member, _ in walk(shape) if shape and operation in SERVED else ():
            if not upward(member):
                yield pytest.param(service, operation, path, member, id=f"{operation}-{'.'.join(path)}")


CASES = [pytest.param(*c, id=f"{c[1]}-{'.'.join(c[2])}-{c[3]}") for c in cases()]


def make_base(db, create, unique):
    index = {**INDEX, "IndexName": sample(member_at(SHAPES["Scan"], ("IndexName",)))}
    table = create("model-limits", {"pk": "S", "sk": "S"}, GlobalSecondaryIndexes=[index], StreamSpecification={
        "StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
    described = db.call("DescribeTable", TableName=table)["Table"]
    stream = {"StreamArn": described["LatestStreamArn"]}

    def streams(operation, **members):
        return db.post(operation, {**stream, **members}, target=TARGETS["dynamodbstreams"]).json()

    shard = streams("DescribeStream")["StreamDescription"]["Shards"][0]["ShardId"]
    names = {
        "table": table, "arn": described["TableArn"], "new": unique("model-limits-new"), "stream": stream["StreamArn"],
        "shard": shard, "iterator": streams("GetShardIterator", ShardId=shard, ShardIteratorType="LATEST")["ShardIterator"]}
    yield requests(names)
    db.post("DeleteTable", {"TableName": names["new"]})


@pytest.fixture(scope="module")
def base(db, create, unique):
    yield from make_base(db, create, unique)


# What a test takes away from its table must not be missed by another.
@pytest.fixture(scope="module")
def other_base(db, create, unique):
    yield from make_base(db, create, unique)


def named(request, base):
    """The table that samples name is the one that is there."""
    text = base["Scan"]["TableName"]
    if isinstance(request, dict):
        return {k: text if k == "TableName" and v == TABLE else named(v, base) for k, v in request.items()}
    return [named(element, base) for element in request] if isinstance(request, list) else request


def message(answer):
    return answer.message if answer.status != 200 else None


@pytest.mark.parametrize("service, operation, path, bound, value", CASES)
def test_past_a_bound_of_the_model(db, base, service, operation, path, bound, value):
    right = base[operation]
    change = without if bound == "required" else put(value)
    wrong = named(changed(right, SHAPES[operation], path, change), base)
    answer = db.post(operation, wrong, target=TARGETS[service])
    assert (answer.status, answer.code) == (400, "ValidationException"), answer.body[:500]
    # It is this that was refused, and not something else about the request.
    control = named(changed(right, SHAPES[operation], path, put(sample(member_at(SHAPES[operation], path)))), base)
    assert message(db.post(operation, control, target=TARGETS[service])) != message(answer)


@pytest.mark.parametrize("service, operation, path, member", list(unlimited_cases()))
def test_members_without_an_upper_bound_in_the_model(db, other_base, service, operation, path, member):
    base = other_base
    value, text = LIMITED.get(member.name) or (HARMLESS[member.name], "")
    shape = SHAPES[operation]
    wrong = named(changed(alone(base[operation], shape, path), shape, path, put(value)), base)
    answer = db.post(operation, wrong, target=TARGETS[service])
    if member.name in HARMLESS and answer.status == 200:
        return
    assert answer.status == 400, answer.body[:500]
    assert answer.code in ("ValidationException", OTHER_CODES.get(member.name)), answer.body[:500]
    assert re.search(text, answer.body.decode()), answer.body[:500]
