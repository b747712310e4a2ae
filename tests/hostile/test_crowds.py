"""Clients that take all there is: connections, memory for answers, file descriptors. Others are served all the same."""

import re
import time

import pytest

import tables
from crowds import SMALL_BUFFER, Crowd, batch_get, connect, get
from http_attacks import answered, post
from wire_client import AnswerReader, Client, ServiceError, Signer

TABLE = "crowds"
CONNECTIONS = 40
MANY = str(CONNECTIONS)
PATIENT = ("--room-timeout-ms", "60000")  # so that a busy machine is no reason to turn anybody away
HALF_HEAD = b"POST / HTTP/1.1\r\nHost: loc"
HALF_BODY = post(length=b"1000")
MEGABYTE = 1 << 20
ATTEMPTS_MAX = 300
ATTEMPT_EVERY_S = 0.2
LARGE_ITEMS = 40
SLOW_READERS = 60


def wait_until(condition, what):
    for _ in range(ATTEMPTS_MAX):
        if condition():
            return
        time.sleep(ATTEMPT_EVERY_S)
    raise AssertionError(what)


def list_tables(port):
    return Signer(f"127.0.0.1:{port}").request("ListTables", b"{}")


def is_answered(connection, port):
    connection.sendall(list_tables(port))
    return AnswerReader(connection).read()[0] == 200


@pytest.mark.parametrize("sends", [b"", HALF_HEAD, HALF_BODY], ids=["nothing", "half a head", "half a body"])
def test_a_connection_without_a_whole_request_has_its_time(new_server, sends):
    server = new_server("--head-timeout-ms", "200", "--body-timeout-ms", "200", data=None).start()
    with connect(server.port) as connection:
        if sends:
            connection.sendall(sends)
        assert answered(connection) == ([408] if sends else [])


def test_an_idle_connection_has_its_time(new_server):
    server = new_server("--idle-timeout-ms", "200", data=None).start()
    with connect(server.port) as connection:
        assert is_answered(connection, server.port)
        assert connection.recv(1) == b""


@pytest.mark.parametrize("sends", [b"", HALF_HEAD, HALF_BODY], ids=["nothing", "half a head", "half a body"])
def test_connections_that_ask_nothing_lock_nobody_out(new_server, sends):
    server = new_server("--max-connections", MANY, *PATIENT, data=None).start()
    with Crowd(server.port, 2 * CONNECTIONS, sends):
        for _ in range(5):
            assert Client(server.port).call("ListTables") == {"TableNames": []}
            assert get(server.port, "/healthz") == (200, b"ok\n")
            assert get(server.port, "/metrics")[0] == 200


def test_the_longest_idle_connection_gives_way(new_server):
    server = new_server("--max-connections", MANY, "--max-connections-per-address", MANY, *PATIENT,
                        "--threads", "2", data=None).start()
    with Crowd(server.port, CONNECTIONS) as crowd:
        for connection in crowd.connections:
            assert is_answered(connection, server.port)
            time.sleep(0.01)  # the clock of idle connections is coarse
        with connect(server.port) as newcomer:
            assert is_answered(newcomer, server.port)
            crowd.connections[-1].setblocking(True)
            assert is_answered(crowd.connections[-1], server.port)  # the last one to be idle is still there
        closed = 0
        for connection in crowd.connections:
            connection.setblocking(False)
            try:
                closed += connection.recv(1) == b""
            except BlockingIOError:
                pass
        assert 1 <= closed <= 2  # each reactor may have closed one


def test_no_address_takes_what_is_left_to_others(new_server):
    server = new_server("--max-connections", MANY, "--max-connections-per-address", "10", *PATIENT, data=None).start()
    with Crowd(server.port, 60, source="127.0.0.2"), Crowd(server.port, 10) as modest:
        with Crowd(server.port, 10, source="127.0.0.3") as others:
            for _ in range(2):  # and none of them had to give way
                for connection in (*modest.connections, *others.connections):
                    assert is_answered(connection, server.port)


def test_health_is_answered_when_every_connection_is_busy(new_server):
    """All places are taken by clients that do not take their answers: who comes then is told to come again."""
    server = new_server("--max-connections", MANY, "--max-connections-per-address", MANY,
                        "--room-timeout-ms", "300", data=None).start()
    unread = b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n" * 40_000
    with Crowd(server.port, CONNECTIONS, receive_buffer=SMALL_BUFFER) as crowd:
        for connection in crowd.connections:
            connection.setblocking(False)
            try:
                while True:
                    connection.send(unread)
            except BlockingIOError:
                pass
        for path in ("/healthz", "/metrics"):
            assert get(server.port, path)[0] == 200
        with pytest.raises(ServiceError) as refused:
            Client(server.port).call("ListTables")
        assert (refused.value.status, refused.value.code) == (503, "ServiceUnavailable")
    wait_until(lambda: is_served(server.port), "nobody is served although all are gone")


def is_served(port):
    try:
        return Client(port).call("ListTables") is not None
    except ServiceError as error:
        assert error.status == 503
        return False


