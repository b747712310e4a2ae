"""Throttling as the service does it: mode enforce."""

import datetime

import botocore.exceptions
import pytest

from capacity_calls import HOUR, TABLE, create, item, page, total, until_refused, value_of
from conftest import Endpoint, eventually
from server_process import ServerProcess


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server that throttles."""
    with ServerProcess(tmp_path_factory.mktemp("strict") / "log", "--capacity", "enforce") as process:
        yield Endpoint(process)
        assert process.running(), process.log_text()
        assert process.stop() == 0
        assert process.log_text() == ""


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


def test_what_a_batch_leaves_out_is_not_in_the_stream(strict):
    dynamodb = create(strict, "streamed", 5, 5, StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
    requests = [{"PutRequest": {"Item": item("a", number)}} for number in range(20)]
    answer = dynamodb.batch_write_item(RequestItems={"streamed": requests})
    left = [request["PutRequest"]["Item"] for request in answer["UnprocessedItems"]["streamed"]]
    assert 0 < len(left) < 20
    written = [request["PutRequest"]["Item"] for request in requests if request["PutRequest"]["Item"] not in left]
    streams = strict.client("dynamodbstreams")
    arn = dynamodb.describe_table(TableName="streamed")["Table"]["LatestStreamArn"]
    found = []
    for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        start = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        records = streams.get_records(ShardIterator=streams.get_shard_iterator(**start)["ShardIterator"])["Records"]
        found += [record["dynamodb"]["Keys"] for record in records]
    assert sorted(key["sk"]["S"] for key in found) == sorted(key["sk"]["S"] for key in written)


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
