"""Processes that send hostile requests as fast as they can, and look at every answer.

Three kinds of sender: `mutated` requests of all operations to tables where anything may happen; `spoiled` writes to a
guarded table, which must all be refused; and `http`, improper HTTP on connections of its own. The first two pipeline.
"""

import dataclasses
import json
import multiprocessing
import queue
import random
import select
import socket
import time
import zlib

import http_attacks
from mutations import Mutator
from spoilers import spoiled_write
from valid_requests import Requests
from wire_client import AnswerReader, Signer, Unanswered, check_crc

BATCH = 24  # requests in one write
SANDBOX = "sandbox"
GUARDED = "guarded"
PARSED_EVERY = 16  # of so many answers one is read as JSON
HTTP_SHARE = 200  # one improper connection for so many proper requests: each costs far more
TIMEOUT_S = 120


@dataclasses.dataclass
class Report:
    """What one process did and saw."""

    kind: str
    requests: int = 0
    statuses: dict = dataclasses.field(default_factory=dict)
    problem: str = ""  # the first thing that must not happen
    offending: bytes = b""  # what was sent just before

    def count(self, status):
        self.requests += 1
        self.statuses[status] = self.statuses.get(status, 0) + 1


class Pipeline:
    """Sends batches of requests on one connection and reads as many answers."""

    def __init__(self, port):
        self._port = port
        self.signer = Signer(f"127.0.0.1:{port}")
        self._connect()

    def _connect(self):
        self._connection = socket.create_connection(("127.0.0.1", self._port), TIMEOUT_S)
        self._connection.setblocking(False)
        self._reader = AnswerReader(self._connection)

    def exchange(self, batch):
        """The answers to all requests of the batch, as (status, body).

        Reads while it writes: the server takes no more requests from one who does not take its answers.
        """
        left, answers = memoryview(b"".join(batch)), []
        while len(answers) < len(batch):
            while (answer := self._reader.take()) is not None:
                status, head, body = answer
                check_crc(head, body)
                answers.append((status, body))
            if len(answers) == len(batch):
                break
            readable, writable, _ = select.select([self._connection], [self._connection] if left else [], [], TIMEOUT_S)
            if not readable and not writable:
                raise Unanswered(f"nothing for {TIMEOUT_S} s, {len(answers)} of {len(batch)} answers")
            if writable:
                left = left[self._connection.send(left) :]
            if readable:
                self._reader.receive()
        return answers


def next_mutated(choices):
    """Gives requests as (operation, body): a mutated document, and the same with broken bytes."""
    requests, mutator = Requests(choices, SANDBOX), Mutator(choices)
    while True:
        operation, document = requests.one()
        body = mutator.mutate(document)
        yield operation, body
        if choices.random() < 0.2:
            yield operation, mutator.break_bytes(body)


def next_spoiled(choices):
    while True:
        yield spoiled_write(choices, GUARDED)


def send_proper(kind, port, seed, count):
    """Mutated or spoiled requests: properly framed, so each gets an answer and the connection stays."""
    report = Report(kind)
    source = (next_mutated if kind == "mutated" else next_spoiled)(random.Random(seed))
    allowed = {200, 400} if kind == "mutated" else {400}
    pipeline = Pipeline(port)
    while report.requests < count and not report.problem:
        batch = [pipeline.signer.request(*next(source)) for _ in range(min(BATCH, count - report.requests))]
        try:
            answers = pipeline.exchange(batch)
        except (OSError, Unanswered, AssertionError, ValueError) as error:
            report.problem, report.offending = f"no proper answer: {error!r}", b"".join(batch)
            break
        for request, (status, body) in zip(batch, answers):
            report.count(status)
            if status not in allowed:
                report.problem, report.offending = f"answered {status} {body[:300]!r}", request
            elif report.requests % PARSED_EVERY == 0 and not is_good_answer(status, body):
                report.problem, report.offending = f"improper answer {status} {body[:300]!r}", request
    return report


def is_good_answer(status, body):
    try:
        document = json.loads(body)
    except ValueError:
        return False
    if status == 200:
        return isinstance(document, dict) and "__type" not in document
    return document.get("__type", "").startswith("com.amazon")


def send_http(kind, port, seed, count):
    """Improper HTTP, one connection each."""
    report = Report(kind)
    choices = random.Random(seed)
    bombs = ("gzip bomb", "almost a bomb", "deflate bomb", "many tiny chunks", "endless headers")
    while report.requests < count and not report.problem:
        data = http_attacks.mutated_attack(choices)
        if choices.random() < 0.01:
            data = http_attacks.ATTACKS[choices.choice(bombs)]
        try:
            if choices.random() < 0.1:
                http_attacks.reset(port, data)
                report.count("reset")
                continue
            found = http_attacks.statuses(port, data, pieces=choices.choice((1, 1, 1, 4)))
        except OSError as error:
            report.problem, report.offending = f"no proper answer: {error!r}", data
            break
        for status in found or ["closed"]:
            report.count(status)
            if isinstance(status, int) and status not in http_attacks.expected(data):
                report.problem, report.offending = f"answered {status}", data
    return report


def _process(kind, port, seed, count, results):
    sender = send_http if kind == "http" else send_proper
    results.put(sender(kind, port, seed, count))


class Storm:
    """All senders of a storm, from now until join()."""

    def __init__(self, port, seed, requests, processes):
        context = multiprocessing.get_context("fork")
        self._results = context.Queue()
        self._reports = []
        self._began = time.monotonic()
        shares = [("http", max(1, requests // HTTP_SHARE))]
        for number in range(processes):  # three mutated requests for a spoiled one
            shares.append(("mutated", requests * 3 // 4 // processes))
            shares.append(("spoiled", requests // 4 // processes))
        self._processes = [
            context.Process(
                target=_process, daemon=True,
                args=(kind, port, zlib.crc32(f"{seed} {number}".encode()), count, self._results),
            )
            for number, (kind, count) in enumerate(shares)
        ]
        for process in self._processes:
            process.start()

    def running(self):
        """Whether some sender has not reported yet."""
        try:
            while len(self._reports) < len(self._processes):
                self._reports.append(self._results.get_nowait())
        except queue.Empty:
            pass
        return len(self._reports) < len(self._processes) and any(process.is_alive() for process in self._processes)

    def join(self):
        """The reports of all senders and how long they took."""
        while len(self._reports) < len(self._processes):
            self._reports.append(self._results.get(timeout=TIMEOUT_S))
        for process in self._processes:
            process.join()
        return self._reports, time.monotonic() - self._began
