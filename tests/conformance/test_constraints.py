"""Constraint violations: one text for all that are found, before parameters are looked at together."""

import json
import re

import pytest

from wire import (
    CAPACITY, COMPARISONS, CONDITIONAL, ENVELOPED, METRICS, NAME_PATTERN, NOT_NULL, RETURN_VALUES, SELECTS,
    UNKNOWN_CONDITIONAL, UNKNOWN_RETURN_VALUES, assert_error, assert_invalid, assert_violations, at_least, at_most, longer, shorter, violation,
    violations,
)

LONG = "a" * 256
KEY = {"pk": {"S": "a"}}

# What an item operation needs besides its TableName.
ITEM_OPERATIONS = {
    "PutItem": {"Item": KEY},
    "GetItem": {"Key": KEY},
    "UpdateItem": {"Key": KEY},
    "DeleteItem": {"Key": KEY},
    "Query": {"KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}},
    "Scan": {},
}
OPERATIONS = list(ITEM_OPERATIONS.items())
IDS = list(ITEM_OPERATIONS)


@pytest.mark.parametrize("operation, members", OPERATIONS, ids=IDS)
def test_table_name_is_required(db, operation, members):
    answer = db.post(operation, members)
    assert_violations(answer, violation(None, "tableName", NOT_NULL))


@pytest.mark.parametrize("operation, members", OPERATIONS, ids=IDS)
def test_table_name_is_not_empty(db, operation, members):
    answer = db.post(operation, {"TableName": "", **members})
    if operation in ENVELOPED:
        assert_invalid(answer, violations(f"Value at 'TableName' failed to satisfy constraint: {longer(1)}"))
    else:
        assert_violations(answer, violation("", "tableName", longer(1)))


@pytest.mark.parametrize("operation, members", OPERATIONS, ids=IDS)
def test_table_name_is_not_too_long(db, operation, members):
    answer = db.post(operation, {"TableName": LONG, **members})
    assert_violations(answer, violation(LONG, "tableName", shorter(255)))


@pytest.mark.parametrize("name", ["bad name!@#", "abc;", "a/b"])
@pytest.mark.parametrize("operation, members", OPERATIONS, ids=IDS)
def test_table_name_has_a_pattern(db, operation, members, name):
    answer = db.post(operation, {"TableName": name, **members})
    assert_violations(answer, violation(name, "tableName", NAME_PATTERN))


@pytest.mark.parametrize("name", ["a", "ab"])
@pytest.mark.parametrize("operation, members", OPERATIONS, ids=IDS)
def test_table_name_is_not_too_short(db, operation, members, name):
    answer = db.post(operation, {"TableName": name, **members})
    assert_violations(answer, violation(name, "tableName", longer(3)))


@pytest.mark.parametrize("name", ["abc", "no-such-table", "A_z.0-9", "a" * 255], ids=lambda n: n[:12])
@pytest.mark.parametrize("operation, members", OPERATIONS, ids=IDS)
def test_well_formed_names_are_only_unknown(db, operation, members, name):
    answer = db.post(operation, {"TableName": name, **members})
    assert_error(answer, "ResourceNotFoundException", "Requested resource not found")


@pytest.mark.parametrize(
    "operation, missing, path",
    [
        ("PutItem", "Item", "item"), ("GetItem", "Key", "key"), ("UpdateItem", "Key", "key"),
        ("DeleteItem", "Key", "key"),
    ],
)
def test_required_members(db, operation, missing, path):
    answer = db.post(operation, {"TableName": "no-such-table"})
    assert_violations(answer, violation(None, path, NOT_NULL))


VIOLATIONS = [
    ("PutItem", {"ReturnConsumedCapacity": "hi"}, [("hi", "returnConsumedCapacity", CAPACITY)]),
    ("PutItem", {"ReturnItemCollectionMetrics": "hi"},
     [("hi", "returnItemCollectionMetrics", METRICS)]),
    ("PutItem", {"ReturnValues": "hi"}, [UNKNOWN_RETURN_VALUES]),
    ("PutItem", {"ReturnValues": ""}, [UNKNOWN_RETURN_VALUES]),
    ("PutItem", {"ReturnValues": "all_old"}, [UNKNOWN_RETURN_VALUES]),
    ("PutItem", {"ConditionalOperator": "XOR"}, [UNKNOWN_CONDITIONAL]),
    ("PutItem",
     {"ReturnConsumedCapacity": "hi", "ReturnItemCollectionMetrics": "hi", "ReturnValues": "hi"},
     [("hi", "returnConsumedCapacity", CAPACITY), ("hi", "returnItemCollectionMetrics", METRICS),
      UNKNOWN_RETURN_VALUES]),
    ("PutItem", {"Expected": {"a": {"ComparisonOperator": "??"}}},
     [("??", "expected.a.member.comparisonOperator", COMPARISONS)]),
    ("DeleteItem", {"ReturnConsumedCapacity": "hi", "ReturnValues": "hi"},
     [("hi", "returnConsumedCapacity", CAPACITY), UNKNOWN_RETURN_VALUES]),
    ("UpdateItem", {"ReturnConsumedCapacity": "hi", "ReturnValues": "hi"}, [UNKNOWN_RETURN_VALUES]),
    ("GetItem", {"ReturnConsumedCapacity": "hi"}, [("hi", "returnConsumedCapacity", CAPACITY)]),
    ("GetItem", {"AttributesToGet": []}, [("[]", "attributesToGet", longer(1))]),
    ("Query", {"Select": "hi"}, [("hi", "select", SELECTS)]),
    ("Query", {"ReturnConsumedCapacity": "hi"}, [("hi", "returnConsumedCapacity", CAPACITY)]),
    ("Query", {"IndexName": "abc;"}, [("abc;", "indexName", NAME_PATTERN)]),
    ("Query", {"IndexName": "ab"}, [("ab", "indexName", longer(3))]),
    ("Query", {"IndexName": LONG}, [(LONG, "indexName", shorter(255))]),
    ("Query", {"KeyConditions": {"a": {}}},
     [(None, "keyConditions.a.member.comparisonOperator", NOT_NULL)]),
    ("Query", {"QueryFilter": {"a": {"ComparisonOperator": "hi"}}},
     [("hi", "queryFilter.a.member.comparisonOperator", COMPARISONS)]),
    ("Scan", {"Select": "hi", "ConditionalOperator": "NO"},
     [("hi", "select", SELECTS), ("NO", "conditionalOperator", CONDITIONAL)]),
    ("Scan", {"Limit": 0}, [("0", "limit", at_least(1))]),
    ("Scan", {"Limit": -1}, [("-1", "limit", at_least(1))]),
    ("Scan", {"Segment": -1, "TotalSegments": 4}, [("-1", "segment", at_least(0))]),
    ("Scan", {"Segment": 0, "TotalSegments": 0}, [("0", "totalSegments", at_least(1))]),
    ("Scan", {"Segment": 0, "TotalSegments": 1000001},
     [("1000001", "totalSegments", at_most(1000000))]),
    ("Scan", {"Segment": 1000000, "TotalSegments": 1000000},
     [("1000000", "segment", at_most(999999))]),
    ("Scan", {"ScanFilter": {"a": {}}},
     [(None, "scanFilter.a.member.comparisonOperator", NOT_NULL)]),
]


@pytest.mark.parametrize(
    "operation, members, found", VIOLATIONS,
    ids=[f"{op}-{','.join(m)}-{i}" for i, (op, m, _) in enumerate(VIOLATIONS)],
)
def test_violations_are_found_before_the_table_is_looked_up(db, operation, members, found):
    answer = db.post(
        operation, {"TableName": "no-such-table", **ITEM_OPERATIONS[operation], **members}
    )
    assert_violations(answer, *[f if isinstance(f, str) else violation(*f) for f in found])


LONG_NAME = "n" * 65536
NAMED = [
    ("PutItem", {"Item": {**KEY, LONG_NAME: {"S": "a"}}}),
    ("UpdateItem", {"AttributeUpdates": {LONG_NAME: {"Action": "DELETE"}}}),
    ("UpdateItem", {"UpdateExpression": "REMOVE #n", "ExpressionAttributeNames": {"#n": LONG_NAME}}),
    ("DeleteItem", {"Expected": {LONG_NAME: {"Exists": False}}}),
    ("GetItem", {"AttributesToGet": [LONG_NAME]}),
    ("GetItem", {"ProjectionExpression": "#n", "ExpressionAttributeNames": {"#n": LONG_NAME}}),
    ("Scan", {"FilterExpression": "attribute_exists(#n)", "ExpressionAttributeNames": {"#n": LONG_NAME}}),
]


@pytest.mark.parametrize("operation, members", NAMED, ids=[f"{o}-{next(iter(m))}" for o, m in NAMED])
def test_names_of_attributes_have_65535_bytes(db, operation, members):
    request = {"TableName": "no-such-table", **ITEM_OPERATIONS[operation], **members}
    answer = db.post(operation, request)
    assert_invalid(answer, re.compile(".*Member must have length less than or equal to 65535.*"))
    shorter_names = json.loads(json.dumps(request).replace(LONG_NAME, LONG_NAME[:-1]))
    assert_error(db.post(operation, shorter_names), "ResourceNotFoundException", "Requested resource not found")


def test_members_without_a_key_are_reported_together(db):
    # Without Item or Key the single writes report all members, in this order and in the older words.
    update = {"UpdateExpression": "SET a = :a", "ExpressionAttributeValues": {":a": {"S": "x"}}}
    answer = db.post(
        "UpdateItem", {"TableName": "", "ReturnConsumedCapacity": "hi", "ReturnValues": "hi", **update})
    assert_invalid(answer, violations(
        violation("hi", "returnConsumedCapacity", CAPACITY), violation("", "tableName", longer(1)),
        violation("hi", "returnValues", RETURN_VALUES), violation(None, "key", NOT_NULL)))


def test_query_reports_an_unknown_conditional_operator_alone(db):
    filters = {n: {"ComparisonOperator": "NULL"} for n in "bc"}
    answer = db.post("Query", {
        "TableName": "no-such-table", "QueryFilter": filters, "ConditionalOperator": "XOR", "Select": "hi",
        "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}})
    assert_invalid(answer, UNKNOWN_CONDITIONAL)


def test_query_reports_its_limit_in_its_own_form(db):
    answer = db.post("Query", {"TableName": "no-such-table", "Limit": 0, **ITEM_OPERATIONS["Query"]})
    assert_invalid(
        answer,
        "1 validation error detected: Value at 'Limit' failed to satisfy constraint: "
        "Member must have value greater than or equal to 1",
    )


def test_a_bad_table_name_comes_after_other_violations(db):
    answer = db.post("PutItem", {"TableName": "a;", "Item": {}, "ReturnValues": "hi"})
    assert_violations(answer, UNKNOWN_RETURN_VALUES)
    answer = db.post("PutItem", {"TableName": "a;", "Item": {"a": {}}, "ReturnValues": "ALL_NEW"})
    assert_violations(
        answer, violation("a;", "tableName", NAME_PATTERN), violation("a;", "tableName", longer(3)))


def test_an_empty_table_name_of_a_single_write_comes_alone(db):
    answer = db.post("PutItem", {"TableName": "", "Item": {}, "ReturnValues": "hi"})
    assert_invalid(answer, violations(f"Value at 'TableName' failed to satisfy constraint: {longer(1)}"))


LIST_TABLES = [
    ({"Limit": 0}, [("0", "limit", at_least(1))]),
    ({"Limit": 101}, [("101", "limit", at_most(100))]),
    ({"Limit": -1}, [("-1", "limit", at_least(1))]),
    ({"ExclusiveStartTableName": "ab"}, [("ab", "exclusiveStartTableName", longer(3))]),
    ({"ExclusiveStartTableName": ""},
     [("", "exclusiveStartTableName", NAME_PATTERN), ("", "exclusiveStartTableName", longer(3))]),
    ({"ExclusiveStartTableName": "a;"},
     [("a;", "exclusiveStartTableName", NAME_PATTERN), ("a;", "exclusiveStartTableName", longer(3))]),
    ({"ExclusiveStartTableName": LONG}, [(LONG, "exclusiveStartTableName", shorter(255))]),
    ({"Limit": 0, "ExclusiveStartTableName": "abc;"},
     [("0", "limit", at_least(1)), ("abc;", "exclusiveStartTableName", NAME_PATTERN)]),
]


@pytest.mark.parametrize("members, found", LIST_TABLES, ids=[str(m)[:60] for m, _ in LIST_TABLES])
def test_list_tables(db, members, found):
    assert_violations(db.post("ListTables", members), *[violation(*f) for f in found])


BATCH_LIMIT = (
    "Map value must satisfy constraint: [Member must have length less than or equal to 25, "
    "Member must have length greater than or equal to 1]"
)


def test_batch_get_takes_100_keys_of_a_table(db):
    keys = [{"pk": {"S": str(i)}} for i in range(101)]
    answer = db.post("BatchGetItem", {"RequestItems": {"no-such-table": {"Keys": keys}}})
    assert_invalid(
        answer,
        "1 validation error detected: Value at 'RequestItems.no-such-table.member.Keys' failed to "
        "satisfy constraint: Member must have length less than or equal to 100",
    )


def test_batch_write_takes_25_requests_of_a_table(db):
    requests = [{"PutRequest": {"Item": {"pk": {"S": str(i)}}}} for i in range(26)]
    answer = db.post("BatchWriteItem", {"RequestItems": {"no-such-table": requests}})
    assert answer.status == 400 and answer.code == "ValidationException"
    assert answer.message.startswith(
        "1 validation error detected: Value '{no-such-table=[WriteRequest("
    )
    assert answer.message.endswith(
        f"]}}' at 'requestItems' failed to satisfy constraint: {BATCH_LIMIT}"
    )


def test_how_requests_are_shown(db):
    absent = ", ".join(f"{n}=null" for n in ("n", "b", "iNT", "dECIMAL", "dOUBLE", "sS", "nS", "bS", "iNTSET",
                                             "dECIMALSET", "dOUBLESET", "m", "l", "nULL", "bOOL"))
    put = "WriteRequest(putRequest=PutRequest(item={{pk=AttributeValue(s={}, {})}}, workloadProfileName=null), deleteRequest=null)"
    requests = [{"PutRequest": {"Item": {"pk": {"S": str(i)}}}} for i in range(26)]
    shown = ", ".join(put.format(i, absent) for i in range(26))
    answer = db.post("BatchWriteItem", {"RequestItems": {"no-such-table": requests}})
    assert answer.message == (
        f"1 validation error detected: Value '{{no-such-table=[{shown}]}}' at 'requestItems' failed to satisfy "
        f"constraint: {BATCH_LIMIT}")


@pytest.mark.parametrize("operation", ["BatchGetItem", "BatchWriteItem"])
def test_request_items_are_required(db, operation):
    assert_violations(db.post(operation, {}), violation(None, "requestItems", NOT_NULL))


def test_request_items_are_not_empty(db):
    answer = db.post("BatchWriteItem", {"RequestItems": {}})
    assert_invalid(answer, "The requestItems parameter is required for BatchWriteItem")
    answer = db.post("BatchGetItem", {"RequestItems": {}})
    assert_invalid(answer, violations(f"Value at 'RequestItems' failed to satisfy constraint: {longer(1)}"))


NAMES_OF_TABLES = (
    "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length "
    "greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"
)


def test_names_of_tables_in_a_batch_of_gets(db):
    request = {"RequestItems": {"bad!name": {"Keys": [KEY]}}}
    shown = violation('{"bad!name":{"Keys":[{"pk":{"S":"a"}}]}}', "requestItems", NAMES_OF_TABLES)
    assert_invalid(db.post("BatchGetItem", request), violations(shown))
    capacity = violation("hi", "returnConsumedCapacity", CAPACITY)
    answer = db.post("BatchGetItem", {**request, "ReturnConsumedCapacity": "hi"})
    assert_invalid(answer, violations(shown, capacity))
    answer = db.post("BatchWriteItem", {
        "RequestItems": {"bad!name": [{"PutRequest": {"Item": KEY}}]}, "ReturnConsumedCapacity": "hi"})
    assert_invalid(answer, violations(capacity))
