"""Metrics of real requests, read by boto3 (CBOR, JSON and Query) and by the AWS CLI."""

import datetime
import urllib.request

import boto3
import botocore.config
import botocore.exceptions
import botocore.session
import pytest

from server_process import ServerProcess
from conftest import Endpoint, eventually

CYCLES = 60
HOUR = datetime.timedelta(hours=1)


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def total(cloudwatch, metric, statistic="Sum", **dimensions):
    answer = cloudwatch.get_metric_statistics(
        Namespace="AWS/DynamoDB", MetricName=metric, Period=3600, Statistics=[statistic], StartTime=now() - HOUR,
        EndTime=now() + HOUR, Dimensions=[{"Name": n, "Value": v} for n, v in dimensions.items()],
    )
    assert answer["Label"] == metric
    return sum(point[statistic] for point in answer["Datapoints"])


@pytest.fixture(scope="module", params=["smithy-rpc-v2-cbor", "json", "query"])
def cloudwatch(request, endpoint):
    """A client for each protocol of the service; botocore takes the first one that its model names."""
    client = endpoint.client("cloudwatch")
    if client.meta.service_model.metadata["protocol"] != request.param:
        client = with_protocol(endpoint, request.param)
    return client


def with_protocol(endpoint, protocol):
    """A client whose model knows that protocol alone."""
    session = botocore.session.get_session()
    loader = session.get_component("data_loader")
    load = loader.load_service_model

    def load_one(service, kind, api_version=None):
        model = load(service, kind, api_version)
        if kind == "service-2" and service == "cloudwatch":
            metadata = {**model["metadata"], "protocol": protocol, "protocols": [protocol]}
            if protocol == "query":
                metadata.pop("awsQueryCompatible", None)
            model = {**model, "metadata": metadata}
        return model

    loader.load_service_model = load_one
    return boto3.Session(botocore_session=session).client(
        "cloudwatch", endpoint_url=endpoint.url, region_name="us-east-1", aws_access_key_id="testkey",
        aws_secret_access_key="testsecret", config=botocore.config.Config(retries={"total_max_attempts": 1}),
    )


class BusyTable(str):
    """Its name, and what reading all of it has cost."""

    scan_units = None


@pytest.fixture(scope="module")
def busy(endpoint):
    """A table that has seen one of each: writes, reads, a failed condition, a wrong request."""
    dynamodb = endpoint.table("busy-table")
    for number in range(10):
        dynamodb.put_item(TableName="busy-table", Item={"pk": {"S": str(number)}, "text": {"S": "x" * 1500}})
    for number in range(6):
        dynamodb.get_item(TableName="busy-table", Key={"pk": {"S": str(number)}})
    busy_table = BusyTable("busy-table")
    scanned = dynamodb.scan(TableName="busy-table", ReturnConsumedCapacity="TOTAL")
    busy_table.scan_units = scanned["ConsumedCapacity"]["CapacityUnits"]
    with pytest.raises(dynamodb.exceptions.ConditionalCheckFailedException):
        dynamodb.put_item(
            TableName="busy-table", Item={"pk": {"S": "1"}}, ConditionExpression="attribute_not_exists(pk)"
        )
    with pytest.raises(botocore.exceptions.ClientError):
        dynamodb.put_item(TableName="busy-table", Item={"other": {"S": "1"}})
    return busy_table


def test_consumed_capacity_is_exact(cloudwatch, busy):
    assert total(cloudwatch, "ConsumedWriteCapacityUnits", TableName=busy) == 22  # the failed condition cost what the item weighs
    reads = 6 * 0.5 + busy.scan_units  # six items of one unit, and a scan of 15 KB, eventually consistent
    assert busy.scan_units >= 2
    assert total(cloudwatch, "ConsumedReadCapacityUnits", TableName=busy) == reads
    assert total(cloudwatch, "ConsumedReadCapacityUnits", "SampleCount", TableName=busy) == 7


def test_operations_have_their_own_series(cloudwatch, busy):
    assert total(cloudwatch, "SuccessfulRequestLatency", "SampleCount", TableName=busy, Operation="PutItem") == 10
    assert total(cloudwatch, "SuccessfulRequestLatency", "SampleCount", TableName=busy, Operation="GetItem") == 6
    assert total(cloudwatch, "ReturnedItemCount", TableName=busy, Operation="Scan") == 10
    assert total(cloudwatch, "ConditionalCheckFailedRequests", TableName=busy) == 1
    assert total(cloudwatch, "UserErrors") >= 1
    assert total(cloudwatch, "ThrottledRequests", TableName=busy, Operation="PutItem") == 0


