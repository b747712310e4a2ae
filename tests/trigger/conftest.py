import pathlib
import sys

import boto3
import botocore.config
import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "harness"))
pytest.register_assert_rewrite("trigger_process")

from server_process import ServerProcess, binary  # noqa: E402  (after the path is set)
from trigger_process import Trigger  # noqa: E402


def pytest_configure(config):
    if not binary().exists():
        pytest.exit(f"there is no {binary()}: build it, or set STATOR_BINARY", returncode=2)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory):
    log = tmp_path_factory.mktemp("server") / "server.log"
    with ServerProcess(log, "--ttl-interval-ms", "50") as server:
        yield server


@pytest.fixture
def server(shared_server):
    """The server of the test; files that restart theirs have a fixture of their own by this name."""
    return shared_server


def client_of(server):
    return boto3.client(
        "dynamodb",
        endpoint_url=f"http://127.0.0.1:{server.port}",
        region_name="us-east-1",
        aws_access_key_id="key",
        aws_secret_access_key="secret",
        config=botocore.config.Config(retries={"max_attempts": 10}),
    )


@pytest.fixture
def dynamodb(server):
    return client_of(server)


_names = iter(range(1_000_000))


@pytest.fixture
def make_table(dynamodb):
    """Makes tables with keys pk and sk and a stream. One shard, unless more are asked for (on-demand: four)."""

    def make(view="NEW_AND_OLD_IMAGES", shards=1):
        name = f"table-{next(_names)}"
        throughput = {"BillingMode": "PAY_PER_REQUEST"}
        if shards == 1:
            units = {"ReadCapacityUnits": 10000, "WriteCapacityUnits": 10000}
            throughput = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": units}
        dynamodb.create_table(
            TableName=name,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "sk")],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": view},
            **throughput,
        )
        dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
        return name

    return make


@pytest.fixture
def table(make_table):
    return make_table()


@pytest.fixture
def put(dynamodb):
    def put_item(table, pk, sk, **attributes):
        item = {"pk": {"S": pk}, "sk": {"S": str(sk)}}
        item.update({name: {"S": str(value)} for name, value in attributes.items()})
        dynamodb.put_item(TableName=table, Item=item)

    return put_item


@pytest.fixture
def trigger(server, tmp_path):
    """Makes triggers that run the recording function; none outlives the test."""
    made = []

    def make(table, *options, **more):
        made.append(Trigger(server.port, table, tmp_path, *options, **more))
        return made[-1].start()

    yield make
    for one in made:
        one.kill()
