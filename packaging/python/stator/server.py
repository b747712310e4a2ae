"""A server as a process of its own."""

import os
import re
import select
import subprocess
import sys
import tempfile
import time
from typing import List, Optional, Union

from .program import program

START_S = 60  # bounds for a busy machine: a server starts and stops within milliseconds
STOP_S = 60


class StartFailed(Exception):
    """The server ended instead of naming its address; the message is what it said."""


class Server:
    """A server on 127.0.0.1 and a free port, with an empty database in memory.

        with stator.Server() as server:
            client = boto3.client("dynamodb", endpoint_url=server.endpoint_url, ...)

    `data` is a directory to keep the database in. `options` go to `stator serve`: stator.Server("--capacity", "enforce").
    However this process ends, the server ends, too. What it writes to its standard error comes to this one's when it is stopped.
    """

    def __init__(self, *options: str, data: "Union[str, os.PathLike[str], None]" = None):
        self._options = [*(["--in-memory"] if data is None else ["--data", os.fspath(data)]), *options]
        self._process: Optional[_Process] = None
        self.endpoint_url = ""  # http://127.0.0.1:PORT, while it runs

    def start(self) -> "Server":
        """Returns when requests are answered."""
        process = _Process(["--port", "0", "--parent", str(os.getpid()), *self._options])
        ready = re.search(r"http://\S+", process.first_line())
        if not ready:
            raise StartFailed(process.end().strip() or "the server ended before it was ready")
        self._process = process
        self.endpoint_url = ready.group()
        return self

    def stop(self) -> None:
        """Returns when the process has ended. What is in a directory stays, and can be started again."""
        process, self._process, self.endpoint_url = self._process, None, ""
        if process is not None:
            sys.stderr.write(process.end())

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Process:
    def __init__(self, options: List[str]):
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [program(), "serve", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors
        )

    def first_line(self) -> str:
        """The line that names the address, or what there is of it when the process has ended or the time is over."""
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        poll = select.poll()  # takes any number of open files, unlike select
        poll.register(pipe, select.POLLIN)
        line = b""
        deadline = time.monotonic() + START_S
        while not line.endswith(b"\n") and time.monotonic() < deadline:
            if poll.poll(500):
                more = os.read(pipe, 4096)
                if not more:
                    break
                line += more
        return line.decode()

    def end(self) -> str:
        """Ends the process and gives what it has written to its standard error."""
        with self._errors, self._process:  # closes the pipe, too
            self._process.terminate()
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._errors.seek(0)
            return self._errors.read().decode(errors="replace")
