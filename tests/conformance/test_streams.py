"""DynamoDB Streams: switching them on and off, shards, iterators, records."""

import os
import re
import time

import pytest

from conftest import attribute, schema, wait_active
from wire import NOT_NULL, ServiceError, assert_invalid, assert_violations, enum, violation

TARGET = "DynamoDBStreams_20120810"
INVALID = "One or more parameter values were invalid: "
VIEW_TYPES = ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"]
SHOWN_VIEW_TYPES = enum("OLD_IMAGE", "KEYS_ONLY", "NEW_AND_OLD_IMAGES", "NEW_IMAGE")
LABEL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}")
SHARD = re.compile(r"shardId-\d{20}-[0-9a-f]{8}")
SEQUENCE = re.compile(r"\d{21,40}")
RECORDS_S = 20
EXPIRY_S = float(os.environ.get("STATOR_EXPIRY_S", "0"))
ONE = {"N": "1"}
A = {"S": "a"}


def post(db, operation, /, **members):
    return db.post(operation, members, target=TARGET)


def call(db, operation, /, **members):
    answer = post(db, operation, **members)
    if answer.status != 200:
        raise ServiceError(operation, answer)
    return answer.json()


def refused(answer, code="ValidationException"):
    """Where the text is not known."""
    assert (answer.status, answer.code) == (400, code), answer.body


def on(view_type="NEW_AND_OLD_IMAGES"):
    return {"StreamEnabled": True, "StreamViewType": view_type}


OFF = {"StreamEnabled": False}


def switch(db, table, specification):
    db.call("UpdateTable", TableName=table, StreamSpecification=specification)
    return wait_active(db, table)


def stream_of(db, table):
    return db.call("DescribeTable", TableName=table)["Table"]["LatestStreamArn"]


def described(db, arn, **members):
    return call(db, "DescribeStream", StreamArn=arn, **members)["StreamDescription"]


def shards(db, arn):
    found, more = [], {}
    while True:
        description = described(db, arn, **more)
        found += description["Shards"]
        if "LastEvaluatedShardId" not in description:
            return found
        more = {"ExclusiveStartShardId": description["LastEvaluatedShardId"]}


def iterator(db, arn, shard, kind="TRIM_HORIZON", **members):
    return call(
        db, "GetShardIterator", StreamArn=arn, ShardId=shard, ShardIteratorType=kind, **members)["ShardIterator"]


class Reader:
    """Reads a stream from a point on, all its shards."""

    def __init__(self, db, arn, kind="LATEST"):
        self._db = db
        self._arn = arn
        self._iterators = {s["ShardId"]: iterator(db, arn, s["ShardId"], kind) for s in shards(db, arn)}

    def poll(self):
        """What is there now: one page of each shard."""
        for shard in shards(self._db, self._arn):
            name = shard["ShardId"]
            if name not in self._iterators:
                self._iterators[name] = iterator(self._db, self._arn, name)
        found = []
        for name, at in self._iterators.items():
            if at is None:
                continue
            answer = call(self._db, "GetRecords", ShardIterator=at)
            found += answer["Records"]
            self._iterators[name] = answer.get("NextShardIterator")
        return found

    def take(self, count):
        """Waits for so many records; more of them is a failure."""
        found = []
        deadline = time.monotonic() + RECORDS_S
        while len(found) < count and time.monotonic() < deadline:
            more = self.poll()
            found += more
            if not more:
                time.sleep(0.05)
        assert len(found) == count, [(r["eventName"], r["dynamodb"]["Keys"]) for r in found]
        return found


@pytest.fixture(scope="module")
def tables(db, create):
    """A table with partition key `pk` for each view type."""
    return {v: create("stream", {"pk": "S"}, StreamSpecification=on(v)) for v in VIEW_TYPES}


@pytest.fixture(scope="module")
def table(tables):
    return tables["NEW_AND_OLD_IMAGES"]


@pytest.fixture
def reader(db, table):
    return Reader(db, stream_of(db, table))


