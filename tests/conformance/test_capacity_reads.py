"""ConsumedCapacity of reads."""

import pytest


@pytest.fixture(scope="module")
def sized(db, range_table):
    """Items of the partition `sized` by name: their size is exactly what the number says."""
    sizes = {"small": 40, "4096": 4096, "4097": 4097, "8192": 8192, "8193": 8193}
    for name, size in sizes.items():
        item = {"pk": {"S": "sized"}, "sk": {"S": name}, "x": {"S": ""}}
        used = sum(len(n) + len(v["S"]) for n, v in item.items())
        item["x"]["S"] = "x" * (size - used)
        db.call("PutItem", TableName=range_table, Item=item)
    return sizes


def key(name):
    return {"pk": {"S": "sized"}, "sk": {"S": name}}


UNITS = {"small": 1, "4096": 1, "4097": 2, "8192": 2, "8193": 3, "missing": 1}


@pytest.mark.parametrize("consistent", [True, False], ids=["consistent", "eventual"])
@pytest.mark.parametrize("name, units", UNITS.items())
def test_get(db, range_table, sized, name, units, consistent):
    request = {"TableName": range_table, "Key": key(name), "ConsistentRead": consistent}
    units = units if consistent else units / 2
    answer = db.call("GetItem", ReturnConsumedCapacity="TOTAL", **request)
    assert answer["ConsumedCapacity"] == {"TableName": range_table, "CapacityUnits": units}
    answer = db.call("GetItem", ReturnConsumedCapacity="INDEXES", **request)
    assert answer["ConsumedCapacity"] == {
        "TableName": range_table, "CapacityUnits": units, "Table": {"CapacityUnits": units}}
    assert "ConsumedCapacity" not in db.call("GetItem", ReturnConsumedCapacity="NONE", **request)
    assert "ConsumedCapacity" not in db.call("GetItem", **request)


