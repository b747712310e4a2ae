#!/usr/bin/env python3
"""make_shapes.py [--check]: writes the tables of requests of CloudWatch and Application Auto Scaling, each member with its limits.

The limits are those of the services' public models, as botocore has them, and below, where these name none, our own. A member
without a limit is an error. With --check nothing is written, and a table that would change is one.
"""

import pathlib
import sys

import botocore.loaders

SOURCE = pathlib.Path(__file__).resolve().parents[1]
INT32 = (-(1 << 31), (1 << 31) - 1)
POSITIVE = (1, INT32[1])
COUNT = (0, INT32[1])
METRIC_VALUE = (-2.0 ** 360, 2.0 ** 360)  # what the service takes as a value of a metric
YEARS = (-62135596800, 253402300799)      # 0001 to 9999
TEXT = (0, 1024)
NAME = (1, 255)

# What the models leave open, by shape or by Operation.Member: least and most.
CLOUDWATCH = {
    "AlarmTypes": (0, 10), "ExtendedStatistic": (1, 64), "GetMetricDataLabelTimezone": (0, 16),
    "GetMetricDataMaxDatapoints": INT32, "InsightRuleMetricList": (0, 20), "InsightRuleUnboundInteger": INT32,
    "MetricDataQueries": (0, 500), "MetricLabel": (0, 2048), "NextToken": TEXT, "Period": POSITIVE, "Stat": (1, 64),
    "EvaluationPeriods": POSITIVE, "DatapointsToAlarm": POSITIVE, "TagList": (0, 50), "Threshold": METRIC_VALUE,
    "Timestamp": YEARS, "PutMetricAlarm.Metrics": (0, 20),
}
SCALING = {
    "Cooldown": COUNT, "MaxResults": (1, 50), "MetricDimensionName": NAME, "MetricDimensionValue": (1, 1024),
    "MetricDimensions": (0, 30), "MetricName": NAME, "MetricNamespace": NAME, "MetricScale": METRIC_VALUE, "MetricUnit": NAME,
    "MinAdjustmentMagnitude": COUNT, "PredictiveScalingMetricDataQueries": (0, 10), "PredictiveScalingMetricDimensions": (0, 30),
    "PredictiveScalingMetricSpecifications": (0, 10), "ResourceCapacity": POSITIVE,  # a table has one unit at least
    "ScalingAdjustment": INT32, "StepAdjustments": (0, 20), "TagMap": (0, 50), "TargetTrackingMetricDataQueries": (0, 10),
    "TargetTrackingMetricDimensions": (0, 30), "TimestampType": YEARS, "XmlString": (0, 2048),
}
# Enums in the order in which the services tell them.
ORDERS = {
    "StateValue": ["INSUFFICIENT_DATA", "ALARM", "OK"],
    "ServiceNamespace": ["cassandra", "dynamodb", "ecs", "kafka", "lambda", "rds", "sagemaker", "appstream", "comprehend",
                         "custom-resource", "ec2", "elasticache", "elasticmapreduce", "neptune", "workspaces"],
}
XML = r"[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*"
PATTERNS = {
    XML: "xml_text", "[^:].*": "no_leading_colon", r"[\x20-\x7E]+": "printable_ascii", r"\p{Print}+": "printable",
    r"(?!((^[ ]+.*)|(.*([\u0000-\u001f]|[\u007f-\u009f]|[:/|])+.*)|(.*[ ]+$))).+": "action_name",
}
# Names that get into ARNs, addresses and messages of one line.
ONE_LINE = {"AlarmName", "AlarmNamePrefix", "ActionPrefix", "ResourceName"}

SERVICES = [
    ("cloudwatch", "cloudwatch", CLOUDWATCH,
     ["DeleteAlarms", "DescribeAlarmHistory", "DescribeAlarms", "DescribeAlarmsForMetric", "DisableAlarmActions",
      "EnableAlarmActions", "GetInsightRuleReport", "GetMetricData", "GetMetricStatistics", "ListMetrics", "PutMetricAlarm",
      "SetAlarmState"]),
    ("application-autoscaling", "autoscaling", SCALING,
     ["DeleteScalingPolicy", "DeleteScheduledAction", "DeregisterScalableTarget", "DescribeScalableTargets",
      "DescribeScalingActivities", "DescribeScalingPolicies", "DescribeScheduledActions", "PutScalingPolicy",
      "PutScheduledAction", "RegisterScalableTarget"]),
]
KINDS = {"structure": "structure", "list": "list", "map": "map", "string": "string", "integer": "integer", "double": "real",
         "boolean": "boolean", "timestamp": "time"}