@pytest.fixture(scope="module")
def plain(create):
    return create("plain", {"pk": "S"})


@pytest.fixture
def key(unique):
    return {"pk": {"S": unique("key")}}


# Switching.

def assert_on(table, view_type):
    assert table["StreamSpecification"] == on(view_type)
    assert LABEL.fullmatch(table["LatestStreamLabel"])
    assert table["LatestStreamArn"] == f"{table['TableArn']}/stream/{table['LatestStreamLabel']}"


@pytest.mark.parametrize("view_type", VIEW_TYPES)
def test_a_table_created_with_a_stream(db, tables, view_type):
    assert_on(db.call("DescribeTable", TableName=tables[view_type])["Table"], view_type)


def creation(name, specification):
    return {
        "TableName": name, "AttributeDefinitions": [attribute("pk")], "KeySchema": schema("pk"),
        "BillingMode": "PAY_PER_REQUEST", "StreamSpecification": specification}


def test_creation_names_the_stream_at_once(db, unique):
    name = unique("stream")
    assert_on(db.call("CreateTable", **creation(name, on("KEYS_ONLY")))["TableDescription"], "KEYS_ONLY")
    wait_active(db, name)
    db.call("DeleteTable", TableName=name)


def test_a_table_created_without_a_stream(db, create):
    name = create("plain", {"pk": "S"}, StreamSpecification=OFF)
    table = db.call("DescribeTable", TableName=name)["Table"]
    assert not {"StreamSpecification", "LatestStreamArn", "LatestStreamLabel"} & set(table)


BAD_CREATION = {
    "no view type": (
        {"StreamEnabled": True}, INVALID + "Table is being created with a stream enabled, UpdateViewType is required"),
    "view type without stream": (
        {"StreamEnabled": False, "StreamViewType": "KEYS_ONLY"},
        re.compile(re.escape(INVALID + "Table is being created with a stream disabled, UpdateViewType ") + ".*")),
}


@pytest.mark.parametrize("specification, text", BAD_CREATION.values(), ids=BAD_CREATION.keys())
def test_refused_creation(db, unique, specification, text):
    assert_invalid(db.post("CreateTable", creation(unique("stream"), specification)), text)


CONSTRAINTS = {
    "no answer": ({}, [(None, "streamSpecification.streamEnabled", NOT_NULL)]),
    "view type": ({"StreamEnabled": True, "StreamViewType": "ALL"},
                  [("ALL", "streamSpecification.streamViewType", SHOWN_VIEW_TYPES)]),
}


@pytest.mark.parametrize("specification, found", CONSTRAINTS.values(), ids=CONSTRAINTS.keys())
def test_constraints_on_the_specification(db, specification, found):
    found = [violation(*f) for f in found]
    assert_violations(db.post("CreateTable", creation("abc", specification)), *found)
    assert_violations(
        db.post("UpdateTable", {"TableName": "no-such-table", "StreamSpecification": specification}), *found)


def test_refused_switching(db, table, plain):
    for view_type in ("NEW_AND_OLD_IMAGES", "KEYS_ONLY"):
        assert_invalid(
            db.post("UpdateTable", {"TableName": table, "StreamSpecification": on(view_type)}),
            f"Table already has an enabled stream: TableName: {table}")
    assert_invalid(
        db.post("UpdateTable", {"TableName": plain, "StreamSpecification": OFF}),
        f"Table has no stream to disable: TableName: {plain}")


def test_on_off_and_on_again(db, create):
    name = create("stream", {"pk": "S"})
    answer = db.call("UpdateTable", TableName=name, StreamSpecification=on("KEYS_ONLY"))["TableDescription"]
    assert answer["TableStatus"] == "UPDATING"
    assert_on(answer, "KEYS_ONLY")
    first = wait_active(db, name)
    assert_on(first, "KEYS_ONLY")
    assert first["LatestStreamArn"] == answer["LatestStreamArn"]
    off = switch(db, name, OFF)
    assert "StreamSpecification" not in off
    assert off["LatestStreamArn"] == first["LatestStreamArn"]
    assert off["LatestStreamLabel"] == first["LatestStreamLabel"]
    second = switch(db, name, on("NEW_IMAGE"))
    assert_on(second, "NEW_IMAGE")
    assert second["LatestStreamArn"] != first["LatestStreamArn"]
    arns = {s["StreamArn"] for s in call(db, "ListStreams", TableName=name)["Streams"]}
    assert arns == {first["LatestStreamArn"], second["LatestStreamArn"]}
    assert described(db, first["LatestStreamArn"])["StreamStatus"] == "DISABLED"
    assert described(db, second["LatestStreamArn"])["StreamStatus"] == "ENABLED"


