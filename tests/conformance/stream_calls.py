"""The calls of DynamoDB Streams, and a reader of whole streams."""

import re
import time

from wire import ServiceError, wait_active

TARGET = "DynamoDBStreams_20120810"
VIEW_TYPES = ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"]
SEQUENCE = re.compile(r"\d{21,40}")
RECORDS_S = 20
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


def essence(record):
    """Of a record, what the writes determine."""
    return {
        "name": record["eventName"],
        **{k: v for k, v in record["dynamodb"].items() if k in ("Keys", "NewImage", "OldImage")}}


def update(db, table, key, expression, values=None, **members):
    if values:
        members["ExpressionAttributeValues"] = values
    return db.post("UpdateItem", {"TableName": table, "Key": key, "UpdateExpression": expression, **members})
