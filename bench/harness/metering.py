"""What it costs to meter requests, and how much memory the meters take."""

from __future__ import annotations

import os
import re
import resource
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
from .throughput import Plan

BATCHES_PER_TABLE = 2
BATCH = 25  # keys; more than an insight rule keeps
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
                before = _cpu_seconds(server)  # of all requests: there is no warm-up that would not be counted
                result = load.run(server, "get_item", plan.duration, 0, plan.items)
                side.results.append(result)
                side.cpu_us.append((_cpu_seconds(server) - before) / result.requests * 1e6)
                server.pause()
    return cost


def measure_instructions(context: Context, requests: int = 4000) -> tuple[float, float]:
    """Instructions of a GetItem with capacity observed and off, by callgrind: no other program disturbs them."""
    counts = [(_instructions(context, mode, requests + 500) - _instructions(context, mode, 500)) / requests
              for mode in ("observe", "off")]
    return counts[0], counts[1]


def _instructions(context: Context, mode: str, requests: int) -> int:
    say(f"instructions: {requests} requests, capacity {mode}")
    output = context.cache / "callgrind.out"
    output.parent.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", str(context.stator), "serve", "--in-memory",
         "--port", "0", "--threads", "1", "--capacity", mode], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = int(re.search(r":(\d+) ", process.stdout.readline()).group(1))
        with DynamoClient(port, timeout=120) as client:
            client.create_table(ITEM_TABLE, ["pk"])
            client.call("PutItem", TableName=ITEM_TABLE, Item={"pk": {"S": "key"}, "data": {"S": "x" * 200}})
            for _ in range(requests):
                client.get_item("key")
    finally:
        process.terminate()
        process.wait()
    return int(re.search(r"^(?:summary|totals): (\d+)", output.read_text(), re.MULTILINE).group(1))


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
            for first in range(0, BATCHES_PER_TABLE * BATCH, BATCH):
                client.call("BatchWriteItem", RequestItems={name: [
                    {"PutRequest": {"Item": {"pk": {"S": f"customer-{first + n}"}, "owner": {"S": f"owner-{n % 5}"}}}}
                    for n in range(BATCH)]})
            key = {"pk": {"S": "customer-1"}}
            client.call("PutItem", TableName=name, Item=key)
            client.call("GetItem", TableName=name, Key=key)
            client.call("Query", TableName=name, KeyConditionExpression="pk = :pk",
                        ExpressionAttributeValues={":pk": key["pk"]})
        time.sleep(2)  # the collector comes by once a second
        return server.rss_mb() - before


def measure_simulation(context: Context, model: Path, rate_factor: float) -> float:
    """Seconds of processor time to play a day of a model."""
    say("simulate: a day")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([str(context.stator), "simulate", "--model", str(model), "--profile", "day", "--rate-factor",
                    str(rate_factor)], check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
