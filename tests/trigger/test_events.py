import time

from trigger_process import wait_until


def test_events_have_the_form_of_lambda(dynamodb, table, put, trigger):
    before = int(time.time())
    put(table, "a", 1, color="red")
    put(table, "a", 1, color="blue")
    dynamodb.delete_item(TableName=table, Key={"pk": {"S": "a"}, "sk": {"S": "1"}})
    follower = trigger(table)
    records = follower.wait_for_records(3)
    assert [r["eventName"] for r in records] == ["INSERT", "MODIFY", "REMOVE"]
    arn = dynamodb.describe_table(TableName=table)["Table"]["LatestStreamArn"]
    for record in records:
        assert set(record) == {
            "eventID", "eventName", "eventVersion", "eventSource", "awsRegion", "dynamodb", "eventSourceARN"
        }  # fmt: skip
        assert record["eventVersion"] == "1.1"
        assert record["eventSource"] == "aws:dynamodb"
        assert record["awsRegion"] == "us-east-1"
        assert record["eventSourceARN"] == arn
        change = record["dynamodb"]
        assert change["Keys"] == {"pk": {"S": "a"}, "sk": {"S": "1"}}
        assert change["StreamViewType"] == "NEW_AND_OLD_IMAGES"
        assert change["SequenceNumber"].isdigit() and change["SizeBytes"] > 0
        assert isinstance(change["ApproximateCreationDateTime"], float)
        assert before <= change["ApproximateCreationDateTime"] <= time.time()
    red, blue = ({"pk": {"S": "a"}, "sk": {"S": "1"}, "color": {"S": color}} for color in ("red", "blue"))
    images = [(r["dynamodb"].get("OldImage"), r["dynamodb"].get("NewImage")) for r in records]
    assert images == [(None, red), (red, blue), (blue, None)]
    assert len({r["eventID"] for r in records}) == 3


def test_expired_items_carry_the_identity_of_the_service(dynamodb, table, trigger):
    dynamodb.update_time_to_live(
        TableName=table, TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"}
    )
    follower = trigger(table, "--filter", '{"userIdentity": {"type": ["Service"]}}')
    dynamodb.put_item(
        TableName=table, Item={"pk": {"S": "a"}, "sk": {"S": "1"}, "expires": {"N": str(int(time.time()) - 10)}}
    )
    record = follower.wait_for_records(1)[0]
    assert record["eventName"] == "REMOVE"
    assert record["userIdentity"] == {"type": "Service", "principalId": "dynamodb.amazonaws.com"}


def test_keys_only_streams_have_no_images(make_table, put, trigger):
    table = make_table(view="KEYS_ONLY")
    put(table, "a", 1, color="red")
    change = trigger(table).wait_for_records(1)[0]["dynamodb"]
    assert change["Keys"] == {"pk": {"S": "a"}, "sk": {"S": "1"}}
    assert "NewImage" not in change and "OldImage" not in change


def test_the_function_can_reach_the_server_without_settings(server, table, put, trigger, tmp_path):
    put(table, "a", 1)
    shown = tmp_path / "environment"
    trigger(table, program=f'echo "$AWS_ENDPOINT_URL $AWS_REGION" > {shown}')
    wait_until(shown.exists)
    wait_until(lambda: shown.read_text() == f"http://127.0.0.1:{server.port} us-east-1\n", "the environment")


def test_progress_is_told_at_the_end(table, put, trigger):
    for i in range(3):
        put(table, "a", i)
    follower = trigger(table, "--batch-size", "3", "--batching-window", "300")
    follower.wait_for_batches(1)
    wait_until(lambda: '"after"' in follower.checkpoint.read_text(), "the stored position")
    assert f"{table}: 3 records in 1 invocations" in follower.stop()
