"""Runs `stator trigger` with a function that records what it is given (recorder.py)."""

import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

from server_process import binary

RECORDER = pathlib.Path(__file__).resolve().parent / "recorder.py"
LONGEST_S = 120  # a bound for a busy machine, not an expectation


def wait_until(condition, what="it"):
    """Looks until the condition gives something true, and gives it back."""
    deadline = time.monotonic() + LONGEST_S
    while not (value := condition()):
        assert time.monotonic() < deadline, f"waited too long for {what}"
        time.sleep(0.02)
    return value


class Trigger:
    """One process. What the function is given stands in a file that processes, one after the other, may share."""

    def __init__(
        self, port, table, folder, *options, program=None, url=None, checkpoint="position.json", behaviour=None
    ):
        self.folder = folder
        self.given = folder / "given.jsonl"
        self.failures = folder / "failures.jsonl"
        self.checkpoint = folder / checkpoint
        self.behave(**(behaviour or {}))
        target = ["--url", url] if url else ["--program", program or f"{sys.executable} {RECORDER}"]
        self._command = [
            str(binary()), "trigger", "--endpoint", f"http://127.0.0.1:{port}", "--table", table, *target,
            "--checkpoint", str(self.checkpoint), "--poll-ms", "10", *options,
        ]  # fmt: skip
        self.process = None

    def behave(self, **behaviour):
        """What the function does from now on; see recorder.py."""
        text = self.folder / "behaviour.new"
        text.write_text(json.dumps(behaviour))
        text.rename(self.folder / "behaviour.json")

    def launch(self):
        environment = dict(os.environ, STATOR_TEST_FOLDER=str(self.folder))
        environment.pop("AWS_ENDPOINT_URL", None)
        self.process = subprocess.Popen(
            self._command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        return self

    def start(self):
        self.launch()
        wait_until(lambda: select.select([self.process.stdout], [], [], 0)[0], "the first line")
        line = self.process.stdout.readline()
        assert line.startswith("stator trigger follows "), (line, self.process.stderr.read() if not line else "")
        return self

    def complaint(self):
        """What it wrote to stderr since the last look."""
        waits = select.select([self.process.stderr], [], [], 0)[0]
        return os.read(self.process.stderr.fileno(), 65536).decode() if waits else ""

    def stop(self):
        """Asks it to stop and gives what it printed; it must end well."""
        self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=LONGEST_S)
        assert self.process.returncode == 0, (self.process.returncode, out, err)
        return out + err

    def refused(self):
        """Runs it to its end, which must be a refusal, and gives the one line that says why."""
        self.launch()
        out, err = self.process.communicate(timeout=LONGEST_S)
        assert (self.process.returncode, out) == (1, ""), (self.process.returncode, out, err)
        assert err.startswith("stator: ") and err.count("\n") == 1, err
        return err

    def kill(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def batches(self):
        """The events that the function was given so far, as lists of records."""
        if not self.given.exists():
            return []
        lines = self.given.read_text().split("\n")
        return [json.loads(line)["Records"] for line in lines[:-1]]

    def records(self):
        return [record for batch in self.batches() for record in batch]

    def keys(self):
        return [sort_key(record) for record in self.records()]

    def wait_for_records(self, count):
        wait_until(lambda: len(self.records()) >= count, f"{count} records")
        return self.records()

    def wait_for_batches(self, count):
        wait_until(lambda: len(self.batches()) >= count, f"{count} batches")
        return self.batches()

    def given_up(self):
        """The lines of the on-failure file."""
        if not self.failures.exists():
            return []
        return [json.loads(line) for line in self.failures.read_text().split("\n")[:-1]]


def sort_key(record):
    return record["dynamodb"]["Keys"]["sk"]["S"]
