#!/usr/bin/env python3
"""Keeps a small latest-status item for each shipment current from the stream of its events.

Events are items PK=SHIPMENT#{id} (large shipments: SHIPMENT#{id}#{shard}), SK=EVENT#{timestamp}. The board reads one
item per shipment, PK=SHIPMENT#{id}, SK=STATUS, which this function writes:

    status, place      of the newest event
    last_event         its sort key, which makes the function safe against events that come late, twice or out of order
    events             how many events there are, counted once each

`handler` is an AWS Lambda function and runs there as it is. Locally `stator trigger` starts this file as a program,
which hands the event on stdin to it.
"""

import json
import os
import sys

import boto3
from botocore.exceptions import ClientError

TABLE = os.environ.get("SHIPMENTS_TABLE", "shipments")

dynamodb = boto3.client("dynamodb")


def shipment_of(partition_key):
    """SHIPMENT#42 and its shard SHIPMENT#42#7 both give SHIPMENT#42."""
    return "#".join(partition_key.split("#")[:2])


def newest_status(shipment, event):
    """Writes the status of an event, unless a newer one is there."""
    key = {"PK": {"S": shipment}, "SK": {"S": "STATUS"}}
    try:
        dynamodb.update_item(
            TableName=TABLE,
            Key=key,
            UpdateExpression="SET #status = :status, place = :place, last_event = :event",
            ConditionExpression="attribute_not_exists(last_event) OR last_event < :event",
            ExpressionAttributeNames={"#status": "status"},
            ExpressionAttributeValues={
                ":status": event["status"],
                ":place": event.get("place", {"S": "unknown"}),
                ":event": event["SK"],
            },
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise


def count_once(shipment, record):
    """Counts the event in the same transaction that notes it as counted: a record that comes twice counts once."""
    sequence = record["dynamodb"]["SequenceNumber"]
    try:
        dynamodb.transact_write_items(
            TransactItems=[
                {
                    "Put": {
                        "TableName": TABLE,
                        "Item": {"PK": {"S": f"COUNTED#{shipment}"}, "SK": {"S": sequence}},
                        "ConditionExpression": "attribute_not_exists(PK)",
                    }
                },
                {
                    "Update": {
                        "TableName": TABLE,
                        "Key": {"PK": {"S": shipment}, "SK": {"S": "STATUS"}},
                        "UpdateExpression": "ADD events :one",
                        "ExpressionAttributeValues": {":one": {"N": "1"}},
                    }
                },
            ]
        )
    except ClientError as error:
        reasons = error.response.get("CancellationReasons", [{}])
        if reasons[0].get("Code") != "ConditionalCheckFailed":
            raise


def handler(event, context=None):
    """Names the first record that could not be handled; it and those behind it come again."""
    for record in event["Records"]:
        image = record["dynamodb"].get("NewImage")
        if record["eventName"] != "INSERT" or not image or not image["SK"]["S"].startswith("EVENT#"):
            continue
        shipment = shipment_of(image["PK"]["S"])
        try:
            newest_status(shipment, image)
            count_once(shipment, record)
        except ClientError as error:
            print(f"{image['PK']['S']} {image['SK']['S']}: {error}", file=sys.stderr)
            return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
    return {"batchItemFailures": []}


if __name__ == "__main__":
    print(json.dumps(handler(json.load(sys.stdin))))
