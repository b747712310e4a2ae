"""Servers and clients for the services beside DynamoDB. STATOR_BINARY names another binary than build/stator."""

import json
import os
import pathlib
import subprocess
import sys
import time

import boto3
import botocore.config
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

from server_process import ServerProcess, binary  # noqa: E402  (after the path is set)

REGION = "us-east-1"
WAIT_S = 60  # a bound for a busy machine, not an expectation
SPEED = 60   # of the fast server: a minute of its metrics lasts a second


def pytest_configure(config):
    if not binary().exists():
        pytest.exit(f"there is no {binary()}: build it, or set STATOR_BINARY", returncode=2)


def eventually(check):
    """Repeats until `check` gives something true, and gives it."""
    deadline = time.monotonic() + WAIT_S
    while True:
        found = check()
        if found:
            return found
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


class Endpoint:
    """Clients of one server. One attempt per request, so that no retry hides a fault."""

    def __init__(self, process):
        self.process = process
        self.url = f"http://127.0.0.1:{process.port}"

    def client(self, service, **config):
        return boto3.client(
            service, endpoint_url=self.url, region_name=REGION, aws_access_key_id="testkey",
            aws_secret_access_key="testsecret",
            config=botocore.config.Config(retries={"total_max_attempts": 1}, **config),
        )

    def aws(self, *words, fails=False):
        """Runs the AWS CLI with these words; gives its JSON, or its complaint where it should fail."""
        environment = {
            "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": "/nonexistent",
            "AWS_ENDPOINT_URL": self.url, "AWS_ACCESS_KEY_ID": "testkey", "AWS_SECRET_ACCESS_KEY": "testsecret",
            "AWS_DEFAULT_REGION": REGION, "AWS_EC2_METADATA_DISABLED": "true", "AWS_MAX_ATTEMPTS": "1",
            "NO_PROXY": "127.0.0.1",
        }
        done = subprocess.run(["aws", *words], env=environment, capture_output=True, text=True, timeout=120)
        if fails:
            assert done.returncode in (254, 255), done.stdout + done.stderr
            return done.stderr
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout.strip() else None

    def table(self, name, **members):
        """A table with the key `pk`, ready for use."""
        dynamodb = self.client("dynamodb")
        members.setdefault("BillingMode", "PAY_PER_REQUEST")
        dynamodb.create_table(
            TableName=name, KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}], **members,
        )
        return dynamodb


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory):
    with ServerProcess(tmp_path_factory.mktemp("server") / "log") as process:
        yield Endpoint(process)
        assert process.running(), process.log_text()
        assert process.stop() == 0
        assert process.log_text() == ""


@pytest.fixture(scope="session")
def fast(tmp_path_factory):
    """A server whose metrics, alarms and auto scaling live sixty times as fast."""
    log = tmp_path_factory.mktemp("fast") / "log"
    with ServerProcess(log, "--telemetry-speed", str(SPEED)) as process:
        yield Endpoint(process)
        assert process.running(), process.log_text()
        assert process.stop() == 0