def test_percentiles_are_in_order(cloudwatch, busy):
    answer = cloudwatch.get_metric_statistics(
        Namespace="AWS/DynamoDB", MetricName="SuccessfulRequestLatency", Period=3600, StartTime=now() - HOUR,
        EndTime=now() + HOUR, ExtendedStatistics=["p50", "p99", "p100"], Unit="Milliseconds",
        Dimensions=[{"Name": "TableName", "Value": busy}, {"Name": "Operation", "Value": "PutItem"}],
    )
    for point in answer["Datapoints"]:
        values = point["ExtendedStatistics"]
        assert 0 < values["p50"] <= values["p99"] <= values["p100"]
        assert point["Unit"] == "Milliseconds"
    assert answer["Datapoints"]


def test_metric_data_computes(cloudwatch, busy):
    def stat(name, metric):
        return {"Id": name, "ReturnData": False, "MetricStat": {"Stat": "Sum", "Period": 3600, "Metric": {
            "Namespace": "AWS/DynamoDB", "MetricName": metric, "Dimensions": [{"Name": "TableName", "Value": busy}]}}}

    answer = cloudwatch.get_metric_data(StartTime=now() - HOUR, EndTime=now() + HOUR, MetricDataQueries=[
        stat("writes", "ConsumedWriteCapacityUnits"), stat("reads", "ConsumedReadCapacityUnits"),
        {"Id": "ratio", "Expression": "reads / writes", "Label": "reads per write"},
        {"Id": "all", "Expression": "SUM(METRICS())"},
        {"Id": "filled", "Expression": "FILL(writes, 0)"},
    ])
    results = {result["Id"]: result for result in answer["MetricDataResults"]}
    assert set(results) == {"ratio", "all", "filled"}
    assert results["ratio"]["Label"] == "reads per write"
    assert results["ratio"]["StatusCode"] == "Complete"
    assert sum(results["all"]["Values"]) == pytest.approx(22 + 3 + busy.scan_units)
    assert 0.0 in results["filled"]["Values"] and sum(results["filled"]["Values"]) == 22
    assert results["filled"]["Timestamps"] == sorted(results["filled"]["Timestamps"], reverse=True)


def test_metrics_are_listed(cloudwatch, busy):
    pages = cloudwatch.get_paginator("list_metrics").paginate(
        Namespace="AWS/DynamoDB", Dimensions=[{"Name": "TableName", "Value": busy}]
    )
    found = {metric["MetricName"] for page in pages for metric in page["Metrics"]}
    assert {"ConsumedWriteCapacityUnits", "SuccessfulRequestLatency", "ConditionalCheckFailedRequests"} <= found
    assert cloudwatch.list_metrics(Namespace="AWS/EC2")["Metrics"] == []


def test_unknown_metrics_have_no_datapoints(cloudwatch):
    assert total(cloudwatch, "NoSuchMetric", TableName="nobody") == 0
    assert total(cloudwatch, "ConsumedWriteCapacityUnits", TableName="nobody") == 0


@pytest.mark.parametrize("change, code, text", [
    ({"StartTime": datetime.datetime(2030, 1, 1)}, "InvalidParameterValue",
     "The parameter StartTime must be less than the parameter EndTime."),
    ({"Statistics": None}, "InvalidParameterCombination", "Must specify either Statistics or ExtendedStatistics"),
    ({"Period": 61}, "InvalidParameterValue",
     "The parameter Period must be a value in the set [1, 5, 10, 20, 30] or a multiple of 60."),
    ({"Period": 60, "StartTime": datetime.datetime(2020, 1, 1), "EndTime": datetime.datetime(2020, 1, 3)},
     "InvalidParameterCombination",
     "You have requested up to 2880 datapoints, which exceeds the limit of 1440. You may reduce the datapoints requested "
     "by increasing Period, or decreasing the time range."),
])
def test_refusals_are_the_service_s(cloudwatch, change, code, text):
    members = {"Namespace": "AWS/DynamoDB", "MetricName": "UserErrors", "Period": 300, "Statistics": ["Sum"],
               "StartTime": datetime.datetime(2020, 1, 1), "EndTime": datetime.datetime(2020, 1, 2), **change}
    members = {name: value for name, value in members.items() if value is not None}
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        cloudwatch.get_metric_statistics(**members)
    assert refused.value.response["Error"]["Code"] == code
    assert refused.value.response["Error"]["Message"] == text
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400


