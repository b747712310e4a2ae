"""TagResource, UntagResource, ListTagsOfResource, and the tags of CreateTable."""

import time

import pytest

from conftest import attribute, schema
from wire import NOT_NULL, assert_error, assert_invalid, violation, violations, wait_active

INVALID = "One or more parameter values were invalid: "
TOO_MANY = "Number of Tags exceed the current limit for the provided ResourceArn"
SETTLE_S = 20


def tag(key, value="v"):
    return {"Key": key, "Value": value}


@pytest.fixture
def arn(db, create):
    return db.call("DescribeTable", TableName=create("tags", {"pk": "S"}))["Table"]["TableArn"]


@pytest.fixture(scope="module")
def shared(db, create):
    """The ARN of a table on which only refused requests are tried."""
    return db.call("DescribeTable", TableName=create("tags", {"pk": "S"}))["Table"]["TableArn"]


def change(db, operation, **members):
    """A change that must succeed; the service takes one at a time and refuses others meanwhile."""
    deadline = time.monotonic() + SETTLE_S
    while True:
        answer = db.post(operation, members)
        if answer.status == 200 or "tags are being updated" not in answer.message or time.monotonic() > deadline:
            break
        time.sleep(0.2)
    assert answer.status == 200, answer.body
    assert answer.body == b""


def listed(db, arn):
    answer = db.call("ListTagsOfResource", ResourceArn=arn)
    assert "NextToken" not in answer
    return sorted((t["Key"], t["Value"]) for t in answer["Tags"])


def assert_listed(db, arn, **tags):
    """The service may show the tags from before a change for a moment."""
    wanted = sorted(tags.items())
    deadline = time.monotonic() + SETTLE_S
    while listed(db, arn) != wanted and time.monotonic() < deadline:
        time.sleep(0.2)
    assert listed(db, arn) == wanted


# The resource.

CALLS = {
    "TagResource": {"Tags": [tag("a")]},
    "UntagResource": {"TagKeys": ["a"]},
    "ListTagsOfResource": {},
}
each_operation = pytest.mark.parametrize("operation", CALLS)


def call(db, operation, arn):
    return db.post(operation, {"ResourceArn": arn, **CALLS[operation]})


@each_operation
@pytest.mark.parametrize("arn", ["x", "my-table", "ARN:aws:dynamodb:us-east-1:000000000000:table/t"])
def test_not_an_arn(db, operation, arn):
    assert_invalid(call(db, operation, arn), INVALID + f"ARNs must start with 'arn:': {arn}")


@each_operation
def test_arn_of_another_service(db, operation):
    arn = f"arn:aws:s3:{db.region}:000000000000:table/abc"
    assert_invalid(call(db, operation, arn), INVALID + f"Provided Arn is not a DynamoDB resource arn: {arn}")


@each_operation
def test_arn_of_an_index(db, operation, shared):
    arn = shared + "/index/abc"
    assert_invalid(
        call(db, operation, arn),
        INVALID + f"Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {arn}")


@each_operation
def test_no_such_table(db, operation, shared):
    arn = shared.rpartition("/")[0] + "/no-such-table"
    assert_error(
        call(db, operation, arn), "ResourceNotFoundException",
        f"Requested resource not found: ResourceArn: {arn} not found")


@each_operation
def test_no_arn(db, operation):
    answer = db.post(operation, CALLS[operation])
    assert (answer.status, answer.code) == (400, "ValidationException")


SERIALIZATION = {
    "arn": ("ListTagsOfResource", {"ResourceArn": 1}),
    "tags": ("TagResource", {"Tags": "x"}),
    "a tag": ("TagResource", {"Tags": ["x"]}),
    "a tag's value": ("TagResource", {"Tags": [{"Key": "a", "Value": 1}]}),
    "keys": ("UntagResource", {"TagKeys": "x"}),
}


@pytest.mark.parametrize("operation, members", SERIALIZATION.values(), ids=SERIALIZATION.keys())
def test_types_come_first(db, operation, members):
    answer = db.post(operation, {"ResourceArn": "x", **members})
    assert (answer.status, answer.code) == (400, "SerializationException")


# What is refused.

def bad_key(key):
    return f"The Tag Key provided is invalid, Key: {key}"


def bad_value(value):
    return f"The Tag Value provided is invalid, Value: {value}"


RESERVED = "Tag Key cannot be prefixed with aws:, Key: "
BAD_TAGS = {
    "none": ([], "Atleast one Tag needs to be provided as Input."),
    "no key": ([{"Value": "v"}], bad_key("null")),
    "empty key": ([tag("")], bad_key("")),
    "long key": ([tag("k" * 129)], bad_key("k" * 129)),
    "key of signs": ([tag("a#b")], bad_key("a#b")),
    "key of a picture": ([tag("\U0001F600")], bad_key("\U0001F600")),
    "no value": ([{"Key": "k"}], bad_value("null")),
    "long value": ([tag("k", "v" * 257)], bad_value("v" * 257)),
    "value of signs": ([tag("k", "a,b")], bad_value("a,b")),
    "reserved": ([tag("aws:x")], RESERVED + "aws:x"),
    "reserved in capitals": ([tag("AWS:x")], RESERVED + "AWS:x"),
    "twice": ([tag("k", "1"), tag("k", "2")],
              "Duplicate Tag Keys provided as input: Duplicate Tag Key found k"),
    "too many": ([tag(f"k{i}") for i in range(51)], TOO_MANY),
    "the second": ([tag("good"), tag("a%b")], bad_key("a%b")),
}


