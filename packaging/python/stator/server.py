"""A server as a process of its own."""

import os
import re
import select
import subprocess
import sys
import tempfile
import time
from typing import Optional, Union

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
        self._process: "Optional[subprocess.Popen[bytes]]" = None
        self.endpoint_url = ""  # http://127.0.0.1:PORT, while it runs

    def start(self) -> "Server":
        """Returns when requests are answered."""
        command = [program(), "serve", "--port", "0", "--parent", str(os.getpid()), *self._options]
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors
        )
        ready = re.search(r"http://\S+", self._first_line())
        if not ready:
            raise StartFailed(self._end().strip() or "the server ended before it was ready")
        self.endpoint_url = ready.group()
        return self

    def stop(self) -> None:
        """Returns when the process has ended. What is in a directory stays, and can be started again."""
        if self._process is not None:
            sys.stderr.write(self._end())

    def _end(self) -> str:
        """Ends the process and gives what it has written to its standard error."""
        process, self._process, self.endpoint_url = self._process, None, ""
        with self._errors, process:  # closes the pipe, too
            process.terminate()
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            self._errors.seek(0)
            return self._errors.read().decode(errors="replace")

    def _first_line(self) -> str:
        """The line that names the address, or what there is of it when the process has ended or the time is over."""
        pipe = self._process.stdout.fileno()
        line = b""
        deadline = time.monotonic() + START_S
        while not line.endswith(b"\n") and time.monotonic() < deadline:
            if select.select([pipe], [], [], 0.5)[0]:
                more = os.read(pipe, 4096)
                if not more:
                    break
                line += more
        return line.decode()

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
