"""Shards that are closed and followed by children, and streams that outlive their table and a restart."""

import itertools
import time

import pytest

import tables
from server_process import ServerProcess
from wire_client import Client, ServiceError

WAIT_S = 60
STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}


class Streams:
    """The operations of streams, on a server of its own."""

    def __init__(self, server):
        self.db = Client(server.port)
        self._streams = Client(server.port, target="DynamoDBStreams_20120810.")

    def create(self, name):
        self.db.call(
            "CreateTable", TableName=name, KeySchema=tables.key_schema("pk"), BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}], StreamSpecification=STREAM)
        return tables.wait_active(self.db, name)["LatestStreamArn"]

    def put(self, table, key, n):
        self.db.call("PutItem", TableName=table, Item={"pk": {"S": key}, "n": {"N": str(n)}})

    def call(self, operation, **members):
        return self._streams.call(operation, **members)

    def describe(self, arn, **members):
        return self.call("DescribeStream", StreamArn=arn, **members)["StreamDescription"]

    def shards(self, arn):
        found, more = [], {}
        while True:
            description = self.describe(arn, **more)
            found += description["Shards"]
            if "LastEvaluatedShardId" not in description:
                return found
            more = {"ExclusiveStartShardId": description["LastEvaluatedShardId"]}

    def iterator(self, arn, shard, kind="TRIM_HORIZON", **members):
        return self.call(
            "GetShardIterator", StreamArn=arn, ShardId=shard, ShardIteratorType=kind, **members)["ShardIterator"]

    def read(self, arn, shard, limit=7):
        """All of a shard that is there now, and whether it has an end."""
        found, at = [], self.iterator(arn, shard)
        while True:
            page = self.call("GetRecords", ShardIterator=at, Limit=limit)
            found += [(r["dynamodb"]["Keys"]["pk"]["S"], int(r["dynamodb"]["NewImage"]["n"]["N"]))
                      for r in page["Records"]]
            at = page.get("NextShardIterator")
            if at is None:
                return found, True
            if not page["Records"]:
                return found, False

    def read_all(self, arn):
        """Every record, a parent before its children."""
        return [record for shard in self.shards(arn) for record in self.read(arn, shard["ShardId"])[0]]


def started(tmp_path, *options):
    return ServerProcess(tmp_path / "log", "--cache-mb", "32", *options, data=tmp_path / "data")


@pytest.fixture
def rolling(tmp_path):
    """A server whose shards live for 300 ms."""
    with started(tmp_path, "--shard-lifetime-ms", "300") as server:
        yield Streams(server)
        assert server.stop() == 0
        assert server.log_text() == ""


def is_open(shard):
    return "EndingSequenceNumber" not in shard["SequenceNumberRange"]


def write_over_rolls(streams, table, arn, generations):
    """Changes a few items until so many generations of shards are there; gives what was written, by key."""
    written = {f"key{k}": [] for k in range(5)}
    deadline = time.monotonic() + WAIT_S
    n = 0
    while len(streams.shards(arn)) < 4 * generations:
        assert time.monotonic() < deadline
        for key in written:
            streams.put(table, key, n)
            written[key].append(n)
        n += 1
    return written


def test_shards_follow_each_other(rolling):
    arn = rolling.create("tbl")
    write_over_rolls(rolling, "tbl", arn, 3)
    shards = rolling.shards(arn)
    ids = [s["ShardId"] for s in shards]
    assert ids == sorted(ids)
    # The slots follow each other closely, but not at once: each has one open shard, the last of its line.
    parents = {s.get("ParentShardId") for s in shards}
    assert [s["ShardId"] for s in shards if is_open(s)] == [i for i in ids if i not in parents]
    assert sum(map(is_open, shards)) == 4
    assert not any("ParentShardId" in s for s in shards[:4])
    by_id = {s["ShardId"]: s for s in shards}
    for shard in shards[4:]:
        parent = by_id[shard["ParentShardId"]]
        ends = int(parent["SequenceNumberRange"]["EndingSequenceNumber"])
        assert ends < int(shard["SequenceNumberRange"]["StartingSequenceNumber"])
        children = rolling.describe(arn, ShardFilter={"Type": "CHILD_SHARDS", "ShardId": parent["ShardId"]})["Shards"]
        assert [c["ShardId"] for c in children] == [shard["ShardId"]]


def test_nothing_is_lost_or_out_of_order_over_a_roll(rolling):
    arn = rolling.create("tbl")
    written = write_over_rolls(rolling, "tbl", arn, 4)
    seen = {key: [] for key in written}
    for key, n in rolling.read_all(arn):
        seen[key].append(n)
    assert seen == written


