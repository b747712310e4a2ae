"""Requests that ask for far more than they send: work and memory stay within what was sent and what is billed.

Every bound is many times what the server needs, and a small part of what it needed where work was not bounded.
"""

import json
import random
import select
import socket

import pytest
import tables
from server_process import ServerProcess
from wire_client import AnswerReader, Client, Signer

TABLE = "bounded"  # with one large item, mostly
SMALL = "small"  # with many small ones
PROCESSOR_S = 2.0
MEMORY = 64 << 20
ANSWER = 64 << 10
TOO_LARGE = "Item size to update has exceeded the maximum allowed size"
KEY = {"pk": {"S": "a"}}


class Target:
    """A server with one table, and the price of what is asked of it."""

    def __init__(self, server):
        self.server = server
        self.client = Client(server.port)
        for name in (TABLE, SMALL):
            tables.create(self.client, name, ("pk",), {"pk": "S"})
        for first in range(0, 5_000, 25):
            puts = [{"PutRequest": {"Item": {"pk": {"S": str(i)}, "v": {"N": "1"}}}} for i in range(first, first + 25)]
            self.client.call("BatchWriteItem", RequestItems={SMALL: puts})

    def put(self, key="a", **attributes):
        self.client.call("PutItem", TableName=TABLE, Item={"pk": {"S": key}, **attributes})

    def call(self, operation, memory=MEMORY, processor_s=PROCESSOR_S, **members):
        """Status and answer of a request that stays within bounds."""
        body = json.dumps(members).encode()
        self.server.forget_peak_memory()
        memory_before, processor_before = self.server.memory_bytes(), self.server.processor_s()
        status, document = self.client.send(operation, body)
        used_s = self.server.processor_s() - processor_before
        grown = self.server.peak_memory_bytes() - memory_before
        assert used_s < processor_s, f"{operation} of {len(body)} bytes took {used_s:.2f} s"
        assert grown < memory, f"{operation} of {len(body)} bytes took {grown >> 20} MB"
        return status, document

    def update(self, expression, values=None, condition=None, **options):
        members = {"TableName": TABLE, "Key": KEY, "UpdateExpression": expression}
        if values:
            members["ExpressionAttributeValues"] = values
        if condition:
            members["ConditionExpression"] = condition
        return self.call("UpdateItem", **options, **members)


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    with ServerProcess(tmp_path_factory.mktemp("bounded") / "server.log") as server:
        yield Target(server)


def assert_too_large(answer):
    status, document = answer
    assert status == 400 and document["message"] == TOO_LARGE, (status, str(document)[:300])


def long_list(count=95_000):
    return {"L": [{"NULL": True}] * count}


def appends(count):
    return "SET " + ",".join(f"a{i}=list_append(l,l)" for i in range(count))


# Values that an update builds.


def test_appending_a_long_list_many_times(target):
    target.put(l=long_list())
    assert_too_large(target.update(appends(150)))


def test_appending_a_long_list_in_each_action_of_a_transaction(target):
    for i in range(10):
        target.put(key=f"t{i}", l=long_list())
    actions = [
        {"Update": {"TableName": TABLE, "Key": {"pk": {"S": f"t{i}"}}, "UpdateExpression": appends(150)}}
        for i in range(10)
    ]
    status, document = target.call("TransactWriteItems", TransactItems=actions)
    assert status == 400 and [r["Message"] for r in document["CancellationReasons"]] == [TOO_LARGE] * 10


def test_copying_a_long_attribute_many_times(target):
    target.put(l={"S": "x" * 390_000})
    assert_too_large(target.update("SET " + ",".join(f"a{i}=l" for i in range(300))))


def test_copying_a_long_list_many_times(target):
    target.put(l=long_list())
    assert_too_large(target.update("SET " + ",".join(f"a{i}=l" for i in range(300))))


def test_a_missing_attribute_taken_from_a_long_list_many_times(target):
    target.put(l=long_list())
    assert_too_large(target.update("SET " + ",".join(f"a{i}=if_not_exists(x,l)" for i in range(150))))


