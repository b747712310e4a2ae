"""Query on a table: key conditions, order, pages, filters, projections, counts."""

from decimal import Decimal

import pytest
from boto3.dynamodb.conditions import Attr, Key

from support import fails

SORTS = [-20, -1.5, 0, Decimal("0.001"), 1, 2, 10, 100]


@pytest.fixture(scope="module")
def table(new_table):
    table = new_table({"pk": "S", "sk": "S"})
    with table.batch_writer() as batch:
        for number in range(20):
            batch.put_item(
                {
                    "pk": "log",
                    "sk": f"{'info' if number < 12 else 'warn'}#{number:03}",
                    "seq": number,
                    "even": number % 2 == 0,
                    "detail": {"line": number, "file": "main.cc"},
                }
            )
        batch.put_item({"pk": "other", "sk": "info#000"})
    return table


@pytest.fixture(scope="module")
def numbers(new_table):
    table = new_table({"pk": "S", "sk": "N"})
    with table.batch_writer() as batch:
        for sort in reversed(SORTS):
            batch.put_item({"pk": "p", "sk": Decimal(str(sort))})
    return table


def sequence(answer):
    return [int(item["seq"]) for item in answer["Items"]]


KEY_CONDITIONS = {
    "partition": (Key("pk").eq("log"), range(20)),
    "equal": (Key("pk").eq("log") & Key("sk").eq("info#003"), [3]),
    "less": (Key("pk").eq("log") & Key("sk").lt("info#003"), [0, 1, 2]),
    "at most": (Key("pk").eq("log") & Key("sk").lte("info#003"), [0, 1, 2, 3]),
    "greater": (Key("pk").eq("log") & Key("sk").gt("warn#017"), [18, 19]),
    "at least": (Key("pk").eq("log") & Key("sk").gte("warn#017"), [17, 18, 19]),
    "between": (Key("pk").eq("log") & Key("sk").between("info#010", "warn#013"), [10, 11, 12, 13]),
    "prefix": (Key("pk").eq("log") & Key("sk").begins_with("warn#"), range(12, 20)),
    "prefix of nothing": (Key("pk").eq("log") & Key("sk").begins_with("error"), []),
    "absent partition": (Key("pk").eq("nowhere"), []),
}


@pytest.mark.parametrize("name", KEY_CONDITIONS)
def test_key_condition_selects_in_order(table, name):
    condition, expected = KEY_CONDITIONS[name]
    answer = table.query(KeyConditionExpression=condition, ConsistentRead=True)
    assert sequence(answer) == list(expected)
    assert (answer["Count"], answer["ScannedCount"]) == (len(expected), len(expected))
    assert "LastEvaluatedKey" not in answer


@pytest.mark.parametrize("name", KEY_CONDITIONS)
def test_descending_is_the_exact_reverse(table, name):
    condition, expected = KEY_CONDITIONS[name]
    answer = table.query(KeyConditionExpression=condition, ScanIndexForward=False, ConsistentRead=True)
    assert sequence(answer) == list(reversed(expected))


def test_number_sort_keys_are_ordered_as_numbers(numbers):
    found = numbers.query(KeyConditionExpression=Key("pk").eq("p"), ConsistentRead=True)["Items"]
    assert [item["sk"] for item in found] == [Decimal(str(sort)) for sort in SORTS]
    part = numbers.query(
        KeyConditionExpression=Key("pk").eq("p") & Key("sk").between(-2, 1), ConsistentRead=True
    )["Items"]
    assert [item["sk"] for item in part] == [Decimal(str(sort)) for sort in SORTS[1:5]]


def test_string_sort_keys_are_ordered_by_utf8_bytes(table):
    names = ["A", "Z", "a", "a!", "aa", "z", "é", "漢", "🚲"]
    with table.batch_writer() as batch:
        for name in reversed(names):
            batch.put_item({"pk": "utf8", "sk": name})
    found = table.query(KeyConditionExpression=Key("pk").eq("utf8"), ConsistentRead=True)["Items"]
    assert [item["sk"] for item in found] == names


def test_the_expression_may_be_text_with_names_and_values(table):
    answer = table.query(
        KeyConditionExpression="#p = :p AND begins_with(#s, :prefix)",
        ExpressionAttributeNames={"#p": "pk", "#s": "sk"},
        ExpressionAttributeValues={":p": "log", ":prefix": "warn#01"},
        ConsistentRead=True,
    )
    assert sequence(answer) == list(range(12, 20))


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("page_size", [1, 3, 7, 20])
def test_pages_join_to_the_whole_result(client, table, forward, page_size):
    pages = list(
        client.get_paginator("query").paginate(
            TableName=table.name,
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": "log"}},
            ScanIndexForward=forward,
            ConsistentRead=True,
            PaginationConfig={"PageSize": page_size},
        )
    )
    found = [int(item["seq"]["N"]) for page in pages for item in page["Items"]]
    assert found == (list(range(20)) if forward else list(range(19, -1, -1)))
    assert all(page["Count"] <= page_size for page in pages)


def test_a_page_that_ends_at_the_limit_names_its_last_key(table):
    answer = table.query(KeyConditionExpression=Key("pk").eq("log"), Limit=5, ConsistentRead=True)
    assert answer["LastEvaluatedKey"] == {"pk": "log", "sk": "info#004"}
    # Also when the limit is reached with the very last item: more is only known by asking.
    full = table.query(KeyConditionExpression=Key("pk").eq("log"), Limit=20, ConsistentRead=True)
    assert full["LastEvaluatedKey"] == {"pk": "log", "sk": "warn#019"}
    rest = table.query(
        KeyConditionExpression=Key("pk").eq("log"),
        ExclusiveStartKey=full["LastEvaluatedKey"],
        ConsistentRead=True,
    )
    assert rest["Items"] == [] and "LastEvaluatedKey" not in rest


