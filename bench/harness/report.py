"""The tables, in Markdown."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from .footprint import ConnectionMemory, Scale, StartTimes
from .throughput import PEERS, Comparison, Runs

# Memory that comes and goes with the allocator and the kernel's accounting.
NO_GROWTH_MB = 1.0

TITLES = {
    "redis": "Redis",
    "redis_durable": "Redis, appendfsync always",
    "dynalite": "dynalite",
    "dynamodb_local": "DynamoDB Local",
    "dynoxide": "dynoxide",
    "ceiling_item": "constant answer",
    "ceiling_query": "constant answer",
    "stator": "Stator",
}
MEASURES = {"get": "GetItem", "put": "PutItem, durable", "query": "Query of 100 items"}
PEER_OPERATION = {("get", "redis"): "GET", ("put", "redis_durable"): "SET"}

# The least ratio to each peer that the project aims at.
RATIO_TARGETS = {
    ("get", "redis"): 1.0,
    ("get", "dynalite"): 8.0,
    ("get", "dynamodb_local"): 20.0,
    ("put", "redis_durable"): 0.8,
    ("put", "dynalite"): 8.0,
    ("put", "dynamodb_local"): 20.0,
    ("query", "ceiling_query"): 0.5,
}
START_TARGET_MS = 50
IDLE_TARGET_MB = 40
SCALE_TARGET = 1.3


@dataclass
class Row:
    what: str
    stator: str
    peer: str
    ratio: str
    target: str
    verdict: str

    def cells(self) -> list[str]:
        return [self.what, self.stator, self.peer, self.ratio, self.target, self.verdict]


def table(head: list[str], rows: list[list[str]], left: int = 1) -> str:
    """A Markdown table; all columns but the first `left` are aligned to the right."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]

    def line(cells: list[str]) -> str:
        padded = [
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths))
        ]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * w if i < left else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    return "\n".join([line(head), line(rule), *(line(row) for row in rows)])


def main_table(rows: list[Row]) -> str:
    head = ["Measure", "Stator", "Peer", "Ratio", "Target", "Reached"]
    return table(head, [row.cells() for row in rows])


def ratio_rows(comparison: Comparison, measures: list[str]) -> list[Row]:
    rows = []
    for measure in measures:
        stator = comparison.runs.get((measure, "stator"))
        for peer in PEERS[measure]:
            other = comparison.runs.get((measure, peer))
            target = RATIO_TARGETS.get((measure, peer))
            if other is None and target is None:
                continue
            operation = PEER_OPERATION.get((measure, peer))
            title = TITLES[peer] + (f" ({operation})" if operation else "")
            what = f"{MEASURES[measure]} vs {title}"
            rows.append(_ratio_row(what, measure, stator, other, target))
    return rows


def _ratio_row(what: str, measure: str, stator: Runs | None, other: Runs | None,
               target: float | None) -> Row:
    wanted = "" if target is None else f"≥ {target:g}"
    if stator is None or other is None:
        return Row(what, _rate(stator, measure), _rate(other, measure), "", wanted, "not measured")
    unit = "bytes_per_second" if measure == "query" else "requests_per_second"
    ratio = stator.median(unit) / other.median(unit)
    reached = "" if target is None else verdict(ratio >= target)
    return Row(what, _rate(stator, measure), _rate(other, measure), f"{ratio:.2f}", wanted, reached)


def _rate(runs: Runs | None, measure: str) -> str:
    if runs is None:
        return "-"
    if measure == "query":
        return f"{runs.median('bytes_per_second') / 1e6:,.0f} MB/s"
    return f"{runs.median('requests_per_second'):,.0f} req/s"


def verdict(reached: bool) -> str:
    return "yes" if reached else "no"


def start_rows(times: StartTimes, items: int) -> list[Row]:
    empty = statistics.median(times.empty_ms)
    filled = statistics.median(times.filled_ms)
    return [
        Row("Start to first answer, no data", f"{empty:.1f} ms", "", "", f"< {START_TARGET_MS} ms",
            verdict(empty < START_TARGET_MS)),
        Row(f"Start to first answer, {items:,} items", f"{filled:.1f} ms", "", "", "", ""),
    ]


def memory_rows(idle_mb: float) -> list[Row]:
    return [Row("Resident memory, idle", f"{idle_mb:.1f} MB", "", "", f"< {IDLE_TARGET_MB} MB",
                verdict(idle_mb < IDLE_TARGET_MB))]


def connection_rows(memory: ConnectionMemory) -> list[Row]:
    first = memory.after_first_mb - memory.before_mb
    second = memory.after_second_mb - memory.after_first_mb
    return [
        Row("Memory growth, 1,000 connections opened and closed", f"{first:+.2f} MB", "", "",
            "none", verdict(first < NO_GROWTH_MB)),
        Row("Memory growth, another 1,000", f"{second:+.2f} MB", "", "", "none",
            verdict(second < NO_GROWTH_MB)),
    ]


def scale_rows(scale: Scale) -> list[Row]:
    small, large = scale.small.median("p50_us"), scale.large.median("p50_us")
    what = f"GetItem latency, {scale.large_items:,} items vs {scale.small_items:,} (p50)"
    ratio = large / small
    small_p99, large_p99 = scale.small.median("p99_us"), scale.large.median("p99_us")
    return [
        Row(what, f"{large:,.0f} µs", f"{small:,.0f} µs", f"{ratio:.2f}", f"≤ {SCALE_TARGET}",
            verdict(ratio <= SCALE_TARGET)),
        Row("The same, p99", f"{large_p99:,.0f} µs", f"{small_p99:,.0f} µs",
            f"{large_p99 / small_p99:.2f}", "", ""),
        Row("The same, keys that are read for the first time (p50)", f"{scale.first_reads.p50_us:,.0f} µs",
            f"{small:,.0f} µs", f"{scale.first_reads.p50_us / small:.2f}", "", ""),
        Row(f"Filling {scale.large_items:,} items", f"{scale.fill_seconds:,.0f} s", "", "", "", ""),
        Row(f"Resident memory, {scale.large_items:,} items", f"{scale.large_rss_mb:,.0f} MB", "",
            "", "", ""),
    ]


def detail_table(comparison: Comparison) -> str:
    """Every measure on every server: the medians, and how far the rounds were apart."""
    rows = []
    for (measure, name), runs in comparison.runs.items():
        low, high = runs.spread("requests_per_second")
        rows.append([
            MEASURES[measure], TITLES[name],
            f"{runs.median('requests_per_second'):,.0f}", f"{low:,.0f} to {high:,.0f}",
            f"{runs.median('bytes_per_second') / 1e6:,.1f}", f"{runs.median('p50_us'):,.0f}",
            f"{runs.median('p99_us'):,.0f}", f"{runs.median('p999_us'):,.0f}",
            f"{runs.median('generator_busy') * 100:.0f} %",
        ])
    head = ["Measure", "Server", "req/s", "slowest to fastest round", "MB/s", "p50 µs", "p99 µs",
            "p99.9 µs", "generator busy"]
    return table(head, rows, left=2)


def server_table(comparison: Comparison) -> str:
    rows = [
        [TITLES[name], f"{comparison.start_ms[name]:,.0f}", f"{comparison.idle_rss_mb[name]:,.0f}"]
        for name in comparison.start_ms
        if not name.startswith("ceiling")
    ]
    return table(["Server", "start to first answer, ms", "idle memory, MB"], rows)