def test_a_stream_outlives_its_end(db, create, key):
    """Its records can be read to their end after it was switched off, and after the table was dropped."""
    name = create("stream", {"pk": "S"}, StreamSpecification=on())
    arn = stream_of(db, name)
    db.call("PutItem", TableName=name, Item=key)
    switch(db, name, OFF)
    db.call("PutItem", TableName=name, Item={"pk": {"S": "unseen"}})

    def assert_readable():
        records = []
        for shard in shards(db, arn):
            assert SEQUENCE.fullmatch(shard["SequenceNumberRange"]["EndingSequenceNumber"])
            at = iterator(db, arn, shard["ShardId"])
            for _ in range(20):
                answer = call(db, "GetRecords", ShardIterator=at)
                records += answer["Records"]
                at = answer.get("NextShardIterator")
                if at is None:
                    break
            assert at is None
        assert [r["dynamodb"]["Keys"] for r in records] == [key]

    assert_readable()
    db.call("DeleteTable", TableName=name)
    deadline = time.monotonic() + RECORDS_S
    while db.post("DescribeTable", {"TableName": name}).status == 200 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert_readable()
    assert described(db, arn)["StreamStatus"] == "DISABLED"


# ListStreams.

def test_list(db, table, plain):
    arn = stream_of(db, table)
    assert call(db, "ListStreams", TableName=table) == {
        "Streams": [{"StreamArn": arn, "TableName": table, "StreamLabel": arn.rpartition("/")[2]}]}
    assert call(db, "ListStreams", TableName=plain) == {"Streams": []}


def test_list_in_pages(db, tables):
    wanted = {stream_of(db, t) for t in tables.values()}
    found, more = [], {}
    for _ in range(1000):
        answer = call(db, "ListStreams", Limit=1, **more)
        assert len(answer["Streams"]) <= 1
        found += [s["StreamArn"] for s in answer["Streams"]]
        if "LastEvaluatedStreamArn" not in answer:
            break
        more = {"ExclusiveStartStreamArn": answer["LastEvaluatedStreamArn"]}
    assert len(found) == len(set(found))
    assert wanted <= set(found)


LIST_REFUSED = {
    "limit of none": {"Limit": 0},
    "limit too high": {"Limit": 101},
    "table's name": {"TableName": "a;"},
    "start": {"ExclusiveStartStreamArn": "x"},
    "start that is no stream": {"ExclusiveStartStreamArn": "x" * 40},
}


@pytest.mark.parametrize("members", LIST_REFUSED.values(), ids=LIST_REFUSED.keys())
def test_list_refused(db, members):
    refused(post(db, "ListStreams", **members))


# DescribeStream.

def test_describe(db, table):
    arn = stream_of(db, table)
    description = described(db, arn)
    created = description.pop("CreationRequestDateTime")
    found = description.pop("Shards")
    assert description == {
        "StreamArn": arn, "StreamLabel": arn.rpartition("/")[2], "StreamStatus": "ENABLED",
        "StreamViewType": "NEW_AND_OLD_IMAGES", "TableName": table, "KeySchema": schema("pk")}
    assert abs(created - time.time()) < 3600
    assert found
    ids = [s["ShardId"] for s in found]
    assert ids == sorted(ids)
    for shard in found:
        assert SHARD.fullmatch(shard["ShardId"])
        assert SEQUENCE.fullmatch(shard["SequenceNumberRange"]["StartingSequenceNumber"])
        assert set(shard) <= {"ShardId", "SequenceNumberRange", "ParentShardId"}
    assert any("EndingSequenceNumber" not in s["SequenceNumberRange"] for s in found)