def test_a_start_key_need_not_exist(table):
    answer = table.query(
        KeyConditionExpression=Key("pk").eq("log"),
        ExclusiveStartKey={"pk": "log", "sk": "info#010x"},
        ConsistentRead=True,
    )
    assert sequence(answer) == list(range(11, 20))


def test_a_filter_discards_after_the_limit_counted(table):
    answer = table.query(
        KeyConditionExpression=Key("pk").eq("log"),
        FilterExpression=Attr("even").eq(True) & Attr("detail.line").gte(4),
        Limit=10,
        ConsistentRead=True,
    )
    assert sequence(answer) == [4, 6, 8]
    assert (answer["Count"], answer["ScannedCount"]) == (3, 10)
    assert answer["LastEvaluatedKey"] == {"pk": "log", "sk": "info#009"}


def test_a_page_may_be_empty_and_not_the_last(table):
    answer = table.query(
        KeyConditionExpression=Key("pk").eq("log"),
        FilterExpression=Attr("seq").gt(15),
        Limit=4,
        ConsistentRead=True,
    )
    assert (answer["Items"], answer["ScannedCount"]) == ([], 4)
    assert "LastEvaluatedKey" in answer


def test_projection_gives_the_named_paths_only(table):
    answer = table.query(
        KeyConditionExpression=Key("pk").eq("log") & Key("sk").eq("info#001"),
        ProjectionExpression="detail.#f, seq, absent",
        ExpressionAttributeNames={"#f": "file"},
        ConsistentRead=True,
    )
    assert answer["Items"] == [{"seq": 1, "detail": {"file": "main.cc"}}]


def test_count_gives_no_items(table):
    answer = table.query(
        KeyConditionExpression=Key("pk").eq("log"),
        FilterExpression=Attr("even").eq(True),
        Select="COUNT",
        ConsistentRead=True,
    )
    assert (answer["Count"], answer["ScannedCount"]) == (10, 20)
    assert "Items" not in answer


ITEM_BYTES = 100_000
PAGE_BYTES = 1024 * 1024


@pytest.fixture(scope="module")
def large(new_table):
    table = new_table({"pk": "S", "sk": "N"})
    for number in range(25):
        item = {"pk": "p", "sk": number + 1, "keep": number in (3, 24)}
        table.put_item(Item=item | {"body": "x" * (ITEM_BYTES - 20)})
    return table


def test_a_page_holds_one_megabyte(large):
    answer = large.query(KeyConditionExpression=Key("pk").eq("p"), ConsistentRead=True)
    # The page ends with the item that reaches 1 MB, or just before it.
    assert answer["Count"] * ITEM_BYTES <= PAGE_BYTES + ITEM_BYTES
    assert (answer["Count"] + 1) * ITEM_BYTES > PAGE_BYTES
    assert answer["LastEvaluatedKey"] == {"pk": "p", "sk": answer["Count"]}


@pytest.mark.parametrize("forward", [True, False])
def test_megabyte_pages_join_to_the_whole_result(client, large, forward):
    pages = client.get_paginator("query").paginate(
        TableName=large.name,
        KeyConditionExpression="pk = :p",
        ExpressionAttributeValues={":p": {"S": "p"}},
        ScanIndexForward=forward,
        ConsistentRead=True,
    )
    found = [int(item["sk"]["N"]) for page in pages for item in page["Items"]]
    assert found == sorted(range(1, 26), reverse=not forward)


def test_the_megabyte_is_counted_before_filter_and_projection(large):
    plain = large.query(KeyConditionExpression=Key("pk").eq("p"), ConsistentRead=True)
    thin = large.query(
        KeyConditionExpression=Key("pk").eq("p"),
        FilterExpression=Attr("keep").eq(True),
        ProjectionExpression="sk",
        ConsistentRead=True,
    )
    assert thin["Items"] == [{"sk": 4}]
    assert thin["ScannedCount"] == plain["Count"]
    assert thin["LastEvaluatedKey"] == plain["LastEvaluatedKey"]


INVALID = {
    "no partition key": ("sk = :v", "Query condition missed key schema element: pk"),
    "partition key not by equality": ("pk > :v", "Query key condition not supported"),
    "attribute that is no key": ("pk = :v AND seq = :v", "Query condition missed key schema element: sk"),
    "or": ("pk = :v OR sk = :v", "Invalid operator used in KeyConditionExpression: OR"),
    "not equal": ("pk = :v AND sk <> :v", "Invalid operator used in KeyConditionExpression: <>"),
    "syntax": ("pk = = :v", "Invalid KeyConditionExpression: Syntax error"),
}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_key_condition_is_refused(table, name):
    expression, text = INVALID[name]
    with fails("ValidationException", text):
        table.query(KeyConditionExpression=expression, ExpressionAttributeValues={":v": "log"})


def test_a_filter_may_not_name_a_key(table):
    with fails("ValidationException", "Filter Expression can only contain non-primary key attributes"):
        table.query(KeyConditionExpression=Key("pk").eq("log"), FilterExpression=Attr("sk").eq("a"))


def test_a_start_key_outside_the_partition_is_refused(table):
    with fails("ValidationException", "The provided starting key is outside query boundaries"):
        table.query(
            KeyConditionExpression=Key("pk").eq("log"),
            ExclusiveStartKey={"pk": "other", "sk": "info#000"},
        )
