"""The measures of Stator alone: start, memory, connections, scale."""

from __future__ import annotations

import resource
import socket
import time
from dataclasses import dataclass

from . import data, servers
from .dynamo import HOST, ITEM_TABLE, signed_headers
from .load import Load, Result
from .progress import say
from .servers import Context, Server
from .throughput import ROUND_WARMUP_SECONDS, Plan, Runs, idle_rss_mb

THOUSAND = 1000
# Enough requests that the keys of a large table are really drawn from all over it.
SCALE_PREPARED = 500000
# Until the files of the large table are merged: it is read after that.
LARGE_TABLE_MERGE_SECONDS_MAX = 180
FIRST_PASS_SECONDS = 20


@dataclass
class StartTimes:
    empty_ms: list[float]
    filled_ms: list[float]


@dataclass
class ConnectionMemory:
    """Resident memory before any of the connections, after a thousand and after another."""

    before_mb: float
    after_first_mb: float
    after_second_mb: float


@dataclass
class Scale:
    small_items: int
    large_items: int
    small: Runs
    large: Runs
    first_reads: Result  # of the large table: each key for the first time
    fill_seconds: float
    large_rss_mb: float


def measure_start(context: Context, load: Load, plan: Plan) -> StartTimes:
    """From the start of the process to its first answer, with no data and with the data set."""
    say("measuring the start")
    times = 3 if plan.quick else 11
    empty = [_start_once(servers.stator(context, "stator_start")) for _ in range(times)]
    with servers.stator(context, "stator_start") as server:
        data.fill(load, server, plan.items, plan.query_rows)
    filled = [
        _start_once(servers.stator(context, "stator_start", keep_data=True)) for _ in range(times)
    ]
    return StartTimes(empty, filled)


def _start_once(server: Server) -> float:
    with server:
        return server.start_ms


def measure_idle_memory(context: Context) -> float:
    say("measuring idle memory")
    with servers.stator(context, "stator_idle") as server:
        return idle_rss_mb(server)


def measure_connections(context: Context, load: Load, plan: Plan) -> ConnectionMemory:
    """Opens a thousand connections at once, asks on each, closes all; then does it again."""
    say("opening and closing connections")
    with servers.stator(context, "stator_connections") as server:
        data.fill(load, server, 1000, rows=0)
        # What the first requests of any kind allocate is not about connections.
        load.run(server, "get_item", duration=1, items=1000)
        before = _settled_rss_mb(server)
        _open_and_close(server.port, THOUSAND)
        first = _settled_rss_mb(server)
        _open_and_close(server.port, THOUSAND)
        second = _settled_rss_mb(server)
    return ConnectionMemory(before, first, second)


def _settled_rss_mb(server: Server) -> float:
    """Memory once it has stopped falling, at most a few seconds from now."""
    lowest = server.rss_mb()
    for _ in range(5):
        time.sleep(0.5)
        now = server.rss_mb()
        if now >= lowest:
            return now
        lowest = now
    return lowest


def _open_and_close(port: int, count: int) -> None:
    _allow_open_files(count + 100)
    body = f'{{"TableName":"{ITEM_TABLE}","Key":{{"pk":{{"S":"key-{0:012}"}}}}}}'.encode()
    head = "".join(
        f"{name}: {value}\r\n" for name, value in signed_headers(port, "GetItem", body).items()
    )
    request = f"POST / HTTP/1.1\r\n{head}content-length: {len(body)}\r\n\r\n".encode() + body
    connections = [socket.create_connection((HOST, port), timeout=10) for _ in range(count)]
    try:
        for connection in connections:
            connection.sendall(request)
        for connection in connections:
            if not connection.recv(65536).startswith(b"HTTP/1.1 200"):
                raise data.WrongAnswer(f"one of {count} connections was not answered")
    finally:
        for connection in connections:
            connection.close()


def _allow_open_files(wanted: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


def measure_scale(context: Context, load: Load, plan: Plan, large_items: int) -> Scale:
    """GetItem on a small and on a very large table, in turn, of keys that were all read before.

    The first pass over the keys of the large table is measured apart; of the small one's, each is read many times in a second.
    """
    with servers.stator(context, "stator_small") as small, \
            servers.stator(context, "stator_large") as large:
        small_items = min(plan.items, large_items)
        data.fill(load, small, small_items, rows=0)
        small.pause()
        say(f"filling a table with {large_items:,} items")
        begin = time.monotonic()
        data.fill(load, large, large_items, rows=0)
        fill_seconds = time.monotonic() - begin
        data.check(load, large, large_items, rows=0, count_items=False)
        rss_mb = large.rss_mb()
        say("waiting until the files of the large table are merged")
        large.settle(LARGE_TABLE_MERGE_SECONDS_MAX)
        first_reads = load.run(large, "get_item", plan.duration, 0, large_items, SCALE_PREPARED)
        seconds, read = FIRST_PASS_SECONDS, 0
        while read < SCALE_PREPARED:  # a run begins with the first key again
            read = load.run(large, "get_item", seconds, 0, large_items, SCALE_PREPARED).requests
            seconds *= 2
        large.pause()
        results = {small.name: [], large.name: []}
        for number in range(plan.rounds):
            say(f"scale: round {number + 1} of {plan.rounds}")
            for server, items in ((small, small_items), (large, large_items)):
                server.resume()
                results[server.name].append(
                    load.run(server, "get_item", plan.duration, ROUND_WARMUP_SECONDS, items,
                             SCALE_PREPARED)
                )
                server.pause()
    return Scale(small_items, large_items, Runs(results[small.name]), Runs(results[large.name]),
                 first_reads, fill_seconds, rss_mb)
