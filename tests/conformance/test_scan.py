"""Scan: segments, filters, counts; Select in Query and Scan."""

import pytest

from wire import assert_invalid

INVALID = "One or more parameter values were invalid: "
A = {"S": "a"}

SEGMENTS = {
    "segment alone": (
        {"Segment": 0},
        "The TotalSegments parameter is required but was not present in the request when Segment parameter is "
        "present"),
    "total alone": (
        {"TotalSegments": 4},
        "The Segment parameter is required but was not present in the request when parameter TotalSegments is "
        "present"),
    "segment past the total": (
        {"Segment": 5, "TotalSegments": 5},
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not "
        "less than TotalSegments: 5"),
}


@pytest.mark.parametrize("members, text", SEGMENTS.values(), ids=SEGMENTS.keys())
def test_segments_are_checked_before_the_table(db, members, text):
    assert_invalid(db.post("Scan", {"TableName": "no-such-table", **members}), text)


@pytest.fixture(scope="module")
def scanned(db, create):
    """A table with forty items in forty partitions, half of them with `even`."""
    name = create("scanned", {"pk": "S"})
    for i in range(40):
        item = {"pk": {"S": f"item{i}"}, "n": {"N": str(i)}}
        if i % 2 == 0:
            item["even"] = {"BOOL": True}
        db.call("PutItem", TableName=name, Item=item)
    return name


def scan_all(db, table, **members):
    items, scanned = [], 0
    while True:
        answer = db.call("Scan", TableName=table, **members)
        assert answer["Count"] == len(answer["Items"])
        items += answer["Items"]
        scanned += answer["ScannedCount"]
        if "LastEvaluatedKey" not in answer:
            return items, scanned
        assert set(answer["LastEvaluatedKey"]) == {"pk"}
        members["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def test_every_item_once(db, scanned):
    whole, count = scan_all(db, scanned)
    assert count == len({i["pk"]["S"] for i in whole}) == 40
    pages, _ = scan_all(db, scanned, Limit=7)
    assert pages == whole


@pytest.mark.parametrize("total", [1, 2, 3, 16])
def test_segments_are_disjoint_and_complete(db, scanned, total):
    seen = []
    for segment in range(total):
        items, _ = scan_all(db, scanned, Segment=segment, TotalSegments=total)
        seen += [i["pk"]["S"] for i in items]
    assert len(seen) == len(set(seen)) == 40


def test_segments_are_paged(db, scanned):
    whole, _ = scan_all(db, scanned, Segment=1, TotalSegments=3)
    pages, _ = scan_all(db, scanned, Segment=1, TotalSegments=3, Limit=2)
    assert pages == whole


def test_a_start_key_of_another_segment(db, scanned):
    first = next(s for s in range(4) if scan_all(db, scanned, Segment=s, TotalSegments=4)[0])
    item = scan_all(db, scanned, Segment=first, TotalSegments=4)[0][0]
    other = (first + 1) % 4
    answer = db.post("Scan", {
        "TableName": scanned, "Segment": other, "TotalSegments": 4, "ExclusiveStartKey": {"pk": item["pk"]}})
    assert_invalid(
        answer,
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with "
        f"correct Segment. TotalSegments: 4 Segment: {other}")


def test_filters_count_what_they_leave(db, scanned):
    items, count = scan_all(db, scanned, FilterExpression="attribute_exists(even)")
    assert (len(items), count) == (20, 40)
    items, count = scan_all(db, scanned, ScanFilter={"even": {"ComparisonOperator": "NULL"}})
    assert (len(items), count) == (20, 40)


def test_a_filter_may_name_the_key(db, scanned):
    items, _ = scan_all(
        db, scanned, FilterExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "item7"}})
    assert [i["n"]["N"] for i in items] == ["7"]


def test_select_count_has_no_items(db, scanned):
    answer = db.call("Scan", TableName=scanned, Select="COUNT")
    assert answer == {"Count": 40, "ScannedCount": 40}


