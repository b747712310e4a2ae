"""Measures of work that goes on beside requests: reading a stream, building an index, expiry."""

from __future__ import annotations

import re
import statistics
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from . import servers
from .data import FILL_SECONDS, WrongAnswer
from .dynamo import ITEM_TABLE, STREAMS_TARGET, DynamoClient
from .load import Load, Result
from .progress import say
from .servers import Context, Server

# BatchWriteItem with 25 items: 20,000 writes a second are 800 requests.
BATCH_ITEMS = 25
# Requests per second of each kind while something else goes on: far from what the server can do, so
# that their latency shows the disturbance and not a queue.
FOREGROUND_RATE = 1000
# Short rounds, so that a disturbance of a few seconds is not lost among quiet ones.
FOREGROUND_SECONDS = 1
MERGE_SECONDS_MAX = 60  # until the files of the table that was filled before a measurement are merged
FOREGROUND_CONNECTIONS = 16
NEXT_ITERATOR = re.compile(rb'"NextShardIterator":"([^"]+)"')
EXPIRING_TABLE = "bench_expiring"


@dataclass
class StreamReading:
    wanted_per_second: int
    written: int
    write_seconds: float
    read: int
    read_seconds: float
    backlog_max: int


@dataclass
class Foreground:
    """GetItem and PutItem at a fixed rate, in rounds."""

    gets: list[Result]
    puts: list[Result]

    def add(self, get: Result, put: Result) -> None:
        self.gets.append(get)
        self.puts.append(put)

    def p99_us(self, kind: str) -> float:
        """The median of the rounds: one bad second of the machine shall not decide."""
        return statistics.median(run.p99_us for run in getattr(self, kind))


@dataclass
class Disturbance:
    items: int
    seconds: float
    during: Foreground
    without: Foreground  # the same requests in the seconds between, to a server with nothing else to do

    def p99_ratio(self, kind: str) -> float:
        return self.during.p99_us(kind) / self.without.p99_us(kind)


class _Clock:
    """Looks on from a thread of its own when something has come to its end."""

    def __init__(self, server: Server, has_ended) -> None:
        self._ended_at: float | None = None
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._watch, args=(server, has_ended), daemon=True)
        self._thread.start()

    def _watch(self, server: Server, has_ended) -> None:
        try:
            with DynamoClient(server.port, timeout=120) as client:
                while not has_ended(client):
                    time.sleep(0.2)
            self._ended_at = time.monotonic()
        except Exception as failure:  # handed to the thread that asks
            self._failure = failure

    def waiting(self) -> bool:
        return self._thread.is_alive()

    def end(self) -> float:
        self._thread.join()
        if self._failure:
            raise self._failure
        return self._ended_at


def _round(load: Load, server: Server, items: int) -> tuple[Result, Result]:
    runs = [
        load.start(server, workload, FOREGROUND_SECONDS, 0.2, items, prepared=3000,
                   rate=FOREGROUND_RATE, connections=FOREGROUND_CONNECTIONS)
        for workload in ("get_item", "put_item")
    ]
    return runs[0].result(), runs[1].result()


def _side_by_side(load: Load, busy: Server, settled: Server, items: int,
                  clock: _Clock) -> tuple[Foreground, Foreground, float]:
    """Requests to a server that is busy with something, until that has come to its end; in every other
    second it is paused, and a server with nothing else to do gets them: what the machine itself does to
    latencies meets both sides. Also says for how many seconds it was paused."""
    during, without, paused = Foreground([], []), Foreground([], []), 0.0
    while not during.gets or clock.waiting():
        during.add(*_round(load, busy, items))
        paused_at = time.monotonic()
        busy.pause()
        without.add(*_round(load, settled, items))
        busy.resume()
        paused += time.monotonic() - paused_at
    return during, without, paused


