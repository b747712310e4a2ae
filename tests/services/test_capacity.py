"""Capacity that is observed, metered and scaled: what would have been throttled, and what was consumed."""

import itertools
import time

import pytest

from capacity_calls import TABLE, create, item, page, total, until_refused, value_of
from conftest import Endpoint, eventually
from server_process import ServerProcess


def test_observing_counts_and_lets_all_in(endpoint):
    dynamodb = create(endpoint, "observed", 1, 1)
    for number in range(10):
        dynamodb.put_item(TableName="observed", Item=item("a", number))
    labels = {"table": "observed", "reason": "TableWriteProvisionedThroughputExceeded"}
    text = page(endpoint)
    assert 1 <= value_of(text, "stator_would_throttle_total", **labels) <= 9
    assert value_of(text, "stator_throttles_total", **labels) == 0
    assert total(endpoint, "WriteThrottleEvents", TableName="observed") == 0


def test_a_tag_goes_before_the_mode_of_the_server(endpoint):
    dynamodb = create(endpoint, "tagged", 1, 1)
    for number in range(5):
        dynamodb.put_item(TableName="tagged", Item=item("a", number))
    endpoint.aws("dynamodb", "tag-resource", "--resource-arn", TABLE + "tagged", "--tags",
                 "Key=stator:capacity,Value=enforce")
    until_refused(lambda number: dynamodb.put_item(TableName="tagged", Item=item("a", number)))
    dynamodb.untag_resource(ResourceArn=TABLE + "tagged", TagKeys=["stator:capacity"])
    for number in range(5):
        dynamodb.put_item(TableName="tagged", Item=item("a", number))


def test_meters_metrics_and_answers_agree(endpoint):
    dynamodb = create(endpoint, "metered", 5, 5, index_write=5)
    read = write = index_write = 0
    indexes = {"ReturnConsumedCapacity": "INDEXES"}

    def add(consumed):
        nonlocal write, index_write
        write += consumed["Table"]["CapacityUnits"]
        index_write += consumed.get("GlobalSecondaryIndexes", {}).get("by-g", {"CapacityUnits": 0})["CapacityUnits"]

    for number in range(40):
        more = {"g": f"g{number % 3}"} if number % 2 else {}
        add(dynamodb.put_item(TableName="metered", Item=item("a", number % 10, data="x" * (number * 100), **more),
                              **indexes)["ConsumedCapacity"])
    for number in range(10):
        add(dynamodb.delete_item(TableName="metered", Key=item("a", number), **indexes)["ConsumedCapacity"])
        got = dynamodb.get_item(TableName="metered", Key=item("a", number), **indexes)
        read += got["ConsumedCapacity"]["Table"]["CapacityUnits"]
    dynamodb.put_item(TableName="metered", Item=item("big", 1, data="x" * 3000))
    write += 3
    for _ in range(2):  # a condition that fails costs what the item weighs
        with pytest.raises(dynamodb.exceptions.ConditionalCheckFailedException):
            dynamodb.put_item(TableName="metered", Item=item("big", 1), ConditionExpression="attribute_not_exists(pk)")
        write += 3
    assert total(endpoint, "ConsumedWriteCapacityUnits", TableName="metered") == write
    assert total(endpoint, "ConsumedReadCapacityUnits", TableName="metered") == read
    assert total(endpoint, "ConsumedWriteCapacityUnits", TableName="metered", GlobalSecondaryIndexName="by-g") == index_write
    assert total(endpoint, "ConditionalCheckFailedRequests", TableName="metered") == 2
    text = page(endpoint)
    assert value_of(text, "stator_metered_write_units_total", table="metered") == write
    assert value_of(text, "stator_metered_read_units_total", table="metered") == read
    assert value_of(text, "stator_metered_write_units_total", table="metered", index="by-g") == index_write


def test_the_building_of_an_index_is_shown(endpoint):
    dynamodb = create(endpoint, "growing", 5, 5)
    for number in range(20):
        dynamodb.put_item(TableName="growing", Item=item(f"p{number}", 1, h="x"))
    numbers = itertools.count()

    def progress_is_shown():
        """The server looks once a second, and may not have seen the table yet when the first index is complete."""
        name = f"by-h-{next(numbers)}"
        dynamodb.update_table(
            TableName="growing", AttributeDefinitions=[{"AttributeName": "h", "AttributeType": "S"}],
            GlobalSecondaryIndexUpdates=[{"Create": {
                "IndexName": name, "KeySchema": [{"AttributeName": "h", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
                "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}}])
        for _ in range(30):
            if total(endpoint, "OnlineIndexPercentageProgress", TableName="growing", GlobalSecondaryIndexName=name) >= 100:
                return True
            time.sleep(0.1)
        return False

    eventually(progress_is_shown)


def test_auto_scaling_follows_an_enforced_load(tmp_path):
    """A minute lasts a second, for the capacity too: two units are 120 writes in a second."""
    with ServerProcess(tmp_path / "log", "--capacity", "enforce", "--telemetry-speed", "60") as process:
        fast = Endpoint(process)
        dynamodb = create(fast, "elastic", 2, 2)
        scaling = fast.client("application-autoscaling")
        target = {"ServiceNamespace": "dynamodb", "ScalableDimension": "dynamodb:table:WriteCapacityUnits",
                  "ResourceId": "table/elastic"}
        scaling.register_scalable_target(**target, MinCapacity=2, MaxCapacity=20)
        scaling.put_scaling_policy(
            **target, PolicyName="track", PolicyType="TargetTrackingScaling", TargetTrackingScalingPolicyConfiguration={
                "TargetValue": 50.0, "ScaleOutCooldown": 0, "ScaleInCooldown": 0,
                "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"}})
        refused = 0

        def units():
            return dynamodb.describe_table(TableName="elastic")["Table"]["ProvisionedThroughput"]["WriteCapacityUnits"]

        def raised():
            nonlocal refused
            for number in range(60):
                try:
                    dynamodb.put_item(TableName="elastic", Item=item("a", number, data="x" * 9000))
                except dynamodb.exceptions.ProvisionedThroughputExceededException:
                    refused += 1
            return refused > 0 and units() > 2

        eventually(raised)
        eventually(lambda: units() == 2)
        assert process.stop() == 0
