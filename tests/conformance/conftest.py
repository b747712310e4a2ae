import os
import pathlib
import re
import subprocess
import uuid

import pytest

pytest.register_assert_rewrite("wire", "transactions", "statements", "stream_calls")

from stream_calls import VIEW_TYPES, Reader, on, stream_of  # noqa: E402  (after the rewrite is registered)
from wire import Nodes, ServiceError, Wire, wait_active  # noqa: E402

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
STOP_S = 60  # a bound for a busy machine, not an expectation


def start_server(*options):
    binary = pathlib.Path(os.environ.get("STATOR_BINARY", REPOSITORY / "build" / "stator"))
    if not binary.exists():
        pytest.exit(f"there is no {binary}: build it, or set STATOR_BINARY or STATOR_ENDPOINT", returncode=2)
    server = subprocess.Popen(
        [binary, "serve", "--port", "0", "--in-memory", *options],
        cwd=REPOSITORY, stdout=subprocess.PIPE, text=True,
    )
    line = server.stdout.readline()
    match = re.search(r"https?://127\.0\.0\.1:\d+", line)
    if not match:
        server.kill()
        pytest.exit(f"no address in the server's first line: {line!r}", returncode=2)
    return server, match.group(0)


@pytest.fixture(scope="session")
def endpoint():
    url = os.environ.get("STATOR_ENDPOINT")
    if url:
        yield url
        return
    yield from served()


def served(*options):
    """The address of a server with these options, which is stopped when the caller goes on."""
    server, url = start_server(*options)
    yield url
    assert server.poll() is None, f"the server ended by itself with {server.returncode}"
    server.terminate()
    assert server.wait(STOP_S) == 0


@pytest.fixture(scope="session")
def db(endpoint):
    kind = Nodes if "," in endpoint else Wire
    return kind(
        endpoint,
        os.environ.get("AWS_ACCESS_KEY_ID", "testkey"),
        os.environ.get("AWS_SECRET_ACCESS_KEY", "testsecret"),
        os.environ.get("AWS_REGION", "us-east-1"),
    )


@pytest.fixture(scope="session")
def unique():
    """Gives names that no other run and no other test uses."""
    run = uuid.uuid4().hex[:8]
    count = 0

    def name(label="t"):
        nonlocal count
        count += 1
        return f"conf-{run}-{label}-{count}"

    return name


def attribute(name, kind="S"):
    return {"AttributeName": name, "AttributeType": kind}


def schema(*names):
    return [{"AttributeName": n, "KeyType": k} for n, k in zip(names, ("HASH", "RANGE"))]


@pytest.fixture(scope="session")
def create(db, unique):
    """Creates a table, waits until it is ACTIVE, and drops it when the run ends."""
    names = []

    def make(label, keys, **members):
        name = unique(label)
        definitions = [attribute(n, k) for n, k in keys.items()]
        definitions += members.pop("more_definitions", [])
        if "ProvisionedThroughput" not in members:
            members["BillingMode"] = "PAY_PER_REQUEST"
        db.call(
            "CreateTable", TableName=name, AttributeDefinitions=definitions,
            KeySchema=schema(*keys), **members,
        )
        names.append(name)
        wait_active(db, name)
        return name

    yield make
    for name in names:
        try:
            db.call("DeleteTable", TableName=name)
        except ServiceError:
            pass


@pytest.fixture(scope="session")
def hash_table(create):
    """Partition key `pk`, a string."""
    return create("hash", {"pk": "S"})


@pytest.fixture(scope="session")
def range_table(create):
    """Partition key `pk` and sort key `sk`, strings."""
    return create("range", {"pk": "S", "sk": "S"})


@pytest.fixture(scope="session")
def number_table(create):
    """Partition key `pk`, a string, and sort key `n`, a number."""
    return create("number", {"pk": "S", "n": "N"})


@pytest.fixture(scope="session")
def binary_table(create):
    """Partition key `pk`, binary."""
    return create("binary", {"pk": "B"})


@pytest.fixture(scope="session")
def indexed_table(create):
    """Keys `pk`, `sk`. LSI `lsi` on `lsk`, ALL. LSI `lsi-keys` on `lsk2`, KEYS_ONLY.

    GSI `gsi` on `gpk`, INCLUDE `proj`. GSI `gsi-all` on `gpk2` (S) and `gsk2` (N), ALL.
    """
    return create(
        "indexed", {"pk": "S", "sk": "S"},
        more_definitions=[
            attribute("lsk"), attribute("lsk2"), attribute("gpk"), attribute("gpk2"),
            attribute("gsk2", "N"),
        ],
        LocalSecondaryIndexes=[
            {"IndexName": "lsi", "KeySchema": schema("pk", "lsk"),
             "Projection": {"ProjectionType": "ALL"}},
            {"IndexName": "lsi-keys", "KeySchema": schema("pk", "lsk2"),
             "Projection": {"ProjectionType": "KEYS_ONLY"}},
        ],
        GlobalSecondaryIndexes=[
            {"IndexName": "gsi", "KeySchema": schema("gpk"),
             "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["proj"]}},
            {"IndexName": "gsi-all", "KeySchema": schema("gpk2", "gsk2"),
             "Projection": {"ProjectionType": "ALL"}},
        ],
    )


@pytest.fixture
def key(unique):
    """The key of an item of `hash_table` that no other test uses."""
    return {"pk": {"S": unique("key")}}


@pytest.fixture
def other(unique):
    """Another such key."""
    return {"pk": {"S": unique("other")}}


@pytest.fixture
def pk(unique):
    return unique("key")


@pytest.fixture(scope="session")
def rows(db, create):
    """Keys `pk` and `sk` (N); GSI `gsi` on `g` with `x`; LSI `lsi` on `l`, keys only.

    Partition `a` has sk 1 to 5, partition `b` sk 1 and 2.
    """
    name = create(
        "rows", {"pk": "S", "sk": "N"}, more_definitions=[attribute("g"), attribute("l")],
        LocalSecondaryIndexes=[{
            "IndexName": "lsi", "KeySchema": schema("pk", "l"), "Projection": {"ProjectionType": "KEYS_ONLY"}}],
        GlobalSecondaryIndexes=[{
            "IndexName": "gsi", "KeySchema": schema("g"),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]}}])
    for partition, count in (("a", 5), ("b", 2)):
        for n in range(1, count + 1):
            item = {
                "pk": {"S": partition}, "sk": {"N": str(n)}, "g": {"S": "even" if n % 2 == 0 else "odd"},
                "l": {"S": f"l{9 - n}"}, "x": {"N": str(n * 10)}, "s": {"S": f"text-{n}"},
                "t": {"L": [{"S": "zero"}, {"N": str(n)}]}, "m": {"M": {"in": {"M": {"deep": {"S": f"deep-{n}"}}}}},
                "b": {"BOOL": n % 2 == 0}}
            if n == 1:
                item["rare"] = {"NULL": True}
            db.call("PutItem", TableName=name, Item=item)
    return name


@pytest.fixture(scope="session")
def streams(create):
    """By view type, a table with partition key `pk` and a stream of it."""
    return {v: create("stream", {"pk": "S"}, StreamSpecification=on(v)) for v in VIEW_TYPES}


@pytest.fixture(scope="session")
def streamed(streams):
    return streams["NEW_AND_OLD_IMAGES"]


@pytest.fixture
def reader(db, streamed):
    return Reader(db, stream_of(db, streamed))


@pytest.fixture(scope="session")
def plain(create):
    """Partition key `pk`, no stream."""
    return create("plain", {"pk": "S"})
