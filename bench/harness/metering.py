"""What it costs to meter requests, and how much memory the meters take."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import servers
from .data import FILL_SECONDS
from .dynamo import ITEM_TABLE, DynamoClient
from .load import Load, Result
from .progress import say
from .servers import Context, Server
from .throughput import ROUND_WARMUP_SECONDS, Plan

KEYS_PER_TABLE = 40
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Side:
    """One of the servers that are compared."""

    results: list[Result] = field(default_factory=list)
    cpu_us: list[float] = field(default_factory=list)  # processor time of a request, round by round

    def rate(self) -> float:
        return statistics.median(result.requests_per_second for result in self.results)


@dataclass
class Cost:
    off: Side = field(default_factory=Side)
    observe: Side = field(default_factory=Side)

    def throughput_ratio(self) -> float:
        """The median of the rounds' own ratios: neighbours in time share what disturbs them."""
        return statistics.median(one.requests_per_second / other.requests_per_second
                                 for one, other in zip(self.observe.results, self.off.results))

    def cpu_ratio(self) -> float:
        return statistics.median(one / other for one, other in zip(self.observe.cpu_us, self.off.cpu_us))


def _cpu_seconds(server: Server) -> float:
    fields = Path(f"/proc/{server.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def measure_cost(context: Context, load: Load, plan: Plan) -> Cost:
    """GetItem with capacity observed and with it off, on two servers in turn, each first in every other round."""
    cost = Cost()
    with ExitStack() as stack:
        sides = []
        for mode, side in (("off", cost.off), ("observe", cost.observe)):
            arguments = [*context.stator_arguments, "--capacity", mode]
            server = stack.enter_context(servers.stator(replace(context, stator_arguments=arguments), f"stator_{mode}"))
            with DynamoClient(server.port) as client:
                client.create_table(ITEM_TABLE, ["pk"])
            load.run(server, "fill_items", FILL_SECONDS, items=plan.items)
            server.pause()
            sides.append((server, side))
        for number in range(plan.rounds):
            say(f"cost: round {number + 1} of {plan.rounds}")
            for server, side in sides if number % 2 == 0 else reversed(sides):
                server.resume()
                load.run(server, "get_item", ROUND_WARMUP_SECONDS, 0, plan.items)
                before = _cpu_seconds(server)
                result = load.run(server, "get_item", plan.duration, 0, plan.items)
                side.results.append(result)
                side.cpu_us.append((_cpu_seconds(server) - before) / result.requests * 1e6)
                server.pause()
    return cost


def measure_memory(context: Context, tables: int) -> float:
    """By how many MB a server grows when all its tables are used and watched for hot keys.

    Everything that a request leaves behind is in it, the meters of capacity, metrics and insights among it.
    """
    with servers.stator(context, "stator_metering") as server, DynamoClient(server.port) as client:
        names = [f"table-{number:04}" for number in range(tables)]
        say(f"memory: {tables} tables")
        for name in names:
            client.create_table(name, ["pk"], ["owner"])
        time.sleep(2)
        before = server.rss_mb()
        for name in names:
            client.call("UpdateContributorInsights", TableName=name, ContributorInsightsAction="ENABLE")
        for name in names:
            for number in range(KEYS_PER_TABLE):
                key = {"pk": {"S": f"customer-{number}"}}
                client.call("PutItem", TableName=name, Item={**key, "owner": {"S": f"owner-{number % 5}"}})
            client.call("GetItem", TableName=name, Key=key)
            client.call("Query", TableName=name, KeyConditionExpression="pk = :pk",
                        ExpressionAttributeValues={":pk": key["pk"]})
        time.sleep(2)  # the collector comes by once a second
        return server.rss_mb() - before


def measure_simulation(context: Context, model: Path) -> tuple[float, int]:
    """Seconds to play a day of a model at a thousand requests a second or more, and the requests."""
    say("simulate: a day")
    report = context.cache / "simulation.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    begin = time.perf_counter()
    subprocess.run([str(context.stator), "simulate", "--model", str(model), "--profile", "day", "--json", str(report)],
                   check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin, _requests(report)


def _requests(report: Path) -> int:
    found = json.loads(report.read_text())
    return int(found["requests"])