def test_a_closed_shard_has_an_end(rolling):
    arn = rolling.create("tbl")
    rolling.put("tbl", "key", 1)
    open_at_first = rolling.shards(arn)[:4]
    latest = rolling.iterator(arn, open_at_first[0]["ShardId"], "LATEST")
    write_over_rolls(rolling, "tbl", arn, 2)
    for shard in rolling.shards(arn)[:4]:
        assert not is_open(shard)
        _, ended = rolling.read(arn, shard["ShardId"])
        assert ended
        at_end = rolling.iterator(arn, shard["ShardId"], "LATEST")
        page = rolling.call("GetRecords", ShardIterator=at_end)
        assert page == {"Records": []}
        last = shard["SequenceNumberRange"]["EndingSequenceNumber"]
        after = rolling.iterator(arn, shard["ShardId"], "AFTER_SEQUENCE_NUMBER", SequenceNumber=last)
        assert rolling.call("GetRecords", ShardIterator=after) == {"Records": []}
    # An iterator from before the shard was closed comes to its end too.
    while latest is not None:
        latest = rolling.call("GetRecords", ShardIterator=latest).get("NextShardIterator")


def test_a_reader_that_follows_the_lineage_sees_every_record_once(rolling):
    """Reads while shards are closed: a child is opened when its parent has ended."""
    arn = rolling.create("tbl")
    iterators = {s["ShardId"]: rolling.iterator(arn, s["ShardId"]) for s in rolling.shards(arn)}
    done, seen = set(), []
    deadline = time.monotonic() + WAIT_S
    for n in range(200):
        rolling.put("tbl", "key", n)
        time.sleep(0.005)
        for shard, at in list(iterators.items()):
            page = rolling.call("GetRecords", ShardIterator=at, Limit=3)
            seen += [int(r["dynamodb"]["NewImage"]["n"]["N"]) for r in page["Records"]]
            if "NextShardIterator" in page:
                iterators[shard] = page["NextShardIterator"]
            else:
                del iterators[shard]
                done.add(shard)
                for child in rolling.describe(
                        arn, ShardFilter={"Type": "CHILD_SHARDS", "ShardId": shard})["Shards"]:
                    iterators[child["ShardId"]] = rolling.iterator(arn, child["ShardId"])
    while len(seen) < 200:
        assert time.monotonic() < deadline, len(seen)
        for shard, at in list(iterators.items()):
            page = rolling.call("GetRecords", ShardIterator=at)
            seen += [int(r["dynamodb"]["NewImage"]["n"]["N"]) for r in page["Records"]]
            if "NextShardIterator" in page:
                iterators[shard] = page["NextShardIterator"]
            else:
                del iterators[shard]
                for child in rolling.describe(
                        arn, ShardFilter={"Type": "CHILD_SHARDS", "ShardId": shard})["Shards"]:
                    iterators[child["ShardId"]] = rolling.iterator(arn, child["ShardId"])
    assert seen == list(range(200))
    assert done


@pytest.mark.parametrize("kill", [False, True], ids=["stop", "kill -9"])
def test_a_stream_outlives_its_table_and_a_restart(tmp_path, kill):
    with started(tmp_path) as server:
        streams = Streams(server)
        arn = streams.create("tbl")
        for n in range(20):
            streams.put("tbl", f"key{n}", n)
        before = sorted(streams.read_all(arn))
        streams.db.call("DeleteTable", TableName="tbl")
        again = streams.create("tbl")
        streams.put("tbl", "new", 1)
        if kill:
            server.kill()
        else:
            assert server.stop() == 0
    with started(tmp_path) as server:
        streams = Streams(server)
        listed = {s["StreamArn"] for s in streams.call("ListStreams", TableName="tbl")["Streams"]}
        assert listed == {arn, again}
        assert streams.describe(arn)["StreamStatus"] == "DISABLED"
        assert streams.describe(again)["StreamStatus"] == "ENABLED"
        assert sorted(streams.read_all(arn)) == before
        assert all(streams.read(arn, s["ShardId"])[1] for s in streams.shards(arn))
        assert streams.read_all(again) == [("new", 1)]


def test_records_that_are_too_old_are_gone(tmp_path):
    with started(tmp_path, "--stream-retention-ms", "1000") as server:
        streams = Streams(server)
        arn = streams.create("tbl")
        deadline = time.monotonic() + WAIT_S
        numbers = itertools.count()

        def put_and_find():
            """Shard, sequence number and value of a new record. On a busy machine it may be too old before it is read: then another."""
            found = []
            while not found:
                assert time.monotonic() < deadline
                n = next(numbers)
                streams.put("tbl", "a", n)
                for shard in (s["ShardId"] for s in streams.shards(arn)):
                    page = streams.call("GetRecords", ShardIterator=streams.iterator(arn, shard))
                    found += [(shard, r["dynamodb"]["SequenceNumber"], r["dynamodb"]["NewImage"]["n"]) for r in page["Records"]]
            assert found[-1][2] == {"N": str(n)}
            return found[-1]

        shard, number, _ = put_and_find()

        def read_at():
            at = streams.iterator(arn, shard, "AT_SEQUENCE_NUMBER", SequenceNumber=number)
            return [r["dynamodb"]["SequenceNumber"] for r in streams.call("GetRecords", ShardIterator=at)["Records"]]

        with pytest.raises(ServiceError) as refused:
            while time.monotonic() < deadline:
                assert read_at() == [number]
        assert refused.value.code == "TrimmedDataAccessException"
        time.sleep(1)  # erased meanwhile: the answer stays
        with pytest.raises(ServiceError) as refused:
            read_at()
        assert refused.value.code == "TrimmedDataAccessException"
        assert streams.read(arn, shard)[0] == []
        assert put_and_find()[0] == shard