def test_adding_a_long_set_to_many_attributes(target):
    target.put(**{f"a{i}": {"NS": ["1"]} for i in range(300)})
    values = {":v": {"NS": [str(i) for i in range(60_000)]}}
    assert_too_large(target.update("ADD " + ",".join(f"a{i} :v" for i in range(300)), values))


def test_deleting_a_long_set_from_many_attributes(target):
    target.put(**{f"a{i}": {"NS": ["-1"]} for i in range(300)})
    values = {":v": {"NS": [str(i) for i in range(60_000)]}}
    status, _ = target.update("DELETE " + ",".join(f"a{i} :v" for i in range(300)), values)
    assert status == 200


def test_reading_many_elements_of_a_long_list(target):
    target.put(l=long_list(45_000))
    status, _ = target.update("SET " + ",".join(f"a{i}=l[{i}]" for i in range(300)))
    assert status == 200


def test_statements_that_append_a_long_list_many_times(target):
    target.put(l=long_list())
    sets = " ".join(f"SET a{i}=list_append(l,l)" for i in range(150))
    assert_too_large(target.call("ExecuteStatement", Statement=f'UPDATE "{TABLE}" {sets} WHERE pk=\'a\''))


def test_an_append_that_fits_is_done(target):
    target.put(l=long_list(1_000))
    assert target.update(appends(10))[0] == 200
    item = target.client.call("GetItem", TableName=TABLE, Key=KEY)["Item"]
    assert {name: len(value["L"]) for name, value in item.items() if name != "pk"} == {
        "l": 1_000, **{f"a{i}": 2_000 for i in range(10)}
    }


def test_wrong_operands_are_told_before_the_size(target):
    target.put(l=long_list(), s={"S": "x"})
    status, document = target.update(appends(3) + ",b=list_append(l,s)")
    assert status == 400
    assert document["message"] == "An operand in the update expression has an incorrect data type"


# Sets.


def numbers(first, count):
    return {"NS": [str(i) for i in range(first, first + count)]}


def test_adding_a_set_to_its_equal(target):
    members = numbers(10_000, 48_000)
    target.put(s=members)
    assert target.update("ADD s :s", {":s": {"NS": members["NS"][::-1]}})[0] == 200
    item = target.client.call("GetItem", TableName=TABLE, Key=KEY)["Item"]
    assert sorted(item["s"]["NS"]) == sorted(members["NS"])


def test_deleting_half_of_a_set(target):
    target.put(s=numbers(10_000, 48_000))
    assert target.update("DELETE s :s", {":s": {"NS": numbers(10_000, 24_000)["NS"][::-1]}})[0] == 200
    item = target.client.call("GetItem", TableName=TABLE, Key=KEY)["Item"]
    assert item["s"] == numbers(34_000, 24_000)


def test_many_comparisons_of_long_sets(target):
    members = numbers(10_000, 48_000)["NS"]
    target.put(s={"NS": members})
    shuffled = random.Random(1).sample(members, len(members))
    other = [*shuffled[:-1], "0"]
    condition = " AND ".join(["s=:a AND s<>:b"] * 70)
    values = {":a": {"NS": shuffled}, ":b": {"NS": other}, ":x": {"N": "1"}}
    assert target.update("SET x=:x", values, condition)[0] == 200


def test_many_comparisons_of_wide_maps(target):
    members = {f"name{i}": {"NULL": True} for i in range(30_000)}
    target.put(m={"M": members})
    names = random.Random(1).sample(list(members), len(members))
    values = {":m": {"M": {name: members[name] for name in names}}, ":x": {"N": "1"}}
    assert target.update("SET x=:x", values, " AND ".join(["m=:m"] * 140))[0] == 200


