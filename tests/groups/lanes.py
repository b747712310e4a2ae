"""Runs groups of tests in lanes side by side, and adds up what their summaries say.

A group is a command. It counts by the last line of its output that has figures ("12 passed, 1 failed, 2 skipped" in any
order, or the one of ctest). Whatever ends otherwise than with such a line and the exit code that belongs to it is a
failure: a group that crashed, found nothing to run, or could not be started must not look like one that passed.
"""

import dataclasses
import os
import re
import signal
import subprocess
import threading
import time

FIGURE = re.compile(r"(\d+) (passed|failed|errors?|skipped)\b")
CTEST = re.compile(r"(\d+) tests failed out of (\d+)")
TAIL_LINES = 25


@dataclasses.dataclass
class Outcome:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0


def figures(text):
    """The outcome that the last summary line of an output tells of; None where there is none."""
    for line in reversed(text.splitlines()):
        if found := CTEST.search(line):
            failed, total = map(int, found.groups())
            return Outcome(passed=total - failed, failed=failed)
        counts = {}
        for number, word in FIGURE.findall(line):
            counts[word.rstrip("s")] = int(number)
        if counts:
            return Outcome(counts.get("passed", 0), counts.get("failed", 0) + counts.get("error", 0), counts.get("skipped", 0))
    return None


def judge(text, status):
    """The outcome of a group with this output and exit code."""
    outcome = figures(text) or Outcome(failed=1)
    nothing_ran = outcome.passed + outcome.failed + outcome.skipped == 0
    if (status != 0 or nothing_ran) and outcome.failed == 0:
        outcome.failed = 1
    return outcome


class Lanes:
    """`commands` has the command of each group by its name; what they print is kept in `logs`/test-NAME.log."""

    def __init__(self, commands, logs, say=print):
        self.commands = commands
        self.logs = logs
        self.say = say
        self.outcomes = {}
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def run(self, lanes):
        """Runs each lane's groups one after the other. Afterwards `outcomes` has every group, in the order given."""
        threads = [threading.Thread(target=self._run_lane, args=(lane,), daemon=True) for lane in lanes if lane]
        try:  # the first group may run before the last lane was started
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(1)  # a signal that comes right before a wait is seen behind it
        finally:
            self.stop()
        missing = {name: Outcome(failed=1) for lane in lanes for name in lane}
        self.outcomes = missing | self.outcomes

    def stop(self):
        """Ends what runs, with all its processes, and begins nothing more."""
        with self.lock:
            self.stopped = True
            for process in self.running:
                try:
                    os.killpg(process.pid, signal.SIGTERM)
                except ProcessLookupError:
                    pass

    def total(self):
        outcomes = self.outcomes.values()
        return Outcome(*(sum(getattr(each, name) for each in outcomes) for name in ("passed", "failed", "skipped")))

    def _run_lane(self, lane):
        for name in lane:
            began = time.monotonic()
            try:
                text, status = self._run_command(name)
            except (OSError, KeyError) as error:
                text, status = f"{name} could not be started: {error!r}", 1
            if self.stopped:
                return
            outcome = judge(text, status)
            outcome.seconds = time.monotonic() - began
            with self.lock:
                self.outcomes[name] = outcome
                self.say("\n".join([f"\n== {name}", *excerpt(text, outcome)]))

    def _run_command(self, name):
        log = self.logs / f"test-{name}.log"
        with open(log, "wb") as output:
            with self.lock:
                if self.stopped:
                    return "", 1
                process = subprocess.Popen(
                    self.commands[name], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
                )
                self.running.add(process)
            status = process.wait()
            with self.lock:
                self.running.remove(process)
        return log.read_text(errors="replace"), status


def excerpt(text, outcome):
    """The end of an output; where something failed, also what the unit tests said of it."""
    lines = text.splitlines()
    shown = lines[-TAIL_LINES:]
    if outcome.failed:
        for number, line in enumerate(lines[:-TAIL_LINES]):
            if re.search(r": Failure$|\*\*\*(Exception|Failed|Timeout)", line):
                shown = lines[number : number + 60] + ["..."] + shown
                break
    return shown
