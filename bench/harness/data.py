"""Filling servers with the data set and checking that their answers are right and alike.

The load generator's items are a function of their index, so the right answer is known without
asking a server: all servers that pass these checks give the same answers.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import random
from collections.abc import Iterator

from .dynamo import ITEM_TABLE, QUERY_TABLE, ROWS_PER_PARTITION, DynamoClient, DynamoError
from .load import Load
from .resp import RedisClient, RedisError
from .servers import Server

FILL_SECONDS = 3600
SAMPLES = 20


class WrongAnswer(Exception):
    """A server gave another answer than it should."""


@contextlib.contextmanager
def _asking(server: Server) -> Iterator[None]:
    """Whatever goes wrong in talking to a server is a wrong answer of that server."""
    try:
        yield
    except (DynamoError, RedisError, http.client.HTTPException, OSError, ValueError,
            LookupError) as reason:
        raise WrongAnswer(f"{server.name}: {type(reason).__name__}: {reason}") from reason


def fill(load: Load, server: Server, items: int, rows: int) -> None:
    """Writes `items` items, and `rows` rows into the query table of a DynamoDB-type server."""
    if server.speaks == "redis":
        load.run(server, "fill_redis", FILL_SECONDS, items=items)
        return
    with _asking(server), DynamoClient(server.port) as client:
        client.create_tables()
    load.run(server, "fill_items", FILL_SECONDS, items=items)
    if rows > 0:
        load.run(server, "fill_rows", FILL_SECONDS, items=rows)


def check(load: Load, server: Server, items: int, rows: int,
          count_items: bool = True) -> None:
    """Raises WrongAnswer unless the server holds the data set."""
    if server.speaks == "redis":
        _check_redis(load, server, items)
        return
    with _asking(server), DynamoClient(server.port) as client:
        _check_items(load, server, client, items)
        _check_writes(server, client)
        if rows > 0:
            _check_query(load, server, client, rows)
            _expect(server, "rows in the table", client.count(QUERY_TABLE), rows)
        if count_items:
            _expect(server, "items in the table", client.count(ITEM_TABLE), items)


def query_answer_bytes(server: Server) -> int:
    """The size of the body that answers a Query for one partition."""
    with _asking(server), DynamoClient(server.port) as client:
        client.query(_partition(0))
        return client.last_body_bytes


def item_answer_bytes(server: Server) -> int:
    """The size of the body that answers a GetItem."""
    with _asking(server), DynamoClient(server.port) as client:
        client.get_item(_key(0))
        return client.last_body_bytes


def _key(index: int) -> str:
    return f"key-{index:012}"


def _partition(index: int) -> str:
    return f"part-{index:08}"


def _expect(server: Server, what: str, got, wanted) -> None:
    if got != wanted:
        raise WrongAnswer(f"{server.name}: {what}: got {str(got)[:400]}, not {str(wanted)[:400]}")


def _sample(items: int) -> list[int]:
    drawn = random.Random(items).sample(range(items), min(SAMPLES, items))
    return sorted({0, items - 1, *drawn})


def _check_items(load: Load, server: Server, client: DynamoClient, items: int) -> None:
    for index in _sample(items):
        wanted = json.loads(load.expected("item", index))
        _expect(server, f"GetItem {index}", client.get_item(_key(index)), wanted)
    _expect(server, "GetItem of no item", client.get_item(_key(items)), None)


def _check_writes(server: Server, client: DynamoClient) -> None:
    """Puts an item that is not in the data set, replaces it and takes it away again."""
    key = {"pk": {"S": "check"}}
    for value in ("first", "second"):
        item = {**key, "value": {"S": value}, "number": {"N": "-1.5"}}
        _expect(server, "PutItem", client.call("PutItem", TableName=ITEM_TABLE, Item=item), {})
        _expect(server, "GetItem after PutItem", client.get_item("check"), item)
    client.call("DeleteItem", TableName=ITEM_TABLE, Key=key)
    _expect(server, "GetItem after DeleteItem", client.get_item("check"), None)


def _check_query(load: Load, server: Server, client: DynamoClient, rows: int) -> None:
    for partition in (0, rows // ROWS_PER_PARTITION - 1):
        first = partition * ROWS_PER_PARTITION
        wanted = [
            json.loads(load.expected("row", first + row)) for row in range(ROWS_PER_PARTITION)
        ]
        got = client.query(_partition(partition))
        _expect(server, f"Query of partition {partition}", got, wanted)


def _check_redis(load: Load, server: Server, items: int) -> None:
    with _asking(server), RedisClient(server.port) as client:
        for index in _sample(items):
            got = client.call("GET", _key(index))
            _expect(server, f"GET {index}", got, load.expected("redis", index))
        _expect(server, "GET of no key", client.call("GET", _key(items)), None)
        _expect(server, "keys", client.call("DBSIZE"), items)
