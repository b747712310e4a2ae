"""The measures that compare servers under load: GetItem, PutItem, Query."""

from __future__ import annotations

import statistics
import time
from contextlib import ExitStack
from dataclasses import dataclass, field

from . import data, servers
from .load import InvalidRun, Load, Result
from .progress import say
from .servers import Context, Server, Unavailable

# What each measure sends, by the protocol that the server speaks. The constant-answer server is
# sent the very requests that Stator is sent, and answers with as many bytes.
WORKLOADS = {
    "get": {"dynamo": "get_item", "redis": "redis_get", "http": "get_item"},
    "query": {"dynamo": "query", "http": "query"},
    "put": {"dynamo": "put_item", "redis": "redis_set"},
}

# Which servers take part in each measure, besides Stator.
PEERS = {
    "get": ["redis", "dynalite", "dynamodb_local", "dynoxide", "ceiling_item"],
    "query": ["ceiling_query", "dynalite", "dynamodb_local", "dynoxide"],
    "put": ["redis_durable", "dynalite", "dynamodb_local", "dynoxide"],
}

# A server whose code is compiled while it runs needs longer to come to its speed.
WARMUP_SECONDS = {"dynamodb_local": 10.0, "dynalite": 2.0}
ROUND_WARMUP_SECONDS = 0.3


@dataclass
class Plan:
    measures: list[str]
    peers: list[str]
    items: int
    duration: float
    rounds: int
    quick: bool
    query_rows: int = 10_000  # a hundred in each partition


@dataclass
class Runs:
    """All rounds of one measure on one server."""

    results: list[Result]

    def median(self, name: str) -> float:
        return statistics.median(getattr(result, name) for result in self.results)

    def spread(self, name: str) -> tuple[float, float]:
        values = [getattr(result, name) for result in self.results]
        return min(values), max(values)


@dataclass
class Comparison:
    """Results by measure and server name, what could not be measured, and what went wrong."""

    runs: dict[tuple[str, str], Runs] = field(default_factory=dict)
    start_ms: dict[str, float] = field(default_factory=dict)
    idle_rss_mb: dict[str, float] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def compare(context: Context, load: Load, plan: Plan) -> Comparison:
    """Starts all servers, fills and checks them, then measures them in turn."""
    comparison = Comparison()
    with ExitStack() as stack:
        running: dict[str, Server] = {}
        for name in ["stator", *_peers_of(plan)]:
            try:
                say(f"starting {name}")
                server = _make(context, name, running.get("stator"))
                stack.enter_context(server)
                running[name] = server
                comparison.start_ms[name] = server.start_ms
                comparison.idle_rss_mb[name] = idle_rss_mb(server)
                _prepare(load, server, plan)
                server.pause()
            except (Unavailable, InvalidRun) as reason:
                _drop(comparison, running, name, str(reason))
                if name == "stator":
                    raise
            except data.WrongAnswer as reason:
                _drop(comparison, running, name, f"its answers differ: {reason}")
                comparison.faults.append(str(reason))
                if name == "stator":
                    raise
        for measure in plan.measures:
            _measure(load, plan, measure, running, comparison)
    return comparison


def idle_rss_mb(server: Server) -> float:
    """Memory once the server has answered and done nothing for a second."""
    time.sleep(1)
    return server.rss_mb()


def _peers_of(plan: Plan) -> list[str]:
    names = [name for measure in plan.measures for name in PEERS[measure]]
    return [name for name in dict.fromkeys(names) if _script(name) in plan.peers]


def _script(name: str) -> str:
    """The peer as --peers names it: redis_durable is redis, ceiling_item is ceiling."""
    return "redis" if name.startswith("redis") else name.split("_item")[0].split("_query")[0]


def _make(context: Context, name: str, stator: Server | None) -> Server:
    if name == "stator":
        return servers.stator(context)
    if name in ("ceiling_item", "ceiling_query"):
        ask = data.item_answer_bytes if name == "ceiling_item" else data.query_answer_bytes
        stator.resume()
        body_bytes = ask(stator)
        stator.pause()
        return servers.ceiling(context, name, body_bytes)
    if name == "redis":
        return servers.peer(context, "redis", "memory", name)
    if name == "redis_durable":
        return servers.peer(context, "redis", "disk", name)
    return servers.peer(context, name, context.peer_storage, name)


def _prepare(load: Load, server: Server, plan: Plan) -> None:
    if server.speaks == "http":
        return
    say(f"filling and checking {server.name}")
    rows = plan.query_rows if "query" in plan.measures else 0
    data.fill(load, server, plan.items, rows)
    data.check(load, server, plan.items, rows)


def _drop(comparison: Comparison, running: dict[str, Server], name: str, reason: str) -> None:
    say(f"{name} is left out: {reason}")
    comparison.missing[name] = reason
    if name in running:
        running.pop(name).stop()


def _measure(load: Load, plan: Plan, measure: str, running: dict[str, Server],
             comparison: Comparison) -> None:
    """Measures all servers in each round, so that what disturbs the machine disturbs all."""
    names = [name for name in ["stator", *PEERS[measure]] if name in running]
    results: dict[str, list[Result]] = {name: [] for name in names}
    for number in range(plan.rounds):
        say(f"{measure}: round {number + 1} of {plan.rounds}")
        for name in list(results):
            server = running[name]
            warmup = ROUND_WARMUP_SECONDS
            if number == 0 and not plan.quick:
                warmup = WARMUP_SECONDS.get(name, warmup)
            server.resume()
            try:
                items = plan.query_rows if measure == "query" else plan.items
                workload = WORKLOADS[measure][server.speaks]
                results[name].append(load.run(server, workload, plan.duration, warmup, items))
            except (InvalidRun, Unavailable) as reason:
                say(f"invalid run: {reason}")
                comparison.faults.append(f"invalid run: {reason}")
                del results[name]
            finally:
                server.pause()
    for name, runs in results.items():
        comparison.runs[measure, name] = Runs(runs)
