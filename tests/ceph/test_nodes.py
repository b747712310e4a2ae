"""Two nodes over one pool: what one does, the other knows."""

import concurrent.futures
import threading
import time

import pytest
from botocore.exceptions import ClientError
from conftest import create, index, key, scan_all, wait_for

@pytest.fixture(scope="module")
def two(start_nodes):
    return start_nodes(2, "--shard-lifetime-ms", "3000", "--ttl-interval-ms", "200")


@pytest.fixture(scope="module")
def a(two):
    return two[0].db()


@pytest.fixture(scope="module")
def b(two):
    return two[1].db()


def test_a_table_is_known_to_the_other_node_at_once(a, b):
    for number in range(5):
        name = f"table{number}"
        create(a, name)
        b.put_item(TableName=name, Item={"pk": {"S": "x"}, "n": {"N": str(number)}})
        assert a.get_item(TableName=name, Key={"pk": {"S": "x"}}, ConsistentRead=True)["Item"]["n"]["N"] == str(number)
        b.delete_table(TableName=name)
        with pytest.raises(ClientError, match="ResourceNotFound"):
            a.describe_table(TableName=name)
        create(a, name)  # another table of the same name
        assert "Item" not in b.get_item(TableName=name, Key={"pk": {"S": "x"}}, ConsistentRead=True)
        a.delete_table(TableName=name)


def test_only_one_of_two_creates_a_table(a, b):
    def attempt(db, name):
        try:
            create(db, name)
            return 1
        except ClientError as error:
            assert error.response["Error"]["Code"] == "ResourceInUseException"
            return 0

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number in range(5):
            made = pool.map(attempt, (a, b), (f"race{number}",) * 2)
            assert sum(made) == 1


def test_counts_of_items_are_right_through_both(a, b):
    create(a, "counted", GlobalSecondaryIndexes=[index("by-g", "g")])

    def put(number):
        db = (a, b)[number % 2]
        db.put_item(TableName="counted", Item={"pk": {"S": str(number % 50)}, "g": {"S": "x"}})

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(put, range(200)))
    for number in range(10):
        (b, a)[number % 2].delete_item(TableName="counted", Key={"pk": {"S": str(number)}})
    for db in (a, b):
        assert db.describe_table(TableName="counted")["Table"]["ItemCount"] == 40
    # Each node knows what it has written itself at once, and the rest in a moment.
    for db in (a, b):
        def count():
            return db.describe_table(TableName="counted")["Table"]["GlobalSecondaryIndexes"][0]["ItemCount"]

        wait_for(lambda: count() == 40, "the index to be counted")


def test_a_client_token_counts_on_every_node(a, b):
    create(a, "tokens")
    update = {"Update": {"TableName": "tokens", "Key": {"pk": {"S": "x"}}, "UpdateExpression": "ADD n :one",
                         "ExpressionAttributeValues": {":one": {"N": "1"}}}}

    def send(db, token):
        try:
            db.transact_write_items(TransactItems=[update], ClientRequestToken=token)
        except ClientError as error:
            assert error.response["Error"]["Code"] in (
                "TransactionInProgressException", "TransactionCanceledException"), error
            return 0
        return 1

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for number in range(10):
            answered = sum(pool.map(send, (a, b) * 3, (f"token-{number}",) * 6))
            assert answered >= 1
            item = a.get_item(TableName="tokens", Key={"pk": {"S": "x"}}, ConsistentRead=True)["Item"]
            assert item["n"]["N"] == str(number + 1)
    with pytest.raises(ClientError, match="IdempotentParameterMismatch"):
        other = {"Delete": {"TableName": "tokens", "Key": {"pk": {"S": "x"}}}}
        b.transact_write_items(TransactItems=[other], ClientRequestToken="token-0")


def index_equals_table(db, table, name):
    def rows():
        return {item["pk"]["S"]: item for item in scan_all(db, TableName=table, IndexName=name)}

    items = {item["pk"]["S"]: item for item in scan_all(db, TableName=table) if "g" in item}
    wait_for(lambda: rows() == items, "the index to be equal to the table")
    return len(items)


def test_an_index_is_built_while_both_nodes_write(a, b):
    create(a, "online")
    for number in range(0, 400, 25):
        a.batch_write_item(RequestItems={"online": [
            {"PutRequest": {"Item": {"pk": {"S": str(n)}, "g": {"S": "old"}}}} for n in range(number, number + 25)
        ]})
    stop = threading.Event()

    def write(db, offset):
        count = 0
        while not stop.is_set():
            count += 1
            pk = {"S": str((offset + 7 * count) % 500)}
            if count % 5 == 0:
                db.delete_item(TableName="online", Key={"pk": pk})
            else:
                db.put_item(TableName="online", Item={"pk": pk, "g": {"S": f"g{count % 9}"}})
        return count

    def change(db, action):
        db.update_table(TableName="online", AttributeDefinitions=[key("pk"), key("g")],
                        GlobalSecondaryIndexUpdates=[action])

    def active(db):
        table = db.describe_table(TableName="online")["Table"]
        return all(i["IndexStatus"] == "ACTIVE" for i in table.get("GlobalSecondaryIndexes", []))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write, db, offset) for db, offset in ((a, 0), (b, 100), (a, 200), (b, 300))]
        try:
            for turn, db in enumerate((a, b, a)):
                other = (b, a, b)[turn]
                change(db, {"Create": index("by-g", "g")})
                wait_for(lambda: active(other), "the index to become ACTIVE")
                if turn < 2:
                    change(other, {"Delete": {"IndexName": "by-g"}})
                    wait_for(lambda: "GlobalSecondaryIndexes" not in db.describe_table(TableName="online")["Table"],
                             "the index to go")
        finally:
            stop.set()
        print("writes meanwhile:", sum(writer.result() for writer in writers))
    assert index_equals_table(a, "online", "by-g") == index_equals_table(b, "online", "by-g")
    counts = b.describe_table(TableName="online")["Table"]
    assert counts["ItemCount"] == len(scan_all(a, TableName="online"))
    assert counts["GlobalSecondaryIndexes"][0]["ItemCount"] == counts["ItemCount"]


