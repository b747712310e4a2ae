"""Alarms: settings, evaluation on real metrics, history, an action by webhook."""

import http.server
import json
import threading

import botocore.exceptions
import pytest

from conftest import Endpoint, eventually
from server_process import ServerProcess


def definition(name, table, **changes):
    return {
        "AlarmName": name, "Namespace": "AWS/DynamoDB", "MetricName": "ConsumedWriteCapacityUnits", "Statistic": "Sum",
        "Dimensions": [{"Name": "TableName", "Value": table}], "Period": 60, "EvaluationPeriods": 1, "Threshold": 3.0,
        "ComparisonOperator": "GreaterThanThreshold", **changes,
    }


@pytest.fixture
def receiver():
    """A web server that keeps what is posted to it."""
    messages = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            messages.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/alarms", messages
    server.shutdown()
    thread.join()
    server.server_close()


def test_alarm_rises_and_falls_with_the_load(fast, receiver):
    url, messages = receiver
    dynamodb = fast.table("alarmed")
    cloudwatch = fast.client("cloudwatch")
    cloudwatch.put_metric_alarm(**definition("writes", "alarmed", AlarmActions=[url], OKActions=[url],
                                             TreatMissingData="notBreaching", AlarmDescription="too many writes"))

    def state():
        return cloudwatch.describe_alarms(AlarmNames=["writes"])["MetricAlarms"][0]

    def alarmed():
        for number in range(20):
            dynamodb.put_item(TableName="alarmed", Item={"pk": {"S": str(number)}})
        return state()["StateValue"] == "ALARM"

    eventually(alarmed)
    assert "greater than the threshold (3.0)" in state()["StateReason"]
    assert json.loads(state()["StateReasonData"])["threshold"] == 3.0
    eventually(lambda: state()["StateValue"] == "OK")
    eventually(lambda: [m["NewStateValue"] for m in messages][-1:] == ["OK"])
    raised = next(m for m in messages if m["NewStateValue"] == "ALARM")
    assert raised["AlarmName"] == "writes"
    assert raised["AlarmDescription"] == "too many writes"
    assert raised["Trigger"]["MetricName"] == "ConsumedWriteCapacityUnits"
    assert raised["Trigger"]["Statistic"] == "SUM"
    items = cloudwatch.describe_alarm_history(AlarmName="writes", HistoryItemType="StateUpdate")["AlarmHistoryItems"]
    assert any("to ALARM" in item["HistorySummary"] for item in items)


def test_alarm_on_a_ratio(fast):
    dynamodb = fast.table("ratio-table")
    cloudwatch = fast.client("cloudwatch")

    def metric(name, which):
        return {"Id": name, "ReturnData": False, "MetricStat": {"Stat": "Sum", "Period": 60, "Metric": {
            "Namespace": "AWS/DynamoDB", "MetricName": which,
            "Dimensions": [{"Name": "TableName", "Value": "ratio-table"}]}}}

    cloudwatch.put_metric_alarm(
        AlarmName="ratio", EvaluationPeriods=1, Threshold=0.2, ComparisonOperator="GreaterThanThreshold", Metrics=[
            metric("failed", "ConditionalCheckFailedRequests"), metric("written", "ConsumedWriteCapacityUnits"),
            {"Id": "share", "Expression": "failed / written"}])

    def alarmed():
        dynamodb.put_item(TableName="ratio-table", Item={"pk": {"S": "a"}})
        with pytest.raises(dynamodb.exceptions.ConditionalCheckFailedException):
            dynamodb.put_item(TableName="ratio-table", Item={"pk": {"S": "a"}},
                              ConditionExpression="attribute_not_exists(pk)")
        return cloudwatch.describe_alarms(AlarmNames=["ratio"])["MetricAlarms"][0]["StateValue"] == "ALARM"

    eventually(alarmed)


