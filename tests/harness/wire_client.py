"""A client on one raw socket: signed requests, one answer each, no retries."""

import hashlib
import hmac
import json
import os
import select
import socket
import time
import zlib

ACCESS_KEY = os.environ.get("AWS_ACCESS_KEY_ID", "testkey")
SECRET_KEY = os.environ.get("AWS_SECRET_ACCESS_KEY", "testsecret")
REGION = "us-east-1"
TARGET = "DynamoDB_20120810."
TIMEOUT_S = 60  # a bound for a busy machine, not an expectation


class Unanswered(Exception):
    """The connection ended before the answer: whether the request was carried out is unknown."""


class ServiceError(Exception):
    def __init__(self, status, document):
        super().__init__(f"{status} {document}")
        self.status = status
        self.code = document.get("__type", "").rpartition("#")[2]
        self.message = document.get("message") or document.get("Message")


class Signer:
    """Signature Version 4 for requests to `host`."""

    def __init__(self, host, target=TARGET):
        self.host = host
        self._target = target
        self._day = None

    def _new_day(self, day):
        key = b"AWS4" + SECRET_KEY.encode()
        for part in (day, REGION, "dynamodb", "aws4_request"):
            key = hmac.digest(key, part.encode(), "sha256")
        self._day, self._key = day, key
        self._scope = f"{day}/{REGION}/dynamodb/aws4_request"

    def head(self, operation, body, more=""):
        """The request line and all headers for a body, without the empty line. `more` is not signed."""
        now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        if now[:8] != self._day:
            self._new_day(now[:8])
        target = self._target + operation
        canonical = (
            f"POST\n/\n\nhost:{self.host}\nx-amz-date:{now}\nx-amz-target:{target}\n\n"
            f"host;x-amz-date;x-amz-target\n{hashlib.sha256(body).hexdigest()}"
        )
        to_sign = (
            f"AWS4-HMAC-SHA256\n{now}\n{self._scope}\n"
            f"{hashlib.sha256(canonical.encode()).hexdigest()}"
        )
        signature = hmac.digest(self._key, to_sign.encode(), "sha256").hex()
        return (
            f"POST / HTTP/1.1\r\nHost: {self.host}\r\nX-Amz-Date: {now}\r\nX-Amz-Target: {target}\r\n"
            "Content-Type: application/x-amz-json-1.0\r\n"
            f"Authorization: AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{self._scope}, "
            f"SignedHeaders=host;x-amz-date;x-amz-target, Signature={signature}\r\n{more}"
        )

    def request(self, operation, body):
        """A whole request as bytes. `body` is bytes."""
        return self.head(operation, body, f"Content-Length: {len(body)}\r\n\r\n").encode() + body


class AnswerReader:
    """Cuts the bytes of one connection into answers."""

    def __init__(self, connection):
        self._connection = connection
        self._buffer = bytearray()

    def read(self):
        """The next answer as (status, head, body); Unanswered where the connection ended."""
        while (answer := self.take()) is None:
            self.receive()
        return answer

    def take(self):
        """The next answer if all of it has been received, else None."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        head = bytes(self._buffer[: end + 2])
        size = end + 4 + int(_header(head, b"content-length") or 0)
        if len(self._buffer) < size:
            return None
        body = bytes(self._buffer[end + 4 : size])
        del self._buffer[:size]
        return int(head[9:12]), head, body

    def receive(self):
        """Waits for more bytes."""
        try:
            more = self._connection.recv(1 << 18)
        except OSError as error:
            raise Unanswered(str(error)) from None
        if not more:
            raise Unanswered("closed")
        self._buffer += more


def _header(head, name):
    at = head.lower().find(b"\r\n" + name + b":")
    if at < 0:
        return None
    begin = at + len(name) + 3
    return head[begin : head.find(b"\r\n", begin)].strip()


def _is_closed(connection):
    """Whether the server has ended a connection on which no answer is due."""
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))


def check_crc(head, body):
    stated = _header(head, b"x-amz-crc32")
    assert stated is not None and int(stated) == zlib.crc32(body), (stated, body[:200])


class Client:
    """Opens its connection when first used, and another one after Unanswered or where the server has closed it while it was idle."""

    def __init__(self, port, target=TARGET):
        self._address = ("127.0.0.1", port)
        self._signer = Signer(f"127.0.0.1:{port}", target)
        self._connection = None

    def call(self, operation, **members):
        status, document = self.send(operation, json.dumps(members).encode())
        if status != 200:
            raise ServiceError(status, document)
        return document

    def send(self, operation, body):
        """Sends these bytes; gives the status and the answer's document."""
        try:
            if self._connection is not None and _is_closed(self._connection):
                self.close()
            if self._connection is None:
                self._connection = socket.create_connection(self._address, TIMEOUT_S)
                self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._reader = AnswerReader(self._connection)
            self._connection.sendall(self._signer.request(operation, body))
            status, head, content = self._reader.read()
        except (OSError, Unanswered) as error:
            self.close()
            raise Unanswered(str(error)) from None
        check_crc(head, content)
        return status, json.loads(content)

    def close(self):
        if self._connection is not None:
            self._connection.close()
        self._connection = None
