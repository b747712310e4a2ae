"""A client of the wire itself: signs and sends any bytes, and gives back exactly what came.

The SDKs repair and check requests before they send them; a conformance test needs the opposite.
"""

import http.client
import itertools
import json
import time
import urllib.parse
from dataclasses import dataclass

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

TARGET = "DynamoDB_20120810"
ACTIVE_S = 30
JSON_1_0 = "application/x-amz-json-1.0"

# Which namespace an error's __type carries. Errors of the DynamoDB model are in the last one.
SERVICE = "com.amazon.coral.service#"
VALIDATE = "com.amazon.coral.validate#"
MODEL = "com.amazonaws.dynamodb.v20120810#"
NAMESPACES = {
    "SerializationException": SERVICE,
    "UnknownOperationException": SERVICE,
    "MissingAuthenticationTokenException": SERVICE,
    "IncompleteSignatureException": SERVICE,
    "InvalidSignatureException": SERVICE,
    "UnrecognizedClientException": SERVICE,
    "AccessDeniedException": SERVICE,
    "ValidationException": VALIDATE,
}
# These spell the text's key with a capital letter, as every error that shows an item does.
CAPITAL_MESSAGE = {"SerializationException", "AccessDeniedException", "TransactionCanceledException"}


@dataclass
class Answer:
    status: int
    headers: dict
    body: bytes
    operation: str = ""

    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        return self.json().get("__type", "").rpartition("#")[2]

    @property
    def message(self):
        document = self.json()
        return document.get("message", document.get("Message"))


class ServiceError(Exception):
    """An answer other than 200 to a call that a test relies on."""

    def __init__(self, operation, answer):
        super().__init__(f"{operation}: {answer.status} {answer.body[:500]!r}")
        self.answer = answer


class Wire:
    def __init__(self, url, access_key, secret_key, region):
        self.url = url.rstrip("/")
        parts = urllib.parse.urlsplit(self.url)
        self._https = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self.region = region
        self._signer = SigV4Auth(Credentials(access_key, secret_key), "dynamodb", region)
        self._connection = None

    def sign(self, method, path, headers, body):
        request = AWSRequest(method, self.url + path, headers=headers, data=body)
        self._signer.add_auth(request)
        return dict(request.headers.items())

    def send(self, method="POST", path="/", headers=None, body=b"", signed=True):
        """One HTTP exchange. The connection is kept, and opened anew when the server closed it."""
        if isinstance(body, str):
            body = body.encode()
        headers = dict(headers or {})
        if signed:
            headers = self.sign(method, path, headers, body)
        for attempt in (1, 2):
            if self._connection is None:
                kind = http.client.HTTPSConnection if self._https else http.client.HTTPConnection
                self._connection = kind(self._host, self._port, timeout=30)
            try:
                self._connection.request(method, path, body=body, headers=headers)
                response = self._connection.getresponse()
                content = response.read()
                break
            except (http.client.HTTPException, ConnectionError):
                self._connection.close()
                self._connection = None
                if attempt == 2:
                    raise
        answer = Answer(
            response.status, {k.lower(): v for k, v in response.getheaders()}, content
        )
        if response.will_close:
            self._connection.close()
            self._connection = None
        return answer

    def post(self, operation, body, target=TARGET, content_type=JSON_1_0, headers=None, signed=True):
        """Sends a request body; anything but str and bytes is written as JSON."""
        if not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        all_headers = {"X-Amz-Target": f"{target}.{operation}", "Content-Type": content_type}
        all_headers.update(headers or {})
        answer = self.send(headers=all_headers, body=body, signed=signed)
        answer.operation = operation
        return answer

    def call(self, operation, /, **members):
        """Sends a request that must succeed and returns its answer's document."""
        answer = self.post(operation, members)
        if answer.status != 200:
            raise ServiceError(operation, answer)
        return answer.json()


