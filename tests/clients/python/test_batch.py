"""BatchGetItem and BatchWriteItem, and boto3's batch_writer on top of them."""

import pytest

from support import fails

MIB = 1024 * 1024


@pytest.fixture(scope="module")
def table(new_table):
    return new_table({"pk": "S", "sk": "N"})


@pytest.fixture(scope="module")
def second(new_table):
    return new_table({"pk": "S"})


def load(table, key):
    found = table.query(
        KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": key}, ConsistentRead=True
    )
    return found["Items"]


def puts(items):
    return [{"PutRequest": {"Item": item}} for item in items]


def test_batch_writer_writes_more_than_one_request_holds(table, key):
    items = [{"pk": key, "sk": number, "v": f"value {number}"} for number in range(137)]
    with table.batch_writer() as batch:
        for item in items:
            batch.put_item(Item=item)
    assert load(table, key) == items


def test_batch_writer_deletes_too(table, key):
    with table.batch_writer() as batch:
        for number in range(30):
            batch.put_item(Item={"pk": key, "sk": number})
    with table.batch_writer() as batch:
        for number in range(0, 30, 2):
            batch.delete_item(Key={"pk": key, "sk": number})
        batch.put_item(Item={"pk": key, "sk": 100})
    assert [item["sk"] for item in load(table, key)] == list(range(1, 30, 2)) + [100]


def test_batch_writer_keeps_the_last_of_equal_keys(table, key):
    with table.batch_writer(overwrite_by_pkeys=["pk", "sk"]) as batch:
        for number in range(40):
            batch.put_item(Item={"pk": key, "sk": number % 4, "written": number})
    assert [item["written"] for item in load(table, key)] == [36, 37, 38, 39]


def test_one_batch_writes_and_deletes_in_two_tables(resource, table, second, key):
    second.put_item(Item={"pk": key})
    answer = resource.batch_write_item(
        RequestItems={
            table.name: puts([{"pk": key, "sk": 1}, {"pk": key, "sk": 2}]),
            second.name: [{"DeleteRequest": {"Key": {"pk": key}}}],
        }
    )
    assert answer["UnprocessedItems"] == {}
    assert len(load(table, key)) == 2
    assert "Item" not in second.get_item(Key={"pk": key}, ConsistentRead=True)


def test_a_put_in_a_batch_replaces_the_whole_item(resource, table, key):
    table.put_item(Item={"pk": key, "sk": 1, "old": True})
    resource.batch_write_item(RequestItems={table.name: puts([{"pk": key, "sk": 1, "new": True}])})
    assert load(table, key) == [{"pk": key, "sk": 1, "new": True}]


def test_batch_get_reads_two_tables_and_leaves_out_the_absent(resource, table, second, key):
    items = [{"pk": key, "sk": number} for number in range(3)]
    with table.batch_writer() as batch:
        for item in items:
            batch.put_item(Item=item)
    second.put_item(Item={"pk": key, "v": 1})
    answer = resource.batch_get_item(
        RequestItems={
            table.name: {"Keys": items + [{"pk": key, "sk": 99}], "ConsistentRead": True},
            second.name: {"Keys": [{"pk": key}, {"pk": "absent"}], "ConsistentRead": True},
        }
    )
    assert sorted(answer["Responses"][table.name], key=lambda item: item["sk"]) == items
    assert answer["Responses"][second.name] == [{"pk": key, "v": 1}]
    assert answer["UnprocessedKeys"] == {}


def test_batch_get_of_absent_keys_answers_with_an_empty_list(resource, table):
    answer = resource.batch_get_item(RequestItems={table.name: {"Keys": [{"pk": "absent", "sk": 0}]}})
    assert answer["Responses"] == {table.name: []}


def test_batch_get_projects(resource, table, key):
    table.put_item(Item={"pk": key, "sk": 1, "name": "n", "m": {"a": 1, "b": 2}})
    answer = resource.batch_get_item(
        RequestItems={
            table.name: {
                "Keys": [{"pk": key, "sk": 1}],
                "ProjectionExpression": "#n, m.b",
                "ExpressionAttributeNames": {"#n": "name"},
                "ConsistentRead": True,
            }
        }
    )
    assert answer["Responses"][table.name] == [{"name": "n", "m": {"b": 2}}]


