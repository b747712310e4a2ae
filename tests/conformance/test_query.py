"""Query: key conditions, filters, order and counts."""

import pytest

from wire import assert_error, assert_invalid

INVALID = "One or more parameter values were invalid: "
A, B, ONE = {"S": "a"}, {"S": "b"}, {"N": "1"}


def query(db, table, condition, values=None, **members):
    request = {"TableName": table, "KeyConditionExpression": condition, **members}
    if values:
        request["ExpressionAttributeValues"] = {f":{n}": v for n, v in values.items()}
    return db.post("Query", request)


SHAPES = {
    "OR": ("a = :a OR b = :a", "Invalid operator used in KeyConditionExpression: OR"),
    "NOT": ("NOT a = :a", "Invalid operator used in KeyConditionExpression: NOT"),
    "IN": ("a IN (:a)", "Invalid operator used in KeyConditionExpression: IN"),
    "<>": ("a <> :a", "Invalid operator used in KeyConditionExpression: <>"),
    "attribute_exists": (
        "attribute_exists(a) AND b = :a", "Invalid operator used in KeyConditionExpression: attribute_exists"),
    "contains": ("contains(a, :a)", "Invalid operator used in KeyConditionExpression: contains"),
    "size": ("size(a) > :a", "KeyConditionExpressions cannot contain nested operations"),
    "between a value first": (
        ":a BETWEEN :a AND :a",
        "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its "
        "first operand"),
    "begins_with a value first": (
        "begins_with(:a, b)",
        "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as "
        "its first operand"),
    "two names": (
        "a = b AND c = :a",
        "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"),
    "nested": (
        "a.b = :a",
        "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes"),
    "list element": (
        "a[0] = :a",
        "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes"),
    "no name": (":a = :a", "Invalid condition in KeyConditionExpression: No key attribute specified"),
    "one key twice": (
        "a > :a AND a < :a",
        "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key"),
}


@pytest.mark.parametrize("condition, text", SHAPES.values(), ids=SHAPES.keys())
def test_shape_of_the_key_condition(db, condition, text):
    assert_invalid(query(db, "no-such-table", condition, {"a": A}), text)


def test_the_table_is_looked_up_before_keys_are_checked(db):
    answer = query(db, "no-such-table", "z = :a", {"a": A})
    assert_error(answer, "ResourceNotFoundException", "Requested resource not found")


SCHEMA = {
    "no partition key": ("sk = :a", {"a": A}, "Query condition missed key schema element: pk"),
    "another attribute": ("x = :a", {"a": A}, "Query condition missed key schema element: pk"),
    "partition key and another": (
        "pk = :a AND x = :a", {"a": A}, "Query condition missed key schema element: sk"),
    "range of partitions": ("pk > :a", {"a": A}, "Query key condition not supported"),
    "prefix of partitions": ("begins_with(pk, :a)", {"a": A}, "Query key condition not supported"),
    "three keys": (
        "pk = :a AND sk = :a AND x = :a", {"a": A},
        "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)"),
    "type of the partition key": (
        "pk = :n", {"n": ONE}, INVALID + "Condition parameter type does not match schema type"),
    "type of the sort key": (
        "pk = :a AND sk = :n", {"a": A, "n": ONE},
        INVALID + "Condition parameter type does not match schema type"),
}


@pytest.mark.parametrize("condition, values, text", SCHEMA.values(), ids=SCHEMA.keys())
def test_the_key_condition_against_the_schema(db, range_table, condition, values, text):
    assert_invalid(query(db, range_table, condition, values), text)


def test_two_conditions_on_a_table_without_sort_key(db, hash_table):
    answer = query(db, hash_table, "pk = :a AND sk = :a", {"a": A})
    assert_invalid(answer, "Query key condition not supported")


@pytest.mark.parametrize("operator", ["NULL", "NOT_NULL", "NE", "CONTAINS", "NOT_CONTAINS", "IN"])
def test_legacy_operators_that_no_index_serves(db, range_table, operator):
    values = [] if "NULL" in operator else [A]
    answer = db.post("Query", {
        "TableName": range_table,
        "KeyConditions": {
            "pk": {"ComparisonOperator": "EQ", "AttributeValueList": [A]},
            "sk": {"ComparisonOperator": operator, "AttributeValueList": values}}})
    assert_invalid(answer, "Attempted conditional constraint is not an indexable operation")


def test_no_such_index(db, range_table):
    conditions = {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [A]}}
    for operation, members in (("Query", {"KeyConditions": conditions}), ("Scan", {})):
        answer = db.post(operation, {"TableName": range_table, "IndexName": "missing", **members})
        assert_invalid(answer, "The table does not have the specified index: missing")


def test_global_indexes_are_not_read_consistently(db, indexed_table):
    text = "Consistent reads are not supported on global secondary indexes"
    answer = query(db, indexed_table, "gpk = :a", {"a": A}, IndexName="gsi", ConsistentRead=True)
    assert_invalid(answer, text)
    answer = db.post("Scan", {"TableName": indexed_table, "IndexName": "gsi", "ConsistentRead": True})
    assert_invalid(answer, text)