def test_many_sets_in_a_list_that_may_contain_one(target):
    sets = [{"NS": [str(n) for n in range(i, i + 100)]} for i in range(700)]
    target.put(l={"L": sets})
    absent = {"NS": [str(n) for n in range(5_000, 4_900, -1)]}
    condition = " AND ".join(["NOT contains(l,:s)"] * 95)
    assert target.update("SET x=:x", {":s": absent, ":x": {"N": "1"}}, condition)[0] == 200


# Conditions.


@pytest.mark.parametrize("level", ["({})=true", "(x=2)=({})", "({}) IN (true,false)"])
def test_conditions_of_conditions(target, level):
    target.put(x={"N": "1"})
    condition = "x=1"
    for _ in range(22):
        condition = level.format(condition)
    status, _ = target.call("ExecuteStatement", Statement=f'SELECT pk FROM "{TABLE}" WHERE pk=\'a\' AND ({condition})')
    assert status in (200, 400)


def test_conditions_of_conditions_say_what_they_said(target):
    target.put(x={"N": "1"})
    for levels in range(12):
        for start in ("x=1", "x=2"):
            condition, expected = start, start == "x=1"
            for level in range(levels):
                condition, expected = f"({condition})={'false' if level % 3 else 'true'}", expected == (level % 3 == 0)
            statement = f'SELECT pk FROM "{TABLE}" WHERE pk=\'a\' AND ({condition})'
            assert len(target.client.call("ExecuteStatement", Statement=statement)["Items"]) == expected, condition


@pytest.mark.parametrize("kind", ["S", "B"])
def test_needles_that_nearly_match_everywhere(target, kind):
    hay, needle = "A" * 396_000, "A" * 47_500 + "B" + "A" * 47_499
    target.put(s={kind: hay})
    values = {":n": {kind: needle}, ":x": {"N": "1"}}
    condition = " AND ".join(["NOT contains(s,:n)"] * 40)
    assert target.update("SET x=:x", values, condition)[0] == 200


def test_many_conditions_on_elements_of_a_long_list(target):
    target.put(l=long_list())
    condition = " AND ".join(f"attribute_exists(l[{i}])" for i in range(145))
    assert target.update("SET x=:x", {":x": {"N": "1"}}, condition)[0] == 200


def test_many_conditions_on_an_item_with_many_attributes(target):
    target.put(**{f"a{i}": {"NULL": True} for i in range(50_000)})
    condition = " AND ".join(["attribute_exists(a49999)"] * 140)
    assert target.update("SET x=:x", {":x": {"N": "1"}}, condition)[0] == 200


LEGACY_CONDITIONS_MAX = 300


def conditions(count, operator):
    return {f"name{i}": {"ComparisonOperator": operator} for i in range(count)}


@pytest.mark.parametrize("comparison, operator", [("NULL", "AND"), ("NOT_NULL", "OR")])
def test_a_scan_filter_of_many_conditions(target, comparison, operator):
    def scan(count):
        return target.call(
            "Scan", TableName=SMALL, ScanFilter=conditions(count, comparison), ConditionalOperator=operator
        )

    assert scan(20_000)[0] == 400
    status, document = scan(LEGACY_CONDITIONS_MAX)
    assert status == 200 and document["ScannedCount"] == 5_000
    assert document["Count"] == (5_000 if comparison == "NULL" else 0)


def test_a_scan_filter_with_a_long_list_of_values(target):
    values = [{"N": str(i)} for i in range(2, 100_000)]
    filters = {"v": {"ComparisonOperator": "IN", "AttributeValueList": values}}
    status, document = target.call("Scan", memory=256 << 20, TableName=SMALL, ScanFilter=filters)
    assert status == 200 and document["Count"] == 0 and document["ScannedCount"] == 5_000


def test_a_query_filter_of_many_conditions(target):
    target.put(v={"S": "x"})
    keys = {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}

    def query(count):
        return target.call("Query", TableName=TABLE, KeyConditions=keys, QueryFilter=conditions(count, "NULL"))

    assert query(20_000)[0] == 400
    status, document = query(LEGACY_CONDITIONS_MAX)
    assert status == 200 and document["Count"] == 1


