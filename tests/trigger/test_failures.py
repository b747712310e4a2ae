import itertools

from trigger_process import sort_key, wait_until

FILL_10 = ("--batch-size", "10", "--batching-window", "300")


def ten_items(table, put):
    for i in range(10):
        put(table, "a", i)


def batches_of(follower):
    return [[sort_key(record) for record in batch] for batch in follower.batches()]


def test_a_failed_batch_is_tried_again(table, put, trigger):
    ten_items(table, put)
    follower = trigger(table, *FILL_10, behaviour={"fail": ["3"], "times": 2})
    wait_until(lambda: '"after"' in follower.checkpoint.read_text(), "the stored position")
    assert batches_of(follower) == [[str(i) for i in range(10)]] * 3
    assert "2 failed" in follower.stop()


def test_a_batch_is_given_up_after_its_retries(dynamodb, table, put, trigger, tmp_path):
    ten_items(table, put)
    follower = trigger(
        table, *FILL_10, "--maximum-retry-attempts", "1", "--on-failure", str(tmp_path / "failures.jsonl"),
        behaviour={"fail": ["3"]},
    )  # fmt: skip
    wait_until(lambda: '"after"' in follower.checkpoint.read_text(), "the stored position")
    assert len(follower.batches()) == 2
    (line,) = follower.given_up()
    assert line["requestContext"] == {"condition": "RetryAttemptsExhausted", "approximateInvokeCount": 2}
    numbers = [r["dynamodb"]["SequenceNumber"] for r in follower.batches()[0]]
    batch = line["DDBStreamBatchInfo"]
    assert (batch["startSequenceNumber"], batch["endSequenceNumber"]) == (numbers[0], numbers[-1])
    assert batch["batchSize"] == 10
    assert batch["streamArn"] == dynamodb.describe_table(TableName=table)["Table"]["LatestStreamArn"]
    assert batch["shardId"].startswith("shardId-")


def test_bisecting_finds_the_bad_record(table, put, trigger, tmp_path):
    ten_items(table, put)
    follower = trigger(
        table, *FILL_10, "--maximum-retry-attempts", "0", "--bisect-on-error",
        "--on-failure", str(tmp_path / "failures.jsonl"), behaviour={"fail": ["6"]},
    )  # fmt: skip
    wait_until(lambda: batches_of(follower)[-1:] == [["7", "8", "9"]], "the last part")
    (line,) = follower.given_up()
    assert line["DDBStreamBatchInfo"]["batchSize"] == 1
    taken = [batch for batch in batches_of(follower) if "6" not in batch]
    assert [key for batch in taken for key in batch] == [str(i) for i in range(10) if i != 6]


def test_the_rest_of_a_batch_is_tried_again_from_the_reported_record(table, put, trigger):
    ten_items(table, put)
    follower = trigger(
        table, *FILL_10, "--report-batch-item-failures", behaviour={"fail": ["7", "4"], "times": 1, "report": True}
    )
    follower.wait_for_batches(2)
    assert batches_of(follower) == [[str(i) for i in range(10)], [str(i) for i in range(4, 10)]]


def test_a_function_that_hangs_is_ended(table, put, trigger, tmp_path):
    put(table, "a", "slow")
    follower = trigger(
        table, "--batch-size", "1", "--timeout", "0.5", "--maximum-retry-attempts", "1",
        "--on-failure", str(tmp_path / "failures.jsonl"), behaviour={"sleep": ["slow"]},
    )  # fmt: skip
    (line, *_) = wait_until(follower.given_up, "the record to be given up")
    assert line["requestContext"] == {"condition": "RetryAttemptsExhausted", "approximateInvokeCount": 2}
    assert line["responseContext"]["message"] == "the program took longer than 0.5 s"
    numbers = itertools.count()

    def goes_on():
        """On a busy machine a function that does not hang may take as long before it has begun."""
        put(table, "a", f"fast {next(numbers)}")
        return any(key.startswith("fast") for key in follower.keys())

    wait_until(goes_on, "records behind it")
    assert follower.keys().count("slow") <= 2


def test_other_shards_do_not_wait_for_a_bad_record(make_table, put, trigger):
    table = make_table(shards=4)
    follower = trigger(table, behaviour={"fail": ["bad"]})
    put(table, "pk", "bad")
    wait_until(lambda: "bad" in follower.keys(), "the bad record")
    for i in range(40):
        put(table, f"pk{i}", i)
    # Some of forty partition keys fall into other shards than the bad record.
    wait_until(lambda: any(key.isdigit() for key in follower.keys()), "records of other shards")