def test_broken_expressions_are_refused(cloudwatch):
    for expression in ("m1 +", "SUM(", "nothing", "e1 + 1"):
        with pytest.raises(botocore.exceptions.ClientError) as refused:
            cloudwatch.get_metric_data(StartTime=now() - HOUR, EndTime=now(),
                                       MetricDataQueries=[{"Id": "e1", "Expression": expression}])
        assert refused.value.response["Error"]["Code"] in ("ValidationError", "ValidationException")
        assert "Error in expression 'e1'" in refused.value.response["Error"]["Message"]


def test_command_line_of_the_orders_example(endpoint, busy):
    answer = endpoint.aws(
        "cloudwatch", "get-metric-statistics", "--namespace", "AWS/DynamoDB", "--metric-name", "ThrottledRequests",
        "--dimensions", f"Name=TableName,Value={busy}", "--start-time", (now() - HOUR).isoformat(),
        "--end-time", now().isoformat(), "--period", "300", "--statistics", "Sum",
    )
    assert answer == {"Label": "ThrottledRequests", "Datapoints": []}
    answer = endpoint.aws(
        "cloudwatch", "get-metric-statistics", "--namespace", "AWS/DynamoDB", "--metric-name",
        "ConsumedWriteCapacityUnits", "--dimensions", f"Name=TableName,Value={busy}", "--start-time",
        (now() - HOUR).isoformat(), "--end-time", (now() + HOUR).isoformat(), "--period", "7200", "--statistics", "Sum",
    )
    assert sum(point["Sum"] for point in answer["Datapoints"]) == 22.0  # of two periods where one ended meanwhile
    assert {point["Unit"] for point in answer["Datapoints"]} == {"Count"}


def test_metrics_stay_across_restarts(tmp_path):
    for run in (1, 2, 3):
        with ServerProcess(tmp_path / "log", data=tmp_path / "data") as process:
            endpoint = Endpoint(process)
            dynamodb = endpoint.table("kept") if run == 1 else endpoint.client("dynamodb")
            dynamodb.put_item(TableName="kept", Item={"pk": {"S": "a"}})
            assert total(endpoint.client("cloudwatch"), "ConsumedWriteCapacityUnits", TableName="kept") == run
            assert process.stop() == 0


def test_pages_for_machines(endpoint, busy):
    with urllib.request.urlopen(endpoint.url + "/healthz") as answer:
        assert answer.read() == b"ok\n"
    with urllib.request.urlopen(endpoint.url + "/metrics") as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        text = answer.read().decode()
    assert f'stator_consumed_write_capacity_units_total{{table="{busy}"}} 22\n' in text
    assert f'stator_request_duration_seconds_count{{table="{busy}",operation="PutItem"}} 10\n' in text


def test_tables_that_are_gone_leave_the_page_and_not_the_history(tmp_path):
    """Otherwise the page, and the memory of the server, would grow with every table that there ever was."""
    with ServerProcess(tmp_path / "log") as process:
        endpoint = Endpoint(process)
        dynamodb, cloudwatch = endpoint.client("dynamodb"), endpoint.client("cloudwatch")
        for number in range(CYCLES):
            name = f"comes-and-goes-{number}"
            dynamodb.create_table(
                TableName=name, BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            )
            dynamodb.put_item(TableName=name, Item={"pk": {"S": "a"}})
            dynamodb.update_contributor_insights(TableName=name, ContributorInsightsAction="ENABLE")
            dynamodb.delete_table(TableName=name)

        def page_without_them():
            with urllib.request.urlopen(f"{endpoint.url}/metrics") as page:
                return b"comes-and-goes" not in page.read()

        eventually(page_without_them)
        eventually(lambda: not dynamodb.list_contributor_insights()["ContributorInsightsSummaries"])
        kept = cloudwatch.list_metrics(
            Namespace="AWS/DynamoDB", MetricName="ConsumedWriteCapacityUnits",
            Dimensions=[{"Name": "TableName", "Value": f"comes-and-goes-{CYCLES - 1}"}],
        )
        assert len(kept["Metrics"]) == 1
