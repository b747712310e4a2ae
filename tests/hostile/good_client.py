"""A client that behaves well while others do not, and looks whether it is served correctly."""

import threading
import time

import tables
from wire_client import Client, ServiceError

TABLE = "well-behaved"
STEPS_MAX = 100_000_000


class GoodClient(threading.Thread):
    """Writes, reads back, counts and queries its own table until stopped. The first wrong answer is kept."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self._client = Client(port)
        self._stopping = threading.Event()
        self.steps = 0
        self.problem = None
        types = {"pk": "S", "sk": "N", "g": "S"}
        tables.create(self._client, TABLE, ("pk", "sk"), types, globals_=[tables.index("by-g", ("g",))])

    def run(self):
        try:
            for self.steps in range(STEPS_MAX):
                if self._stopping.is_set():
                    return
                self._step_began = time.monotonic()
                self._step(self.steps)
        except Exception as error:  # whatever it is, the test must hear of it
            waited_s = time.monotonic() - self._step_began
            self.problem = f"{error!r} in step {self.steps}, which took {waited_s:.1f} s until then"

    def stop(self):
        self._stopping.set()
        self.join()
        assert self.problem is None, self.problem
        return self.steps

    def _step(self, number):
        key = {"pk": {"S": f"p{number % 3}"}, "sk": {"N": str(number % 10)}}
        item = {**key, "g": {"S": f"g{number}"}, "v": {"M": {"n": {"N": str(number)}, "b": {"B": "AAEC"}}}}
        call = self._client.call
        call("PutItem", TableName=TABLE, Item=item)
        assert call("GetItem", TableName=TABLE, Key=key, ConsistentRead=True)["Item"] == item
        found = call("Query", TableName=TABLE, IndexName="by-g", KeyConditionExpression="g = :g",
                     ExpressionAttributeValues={":g": item["g"]})["Items"]
        assert found == [item], found
        answer = call("UpdateItem", TableName=TABLE, Key={"pk": {"S": "counter"}, "sk": {"N": "0"}},
                      UpdateExpression="ADD n :one", ExpressionAttributeValues={":one": {"N": "1"}},
                      ReturnValues="UPDATED_NEW")
        assert answer["Attributes"] == {"n": {"N": str(number + 1)}}, answer
        try:
            call("DeleteItem", TableName=TABLE, Key=key, ConditionExpression="attribute_exists(never)")
            raise AssertionError("a delete succeeded although its condition was false")
        except ServiceError as error:
            assert error.code == "ConditionalCheckFailedException", error
        time.sleep(0.001)  # it is one client among many


def remove_strange_tables(port, known):
    """Mutated CreateTable requests leave tables of strange names; without this they pile up."""
    client = Client(port)
    names = client.call("ListTables")["TableNames"]
    for name in names:
        if not name.startswith(tuple(known)):
            try:
                client.call("DeleteTable", TableName=name)
            except ServiceError:
                pass  # another one took it, or it is protected
    client.close()
    return len(names)
