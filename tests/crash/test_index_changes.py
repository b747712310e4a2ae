"""An index that is being built or removed when the server dies is whole afterwards, or not there."""

import threading
import time

import tables
from wire_client import Client, ServiceError, Unanswered

TABLE = "building"
INDEX = "by-g"
ITEMS = 1500
WRITERS = 3
WRITES_MAX = 1_000_000
ACTIVE_S = 60  # a bound for a busy machine, not an expectation


def key_of(item):
    return item["pk"]["S"]


class Writer(threading.Thread):
    """Changes items while the index changes. Its keys are its own, so it knows what they hold."""

    def __init__(self, port, number, choices, items):
        super().__init__(daemon=True)
        self._client = Client(port)
        self._number = number
        self._random = choices
        self.items = items  # pk to item, None for a deleted one
        self.in_doubt = None  # (pk, item)
        self.problems = []

    def run(self):
        try:
            for step in range(WRITES_MAX):
                self._write(step)
        except Unanswered:
            pass
        except ServiceError as error:
            self.problems.append(str(error))

    def _write(self, step):
        pk = f"{self._number}-{self._random.randrange(ITEMS // WRITERS)}"
        item = {"pk": {"S": pk}, "g": {"S": f"g{self._random.randrange(20)}"}, "v": {"N": str(step)}}
        if self._random.random() < 0.3:
            del item["g"]
        if self._random.random() < 0.2:
            self.in_doubt = pk, None
            self._client.call("DeleteItem", TableName=TABLE, Key={"pk": {"S": pk}})
        else:
            self.in_doubt = pk, item
            self._client.call("PutItem", TableName=TABLE, Item=item)
        self.items[pk] = self.in_doubt[1]
        self.in_doubt = None

    def settle(self, there):
        """Contradictions to what is there now; what was in doubt is taken from there."""
        if self.in_doubt:
            pk, item = self.in_doubt
            if there.get(pk) not in (item, self.items.get(pk)):
                self.problems.append(f"{pk}: in doubt {item}, there is {there.get(pk)}")
            self.items[pk] = there.get(pk)
        wrong = [pk for pk, item in self.items.items() if there.get(pk) != item]
        return self.problems + [f"{pk}: acknowledged {self.items[pk]}, there is {there.get(pk)}" for pk in wrong]


def indexes(client):
    table = client.call("DescribeTable", TableName=TABLE)["Table"]
    return {index["IndexName"]: index for index in table.get("GlobalSecondaryIndexes", [])}


def change_index(client, change):
    """Starts to create or delete the index; whether that was acknowledged."""
    update = {"IndexName": INDEX}
    members = {}
    if change == "Create":
        update |= {"KeySchema": tables.key_schema("g"), "Projection": {"ProjectionType": "ALL"}}
        members["AttributeDefinitions"] = [{"AttributeName": n, "AttributeType": "S"} for n in ("pk", "g")]
    try:
        client.call("UpdateTable", TableName=TABLE, GlobalSecondaryIndexUpdates=[{change: update}], **members)
        return True
    except Unanswered:
        return False


def assert_settled(client):
    """Waits until the index is active or gone, and compares it with the table. Gives whether it is there."""
    deadline = time.monotonic() + ACTIVE_S
    while (index := indexes(client).get(INDEX)) and index["IndexStatus"] != "ACTIVE":
        assert time.monotonic() < deadline, f"the index stays {index['IndexStatus']}"
        time.sleep(0.05)
    if not index:
        return False
    items = {key_of(item): item for item in tables.scan_all(client, TABLE, ConsistentRead=True)}
    rows = tables.scan_all(client, TABLE, IndexName=INDEX)
    assert {key_of(row): row for row in rows} == {pk: item for pk, item in items.items() if "g" in item}
    assert len(rows) == len({key_of(row) for row in rows})
    return True


def test_index_changes_survive_kills(new_server, seeded, rounds):
    server = new_server().start()
    client = Client(server.port)
    tables.create(client, TABLE, ("pk",), {"pk": "S"})
    known = [{} for _ in range(WRITERS)]
    for n in range(ITEMS):
        pk = f"{n % WRITERS}-{n // WRITERS}"
        item = {"pk": {"S": pk}, "g": {"S": f"g{n % 20}"}}
        client.call("PutItem", TableName=TABLE, Item=item)
        known[n % WRITERS][pk] = item
    present = False
    for _ in range(rounds):
        change = "Delete" if present else "Create"
        writers = [Writer(server.port, n, seeded, items) for n, items in enumerate(known)]
        for writer in writers:
            writer.start()
        acknowledged = change_index(Client(server.port), change)
        time.sleep(seeded.uniform(0, 0.3))
        server.kill()
        for writer in writers:
            writer.join()
        server = new_server().start()
        client = Client(server.port)
        there = {key_of(item): item for item in tables.scan_all(client, TABLE, ConsistentRead=True)}
        assert [problem for writer in writers for problem in writer.settle(there)] == []
        before, present = present, assert_settled(client)
        assert present == (change == "Create") or (present == before and not acknowledged)
    assert server.stop() == 0