def test_describe_in_pages(db, table):
    arn = stream_of(db, table)
    first = described(db, arn, Limit=1)
    assert len(first["Shards"]) == 1
    after = described(db, arn, ExclusiveStartShardId=first["Shards"][0]["ShardId"])
    assert [s["ShardId"] for s in after["Shards"]] == [s["ShardId"] for s in shards(db, arn)[1:]]


def test_children_of_a_shard(db, table):
    arn = stream_of(db, table)
    for shard in shards(db, arn):
        name = shard["ShardId"]
        children = described(db, arn, ShardFilter={"Type": "CHILD_SHARDS", "ShardId": name})["Shards"]
        assert [s["ShardId"] for s in children] == [
            s["ShardId"] for s in shards(db, arn) if s.get("ParentShardId") == name]


def missing(arn):
    return arn.rpartition("/")[0] + "/2015-01-01T00:00:00.000"


def test_no_such_stream(db, table):
    arn = missing(stream_of(db, table))
    text = f"Requested resource not found: Stream: {arn} not found"
    answers = [
        post(db, "DescribeStream", StreamArn=arn),
        post(db, "GetShardIterator", StreamArn=arn, ShardId="shardId-" + "0" * 20 + "-00000000",
             ShardIteratorType="LATEST"),
    ]
    for answer in answers:
        refused(answer, "ResourceNotFoundException")
        assert answer.message == text


DESCRIBE_REFUSED = {
    "no stream": {"StreamArn": None},
    "not an ARN": {"StreamArn": "x" * 40},
    "short": {"StreamArn": "x"},
    "limit of none": {"Limit": 0},
    "limit too high": {"Limit": 101},
    "start": {"ExclusiveStartShardId": "x"},
    "kind of filter": {"ShardFilter": {"Type": "ALL", "ShardId": "shardId-" + "0" * 20 + "-00000000"}},
}


@pytest.mark.parametrize("members", DESCRIBE_REFUSED.values(), ids=DESCRIBE_REFUSED.keys())
def test_describe_refused(db, table, members):
    members = {"StreamArn": stream_of(db, table), **members}
    refused(post(db, "DescribeStream", **{k: v for k, v in members.items() if v is not None}))


def test_a_stream_is_required(db):
    assert_invalid(
        post(db, "DescribeStream"), "1 validation error detected: " + violation(None, "streamArn", NOT_NULL))


# GetShardIterator.

def test_no_such_shard(db, table):
    answer = post(
        db, "GetShardIterator", StreamArn=stream_of(db, table), ShardId="shardId-" + "0" * 20 + "-00000000",
        ShardIteratorType="LATEST")
    refused(answer, "ResourceNotFoundException")


