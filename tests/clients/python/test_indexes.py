"""Local and global secondary indexes: projections, sparseness, order, moves."""

import pytest
from boto3.dynamodb.conditions import Key

from support import eventually, fails, index


@pytest.fixture(scope="module")
def table(new_table):
    return new_table(
        {"pk": "S", "sk": "S"},
        lsis=[
            index("by-score", {"pk": "S", "score": "N"}, "KEYS_ONLY"),
            index("by-title", {"pk": "S", "title": "S"}, "ALL"),
        ],
        gsis=[
            index("owners", {"owner": "S", "score": "N"}, "ALL"),
            index("owner-keys", {"owner": "S"}, "KEYS_ONLY"),
            index("owner-some", {"owner": "S", "title": "S"}, ["color", "size_mm"]),
        ],
    )


@pytest.fixture
def filled(table, key):
    """Four items of one partition; `d` lacks every index attribute."""
    items = [
        {"pk": key, "sk": "a", "score": 30, "title": "tulip", "owner": f"{key}-ann", "color": "red", "note": "1"},
        {"pk": key, "sk": "b", "score": 10, "title": "rose", "owner": f"{key}-ann", "size_mm": 5, "note": "2"},
        {"pk": key, "sk": "c", "score": 20, "title": "aster", "owner": f"{key}-ben", "note": "3"},
        {"pk": key, "sk": "d", "note": "4"},
    ]
    with table.batch_writer() as batch:
        for item in items:
            batch.put_item(item)
    return items


def of_owner(table, index_name, owner, **extra):
    condition = Key("owner").eq(owner)
    return table.query(IndexName=index_name, KeyConditionExpression=condition, **extra)["Items"]


def local(table, index_name, key, **extra):
    extra.setdefault("KeyConditionExpression", Key("pk").eq(key))
    return table.query(IndexName=index_name, ConsistentRead=True, **extra)


def test_a_local_index_orders_by_its_own_key_and_is_sparse(table, key, filled):
    a, b, c, _ = filled
    assert local(table, "by-title", key)["Items"] == [c, b, a]
    assert local(table, "by-title", key, ScanIndexForward=False)["Items"] == [a, b, c]
    condition = Key("pk").eq(key) & Key("title").begins_with("r")
    assert local(table, "by-title", key, KeyConditionExpression=condition)["Items"] == [b]


def test_a_keys_only_local_index_gives_the_keys(table, key, filled):
    found = local(table, "by-score", key)["Items"]
    assert found == [{"pk": key, "sk": sk, "score": score} for sk, score in (("b", 10), ("c", 20), ("a", 30))]


def test_a_local_index_fetches_what_it_does_not_project(table, key, filled):
    a, b, c, _ = filled
    assert local(table, "by-score", key, Select="ALL_ATTRIBUTES")["Items"] == [b, c, a]
    named = local(table, "by-score", key, ProjectionExpression="sk, note")["Items"]
    assert named == [{"sk": "b", "note": "2"}, {"sk": "c", "note": "3"}, {"sk": "a", "note": "1"}]


