"""Tables that come and go are there after a kill, or gone, as was acknowledged."""

import threading
import time

import tables
from wire_client import Client, ServiceError, Unanswered

CHANGERS = 4
CHANGES_MAX = 100_000
RACERS = 6
RACE_S = 1.0


def create(client, name):
    tables.create(client, name, ("pk",), {"pk": "S"})


class Changer(threading.Thread):
    """Creates its table, fills it, deletes it, and again. Knows what must be there."""

    def __init__(self, name, client, present):
        super().__init__(daemon=True)
        self.name = name
        self._client = client
        self.items = {} if present is None else dict(present)
        self.present = present is not None
        self.in_doubt = None  # create, put or delete
        self.problems = []

    def run(self):
        try:
            for number in range(CHANGES_MAX):
                self._change(number)
        except Unanswered:
            pass
        except (ServiceError, AssertionError) as error:
            self.problems.append(f"{self.name}: {self.in_doubt}: {error}")

    def _change(self, number):
        if not self.present:
            self.in_doubt = "create"
            create(self._client, self.name)
            self.present, self.in_doubt = True, None
            assert tables.scan_all(self._client, self.name) == [], "a new table is not empty"
        elif number % 5:
            self.in_doubt = "put"
            self._client.call("PutItem", TableName=self.name, Item={"pk": {"S": str(number)}})
            self.items[str(number)] = {"pk": {"S": str(number)}}
            self.in_doubt = None
        else:
            self.in_doubt = "delete"
            self._client.call("DeleteTable", TableName=self.name)
            self.present, self.in_doubt, self.items = False, None, {}

    def check(self, client):
        """Compares with the restarted server; gives what is there and the contradictions."""
        found = list(self.problems)
        there = self.name in client.call("ListTables")["TableNames"]
        if there != self.present and self.in_doubt not in ("create", "delete"):
            found.append(f"{self.name}: acknowledged present={self.present}, it is {there}")
        if not there:
            return None, found
        items = {item["pk"]["S"]: item for item in tables.scan_all(client, self.name, ConsistentRead=True)}
        extra = items.keys() - self.items.keys()
        if self.items.keys() - items.keys() or len(extra) > (1 if self.in_doubt == "put" else 0):
            found.append(f"{self.name}: acknowledged {sorted(self.items)}, there is {sorted(items)}")
        return items, found


def test_table_changes_survive_kills(new_server, seeded, rounds):
    names = [f"changing-{number}" for number in range(CHANGERS)]
    contents = dict.fromkeys(names)
    server = new_server().start()
    for _ in range(max(2, rounds // 2)):
        changers = [Changer(name, Client(server.port), contents[name]) for name in names]
        for changer in changers:
            changer.start()
        time.sleep(seeded.uniform(0.05, 1.0))
        server.kill()
        for changer in changers:
            changer.join()
        server = new_server().start()
        client = Client(server.port)
        for changer in changers:
            contents[changer.name], found = changer.check(client)
            assert found == []
    assert server.stop() == 0


class Racer(threading.Thread):
    """Deletes and creates one table together with others; who comes too late is refused."""

    def __init__(self, port, table, deadline):
        super().__init__(daemon=True)
        self._client = Client(port)
        self._table = table
        self._deadline = deadline
        self.problems = set()

    def run(self):
        for number in range(CHANGES_MAX):
            if time.monotonic() > self._deadline:
                return
            try:
                self._change(number)
            except ServiceError as error:
                if error.code not in ("ResourceNotFoundException", "ResourceInUseException"):
                    self.problems.add(str(error))

    def _change(self, number):
        if number % 2:
            self._client.call("DeleteTable", TableName=self._table)
            return
        self._client.call(
            "CreateTable", TableName=self._table, KeySchema=tables.key_schema("pk"), BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        )
        self._client.call("PutItem", TableName=self._table, Item={"pk": {"S": f"{number}"}})


def test_a_table_created_while_its_predecessor_is_deleted_survives_a_kill(new_server, rounds):
    server = new_server().start()
    for number in range(max(2, rounds // 2)):
        deadline = time.monotonic() + RACE_S
        names = [f"raced-{number}-{n}" for n in range(3)]
        racers = [Racer(server.port, name, deadline) for name in names for _ in range(RACERS)]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
        assert set().union(*(racer.problems for racer in racers)) == set()
        before = shown(Client(server.port))
        server.kill()
        server = new_server().start()
        assert shown(Client(server.port)) == before
    assert server.stop() == 0


def shown(client):
    """Every table with its id and its items."""
    return {
        name: (
            client.call("DescribeTable", TableName=name)["Table"]["TableId"],
            sorted(item["pk"]["S"] for item in tables.scan_all(client, name)),
        )
        for name in client.call("ListTables")["TableNames"]
    }
