"""Starting, pausing and stopping the servers under test."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from .dynamo import DynamoClient, DynamoError
from .resp import RedisClient, RedisError

BENCH_DIR = Path(__file__).resolve().parent.parent
STATUS_SKIPPED = 3


class Unavailable(Exception):
    """A server cannot be had on this machine, or does not start."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass
class Context:
    """Where things are and which processors to use."""

    stator: Path
    tools: Path
    cache: Path
    server_core: int
    client_core: int
    peer_storage: str = "memory"
    stator_arguments: list[str] = field(default_factory=list)

    def data_dir(self, name: str) -> Path:
        return self.cache / "data" / name


class Server:
    """One server process, pinned to the server's processor.

    `speaks` is "dynamo", "redis" or "http". The process can be paused, so that servers that are
    not being measured take nothing from the one that is.
    """

    def __init__(self, context: Context, name: str, speaks: str, command: list[str], port: int):
        self.name = name
        self.speaks = speaks
        self.port = port
        self.start_ms = 0.0
        self._context = context
        self._command = command
        self._process: subprocess.Popen | None = None
        self._log = context.data_dir(name).parent / f"{name}.log"

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_) -> None:
        self.stop()

    def start(self, timeout: float = 60) -> Server:
        """Starts the process and waits for its first right answer."""
        self._log.parent.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "STATOR_BENCH_CACHE": str(self._context.cache)}
        with open(self._log, "wb") as log:
            begin = time.perf_counter()
            self._process = subprocess.Popen(
                ["taskset", "-c", str(self._context.server_core), *self._command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment,
            )
        while not self._answers():
            if self._process.poll() is not None:
                raise Unavailable(f"{self.name} ended at its start: {self._log_tail()}")
            if time.perf_counter() - begin > timeout:
                self.stop()
                raise Unavailable(f"{self.name} gave no answer within {timeout:.0f} s")
            time.sleep(0.0005)
        self.start_ms = (time.perf_counter() - begin) * 1000
        return self

    def _answers(self) -> bool:
        try:
            return self._first_answer()
        except (OSError, ValueError, http.client.HTTPException, DynamoError, RedisError):
            return False

    def _first_answer(self) -> bool:
        if self.speaks == "dynamo":
            with DynamoClient(self.port, timeout=10) as client:
                return "TableNames" in client.call("ListTables")
        if self.speaks == "redis":
            with RedisClient(self.port, timeout=10) as client:
                return client.call("PING") == "PONG"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", "/")
        status = connection.getresponse().status
        connection.close()
        return status == 200

    def _log_tail(self) -> str:
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return " / ".join(lines[-3:]) or "it printed nothing"

    def pause(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def require_running(self) -> None:
        if self._process.poll() is not None:
            raise Unavailable(f"{self.name} ended by itself: {self._log_tail()}")

    @property
    def pid(self) -> int:
        return self._process.pid

    def rss_mb(self) -> float:
        """The resident memory of the process now."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise Unavailable(f"{self.name} has no memory; did it end?")

    def cpu_seconds(self) -> float:
        """The processor time of the process until now."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def settle(self, seconds: float) -> None:
        """Waits until the process has nothing more to do in the background, for so long at most."""
        until = time.monotonic() + seconds
        before = self.cpu_seconds()
        while time.monotonic() < until:
            time.sleep(1)
            now = self.cpu_seconds()
            if now - before < 0.05:
                return
            before = now

    def stop(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGCONT)
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def empty_dir(path: Path) -> Path:
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def stator(context: Context, name: str = "stator", keep_data: bool = False) -> Server:
    """Stator on disk, every write durable before its answer."""
    if not os.access(context.stator, os.X_OK):
        raise Unavailable(f"no Stator at {context.stator}: build it, or say where with --stator")
    data = context.data_dir(name)
    if not keep_data:
        empty_dir(data)
    port = free_port()
    command = [
        str(context.stator), "serve", "--host", "127.0.0.1", "--port", str(port),
        "--data", str(data), "--threads", "1", "--durability", "full",
        *context.stator_arguments,
    ]
    return Server(context, name, "dynamo", command, port)


def ceiling(context: Context, name: str, body_bytes: int) -> Server:
    port = free_port()
    command = [
        str(context.tools / "stator_ceiling"), "--port", str(port), "--body-bytes", str(body_bytes),
    ]
    return Server(context, name, "http", command, port)


def peer(context: Context, script: str, storage: str, name: str) -> Server:
    """A peer from bench/peers, fetched first if need be."""
    path = BENCH_DIR / "peers" / script
    environment = {**os.environ, "STATOR_BENCH_CACHE": str(context.cache)}
    fetched = subprocess.run(
        [path, "fetch"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True,
    )
    if fetched.returncode != 0:
        lines = fetched.stderr.strip().splitlines() or [f"{script} fetch failed"]
        raise Unavailable(lines[-1])
    port = free_port()
    data = empty_dir(context.data_dir(name))
    speaks = "redis" if script == "redis" else "dynamo"
    return Server(context, name, speaks, [str(path), "serve", str(port), str(data), storage], port)
