"""Tables with capacity, and what the server says of it: what the tests of capacity share."""

import datetime
import re
import urllib.request

import botocore.exceptions

ACCOUNT = "418273906451"
HOUR = datetime.timedelta(hours=1)
TABLE = "arn:aws:dynamodb:us-east-1:" + ACCOUNT + ":table/"


def create(endpoint, name, read, write, index_write=None, **members):
    """A provisioned table with pk and sk, and a global index on g where it has capacity."""
    dynamodb = endpoint.client("dynamodb")
    attributes = ["pk", "sk"]
    if index_write:
        attributes.append("g")
        members["GlobalSecondaryIndexes"] = [{
            "IndexName": "by-g", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
            "ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": index_write}}]
    dynamodb.create_table(
        TableName=name, KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": a, "AttributeType": "S"} for a in attributes],
        ProvisionedThroughput={"ReadCapacityUnits": read, "WriteCapacityUnits": write}, **members)
    return dynamodb


def item(pk, sk, **more):
    return {"pk": {"S": pk}, "sk": {"S": str(sk)}, **{name: {"S": value} for name, value in more.items()}}


def until_refused(call, attempts=500):
    """Calls with growing numbers until it is refused; gives the error."""
    for number in range(attempts):
        try:
            call(number)
        except botocore.exceptions.ClientError as error:
            return error
    raise AssertionError(f"{attempts} calls were let in")


def total(endpoint, metric, **dimensions):
    now = datetime.datetime.now(datetime.timezone.utc)
    answer = endpoint.client("cloudwatch").get_metric_statistics(
        Namespace="AWS/DynamoDB", MetricName=metric, Period=3600, Statistics=["Sum"], StartTime=now - HOUR,
        EndTime=now + HOUR, Dimensions=[{"Name": n, "Value": v} for n, v in dimensions.items()])
    return sum(point["Sum"] for point in answer["Datapoints"])


def page(endpoint):
    with urllib.request.urlopen(endpoint.url + "/metrics", timeout=30) as answer:
        return answer.read().decode()


def value_of(text, name, **labels):
    """A value of the page /metrics; 0 where there is none."""
    wanted = ",".join(f'{label}="{value}"' for label, value in labels.items())
    found = re.search(rf"^{name}\{{{re.escape(wanted)}\}} (\S+)$", text, re.MULTILINE)
    return float(found.group(1)) if found else 0
