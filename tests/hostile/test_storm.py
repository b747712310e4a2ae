"""Many thousand hostile requests: no crash, no 5xx, bounded memory, good clients served, guarded data unchanged."""

import collections
import os
import time

import tables
from good_client import TABLE as GOOD, GoodClient, remove_strange_tables
from storm import GUARDED, SANDBOX, Storm
from valid_requests import SCHEMAS, table_members
from wire_client import Client

PROCESSES = max(1, (os.cpu_count() or 2) // 2)  # of each kind
MEMORY_MAX = 1536 << 20
GROWTH_MAX = 256 << 20  # between the highest of the first half and the highest of the second
GUARDED_ITEMS = [{"pk": {"S": f"item-{n}"}, "v": {"S": f"value {n}"}, "n": {"N": str(n)}} for n in range(50)]


def prepare(port):
    client = Client(port)
    for schema in SCHEMAS:
        client.call("CreateTable", **table_members(f"{SANDBOX}-{schema}", schema))
    tables.create(client, GUARDED, ("pk",), {"pk": "S"})
    for item in GUARDED_ITEMS:
        client.call("PutItem", TableName=GUARDED, Item=item)


def guarded_items(port):
    items = tables.scan_all(Client(port), GUARDED, ConsistentRead=True)
    return sorted(items, key=lambda item: int(item["n"]["N"]))


def watch(storm, server):
    """Until the storm is over: looks at the memory, tidies up. Gives the samples."""
    samples = []
    while storm.running() and server.running():
        samples.append(server.memory_bytes())
        remove_strange_tables(server.port, (SANDBOX, GUARDED, GOOD))
        time.sleep(0.2)
    return samples


def assert_memory_is_bounded(samples):
    assert max(samples) < MEMORY_MAX, [sample >> 20 for sample in samples[:: max(1, len(samples) // 50)]]
    if len(samples) >= 40:  # of fewer the first half is still warming up
        half = len(samples) // 2
        grown = max(samples[half:]) - max(samples[:half])
        assert grown < GROWTH_MAX, [sample >> 20 for sample in samples[:: len(samples) // 40]]


def summary(reports, elapsed_s, samples, good_steps):
    requests = sum(report.requests for report in reports)
    statuses = collections.Counter()
    for report in reports:
        statuses.update({f"{report.kind} {status}": count for status, count in report.statuses.items()})
    return (
        f"{requests} requests in {elapsed_s:.1f} s ({requests / elapsed_s:.0f}/s), "
        f"{good_steps} rounds of the good client, memory at most {max(samples) >> 20} MB\n  "
        + ", ".join(f"{name}: {count}" for name, count in sorted(statuses.items()))
    )


def test_a_storm_of_hostile_requests_does_no_harm(new_server, storm_requests, seed, tmp_path, capsys):
    server = new_server("--durability", "relaxed").start()
    prepare(server.port)
    good = GoodClient(server.port)
    storm = Storm(server.port, seed, storm_requests, PROCESSES)
    good.start()
    samples = watch(storm, server)
    reports, elapsed_s = storm.join()

    for report in reports:
        if report.problem:
            (tmp_path / f"offending-{report.kind}").write_bytes(report.offending)
    problems = [f"{r.kind}: {r.problem} (sent: {tmp_path}/offending-{r.kind})" for r in reports if r.problem]
    assert server.running(), f"the server died: {server.log_text()[-2000:]} {problems}"
    assert problems == []
    good_steps = good.stop()
    assert good_steps > 0
    with capsys.disabled():
        print(f"\n  STATOR_SEED={seed}: {summary(reports, elapsed_s, samples, good_steps)}")
    assert server.log_text() == ""
    assert guarded_items(server.port) == GUARDED_ITEMS
    assert_memory_is_bounded(samples)

    assert server.stop() == 0
    restarted = new_server().start()
    assert guarded_items(restarted.port) == GUARDED_ITEMS
    assert Client(restarted.port).call("DescribeTable", TableName=GUARDED)["Table"]["ItemCount"] == len(GUARDED_ITEMS)
