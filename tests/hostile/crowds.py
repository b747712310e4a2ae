"""Clients that take up what others need: connections, memory, time."""

import json
import socket

from wire_client import Signer

CONNECT_S = 60  # a bound for a busy machine, not an expectation
SMALL_BUFFER = 4096
KEYS_MAX = 100


def connect(port, source="127.0.0.1", receive_buffer=None):
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    connection.settimeout(CONNECT_S)
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.bind((source, 0))
    connection.connect(("127.0.0.1", port))
    return connection


class Crowd:
    """Many connections of one address; all are closed with it."""

    def __init__(self, port, count, sends=b"", source="127.0.0.1", receive_buffer=None):
        self.connections = []
        for _ in range(count):
            connection = connect(port, source, receive_buffer)
            self.connections.append(connection)
            try:
                if sends:
                    connection.sendall(sends)
            except OSError:
                pass  # refused already

    def close(self):
        for connection in self.connections:
            connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def get(port, path, version="1.1"):
    """One GET on a connection of its own; gives the status and the body, whatever frames it."""
    with connect(port) as connection:
        connection.sendall(f"GET {path} HTTP/{version}\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
        received = bytearray()
        while part := connection.recv(1 << 18):
            received += part
    head, _, body = bytes(received).partition(b"\r\n\r\n")
    if b"transfer-encoding: chunked" in head.lower():
        body = unchunk(body)
    return int(head[9:12]), body


def unchunk(data):
    body, at = bytearray(), 0
    while True:
        end = data.index(b"\r\n", at)
        size = int(data[at:end], 16)
        if size == 0:
            assert data[end:] == b"\r\n\r\n"
            return bytes(body)
        body += data[end + 2 : end + 2 + size]
        assert data[end + 2 + size : end + 4 + size] == b"\r\n"
        at = end + 4 + size


def batch_get(port, table, keys):
    """The bytes of a BatchGetItem of the items with these keys."""
    keys = [{"pk": {"S": key}} for key in keys[:KEYS_MAX]]
    body = json.dumps({"RequestItems": {table: {"Keys": keys}}}).encode()
    return Signer(f"127.0.0.1:{port}").request("BatchGetItem", body)