def put_large_items(port):
    client = Client(port)
    tables.create(client, TABLE, ("pk",), {"pk": "S"})
    keys = [f"large-{number}" for number in range(LARGE_ITEMS)]
    for key in keys:
        client.call("PutItem", TableName=TABLE, Item={"pk": {"S": key}, "v": {"S": "v" * 400_000}})
    client.close()
    return keys


def test_answers_that_nobody_takes_have_a_budget(new_server):
    server = new_server("--answer-memory-mb", "128", "--room-timeout-ms", "1000", data=None).start()
    keys = put_large_items(server.port)
    request = batch_get(server.port, TABLE, keys)
    small = Client(server.port)
    before = server.memory_bytes()
    most = 0
    with Crowd(server.port, SLOW_READERS, request, receive_buffer=SMALL_BUFFER):
        for _ in range(20):
            assert small.call("GetItem", TableName=TABLE, Key={"pk": {"S": "absent"}}) == {}
            most = max(most, server.memory_bytes() - before)
            time.sleep(0.1)
        wait_until(lambda: is_batch_answered(server.port, request), "large answers are held up for ever")
        most = max(most, server.memory_bytes() - before)
    assert most < 400 * MEGABYTE, most >> 20
    wait_until(lambda: server.memory_bytes() - before < 150 * MEGABYTE, "memory is not given back")
    assert server.stop() == 0


def is_batch_answered(port, request):
    with connect(port) as connection:
        connection.sendall(request)
        status, _, body = AnswerReader(connection).read()
    assert status == 200 or (status == 503 and b"ServiceUnavailable" in body), (status, body[:200])
    return status == 200


def test_the_services_turn_requests_away_in_their_own_words(new_server):
    """With the budget used up, each protocol has its form of 503."""
    server = new_server("--answer-memory-mb", "1", "--room-timeout-ms", "300", "--answer-timeout-ms", "3600000", data=None).start()
    keys = put_large_items(server.port)
    with connect(server.port, receive_buffer=SMALL_BUFFER) as slow:
        slow.sendall(batch_get(server.port, TABLE, keys))
        query = b"Action=ListMetrics&Version=2010-08-01"
        head = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n" % len(query)
        seen = set()
        for _ in range(ATTEMPTS_MAX):  # the slow one is given up in the end, and comes again
            with connect(server.port) as connection:
                connection.sendall(head + b"Content-Type: application/x-www-form-urlencoded\r\n\r\n" + query)
                received = bytearray()
                while part := connection.recv(1 << 16):
                    received += part
            seen.add(bytes(received[9:12]))
            if b"503" in seen:
                assert b"<Code>ServiceUnavailable</Code>" in received
                return
            slow = connect(server.port, receive_buffer=SMALL_BUFFER)
            slow.sendall(batch_get(server.port, TABLE, keys))
        raise AssertionError(seen)


NAME = "n" * 240
PAGE_TABLES = 150


@pytest.fixture(scope="module")
def many_tables(tmp_path_factory):
    """A server with many tables of long names and 20 indexes each, all used, of whose indexes one has items."""
    from server_process import ServerProcess

    with ServerProcess(tmp_path_factory.mktemp("pages") / "server.log") as server:
        client = Client(server.port)
        names = [f"{NAME}-{number:04}" for number in range(PAGE_TABLES)]
        for name in names:
            indexes = [tables.index(f"index-{n:02}-{NAME}", (f"g{n}",)) for n in range(20)]
            types = {"pk": "S", **{f"g{n}": "S" for n in range(20)}}
            tables.create(client, name, ("pk",), types, globals_=indexes)
            client.call("PutItem", TableName=name, Item={"pk": {"S": "a"}, "g7": {"S": "a"}})
            client.call("GetItem", TableName=name, Key={"pk": {"S": "a"}})
        yield server, names


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_long_metrics_page_is_whole(many_tables, version):
    server, names = many_tables
    status, body = get(server.port, "/metrics", version)
    text = body.decode()
    assert status == 200 and text.endswith("\n")
    series, metrics = set(), []
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            metrics.append(line.split()[2])
        elif not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            float(value)
            assert name not in series, name
            series.add(name)
            assert re.sub(r"_(bucket|sum|count)$", "", name.partition("{")[0]) == metrics[-1], "samples stand by their head"
    assert len(set(metrics)) == len(metrics)
    for name in names:
        assert f'stator_consumed_write_capacity_units_total{{table="{name}"}}' in series
        assert f'stator_metered_write_units_total{{table="{name}"}}' in series
        assert f'stator_metered_write_units_total{{table="{name}",index="index-07-{NAME}"}}' in series
        assert f'stator_request_duration_seconds_count{{table="{name}",operation="GetItem"}}' in series
    assert "index-08" not in text, "nothing was ever metered of this one"


def test_metrics_pages_that_nobody_takes_hold_no_memory(many_tables):
    server, _ = many_tables
    size = len(get(server.port, "/metrics")[1])
    assert size > MEGABYTE, size
    before = server.memory_bytes()
    readers = 100
    with Crowd(server.port, readers, b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", receive_buffer=SMALL_BUFFER):
        assert get(server.port, "/healthz") == (200, b"ok\n")
        wait_until(lambda: get(server.port, "/metrics")[0] == 200, "no page")
        assert server.memory_bytes() - before < readers * size // 4
