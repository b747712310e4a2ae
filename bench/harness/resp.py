"""A small Redis client, for checking answers (not for timing)."""

from __future__ import annotations

import socket


class RedisError(Exception):
    """The server answered with an error, or not in its protocol."""


class RedisClient:
    def __init__(self, port: int, timeout: float = 30):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self._reader = self._socket.makefile("rb")

    def __enter__(self) -> RedisClient:
        return self

    def __exit__(self, *_) -> None:
        self._reader.close()
        self._socket.close()

    def call(self, *words: str) -> str | int | None:
        parts = [f"*{len(words)}\r\n"] + [f"${len(word)}\r\n{word}\r\n" for word in words]
        self._socket.sendall("".join(parts).encode())
        line = self._reader.readline().decode().rstrip("\r\n")
        kind, rest = line[:1], line[1:]
        if kind == "+":
            return rest
        if kind == ":":
            return int(rest)
        if kind == "$":
            length = int(rest)
            return None if length < 0 else self._reader.read(length + 2)[:-2].decode()
        raise RedisError(line or "the server closed the connection")
