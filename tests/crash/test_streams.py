"""A stream tells the whole history of its table, each change once, whatever was killed in between: also of items that expire,
while time to live is switched on and off."""

import threading
import time

import tables
from wire_client import Client, ServiceError, Unanswered

TABLE = "told"
INDEX = "by-g"
STREAMS = "DynamoDBStreams_20120810."
KEYS = 60
WRITERS = 4
WRITES_MAX = 1_000_000
EXPIRED = 1_000  # seconds ago
EXPIRY_S = 60  # a bound for a busy machine, not an expectation
OPTIONS = ("--shard-lifetime-ms", "400", "--ttl-interval-ms", "20")


class Writer(threading.Thread):
    """Changes items that it shares with others, in every way that makes records, until the server is gone."""

    def __init__(self, port, choices):
        super().__init__(daemon=True)
        self._client = Client(port)
        self._random = choices
        self.done = 0
        self.problems = []

    def run(self):
        try:
            for _ in range(WRITES_MAX):
                self._random.choice((self._write_put, self._write_update, self._write_delete, self._write_batch, self._write_transaction))()
                self.done += 1
        except Unanswered:
            pass
        except ServiceError as error:
            self.problems.append(str(error))

    def _key(self):
        return {"pk": {"S": f"k{self._random.randrange(KEYS)}"}}

    def _item(self, key):
        item = {**key, "v": {"N": str(self._random.randrange(1 << 30))}}
        if self._random.random() < 0.5:
            item["g"] = {"S": f"g{self._random.randrange(3)}"}
        if self._random.random() < 0.3:
            item["until"] = {"N": str(int(time.time()) - EXPIRED)}
        return item

    def _write_put(self):
        self._single("PutItem", Item=self._item(self._key()))

    def _write_update(self):
        self._single(
            "UpdateItem", Key=self._key(), UpdateExpression="ADD v :one", ExpressionAttributeValues={":one": {"N": "1"}})

    def _write_delete(self):
        self._single("DeleteItem", Key=self._key())

    def _single(self, operation, **members):
        try:
            self._client.call(operation, TableName=TABLE, **members)
        except ServiceError as error:  # an item of a transaction that is under way
            if error.code != "TransactionConflictException":
                raise

    def _two_keys(self):
        first = self._random.randrange(KEYS)
        second = (first + 1 + self._random.randrange(KEYS - 1)) % KEYS
        return [{"pk": {"S": f"k{n}"}} for n in (first, second)]

    def _write_batch(self):
        first, second = self._two_keys()
        self._client.call("BatchWriteItem", RequestItems={
            TABLE: [{"PutRequest": {"Item": self._item(first)}}, {"DeleteRequest": {"Key": second}}]})

    def _write_transaction(self):
        first, second = self._two_keys()
        try:
            self._client.call("TransactWriteItems", TransactItems=[
                {"Put": {"TableName": TABLE, "Item": self._item(first)}}, {"Delete": {"TableName": TABLE, "Key": second}}])
        except ServiceError as error:
            if error.code != "TransactionCanceledException":
                raise


def create_table(client):
    client.call(
        "CreateTable", TableName=TABLE, KeySchema=tables.key_schema("pk"), BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "g")],
        GlobalSecondaryIndexes=[tables.index(INDEX, ("g",))],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
    return tables.wait_active(client, TABLE)["LatestStreamArn"]


def switch_expiry(client):
    """Switches time to live, unless the switch before is still under way."""
    status = client.call("DescribeTimeToLive", TableName=TABLE)["TimeToLiveDescription"]["TimeToLiveStatus"]
    specification = {"AttributeName": "until", "Enabled": status == "DISABLED"}
    try:
        client.call("UpdateTimeToLive", TableName=TABLE, TimeToLiveSpecification=specification)
    except Unanswered:
        pass
    except ServiceError as error:
        assert error.code == "ValidationException", error


def settled_items(client):
    """The table's items by key, once everything that has expired is gone where it has to go."""
    status = client.call("DescribeTimeToLive", TableName=TABLE)["TimeToLiveDescription"]["TimeToLiveStatus"]
    deadline = time.monotonic() + EXPIRY_S
    while True:
        items = {item["pk"]["S"]: item for item in tables.scan_all(client, TABLE, ConsistentRead=True)}
        expired = [pk for pk, item in items.items() if "until" in item]
        if status == "DISABLED" or not expired:
            return items
        assert time.monotonic() < deadline, f"expired and still there: {expired}"
        time.sleep(0.05)


def records(port, arn):
    """Every record of the stream; those of a shard behind those of its parent."""
    client = Client(port, target=STREAMS)
    more = {}
    while True:
        description = client.call("DescribeStream", StreamArn=arn, **more)["StreamDescription"]
        for shard in description["Shards"]:
            yield from shard_records(client, arn, shard["ShardId"])
        if "LastEvaluatedShardId" not in description:
            return
        more = {"ExclusiveStartShardId": description["LastEvaluatedShardId"]}


def shard_records(client, arn, shard):
    at = client.call(
        "GetShardIterator", StreamArn=arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
    while at:
        page = client.call("GetRecords", ShardIterator=at)
        yield from page["Records"]
        at = page.get("NextShardIterator") if page["Records"] else None


def replayed(told):
    """The items that the records lead to; each record must begin where the one before has ended."""
    items, seen = {}, set()
    for record in told:
        change = record["dynamodb"]
        pk, before, after = change["Keys"]["pk"]["S"], change.get("OldImage"), change.get("NewImage")
        assert record["eventID"] not in seen, f"told twice: {record}"
        seen.add(record["eventID"])
        assert items.get(pk) == before, f"before {record} there was {items.get(pk)}"
        assert record["eventName"] == ("INSERT" if before is None else "REMOVE" if after is None else "MODIFY")
        if "userIdentity" in record:
            assert after is None and "until" in before, record
        items[pk] = after
    return {pk: item for pk, item in items.items() if item is not None}, len(seen)


def test_streams_and_expiry_survive_kills(new_server, seeded, rounds):
    server = new_server(*OPTIONS).start()
    arn = create_table(Client(server.port))
    written = 0
    for _ in range(rounds):
        writers = [Writer(server.port, seeded) for _ in range(WRITERS)]
        for writer in writers:
            writer.start()
        time.sleep(seeded.uniform(0, 0.5))
        switch_expiry(Client(server.port))
        time.sleep(seeded.uniform(0, 0.3))
        server.kill()
        for writer in writers:
            writer.join()
        assert [problem for writer in writers for problem in writer.problems] == []
        written += sum(writer.done for writer in writers)
        server = new_server(*OPTIONS).start()
        client = Client(server.port)
        items = settled_items(client)
        told, count = replayed(records(server.port, arn))
        assert told == items
        rows = tables.scan_all(client, TABLE, IndexName=INDEX)
        assert {row["pk"]["S"]: row for row in rows} == {pk: item for pk, item in items.items() if "g" in item}
    assert server.stop() == 0
    assert count > 0, "there is no record, so nothing was tested"
    print(f"{rounds} kills, {written} requests, {count} records")
