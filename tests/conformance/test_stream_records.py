"""DynamoDB Streams: what the writes of items leave in a stream."""

import os
import re
import time

import pytest

from stream_calls import A, SEQUENCE, VIEW_TYPES, Reader, call, essence, iterator, on, shards, stream_of, switch, update

EXPIRY_S = float(os.environ.get("STATOR_EXPIRY_S", "0"))
ONE = {"N": "1"}


def test_the_form_of_a_record(db, streamed, reader, key):
    item = {**key, "x": {"M": {"l": {"L": [ONE, {"NULL": True}, {"B": "AA=="}]}}}}
    db.call("PutItem", TableName=streamed, Item=item)
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
def test_insert_modify_remove(db, streams, key, view_type):
    name = streams[view_type]
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


def test_updates(db, streamed, reader, key):
    assert update(db, streamed, key, "SET x = :x", {":x": ONE}).status == 200
    assert update(db, streamed, key, "ADD x :x", {":x": ONE}).status == 200
    assert update(db, streamed, key, "REMOVE x").status == 200
    first, second = {**key, "x": ONE}, {**key, "x": {"N": "2"}}
    assert [essence(r) for r in reader.take(3)] == [
        {"name": "INSERT", "Keys": key, "NewImage": first},
        {"name": "MODIFY", "Keys": key, "OldImage": first, "NewImage": second},
        {"name": "MODIFY", "Keys": key, "OldImage": second, "NewImage": key}]


def test_an_update_that_creates_a_bare_item(db, streamed, reader, key):
    db.call("UpdateItem", TableName=streamed, Key=key)
    assert [essence(r) for r in reader.take(1)] == [{"name": "INSERT", "Keys": key, "NewImage": key}]


def test_what_changes_nothing_leaves_no_record(db, streamed, reader, key, unique):
    item = {**key, "x": ONE, "s": {"SS": ["a", "b"]}, "m": {"M": {"a": A}}}
    other = {"pk": {"S": unique("other")}}
    db.call("PutItem", TableName=streamed, Item=item)
    # The same item, written in another way.
    db.call("PutItem", TableName=streamed, Item={**item, "x": {"N": "1.0"}, "s": {"SS": ["b", "a"]}})
    assert update(db, streamed, key, "SET x = :x", {":x": ONE}).status == 200
    assert update(db, streamed, key, "REMOVE y").status == 200
    assert update(db, streamed, key, "ADD s :s", {":s": {"SS": ["a"]}}).status == 200
    assert update(db, streamed, key, "DELETE s :s", {":s": {"SS": ["z"]}}).status == 200
    db.call("UpdateItem", TableName=streamed, Key=key)
    db.call("DeleteItem", TableName=streamed, Key=other)
    assert update(db, streamed, other, "REMOVE x").status == 200
    # Refused.
    refusal = update(db, streamed, key, "SET x = :x", {":x": A}, ConditionExpression="attribute_not_exists(pk)")
    assert refusal.code == "ConditionalCheckFailedException"
    assert update(db, streamed, key, "SET m = m + :x", {":x": ONE}).status == 400
    db.call("DeleteItem", TableName=streamed, Key=key)
    assert [r["eventName"] for r in reader.take(2)] == ["INSERT", "REMOVE"]


def by_key(records):
    return {r["dynamodb"]["Keys"]["pk"]["S"]: essence(r) for r in records}


def test_batches(db, streamed, reader, unique):
    kept, gone, never = ({"pk": {"S": unique("key")}} for _ in range(3))
    db.call("PutItem", TableName=streamed, Item=gone)
    reader.take(1)
    db.call("BatchWriteItem", RequestItems={streamed: [
        {"PutRequest": {"Item": {**kept, "x": A}}}, {"DeleteRequest": {"Key": gone}},
        {"DeleteRequest": {"Key": never}}]})
    assert by_key(reader.take(2)) == {
        kept["pk"]["S"]: {"name": "INSERT", "Keys": kept, "NewImage": {**kept, "x": A}},
        gone["pk"]["S"]: {"name": "REMOVE", "Keys": gone, "OldImage": gone}}


def test_transactions(db, streamed, reader, unique):
    put, changed, gone, checked, never = ({"pk": {"S": unique("key")}} for _ in range(5))
    for key in (changed, gone, checked):
        db.call("PutItem", TableName=streamed, Item=key)
    reader.take(3)
    actions = [
        {"Put": {"TableName": streamed, "Item": put}},
        {"Update": {"TableName": streamed, "Key": changed, "UpdateExpression": "SET x = :x",
                    "ExpressionAttributeValues": {":x": A}}},
        {"Delete": {"TableName": streamed, "Key": gone}},
        {"ConditionCheck": {"TableName": streamed, "Key": checked, "ConditionExpression": "attribute_exists(pk)"}},
    ]
    cancelled = db.post("TransactWriteItems", {"TransactItems": [
        {"Put": {"TableName": streamed, "Item": never}}, {**actions[3], "ConditionCheck": {
            **actions[3]["ConditionCheck"], "ConditionExpression": "attribute_exists(x)"}}]})
    assert cancelled.code == "TransactionCanceledException"
    db.call("TransactWriteItems", TransactItems=actions)
    assert by_key(reader.take(3)) == {
        put["pk"]["S"]: {"name": "INSERT", "Keys": put, "NewImage": put},
        changed["pk"]["S"]: {
            "name": "MODIFY", "Keys": changed, "OldImage": changed, "NewImage": {**changed, "x": A}},
        gone["pk"]["S"]: {"name": "REMOVE", "Keys": gone, "OldImage": gone}}


def test_repeated_transaction(db, streamed, reader, key, unique):
    actions = [{"Update": {"TableName": streamed, "Key": key, "UpdateExpression": "ADD n :x",
                           "ExpressionAttributeValues": {":x": ONE}}}]
    token = unique("token")
    for _ in range(2):
        db.call("TransactWriteItems", TransactItems=actions, ClientRequestToken=token)
    db.call("DeleteItem", TableName=streamed, Key=key)
    assert [r["eventName"] for r in reader.take(2)] == ["INSERT", "REMOVE"]


def test_writes_to_other_tables_are_elsewhere(db, streamed, plain, reader, key):
    db.call("PutItem", TableName=plain, Item=key)
    db.call("PutItem", TableName=streamed, Item={**key, "x": A})
    assert [essence(r)["NewImage"] for r in reader.take(1)] == [{**key, "x": A}]


def test_records_from_before_the_stream_do_not_exist(db, create):
    name = create("stream", {"pk": "S"})
    db.call("PutItem", TableName=name, Item={"pk": A})
    arn = switch(db, name, on())["LatestStreamArn"]
    db.call("PutItem", TableName=name, Item={"pk": A, "x": A})
    assert [r["eventName"] for r in Reader(db, arn, "TRIM_HORIZON").take(1)] == ["MODIFY"]


def test_one_item_in_order(db, streamed, reader, key):
    for n in range(30):
        assert update(db, streamed, key, "SET n = :n", {":n": {"N": str(n)}}).status == 200
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