def test_a_hundred_keys_are_read_at_once(resource, table, key):
    with table.batch_writer() as batch:
        for number in range(100):
            batch.put_item(Item={"pk": key, "sk": number})
    keys = [{"pk": key, "sk": number} for number in range(100)]
    answer = resource.batch_get_item(RequestItems={table.name: {"Keys": keys, "ConsistentRead": True}})
    assert len(answer["Responses"][table.name]) == 100


def test_batch_get_stops_at_16_mib_and_names_the_rest(resource, table, key):
    size = 390_000
    for number in range(50):
        table.put_item(Item={"pk": key, "sk": number + 1, "body": "z" * size})
    request = {
        table.name: {
            "Keys": [{"pk": key, "sk": number + 1} for number in range(50)],
            "ProjectionExpression": "sk, body",
            "ConsistentRead": True,
        }
    }
    found, rounds = [], 0
    while request:
        answer = resource.batch_get_item(RequestItems=request)
        items = answer["Responses"][table.name]
        assert items, "a round without progress would never end"
        assert sum(len(item["body"]) for item in items) <= 16 * MIB
        found += [int(item["sk"]) for item in items]
        request = answer["UnprocessedKeys"]
        rounds += 1
        if request:
            rest = request[table.name]
            assert rest["ConsistentRead"] is True
            assert rest["ProjectionExpression"] == "sk, body"
            assert len(rest["Keys"]) == 50 - len(found)
    assert rounds >= 2
    assert sorted(found) == list(range(1, 51))


def test_a_batch_of_large_items_is_written(resource, table, key):
    items = [{"pk": key, "sk": number, "body": "w" * 300_000} for number in range(25)]
    pending = {table.name: puts(items)}
    while pending:
        answer = resource.batch_write_item(RequestItems=pending)
        assert len(answer["UnprocessedItems"].get(table.name, [])) < len(pending[table.name])
        pending = answer["UnprocessedItems"]
    for number in (0, 12, 24):
        found = table.get_item(Key={"pk": key, "sk": number}, ConsistentRead=True)["Item"]
        assert len(found["body"]) == 300_000


INVALID_WRITES = {
    "26 requests": [{"PutRequest": {"Item": {"pk": "{key}", "sk": n}}} for n in range(26)],
    "the same key twice": puts([{"pk": "{key}", "sk": 1}, {"pk": "{key}", "sk": 1, "a": 1}]),
    "put and delete of one key": puts([{"pk": "{key}", "sk": 1}])
    + [{"DeleteRequest": {"Key": {"pk": "{key}", "sk": 1}}}],
    "an item without its sort key": puts([{"pk": "{key}", "sk": 1}, {"pk": "{key}"}]),
    "a key of the wrong type": puts([{"pk": "{key}", "sk": 1}, {"pk": "{key}", "sk": "one"}]),
    "an item over 400 KiB": puts([{"pk": "{key}", "sk": 1}, {"pk": "{key}", "sk": 2, "b": "b" * 410_000}]),
}


def with_key(requests, key):
    """The requests with the test's own partition key in place of `{key}`."""
    return [
        {kind: {part: values | {"pk": key} for part, values in body.items()} for kind, body in request.items()}
        for request in requests
    ]


@pytest.mark.parametrize("name", INVALID_WRITES)
def test_an_invalid_batch_writes_nothing(resource, table, key, name):
    with fails("ValidationException"):
        resource.batch_write_item(RequestItems={table.name: with_key(INVALID_WRITES[name], key)})
    assert load(table, key) == []


def test_equal_keys_are_named_as_duplicates(resource, table, key):
    twice = [{"pk": key, "sk": 1}] * 2
    with fails("ValidationException", "Provided list of item keys contains duplicates"):
        resource.batch_write_item(RequestItems={table.name: puts(twice)})
    with fails("ValidationException", "Provided list of item keys contains duplicates"):
        resource.batch_get_item(RequestItems={table.name: {"Keys": twice}})


def test_more_than_a_hundred_keys_are_refused(resource, table, key):
    keys = [{"pk": key, "sk": number} for number in range(101)]
    with fails("ValidationException"):
        resource.batch_get_item(RequestItems={table.name: {"Keys": keys}})


def test_a_batch_with_an_unknown_table_does_nothing(resource, table, key):
    with fails("ResourceNotFoundException", "Requested resource not found"):
        resource.batch_write_item(
            RequestItems={table.name: puts([{"pk": key, "sk": 1}]), "no-such-table": puts([{"pk": key}])}
        )
    assert load(table, key) == []