@pytest.mark.parametrize(
    "index, condition, name", [(None, "pk = :a", "sk"), ("lsi", "pk = :a", "lsk"), ("gsi-all", "gpk2 = :a", "gsk2")])
def test_filters_do_not_name_the_keys_of_what_is_queried(db, indexed_table, index, condition, name):
    members = {"IndexName": index} if index else {}
    answer = query(db, indexed_table, condition, {"a": A}, FilterExpression=f"{name} = :a", **members)
    assert_invalid(
        answer, f"Filter Expression can only contain non-primary key attributes: Primary key attribute: {name}")
    answer = db.post("Query", {
        "TableName": indexed_table, **members,
        "KeyConditions": {condition.split()[0]: {"ComparisonOperator": "EQ", "AttributeValueList": [A]}},
        "QueryFilter": {name: {"ComparisonOperator": "NOT_NULL"}}})
    assert_invalid(
        answer, f"QueryFilter can only contain non-primary key attributes: Primary key attribute: {name}")


def test_a_filter_on_an_index_may_name_the_keys_of_the_table(db, indexed_table):
    answer = query(
        db, indexed_table, "gpk = :a", {"a": A}, IndexName="gsi", FilterExpression="sk = :a")
    assert answer.status == 200


@pytest.fixture(scope="module")
def words(db, range_table):
    pk = {"S": "words"}
    names = ["", "A", "B", "a", "aa", "ab", "b", "é", "\U0001f600"][1:]
    for name in names:
        db.call("PutItem", TableName=range_table, Item={"pk": pk, "sk": {"S": name}, "n": {"N": str(len(name))}})
    return pk, sorted(names, key=lambda n: n.encode())


RANGES = {
    "sk = :x": lambda n, x, y: n == x,
    "sk < :x": lambda n, x, y: n < x,
    "sk <= :x": lambda n, x, y: n <= x,
    "sk > :x": lambda n, x, y: n > x,
    "sk >= :x": lambda n, x, y: n >= x,
    "sk BETWEEN :x AND :y": lambda n, x, y: x <= n <= y,
    "begins_with(sk, :x)": lambda n, x, y: n.startswith(x),
    ":x < sk": lambda n, x, y: n > x,
}


@pytest.mark.parametrize("forward", [True, False], ids=["forward", "backward"])
@pytest.mark.parametrize("condition", RANGES)
def test_ranges_of_sort_keys(db, range_table, words, condition, forward):
    pk, names = words
    values = {"p": pk, "x": {"S": "a"}}
    if ":y" in condition:
        values["y"] = {"S": "b"}
    answer = query(
        db, range_table, f"pk = :p AND {condition}", values, ScanIndexForward=forward, ConsistentRead=True).json()
    expected = [n for n in names if RANGES[condition](n.encode(), b"a", b"b")]
    assert [i["sk"]["S"] for i in answer["Items"]] == (expected if forward else expected[::-1])
    assert answer["Count"] == answer["ScannedCount"] == len(expected)
    assert "LastEvaluatedKey" not in answer


def test_numbers_are_ordered_as_numbers(db, number_table):
    pk = {"S": "order"}
    numbers = ["-1E100", "-10", "-9", "-1.5", "-1E-130", "0", "1E-130", "0.5", "1", "1.5", "9", "10", "1E100"]
    for text in reversed(numbers):
        db.call("PutItem", TableName=number_table, Item={"pk": pk, "n": {"N": text}, "was": {"S": text}})
    answer = query(db, number_table, "pk = :p", {"p": pk}).json()
    assert [i["was"]["S"] for i in answer["Items"]] == numbers


def test_count_is_after_the_filter_and_scanned_count_before(db, range_table, words):
    pk, names = words
    answer = query(db, range_table, "pk = :p", {"p": pk, "n": ONE}, FilterExpression="n > :n").json()
    assert answer["Count"] == len(answer["Items"]) == 2
    assert answer["ScannedCount"] == len(names)


def test_limit_counts_what_is_read(db, range_table, words):
    pk, names = words
    answer = query(db, range_table, "pk = :p", {"p": pk, "n": ONE}, FilterExpression="n > :n", Limit=2).json()
    assert (answer["Count"], answer["ScannedCount"], answer["Items"]) == (0, 2, [])
    assert answer["LastEvaluatedKey"] == {"pk": pk, "sk": {"S": names[1]}}


def test_pages_join_to_the_whole(db, range_table, words):
    pk, names = words
    found, members = [], {"Limit": 3}
    while True:
        answer = query(db, range_table, "pk = :p", {"p": pk}, **members).json()
        found += [i["sk"]["S"] for i in answer["Items"]]
        if "LastEvaluatedKey" not in answer:
            break
        members["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
    assert found == names


def test_a_limit_that_is_met_exactly_still_gives_a_last_key(db, range_table, words):
    pk, names = words
    answer = query(db, range_table, "pk = :p", {"p": pk}, Limit=len(names)).json()
    assert answer["LastEvaluatedKey"]["sk"] == {"S": names[-1]}
    answer = query(
        db, range_table, "pk = :p", {"p": pk}, ExclusiveStartKey=answer["LastEvaluatedKey"]).json()
    assert (answer["Items"], answer["Count"]) == ([], 0)
    assert "LastEvaluatedKey" not in answer
