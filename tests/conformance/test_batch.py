"""BatchGetItem and BatchWriteItem."""

import pytest

from wire import assert_error, assert_invalid

INVALID = "One or more parameter values were invalid: "
DUPLICATES = "Provided list of item keys contains duplicates"
A = {"S": "a"}
KEY = {"pk": A}
ONE_TYPE = (
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")


def get(db, **tables):
    return db.post("BatchGetItem", {"RequestItems": tables})


def write(db, **tables):
    return db.post("BatchWriteItem", {"RequestItems": tables})


def put(item):
    return {"PutRequest": {"Item": item}}


def delete(key):
    return {"DeleteRequest": {"Key": key}}


@pytest.mark.parametrize("keys", [[KEY, KEY], [{"pk": {"N": "1"}}, {"pk": {"N": "1.0"}}]], ids=["same", "equal"])
def test_get_of_one_key_twice(db, keys):
    assert_invalid(get(db, **{"no-such-table": {"Keys": keys}}), DUPLICATES)


def test_get_of_too_many_keys_in_all(db):
    keys = [{"pk": {"S": str(i)}} for i in range(60)]
    answer = get(db, **{"no-such-table": {"Keys": keys}, "no-such-table2": {"Keys": keys}})
    assert_invalid(answer, "Too many items requested for the BatchGetItem call")


def test_write_of_too_many_requests_in_all(db):
    requests = [put({"pk": {"S": str(i)}}) for i in range(20)]
    answer = write(db, **{"no-such-table": requests, "no-such-table2": requests})
    assert_invalid(answer, "Too many items requested for the BatchWriteItem call")


@pytest.mark.parametrize(
    "requests",
    [[put(KEY), put({**KEY, "x": A})], [put(KEY), delete(KEY)], [delete(KEY), delete(KEY)]],
    ids=["two puts", "put and delete", "two deletes"],
)
def test_write_of_one_key_twice(db, hash_table, requests):
    assert_invalid(write(db, **{hash_table: requests}), DUPLICATES)


def test_a_request_that_does_nothing(db):
    assert_invalid(write(db, **{"no-such-table": [{}]}), ONE_TYPE)


def test_no_such_table(db, hash_table):
    text = "Requested resource not found"
    assert_error(get(db, **{"no-such-table": {"Keys": [KEY]}}), "ResourceNotFoundException", text)
    assert_error(write(db, **{"no-such-table": [put(KEY)]}), "ResourceNotFoundException", text)
    mixed = {hash_table: [put({"pk": {"S": "never-written"}})], "no-such-table": [put(KEY)]}
    assert_error(write(db, **mixed), "ResourceNotFoundException", text)
    assert db.call("GetItem", TableName=hash_table, Key={"pk": {"S": "never-written"}}) == {}


def test_an_item_that_is_too_large(db):
    item = {**KEY, "x": {"S": "x" * 409600}}
    assert_invalid(
        write(db, **{"no-such-table": [put(item)]}), "Item size has exceeded the maximum allowed size")


def test_a_refused_batch_writes_nothing(db, range_table, unique):
    good = {"pk": {"S": unique("batch")}, "sk": A}
    assert write(db, **{range_table: [put(good), put({"pk": A})]}).status == 400
    assert db.call("GetItem", TableName=range_table, Key=good) == {}


def test_writes_and_reads_over_tables(db, hash_table, range_table, unique):
    pk = {"S": unique("batch")}
    in_hash = {"pk": pk, "x": A}
    in_range = [{"pk": pk, "sk": {"S": str(i)}, "x": {"N": str(i)}} for i in range(3)]
    answer = write(db, **{hash_table: [put(in_hash)], range_table: [put(i) for i in in_range]})
    assert (answer.status, answer.json()) == (200, {"UnprocessedItems": {}})
    answer = write(db, **{range_table: [delete({"pk": pk, "sk": {"S": "1"}}), delete({"pk": pk, "sk": {"S": "9"}})]})
    assert answer.json() == {"UnprocessedItems": {}}
    answer = get(db, **{
        hash_table: {"Keys": [{"pk": pk}, {"pk": {"S": "missing"}}], "ConsistentRead": True},
        range_table: {
            "Keys": [{"pk": pk, "sk": {"S": str(i)}} for i in range(3)], "ProjectionExpression": "sk, x"},
    }).json()
    assert answer["UnprocessedKeys"] == {}
    assert answer["Responses"][hash_table] == [in_hash]
    found = sorted(answer["Responses"][range_table], key=lambda i: i["sk"]["S"])
    assert found == [{"sk": {"S": i}, "x": {"N": i}} for i in ("0", "2")]


def test_nothing_found_is_an_empty_list(db, hash_table):
    answer = get(db, **{hash_table: {"Keys": [{"pk": {"S": "missing"}}]}}).json()
    assert answer == {"Responses": {hash_table: []}, "UnprocessedKeys": {}}


def test_a_projection_that_matches_nothing_gives_an_empty_item(db, hash_table):
    db.call("PutItem", TableName=hash_table, Item={"pk": {"S": "batch-projection"}})
    answer = get(db, **{hash_table: {"Keys": [{"pk": {"S": "batch-projection"}}], "ProjectionExpression": "x"}})
    assert answer.json()["Responses"] == {hash_table: [{}]}


def test_a_full_batch(db, hash_table, unique):
    prefix = unique("full")
    items = [{"pk": {"S": f"{prefix}-{i}"}} for i in range(100)]
    for i in range(0, 100, 25):
        assert write(db, **{hash_table: [put(item) for item in items[i:i + 25]]}).status == 200
    answer = get(db, **{hash_table: {"Keys": items}}).json()
    assert len(answer["Responses"][hash_table]) == 100


def test_what_does_not_fit_into_16_mb_is_left_over(db, range_table, unique):
    pk = {"S": unique("large")}
    keys = [{"pk": pk, "sk": {"S": f"{i:03}"}} for i in range(45)]
    for key in keys:
        db.call("PutItem", TableName=range_table, Item={**key, "x": {"S": "x" * 409000}})
    wanted, found = {range_table: {"Keys": keys, "ConsistentRead": True}}, []
    answer = get(db, **wanted).json()
    left = answer["UnprocessedKeys"][range_table]
    assert left["ConsistentRead"] is True
    found += answer["Responses"][range_table]
    assert 0 < len(left["Keys"]) < 45 and len(found) + len(left["Keys"]) == 45
    answer = get(db, **{range_table: left}).json()
    found += answer["Responses"][range_table]
    assert sorted(i["sk"]["S"] for i in found) == [k["sk"]["S"] for k in keys]
