"""Runs the server binary as a process of its own."""

import os
import pathlib
import re
import select
import signal
import subprocess
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
START_S = 60  # a bound for a busy machine, not an expectation
STOP_S = 60


def binary():
    return pathlib.Path(os.environ.get("STATOR_BINARY", REPOSITORY / "build" / "stator"))


class StartFailed(Exception):
    """The server ended, or said something else, instead of naming its address."""


class ServerProcess:
    """A server on 127.0.0.1 and a free port. What it writes to stderr is kept in `log`."""

    def __init__(self, log, *options, data=None, store=None, keep_port=False):
        self.log = pathlib.Path(log)
        self.data = data
        if store is None:
            store = ["--data", str(data)] if data else ["--in-memory"]
        self._options = [*store, *options]
        self._keep_port = keep_port  # across restarts, for clients that know the address
        self.process = None
        self.first_line = ""
        self.port = 0

    def launch(self):
        """Starts the process and does not wait until it is ready."""
        port = str(self.port if self._keep_port else 0)
        command = [str(binary()), "serve", "--port", port, *self._options]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log
            )
        return self

    def start(self):
        return self.launch().ready()

    def ready(self):
        """Waits until the process that was launched names its address."""
        self.first_line = self._read_line(time.monotonic() + START_S)
        match = re.fullmatch(r"stator is ready on http://127\.0\.0\.1:(\d+) \(.*\)\n", self.first_line)
        if not match:
            self.kill()
            raise StartFailed(f"first line {self.first_line!r}; log: {self.log_text()[-2000:]}")
        self.port = int(match.group(1))
        return self

    def _read_line(self, deadline):
        line = b""
        while not line.endswith(b"\n") and time.monotonic() < deadline:
            if not select.select([self.process.stdout], [], [], 0.5)[0]:
                continue
            byte = os.read(self.process.stdout.fileno(), 1)
            if not byte:
                break
            line += byte
        return line.decode()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def kill(self):
        """SIGKILL: nothing of the process runs any more."""
        self.process.kill()
        self._ended()

    def stop(self, number=signal.SIGTERM):
        """Asks the server to stop and gives its exit code."""
        self.process.send_signal(number)
        return self._ended()

    def wait(self):
        """Waits for the server to end by itself and gives its exit code."""
        return self._ended()

    def _ended(self):
        try:
            code = self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = None
        self.process.stdout.close()
        return code

    def running(self):
        return self.process is not None and self.process.poll() is None

    def memory_bytes(self):
        """What the process holds in memory now."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024

    def processor_s(self):
        """The processor time that the process has used so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def forget_peak_memory(self):
        """The highest use of memory counts from here on."""
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def peak_memory_bytes(self):
        """The most that the process has held in memory since forget_peak_memory()."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1)) * 1024

    def log_text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.running():
            self.kill()


def run_to_end(*arguments, timeout_s=START_S):
    """Runs the binary with these arguments until it ends; gives exit code, stdout and stderr."""
    done = subprocess.run(
        [str(binary()), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
        timeout=timeout_s,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()
