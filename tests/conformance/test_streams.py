"""DynamoDB Streams: switching them on and off, and how long they last."""

import re
import time

import pytest

from conftest import attribute, schema
from stream_calls import RECORDS_S, SEQUENCE, VIEW_TYPES, call, described, iterator, on, shards, stream_of, switch
from wire import NOT_NULL, assert_invalid, assert_violations, enum, violation, wait_active

INVALID = "One or more parameter values were invalid: "
SHOWN_VIEW_TYPES = enum("OLD_IMAGE", "KEYS_ONLY", "NEW_AND_OLD_IMAGES", "NEW_IMAGE")
LABEL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}")
OFF = {"StreamEnabled": False}


def assert_on(table, view_type):
    assert table["StreamSpecification"] == on(view_type)
    assert LABEL.fullmatch(table["LatestStreamLabel"])
    assert table["LatestStreamArn"] == f"{table['TableArn']}/stream/{table['LatestStreamLabel']}"


@pytest.mark.parametrize("view_type", VIEW_TYPES)
def test_a_table_created_with_a_stream(db, streams, view_type):
    assert_on(db.call("DescribeTable", TableName=streams[view_type])["Table"], view_type)


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


def test_refused_switching(db, streamed, plain):
    for view_type in ("NEW_AND_OLD_IMAGES", "KEYS_ONLY"):
        assert_invalid(
            db.post("UpdateTable", {"TableName": streamed, "StreamSpecification": on(view_type)}),
            f"Table already has an enabled stream: TableName: {streamed}")
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