def test_items_expire_whatever_node_wrote_them(a, b):
    create(a, "expiring")
    b.update_time_to_live(TableName="expiring", TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
    second = str(int(time.time()))
    for number in range(20):
        (a, b)[number % 2].put_item(TableName="expiring", Item={"pk": {"S": str(number)}, "ttl": {"N": second}})
    wait_for(lambda: not scan_all(a, TableName="expiring"), "the items to expire")
    assert b.describe_table(TableName="expiring")["Table"]["ItemCount"] == 0


def read_stream(streams, arn, stop):
    """Every record of a stream, shard by shard, parents first; until `stop` and the end of what there is."""
    read, found = set(), []
    iterators = {}
    while True:
        last = stop.is_set()
        shards, start = [], {}
        while True:
            page = streams.describe_stream(StreamArn=arn, **start)["StreamDescription"]
            shards += page["Shards"]
            if "LastEvaluatedShardId" not in page:
                break
            start = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}
        known = {shard["ShardId"] for shard in shards}
        for shard in shards:
            name, parent = shard["ShardId"], shard.get("ParentShardId")
            if name in read or name in iterators or (parent in known and parent not in read):
                continue
            iterators[name] = streams.get_shard_iterator(
                StreamArn=arn, ShardId=name, ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        got = 0
        for name, iterator in list(iterators.items()):
            page = streams.get_records(ShardIterator=iterator)
            found += page["Records"]
            got += len(page["Records"])
            if page.get("NextShardIterator"):
                iterators[name] = page["NextShardIterator"]
            else:
                del iterators[name]
                read.add(name)
                got += 1
        if last and got == 0:
            return found, len(read)


def test_a_stream_has_each_write_once_and_in_order(two, a, b):
    create(a, "streamed", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
    arn = b.describe_table(TableName="streamed")["Table"]["LatestStreamArn"]
    stop = threading.Event()
    done = threading.Event()

    def write(db, item):
        count = 0
        while not done.is_set():
            count += 1
            update = {"Update": {"TableName": "streamed", "Key": {"pk": {"S": item}}, "UpdateExpression": "ADD n :one",
                                 "ExpressionAttributeValues": {":one": {"N": "1"}}}}
            if count % 4 == 0:
                other = {"Put": {"TableName": "streamed", "Item": {"pk": {"S": f"{item}-{count}"}, "n": {"N": "1"}}}}
                db.transact_write_items(TransactItems=[update, other])
            else:
                db.update_item(**{k: v for k, v in update["Update"].items()})
        return item, count

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        writers = [pool.submit(write, (a, b)[n % 2], f"item{n}") for n in range(4)]
        readers = [pool.submit(read_stream, node.streams(), arn, stop) for node in two]
        time.sleep(8)  # three generations of shards
        done.set()
        written = dict(writer.result() for writer in writers)
        stop.set()
        for reader in readers:
            records, closed = reader.result()
            numbers = {}
            for record in records:
                image = record["dynamodb"]["NewImage"]
                numbers.setdefault(image["pk"]["S"], []).append(int(image["n"]["N"]))
            for item, count in written.items():
                assert numbers[item] == list(range(1, count + 1))
            others = [n for n in numbers if "-" in n]
            assert all(numbers[n] == [1] for n in others)
            assert len(others) == sum(count // 4 for count in written.values())
            assert closed >= 4
    print("records:", len(records), "closed shards read:", closed)


def test_work_of_a_node_that_died_is_taken_over(two, a, b):
    create(a, "orphaned")
    a.update_time_to_live(TableName="orphaned", TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
    tables = []
    for number in range(6):  # several, so that both nodes have some of the work
        name = f"orphaned{number}"
        create(b, name)
        b.update_time_to_live(TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
        tables.append(name)
    two[0].kill()
    killed = time.monotonic()
    for name in tables:
        b.put_item(TableName=name, Item={"pk": {"S": "x"}, "ttl": {"N": str(int(time.time()))}})
    for name in tables:
        wait_for(lambda: not scan_all(b, TableName=name), f"{name} to be swept")
    print(f"all background work was done by the other node {time.monotonic() - killed:.1f} s after kill -9")
    two[0].start()
    assert "x" not in str(scan_all(two[0].db(), TableName=tables[0]))
