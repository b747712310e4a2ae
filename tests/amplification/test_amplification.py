"""Random requests, each measured: none costs more than follows from its size and from what is billed for it."""

import dataclasses
import json
import random
import time

import botocore.session
import tables
from items import ITEM_BYTES_MAX, TABLE, dump, item_bodies
from server_process import ServerProcess
from traffic import Traffic
from wire_client import Client

READ_UNIT, WRITE_UNIT = 4096, 1024
WORST = 10
TRIES = 3  # the lowest cost counts: the machine may have been busy with something else


@dataclasses.dataclass
class Allowance:
    """What a request may cost: something of itself, per byte that was sent, and per byte that is billed."""

    processor_s: float
    memory: int
    answer: int

    @classmethod
    def of(cls, sent, billed, items_shown):
        shown = 16 * billed if items_shown else 0
        return cls(0.15 + 0.5e-6 * sent + 1e-6 * billed, (64 << 20) + 48 * (sent + billed), (128 << 10) + 2 * sent + shown)


@dataclasses.dataclass
class Cost:
    operation: str
    status: int
    sent: int
    billed: int
    processor_s: float
    memory: int
    answer: int
    items_shown: bool  # whether items, or parts of them, are in the answer

    def share(self):
        """How much of what is allowed it took; more than 1 is too much."""
        allowed = Allowance.of(self.sent, self.billed, self.items_shown)
        return max(
            self.processor_s / allowed.processor_s, self.memory / allowed.memory, self.answer / allowed.answer
        )

    def line(self):
        return (
            f"{self.operation:22} {self.status}  sent {self.sent:>9,}  billed {self.billed:>9,}  "
            f"processor {self.processor_s * 1000:>6.0f} ms  memory {self.memory >> 20:>4} MB  answer {self.answer:>9,}  "
            f"{self.share():.2f} of what is allowed"
        )


def billed_bytes(document, request):
    """What the answer says was billed; of a refusal the largest item for each key."""
    consumed = document.get("ConsumedCapacity")
    if consumed is None:
        return request.items * ITEM_BYTES_MAX
    units = sum(each["CapacityUnits"] for each in (consumed if isinstance(consumed, list) else [consumed]))
    reads = request.operation in ("GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems", "ExecuteStatement")
    return int(units * (2 * READ_UNIT if reads else WRITE_UNIT)) + ITEM_BYTES_MAX  # the row in which it passes the limit


class Meter:
    def __init__(self, server):
        self.server = server
        self.client = Client(server.port)

    def measure(self, request, body):
        self.server.forget_peak_memory()
        memory, processor = self.server.memory_bytes(), self.server.processor_s()
        status, document = self.client.send(request.operation, body)
        return Cost(
            request.operation, status, len(body), billed_bytes(document, request), self.server.processor_s() - processor,
            self.server.peak_memory_bytes() - memory, len(json.dumps(document)),
            status == 200 or "Item" in document or "CancellationReasons" in document,
        )

    def cheapest(self, request, body):
        cost = self.measure(request, body)
        for _ in range(TRIES - 1):
            if cost.share() <= 1:
                break
            self.restore(request)
            cost = min(cost, self.measure(request, body), key=Cost.share)
        return cost

    def restore(self, request):
        for name in request.writes:
            self.client.send("PutItem", item_bodies()[name])


def prepare(client):
    tables.create(client, TABLE, ("pk",), {"pk": "S"})
    for name, body in item_bodies().items():
        status, document = client.send("PutItem", body)
        assert status == 200, (name, str(document)[:300])


def test_no_request_costs_more_than_it_sends_and_pays(tmp_path, seed, request_count):
    model = botocore.session.Session().get_service_model("dynamodb")
    traffic = Traffic(model, random.Random(seed))
    worst, statuses = [], {}
    with ServerProcess(tmp_path / "server.log") as server:
        prepare(Client(server.port))
        meter = Meter(server)
        began = time.monotonic()
        for _ in range(request_count):
            request = traffic.next()
            body = dump(request.members).encode()
            (tmp_path / "request.json").write_bytes(body)  # the last one is there if this ends badly
            cost = meter.cheapest(request, body)
            statuses[cost.status] = statuses.get(cost.status, 0) + 1
            worst = sorted([*worst, cost], key=Cost.share, reverse=True)[:WORST]
            if cost.share() > 1 or cost.status >= 500:
                raise AssertionError(f"{cost.line()}\n{request.operation}: {tmp_path / 'request.json'}")
            if cost.status == 200:
                meter.restore(request)
        elapsed_s = time.monotonic() - began
        counted = ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))
        print(f"\n{request_count} requests in {elapsed_s:.0f} s ({counted}), {server.processor_s():.0f} s of processor time; the worst:")
        print("\n".join(cost.line() for cost in worst))
