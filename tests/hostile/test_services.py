"""CloudWatch and Application Auto Scaling in the hands of someone who means harm: nothing that a request says may end the server, keep
it from starting, take memory or time without bound, reach another host, or be stored where it is refused."""

import concurrent.futures
import http.client
import json
import socket
import threading
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree

import pytest

from wire_client import Client, ServiceError, Signer

WAIT_S = 60  # a bound for a busy machine, not an expectation
MEMORY_MAX = 600 << 20
TARGET = {"ServiceNamespace": "dynamodb", "ResourceId": "table/scaled", "ScalableDimension": "dynamodb:table:WriteCapacityUnits"}
ALARM = {"AlarmName": "a", "Namespace": "AWS/DynamoDB", "MetricName": "UserErrors", "Statistic": "Sum", "Period": 60,
         "EvaluationPeriods": 1, "Threshold": 1.0, "ComparisonOperator": "GreaterThanThreshold"}


def cloudwatch(server):
    return Client(server.port, "GraniteServiceVersion20100801.")


def scaling(server, register=True):
    client = Client(server.port, "AnyScaleFrontendService.")
    if register:
        Client(server.port).call(
            "CreateTable", TableName="scaled", BillingMode="PROVISIONED", KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}],
            ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5})
        client.call("RegisterScalableTarget", **TARGET, MinCapacity=1, MaxCapacity=10)
    return client


def refused(client, operation, **members):
    """The code and text of the refusal that has to come."""
    with pytest.raises(ServiceError) as error:
        client.call(operation, **members)
    assert error.value.status == 400, error.value
    return error.value


def page(server, path):
    with urllib.request.urlopen(f"{server.url}{path}", timeout=WAIT_S) as answer:
        return answer.read().decode()


def works_after_restart(server):
    """Stops the server properly, starts it again and looks whether it answers."""
    assert server.stop() == 0, server.log_text()[-2000:]
    server.start()
    assert page(server, "/healthz") == "ok\n"
    for kind in ("alarm", "scaling", "insights"):
        assert f'stator_records_set_aside{{kind="{kind}"}} 0\n' in page(server, "/metrics")  # what was stored can be used
    return server


