"""Scan: pages, filters, projections, and parallel segments."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from boto3.dynamodb.conditions import Attr

from support import fails

ITEMS = 500


@pytest.fixture(scope="module")
def table(new_table):
    table = new_table({"pk": "S", "sk": "N"})
    with table.batch_writer() as batch:
        for number in range(ITEMS):
            batch.put_item(
                {"pk": f"p{number % 50}", "sk": number, "third": number % 3, "text": "x" * 100}
            )
    return table


def scan_all(table, **parameters):
    """Every page, the way a program follows LastEvaluatedKey."""
    items = []
    while True:
        page = table.scan(ConsistentRead=True, **parameters)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        parameters["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def numbers(items):
    return sorted(int(item["sk"]) for item in items)


def test_a_scan_gives_every_item_once(table):
    assert numbers(scan_all(table)) == list(range(ITEMS))


@pytest.mark.parametrize("limit", [1, 7, 100, ITEMS])
def test_limited_pages_join_to_everything(client, table, limit):
    pages = list(
        client.get_paginator("scan").paginate(
            TableName=table.name, ConsistentRead=True, PaginationConfig={"PageSize": limit}
        )
    )
    assert sorted(int(item["sk"]["N"]) for page in pages for item in page["Items"]) == list(range(ITEMS))
    assert all(page["ScannedCount"] <= limit for page in pages)


def test_the_paginator_resumes_from_its_token(client, table):
    paginator = client.get_paginator("scan")
    first = paginator.paginate(TableName=table.name, PaginationConfig={"MaxItems": 123, "PageSize": 50})
    result = first.build_full_result()
    assert len(result["Items"]) == 123
    rest = paginator.paginate(
        TableName=table.name, PaginationConfig={"StartingToken": result["NextToken"]}
    ).build_full_result()
    both = result["Items"] + rest["Items"]
    assert sorted(int(item["sk"]["N"]) for item in both) == list(range(ITEMS))


def test_items_of_one_partition_key_come_together_and_sorted(table):
    partitions = {}
    order = []
    for item in scan_all(table):
        if item["pk"] not in partitions:
            order.append(item["pk"])
        assert order[-1] == item["pk"]
        partitions.setdefault(item["pk"], []).append(item["sk"])
    assert len(partitions) == 50
    assert all(sorts == sorted(sorts) for sorts in partitions.values())


def test_two_scans_give_the_same_order(table):
    assert scan_all(table) == scan_all(table, Limit=33)


def test_filter_projection_and_counts(table):
    answer = table.scan(
        FilterExpression=Attr("third").eq(1) & Attr("sk").lt(100),
        ProjectionExpression="sk",
        ConsistentRead=True,
    )
    assert numbers(answer["Items"]) == list(range(1, 100, 3))
    assert set(answer["Items"][0]) == {"sk"}
    assert (answer["Count"], answer["ScannedCount"]) == (33, ITEMS)


def test_count_adds_up_over_pages(table):
    count, start = 0, {}
    while True:
        page = table.scan(Select="COUNT", Limit=170, ConsistentRead=True, **start)
        assert "Items" not in page
        count += page["Count"]
        if "LastEvaluatedKey" not in page:
            break
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert count == ITEMS


@pytest.mark.parametrize("total", [1, 2, 5, 16, 200])
def test_parallel_segments_are_disjoint_and_complete(table, total):
    def segment(number):
        return numbers(scan_all(table, Segment=number, TotalSegments=total, Limit=40))

    with ThreadPoolExecutor(16) as pool:
        found = [number for part in pool.map(segment, range(total)) for number in part]
    assert len(found) == ITEMS
    assert sorted(found) == list(range(ITEMS))


def test_segments_share_the_work(table):
    parts = [scan_all(table, Segment=number, TotalSegments=4) for number in range(4)]
    assert sum(1 for part in parts if part) >= 2
    keys = [{item["pk"] for item in part} for part in parts]
    assert sum(len(each) for each in keys) == len(set.union(*keys)) == 50


def test_scan_pages_end_at_one_megabyte(new_table):
    table = new_table({"pk": "S"})
    for number in range(15):
        table.put_item(Item={"pk": f"{number:02}", "body": "y" * 150_000})
    page = table.scan(ConsistentRead=True)
    assert page["Count"] in (6, 7)  # 1 MB lies within the seventh item
    assert "LastEvaluatedKey" in page
    keys = [item["pk"] for item in scan_all(table)]
    assert sorted(keys) == [f"{number:02}" for number in range(15)]


def test_writes_during_a_scan_neither_stop_it_nor_repeat_items(table):
    seen, start, extra = [], {}, []
    while True:
        page = table.scan(Limit=50, ConsistentRead=True, **start)
        seen += [(item["pk"], item["sk"]) for item in page["Items"] if item["sk"] < ITEMS]
        extra.append({"pk": f"p{len(extra)}", "sk": ITEMS + len(extra)})
        table.put_item(Item=extra[-1])
        if "LastEvaluatedKey" not in page:
            break
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    for item in extra:
        table.delete_item(Key=item)
    assert len(seen) == len(set(seen)) == ITEMS


INVALID = {
    "segment without total": {"Segment": 0},
    "total without segment": {"TotalSegments": 2},
    "segment past the total": {"Segment": 2, "TotalSegments": 2},
    "too many segments": {"Segment": 0, "TotalSegments": 1_000_001},
    "projected attributes without an index": {"Select": "ALL_PROJECTED_ATTRIBUTES"},
    "specific attributes without naming any": {"Select": "SPECIFIC_ATTRIBUTES"},
    "count with a projection": {"Select": "COUNT", "ProjectionExpression": "sk"},
    "start key of another shape": {"ExclusiveStartKey": {"pk": "p1"}},
    "unknown index": {"IndexName": "absent"},
}


@pytest.mark.parametrize("name", INVALID)
def test_parameters_that_do_not_fit_together_are_refused(table, name):
    with fails("ValidationException"):
        table.scan(**INVALID[name])
