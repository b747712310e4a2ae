"""Capacity as the service has it: throttling in mode enforce, what would have been throttled in mode observe."""

import datetime
import itertools
import re
import time
import urllib.request

import botocore.exceptions
import pytest

from conftest import Endpoint, eventually
from server_process import ServerProcess

ACCOUNT = "418273906451"
HOUR = datetime.timedelta(hours=1)
TABLE = "arn:aws:dynamodb:us-east-1:" + ACCOUNT + ":table/"


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server that throttles."""
    with ServerProcess(tmp_path_factory.mktemp("strict") / "log", "--capacity", "enforce") as process:
        yield Endpoint(process)
        assert process.running(), process.log_text()
        assert process.stop() == 0
        assert process.log_text() == ""


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


def test_a_hot_partition_is_throttled_and_the_others_are_not(strict):
    dynamodb = strict.table("hot")  # on-demand: partitions of 1,000 write units a second
    error = until_refused(lambda number: dynamodb.put_item(
        TableName="hot", Item={"pk": {"S": "one"}, "data": {"S": "x" * 390_000}}))
    assert error.response["Error"]["Code"] == "ThrottlingException"
    assert error.response["Error"]["Message"].startswith("Throughput exceeds the current capacity of your table or index.")
    assert error.response["throttlingReasons"] == [
        {"reason": "TableWriteKeyRangeThroughputExceeded", "resource": TABLE + "hot"}]
    done = 0
    for number in range(40):
        try:
            dynamodb.put_item(TableName="hot", Item={"pk": {"S": f"other-{number}"}})
            done += 1
        except dynamodb.exceptions.ThrottlingException:
            pass  # of the same partition
    assert done > 10
    assert total(strict, "WriteKeyRangeThroughputThrottleEvents", TableName="hot") >= 1
    assert total(strict, "WriteThrottleEvents", TableName="hot") >= 1


def test_provisioned_throughput_and_its_metrics(strict):
    dynamodb = create(strict, "narrow", 2, 2)
    error = until_refused(lambda number: dynamodb.put_item(TableName="narrow", Item=item("a", number)))
    assert error.response["Error"]["Code"] == "ProvisionedThroughputExceededException"
    assert error.response["ThrottlingReasons"] == [
        {"reason": "TableWriteProvisionedThroughputExceeded", "resource": TABLE + "narrow"}]
    error = until_refused(lambda number: dynamodb.get_item(TableName="narrow", Key=item("a", 0), ConsistentRead=True))
    assert error.response["ThrottlingReasons"][0]["reason"] == "TableReadProvisionedThroughputExceeded"
    assert total(strict, "ThrottledRequests", TableName="narrow", Operation="PutItem") == 1
    assert total(strict, "ThrottledRequests", TableName="narrow", Operation="GetItem") == 1
    assert total(strict, "WriteProvisionedThroughputThrottleEvents", TableName="narrow") == 1
    assert total(strict, "ReadThrottleEvents", TableName="narrow") == 1
    labels = {"table": "narrow", "reason": "TableWriteProvisionedThroughputExceeded"}
    assert value_of(page(strict), "stator_throttles_total", **labels) == 1
    # It is let in again when time has passed.
    eventually(lambda: put_is_let_in(dynamodb, "narrow"))


def put_is_let_in(dynamodb, table, data=""):
    try:
        dynamodb.put_item(TableName=table, Item=item("a", 0, data=data))
        return True
    except botocore.exceptions.ClientError:
        return False


def test_an_index_throttles_the_writes_of_its_table(strict):
    dynamodb = create(strict, "indexed", 100, 1000, index_write=1)
    error = until_refused(lambda number: dynamodb.put_item(TableName="indexed", Item=item("a", number, g="x")))
    assert error.response["Error"]["Code"] == "ProvisionedThroughputExceededException"
    assert error.response["Error"]["Message"].startswith(
        "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded.")
    assert error.response["ThrottlingReasons"] == [
        {"reason": "IndexWriteProvisionedThroughputExceeded", "resource": TABLE + "indexed/index/by-g"}]
    dynamodb.put_item(TableName="indexed", Item=item("a", "outside"))  # has no g
    assert total(strict, "WriteThrottleEvents", TableName="indexed", GlobalSecondaryIndexName="by-g") == 1
    assert total(strict, "WriteThrottleEvents", TableName="indexed") == 0


def test_batches_give_back_what_was_throttled(strict):
    dynamodb = create(strict, "batches", 5, 5)
    requests = [{"PutRequest": {"Item": item("a", number, note="x")}} for number in range(20)]
    answer = dynamodb.batch_write_item(RequestItems={"batches": requests}, ReturnConsumedCapacity="TOTAL")
    left = answer["UnprocessedItems"]["batches"]
    done = 20 - len(left)
    assert 5 <= done < 20 and left == requests[done:]
    assert answer["ConsumedCapacity"] == [{"TableName": "batches", "CapacityUnits": float(done)}]
    assert total(strict, "ThrottledRequests", TableName="batches", Operation="BatchWriteItem") == 1
    eventually(lambda: put_is_let_in(dynamodb, "batches", "x" * 20_000))  # leaves a debt of seconds
    error = until_refused(lambda _: dynamodb.batch_write_item(RequestItems={"batches": left}), 1)
    assert error.response["Error"]["Code"] == "ProvisionedThroughputExceededException"
    keys = [item("a", number) for number in range(20)]
    answer = dynamodb.batch_get_item(RequestItems={"batches": {"Keys": keys, "ConsistentRead": True}})
    unprocessed = answer["UnprocessedKeys"]["batches"]
    assert 0 < len(unprocessed["Keys"]) < 20 and unprocessed["ConsistentRead"] is True
    # What the answers give back is what a client sends again until all is done.
    rest = {"batches": left}

    def write_rest():
        try:
            rest.update(dynamodb.batch_write_item(RequestItems=dict(rest))["UnprocessedItems"] or {"batches": []})
        except dynamodb.exceptions.ProvisionedThroughputExceededException:
            pass
        return rest["batches"] == []

    eventually(write_rest)


def test_a_page_ends_early(strict):
    dynamodb = create(strict, "pages", 20, 10_000)
    for number in range(60):
        dynamodb.put_item(TableName="pages", Item=item("a", f"{number:03}", data="x" * 8000))
    until_refused(lambda _: dynamodb.scan(TableName="pages", ConsistentRead=True))  # what was saved up meanwhile
    assert total(strict, "ThrottledRequests", TableName="pages", Operation="Scan") == 1
    query = {"TableName": "pages", "KeyConditionExpression": "pk = :pk", "ConsistentRead": True,
             "ExpressionAttributeValues": {":pk": {"S": "a"}}, "ReturnConsumedCapacity": "TOTAL"}
    found = []

    def next_page():
        try:
            answer = dynamodb.query(**query)
        except dynamodb.exceptions.ProvisionedThroughputExceededException:
            return False
        found.append(answer)
        query["ExclusiveStartKey"] = answer.get("LastEvaluatedKey")
        return "LastEvaluatedKey" not in answer

    eventually(next_page)
    assert len(found) > 1  # 60 items of 8 KB are less than a page of 1 MB and more than the capacity
    assert [i["sk"]["S"] for answer in found for i in answer["Items"]] == [f"{number:03}" for number in range(60)]


def test_a_throttled_transaction_is_canceled(strict):
    dynamodb = create(strict, "rich", 100, 100)
    create(strict, "poor", 1, 1)
    until_refused(lambda number: dynamodb.put_item(TableName="poor", Item=item("a", number, data="x" * 20_000)))
    puts = [{"Put": {"TableName": name, "Item": item("t", 1)}} for name in ("rich", "poor")]
    with pytest.raises(dynamodb.exceptions.TransactionCanceledException) as refused:
        dynamodb.transact_write_items(TransactItems=puts)
    reasons = refused.value.response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "ProvisionedThroughputExceeded"]
    assert "Item" not in dynamodb.get_item(TableName="rich", Key=item("t", 1))


def test_partiql_is_throttled_likewise(strict):
    dynamodb = create(strict, "statements", 2, 2)
    error = until_refused(lambda number: dynamodb.execute_statement(
        Statement=f"INSERT INTO statements VALUE {{'pk': 'a', 'sk': '{number}'}}"))
    assert error.response["Error"]["Code"] == "ProvisionedThroughputExceededException"
    answer = dynamodb.batch_execute_statement(Statements=[
        {"Statement": f"INSERT INTO statements VALUE {{'pk': 'b', 'sk': '{number}'}}"} for number in range(10)])
    codes = {member["Error"]["Code"] for member in answer["Responses"] if "Error" in member}
    assert codes == {"ProvisionedThroughputExceeded"}


def test_throttled_keys_are_ranked(strict):
    dynamodb = create(strict, "ranked", 1, 1)
    dynamodb.update_contributor_insights(TableName="ranked", ContributorInsightsAction="ENABLE")
    until_refused(lambda number: dynamodb.put_item(TableName="ranked", Item=item("hot", number)))
    rules = dynamodb.describe_contributor_insights(TableName="ranked")["ContributorInsightsRuleList"]
    now = datetime.datetime.now(datetime.timezone.utc)
    report = strict.client("cloudwatch").get_insight_rule_report(
        RuleName=next(rule for rule in rules if "-PKT-" in rule), StartTime=now - HOUR, EndTime=now + HOUR, Period=3600)
    assert [c["Keys"] for c in report["Contributors"]] == [["hot"]]


def test_limits_of_changes(strict):
    dynamodb = create(strict, "changed", 50, 50)

    def provision(units):
        dynamodb.update_table(TableName="changed",
                              ProvisionedThroughput={"ReadCapacityUnits": units, "WriteCapacityUnits": units})

    for units in (40, 30, 20, 10):
        provision(units)
    described = dynamodb.describe_table(TableName="changed")["Table"]
    assert described["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 4
    assert described["WarmThroughput"]["WriteUnitsPerSecond"] == 50  # what it has once had
    with pytest.raises(dynamodb.exceptions.LimitExceededException) as refused:
        provision(5)
    assert "Number of decreases today: 4." in refused.value.response["Error"]["Message"]
    provision(60)
    for _ in range(4):
        dynamodb.update_table(TableName="changed", BillingMode="PAY_PER_REQUEST")
        dynamodb.update_table(TableName="changed", BillingMode="PROVISIONED",
                              ProvisionedThroughput={"ReadCapacityUnits": 60, "WriteCapacityUnits": 60})
    with pytest.raises(dynamodb.exceptions.LimitExceededException) as refused:
        dynamodb.update_table(TableName="changed", BillingMode="PAY_PER_REQUEST")
    assert "limited to 4 times in 1 day(s)" in refused.value.response["Error"]["Message"]


def test_by_command_line(strict):
    strict.aws("dynamodb", "create-table", "--table-name", "typed", "--attribute-definitions",
               "AttributeName=pk,AttributeType=S", "--key-schema", "AttributeName=pk,KeyType=HASH",
               "--provisioned-throughput", "ReadCapacityUnits=1,WriteCapacityUnits=1")
    text = '{"pk":{"S":"a"},"data":{"S":"' + "x" * 60_000 + '"}}'  # 59 units leave a debt
    strict.aws("dynamodb", "put-item", "--table-name", "typed", "--item", text)
    complaint = strict.aws("dynamodb", "put-item", "--table-name", "typed", "--item", '{"pk":{"S":"b"}}', fails=True)
    assert "An error occurred (ProvisionedThroughputExceededException) when calling the PutItem operation" in complaint
    answer = strict.aws(
        "cloudwatch", "get-metric-statistics", "--namespace", "AWS/DynamoDB", "--metric-name", "ThrottledRequests",
        "--dimensions", "Name=TableName,Value=typed", "Name=Operation,Value=PutItem", "--start-time",
        "2020-01-01T00:00:00Z", "--end-time", "2100-01-01T00:00:00Z", "--period", "2592000", "--statistics", "Sum")
    assert sum(point["Sum"] for point in answer["Datapoints"]) == 1


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