class Nodes(Wire):
    """Several servers over the same data: each request goes to the next one."""

    def __init__(self, urls, access_key, secret_key, region):
        nodes = [Wire(url, access_key, secret_key, region) for url in urls.split(",")]
        super().__init__(nodes[0].url, access_key, secret_key, region)
        self._turns = itertools.cycle(nodes)

    def send(self, *arguments, **members):
        return next(self._turns).send(*arguments, **members)


def assert_error(answer, code, message=None):
    """Checks status, the full __type, the spelling of the text's key and the text itself.

    `message` is a string to be equal to, a compiled pattern to match whole, a list of strings to be
    one of, or None for an error that has no text.
    """
    assert answer.status == 400, answer.body[:2000]
    document = answer.json()
    assert document.get("__type") == NAMESPACES.get(code, MODEL) + code, document
    key = "Message" if code in CAPITAL_MESSAGE or "Item" in document else "message"
    text = document.get(key)
    if message is None:
        assert "message" not in document and "Message" not in document, document
    elif isinstance(message, str):
        assert text == message
    elif isinstance(message, (list, tuple)):
        assert text in message
    else:
        assert text is not None and message.fullmatch(text), text


def assert_invalid(answer, message):
    assert_error(answer, "ValidationException", message)


ENVELOPE = "1 validation error detected: "
ENVELOPED = {"PutItem", "UpdateItem", "DeleteItem"}


def assert_request_invalid(answer, message):
    """Expects a fault of the request itself, which the three single writes report in an envelope."""
    assert_invalid(answer, (ENVELOPE if answer.operation in ENVELOPED else "") + message)


def violations(*parts):
    """The text in which constraint violations are reported together."""
    return (
        f"{len(parts)} validation error{'s' if len(parts) > 1 else ''} detected: "
        + "; ".join(parts)
    )


def violation(value, path, constraint):
    shown = "null" if value is None else f"'{value}'"
    return f"Value {shown} at '{path}' failed to satisfy constraint: {constraint}"


def assert_violations(answer, *parts):
    """Expects exactly these violations, in any order: the service's order is that of a hash map."""
    assert_error(answer, "ValidationException", _any_order(parts))


class _any_order:
    def __init__(self, parts):
        self._parts = sorted(parts)

    def fullmatch(self, text):
        head, _, rest = text.partition(" detected: ")
        count = len(self._parts)
        wanted = f"{count} validation error{'s' if count > 1 else ''}"
        return head == wanted and sorted(rest.split("; ")) == self._parts

    def __repr__(self):
        return f"any order of {self._parts}"


NOT_NULL = "Member must not be null"


def at_least(n):
    return f"Member must have value greater than or equal to {n}"


def at_most(n):
    return f"Member must have value less than or equal to {n}"


def longer(n):
    return f"Member must have length greater than or equal to {n}"


def shorter(n):
    return f"Member must have length less than or equal to {n}"


def enum(*values):
    return f"Member must satisfy enum value set: [{', '.join(values)}]"


NAME_PATTERN = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
CAPACITY = enum("INDEXES", "TOTAL", "NONE")
METRICS = enum("SIZE", "NONE")
# What the single writes say of a ReturnValues that they do not know; their enum has a slip of the pen.
UNKNOWN_RETURN_VALUES = (
    "Failed to satisfy constraint: Member must satisfy enum value set: "
    "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"
)
UNKNOWN_CONDITIONAL = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"
RETURN_VALUES = enum("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW")
CONDITIONAL = enum("OR", "AND")
COMPARISONS = enum(
    "IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE", "LE",
    "BEGINS_WITH", "GE", "CONTAINS",
)
SELECTS = enum("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")


def wait_active(db, name):
    deadline = time.monotonic() + ACTIVE_S
    while True:
        table = db.call("DescribeTable", TableName=name)["Table"]
        indexes = table.get("GlobalSecondaryIndexes", [])
        if table["TableStatus"] == "ACTIVE" and all(
            i["IndexStatus"] == "ACTIVE" for i in indexes
        ):
            return table
        assert time.monotonic() < deadline, table
        time.sleep(0.02)