def measure_stream(context: Context, load: Load, rate: int, seconds: float) -> StreamReading:
    """Writes at a rate, and reads the stream meanwhile until it has everything."""
    items = 100_000
    with servers.stator(context, "stator_stream") as server, DynamoClient(server.port) as client:
        client.create_table(ITEM_TABLE, ["pk"], StreamSpecification={
            "StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        arn = client.call("DescribeTable", TableName=ITEM_TABLE)["Table"]["LatestStreamArn"]
        load.run(server, "fill_items", FILL_SECONDS, items=items)
        say(f"stream: {rate:,} writes per second")
        shards = _Shards(client, arn)
        # A write that changes nothing has no record, so no request may be sent a second time.
        prepared = int(1.2 * rate * seconds / BATCH_ITEMS)
        run = load.start(server, "batch_put", seconds, items=items, prepared=prepared,
                         rate=rate // BATCH_ITEMS)
        # The reader goes on until the writer has ended and nothing more comes.
        read, seen, finished = 0, [], False  # `seen`: moments, and how much was read by then
        while True:
            count = 0
            for page in shards.pages():
                count += page.count(b'"eventID"')
            if count:
                read += count
                seen.append((time.monotonic(), read))
            elif finished:
                break
            if not finished and run.ended():
                result, finished = run.result(), True
    written = result.requests * BATCH_ITEMS
    if read < written:
        raise WrongAnswer(f"the stream gave {read:,} records for {written:,} writes")
    # Behind by what a steady writer had written since the first records were read.
    begin, last = seen[0][0], seen[-1][0]
    speed = result.requests_per_second * BATCH_ITEMS
    backlog = max(int(min((now - begin) * speed, written)) - by_then for now, by_then in seen)
    return StreamReading(rate, written, result.seconds, read, last - begin, max(backlog, 0))


class _Shards:
    """The places of a reader in all shards of a stream, from now on."""

    def __init__(self, client: DynamoClient, arn: str) -> None:
        self._client = client
        self._arn = arn
        self._iterators: dict[str, str | None] = {}
        self._add("LATEST")

    def _add(self, kind: str) -> None:
        description = self._client.call_streams("DescribeStream", StreamArn=self._arn)
        for shard in description["StreamDescription"]["Shards"]:
            if shard["ShardId"] not in self._iterators:
                self._iterators[shard["ShardId"]] = self._client.call_streams(
                    "GetShardIterator", StreamArn=self._arn, ShardId=shard["ShardId"],
                    ShardIteratorType=kind)["ShardIterator"]

    def pages(self) -> Iterator[bytes]:
        """The next page of each shard. A shard that has ended is followed by its children."""
        for shard, iterator in list(self._iterators.items()):
            if iterator is None:
                continue
            text = self._client.raw_call("GetRecords", STREAMS_TARGET, {"ShardIterator": iterator})
            following = NEXT_ITERATOR.search(text)
            self._iterators[shard] = following.group(1).decode() if following else None
            if not following:
                self._add("TRIM_HORIZON")
            yield text


def measure_backfill(context: Context, load: Load, items: int) -> Disturbance:
    """Adds an index to a large table while it is read and written."""
    with servers.stator(context, "stator_building") as building, \
            servers.stator(context, "stator_settled") as settled, \
            DynamoClient(building.port, timeout=120) as client:
        for server in (building, settled):
            _fill(load, server, items)
        say("backfill: building the index")
        begin = time.monotonic()
        client.call("UpdateTable", TableName=ITEM_TABLE, AttributeDefinitions=[
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "created", "AttributeType": "N"},
        ], GlobalSecondaryIndexUpdates=[{"Create": {
            "IndexName": "by-created", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": "created", "KeyType": "HASH"}],
        }}])
        clock = _Clock(building, _index_is_active)
        during, without, paused = _side_by_side(load, building, settled, items, clock)
        seconds = clock.end() - begin - paused
        found = _count_index(client)
        if found != items:
            raise WrongAnswer(f"the index has {found:,} items of {items:,}")
        return Disturbance(items, seconds, during, without)


def _fill(load: Load, server: Server, items: int) -> None:
    with DynamoClient(server.port) as client:
        client.create_table(ITEM_TABLE, ["pk"])
    say(f"{server.name}: filling {items:,} items")
    load.run(server, "fill_items", FILL_SECONDS, items=items)
    server.settle(MERGE_SECONDS_MAX)


def _index_is_active(client: DynamoClient) -> bool:
    table = client.call("DescribeTable", TableName=ITEM_TABLE)["Table"]
    return table["GlobalSecondaryIndexes"][0]["IndexStatus"] == "ACTIVE"


def _count_index(client: DynamoClient) -> int:
    total, start = 0, {}
    while True:
        page = client.call("Scan", TableName=ITEM_TABLE, IndexName="by-created", Select="COUNT", **start)
        total += page["Count"]
        if not page.get("LastEvaluatedKey"):
            return total
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def measure_expiry(context: Context, load: Load, items: int) -> Disturbance:
    """Lets many items expire in the same second while another table is read and written."""
    small = 10_000
    with servers.stator(context, "stator_expiring") as expiring, \
            servers.stator(context, "stator_settled") as settled, \
            DynamoClient(expiring.port, timeout=120) as client:
        for server in (expiring, settled):
            _fill(load, server, small)
        client.create_table(EXPIRING_TABLE, ["pk"])
        client.call("UpdateTimeToLive", TableName=EXPIRING_TABLE,
                    TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
        say(f"expiry: filling {items:,} items that expire")
        due = int(time.time()) + 30
        load.run(expiring, "fill_expiring", FILL_SECONDS, items=items, table=EXPIRING_TABLE, expires=due)
        if time.time() > due:
            raise WrongAnswer("the items were due before all of them were written")
        if client.count(EXPIRING_TABLE) != items:
            raise WrongAnswer("not all items are there before they are due")
        time.sleep(max(0.0, due - time.time()))
        say("expiry: items are due")
        begin = time.monotonic()
        clock = _Clock(expiring, _has_no_items)
        during, without, paused = _side_by_side(load, expiring, settled, small, clock)
        seconds = clock.end() - begin - paused
        if (left := client.count(EXPIRING_TABLE)) != 0:
            raise WrongAnswer(f"{left:,} items are left, and the table's count says none")
        return Disturbance(items, seconds, during, without)


def _has_no_items(client: DynamoClient) -> bool:
    # Its own count, as scanning the table again and again would be a load of its own.
    return client.call("DescribeTable", TableName=EXPIRING_TABLE)["Table"]["ItemCount"] == 0
