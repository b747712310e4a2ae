"""Every member of every request that is served has a limit: walks the public models of the services and breaks each one."""

import json
import subprocess
import sys

import botocore.loaders
import pytest

from server_process import REPOSITORY, ServerProcess
from wire_client import Client

SERVICES = {"cloudwatch": "GraniteServiceVersion20100801.", "application-autoscaling": "AnyScaleFrontendService."}
MODELS = {name: botocore.loaders.Loader().load_service_model(name, "service-2") for name in SERVICES}
# More than any limit: what has none would take these.
TOO_LONG = "x" * 20_001
TOO_MANY = 1001
TOO_LARGE = {"integer": 1 << 40, "double": 1e200, "timestamp": 9e11}


def small_path(parts):
    """A member as errors name it: metricDataQueries.1.member.id"""
    return ".".join(part if isinstance(part, str) and part[0].isdigit() else part[0].lower() + part[1:] for part in parts)


def least(shapes, name):
    """A value that is small and, as far as the model says, right."""
    shape = shapes[name]
    kind = shape["type"]
    if kind == "structure":
        return {member: least(shapes, shape["members"][member]["shape"]) for member in shape.get("required", [])}
    if kind == "list":
        return [least(shapes, shape["member"]["shape"])]
    if kind == "string":
        return shape["enum"][0] if "enum" in shape else "x" * max(shape.get("min", 1), 1)
    return {"map": {}, "integer": shape.get("min", 1), "double": 1.0, "boolean": True, "timestamp": 1.0}[kind]


def excesses(shapes, name, path, seen):
    """(path of the error, value) for the shape and everything below it, each value right but for one excess."""
    shape = shapes[name]
    kind = shape["type"]
    if kind in TOO_LARGE:
        yield path, TOO_LARGE[kind]
    elif kind == "string":
        yield path, TOO_LONG
    elif kind == "list":
        element = shape["member"]["shape"]
        yield path, [least(shapes, element)] * TOO_MANY
        nested = shapes[element]["type"] == "structure"
        for below, value in excesses(shapes, element, [*path, "1", "member"] if nested else path, seen):
            yield below, [value]
    elif kind == "map":
        yield path, {f"k{i}": least(shapes, shape["value"]["shape"]) for i in range(TOO_MANY)}
        yield path, {TOO_LONG: least(shapes, shape["value"]["shape"])}
        for below, value in excesses(shapes, shape["value"]["shape"], [*path, "member"], seen):
            yield below, {"k": value}
    elif kind == "structure" and name not in seen:
        for member, below_shape in shape["members"].items():
            for below, value in excesses(shapes, below_shape["shape"], [*path, member], seen | {name}):
                yield below, {**least(shapes, name), member: value}


def served(service):
    """The operations of the model that the server knows."""
    with ServerProcess("/dev/null") as process:
        client = Client(process.port, SERVICES[service])
        for operation, model in MODELS[service]["operations"].items():
            status, answer = client.send(operation, b"{}")
            if "UnknownOperation" not in answer.get("__type", ""):
                yield operation, model["input"]["shape"]


@pytest.mark.parametrize("service", SERVICES)
def test_every_member_has_a_limit(endpoint, service):
    shapes = MODELS[service]["shapes"]
    client = Client(endpoint.process.port, SERVICES[service])
    operations = list(served(service))
    assert len(operations) >= 10
    broken = 0
    for operation, shape in operations:
        for path, value in excesses(shapes, shape, [], set()):
            status, answer = client.send(operation, json.dumps(value).encode())
            where = f"{operation} {small_path(path)}"
            assert status == 400, where
            message = answer["message"]
            assert answer["__type"].endswith("ValidationException"), (where, answer["__type"], message[:300])
            assert "validation error" in message and f"at '{small_path(path)}'" in message, (where, message[:300])
            broken += 1
    assert broken > 80


@pytest.mark.parametrize("service", SERVICES)
def test_wrong_types_are_told_before_anything_is_done(endpoint, service):
    shapes = MODELS[service]["shapes"]
    client = Client(endpoint.process.port, SERVICES[service])
    for operation, shape in served(service):
        for member, below in shapes[shape]["members"].items():
            wrong = "x" if shapes[below["shape"]]["type"] != "string" else {"a": 1}
            status, answer = client.send(operation, json.dumps({**least(shapes, shape), member: wrong}).encode())
            assert (status, answer["__type"].rpartition("#")[2]) == (400, "SerializationException"), (operation, member, answer)


def test_tables_of_limits_are_those_of_the_models():
    done = subprocess.run([sys.executable, REPOSITORY / "src/service/make_shapes.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_numbers_of_targets_actions_and_policies_are_bounded(endpoint):
    dynamodb = endpoint.table("bounded", BillingMode="PROVISIONED",
                              ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
    scaling = endpoint.client("application-autoscaling")
    target = {"ServiceNamespace": "dynamodb", "ResourceId": "table/bounded", "ScalableDimension": "dynamodb:table:WriteCapacityUnits"}
    scaling.register_scalable_target(**target, MinCapacity=1, MaxCapacity=10)
    for number in range(200):
        scaling.put_scheduled_action(**target, ScheduledActionName=f"s{number}", Schedule="rate(1 day)",
                                     ScalableTargetAction={"MinCapacity": 1})
    with pytest.raises(scaling.exceptions.LimitExceededException):
        scaling.put_scheduled_action(**target, ScheduledActionName="more", Schedule="rate(1 day)",
                                     ScalableTargetAction={"MinCapacity": 1})
    policy = {"TargetValue": 50.0, "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"}}
    for name in ("one", "one"):
        scaling.put_scaling_policy(**target, PolicyName=name, PolicyType="TargetTrackingScaling",
                                   TargetTrackingScalingPolicyConfiguration=policy)
    with pytest.raises(scaling.exceptions.ValidationException):
        scaling.put_scaling_policy(**target, PolicyName="two", PolicyType="TargetTrackingScaling",
                                   TargetTrackingScalingPolicyConfiguration=policy)
    scaling.deregister_scalable_target(**target)
    dynamodb.delete_table(TableName="bounded")