def eventually(check):
    deadline = time.monotonic() + WAIT_S
    while not (found := check()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
    return found


def test_a_policy_is_not_stored_deeper_than_it_can_be_read(new_server):
    server = new_server().start()
    client = scaling(server)
    deep = {}
    for _ in range(29):
        deep = {"x": deep}
    metric = {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"}
    try:
        client.call("PutScalingPolicy", **TARGET, PolicyName="p", PolicyType="TargetTrackingScaling",
                    TargetTrackingScalingPolicyConfiguration={
                        "TargetValue": 50.0, "PredefinedMetricSpecification": metric, "Unknown": deep})
    except ServiceError as error:
        assert error.status == 400
    works_after_restart(server)
    found = scaling(server, register=False).call("DescribeScalingPolicies", ServiceNamespace="dynamodb")["ScalingPolicies"]
    assert [one["TargetTrackingScalingPolicyConfiguration"] for one in found] == [
        {"TargetValue": 50.0, "PredefinedMetricSpecification": metric}]


def test_a_product_of_periods_that_overflows_is_refused(new_server):
    server = new_server("--telemetry-speed", "60").start()
    for periods in (4611686018427387904, 2147483647, 1441):
        assert "EvaluationPeriods" in refused(
            cloudwatch(server), "PutMetricAlarm", **{**ALARM, "EvaluationPeriods": periods}).message.replace("evaluationP", "EvaluationP")
    time.sleep(2)  # two minutes of its clock
    assert server.memory_bytes() < MEMORY_MAX
    works_after_restart(server)


def chain(count):
    metric = {"Namespace": "AWS/DynamoDB", "MetricName": "UserErrors"}
    queries = [{"Id": f"e{i}", "Expression": f"e{i + 1}+1", "ReturnData": i == 0} for i in range(count)]
    queries.append({"Id": f"e{count}", "ReturnData": False, "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Sum"}})
    return queries


def test_chained_expressions_do_not_recurse(new_server):
    server = new_server("--telemetry-speed", "60").start()
    client = cloudwatch(server)
    settings = {"AlarmName": "a", "EvaluationPeriods": 1, "Threshold": 1.0, "ComparisonOperator": "GreaterThanThreshold"}
    assert "metrics" in refused(client, "PutMetricAlarm", **settings, Metrics=chain(8000)).message
    client.call("PutMetricAlarm", **settings, Metrics=chain(19))
    # Each as long as it may be, 499 of them in a row.
    queries = [{"Id": f"e{i}", "Expression": "-(" * 19 + f"e{i + 1}" + ")" * 19 + "+0" * 490} for i in range(499)]
    now = int(time.time())
    answer = client.call("GetMetricData", StartTime=now - 3600, EndTime=now, MetricDataQueries=[*queries, chain(499)[-1]])
    assert len(answer["MetricDataResults"]) == 499
    loop = [{"Id": "a", "Expression": "b"}, {"Id": "b", "Expression": "c+1"}, {"Id": "c", "Expression": "[a]"}]
    assert "Circular" in refused(client, "GetMetricData", StartTime=now - 60, EndTime=now, MetricDataQueries=loop).message
    time.sleep(2)
    works_after_restart(server)


def test_a_step_of_a_schedule_stays_within_its_field(new_server):
    server = new_server().start()
    client = scaling(server)
    for number in range(50):
        client.call("PutScheduledAction", **TARGET, ScheduledActionName=f"s{number}", Schedule="cron(1/2147483647 * * * ? *)",
                    ScalableTargetAction={"MinCapacity": 2})
        client.call("PutScheduledAction", **TARGET, ScheduledActionName=f"y{number}", Schedule="cron(1 1 1 1 ? 1970/2147483647)",
                    ScalableTargetAction={"MinCapacity": 2})
    works_after_restart(server)
    shown = scaling(server, register=False).call("DescribeScheduledActions", ServiceNamespace="dynamodb")["ScheduledActions"]
    assert len(shown) == 50


def test_a_time_range_without_bounds_has_bounded_work(new_server):
    server = new_server().start()
    client = cloudwatch(server)
    # A series that there is, so that it can be filled.
    with pytest.raises(ServiceError):
        Client(server.port).call("GetItem", TableName="none", Key={})
    queries = [chain(0)[0] | {"Id": "m", "ReturnData": False}, {"Id": "f", "Expression": "FILL(m, 0)"}]
    for start, end in ((-9e11, 9e11), (-6e10, 2e11), (0, 2e9)):
        refused(client, "GetMetricData", StartTime=start, EndTime=end, MetricDataQueries=queries)
    for start, end in ((-9e11, 9e11), (0, 2e9)):
        refused(client, "GetMetricStatistics", StartTime=start, EndTime=end, Period=60, Statistics=["Sum"], Namespace="AWS/DynamoDB",
                MetricName="UserErrors")
    now = int(time.time())
    many = [queries[0]] + [{"Id": f"f{i}", "Expression": "FILL(m, 0)"} for i in range(499)]
    refused(client, "GetMetricData", StartTime=now - 86400 * 14, EndTime=now, MetricDataQueries=many)
    answer = client.call("GetMetricData", StartTime=now - 86400, EndTime=now + 60, MetricDataQueries=queries)
    assert len(answer["MetricDataResults"][0]["Values"]) >= 1440
    assert server.memory_bytes() < MEMORY_MAX


def post(server, body, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT_S)
    connection.request("POST", "/", body, headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def cpu_s(server):
    with open(f"/proc/{server.process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def test_work_grows_with_the_size_of_a_request(new_server):
    server = new_server().start()
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    names = lambda count: "Action=ListMetrics&Version=2010-08-01&" + "&".join(f"name{i}=1" for i in range(count))
    signer = Signer(f"127.0.0.1:{server.port}", "GraniteServiceVersion20100801.")
    members = lambda count: json.dumps({f"m{i}": 1 for i in range(count)})
    empty = lambda count: json.dumps({"Dimensions": [{}] * count})

    def signed(body):
        connection = socket.create_connection(("127.0.0.1", server.port), WAIT_S)
        connection.sendall(signer.request("ListMetrics", body.encode()))
        answer = connection.recv(4096)
        connection.close()
        assert answer[9:12] in (b"200", b"400"), answer[:200]

    def cost(send):
        before = cpu_s(server)
        send()
        return cpu_s(server) - before

    # The service's own processor time: sixty times the members may cost a hundred times as much and a little, not 3,600 times.
    for send in (lambda n: post(server, names(n), **form), lambda n: signed(members(n)), lambda n: signed(empty(n))):
        small = max(cost(lambda: [send(1500) for _ in range(10)]) / 10, 0.002)
        assert cost(lambda: send(90_000)) < 200 * small + 1, "more than linear"
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(post, server, names(60_000), **form) for _ in range(8)]
        assert page(server, "/healthz") == "ok\n"
        assert all(one.result()[0] in (400, 403) for one in sent)


class Receiver:
    """Takes connections, keeps what came and answers as it is told."""

    def __init__(self, answer):
        self.messages = []
        self._answer = answer
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            connection.settimeout(WAIT_S)
            received = b""
            while b"\r\n\r\n" not in received:
                received += connection.recv(65536)
            self.messages.append(received)
            connection.sendall(self._answer)
            connection.close()

    def close(self):
        self._socket.close()


@pytest.mark.parametrize("answer, outcome", [
    (b"HTTP/1.1 200 OK\r\n\r\n", "Succeeded"),
    (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n", "302"),
    (b"HTTP/1.1 500 No\r\n\r\n", "500"),
    (b"nonsense\r\n", "No answer"),
    (b"", "No answer"),
])
def test_history_says_what_became_of_an_action(new_server, answer, outcome):
    server = new_server().start()
    receiver = Receiver(answer)
    client = cloudwatch(server)
    client.call("PutMetricAlarm", **ALARM, AlarmActions=[f"http://127.0.0.1:{receiver.port}/hook"])
    client.call("SetAlarmState", AlarmName="a", StateValue="ALARM", StateReason="test")
    items = eventually(lambda: client.call("DescribeAlarmHistory", AlarmName="a", HistoryItemType="Action")["AlarmHistoryItems"])
    assert outcome in items[0]["HistorySummary"] + items[0]["HistoryData"], items
    assert ("Successfully" in items[0]["HistorySummary"]) == (outcome == "Succeeded")
    assert len(receiver.messages) == 1 and receiver.messages[0].startswith(b"POST /hook HTTP/1.1\r\n")
    receiver.close()


def test_nobody_took_what_nobody_answers(new_server):
    server = new_server().start()
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    client = cloudwatch(server)
    client.call("PutMetricAlarm", **ALARM, AlarmActions=[f"http://127.0.0.1:{port}/", "arn:aws:sns:us-east-1:123456789012:topic"])
    client.call("SetAlarmState", AlarmName="a", StateValue="ALARM", StateReason="test")

    def both():
        items = client.call("DescribeAlarmHistory", AlarmName="a", HistoryItemType="Action")["AlarmHistoryItems"]
        return items if len(items) == 2 else None

    assert all("Failed to execute action" in item["HistorySummary"] for item in eventually(both))


def test_actions_reach_the_listed_receivers_alone(new_server):
    receiver = Receiver(b"HTTP/1.1 200 OK\r\n\r\n")
    server = new_server().start()
    client = cloudwatch(server)
    for url in ("http://10.1.2.3/", "http://169.254.169.254/latest", "http://example.com:6379/", "http://127.0.0.1.example.com/",
                f"http://127.0.0.1:{receiver.port}/ HTTP/1.1\r\nX: y\r\n\r\nflush_all\r\n", f"http://127.0.0.1:{receiver.port}/\n",
                f"http://127.0.0.1:{receiver.port}\r\nset x 0 0 1/", "http://user@127.0.0.1/", "http://[::ffff:10.0.0.1]/"):
        for member in ("AlarmActions", "OKActions", "InsufficientDataActions"):
            refused(client, "PutMetricAlarm", **ALARM, **{member: [url]})
    assert client.call("DescribeAlarms")["MetricAlarms"] == []
    client.call("PutMetricAlarm", **ALARM, AlarmActions=[f"http://localhost:{receiver.port}/"])
    # What an earlier run allowed, this one need not.
    assert server.stop() == 0
    server = new_server("--webhook-allow", "hooks.example.com,10.0.0.1:8080").start()
    client = cloudwatch(server)
    client.call("SetAlarmState", AlarmName="a", StateValue="ALARM", StateReason="test")
    items = eventually(lambda: client.call("DescribeAlarmHistory", AlarmName="a", HistoryItemType="Action")["AlarmHistoryItems"])
    assert "not allowed" in items[0]["HistorySummary"]
    refused(client, "PutMetricAlarm", **ALARM, AlarmActions=["http://10.0.0.1:8081/"])
    client.call("PutMetricAlarm", **ALARM, AlarmActions=["http://10.0.0.1:8080/", "http://hooks.example.com/x"])
    assert receiver.messages == []
    receiver.close()
    assert all(line.startswith("stator: ") for line in server.log_text().splitlines())


@pytest.mark.parametrize("change", [
    {"AlarmDescription": "x" * (8 << 20)}, {"AlarmName": "x" * 256}, {"AlarmName": "a\nb"}, {"AlarmDescription": "\x01"},
    {"AlarmActions": ["arn:" + "x" * 2000]}, {"Unit": "x" * 5000}, {"Tags": [{"Key": "k", "Value": "v"}] * 51},
    {"Dimensions": [{"Name": "n", "Value": "v"}] * 31}, {"ThresholdMetricId": "x" * 300},
])
def test_alarms_have_limits(new_server, change):
    server = new_server().start()
    client = cloudwatch(server)
    error = refused(client, "PutMetricAlarm", **{**ALARM, **change})
    assert error.message.startswith("1 validation error detected: Value '"), error.message[:200]
    assert len(error.message) < 10_000
    assert client.call("DescribeAlarms")["MetricAlarms"] == []


def query(server, **members):
    signed = "AWS4-HMAC-SHA256 Credential=testkey/20260601/us-east-1/monitoring/aws4_request, SignedHeaders=host, Signature=00"
    body = urllib.parse.urlencode({"Version": "2010-08-01", **members})
    status, content = post(server, body, **{"Content-Type": "application/x-www-form-urlencoded", "Authorization": signed,
                                            "X-Amz-Date": "20260601T000000Z"})
    return status, xml.etree.ElementTree.fromstring(content)


def test_answers_in_xml_carry_nothing_but_what_they_say(new_server):
    server = new_server().start()
    client = cloudwatch(server)
    settings = {"AlarmName": "a", "EvaluationPeriods": 1, "Threshold": 1.0, "ComparisonOperator": "GreaterThanThreshold"}
    forged = "x><forged/></x><x y='"
    metric = {"Namespace": "AWS/DynamoDB", "MetricName": "UserErrors", "Dimensions": [{"Name": "<n>&", "Value": "]]>", forged: forged}]}
    client.call("PutMetricAlarm", **settings, AlarmDescription="<b>&'\"\u00fc\r\n\t", Metrics=[
        {"Id": "m", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Sum", forged: "1"}, "Label": "<l>", forged: {forged: "2"}}])
    client.call("SetAlarmState", AlarmName="a", StateValue="OK", StateReason="<r>\u0085", StateReasonData='{"a":"<d>"}')
    status, answer = query(server, Action="DescribeAlarms")
    assert status == 200
    space = "{http://monitoring.amazonaws.com/doc/2010-08-01/}"
    assert answer.find(f".//{space}forged") is None
    assert answer.find(f".//{space}AlarmDescription").text == "<b>&'\"\u00fc\r\n\t"
    assert answer.find(f".//{space}StateReason").text == "<r>\u0085"
    for text in ("\x00", "\x01", "\x1b", "\ufffe", "\uffff"):
        for members in ({"AlarmDescription": text}, {"AlarmName": text}, {"MetricName": text}):
            refused(client, "PutMetricAlarm", **{**ALARM, **members})
        refused(client, "SetAlarmState", AlarmName="a", StateValue="OK", StateReason=text)
        query(server, Action="DescribeAlarms", AlarmNamePrefix=text)  # the refusal is XML
        query(server, Action=text)
    for name in ("DescribeAlarms", "DescribeAlarmHistory"):
        assert query(server, Action=name)[0] == 200


@pytest.mark.parametrize("limits", [{"MinCapacity": -7}, {"MinCapacity": 0}, {"MaxCapacity": 0}, {"MaxCapacity": -1},
                                    {"MinCapacity": 1 << 40}, {"MinCapacity": 5, "MaxCapacity": 4}])
def test_no_capacity_below_one(new_server, limits):
    server = new_server("--telemetry-speed", "60").start()
    client = scaling(server)
    refused(client, "PutScheduledAction", **TARGET, ScheduledActionName="s", Schedule="rate(1 minute)", ScalableTargetAction=limits)
    refused(client, "RegisterScalableTarget", **TARGET, **limits)
    shown = client.call("DescribeScalableTargets", ServiceNamespace="dynamodb")["ScalableTargets"]
    assert (shown[0]["MinCapacity"], shown[0]["MaxCapacity"]) == (1, 10)
    assert client.call("DescribeScheduledActions", ServiceNamespace="dynamodb")["ScheduledActions"] == []


@pytest.mark.parametrize("wrong", [{"DynamicScalingInSuspended": 7}, {"ScheduledScalingSuspended": {}}, {"DynamicScalingOutSuspended": "x"}])
def test_what_is_refused_is_not_stored(new_server, wrong):
    server = new_server().start()
    client = scaling(server)
    client.call("DeregisterScalableTarget", **TARGET)
    assert refused(client, "RegisterScalableTarget", **TARGET, MinCapacity=1, MaxCapacity=9, SuspendedState=wrong).code == \
        "SerializationException"
    assert client.call("DescribeScalableTargets", ServiceNamespace="dynamodb")["ScalableTargets"] == []