# Query says that one violation was found, Scan does not.
SELECT = {
    "projection with ALL_ATTRIBUTES": (
        {"Select": "ALL_ATTRIBUTES", "ProjectionExpression": "x"},
        "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"),
    "projection with COUNT": (
        {"Select": "COUNT", "ProjectionExpression": "x"},
        "Cannot specify the ProjectionExpression when choosing to get only the Count"),
    "projection with ALL_PROJECTED_ATTRIBUTES": (
        {"Select": "ALL_PROJECTED_ATTRIBUTES", "ProjectionExpression": "x"},
        "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES"),
    "ALL_PROJECTED_ATTRIBUTES of a table": (
        {"Select": "ALL_PROJECTED_ATTRIBUTES"},
        "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"),
    "SPECIFIC_ATTRIBUTES without a projection": (
        {"Select": "SPECIFIC_ATTRIBUTES"},
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"),
}
KEYS = {"KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": A}}


@pytest.mark.parametrize("members, text", SELECT.values(), ids=SELECT.keys())
def test_select(db, range_table, members, text):
    assert_invalid(db.post("Scan", {"TableName": range_table, **members}), text)
    answer = db.post("Query", {"TableName": range_table, **KEYS, **members})
    assert_invalid(answer, [text, f"1 validation error detected: {text}"])


INDEX_KEYS = {"KeyConditionExpression": "gpk = :a", "ExpressionAttributeValues": {":a": A}}


@pytest.mark.parametrize("operation, members", [("Query", INDEX_KEYS), ("Scan", {})])
def test_a_global_index_does_not_fetch(db, indexed_table, operation, members):
    request = {"TableName": indexed_table, "IndexName": "gsi", **members}
    answer = db.post(operation, {**request, "Select": "ALL_ATTRIBUTES"})
    assert_invalid(
        answer,
        INVALID + "Select type ALL_ATTRIBUTES is not supported for global secondary index gsi because its "
        "projection type is not ALL")
    answer = db.post(operation, {**request, "ProjectionExpression": "gpk, absent"})
    assert_invalid(answer, INVALID + "Global secondary index gsi does not project [absent]")


@pytest.fixture(scope="module")
def projected(db, indexed_table):
    item = {
        "pk": {"S": "projected"}, "sk": A, "lsk": A, "lsk2": A, "gpk": {"S": "projected"}, "proj": A, "x": A}
    db.call("PutItem", TableName=indexed_table, Item=item)
    return item


@pytest.mark.parametrize(
    "index, select, names",
    [
        ("gsi", None, {"pk", "sk", "gpk", "proj"}),
        ("gsi", "ALL_PROJECTED_ATTRIBUTES", {"pk", "sk", "gpk", "proj"}),
        ("lsi-keys", None, {"pk", "sk", "lsk2"}),
        ("lsi-keys", "ALL_ATTRIBUTES", {"pk", "sk", "lsk", "lsk2", "gpk", "proj", "x"}),
        ("lsi", None, {"pk", "sk", "lsk", "lsk2", "gpk", "proj", "x"}),
    ],
)
def test_what_an_index_projects(db, indexed_table, projected, index, select, names):
    key = "gpk" if index == "gsi" else "pk"
    members = {"Select": select} if select else {}
    answer = db.call(
        "Query", TableName=indexed_table, IndexName=index, KeyConditionExpression=f"{key} = :p",
        ExpressionAttributeValues={":p": {"S": "projected"}}, **members)
    assert [set(i) for i in answer["Items"]] == [names]


def test_a_local_index_fetches_what_it_does_not_project(db, indexed_table, projected):
    answer = db.call(
        "Query", TableName=indexed_table, IndexName="lsi-keys", KeyConditionExpression="pk = :p",
        ExpressionAttributeValues={":p": projected["pk"]}, ProjectionExpression="sk, x")
    assert answer["Items"] == [{"sk": A, "x": A}]
