"""DynamoDB Streams: lists, descriptions, shards and iterators."""

import re
import time

import pytest

from conftest import schema
from stream_calls import A, SEQUENCE, Reader, call, described, iterator, on, post, refused, shards, stream_of
from wire import NOT_NULL, assert_invalid, violation

SHARD = re.compile(r"shardId-\d{20}-[0-9a-f]{8}")


def test_list(db, streamed, plain):
    arn = stream_of(db, streamed)
    assert call(db, "ListStreams", TableName=streamed) == {
        "Streams": [{"StreamArn": arn, "TableName": streamed, "StreamLabel": arn.rpartition("/")[2]}]}
    assert call(db, "ListStreams", TableName=plain) == {"Streams": []}


def test_list_in_pages(db, streams):
    wanted = {stream_of(db, t) for t in streams.values()}
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


def test_describe(db, streamed):
    arn = stream_of(db, streamed)
    description = described(db, arn)
    created = description.pop("CreationRequestDateTime")
    found = description.pop("Shards")
    assert description == {
        "StreamArn": arn, "StreamLabel": arn.rpartition("/")[2], "StreamStatus": "ENABLED",
        "StreamViewType": "NEW_AND_OLD_IMAGES", "TableName": streamed, "KeySchema": schema("pk")}
    assert abs(created - time.time()) < 3600
    assert found
    ids = [s["ShardId"] for s in found]
    assert ids == sorted(ids)
    for shard in found:
        assert SHARD.fullmatch(shard["ShardId"])
        assert SEQUENCE.fullmatch(shard["SequenceNumberRange"]["StartingSequenceNumber"])
        assert set(shard) <= {"ShardId", "SequenceNumberRange", "ParentShardId"}
    assert any("EndingSequenceNumber" not in s["SequenceNumberRange"] for s in found)


def test_describe_in_pages(db, streamed):
    arn = stream_of(db, streamed)
    first = described(db, arn, Limit=1)
    assert len(first["Shards"]) == 1
    after = described(db, arn, ExclusiveStartShardId=first["Shards"][0]["ShardId"])
    assert [s["ShardId"] for s in after["Shards"]] == [s["ShardId"] for s in shards(db, arn)[1:]]


def test_children_of_a_shard(db, streamed):
    arn = stream_of(db, streamed)
    for shard in shards(db, arn):
        name = shard["ShardId"]
        children = described(db, arn, ShardFilter={"Type": "CHILD_SHARDS", "ShardId": name})["Shards"]
        assert [s["ShardId"] for s in children] == [
            s["ShardId"] for s in shards(db, arn) if s.get("ParentShardId") == name]


def missing(arn):
    return arn.rpartition("/")[0] + "/2015-01-01T00:00:00.000"


def test_no_such_stream(db, streamed):
    arn = missing(stream_of(db, streamed))
    text = f"Requested resource not found: Stream: {arn} not found"
    answers = [
        post(db, "DescribeStream", StreamArn=arn),
        post(db, "GetShardIterator", StreamArn=arn, ShardId="shardId-" + "0" * 20 + "-00000000",
             ShardIteratorType="LATEST"),
    ]
    for answer in answers:
        refused(answer, "ResourceNotFoundException")
        assert answer.message == text


def test_children_of_no_shard(db, streamed):
    arn, name = stream_of(db, streamed), "shardId-" + "0" * 20 + "-00000000"
    answer = post(db, "DescribeStream", StreamArn=arn, ShardFilter={"Type": "CHILD_SHARDS", "ShardId": name})
    refused(answer)
    assert "ShardFilter.ShardId" in answer.message and name in answer.message


DESCRIBE_REFUSED = {
    "shard of the filter": {"ShardFilter": {"Type": "CHILD_SHARDS", "ShardId": "x"}},
    "long shard of the filter": {"ShardFilter": {"Type": "CHILD_SHARDS", "ShardId": "x" * 66}},
    "no stream": {"StreamArn": None},
    "not an ARN": {"StreamArn": "x" * 40},
    "short": {"StreamArn": "x"},
    "limit of none": {"Limit": 0},
    "limit too high": {"Limit": 101},
    "start": {"ExclusiveStartShardId": "x"},
    "kind of filter": {"ShardFilter": {"Type": "ALL", "ShardId": "shardId-" + "0" * 20 + "-00000000"}},
}


@pytest.mark.parametrize("members", DESCRIBE_REFUSED.values(), ids=DESCRIBE_REFUSED.keys())
def test_describe_refused(db, streamed, members):
    members = {"StreamArn": stream_of(db, streamed), **members}
    refused(post(db, "DescribeStream", **{k: v for k, v in members.items() if v is not None}))


def test_a_stream_is_required(db):
    assert_invalid(
        post(db, "DescribeStream"), "1 validation error detected: " + violation(None, "streamArn", NOT_NULL))


def test_no_such_shard(db, streamed):
    answer = post(
        db, "GetShardIterator", StreamArn=stream_of(db, streamed), ShardId="shardId-" + "0" * 20 + "-00000000",
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
def test_iterator_refused(db, streamed, members):
    arn = stream_of(db, streamed)
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
def test_limit_of_records(db, streamed, limit):
    arn = stream_of(db, streamed)
    at = iterator(db, arn, shards(db, arn)[0]["ShardId"])
    refused(post(db, "GetRecords", ShardIterator=at, Limit=limit))
    assert post(db, "GetRecords", ShardIterator=at, Limit=1000).status == 200


def test_nothing_new(db, streamed):
    arn = stream_of(db, streamed)
    shard = [s for s in shards(db, arn) if "EndingSequenceNumber" not in s["SequenceNumberRange"]][0]["ShardId"]
    answer = call(db, "GetRecords", ShardIterator=iterator(db, arn, shard, "LATEST"))
    assert answer["Records"] == []
    assert answer["NextShardIterator"]
    assert set(answer) == {"Records", "NextShardIterator"}


def test_unknown_operation(db):
    answer = post(db, "PutRecords")
    assert (answer.status, answer.code) == (400, "UnknownOperationException")


def test_the_reach_of_each_target(db):
    """Operations of one service are unknown to the other."""
    assert db.post("ListStreams", {}).code == "UnknownOperationException"
    assert post(db, "ListTables").code == "UnknownOperationException"
