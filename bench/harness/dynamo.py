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


DATA_TARGET = "DynamoDB_20120810"
STREAMS_TARGET = "DynamoDBStreams_20120810"


def signed_headers(port: int, operation: str, body: bytes,
                   target: str = DATA_TARGET) -> dict[str, str]:
    """The headers of a request with AWS Signature Version 4."""
    now = datetime.datetime.now(datetime.timezone.utc)
    timestamp = now.strftime("%Y%m%dT%H%M%SZ")
    date = timestamp[:8]
    headers = {
        "content-type": CONTENT_TYPE,
        "host": f"{HOST}:{port}",
        "x-amz-date": timestamp,
        "x-amz-target": f"{target}.{operation}",
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
        return json.loads(self.raw_call(operation, DATA_TARGET, parameters))

    def call_streams(self, operation: str, **parameters) -> dict:
        return json.loads(self.raw_call(operation, STREAMS_TARGET, parameters))

    def raw_call(self, operation: str, target: str, parameters: dict) -> bytes:
        """The text of an answer, for those who count it instead of reading it."""
        body = json.dumps(parameters).encode()
        self._connection.request(
            "POST", "/", body=body, headers=signed_headers(self.port, operation, body, target)
        )
        answer = self._connection.getresponse()
        text = answer.read()
        self.last_body_bytes = len(text)
        if answer.status != 200:
            raise DynamoError(f"{operation}: status {answer.status}: {text[:300]!r}")
        return text

    def create_tables(self) -> None:
        """Makes the two tables that the load generator knows."""
        self.create_table(ITEM_TABLE, ["pk"])
        self.create_table(QUERY_TABLE, ["pk", "sk"])

    def create_table(self, table: str, keys: list[str], indexes: list[str] = (), **more) -> None:
        """Makes a table with keys of type S, and an index with all attributes on each of `indexes`."""
        if indexes:
            more["GlobalSecondaryIndexes"] = [
                {"IndexName": f"by-{name}", "KeySchema": [{"AttributeName": name, "KeyType": "HASH"}],
                 "Projection": {"ProjectionType": "ALL"}}
                for name in indexes
            ]
        self.call(
            "CreateTable",
            TableName=table,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[
                {"AttributeName": name, "AttributeType": "S"} for name in [*keys, *indexes]],
            KeySchema=[
                {"AttributeName": key, "KeyType": kind}
                for key, kind in zip(keys, ["HASH", "RANGE"])
            ],
            **more,
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
