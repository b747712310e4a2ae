"""The server's own tools: the slow-request log, recorded traces, `stator top`; and commands of the documentation."""

import json
import os
import pathlib
import re
import subprocess
import sys

from conftest import Endpoint, eventually
from server_process import ServerProcess, binary


def stator(*words):
    done = subprocess.run([str(binary()), *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fill(endpoint, name):
    dynamodb = endpoint.table(name)
    for number in range(30):
        dynamodb.put_item(TableName=name, Item={"pk": {"S": f"user-{number % 5}"}, "secret": {"S": "confidential"}})
        dynamodb.get_item(TableName=name, Key={"pk": {"S": "user-1"}})
    return dynamodb


def test_slow_requests_are_logged_without_values(tmp_path):
    # A transaction waits for nothing, but every request takes more than no time: with 1 ms some are slow, and a scan of
    # large items is.
    with ServerProcess(tmp_path / "log", "--slow-ms", "1") as process:
        endpoint = Endpoint(process)
        dynamodb = endpoint.table("slow")
        for number in range(60):
            dynamodb.put_item(TableName="slow", Item={"pk": {"S": f"user-{number}"}, "data": {"S": "confidential" * 20_000}})

        def logged():
            dynamodb.scan(TableName="slow", FilterExpression="contains(#d, :text)", ReturnConsumedCapacity="TOTAL",
                          ExpressionAttributeNames={"#d": "data"}, ExpressionAttributeValues={":text": {"S": "absent"}})
            lines = [json.loads(line) for line in process.log_text().splitlines()]
            return [line for line in lines if line["slow_request"] == "Scan"]

        line = eventually(logged)[0]
        assert process.stop() == 0
        assert line["table"] == "slow" and line["ms"] >= 1 and line["read_units"] > 100 and line["write_units"] == 0
        assert line["request"] == {
            "TableName": "slow", "FilterExpression": "contains(#d, :text)", "ReturnConsumedCapacity": "TOTAL",
            "ExpressionAttributeNames": {"#d": "data"}, "ExpressionAttributeValues": {":text": "S"}}
        assert "confidential" not in process.log_text() and "absent" not in process.log_text()


def test_no_request_is_logged_unless_asked_for(endpoint):
    fill(endpoint, "quiet")
    assert endpoint.process.log_text() == ""


def test_a_recorded_trace_is_simulated(tmp_path):
    for words, hidden in (([], False), (["--record-hash-keys"], True)):
        trace = tmp_path / f"trace-{hidden}.jsonl"
        with ServerProcess(tmp_path / "log", "--record", str(trace), *words) as process:
            fill(Endpoint(process), "recorded")
            assert process.stop() == 0
        assert ("user-1" in trace.read_text()) != hidden
        assert "confidential" not in trace.read_text()
        report = json.loads(stator("simulate", "--trace", str(trace), "--format", "json"))
        assert "recorded" in json.dumps(report)
        assert len(trace.read_text().splitlines()) == 61  # a header and sixty requests


def test_top_shows_what_happens(endpoint):
    dynamodb = endpoint.table("watched-live")
    dynamodb.update_contributor_insights(TableName="watched-live", ContributorInsightsAction="ENABLE")
    for _ in range(20):
        dynamodb.put_item(TableName="watched-live", Item={"pk": {"S": "busy-key"}})
    frame = stator("top", "--once", "--interval", "0.2", "--endpoint", endpoint.url)
    assert "watched-live" in frame and "HOT KEYS" in frame and "busy-key" in frame
    assert "REQ/S" in frame and "\x1b" not in frame


def test_top_says_what_it_cannot_reach():
    done = subprocess.run([str(binary()), "top", "--once", "--endpoint", "http://127.0.0.1:1"], capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 1 and "127.0.0.1:1" in done.stderr


def test_the_alarm_of_the_documentation_can_be_typed(tmp_path):
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "monitoring.md").read_text()
    command = re.search(r"^    (aws cloudwatch put-metric-alarm(?:.*\\\n)*.*)$", page, re.MULTILINE).group(1)
    with ServerProcess(tmp_path / "log") as process:
        endpoint = Endpoint(process)
        environment = {
            "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path),
            "AWS_ENDPOINT_URL": endpoint.url, "AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "secret",
        }
        subprocess.run(["bash", "-c", command], env=environment, cwd=tmp_path, check=True, timeout=120)
        alarm = endpoint.client("cloudwatch").describe_alarms(AlarmNames=["throttled"])["MetricAlarms"][0]
        assert alarm["AlarmActions"] == ["http://127.0.0.1:9000/alarm"]
