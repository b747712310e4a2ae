import pathlib
import random
import signal
import sys

import pytest
from trigger_process import wait_until

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "trigger" / "latest_status.py"
FILTER = '{"eventName": ["INSERT"], "dynamodb": {"Keys": {"SK": {"S": [{"prefix": "EVENT#"}]}}}}'
OPTIONS = ("--filter", FILTER, "--report-batch-item-failures", "--bisect-on-error", "--batch-size", "20")
PROGRAM = f"SHIPMENTS_TABLE=shipments {sys.executable} {EXAMPLE}"


@pytest.fixture
def shipments(dynamodb):
    dynamodb.create_table(
        TableName="shipments",
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("PK", "SK")],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )
    yield
    dynamodb.delete_table(TableName="shipments")


def put_event(dynamodb, partition_key, time, status, place="Basel"):
    item = {"PK": partition_key, "SK": f"EVENT#2026-06-08T{time}", "status": status, "place": place}
    dynamodb.put_item(TableName="shipments", Item={name: {"S": value} for name, value in item.items()})


def status_of(dynamodb, shipment):
    key = {"PK": {"S": shipment}, "SK": {"S": "STATUS"}}
    item = dynamodb.get_item(TableName="shipments", Key=key, ConsistentRead=True).get("Item", {})
    return {name: next(iter(value.values())) for name, value in item.items() if name not in ("PK", "SK")}


def test_the_status_is_that_of_the_newest_event(dynamodb, shipments, trigger):
    trigger("shipments", *OPTIONS, program=PROGRAM)
    put_event(dynamodb, "SHIPMENT#1", "10:00", "PICKED_UP")
    put_event(dynamodb, "SHIPMENT#1", "14:00", "IN_TRANSIT", "Olten")
    put_event(dynamodb, "SHIPMENT#1", "12:00", "SCANNED", "Liestal")  # comes late
    put_event(dynamodb, "SHIPMENT#2", "09:00", "PICKED_UP", "Bern")
    wait_until(lambda: status_of(dynamodb, "SHIPMENT#1").get("events") == "3", "three events")
    wait_until(lambda: status_of(dynamodb, "SHIPMENT#2").get("events") == "1", "one event")
    assert status_of(dynamodb, "SHIPMENT#1") == {
        "status": "IN_TRANSIT", "place": "Olten", "last_event": "EVENT#2026-06-08T14:00", "events": "3"
    }  # fmt: skip
    assert status_of(dynamodb, "SHIPMENT#2")["place"] == "Bern"


def test_sharded_shipments_and_kills_do_not_confuse_it(dynamodb, shipments, trigger):
    times = [f"{hour:02}:{minute:02}" for hour in range(3) for minute in range(0, 60, 2)]
    random.Random(7).shuffle(times)
    follower = trigger("shipments", *OPTIONS, program=PROGRAM)
    for number, time in enumerate(times):
        put_event(dynamodb, f"SHIPMENT#7#{number % 10}", time, f"AT {time}")
        if number % 30 == 29:
            follower.process.send_signal(signal.SIGKILL)
            follower.process.communicate()
            follower = trigger("shipments", *OPTIONS, program=PROGRAM)
    wait_until(lambda: status_of(dynamodb, "SHIPMENT#7").get("events") == str(len(times)), "all events")
    assert status_of(dynamodb, "SHIPMENT#7")["status"] == "AT " + max(times)
