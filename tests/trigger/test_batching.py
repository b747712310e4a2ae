from trigger_process import sort_key

FOREVER = ("--batching-window", "300")


def test_batches_are_no_larger_than_asked_for(table, put, trigger):
    for i in range(25):
        put(table, "a", i)
    follower = trigger(table, "--batch-size", "10", *FOREVER)
    follower.wait_for_batches(2)
    for i in range(25, 30):
        put(table, "a", i)
    follower.wait_for_batches(3)
    assert [len(batch) for batch in follower.batches()] == [10, 10, 10]
    assert follower.keys() == [str(i) for i in range(30)]


def test_a_batch_is_waited_for(table, put, trigger):
    follower = trigger(table, "--batch-size", "5", *FOREVER)
    for i in range(5):
        put(table, "a", i)
    assert [sort_key(r) for r in follower.wait_for_batches(1)[0]] == ["0", "1", "2", "3", "4"]


def test_a_batch_is_not_waited_for_longer_than_the_window(table, put, trigger):
    follower = trigger(table, "--batch-size", "5", "--batching-window", "0.2")
    put(table, "a", 1)
    assert follower.wait_for_records(1)


def test_all_shards_are_followed(make_table, put, trigger):
    table = make_table(shards=4)
    for i in range(40):
        put(table, f"pk{i}", i)
    follower = trigger(table)
    follower.wait_for_records(40)
    assert sorted(follower.keys(), key=int) == [str(i) for i in range(40)]


def test_latest_begins_with_what_comes(table, put, trigger):
    put(table, "a", "before")
    follower = trigger(table, "--starting-position", "LATEST")
    put(table, "a", "after")
    follower.wait_for_records(1)
    assert follower.keys() == ["after"]


def test_trim_horizon_begins_with_what_is_there(table, put, trigger):
    put(table, "a", "before")
    follower = trigger(table, "--starting-position", "TRIM_HORIZON")
    put(table, "a", "after")
    follower.wait_for_records(2)
    assert follower.keys() == ["before", "after"]


def test_records_of_transactions_and_batches_are_there(dynamodb, table, trigger):
    items = [{"Put": {"TableName": table, "Item": {"pk": {"S": "a"}, "sk": {"S": str(i)}}}} for i in range(3)]
    dynamodb.transact_write_items(TransactItems=items)
    requests = [{"PutRequest": {"Item": {"pk": {"S": "b"}, "sk": {"S": str(i)}}}} for i in range(3, 6)]
    dynamodb.batch_write_item(RequestItems={table: requests})
    dynamodb.execute_statement(Statement=f"INSERT INTO \"{table}\" VALUE {{'pk': 'c', 'sk': '6'}}")
    follower = trigger(table)
    follower.wait_for_records(7)
    assert sorted(follower.keys()) == [str(i) for i in range(7)]
