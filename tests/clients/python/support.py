"""What the test modules share: clients of the endpoint under test, table definitions, waiting."""

import contextlib
import functools
import os
import time
import uuid

import boto3
import pytest
from botocore import xform_name
from botocore.config import Config
from botocore.exceptions import ClientError

DEADLINE_S = 60


def endpoint():
    url = os.environ.get("STATOR_ENDPOINT")
    if not url:
        pytest.exit("STATOR_ENDPOINT is not set; use tests/clients/run", returncode=2)
    return url


def session():
    return boto3.session.Session(
        aws_access_key_id="testkey", aws_secret_access_key="testsecret", region_name="us-east-1"
    )


def config(**extra):
    # One attempt only: a retry inside the SDK would hide a fault of the server.
    return Config(
        retries={"total_max_attempts": 1, "mode": "standard"},
        max_pool_connections=80,
        read_timeout=60,
        **extra,
    )


def make_client(**extra):
    return session().client("dynamodb", endpoint_url=endpoint(), config=config(**extra))


def make_resource():
    return session().resource("dynamodb", endpoint_url=endpoint(), config=config())


@functools.lru_cache(maxsize=None)
def offers(operation):
    """Whether the server knows the operation. Asked with an empty request, which no operation accepts."""
    client = make_client(parameter_validation=False)
    try:
        getattr(client, xform_name(operation))()
    except ClientError as error:
        return error.response["Error"]["Code"] != "UnknownOperationException"
    return True


def requires(operation):
    return pytest.mark.skipif(
        not offers(operation), reason=f"the server answers UnknownOperationException to {operation}"
    )


@contextlib.contextmanager
def if_supported():
    """Skips the test when the server itself says that it does not have this part of an operation yet."""
    try:
        yield
    except ClientError as error:
        message = error.response["Error"]["Message"]
        if "not supported by this version" in message:
            pytest.skip(message)
        raise


def unique(prefix="clients"):
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


def key_schema(keys):
    return [
        {"AttributeName": name, "KeyType": kind} for name, kind in zip(keys, ("HASH", "RANGE"))
    ]


def index(name, keys, projection="ALL"):
    """An index definition; `keys` maps name to type, `projection` is a type or the included names."""
    if isinstance(projection, list):
        projected = {"ProjectionType": "INCLUDE", "NonKeyAttributes": projection}
    else:
        projected = {"ProjectionType": projection}
    return {"name": name, "keys": keys, "projection": projected}


def table_definition(name, keys, gsis=(), lsis=(), **extra):
    types = dict(keys)
    definition = {"TableName": name, "KeySchema": key_schema(keys)}
    for parameter, indexes in (("GlobalSecondaryIndexes", gsis), ("LocalSecondaryIndexes", lsis)):
        for each in indexes:
            types.update(each["keys"])
            definition.setdefault(parameter, []).append(
                {
                    "IndexName": each["name"],
                    "KeySchema": key_schema(each["keys"]),
                    "Projection": each["projection"],
                }
            )
    definition["AttributeDefinitions"] = [
        {"AttributeName": name, "AttributeType": kind} for name, kind in types.items()
    ]
    if "ProvisionedThroughput" not in extra:
        definition["BillingMode"] = "PAY_PER_REQUEST"
    return definition | extra


def until(probe, what):
    """Repeats `probe` until it gives something true, and returns that."""
    deadline = time.monotonic() + DEADLINE_S
    while True:
        answer = probe()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"waited {DEADLINE_S} s for {what}"
        time.sleep(0.02)


def eventually(read, expected):
    """For reads of global secondary indexes, which may lag: the answer must become `expected`."""
    deadline = time.monotonic() + 10
    while (answer := read()) != expected and time.monotonic() < deadline:
        time.sleep(0.02)
    assert answer == expected


def wait_active(client, name):
    def active():
        table = client.describe_table(TableName=name)["Table"]
        indexes = table.get("GlobalSecondaryIndexes", [])
        ready = table["TableStatus"] == "ACTIVE" and all(
            each["IndexStatus"] == "ACTIVE" for each in indexes
        )
        return table if ready else None

    return until(active, f"table {name} to be ACTIVE")


def wait_gone(client, name):
    def gone():
        try:
            client.describe_table(TableName=name)
        except client.exceptions.ResourceNotFoundException:
            return True
        return False

    until(gone, f"table {name} to be deleted")


def drop(client, name):
    try:
        client.delete_table(TableName=name)
    except client.exceptions.ResourceNotFoundException:
        return
    wait_gone(client, name)


class fails:
    """`with fails("ValidationException", "part of the text") as caught:`; caught.error has the answer."""

    def __init__(self, code, text=""):
        self.code, self.text, self.error = code, text, None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        assert error is not None, f"expected {self.code}, but the call succeeded"
        if not isinstance(error, ClientError):
            return False
        answer = error.response["Error"]
        assert answer["Code"] == self.code, answer
        assert self.text in answer["Message"], answer["Message"]
        self.error = error
        return True
