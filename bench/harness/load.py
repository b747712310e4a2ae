"""Running the load generator."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .dynamo import ACCESS_KEY, SECRET_KEY
from .servers import Context, Server


# The most time that making the requests may take.
PREPARE_SECONDS = 120


class InvalidRun(Exception):
    """A run that had errors; its figures must not be used."""


@dataclass(frozen=True)
class Result:
    """What stator_load printed about one run."""

    requests: int
    seconds: float
    requests_per_second: float
    bytes_per_second: float
    mean_us: float
    p50_us: float
    p99_us: float
    p999_us: float
    generator_busy: float


class Load:
    """The load generator, pinned to the client's processor."""

    def __init__(self, context: Context, connections: int):
        self._context = context
        self._binary = context.tools / "stator_load"
        self._connections = connections

    def run(self, server: Server, workload: str, duration: float, warmup: float = 0,
            items: int = 10000, prepared: int = 100000) -> Result:
        command = [
            "taskset", "-c", str(self._context.client_core), str(self._binary),
            "--workload", workload, "--port", str(server.port),
            "--connections", str(self._connections),
            "--duration", str(duration), "--warmup", str(warmup),
            "--items", str(items), "--prepared", str(prepared),
            "--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY,
        ]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, timeout=duration + warmup + PREPARE_SECONDS)
        except subprocess.TimeoutExpired as reason:
            raise InvalidRun(f"{server.name}, {workload}: {reason}") from reason
        server.require_running()
        if not done.stdout.strip():
            raise InvalidRun(f"{server.name}, {workload}: {done.stderr.strip()}")
        report = json.loads(done.stdout)
        if done.returncode != 0:
            raise InvalidRun(
                f"{server.name}, {workload}: {report['errors']} errors, "
                f"{report['disconnects']} disconnects, {report['unanswered']} unanswered of "
                f"{report['requests']}; first: {report['first_error'] or done.stderr.strip()}"
            )
        return Result(**{name: report[name] for name in Result.__dataclass_fields__})

    def expected(self, kind: str, index: int) -> str:
        """The item that a fill workload writes; `kind` is "item", "row" or "redis"."""
        return subprocess.run(
            [str(self._binary), "--workload", f"print_{kind}", "--index", str(index)],
            stdout=subprocess.PIPE, text=True, check=True,
        ).stdout.rstrip("\n")


def build_tools(source: Path, build: Path) -> None:
    """Builds the load generator and the ceiling server."""
    for command in (
        ["cmake", "-S", str(source), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release"],
        ["cmake", "--build", str(build)],
    ):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise InvalidRun(f"{' '.join(command)} failed:\n{done.stdout}")
