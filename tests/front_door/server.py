"""A server in a bare root, and a client of it outside."""

import http.client
import os
import pathlib
import signal
import socket
import time

import boto3
import botocore.config

ITEM = {"PK": {"S": "CUST#a1b2"}, "SK": {"S": "ORDER#o-9001"}, "total": {"N": "149"}}
KEY = {name: ITEM[name] for name in ("PK", "SK")}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def wait_for_answer(process, port, log, seconds):
    """Seconds until the server answered for the first time. Ends the test if it does not come to that."""
    begun = time.monotonic()
    while not answers(port):
        if process.poll() is not None:
            raise SystemExit(f"ended with {process.returncode} before it answered:\n{pathlib.Path(log).read_text()[-4000:]}")
        if time.monotonic() - begun > seconds:
            raise SystemExit(f"no answer within {seconds} s:\n{pathlib.Path(log).read_text()[-4000:]}")
        time.sleep(0.1)
    return time.monotonic() - begun


def stop(process, number, log):
    """As Ctrl-C or systemd does it. A server that was asked to end has done nothing wrong."""
    os.killpg(process.pid, number)
    status = process.wait(timeout=120)
    if status != 0:
        raise SystemExit(f"ended with {status} after {signal.Signals(number).name}:\n{pathlib.Path(log).read_text()[-4000:]}")


def client(port):
    return boto3.client("dynamodb", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1", aws_access_key_id="me",
                        aws_secret_access_key="secret", config=botocore.config.Config(read_timeout=60))


def create_table_and_put(port):
    dynamodb = client(port)
    dynamodb.create_table(TableName="orders", BillingMode="PAY_PER_REQUEST",
                          AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in KEY],
                          KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}])
    dynamodb.get_waiter("table_exists").wait(TableName="orders")
    dynamodb.put_item(TableName="orders", Item=ITEM)
    expect_item(port)


def expect_item(port):
    got = client(port).get_item(TableName="orders", Key=KEY, ConsistentRead=True).get("Item")
    if got != ITEM:
        raise SystemExit(f"the item came back as {got}")
