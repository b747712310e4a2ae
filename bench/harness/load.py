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


class Running:
    """A run of stator_load that has been started."""

    def __init__(self, server: Server, workload: str, process: subprocess.Popen, timeout: float):
        self._server = server
        self._workload = workload
        self._process = process
        self._timeout = timeout

    def ended(self) -> bool:
        return self._process.poll() is not None

    def result(self) -> Result:
        """Waits for the end of the run. Raises InvalidRun unless every request had its answer."""
        name = f"{self._server.name}, {self._workload}"
        try:
            output, messages = self._process.communicate(timeout=self._timeout)
        except subprocess.TimeoutExpired as reason:
            self._process.kill()
            raise InvalidRun(f"{name}: {reason}") from reason
        self._server.require_running()
        if not output.strip():
            raise InvalidRun(f"{name}: {messages.strip()}")
        report = json.loads(output)
        if self._process.returncode != 0:
            raise InvalidRun(
                f"{name}: {report['errors']} errors, "
                f"{report['disconnects']} disconnects, {report['unanswered']} unanswered of "
                f"{report['requests']}; first: {report['first_error'] or messages.strip()}"
            )
        return Result(**{name: report[name] for name in Result.__dataclass_fields__})


class Load:
    """The load generator, pinned to the client's processor."""

    def __init__(self, context: Context, connections: int):
        self._context = context
        self._binary = context.tools / "stator_load"
        self._connections = connections

    def run(self, server: Server, workload: str, duration: float, warmup: float = 0,
            items: int = 10000, prepared: int = 100000, **flags) -> Result:
        """Runs a workload to its end. `flags` are further flags of stator_load, such as rate."""
        return self.start(server, workload, duration, warmup, items, prepared, **flags).result()

    def start(self, server: Server, workload: str, duration: float, warmup: float = 0,
              items: int = 10000, prepared: int = 100000, **flags) -> Running:
        """Starts a workload that goes on beside whatever the caller does."""
        command = [
            "taskset", "-c", str(self._context.client_core), str(self._binary),
            "--workload", workload, "--port", str(server.port),
            "--connections", str(flags.pop("connections", self._connections)),
            "--duration", str(duration), "--warmup", str(warmup),
            "--items", str(items), "--prepared", str(prepared),
            "--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY,
        ]
        for name, value in flags.items():
            command += [f"--{name}", str(value)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return Running(server, workload, process, duration + warmup + PREPARE_SECONDS)

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
