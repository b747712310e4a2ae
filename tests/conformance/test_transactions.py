"""Transactions: what they do, their tokens and their size."""

import re

from transactions import A, ONE, ONE_ITEM, check, delete, get, put, read, stored, update, write, written
from wire import assert_invalid


def test_all_four_actions(db, hash_table, range_table, key, unique):
    gone, new, there = ({"pk": {"S": unique("key")}} for _ in range(3))
    for k in (gone, there):
        db.call("PutItem", TableName=hash_table, Item=k)
    sorted_key = {**key, "sk": A}
    answer = written(
        db, put(hash_table, {**new, "x": A}), delete(hash_table, gone), check(hash_table, there),
        update(range_table, sorted_key, "SET #n = if_not_exists(#n, :x) + :x", {":x": ONE},
               ExpressionAttributeNames={"#n": "n"}))
    assert answer == {}
    assert stored(db, hash_table, new) == {**new, "x": A}
    assert stored(db, hash_table, gone) is None
    assert stored(db, hash_table, there) == there
    assert stored(db, range_table, sorted_key) == {**sorted_key, "n": {"N": "2"}}


def test_conditions_see_the_state_before(db, hash_table, key, other):
    answer = write(db, put(hash_table, key), put(hash_table, other, ConditionExpression="attribute_not_exists(pk)"),)
    assert answer.status == 200
    answer = write(db, delete(hash_table, key), check(hash_table, other))
    assert answer.status == 200


def test_put_replaces_and_delete_of_nothing_succeeds(db, hash_table, key, other):
    db.call("PutItem", TableName=hash_table, Item={**key, "x": A})
    assert written(db, put(hash_table, {**key, "y": A}), delete(hash_table, other)) == {}
    assert stored(db, hash_table, key) == {**key, "y": A}


def test_an_update_creates_the_item(db, hash_table, key, other):
    written(db, update(hash_table, key), update(hash_table, other, "REMOVE x"))
    assert stored(db, hash_table, key) == {**key, "x": A}
    assert stored(db, hash_table, other) is None


def test_indexes_follow(db, indexed_table, unique):
    group = {"S": unique("group")}
    items = [{"pk": {"S": unique("key")}, "sk": A, "gpk": group} for _ in range(2)]
    written(db, *[put(indexed_table, i) for i in items])

    def count():
        return db.call(
            "Query", TableName=indexed_table, IndexName="gsi", KeyConditionExpression="gpk = :g",
            ExpressionAttributeValues={":g": group})["Count"]

    assert count() == 2
    key = {"pk": items[0]["pk"], "sk": A}
    written(db, update(indexed_table, key, "REMOVE gpk"))
    assert count() == 1


def test_reading(db, hash_table, range_table, key, other):
    item = {**key, "m": {"M": {"a": A, "b": ONE}}, "l": {"L": [A, ONE]}}
    db.call("PutItem", TableName=hash_table, Item=item)
    db.call("PutItem", TableName=range_table, Item={**key, "sk": A})
    gets = [
        get(hash_table, other), get(hash_table, key), get(range_table, {**key, "sk": A}, ProjectionExpression="sk"),
    ]
    assert read(db, *gets).json() == {"Responses": [{}, {"Item": item}, {"Item": {"sk": A}}]}
    one = get(hash_table, key, ProjectionExpression="#m.a, l[1]", ExpressionAttributeNames={"#m": "m"})
    assert read(db, one).json() == {"Responses": [{"Item": {"m": {"M": {"a": A}}, "l": {"L": [ONE]}}}]}


def test_a_projection_that_matches_nothing(db, hash_table, key):
    db.call("PutItem", TableName=hash_table, Item=key)
    for projection, response in (("x", {}), ("x.y, z[0]", {}), ("x, pk", {"Item": key})):
        answer = read(db, get(hash_table, key, ProjectionExpression=projection))
        assert answer.json() == {"Responses": [response]}


