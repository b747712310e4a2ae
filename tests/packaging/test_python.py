"""The wheel, as its users have it: installed by pip into an environment of its own, used from a folder of theirs."""

import json
import sys

import pytest

from programs import FULL_DISK, HERE, ROOT, killed_run_leaves_nothing, run, running, wait_until
from readme import example

README = ROOT / "packaging" / "python" / "README.md"


class Project:
    """A folder with tests, and an environment in which they run."""

    def __init__(self, directory, environment):
        self.directory = directory
        self.bin = environment / "bin"
        (self.program,) = environment.glob("lib/python*/site-packages/stator/program/bin/stator")

    def write(self, name, text):
        (self.directory / name).write_text(text)
        return self.directory / name

    def pytest(self, *options, **environment):
        return run([*self.pytest_command(), *options], self.directory, **environment)

    def pytest_command(self):
        return [self.bin / "python", "-W", "error", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--color=no"]

    def python(self, text, **environment):
        return run([self.bin / "python", "-W", "error", "-c", text], self.directory, **environment)


@pytest.fixture(scope="module")
def wheel(build):
    return build("python/build")


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    directory = tmp_path_factory.mktemp("environment")
    run([sys.executable, "-m", "venv", directory], directory)
    versions = HERE.parent / "requirements.txt"
    run([directory / "bin" / "pip", "install", "-q", "-c", versions, wheel, "boto3", "pytest"], directory)
    return directory


@pytest.fixture
def project(environment, tmp_path):
    made = Project(tmp_path, environment)
    yield made
    assert running(made.program) == [], "servers are left when tests are over"


def test_the_command_is_the_program(project, version):
    assert run([project.bin / "stator", "--version"], project.directory) .startswith(f"stator {version} (commit ")
    assert run([project.bin / "python", "-m", "stator", "--version"], project.directory) .startswith(f"stator {version} (commit ")
    assert run([project.bin / "pip", "show", "stator-db"], project.directory).split("\n")[1] == f"Version: {version}"


def test_the_example_of_the_page(project):
    project.write("test_orders.py", example(README, "In tests", "python"))
    assert "2 passed" in project.pytest()


TABLE = """
def make_table(dynamodb, name="table"):
    return dynamodb.create_table(
        TableName=name, BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}])
"""


def test_each_test_has_an_empty_database(project):
    project.write("test_empty.py", TABLE + """
import pytest

@pytest.mark.parametrize("turn", range(5))
def test_empty(turn, dynamodb, dynamodb_client, stator_server):
    assert dynamodb_client.list_tables()["TableNames"] == []
    make_table(dynamodb).put_item(Item={"id": str(turn)})
    assert dynamodb_client.scan(TableName="table")["Items"] == [{"id": {"S": str(turn)}}]
    assert stator_server.endpoint_url == dynamodb_client.meta.endpoint_url
""")
    assert "5 passed" in project.pytest()


def test_one_server_for_all_tests_and_options_for_it(project):
    project.write("pytest.ini", "[pytest]\nstator_scope = session\n")
    project.write("conftest.py", TABLE + """
import pytest

@pytest.fixture(scope="session")
def stator_options():
    return ["--account-id", "123456789012"]

@pytest.fixture(scope="session")
def table(dynamodb):
    return make_table(dynamodb)
""")
    for name in "ab":
        project.write(f"test_{name}.py", f"""
def test_put(table):
    table.put_item(Item={{"id": "{name}"}})
    assert "123456789012" in table.table_arn

def test_all(table):
    assert {{item["id"] for item in table.scan()["Items"]}} == set("ab"[:{"ab".index(name) + 1}])
""")
    assert "4 passed" in project.pytest()


def test_nothing_of_the_users_own_set_up_reaches_the_fixtures(project):
    config = project.directory / "config"
    config.write_text("[default]\nregion = mars-north-1\nendpoint_url = http://127.0.0.1:9\n")
    project.write("test_tables.py", """
def test_tables(dynamodb, dynamodb_client):
    assert list(dynamodb.tables.all()) == [] == dynamodb_client.list_tables()["TableNames"]
    assert dynamodb_client.meta.region_name == "us-east-1"
""")
    output = project.pytest(
        AWS_CONFIG_FILE=str(config), AWS_PROFILE="nobody", AWS_ENDPOINT_URL="http://127.0.0.1:9",
        AWS_SESSION_TOKEN="token", HTTP_PROXY="http://127.0.0.1:9", http_proxy="http://127.0.0.1:9", NO_PROXY="", no_proxy="",
    )
    assert "1 passed" in output


def test_clients_of_the_code_under_test_find_the_server(project):
    project.write("test_streams.py", TABLE + """
import boto3

def test_services(stator_environment, dynamodb):
    make_table(dynamodb)
    assert boto3.client("dynamodb").list_tables()["TableNames"] == ["table"]
    assert boto3.client("dynamodbstreams").list_streams()["Streams"] == []
    assert boto3.client("cloudwatch").describe_alarms()["MetricAlarms"] == []
    scaling = boto3.client("application-autoscaling")
    assert scaling.describe_scalable_targets(ServiceNamespace="dynamodb")["ScalableTargets"] == []

def test_the_environment_is_as_before():
    import os
    assert os.environ["AWS_PROFILE"] == "mine"
    assert not [name for name in os.environ if name.startswith("AWS_ENDPOINT_URL")]
""")
    # Clients of boto3 that nobody closes leave sockets to the garbage collector.
    ignored = ["-W", "ignore::ResourceWarning", "-W", "ignore::pytest.PytestUnraisableExceptionWarning"]
    assert "2 passed" in project.pytest(*ignored, AWS_PROFILE="mine")


def test_a_directory_keeps_what_is_in_it(project):
    project.python(TABLE + """
import stator
from stator import aws
server = stator.Server(data="kept")
for turn in range(2):
    with server:
        dynamodb = aws.session().resource("dynamodb", **aws.client_options(server.endpoint_url))
        if turn == 0:
            make_table(dynamodb)
        assert [table.name for table in dynamodb.tables.all()] == ["table"]
        dynamodb.meta.client.close()
    assert server.endpoint_url == ""
""")
    assert (project.directory / "kept").is_dir()


def test_a_server_that_cannot_start_says_why(project):
    output = project.python("""
import stator
for options in (["--nonsense"], ["--host", "203.0.113.7"]):
    try:
        stator.Server(*options).start()
    except stator.StartFailed as failed:
        print(failed)
""")
    first, second = output.splitlines()
    assert "--nonsense" in first and "203.0.113.7" in second


def test_what_a_server_has_to_say_is_told(project):
    """A program that stands in for one with a full disk."""
    stand_in = project.write("full", FULL_DISK)
    stand_in.chmod(0o755)
    assert project.python("import stator; stator.Server().start().stop()", STATOR_BINARY=str(stand_in)) == "no room\n"


def test_twenty_servers_side_by_side(project):
    """Started by threads, which end before the servers do."""
    output = project.python(TABLE + """
import concurrent.futures, json, stator
from stator import aws

with concurrent.futures.ThreadPoolExecutor(20) as threads:
    servers = list(threads.map(lambda _: stator.Server().start(), range(20)))
session = aws.session()
tables = []
clients = [session.resource("dynamodb", **aws.client_options(server.endpoint_url)) for server in servers]
for number, client in enumerate(clients):
    make_table(client, f"table-{number}")
for client in clients:
    tables.append([table.name for table in client.tables.all()])
    client.meta.client.close()
print(json.dumps({"endpoints": [server.endpoint_url for server in servers], "tables": tables}))
for server in servers:
    server.stop()
""")
    told = json.loads(output)
    assert len(set(told["endpoints"])) == 20
    assert told["tables"] == [[f"table-{number}"] for number in range(20)]


def test_a_killed_run_leaves_no_server(project):
    project.write("test_hangs.py", """
import time
import stator

def test_hangs(dynamodb):
    servers = [stator.Server().start() for _ in range(4)]
    time.sleep(600)
""")
    killed_run_leaves_nothing(project.pytest_command(), project.directory, project.program, servers=5)


def test_a_program_that_ends_without_stopping_leaves_none(project):
    project.python("import os, stator; stator.Server().start(); os._exit(0)")
    wait_until(lambda: not running(project.program), "a server is left")