def test_every_token_leads_to_the_one_page(db, shared):
    answer = db.call("ListTagsOfResource", ResourceArn=shared, NextToken="anything")
    assert sorted((t["Key"], t["Value"]) for t in answer["Tags"]) == listed(db, shared)


@pytest.mark.parametrize("tags, text", BAD_TAGS.values(), ids=BAD_TAGS.keys())
def test_refused_tags(db, shared, tags, text):
    before = listed(db, shared)
    assert_invalid(db.post("TagResource", {"ResourceArn": shared, "Tags": tags}), text)
    assert listed(db, shared) == before


def test_tags_are_required(db, shared):
    assert_invalid(db.post("TagResource", {"ResourceArn": shared}), violations(violation(None, "tags", NOT_NULL)))


BAD_KEYS = {
    "none": ([], "Atleast one Tag Key needs to be provided as Input."),
    "empty": ([""], bad_key("")),
    "long": (["k" * 129], bad_key("k" * 129)),
    "signs": (["a#b"], bad_key("a#b")),
    "reserved": (["aws:x"], RESERVED + "aws:x"),
    "too many": ([f"k{i}" for i in range(51)], TOO_MANY),
}


@pytest.mark.parametrize("keys, text", BAD_KEYS.values(), ids=BAD_KEYS.keys())
def test_refused_keys(db, shared, keys, text):
    assert_invalid(db.post("UntagResource", {"ResourceArn": shared, "TagKeys": keys}), text)


def test_keys_are_required(db, shared):
    assert_invalid(
        db.post("UntagResource", {"ResourceArn": shared}), violations(violation(None, "tagKeys", NOT_NULL)))


# What happens.

def test_no_tags(db, arn):
    assert db.call("ListTagsOfResource", ResourceArn=arn) == {"Tags": []}


def test_tags_come_change_and_go(db, arn):
    change(db, "TagResource", ResourceArn=arn, Tags=[tag("a", "1"), tag("A", "2"), tag("empty", "")])
    assert_listed(db, arn, a="1", A="2", empty="")
    change(db, "TagResource", ResourceArn=arn, Tags=[tag("a", "3"), tag("b", "4")])
    assert_listed(db, arn, a="3", A="2", empty="", b="4")
    change(db, "UntagResource", ResourceArn=arn, TagKeys=["a", "never-there", "empty"])
    assert_listed(db, arn, A="2", b="4")
    change(db, "UntagResource", ResourceArn=arn, TagKeys=["A", "b"])
    assert_listed(db, arn)


def test_what_tags_may_be_made_of(db, arn):
    tags = {"a b+c-d=e.f_g:h/i@j": "k l+m-n=o.p_q:r/s@t", "k" * 128: "v" * 256, "schlüssel": "größe", "鍵" * 128: "値"}
    change(db, "TagResource", ResourceArn=arn, Tags=[tag(k, v) for k, v in tags.items()])
    assert_listed(db, arn, **tags)


def test_fifty(db, arn):
    tags = {f"k{i}": "v" for i in range(50)}
    change(db, "TagResource", ResourceArn=arn, Tags=[tag(k) for k in tags])
    assert_listed(db, arn, **tags)
    assert_invalid(db.post("TagResource", {"ResourceArn": arn, "Tags": [tag("k50")]}), TOO_MANY)
    change(db, "TagResource", ResourceArn=arn, Tags=[tag("k0", "new")])
    assert_listed(db, arn, **{**tags, "k0": "new"})


def test_an_empty_body_has_its_checksum(db, arn):
    answer = db.post("TagResource", {"ResourceArn": arn, "Tags": [tag("a")]})
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["x-amz-crc32"] == "0"
    assert answer.headers["content-length"] == "0"


# Tags given to CreateTable.

def creation(name, tags):
    return {
        "TableName": name, "AttributeDefinitions": [attribute("pk")], "KeySchema": schema("pk"),
        "BillingMode": "PAY_PER_REQUEST", "Tags": tags}


def test_a_table_created_with_tags(db, create):
    name = create("tags", {"pk": "S"}, Tags=[tag("a", "1"), tag("b", "2")])
    table = db.call("DescribeTable", TableName=name)["Table"]
    assert "Tags" not in table
    assert_listed(db, table["TableArn"], a="1", b="2")


def test_a_table_created_with_no_tags(db, create):
    name = create("tags", {"pk": "S"}, Tags=[])
    assert listed(db, db.call("DescribeTable", TableName=name)["Table"]["TableArn"]) == []


@pytest.mark.parametrize("case", ["empty key", "long key", "no value", "reserved", "twice", "too many"])
def test_a_table_with_bad_tags_is_not_created(db, unique, case):
    tags, text = BAD_TAGS[case]
    name = unique("tags")
    assert_invalid(db.post("CreateTable", creation(name, tags)), text)
    assert db.post("DescribeTable", {"TableName": name}).code == "ResourceNotFoundException"


def test_tags_go_with_their_table(db, unique):
    name = unique("tags")
    arn = db.call("CreateTable", **creation(name, [tag("a")]))["TableDescription"]["TableArn"]
    wait_active(db, name)
    db.call("DeleteTable", TableName=name)
    deadline = time.monotonic() + SETTLE_S
    while db.post("DescribeTable", {"TableName": name}).status == 200 and time.monotonic() < deadline:
        time.sleep(0.02)
    db.call("CreateTable", **creation(name, []))
    wait_active(db, name)
    assert listed(db, arn) == []
    db.call("DeleteTable", TableName=name)