def test_a_token_makes_a_repetition_harmless(db, hash_table, key, unique):
    token = unique("token")
    action = update(hash_table, key, "ADD n :x", {":x": ONE})
    for _ in range(3):
        assert written(db, action, ClientRequestToken=token) == {}
    assert stored(db, hash_table, key) == {**key, "n": ONE}
    written(db, action, ClientRequestToken=unique("token"))
    assert stored(db, hash_table, key) == {**key, "n": {"N": "2"}}


def test_a_token_outlives_other_writes(db, hash_table, key, unique):
    token = unique("token")
    action = put(hash_table, key, ConditionExpression="attribute_not_exists(pk)")
    written(db, action, ClientRequestToken=token)
    db.call("DeleteItem", TableName=hash_table, Key=key)
    written(db, action, ClientRequestToken=token)
    assert stored(db, hash_table, key) is None


def test_without_a_token_nothing_is_remembered(db, hash_table, key):
    action = update(hash_table, key, "ADD n :x", {":x": ONE})
    written(db, action)
    written(db, action)
    assert stored(db, hash_table, key) == {**key, "n": {"N": "2"}}


def test_a_token_with_another_request(db, hash_table, key, other, unique):
    token = unique("token")
    written(db, put(hash_table, key), ClientRequestToken=token)
    others = [
        [put(hash_table, {**key, "x": A})], [put(hash_table, other)], [delete(hash_table, key)],
        [put(hash_table, key), put(hash_table, other)],
    ]
    for actions in others:
        answer = write(db, *actions, ClientRequestToken=token)
        assert (answer.status, answer.code) == (400, "IdempotentParameterMismatchException")
    assert stored(db, hash_table, key) == key
    assert stored(db, hash_table, other) is None


def test_what_is_asked_back_is_no_part_of_the_request(db, hash_table, key, unique):
    token = unique("token")
    written(db, put(hash_table, key), ClientRequestToken=token)
    answer = written(
        db, put(hash_table, key), ClientRequestToken=token, ReturnConsumedCapacity="TOTAL",
        ReturnItemCollectionMetrics="SIZE")
    assert "ConsumedCapacity" in answer


def test_a_refused_request_does_not_use_its_token_up(db, hash_table, key, unique):
    token = unique("token")
    assert_invalid(write(db, put(hash_table, key), put(hash_table, key), ClientRequestToken=token), ONE_ITEM)
    written(db, put(hash_table, key), ClientRequestToken=token)
    assert stored(db, hash_table, key) == key


def large(pk, size=350000):
    return {"pk": {"S": pk}, "x": {"S": "x" * size}}


def test_four_megabytes(db, hash_table, unique):
    names = [unique("large") for _ in range(12)]
    written(db, *[put(hash_table, large(n)) for n in names[:10]])
    answer = write(db, *[put(hash_table, large(n)) for n in names])
    assert_invalid(answer, re.compile(".*size cannot exceed.*"))
    # What is stored does not count.
    written(db, *[delete(hash_table, {"pk": {"S": n}}) for n in names])


def test_four_megabytes_are_read_at_most(db, hash_table, unique):
    names = [unique("large") for _ in range(12)]
    for name in names:
        db.call("PutItem", TableName=hash_table, Item=large(name))
    keys = [{"pk": {"S": name}} for name in names]
    assert read(db, *[get(hash_table, key) for key in keys[:11]]).status == 200
    too_large = re.compile(".*size cannot exceed.*")
    assert_invalid(read(db, *[get(hash_table, key) for key in keys]), too_large)
    assert_invalid(read(db, *[get(hash_table, key, ProjectionExpression="pk") for key in keys]), too_large)
    statements = [{"Statement": f"SELECT pk FROM \"{hash_table}\" WHERE pk = '{name}'"} for name in names]
    assert_invalid(db.post("ExecuteTransaction", {"TransactStatements": statements}), too_large)
    written(db, *[delete(hash_table, key) for key in keys])
