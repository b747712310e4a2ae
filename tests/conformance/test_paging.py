"""A page of Query or Scan ends at 1 MB of what was read, before any filter."""

import pytest

SIZE = 60_000
COUNT = 40


@pytest.fixture(scope="module")
def large(db, create):
    """Forty items of some 60,000 bytes in one partition."""
    name = create("large", {"pk": "S", "sk": "S"})
    for i in range(COUNT):
        db.call("PutItem", TableName=name, Item={
            "pk": {"S": "a"}, "sk": {"S": f"{i:03}"}, "x": {"S": "x" * SIZE}})
    return name


KEYS = {"KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "a"}}}


def pages(db, operation, table, **members):
    while True:
        answer = db.call(operation, TableName=table, **members)
        yield answer
        if "LastEvaluatedKey" not in answer:
            return
        members["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


# The service counts its own encoding of the rows, so the row at the border may be in or out.
PAGE = (1024 * 1024 // SIZE, 1024 * 1024 // SIZE + 1)


@pytest.mark.parametrize("operation, members", [("Query", KEYS), ("Scan", {})], ids=["Query", "Scan"])
def test_pages_of_1_mb(db, large, operation, members):
    seen = list(pages(db, operation, large, **members))
    assert [p["Count"] in PAGE for p in seen[:2]] == [True, True]
    assert sum(p["Count"] for p in seen) == COUNT
    assert len(seen) == 3


def test_backward(db, large):
    seen = list(pages(db, "Query", large, ScanIndexForward=False, **KEYS))
    names = [i["sk"]["S"] for p in seen for i in p["Items"]]
    assert names == [f"{i:03}" for i in reversed(range(COUNT))]


@pytest.mark.parametrize(
    "members",
    [{"FilterExpression": "attribute_not_exists(x)"}, {"ProjectionExpression": "sk"}, {"Select": "COUNT"}],
    ids=["filter", "projection", "count"],
)
def test_what_is_not_returned_counts_too(db, large, members):
    first = next(pages(db, "Query", large, **KEYS, **members))
    assert first["ScannedCount"] in PAGE
    assert "LastEvaluatedKey" in first
    if "FilterExpression" in members:
        assert (first["Count"], first["Items"]) == (0, [])


def test_the_limit_ends_a_page_first(db, large):
    answer = db.call("Query", TableName=large, Limit=5, **KEYS)
    assert (answer["Count"], answer["LastEvaluatedKey"]["sk"]) == (5, {"S": "004"})
