"""Programs that a test starts, and what is left of them."""

import os
import pathlib
import subprocess
import time

WAIT_S = 120  # a bound for a busy machine

# Stands in for a server that has something to say.
FULL_DISK = """#!/bin/sh
trap 'echo no room >&2; exit' TERM
echo ready on http://127.0.0.1:1
while true; do sleep 0.1; done
"""


def run(command, directory, **environment):
    """Runs a command in a folder; gives what it printed, and fails with that where it fails."""
    done = subprocess.run(
        [str(word) for word in command], cwd=directory, env={**without_binary(), **environment},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}:\n{done.stdout}"
    return done.stdout


def without_binary():
    """The environment of a user, who has no build folder."""
    return {name: value for name, value in os.environ.items() if name != "STATOR_BINARY"}


def running(program):
    """Ids of the processes that run this very file."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "exe").resolve() == program.resolve():
                found.append(int(entry.name))
        except (FileNotFoundError, PermissionError):
            pass  # ended meanwhile, or somebody else's
    return found


def wait_until(condition, what):
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def killed_run_leaves_nothing(command, directory, program, servers):
    """Starts a test run that hangs with so many servers, and kills it: only the process that was started, not its workers."""
    log = directory / "killed.log"
    with open(log, "wb") as output:
        runner = subprocess.Popen(
            [str(word) for word in command], cwd=directory, env=without_binary(), stdin=subprocess.DEVNULL,
            stdout=output, stderr=output, start_new_session=True,
        )
    try:
        wait_until(lambda: len(running(program)) == servers or runner.poll() is not None, "the servers do not start")
        assert runner.poll() is None, log.read_text()
        runner.kill()
        runner.wait()
        wait_until(lambda: not running(program), "a server is left")
    finally:
        os.killpg(runner.pid, 9) if group_lives(runner.pid) else None


def group_lives(group):
    try:
        os.killpg(group, 0)
        return True
    except ProcessLookupError:
        return False