def test_expectations_of_many_attributes(target):
    target.put(v={"S": "x"})

    def put(count):
        expected = {f"name{i}": {"Exists": False} for i in range(count)}
        return target.call("PutItem", TableName=TABLE, Item=KEY, Expected=expected)[0]

    assert put(20_000) == 400
    assert put(LEGACY_CONDITIONS_MAX) == 200


def test_a_projection_of_many_paths_into_a_wide_map(target):
    members = {f"k{i}": {"NULL": True} for i in range(40_000)}
    for i in range(10):
        target.put(key=f"wide{i}", m={"M": members})
    paths = [f"m.x{i}" for i in range(550)] + ["m.k1"]
    keys = {"Keys": [{"pk": {"S": f"wide{i}"}} for i in range(10)], "ProjectionExpression": ",".join(paths)}
    status, document = target.call("BatchGetItem", RequestItems={TABLE: keys})
    assert status == 200 and document["Responses"][TABLE] == [{"m": {"M": {"k1": {"NULL": True}}}}] * 10


def test_an_update_of_many_paths_in_a_wide_map(target):
    target.put(m={"M": {f"k{i}": {"NULL": True} for i in range(40_000)}})
    sets = ",".join(f"m.x{i}=:x" for i in range(400))
    assert target.update(f"SET m.k7=:x,{sets}", {":x": {"N": "1"}})[0] == 200
    members = target.client.call("GetItem", TableName=TABLE, Key=KEY)["Item"]["m"]["M"]
    assert list(members) == [*(f"k{i}" for i in range(40_000)), *(f"x{i}" for i in range(400))]
    assert members["k7"] == members["x399"] == {"N": "1"}


def test_many_placeholders(target):
    target.put(v={"S": "x"})
    names = {f"#n{i}": f"n{i}" for i in range(150_000)}
    used = [f"#n{i}" for i in range(149_600, 150_000)]
    status, document = target.call(
        "UpdateItem", memory=256 << 20, TableName=TABLE, Key=KEY, UpdateExpression="REMOVE " + ",".join(used),
        ExpressionAttributeNames=names,
    )
    assert status == 400 and "unused in expressions: keys: {#n0, #n1," in document["message"]


# Turns.


def test_others_are_answered_while_a_filter_is_at_work(tmp_path):
    """One thread for all: a Scan that takes long lets it go now and then."""
    with ServerProcess(tmp_path / "server.log", "--threads", "1") as server:
        client = Client(server.port)
        tables.create(client, TABLE, ("pk",), {"pk": "S"})
        for i in range(400):
            client.call("PutItem", TableName=TABLE, Item={"pk": {"S": str(i)}, "t": {"S": "a" * 2_400}})
        condition = " AND ".join(["NOT contains(t,:n)"] * 95)
        scan = {
            "TableName": TABLE, "FilterExpression": condition, "Select": "COUNT",
            "ExpressionAttributeValues": {":n": {"S": "a" * 120 + "b" + "a" * 120}},
        }
        with socket.create_connection(("127.0.0.1", server.port), 60) as connection:
            client.call("GetItem", TableName=TABLE, Key={"pk": {"S": "1"}})  # has its connection
            connection.sendall(Signer(f"127.0.0.1:{server.port}").request("Scan", json.dumps(scan).encode()))
            answered = 0
            while not select.select([connection], [], [], 0)[0]:
                client.call("GetItem", TableName=TABLE, Key={"pk": {"S": "1"}})
                answered += 1
            _, _, body = AnswerReader(connection).read()
        assert json.loads(body)["Count"] == 400
        # Without turns an answer comes before the Scan begins, or with the one of the Scan.
        assert answered >= 10


# Descriptions of tables.


def definitions(count):
    return [{"AttributeName": f"name{i}", "AttributeType": "S"} for i in range(count)]


def test_a_table_with_many_definitions(target):
    status, document = target.call(
        "CreateTable", TableName="other", KeySchema=tables.key_schema("name1"), AttributeDefinitions=definitions(80_000),
        BillingMode="PAY_PER_REQUEST",
    )
    assert status == 400 and "AttributeDefinitions" in document["message"]


