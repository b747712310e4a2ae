"""Nodes over the throwaway cluster that `run` has started (STATOR_CEPH_CONF)."""

import itertools
import os
import pathlib
import subprocess
import sys
import time
import uuid

import boto3
import pytest
from botocore.config import Config

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))

from server_process import ServerProcess  # noqa: E402

CONFIGURATION = pathlib.Path(os.environ["STATOR_CEPH_CONF"])


def cluster(command, *arguments):
    """`cluster` beside this file, on the cluster of this run."""
    subprocess.run([HERE / "cluster", command, CONFIGURATION.parent, *arguments], check=True, timeout=180)


def ceph(*arguments, timeout_s=60):
    done = subprocess.run(
        ["ceph", "-c", CONFIGURATION, *arguments], check=True, capture_output=True, timeout=timeout_s
    )
    return done.stdout.decode()


def store_options(pool, *more):
    return ["--store", "rados", "--pool", pool, "--ceph-conf", str(CONFIGURATION), *more]


def client(url, service="dynamodb", attempts=1, timeout_s=60):
    return boto3.client(
        service, endpoint_url=url, region_name="us-east-1",
        aws_access_key_id="testkey", aws_secret_access_key="testsecret",
        config=Config(
            retries={"max_attempts": attempts, "mode": "standard"}, read_timeout=timeout_s, connect_timeout=5,
            max_pool_connections=32,
        ),
    )


class Node(ServerProcess):
    def __init__(self, log, pool, *options):
        super().__init__(log, "--threads", "2", *options, store=store_options(pool), keep_port=True)

    def db(self, **members):
        return client(self.url, **members)

    def streams(self):
        return client(self.url, "dynamodbstreams")


@pytest.fixture(scope="module")
def pool():
    """A pool of its own, empty."""
    name = "p-" + uuid.uuid4().hex[:8]
    ceph("osd", "pool", "create", name, "8", "8", "replicated")
    yield name
    ceph("osd", "pool", "delete", name, name, "--yes-i-really-really-mean-it")


@pytest.fixture(scope="module")
def start_nodes(pool, tmp_path_factory):
    """Starts so many nodes over the module's pool; what still runs when the module ends is killed."""
    logs = tmp_path_factory.mktemp("nodes")
    count = itertools.count(1)
    started = []

    def start(number, *options):
        nodes = [Node(logs / f"node{next(count)}.log", pool, *options) for _ in range(number)]
        for node in nodes:
            node.launch()
        for node in nodes:
            node.ready()
        started.extend(nodes)
        return nodes

    yield start
    for node in started:
        if node.running():
            node.kill()
        if node.log_text():
            print(f"{node.log.name}: {node.log_text()[-2000:]}")


WAIT_S = 60


def wait_for(condition, what):
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        time.sleep(0.05)


def key(name, kind="S"):
    return {"AttributeName": name, "AttributeType": kind}


def schema(*names):
    return [{"AttributeName": n, "KeyType": k} for n, k in zip(names, ("HASH", "RANGE"))]


def index(name, *keys):
    return {"IndexName": name, "KeySchema": schema(*keys), "Projection": {"ProjectionType": "ALL"}}


def create(db, name, **members):
    """A table with the key pk; its attribute g is for indexes."""
    definitions = [key("pk")]
    if "GlobalSecondaryIndexes" in members:
        definitions.append(key("g"))
    db.create_table(
        TableName=name, AttributeDefinitions=definitions, KeySchema=schema("pk"), BillingMode="PAY_PER_REQUEST",
        **members,
    )


def scan_all(db, **request):
    items = []
    for page in db.get_paginator("scan").paginate(ConsistentRead="IndexName" not in request, **request):
        items += page["Items"]
    return items
