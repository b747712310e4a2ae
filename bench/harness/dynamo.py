"""A small signed DynamoDB client, for setting up tables and checking answers (not for timing)."""

from __future__ import annotations

import datetime
import hashlib
import hmac
import http.client
import json
import time

ACCESS_KEY = "benchaccess"
SECRET_KEY = "benchsecret"
REGION = "us-east-1"
HOST = "127.0.0.1"
CONTENT_TYPE = "application/x-amz-json-1.0"

ITEM_TABLE = "bench_items"
QUERY_TABLE = "bench_query"
ROWS_PER_PARTITION = 100


class DynamoError(Exception):
    """The server answered with an error."""


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signed_headers(port: int, operation: str, body: bytes) -> dict[str, str]:
    """The headers of a request with AWS Signature Version 4."""
    now = datetime.datetime.now(datetime.timezone.utc)
    timestamp = now.strftime("%Y%m%dT%H%M%SZ")
    date = timestamp[:8]
    headers = {
        "content-type": CONTENT_TYPE,
        "host": f"{HOST}:{port}",
        "x-amz-date": timestamp,
        "x-amz-target": f"DynamoDB_20120810.{operation}",
    }
    names = ";".join(headers)
    canonical = "\n".join(
        ["POST", "/", ""]
        + [f"{name}:{value}" for name, value in headers.items()]
        + ["", names, hashlib.sha256(body).hexdigest()]
    )
    scope = f"{date}/{REGION}/dynamodb/aws4_request"
    to_sign = "\n".join(
        ["AWS4-HMAC-SHA256", timestamp, scope, hashlib.sha256(canonical.encode()).hexdigest()]
    )
    key = f"AWS4{SECRET_KEY}".encode()
    for part in scope.split("/"):
        key = _hmac(key, part)
    signature = _hmac(key, to_sign).hex()
    headers["authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{scope}, SignedHeaders={names}, "
        f"Signature={signature}"
    )
    return headers


class DynamoClient:
    """One keep-alive connection to a DynamoDB-type server."""

    def __init__(self, port: int, timeout: float = 30):
        self.port = port
        self._connection = http.client.HTTPConnection(HOST, port, timeout=timeout)
        self.last_body_bytes = 0

    def __enter__(self) -> DynamoClient:
        return self

    def __exit__(self, *_) -> None:
        self._connection.close()

    def call(self, operation: str, **parameters) -> dict:
        body = json.dumps(parameters).encode()
        self._connection.request(
            "POST", "/", body=body, headers=signed_headers(self.port, operation, body)
        )
        answer = self._connection.getresponse()
        text = answer.read()
        self.last_body_bytes = len(text)
        if answer.status != 200:
            raise DynamoError(f"{operation}: status {answer.status}: {text[:300]!r}")
        return json.loads(text)

    def create_tables(self) -> None:
        """Makes the two tables that the load generator knows."""
        self._create(ITEM_TABLE, ["pk"])
        self._create(QUERY_TABLE, ["pk", "sk"])

    def _create(self, table: str, keys: list[str]) -> None:
        self.call(
            "CreateTable",
            TableName=table,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in keys],
            KeySchema=[
                {"AttributeName": key, "KeyType": kind}
                for key, kind in zip(keys, ["HASH", "RANGE"])
            ],
        )
        # Wait until it is ready; there is no point in measuring a server that takes longer.
        for _ in range(300):
            status = self.call("DescribeTable", TableName=table)["Table"]["TableStatus"]
            if status == "ACTIVE":
                return
            time.sleep(0.05)
        raise DynamoError(f"table {table} does not become active")

    def get_item(self, key: str) -> dict | None:
        return self.call("GetItem", TableName=ITEM_TABLE, Key={"pk": {"S": key}}).get("Item")

    def query(self, partition: str) -> list[dict]:
        return self.call(
            "Query",
            TableName=QUERY_TABLE,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": partition}},
        )["Items"]

    def count(self, table: str) -> int:
        """The number of items in a table, by scanning all of it."""
        total, start = 0, {}
        while True:
            page = self.call("Scan", TableName=table, Select="COUNT", **start)
            total += page["Count"]
            if not page.get("LastEvaluatedKey"):
                return total
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