def test_settings_are_shown_as_they_were_given(endpoint):
    cloudwatch = endpoint.client("cloudwatch")
    cloudwatch.put_metric_alarm(**definition("shown", "x", DatapointsToAlarm=1, TreatMissingData="breaching"))
    alarm = cloudwatch.describe_alarms(AlarmNamePrefix="sho")["MetricAlarms"][0]
    assert alarm["AlarmArn"].endswith(":alarm:shown")
    assert alarm["StateValue"] in ("INSUFFICIENT_DATA", "ALARM")
    assert (alarm["Period"], alarm["Threshold"], alarm["DatapointsToAlarm"]) == (60, 3.0, 1)
    assert alarm["Dimensions"] == [{"Name": "TableName", "Value": "x"}]
    cloudwatch.disable_alarm_actions(AlarmNames=["shown"])
    assert cloudwatch.describe_alarms(AlarmNames=["shown"])["MetricAlarms"][0]["ActionsEnabled"] is False
    cloudwatch.enable_alarm_actions(AlarmNames=["shown"])
    assert cloudwatch.describe_alarms(AlarmNames=["shown"])["MetricAlarms"][0]["ActionsEnabled"] is True
    cloudwatch.set_alarm_state(AlarmName="shown", StateValue="OK", StateReason="by hand")
    alarm = cloudwatch.describe_alarms(AlarmNames=["shown"])["MetricAlarms"][0]
    assert alarm["StateReason"] == "by hand" or alarm["StateValue"] == "ALARM"
    found = cloudwatch.describe_alarms_for_metric(
        Namespace="AWS/DynamoDB", MetricName="ConsumedWriteCapacityUnits", Dimensions=[{"Name": "TableName", "Value": "x"}]
    )["MetricAlarms"]
    assert [one["AlarmName"] for one in found] == ["shown"]
    cloudwatch.delete_alarms(AlarmNames=["shown"])
    assert cloudwatch.describe_alarms(AlarmNames=["shown"])["MetricAlarms"] == []


def test_alarms_by_command_line(endpoint):
    endpoint.aws("cloudwatch", "put-metric-alarm", "--alarm-name", "typed", "--namespace", "AWS/DynamoDB",
                 "--metric-name", "ThrottledRequests", "--dimensions", "Name=TableName,Value=app-main",
                 "--statistic", "Sum", "--period", "60", "--evaluation-periods", "1", "--threshold", "1",
                 "--comparison-operator", "GreaterThanOrEqualToThreshold")
    shown = endpoint.aws("cloudwatch", "describe-alarms", "--alarm-names", "typed")
    assert shown["MetricAlarms"][0]["ComparisonOperator"] == "GreaterThanOrEqualToThreshold"
    complaint = endpoint.aws("cloudwatch", "set-alarm-state", "--alarm-name", "none", "--state-value", "OK",
                             "--state-reason", "x", fails=True)
    assert "ResourceNotFound" in complaint
    endpoint.aws("cloudwatch", "delete-alarms", "--alarm-names", "typed")


@pytest.mark.parametrize("change, code", [
    ({"Period": 61}, "InvalidParameterValue"),
    ({"TreatMissingData": "maybe"}, "InvalidParameterValue"),
    ({"DatapointsToAlarm": 2}, "InvalidParameterValue"),
    ({"AlarmActions": ["ftp://somewhere"]}, "ValidationError"),
    ({"ExtendedStatistic": "p99"}, "ValidationError"),
])
def test_malformed_alarms_are_refused(endpoint, change, code):
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        endpoint.client("cloudwatch").put_metric_alarm(**definition("bad", "x", **change))
    assert refused.value.response["Error"]["Code"] == code


def test_alarms_stay_across_restarts(tmp_path):
    for run in (1, 2):
        with ServerProcess(tmp_path / "log", data=tmp_path / "data") as process:
            cloudwatch = Endpoint(process).client("cloudwatch")
            if run == 1:
                cloudwatch.put_metric_alarm(**definition("kept", "x"))
            alarms = cloudwatch.describe_alarms()["MetricAlarms"]
            assert [alarm["AlarmName"] for alarm in alarms] == ["kept"]
            assert process.stop() == 0
