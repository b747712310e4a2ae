"""Improper HTTP: refused or dropped, never with a failure of the server, and never at the cost of others."""

import random
import socket
import threading

import pytest

from http_attacks import ATTACKS, READ_S, expected, post, reset, statuses
from wire_client import Client

MUTATED = 600
SLOW_CONNECTIONS = 200
UNREAD_REQUESTS = 2000
BOMBS_AT_ONCE = 16
MEMORY_GROWTH_MAX = 512 << 20


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    from server_process import ServerProcess

    with ServerProcess(tmp_path_factory.mktemp("http") / "server.log") as process:
        yield process
        assert process.running(), process.log_text()
        assert process.log_text() == ""
        assert process.stop() == 0


@pytest.fixture(autouse=True)
def still_served(server):
    """Whatever a test sends, the next good request is answered."""
    yield
    assert Client(server.port).call("ListTables") == {"TableNames": []}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused_or_answered(server, name):
    assert set(statuses(server.port, ATTACKS[name])) <= expected(ATTACKS[name])


@pytest.mark.parametrize("name", [name for name, data in ATTACKS.items() if len(data) < 4000])
def test_an_attack_in_small_pieces_gets_the_same_answer(server, name):
    # 100 Continue is sent only if the body has not come by then, which depends on the pieces.
    final = [status for status in statuses(server.port, ATTACKS[name]) if status != 100]
    assert [status for status in statuses(server.port, ATTACKS[name], pieces=40) if status != 100] == final


def test_mutated_attacks_do_no_harm(server, seed):
    from http_attacks import mutated_attack

    choices = random.Random(seed)
    for _ in range(MUTATED):
        data = mutated_attack(choices)
        found = statuses(server.port, data, pieces=choices.choice((1, 1, 3)))
        assert set(found) <= expected(data), data


def test_broken_off_connections_do_no_harm(server, seed):
    choices = random.Random(seed)
    for _ in range(MUTATED):
        data = choices.choice((post(), post() * 10, ATTACKS["many tiny chunks"][:5000]))
        reset(server.port, data[: choices.randrange(len(data) + 1)])


def test_pipelined_halves_are_answered_in_order(server):
    """Every cut of two joined requests, sent as two pieces: always two answers."""
    joined = post() + b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    for cut in range(1, len(joined)):
        with socket.create_connection(("127.0.0.1", server.port), READ_S) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.sendall(joined[:cut])
            connection.sendall(joined[cut:])
            from http_attacks import answered

            assert answered(connection) == [400, 200], cut


def test_slow_clients_do_not_hold_others_up(server):
    """Many connections that each send a byte now and then, in the head and in the body of a request."""
    head, body = post()[:60], post()[:-10]
    connections = [socket.create_connection(("127.0.0.1", server.port), READ_S) for _ in range(SLOW_CONNECTIONS)]
    client = Client(server.port)
    for at in range(40):
        for number, connection in enumerate(connections):
            text = head if number % 2 else body
            connection.sendall(text[at : at + 1])
        assert client.call("ListTables") == {"TableNames": []}
    for connection in connections:
        connection.close()


def test_a_client_that_takes_no_answers_is_held_back(server):
    """It sends thousands of requests and reads nothing: the server stops reading, and keeps little of it in memory."""
    before = server.memory_bytes()
    connection = socket.create_connection(("127.0.0.1", server.port), READ_S)
    connection.setblocking(False)
    request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 1000
    sent = 0
    for _ in range(UNREAD_REQUESTS):
        try:
            sent += connection.send(request)
        except BlockingIOError:
            break
    client = Client(server.port)
    for _ in range(100):
        assert client.call("ListTables") == {"TableNames": []}
    assert sent < UNREAD_REQUESTS * len(request), "the server reads on although nobody takes its answers"
    assert server.memory_bytes() - before < MEMORY_GROWTH_MAX
    connection.close()


def test_bombs_at_once_do_not_use_up_the_memory(server):
    before = server.memory_bytes()
    results = []

    def attack(name):
        results.extend(statuses(server.port, ATTACKS[name]))

    names = ["gzip bomb", "almost a bomb", "gzip bomb in a bomb", "deflate bomb"] * (BOMBS_AT_ONCE // 4)
    threads = [threading.Thread(target=attack, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == BOMBS_AT_ONCE
    assert set(results) <= {400, 413}
    assert server.memory_bytes() - before < MEMORY_GROWTH_MAX


def test_large_bodies_at_once_do_not_use_up_the_memory(server):
    """Announced and half sent: sixteen clients hold 8 MB of an unfinished body each."""
    before = server.memory_bytes()
    body = b" " * (8 << 20)
    connections = []
    for _ in range(BOMBS_AT_ONCE):
        connection = socket.create_connection(("127.0.0.1", server.port), READ_S)
        connection.sendall(post(body=body, length=str(16 << 20).encode()))
        connections.append(connection)
    assert Client(server.port).call("ListTables") == {"TableNames": []}
    assert server.memory_bytes() - before < MEMORY_GROWTH_MAX
    for connection in connections:
        connection.close()