ITERATOR_REFUSED = {
    "no kind": {"ShardIteratorType": None},
    "unknown kind": {"ShardIteratorType": "FIRST"},
    "no shard": {"ShardId": None},
    "shard's name": {"ShardId": "x"},
    "no stream": {"StreamArn": None},
    "stream's name": {"StreamArn": "x"},
    "at nothing": {"ShardIteratorType": "AT_SEQUENCE_NUMBER"},
    "after nothing": {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER"},
    "at no number": {"ShardIteratorType": "AT_SEQUENCE_NUMBER", "SequenceNumber": "x" * 30},
    "at a short number": {"ShardIteratorType": "AT_SEQUENCE_NUMBER", "SequenceNumber": "1"},
    "number not asked for": {"ShardIteratorType": "LATEST", "SequenceNumber": "1" * 25},
}


@pytest.mark.parametrize("members", ITERATOR_REFUSED.values(), ids=ITERATOR_REFUSED.keys())
def test_iterator_refused(db, table, members):
    arn = stream_of(db, table)
    members = {
        "StreamArn": arn, "ShardId": shards(db, arn)[0]["ShardId"], "ShardIteratorType": "LATEST", **members}
    refused(post(db, "GetShardIterator", **{k: v for k, v in members.items() if v is not None}))


def test_where_iterators_begin(db, create):
    name = create("stream", {"pk": "S"}, StreamSpecification=on("KEYS_ONLY"))
    arn = stream_of(db, name)
    for n in range(4):
        db.call("UpdateItem", TableName=name, Key={"pk": A}, UpdateExpression="SET n = :n",
                ExpressionAttributeValues={":n": {"N": str(n)}})
    Reader(db, arn, "TRIM_HORIZON").take(4)
    (shard, numbers), = [
        (s["ShardId"], numbers) for s in shards(db, arn)
        if (numbers := [r["dynamodb"]["SequenceNumber"] for r in call(
            db, "GetRecords", ShardIterator=iterator(db, arn, s["ShardId"]))["Records"]])]

    def found(kind, **members):
        answer = call(db, "GetRecords", ShardIterator=iterator(db, arn, shard, kind, **members))
        return [r["dynamodb"]["SequenceNumber"] for r in answer["Records"]]

    assert numbers == sorted(numbers, key=int) and len(set(numbers)) == 4
    assert found("TRIM_HORIZON") == numbers
    assert found("LATEST") == []
    assert found("AT_SEQUENCE_NUMBER", SequenceNumber=numbers[1]) == numbers[1:]
    assert found("AFTER_SEQUENCE_NUMBER", SequenceNumber=numbers[1]) == numbers[2:]
    assert found("AFTER_SEQUENCE_NUMBER", SequenceNumber=numbers[3]) == []

    start = iterator(db, arn, shard)
    pages, at = [], start
    for _ in range(4):
        answer = call(db, "GetRecords", ShardIterator=at, Limit=1)
        pages.append([r["dynamodb"]["SequenceNumber"] for r in answer["Records"]])
        at = answer["NextShardIterator"]
    assert pages == [[n] for n in numbers]
    again = call(db, "GetRecords", ShardIterator=start, Limit=2)["Records"]
    assert [r["dynamodb"]["SequenceNumber"] for r in again] == numbers[:2]


# GetRecords.

RECORDS_REFUSED = {
    "no iterator": {},
    "empty": {"ShardIterator": ""},
    "garbage": {"ShardIterator": "x" * 100},
    "long": {"ShardIterator": "x" * 2049},
}


@pytest.mark.parametrize("members", RECORDS_REFUSED.values(), ids=RECORDS_REFUSED.keys())
def test_records_refused(db, members):
    refused(post(db, "GetRecords", **members))


@pytest.mark.parametrize("limit", [0, 1001])
def test_limit_of_records(db, table, limit):
    arn = stream_of(db, table)
    at = iterator(db, arn, shards(db, arn)[0]["ShardId"])
    refused(post(db, "GetRecords", ShardIterator=at, Limit=limit))
    assert post(db, "GetRecords", ShardIterator=at, Limit=1000).status == 200


def test_nothing_new(db, table):
    arn = stream_of(db, table)
    shard = [s for s in shards(db, arn) if "EndingSequenceNumber" not in s["SequenceNumberRange"]][0]["ShardId"]
    answer = call(db, "GetRecords", ShardIterator=iterator(db, arn, shard, "LATEST"))
    assert answer["Records"] == []
    assert answer["NextShardIterator"]
    assert set(answer) == {"Records", "NextShardIterator"}


def essence(record):
    """Of a record, what the writes determine."""
    return {
        "name": record["eventName"],
        **{k: v for k, v in record["dynamodb"].items() if k in ("Keys", "NewImage", "OldImage")}}


def test_the_form_of_a_record(db, table, reader, key):
    item = {**key, "x": {"M": {"l": {"L": [ONE, {"NULL": True}, {"B": "AA=="}]}}}}
    db.call("PutItem", TableName=table, Item=item)
    record, = reader.take(1)
    assert set(record) == {"eventID", "eventName", "eventVersion", "eventSource", "awsRegion", "dynamodb"}
    assert re.fullmatch("[0-9a-f]{32}", record["eventID"])
    assert record["eventName"] == "INSERT"
    assert record["eventVersion"] == "1.1"
    assert record["eventSource"] == "aws:dynamodb"
    assert record["awsRegion"] == db.region
    data = record["dynamodb"]
    assert set(data) == {
        "ApproximateCreationDateTime", "Keys", "NewImage", "SequenceNumber", "SizeBytes", "StreamViewType"}
    assert abs(data["ApproximateCreationDateTime"] - time.time()) < 600
    assert data["Keys"] == key
    assert data["NewImage"] == item
    assert SEQUENCE.fullmatch(data["SequenceNumber"])
    assert data["StreamViewType"] == "NEW_AND_OLD_IMAGES"


@pytest.mark.parametrize("view_type", VIEW_TYPES)
def test_insert_modify_remove(db, tables, key, view_type):
    name = tables[view_type]
    reader = Reader(db, stream_of(db, name))
    old, new = {**key, "x": A}, {**key, "y": ONE}
    db.call("PutItem", TableName=name, Item=old)
    db.call("PutItem", TableName=name, Item=new)
    db.call("DeleteItem", TableName=name, Key=key)

    def expected(event, before=None, after=None):
        images = {}
        if after and view_type in ("NEW_IMAGE", "NEW_AND_OLD_IMAGES"):
            images["NewImage"] = after
        if before and view_type in ("OLD_IMAGE", "NEW_AND_OLD_IMAGES"):
            images["OldImage"] = before
        return {"name": event, "Keys": key, **images}

    records = reader.take(3)
    assert [essence(r) for r in records] == [
        expected("INSERT", after=old), expected("MODIFY", old, new), expected("REMOVE", before=new)]
    assert {r["dynamodb"]["StreamViewType"] for r in records} == {view_type}
    assert len({r["eventID"] for r in records}) == 3


def test_size(db, create):
    names = {v: create("size", {"id": "S"}, StreamSpecification=on(v)) for v in VIEW_TYPES}
    fred = {"id": {"S": "Fred"}}
    sizes = {}
    for view_type, name in names.items():
        reader = Reader(db, stream_of(db, name), "TRIM_HORIZON")
        db.call("PutItem", TableName=name, Item=fred)
        db.call("PutItem", TableName=name, Item={**fred, "name": {"S": "Fred"}})
        db.call("DeleteItem", TableName=name, Key=fred)
        sizes[view_type] = [r["dynamodb"]["SizeBytes"] for r in reader.take(3)]
    assert sizes == {
        "KEYS_ONLY": [6, 6, 6], "NEW_IMAGE": [12, 20, 6], "OLD_IMAGE": [6, 12, 20],
        "NEW_AND_OLD_IMAGES": [12, 26, 20]}


def test_keys_with_a_sort_key(db, create):
    name = create("stream", {"pk": "S", "sk": "N"}, StreamSpecification=on())
    reader = Reader(db, stream_of(db, name), "TRIM_HORIZON")
    key = {"pk": A, "sk": {"N": "1.5"}}
    db.call("PutItem", TableName=name, Item={**key, "x": A})
    assert [essence(r) for r in reader.take(1)] == [{"name": "INSERT", "Keys": key, "NewImage": {**key, "x": A}}]


def update(db, table, key, expression, values=None, **members):
    if values:
        members["ExpressionAttributeValues"] = values
    return db.post("UpdateItem", {"TableName": table, "Key": key, "UpdateExpression": expression, **members})


def test_updates(db, table, reader, key):
    assert update(db, table, key, "SET x = :x", {":x": ONE}).status == 200
    assert update(db, table, key, "ADD x :x", {":x": ONE}).status == 200
    assert update(db, table, key, "REMOVE x").status == 200
    first, second = {**key, "x": ONE}, {**key, "x": {"N": "2"}}
    assert [essence(r) for r in reader.take(3)] == [
        {"name": "INSERT", "Keys": key, "NewImage": first},
        {"name": "MODIFY", "Keys": key, "OldImage": first, "NewImage": second},
        {"name": "MODIFY", "Keys": key, "OldImage": second, "NewImage": key}]


def test_an_update_that_creates_a_bare_item(db, table, reader, key):
    db.call("UpdateItem", TableName=table, Key=key)
    assert [essence(r) for r in reader.take(1)] == [{"name": "INSERT", "Keys": key, "NewImage": key}]


def test_what_changes_nothing_leaves_no_record(db, table, reader, key, unique):
    item = {**key, "x": ONE, "s": {"SS": ["a", "b"]}, "m": {"M": {"a": A}}}
    other = {"pk": {"S": unique("other")}}
    db.call("PutItem", TableName=table, Item=item)
    # The same item, written in another way.
    db.call("PutItem", TableName=table, Item={**item, "x": {"N": "1.0"}, "s": {"SS": ["b", "a"]}})
    assert update(db, table, key, "SET x = :x", {":x": ONE}).status == 200
    assert update(db, table, key, "REMOVE y").status == 200
    assert update(db, table, key, "ADD s :s", {":s": {"SS": ["a"]}}).status == 200
    assert update(db, table, key, "DELETE s :s", {":s": {"SS": ["z"]}}).status == 200
    db.call("UpdateItem", TableName=table, Key=key)
    db.call("DeleteItem", TableName=table, Key=other)
    assert update(db, table, other, "REMOVE x").status == 200
    # Refused.
    refusal = update(db, table, key, "SET x = :x", {":x": A}, ConditionExpression="attribute_not_exists(pk)")
    assert refusal.code == "ConditionalCheckFailedException"
    assert update(db, table, key, "SET m = m + :x", {":x": ONE}).status == 400
    db.call("DeleteItem", TableName=table, Key=key)
    assert [r["eventName"] for r in reader.take(2)] == ["INSERT", "REMOVE"]


def by_key(records):
    return {r["dynamodb"]["Keys"]["pk"]["S"]: essence(r) for r in records}


def test_batches(db, table, reader, unique):
    kept, gone, never = ({"pk": {"S": unique("key")}} for _ in range(3))
    db.call("PutItem", TableName=table, Item=gone)
    reader.take(1)
    db.call("BatchWriteItem", RequestItems={table: [
        {"PutRequest": {"Item": {**kept, "x": A}}}, {"DeleteRequest": {"Key": gone}},
        {"DeleteRequest": {"Key": never}}]})
    assert by_key(reader.take(2)) == {
        kept["pk"]["S"]: {"name": "INSERT", "Keys": kept, "NewImage": {**kept, "x": A}},
        gone["pk"]["S"]: {"name": "REMOVE", "Keys": gone, "OldImage": gone}}


def test_transactions(db, table, reader, unique):
    put, changed, gone, checked, never = ({"pk": {"S": unique("key")}} for _ in range(5))
    for key in (changed, gone, checked):
        db.call("PutItem", TableName=table, Item=key)
    reader.take(3)
    actions = [
        {"Put": {"TableName": table, "Item": put}},
        {"Update": {"TableName": table, "Key": changed, "UpdateExpression": "SET x = :x",
                    "ExpressionAttributeValues": {":x": A}}},
        {"Delete": {"TableName": table, "Key": gone}},
        {"ConditionCheck": {"TableName": table, "Key": checked, "ConditionExpression": "attribute_exists(pk)"}},
    ]
    cancelled = db.post("TransactWriteItems", {"TransactItems": [
        {"Put": {"TableName": table, "Item": never}}, {**actions[3], "ConditionCheck": {
            **actions[3]["ConditionCheck"], "ConditionExpression": "attribute_exists(x)"}}]})
    assert cancelled.code == "TransactionCanceledException"
    db.call("TransactWriteItems", TransactItems=actions)
    assert by_key(reader.take(3)) == {
        put["pk"]["S"]: {"name": "INSERT", "Keys": put, "NewImage": put},
        changed["pk"]["S"]: {
            "name": "MODIFY", "Keys": changed, "OldImage": changed, "NewImage": {**changed, "x": A}},
        gone["pk"]["S"]: {"name": "REMOVE", "Keys": gone, "OldImage": gone}}


def test_repeated_transaction(db, table, reader, key, unique):
    actions = [{"Update": {"TableName": table, "Key": key, "UpdateExpression": "ADD n :x",
                           "ExpressionAttributeValues": {":x": ONE}}}]
    token = unique("token")
    for _ in range(2):
        db.call("TransactWriteItems", TransactItems=actions, ClientRequestToken=token)
    db.call("DeleteItem", TableName=table, Key=key)
    assert [r["eventName"] for r in reader.take(2)] == ["INSERT", "REMOVE"]


def test_writes_to_other_tables_are_elsewhere(db, table, plain, reader, key):
    db.call("PutItem", TableName=plain, Item=key)
    db.call("PutItem", TableName=table, Item={**key, "x": A})
    assert [essence(r)["NewImage"] for r in reader.take(1)] == [{**key, "x": A}]


def test_records_from_before_the_stream_do_not_exist(db, create):
    name = create("stream", {"pk": "S"})
    db.call("PutItem", TableName=name, Item={"pk": A})
    arn = switch(db, name, on())["LatestStreamArn"]
    db.call("PutItem", TableName=name, Item={"pk": A, "x": A})
    assert [r["eventName"] for r in Reader(db, arn, "TRIM_HORIZON").take(1)] == ["MODIFY"]


def test_one_item_in_order(db, table, reader, key):
    for n in range(30):
        assert update(db, table, key, "SET n = :n", {":n": {"N": str(n)}}).status == 200
    records = reader.take(30)
    assert [r["dynamodb"]["NewImage"]["n"]["N"] for r in records] == [str(n) for n in range(30)]
    numbers = [int(r["dynamodb"]["SequenceNumber"]) for r in records]
    assert numbers == sorted(set(numbers))


def test_a_page_is_at_most_a_megabyte(db, create):
    name = create("stream", {"pk": "S"}, StreamSpecification=on("NEW_IMAGE"))
    arn = stream_of(db, name)
    for n in range(5):
        assert update(db, name, {"pk": A}, "SET x = :x", {":x": {"S": str(n) * 390000}}).status == 200
    Reader(db, arn, "TRIM_HORIZON").take(5)
    for shard in shards(db, arn):
        page = call(db, "GetRecords", ShardIterator=iterator(db, arn, shard["ShardId"]))["Records"]
        assert len(page) <= 3


@pytest.mark.skipif(not EXPIRY_S, reason="STATOR_EXPIRY_S is not set")
def test_expiry_names_its_author(db, create):
    name = create("stream", {"pk": "S"}, StreamSpecification=on())
    db.call("UpdateTimeToLive", TableName=name, TimeToLiveSpecification={"AttributeName": "ttl", "Enabled": True})
    reader = Reader(db, stream_of(db, name), "TRIM_HORIZON")
    item = {"pk": A, "ttl": {"N": str(int(time.time()) - 10)}}
    db.call("PutItem", TableName=name, Item=item)
    found = []
    deadline = time.monotonic() + EXPIRY_S
    while len(found) < 2 and time.monotonic() < deadline:
        found += reader.poll()
        time.sleep(0.1)
    inserted, removed = found
    assert "userIdentity" not in inserted
    assert essence(removed) == {"name": "REMOVE", "Keys": {"pk": A}, "OldImage": item}
    assert {k.lower(): v for k, v in removed["userIdentity"].items()} == {
        "principalid": "dynamodb.amazonaws.com", "type": "Service"}


def test_unknown_operation(db):
    answer = post(db, "PutRecords")
    assert (answer.status, answer.code) == (400, "UnknownOperationException")


def test_the_reach_of_each_target(db):
    """Operations of one service are unknown to the other."""
    assert db.post("ListStreams", {}).code == "UnknownOperationException"
    assert post(db, "ListTables").code == "UnknownOperationException"
