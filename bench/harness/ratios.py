"""Measures of Stator against itself: transactions and indexes against plain writes."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from . import servers
from .data import FILL_SECONDS
from .dynamo import ITEM_TABLE, DynamoClient
from .load import Load, Result
from .progress import say
from .servers import Context
from .throughput import ROUND_WARMUP_SECONDS, Plan

PLAIN_TABLE = "bench_plain"
INDEXED_TABLE = "bench_indexed"
INDEX_KEYS = ["owner", "status", "day"]


@dataclass
class Pair:
    """Rounds of two workloads, in turn on one server."""

    subject: list[Result]
    baseline: list[Result]

    def rate(self, runs: list[Result]) -> float:
        return statistics.median(run.requests_per_second for run in runs)

    def ratio(self) -> float:
        """The median of the rounds' own ratios: neighbours in time share what disturbs them."""
        return statistics.median(
            one.requests_per_second / other.requests_per_second
            for one, other in zip(self.subject, self.baseline))


def measure_transactions(context: Context, load: Load, plan: Plan) -> Pair:
    """TransactWriteItems of two items against PutItem of one, same table and durability."""
    with servers.stator(context, "stator_transactions") as server:
        with DynamoClient(server.port) as client:
            client.create_table(ITEM_TABLE, ["pk"])
        load.run(server, "fill_items", FILL_SECONDS, items=plan.items)
        pair = Pair([], [])
        for number in range(plan.rounds):
            say(f"transactions: round {number + 1} of {plan.rounds}")
            for workload, runs in (("put_item", pair.baseline), ("transact_put", pair.subject)):
                runs.append(load.run(server, workload, plan.duration, ROUND_WARMUP_SECONDS, plan.items))
        return pair


def measure_indexes(context: Context, load: Load, plan: Plan) -> Pair:
    """The same PutItem requests to a table with three indexes and to one without any."""
    with servers.stator(context, "stator_indexes") as server:
        with DynamoClient(server.port) as client:
            client.create_table(PLAIN_TABLE, ["pk"])
            client.create_table(INDEXED_TABLE, ["pk"], INDEX_KEYS)
        for table in (PLAIN_TABLE, INDEXED_TABLE):
            load.run(server, "fill_indexed", FILL_SECONDS, items=plan.items, table=table)
        pair = Pair([], [])
        for number in range(plan.rounds):
            say(f"indexes: round {number + 1} of {plan.rounds}")
            for table, runs in ((PLAIN_TABLE, pair.baseline), (INDEXED_TABLE, pair.subject)):
                runs.append(load.run(server, "put_indexed", plan.duration, ROUND_WARMUP_SECONDS,
                                     plan.items, table=table))
        return pair
