"""What a newcomer types: `git clone`, `./run`, Ctrl-C, `./run`. With the compiler cache of the machine, so it takes seconds."""

import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import time

import boto3
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD_S = 3600  # a bound for a busy machine without a compiler cache, not an expectation
QUIET_S = 60


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "stator"
    subprocess.run(["git", "clone", "-q", f"file://{ROOT}", folder], check=True)
    return folder


class Run:
    """`./run` in a clone, as typed into a terminal but for a free port."""

    def __init__(self, clone):
        self.screen, terminal = pty.openpty()
        self.process = subprocess.Popen(
            ["./run", "--port", "0"], cwd=clone, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal, start_new_session=True,
        )
        os.close(terminal)
        self.printed = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.screen)

    def wait_for(self, pattern):
        """The match of `pattern` in what was printed, once it is there."""
        deadline = time.monotonic() + BUILD_S
        while not (found := re.search(pattern, self.printed)):
            assert time.monotonic() < deadline, f"{pattern} did not come:\n{self.printed}"
            if select.select([self.screen], [], [], 1)[0]:
                piece = self.read()
                assert piece, f"./run ended with {self.process.wait()}:\n{self.printed}"
                self.printed += piece.decode()
        return found

    def read(self):
        try:
            return os.read(self.screen, 65536)
        except OSError:  # nobody has the terminal open any more
            return b""

    def client(self):
        port = self.wait_for(r"stator is ready on http://127\.0\.0\.1:(\d+) ").group(1)
        return boto3.client("dynamodb", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1",
                            aws_access_key_id="me", aws_secret_access_key="secret")

    def press_ctrl_c(self):
        os.killpg(self.process.pid, signal.SIGINT)
        assert self.process.wait(QUIET_S) == 0


def test_run_serves_a_fresh_clone_and_again(clone):
    with Run(clone) as run:
        client = run.client()
        assert "Building Stator, " in run.printed
        assert f"(data in {clone}/data, durability full)" in run.printed
        run.wait_for(r"Try: .* aws dynamodb list-tables --region us-east-1 --endpoint-url http://127\.0\.0\.1:\d+\r\n")
        client.create_table(
            TableName="notes", BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        )
        client.put_item(TableName="notes", Item={"pk": {"S": "first"}})
        run.press_ctrl_c()

    with Run(clone) as run:
        assert run.client().get_item(TableName="notes", Key={"pk": {"S": "first"}})["Item"] == {"pk": {"S": "first"}}
        assert "Building" not in run.printed, "the second time there is nothing to build"
        run.press_ctrl_c()