def test_a_projection_does_not_make_it_cheaper(db, range_table, sized):
    answer = db.call(
        "GetItem", TableName=range_table, Key=key("8193"), ConsistentRead=True, ProjectionExpression="sk",
        ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 3


def query(db, table, pk="sized", **members):
    answer = db.call(
        "Query", TableName=table, KeyConditionExpression="pk = :p",
        ExpressionAttributeValues={":p": {"S": pk}, **members.pop("values", {})}, **members)
    return answer["ConsumedCapacity"]


def test_query_rounds_the_sum(db, range_table, sized):
    units = -(-sum(sized.values()) // 4096)
    assert query(db, range_table, ReturnConsumedCapacity="TOTAL", ConsistentRead=True) == {
        "TableName": range_table, "CapacityUnits": units}
    assert query(db, range_table, ReturnConsumedCapacity="INDEXES") == {
        "TableName": range_table, "CapacityUnits": units / 2, "Table": {"CapacityUnits": units / 2}}


def test_filters_and_projections_do_not_make_it_cheaper(db, range_table, sized):
    whole = query(db, range_table, ReturnConsumedCapacity="TOTAL")
    for members in (
        {"FilterExpression": "x = :x", "values": {":x": {"S": "no"}}}, {"ProjectionExpression": "sk"},
        {"Select": "COUNT"},
    ):
        assert query(db, range_table, ReturnConsumedCapacity="TOTAL", **members) == whole


def test_a_limit_makes_it_cheaper(db, range_table, sized):
    # In order of sort keys the first item is the one of 4096 bytes.
    consumed = query(db, range_table, ReturnConsumedCapacity="TOTAL", ConsistentRead=True, Limit=1)
    assert consumed["CapacityUnits"] == 1


def test_reading_nothing_costs_the_least(db, range_table):
    consumed = query(db, range_table, "missing", ReturnConsumedCapacity="TOTAL")
    assert consumed["CapacityUnits"] == 0.5
    consumed = query(db, range_table, "missing", ReturnConsumedCapacity="TOTAL", ConsistentRead=True)
    assert consumed["CapacityUnits"] == 1


# Scans are charged by partition, and an on-demand table begins with several: one provisioned little has one.
ONE_PARTITION = {"ReadCapacityUnits": 100, "WriteCapacityUnits": 100}


def test_scan_of_an_empty_table(db, create):
    name = create("empty", {"pk": "S"}, ProvisionedThroughput=ONE_PARTITION)
    answer = db.call("Scan", TableName=name, ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == {"TableName": name, "CapacityUnits": 0.5}


def test_scan_rounds_the_sum(db, create):
    name = create("scan-units", {"pk": "S"}, ProvisionedThroughput=ONE_PARTITION)
    for i in range(9):
        db.call("PutItem", TableName=name, Item={"pk": {"S": str(i)}, "x": {"S": "x" * 996}})
    # Nine items of 1,000 bytes.
    answer = db.call("Scan", TableName=name, ReturnConsumedCapacity="INDEXES", ConsistentRead=True)
    assert answer["ConsumedCapacity"] == {"TableName": name, "CapacityUnits": 3, "Table": {"CapacityUnits": 3}}


def scan_units(db, table, **members):
    return db.call("Scan", TableName=table, ReturnConsumedCapacity="TOTAL", **members)["ConsumedCapacity"]["CapacityUnits"]


def segment_units(db, table, total, **members):
    return [scan_units(db, table, Segment=i, TotalSegments=total, **members) for i in range(total)]


@pytest.fixture(scope="module")
def by_partitions(create):
    """Empty tables by the number of their partitions."""
    return {
        4: create("on-demand", {"pk": "S"}),
        3: create("three", {"pk": "S"}, ProvisionedThroughput={"ReadCapacityUnits": 6000, "WriteCapacityUnits": 1000}),
    }


def test_a_scan_reads_every_partition_of_an_empty_table(db, by_partitions):
    """An on-demand table begins with four."""
    for partitions, name in by_partitions.items():
        assert scan_units(db, name) == partitions / 2
        assert scan_units(db, name, ConsistentRead=True) == partitions
        assert scan_units(db, name, Limit=1) == partitions / 2
    answer = db.call("ExecuteStatement", Statement=f'SELECT * FROM "{by_partitions[4]}"', ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 2


def test_a_segment_reads_the_partitions_that_it_covers(db, by_partitions):
    table = by_partitions[4]
    assert segment_units(db, table, 1) == [2]
    assert segment_units(db, table, 2) == [1, 1]
    assert segment_units(db, table, 4) == [0.5] * 4
    assert segment_units(db, table, 8, ConsistentRead=True) == [1] * 8
    assert segment_units(db, table, 3) == [1, 1, 1]


def test_what_a_scan_reads_of_a_partition_is_rounded_up(db, create):
    name = create("rounded", {"pk": "S"})
    for i in range(9):
        db.call("PutItem", TableName=name, Item={"pk": {"S": str(i)}, "x": {"S": "x" * 2996}})
    counts = [db.call("Scan", TableName=name, Segment=i, TotalSegments=4)["Count"] for i in range(4)]
    expected = [max(1, -(-count * 3000 // 4096)) for count in counts]
    assert sum(counts) == 9
    assert segment_units(db, name, 4, ConsistentRead=True) == expected
    assert scan_units(db, name, ConsistentRead=True) == sum(expected)
    assert scan_units(db, name, FilterExpression="x = pk") == sum(expected) / 2


def test_a_page_reads_partitions_up_to_its_last_item(db, create):
    name = create("paged", {"pk": "S"})
    db.call("PutItem", TableName=name, Item={"pk": {"S": "only"}})
    before = [db.call("Scan", TableName=name, Segment=i, TotalSegments=4)["Count"] for i in range(4)].index(1)
    assert scan_units(db, name) == 2
    assert scan_units(db, name, Limit=1) == (before + 1) / 2
    # The next page goes on in the same partition.
    assert scan_units(db, name, Limit=1, ExclusiveStartKey={"pk": {"S": "only"}}) == (4 - before) / 2


def test_scan_of_an_index_reads_its_partitions(db, create):
    name = create(
        "scanned-indexes", {"pk": "S", "sk": "S"},
        more_definitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("g", "l")],
        GlobalSecondaryIndexes=[{
            "IndexName": "gsi", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"}}],
        LocalSecondaryIndexes=[{
            "IndexName": "lsi", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "l", "KeyType": "RANGE"}]}])
    for index, kind in {"gsi": "GlobalSecondaryIndexes", "lsi": "LocalSecondaryIndexes"}.items():
        consumed = db.call("Scan", TableName=name, IndexName=index, ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
        assert consumed == {
            "TableName": name, "CapacityUnits": 2, "Table": {"CapacityUnits": 0}, kind: {index: {"CapacityUnits": 2}}}


@pytest.fixture(scope="module")
def indexed_item(db, indexed_table):
    name = {"S": "capacity"}
    db.call("PutItem", TableName=indexed_table, Item={
        "pk": name, "sk": name, "lsk": name, "lsk2": name, "gpk": name, "proj": name, "x": {"S": "x" * 6000}})


INDEX_READS = {
    "global": ("gsi", "gpk", {}, {"Table": 0, "GlobalSecondaryIndexes": {"gsi": 0.5}}),
    "local, everything projected": ("lsi", "pk", {}, {"Table": 0, "LocalSecondaryIndexes": {"lsi": 1}}),
    "local, consistent": (
        "lsi-keys", "pk", {"ConsistentRead": True}, {"Table": 0, "LocalSecondaryIndexes": {"lsi-keys": 1}}),
    "local, fetched from the table": (
        "lsi-keys", "pk", {"Select": "ALL_ATTRIBUTES"}, {"Table": 1, "LocalSecondaryIndexes": {"lsi-keys": 0.5}}),
    "local, fetched from the table and filtered out": (
        "lsi-keys", "pk", {"Select": "ALL_ATTRIBUTES", "FilterExpression": "sk <> :p"},
        {"Table": 1, "LocalSecondaryIndexes": {"lsi-keys": 0.5}}),
    "local, fetched for a projection and filtered out": (
        "lsi-keys", "pk", {"ProjectionExpression": "x", "FilterExpression": "sk <> :p"},
        {"Table": 1, "LocalSecondaryIndexes": {"lsi-keys": 0.5}}),
}


@pytest.mark.parametrize("index, name, members, expected", INDEX_READS.values(), ids=INDEX_READS.keys())
def test_query_of_an_index(db, indexed_table, indexed_item, index, name, members, expected):
    consumed = db.call(
        "Query", TableName=indexed_table, IndexName=index, KeyConditionExpression=f"{name} = :p",
        ExpressionAttributeValues={":p": {"S": "capacity"}}, ReturnConsumedCapacity="INDEXES",
        **members)["ConsumedCapacity"]
    total = 0
    wanted = {"TableName": indexed_table}
    for part, units in expected.items():
        if part == "Table":
            wanted[part] = {"CapacityUnits": units}
            total += units
        else:
            wanted[part] = {n: {"CapacityUnits": u} for n, u in units.items()}
            total += sum(units.values())
    assert consumed == {**wanted, "CapacityUnits": total}


def test_batch_get_rounds_each_item(db, range_table, hash_table, sized):
    keys = [key(name) for name in ("small", "4097", "missing")]
    answer = db.call(
        "BatchGetItem", ReturnConsumedCapacity="TOTAL",
        RequestItems={
            range_table: {"Keys": keys, "ConsistentRead": True},
            hash_table: {"Keys": [{"pk": {"S": "missing"}}]}})
    by_table = {c["TableName"]: c for c in answer["ConsumedCapacity"]}
    assert by_table[range_table] == {"TableName": range_table, "CapacityUnits": 4}
    assert by_table[hash_table] == {"TableName": hash_table, "CapacityUnits": 0.5}
    answer = db.call(
        "BatchGetItem", ReturnConsumedCapacity="INDEXES", RequestItems={range_table: {"Keys": keys}})
    assert answer["ConsumedCapacity"] == [
        {"TableName": range_table, "CapacityUnits": 2, "Table": {"CapacityUnits": 2}}]
