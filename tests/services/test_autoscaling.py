"""Application Auto Scaling: a policy that follows the load, schedules, the service's refusals."""

import datetime

import botocore.exceptions
import pytest

from conftest import eventually

TARGET = {"ServiceNamespace": "dynamodb", "ScalableDimension": "dynamodb:table:WriteCapacityUnits"}
PROVISIONED = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}


def units(dynamodb, table):
    return dynamodb.describe_table(TableName=table)["Table"]["ProvisionedThroughput"]["WriteCapacityUnits"]


def test_policy_raises_and_lowers_the_capacity(fast):
    dynamodb = fast.table("elastic", **PROVISIONED)
    scaling = fast.client("application-autoscaling")
    target = {**TARGET, "ResourceId": "table/elastic"}
    scaling.register_scalable_target(**target, MinCapacity=1, MaxCapacity=10)
    made = scaling.put_scaling_policy(
        **target, PolicyName="track", PolicyType="TargetTrackingScaling", TargetTrackingScalingPolicyConfiguration={
            "TargetValue": 50.0, "ScaleOutCooldown": 0, "ScaleInCooldown": 0,
            "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"}})
    alarms = fast.client("cloudwatch").describe_alarms(AlarmNames=[a["AlarmName"] for a in made["Alarms"]])
    assert sorted(a["EvaluationPeriods"] for a in alarms["MetricAlarms"]) == [2, 15]
    assert all(a["AlarmActions"] == [made["PolicyARN"]] for a in alarms["MetricAlarms"])

    def raised():
        for number in range(50):
            dynamodb.put_item(TableName="elastic", Item={"pk": {"S": str(number)}, "text": {"S": "x" * 4000}})
        return units(dynamodb, "elastic") > 1

    eventually(raised)
    eventually(lambda: units(dynamodb, "elastic") == 1)  # without load, after fifteen minutes of the fast clock
    activities = scaling.describe_scaling_activities(ServiceNamespace="dynamodb", ResourceId="table/elastic")
    descriptions = [a["Description"] for a in activities["ScalingActivities"]]
    assert "Setting write capacity units to 1." in descriptions and len(descriptions) >= 2
    assert all(a["StatusCode"] == "Successful" for a in activities["ScalingActivities"])
    scaling.delete_scaling_policy(**target, PolicyName="track")
    assert scaling.describe_scaling_policies(ServiceNamespace="dynamodb", ResourceId="table/elastic")["ScalingPolicies"] == []


def test_schedule_changes_the_limits(fast):
    dynamodb = fast.table("planned", **PROVISIONED)
    scaling = fast.client("application-autoscaling")
    target = {**TARGET, "ResourceId": "table/planned"}
    scaling.register_scalable_target(**target, MinCapacity=1, MaxCapacity=10)
    scaling.put_scheduled_action(**target, ScheduledActionName="rush", Schedule="rate(2 minutes)",
                                 ScalableTargetAction={"MinCapacity": 4})
    eventually(lambda: units(dynamodb, "planned") == 4)
    found = scaling.describe_scalable_targets(ServiceNamespace="dynamodb", ResourceIds=["table/planned"])
    assert found["ScalableTargets"][0]["MinCapacity"] == 4
    shown = scaling.describe_scheduled_actions(ServiceNamespace="dynamodb", ResourceId="table/planned")["ScheduledActions"]
    assert shown[0]["Schedule"] == "rate(2 minutes)"
    assert isinstance(shown[0]["CreationTime"], datetime.datetime)
    scaling.deregister_scalable_target(**target)
    assert scaling.describe_scheduled_actions(ServiceNamespace="dynamodb")["ScheduledActions"] == []


def test_targets_by_command_line(endpoint):
    endpoint.table("typed-scaling", **PROVISIONED)
    words = ["--service-namespace", "dynamodb", "--resource-id", "table/typed-scaling", "--scalable-dimension",
             "dynamodb:table:ReadCapacityUnits"]
    made = endpoint.aws("application-autoscaling", "register-scalable-target", *words, "--min-capacity", "5",
                        "--max-capacity", "100")
    assert made["ScalableTargetARN"].startswith("arn:aws:application-autoscaling:us-east-1:")
    shown = endpoint.aws("application-autoscaling", "describe-scalable-targets", "--service-namespace", "dynamodb",
                         "--resource-ids", "table/typed-scaling")
    assert shown["ScalableTargets"][0]["MaxCapacity"] == 100
    endpoint.aws("application-autoscaling", "deregister-scalable-target", *words)


def test_refusals_are_the_service_s(endpoint):
    scaling = endpoint.client("application-autoscaling")
    nowhere = {**TARGET, "ResourceId": "table/nowhere"}
    with pytest.raises(scaling.exceptions.ObjectNotFoundException) as refused:
        scaling.deregister_scalable_target(**nowhere)
    assert refused.value.response["Error"]["Message"] == (
        "No scalable target registered for service namespace: dynamodb, resource ID: table/nowhere, scalable dimension: "
        "dynamodb:table:WriteCapacityUnits")
    with pytest.raises(scaling.exceptions.ValidationException):
        scaling.register_scalable_target(**nowhere, MinCapacity=1, MaxCapacity=2)
    with pytest.raises(scaling.exceptions.ValidationException):
        scaling.register_scalable_target(**{**nowhere, "ServiceNamespace": "ecs"}, MinCapacity=1, MaxCapacity=2)
    with pytest.raises(botocore.exceptions.ClientError):
        scaling.describe_scalable_targets(ServiceNamespace="nonsense")
