"""Runs command lines in a shell, as a user types them, against STATOR_ENDPOINT."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


# An error that the service answered: 255 in version 1 of the AWS CLI, 254 in version 2.
SERVICE_ERROR = (254, 255)


class Answer:
    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture(scope="session")
def shell(tmp_path_factory):
    endpoint = os.environ.get("STATOR_ENDPOINT")
    if not endpoint:
        pytest.exit("STATOR_ENDPOINT is not set; use tests/clients/run", returncode=2)
    home = tmp_path_factory.mktemp("home")
    environment = {
        "HOME": str(home),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "LANG": "C.UTF-8",
        "NO_PROXY": "127.0.0.1,localhost",
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "testkey",
        "AWS_SECRET_ACCESS_KEY": "testsecret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_MAX_ATTEMPTS": "1",
    }

    def run(line, codes=(0,)):
        """Runs the line, expects one of the exit codes, and gives its output."""
        process = subprocess.run(
            ["bash", "-c", line], env=environment, cwd=home, capture_output=True, text=True, timeout=120
        )
        answer = Answer(process)
        assert answer.code in codes, f"exit code {answer.code}\n{answer.out}{answer.err}"
        return answer

    run.home = home
    return run


@pytest.fixture(scope="session")
def active(shell):
    """Waits for a table: describes first, and leaves the slow waiter for what is still being made."""

    def wait(name):
        described = shell(f"aws dynamodb describe-table --table-name {name}").json["Table"]
        if described["TableStatus"] != "ACTIVE":
            shell(f"aws dynamodb wait table-exists --table-name {name}")

    return wait


@pytest.fixture(scope="session")
def deleted(shell):
    """Deletes a table, if it exists, and waits until it is gone."""

    def delete(name):
        gone = f"aws dynamodb describe-table --table-name {name} >/dev/null 2>&1 || exit 0"
        shell(f"{gone}; aws dynamodb delete-table --table-name {name} >/dev/null")
        shell(f"{gone}; aws dynamodb wait table-not-exists --table-name {name}")

    return delete
