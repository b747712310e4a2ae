"""Bytes that are no proper HTTP request, or proper ones sent in an unfriendly way."""

import gzip
import socket
import struct
import zlib

# What a server may answer to nonsense. Of 5xx only "I do not speak that".
REFUSALS = {400, 403, 404, 405, 408, 411, 413, 414, 417, 426, 431, 501, 505}
READ_S = 30  # a bound, not an expectation
BODY = b'{"TableName":"absent"}'


def post(headers=b"", body=BODY, length=None, version=b"1.1"):
    stated = b"" if length == b"" else b"Content-Length: %s\r\n" % (length or str(len(body)).encode())
    return (
        b"POST / HTTP/" + version + b"\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.DescribeTable\r\n"
        b"Content-Type: application/x-amz-json-1.0\r\n" + headers + stated + b"\r\n" + body
    )


def chunked(body):
    return post(b"Transfer-Encoding: chunked\r\n", body, b"")


BOMB = gzip.compress(b" " * (64 << 20), 9)
BOMB_IN_BOMB = gzip.compress(BOMB + b"\x00" * (8 << 20))
ALMOST_BOMB = gzip.compress(b" " * ((16 << 20) - 10), 9)
ZIPPED = gzip.compress(BODY)

# Name to bytes. Each is sent on a connection of its own; the server must answer with a refusal or 200, or hang up.
ATTACKS = {
    "nothing": b"",
    "empty lines": b"\r\n" * 50,
    "no version": b"POST /\r\n\r\n",
    "version 0.9": b"GET /\r\n",
    "version 1.0": post(version=b"1.0"),
    "version 1.2": post(version=b"1.2"),
    "version 2.0": post(version=b"2.0"),
    "version x": post(version=b"x.y"),
    "HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
    "TLS hello": bytes.fromhex("16030100c8010000c40303") + bytes(range(200)),
    "lower case method": b"post / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
    "strange method": b"B@D / HTTP/1.1\r\nHost: a\r\n\r\n",
    "long method": b"X" * 100_000 + b" / HTTP/1.1\r\nHost: a\r\n\r\n",
    "long target": b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
    "space in target": b"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
    "zero in target": b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
    "absolute target": b"GET http://elsewhere/ HTTP/1.1\r\nHost: a\r\n\r\n",
    "CONNECT": b"CONNECT elsewhere:80 HTTP/1.1\r\nHost: a\r\n\r\n",
    "TRACE": b"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "bare line feeds": post().replace(b"\r\n", b"\n"),
    "bare carriage returns": post().replace(b"\r\n", b"\r"),
    "folded header": post(b"X-Folded: a\r\n b\r\n"),
    "space before colon": post(b"X-Space : a\r\n"),
    "no colon": post(b"nonsense\r\n"),
    "zero in header": post(b"X-Zero: a\x00b\r\n"),
    "high bytes in header": post(b"X-High: \xff\xfe\x80\r\n"),
    "empty header name": post(b": a\r\n"),
    "long header name": post(b"X" * 70_000 + b": a\r\n"),
    "long header value": post(b"X-Long: " + b"a" * 70_000 + b"\r\n"),
    "many headers": post(b"".join(b"X-%d: a\r\n" % n for n in range(5000))),
    "endless headers": b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 200_000,
    "two lengths": post(b"Content-Length: 5\r\n"),
    "two equal lengths": post(b"Content-Length: %d\r\n" % len(BODY)),
    "list of lengths": post(length=b"22, 22"),
    "negative length": post(length=b"-1"),
    "plus length": post(length=b"+22"),
    "hex length": post(length=b"0x16"),
    "length overflow": post(length=b"18446744073709551638"),
    "long length": post(length=b"1" * 5000),
    "length with letters": post(length=b"22abc"),
    "empty length": post(length=b" "),
    "no length": post(length=b""),
    "length too large": post(length=b"100000000"),
    "length longer than body": post(length=b"1000"),
    "length shorter than body": post(length=b"3"),
    "length and chunked": post(b"Transfer-Encoding: chunked\r\n"),
    "chunked twice": post(b"Transfer-Encoding: chunked, chunked\r\n", b"0\r\n\r\n", b""),
    "unknown transfer encoding": post(b"Transfer-Encoding: snappy\r\n", b"", b""),
    "chunked 1.0": chunked(b"0\r\n\r\n").replace(b"HTTP/1.1", b"HTTP/1.0"),
    "good chunks": chunked(b"16\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "chunk size garbage": chunked(b"zz\r\nabc\r\n0\r\n\r\n"),
    "chunk size overflow": chunked(b"ffffffffffffffffff\r\nabc\r\n"),
    "chunk size negative": chunked(b"-1\r\nabc\r\n"),
    "chunk size huge": chunked(b"7fffffff\r\nabc"),
    "chunk longer than stated": chunked(b"2\r\nabcdef\r\n0\r\n\r\n"),
    "chunk extension": chunked(b"16;a=b\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "long chunk extension": chunked(b"16;" + b"a" * 100_000 + b"\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "many tiny chunks": chunked(b"1\r\n \r\n" * 50_000 + b"0\r\n\r\n"),
    "chunk trailers": chunked(b"16\r\n" + BODY + b"\r\n0\r\nX-Trailer: a\r\n\r\n"),
    "endless trailers": chunked(b"0\r\n" + b"X: a\r\n" * 50_000),
    "no last chunk": chunked(b"16\r\n" + BODY + b"\r\n"),
    "expect": post(b"Expect: 100-continue\r\n"),
    "expect the unexpected": post(b"Expect: the-unexpected\r\n"),
    "upgrade": post(b"Connection: Upgrade\r\nUpgrade: websocket\r\n"),
    "gzip": post(b"Content-Encoding: gzip\r\n", ZIPPED),
    "gzip bomb": post(b"Content-Encoding: gzip\r\n", BOMB),
    "gzip bomb in a bomb": post(b"Content-Encoding: gzip\r\n", BOMB_IN_BOMB),
    "almost a bomb": post(b"Content-Encoding: gzip\r\n", ALMOST_BOMB),
    "cut gzip": post(b"Content-Encoding: gzip\r\n", ZIPPED[:-6]),
    "broken gzip": post(b"Content-Encoding: gzip\r\n", ZIPPED[:12] + b"\xff\xff" + ZIPPED[14:]),
    "gzip with wrong crc": post(b"Content-Encoding: gzip\r\n", ZIPPED[:-8] + b"\x00" * 8),
    "gzip that is none": post(b"Content-Encoding: gzip\r\n"),
    "two gzip members": post(b"Content-Encoding: gzip\r\n", ZIPPED + ZIPPED),
    "deflate": post(b"Content-Encoding: deflate\r\n", zlib.compress(BODY)),
    "deflate bomb": post(b"Content-Encoding: deflate\r\n", zlib.compress(b" " * (64 << 20), 9)),
    "unknown content encoding": post(b"Content-Encoding: zstd\r\n"),
    "two content encodings": post(b"Content-Encoding: gzip, gzip\r\n", gzip.compress(ZIPPED)),
    "long credential": post(b"Authorization: AWS4-HMAC-SHA256 Credential=" + b"/" * 60_000 + b"\r\n"),
    "credential of commas": post(b"Authorization: AWS4-HMAC-SHA256 " + b",=" * 30_000 + b"\r\nX-Amz-Date: 1\r\n"),
    "text behind the request": post() + b"\x00\x01\x02 nonsense \xff" * 100,
    "long query": b"POST /?" + b"X-Amz-Algorithm=%41&" * 3000 + b" HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
}


def expected(data):
    """The statuses that are no sign of a fault. A body that cannot be decoded gets 500, as from the service."""
    undecodable = {500} if b"content-encoding" in data.lower() else set()
    return REFUSALS | {100, 200} | undecodable


def statuses(port, data, pieces=1, half_close=True):
    """Sends the bytes in so many pieces and gives the statuses of all answers until the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), READ_S) as connection:
        step = max(1, -(-len(data) // pieces))
        try:
            for at in range(0, len(data), step):
                connection.sendall(data[at : at + step])
            if half_close:
                connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # refused already
        return answered(connection)


def answered(connection):
    received = b""
    try:
        while part := connection.recv(1 << 16):
            received += part
    except ConnectionError:
        pass
    found = []
    while received.startswith(b"HTTP/1.1 "):
        found.append(int(received[9:12]))
        end = received.find(b"\r\n\r\n")
        if end < 0:
            break
        head, received = received[:end].lower(), received[end + 4 :]
        at = head.find(b"\r\ncontent-length:")
        if at >= 0:
            received = received[int(head[at + 17 :].split(b"\r\n")[0]) :]
    return found


def reset(port, data):
    """Sends and breaks the connection off hard, without a look at the answer."""
    connection = socket.create_connection(("127.0.0.1", port), READ_S)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    try:
        connection.sendall(data)
    except OSError:
        pass
    connection.close()


def mutated_attack(choices):
    """One of the attacks, or a good request, with bytes changed, cut, doubled or joined."""
    data = choices.choice(SMALL)
    kind = choices.randrange(5)
    at = choices.randrange(len(data) + 1)
    if kind == 0:
        return data[:at] + choices.randbytes(choices.randrange(1, 9)) + data[at:]
    if kind == 1:
        return data[:at]
    if kind == 2:
        return data + choices.choice(SMALL)
    if kind == 3:
        changed = bytearray(data)
        for _ in range(choices.randrange(1, 6)):
            if changed:
                changed[choices.randrange(len(changed))] = choices.randrange(256)
        return bytes(changed)
    return data[:at] + data[choices.randrange(len(data) + 1) :]


SMALL = [data for data in ATTACKS.values() if len(data) < 4000] + [post()] * 20