def test_a_table_with_many_definitions_and_many_index_keys(target):
    key = [{"AttributeName": f"name{i}", "KeyType": "HASH"} for i in range(20_000)]
    index = {"IndexName": "index", "KeySchema": key, "Projection": {"ProjectionType": "ALL"}}
    status, _ = target.call(
        "CreateTable", TableName="other", KeySchema=tables.key_schema("name1"), AttributeDefinitions=definitions(20_000),
        BillingMode="PAY_PER_REQUEST", GlobalSecondaryIndexes=[index],
    )
    assert status == 400


def test_a_table_with_many_indexes(target):
    indexes = [tables.index(f"index{i}", (f"name{i}",)) for i in range(20_000)]
    status, _ = target.call(
        "CreateTable", memory=256 << 20, TableName="other", KeySchema=tables.key_schema("name1"),
        AttributeDefinitions=definitions(20_000), BillingMode="PAY_PER_REQUEST", GlobalSecondaryIndexes=indexes,
    )
    assert status == 400


def test_a_new_index_with_many_definitions(target):
    create = {"Create": tables.index("index", ("name79999",))}
    status, _ = target.call(
        "UpdateTable", TableName=TABLE, AttributeDefinitions=definitions(80_000), GlobalSecondaryIndexUpdates=[create]
    )
    assert status in (200, 400)


def test_many_tags(target):
    arn = target.client.call("DescribeTable", TableName=TABLE)["Table"]["TableArn"]
    tags = [{"Key": f"key{i}", "Value": "v"} for i in range(80_000)]
    assert target.call("TagResource", ResourceArn=arn, Tags=tags)[0] == 400
    assert target.call("UntagResource", ResourceArn=arn, TagKeys=[tag["Key"] for tag in tags])[0] in (200, 400)


# Refusals.


def answer_bytes(document):
    return len(json.dumps(document))


def test_a_refused_batch_is_not_repeated_in_the_answer(target):
    writes = [{"PutRequest": {"Item": {"pk": {"S": str(i)}, "l": long_list(2_000)}}} for i in range(200)]
    status, document = target.call("BatchWriteItem", memory=256 << 20, RequestItems={TABLE: writes})
    assert status == 400 and answer_bytes(document) < ANSWER


def test_a_long_table_name_is_not_repeated_for_each_write(target):
    status, document = target.call(
        "BatchWriteItem", memory=256 << 20, RequestItems={"x" * 1_000_000: [{"PutRequest": {}}] * 20_000}
    )
    assert status == 400 and answer_bytes(document) < ANSWER


def test_a_long_table_name_is_not_repeated_for_each_key(target):
    status, document = target.call(
        "BatchGetItem", memory=256 << 20, RequestItems={"x" * 1_000_000: {"Keys": [KEY] * 101}}
    )
    assert status == 400 and answer_bytes(document) < ANSWER


def test_a_set_with_a_duplicate_is_not_repeated_in_the_answer(target):
    members = [str(i) for i in range(300_000)] + ["1"]
    status, document = target.call("PutItem", memory=256 << 20, TableName=TABLE, Item={**KEY, "s": {"SS": members}})
    assert status == 400 and answer_bytes(document) < ANSWER


def test_unused_placeholders_are_not_all_repeated_in_the_answer(target):
    status, document = target.call(
        "UpdateItem", memory=256 << 20, TableName=TABLE, Key=KEY, UpdateExpression="REMOVE a",
        ExpressionAttributeNames={f"#name{i}": "x" for i in range(100_000)},
    )
    assert status == 400 and answer_bytes(document) < ANSWER


def test_many_unknown_tables_in_one_batch(target):
    requests = {f"table{i}": {"Keys": []} for i in range(50_000)}
    status, document = target.call("BatchGetItem", memory=256 << 20, RequestItems=requests)
    assert status == 400 and answer_bytes(document) < ANSWER
