"""SIGTERM and SIGINT end the server with exit code 0, and what it answered stays."""

import signal
import socket
import threading

import pytest

import tables
from wire_client import Client, ServiceError, Unanswered

TABLE = "stop"
WRITERS = 6
REQUESTS_MAX = 1_000_000
SIGNALS = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])


@SIGNALS
@pytest.mark.parametrize("store", ["disk", "memory"])
def test_an_idle_server_stops(number, store, new_server):
    server = (new_server() if store == "disk" else new_server(data=None)).start()
    assert server.stop(number) == 0
    assert server.log_text() == ""


class Writer(threading.Thread):
    def __init__(self, port, number):
        super().__init__(daemon=True)
        self._client = Client(port)
        self._number = number
        self.acknowledged = set()
        self.problems = []
        self.started = threading.Event()

    def run(self):
        try:
            for step in range(REQUESTS_MAX):
                key = f"{self._number}-{step}"
                self._client.call("PutItem", TableName=TABLE, Item={"pk": {"S": key}})
                self.acknowledged.add(key)
                self.started.set()
        except Unanswered:
            pass
        except ServiceError as error:
            self.problems.append(str(error))
        self.started.set()


@SIGNALS
def test_a_server_under_load_stops_and_keeps_what_it_answered(number, new_server):
    server = new_server().start()
    tables.create(Client(server.port), TABLE, ("pk",), {"pk": "S"})
    writers = [Writer(server.port, n) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.started.wait(60)
    assert server.stop(number) == 0
    assert server.log_text() == ""
    for writer in writers:
        writer.join()
        assert writer.problems == []
        assert writer.acknowledged
    restarted = new_server().start()
    there = {item["pk"]["S"] for item in tables.scan_all(Client(restarted.port), TABLE)}
    assert set().union(*(writer.acknowledged for writer in writers)) <= there


@SIGNALS
def test_clients_that_hold_connections_do_not_hold_the_server(number, new_server):
    """Idle ones, one in the middle of a head, one in the middle of a body, one that takes no answers."""
    server = new_server(data=None).start()
    beginnings = [b"", b"POST / HT", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc"]
    beginnings.append(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 20000)
    connections = []
    for beginning in beginnings:
        connection = socket.create_connection(("127.0.0.1", server.port), 30)
        connection.setblocking(False)
        if beginning:
            connection.send(beginning)
        connections.append(connection)
    assert Client(server.port).call("ListTables") == {"TableNames": []}
    assert server.stop(number) == 0
    for connection in connections:
        connection.close()


def test_a_second_signal_does_no_harm(new_server):
    server = new_server().start()
    server.process.send_signal(signal.SIGTERM)
    server.process.send_signal(signal.SIGTERM)
    server.process.send_signal(signal.SIGINT)
    assert server.wait() == 0


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGPIPE])
def test_other_signals_do_not_damage_the_data(number, new_server):
    server = new_server().start()
    tables.create(Client(server.port), TABLE, ("pk",), {"pk": "S"})
    Client(server.port).call("PutItem", TableName=TABLE, Item={"pk": {"S": "a"}})
    server.process.send_signal(number)
    if server.running():
        server.stop()
    server.wait()
    restarted = new_server().start()
    assert tables.scan_all(Client(restarted.port), TABLE) == [{"pk": {"S": "a"}}]