class Table:
    def __init__(self, model, ours):
        self.shapes = model["shapes"]
        self.ours = ours
        self.lines = {}
        self.unbounded = []

    def limits(self, name, shape):
        if name in self.ours:
            low, high = self.ours[name]
            return shape.get("min", low), shape.get("max", high)
        if "enum" not in shape and "max" not in shape:
            self.unbounded.append(name)
        return shape.get("min", 0), shape.get("max", 0)

    def add(self, name, shape_name):
        """One line of the table; `name` differs from the model's where a member has limits of its own."""
        if name in self.lines:
            return name
        shape = self.shapes[shape_name]
        kind = shape["type"]
        self.lines[name] = None  # under way: shapes may be nested
        low, high, content, pattern = 0, 0, "", None
        if kind == "structure":
            content = " ".join(
                f"{member}{'!' if member in shape.get('required', []) else ''}:"
                + self.add(f"{name}.{member}" if f"{name}.{member}" in self.ours else below["shape"], below["shape"])
                for member, below in shape["members"].items())
        elif kind != "boolean":
            low, high = self.limits(name, shape)
        if kind == "list":
            content = self.add(shape["member"]["shape"], shape["member"]["shape"])
        if kind == "map":
            content = " ".join(self.add(shape[part]["shape"], shape[part]["shape"]) for part in ("key", "value"))
        if kind == "string":
            content = " ".join(ORDERS.get(name, shape.get("enum", [])))
            assert sorted(content.split()) == sorted(shape.get("enum", [])), name
            if not content:
                pattern = "no_control" if name in ONE_LINE else PATTERNS[shape.get("pattern", XML)]
        words = [f'"{name}"', KINDS[kind], number(low), number(high)]
        if content:
            words.append(text(content))
        if pattern:
            words += [] if content else ['""']
            words.append(f"Pattern::{pattern}")
        self.lines[name] = "    {" + ", ".join(words).replace(", \n", ",\n") + "},"
        return name


def number(value):
    return value.hex() if isinstance(value, float) else str(value)


def text(content):
    """A literal, over several lines where it is long."""
    parts, line = [], ""
    for word in content.split(" "):
        if line and len(line) + len(word) > 100:
            parts.append(line)
            line = ""
        line += word + " "
    parts.append(line[:-1])
    return ("\n     " if len(parts) > 1 else "") + "\n     ".join(f'"{part}"' for part in parts)


def table(service, folder, ours, operations):
    model = botocore.loaders.Loader().load_service_model(service, "service-2")
    made = Table(model, ours)
    for operation in operations:
        made.add(operation, model["operations"][operation]["input"]["shape"])
    assert not made.unbounded, f"no limits: {sorted(set(made.unbounded))}"
    lines = "\n".join(made.lines[name] for name in sorted(made.lines))
    return f"""// Written by src/service/make_shapes.py: the limits of every member of every request, one table.

#include "{folder}/shapes.h"

namespace stator::{folder} {{
namespace {{

using enum service::Shape::Kind;
using service::Pattern;

constexpr service::Shape kShapes[] = {{
{lines}
}};

}}  // namespace

std::span<const service::Shape> shapes() {{ return kShapes; }}

}}  // namespace stator::{folder}
"""


def main():
    changed = []
    for service, folder, ours, operations in SERVICES:
        path = SOURCE / folder / "shapes.cc"
        made = table(service, folder, ours, operations)
        if path.exists() and path.read_text() == made:
            continue
        changed.append(str(path.relative_to(SOURCE)))
        if "--check" not in sys.argv:
            path.write_text(made)
    if changed and "--check" in sys.argv:
        sys.exit(f"not what make_shapes.py would write: {', '.join(changed)}")


if __name__ == "__main__":
    main()