def test_pages_of_a_local_index_carry_table_and_index_keys(table, key):
    for sk in "abcd":
        table.put_item(Item={"pk": key, "sk": sk, "score": 7})
    seen, start = [], {}
    while True:
        page = local(table, "by-score", key, Limit=1, **start)
        seen += [item["sk"] for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            break
        assert page["LastEvaluatedKey"] == {"pk": key, "sk": seen[-1], "score": 7}
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert sorted(seen) == ["a", "b", "c", "d"]


def test_a_global_index_gathers_items_over_partitions(table, key):
    owner = f"{key}-all"
    items = [{"pk": f"{key}-{n}", "sk": "x", "owner": owner, "score": n, "title": "t"} for n in range(10)]
    with table.batch_writer() as batch:
        for item in reversed(items):
            batch.put_item(item)
    eventually(lambda: of_owner(table, "owners", owner), items)
    eventually(lambda: of_owner(table, "owners", owner, ScanIndexForward=False), items[::-1])


def test_projections_of_global_indexes(table, key, filled):
    a, b, _, _ = filled
    owner = a["owner"]
    eventually(lambda: of_owner(table, "owners", owner), [b, a])
    keys = [{name: item[name] for name in ("pk", "sk", "owner")} for item in (a, b)]
    eventually(lambda: sorted(of_owner(table, "owner-keys", owner), key=lambda item: item["sk"]), keys)
    some = [
        {"pk": key, "sk": "b", "owner": owner, "title": "rose", "size_mm": 5},
        {"pk": key, "sk": "a", "owner": owner, "title": "tulip", "color": "red"},
    ]
    eventually(lambda: of_owner(table, "owner-some", owner), some)


def test_an_item_enters_a_sparse_index_when_it_has_every_key(table, key):
    owner = f"{key}-owner"
    table.put_item(Item={"pk": key, "sk": "s", "owner": owner})
    eventually(lambda: len(of_owner(table, "owner-keys", owner)), 1)
    assert of_owner(table, "owners", owner) == []
    table.update_item(
        Key={"pk": key, "sk": "s"},
        UpdateExpression="SET score = :s",
        ExpressionAttributeValues={":s": 1},
    )
    eventually(lambda: [item["score"] for item in of_owner(table, "owners", owner)], [1])


def test_an_item_leaves_an_index_with_its_key(table, key, filled):
    owner = filled[0]["owner"]
    eventually(lambda: len(of_owner(table, "owners", owner)), 2)
    table.update_item(Key={"pk": key, "sk": "a"}, UpdateExpression="REMOVE score")
    eventually(lambda: [item["sk"] for item in of_owner(table, "owners", owner)], ["b"])
    table.delete_item(Key={"pk": key, "sk": "b"})
    eventually(lambda: of_owner(table, "owners", owner), [])
    eventually(lambda: [item["sk"] for item in of_owner(table, "owner-keys", owner)], ["a"])


def test_a_changed_key_moves_the_index_entry(table, key, filled):
    old, new = filled[0]["owner"], f"{key}-cat"
    table.update_item(
        Key={"pk": key, "sk": "a"},
        UpdateExpression="SET #o = :new",
        ExpressionAttributeNames={"#o": "owner"},
        ExpressionAttributeValues={":new": new},
    )
    eventually(lambda: [item["sk"] for item in of_owner(table, "owners", new)], ["a"])
    eventually(lambda: [item["sk"] for item in of_owner(table, "owners", old)], ["b"])


def test_replacing_an_item_replaces_its_index_entries(table, key, filled):
    owner = filled[2]["owner"]
    table.put_item(Item={"pk": key, "sk": "c", "owner": owner, "score": 99, "title": "z"})
    expected = {"pk": key, "sk": "c", "owner": owner, "score": 99, "title": "z"}
    eventually(lambda: of_owner(table, "owners", owner), [expected])
    assert [item["sk"] for item in local(table, "by-title", key)["Items"]] == ["b", "a", "c"]


def test_many_items_of_one_index_key_are_paged_without_loss(client, table, key):
    owner = f"{key}-many"
    with table.batch_writer() as batch:
        for number in range(40):
            batch.put_item({"pk": f"{key}-{number}", "sk": "x", "owner": owner})

    def paged():
        pages = client.get_paginator("query").paginate(
            TableName=table.name,
            IndexName="owner-keys",
            KeyConditionExpression="#o = :o",
            ExpressionAttributeNames={"#o": "owner"},
            ExpressionAttributeValues={":o": {"S": owner}},
            PaginationConfig={"PageSize": 7},
        )
        return sorted(item["pk"]["S"] for page in pages for item in page["Items"])

    eventually(paged, sorted(f"{key}-{number}" for number in range(40)))


def test_scanning_an_index_gives_the_items_that_have_its_keys(new_table):
    table = new_table({"pk": "S"}, gsis=[index("flags", {"flag": "S"}, ["a"])])
    with table.batch_writer() as batch:
        for number in range(30):
            item = {"pk": f"{number:02}", "a": number, "b": number}
            batch.put_item(item | ({"flag": "up"} if number % 10 == 0 else {}))
    expected = [{"pk": f"{n:02}", "flag": "up", "a": n} for n in (0, 10, 20)]
    eventually(
        lambda: sorted(table.scan(IndexName="flags")["Items"], key=lambda item: item["pk"]), expected
    )


REFUSED_READS = {
    "consistent read of a global index": (
        {"IndexName": "owners", "ConsistentRead": True},
        "Consistent reads are not supported on global secondary indexes",
    ),
    "all attributes of a partial global index": (
        {"IndexName": "owner-keys", "Select": "ALL_ATTRIBUTES"},
        "Select type ALL_ATTRIBUTES is not supported for global secondary index owner-keys",
    ),
    "unprojected attribute of a global index": (
        {"IndexName": "owner-keys", "ProjectionExpression": "note"},
        "One or more parameter values were invalid: Global secondary index owner-keys does not project",
    ),
    "unknown index": ({"IndexName": "absent"}, "The table does not have the specified index: absent"),
}


@pytest.mark.parametrize("name", REFUSED_READS)
def test_a_read_that_an_index_cannot_serve_is_refused(table, name):
    parameters, text = REFUSED_READS[name]
    with fails("ValidationException", text):
        table.query(KeyConditionExpression=Key("owner").eq("x"), **parameters)


def test_an_index_key_of_the_wrong_type_is_refused(table, key):
    with fails("ValidationException", "Type mismatch for Index Key") as caught:
        table.put_item(Item={"pk": key, "sk": "s", "score": "high"})
    assert "Expected: N Actual: S" in caught.error.response["Error"]["Message"]
    table.put_item(Item={"pk": key, "sk": "s"})
    with fails("ValidationException"):
        table.update_item(
            Key={"pk": key, "sk": "s"},
            UpdateExpression="SET score = :v",
            ExpressionAttributeValues={":v": "high"},
        )


def test_an_empty_string_as_index_key_is_refused(table, key):
    with fails("ValidationException", "empty string"):
        table.put_item(Item={"pk": key, "sk": "s", "owner": ""})
