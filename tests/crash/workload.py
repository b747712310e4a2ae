"""Clients that write until the server dies, and note what they were told."""

import random
import threading

from checker import TABLE
from wire_client import Client, ServiceError, Unanswered

WORKERS = 8
KEYS_PER_WORKER = 80
BATCH = 12
COUNTERS = ("counter-a", "counter-b")
REQUESTS_MAX = 1_000_000  # of one worker in one round


class Worker(threading.Thread):
    """Works on keys of its own, so that it knows what they hold; counters and claims it shares with all."""

    def __init__(self, number, ledger, port, seed, round_number, stopping):
        super().__init__(daemon=True)
        self._number = number
        self._ledger = ledger
        self._client = Client(port)
        self._random = random.Random(seed)
        self._round = round_number
        self._stopping = stopping
        self._sequence = self._random.randrange(1 << 40)
        self._claims = 0

    def run(self):
        actions = [
            self.put, self.update, self.delete, self.batch, self.transaction, self.conditional_put, self.count,
            self.claim,
        ]
        weights = [25, 20, 10, 10, 10, 10, 10, 5]
        for _ in range(REQUESTS_MAX):
            if self._stopping.is_set():
                break
            try:
                self._random.choices(actions, weights)[0]()
            except Unanswered:
                break  # the action has noted its doubt
            except (ServiceError, AssertionError) as error:
                self._ledger.problems.append(f"worker {self._number}: unexpected answer {error}")
                break
        self._client.close()

    def _key(self):
        n = self._random.randrange(KEYS_PER_WORKER)
        return f"worker-{self._number}-{n % 7}", f"{n:04}"

    def _new_item(self, key):
        item = {"pk": {"S": key[0]}, "sk": {"S": key[1]}, **self._changes()}
        # Now and then a large one, so that write buffers fill up and files are written and merged.
        size = self._random.choice((0, 10, 100, 1000, 1000, 60_000))
        item["blob"] = {"S": self._random.choice("abcdefgh") * size}
        return item

    def _changes(self):
        self._sequence += 1
        changes = {"seq": {"N": str(self._sequence)}, "note": {"S": f"note {self._sequence}"}}
        if self._random.random() < 0.8:
            changes["stamp"] = {"N": str(self._random.randrange(1000))}
        if self._random.random() < 0.2:
            changes["tag"] = {"S": f"tag-{self._random.randrange(5)}"}
        if self._random.random() < 0.7:
            changes["group"] = {"S": f"group-{self._random.randrange(5)}"}
            changes["rank"] = {"N": str(self._random.randrange(100))}
        return changes

    def _write(self, operation, writes, **members):
        """Sends a request that changes items as `writes` says, and notes what became of it."""
        try:
            answer = self._client.call(operation, **members)
        except Unanswered:
            self._ledger.doubt.append(writes)
            raise
        self._ledger.acknowledge(writes)
        return answer

    def put(self):
        key = self._key()
        item = self._new_item(key)
        self._write("PutItem", {key: item}, TableName=TABLE, Item=item)

    def delete(self):
        key = self._key()
        self._write("DeleteItem", {key: None}, TableName=TABLE, Key={"pk": {"S": key[0]}, "sk": {"S": key[1]}})

    def update(self):
        key = self._key()
        names = {"pk": {"S": key[0]}, "sk": {"S": key[1]}}
        changes = self._changes()
        removed = [name for name in ("tag", "group", "rank", "stamp") if name not in changes]
        item = {n: v for n, v in (self._ledger.items.get(key) or names).items() if n not in removed}
        item.update(changes)
        expression = "SET " + ", ".join(f"#{name} = :{name}" for name in changes)
        if removed:
            expression += " REMOVE " + ", ".join(f"#{name}" for name in removed)
        answer = self._write(
            "UpdateItem", {key: item}, TableName=TABLE, Key=names, UpdateExpression=expression,
            ExpressionAttributeNames={f"#{name}": name for name in [*changes, *removed]},
            ExpressionAttributeValues={f":{name}": value for name, value in changes.items()},
            ReturnValues="ALL_NEW",
        )
        assert answer["Attributes"] == item, (answer, item)

    def batch(self):
        writes, requests = {}, []
        for key in {self._key() for _ in range(BATCH)}:
            if self._random.random() < 0.3:
                writes[key] = None
                requests.append({"DeleteRequest": {"Key": {"pk": {"S": key[0]}, "sk": {"S": key[1]}}}})
            else:
                writes[key] = self._new_item(key)
                requests.append({"PutRequest": {"Item": writes[key]}})
        answer = self._write("BatchWriteItem", writes, RequestItems={TABLE: requests})
        assert not answer["UnprocessedItems"], answer

    def transaction(self):
        """Puts and deletes of several keys, sometimes with a check that fails: then nothing of it may be done."""
        keys = list({self._key() for _ in range(6)})
        writes, actions = {}, []
        for key in keys[1:]:
            if self._random.random() < 0.3:
                writes[key] = None
                actions.append({"Delete": {"TableName": TABLE, "Key": {"pk": {"S": key[0]}, "sk": {"S": key[1]}}}})
            else:
                writes[key] = self._new_item(key)
                actions.append({"Put": {"TableName": TABLE, "Item": writes[key]}})
        right = self._random.random() < 0.8
        exists = (self._ledger.items.get(keys[0]) is not None) == right
        actions.insert(self._random.randrange(len(actions) + 1), {"ConditionCheck": {
            "TableName": TABLE, "Key": {"pk": {"S": keys[0][0]}, "sk": {"S": keys[0][1]}},
            "ConditionExpression": "attribute_exists(pk)" if exists else "attribute_not_exists(pk)",
        }})
        try:
            self._write("TransactWriteItems", writes, TransactItems=actions)
        except ServiceError as error:
            if right or error.code != "TransactionCanceledException":
                raise
        else:
            assert right, f"a transaction succeeded although its check of {keys[0]} was false"

    def conditional_put(self):
        key = self._key()
        old = self._ledger.items.get(key)
        right = self._random.random() < 0.8
        if old is None:
            condition = {"ConditionExpression": "attribute_not_exists(pk)" if right else "attribute_exists(pk)"}
        else:
            expected = old["seq"] if right else {"N": "-1"}
            condition = {"ConditionExpression": "seq = :seq", "ExpressionAttributeValues": {":seq": expected}}
        item = self._new_item(key)
        try:
            self._write("PutItem", {key: item}, TableName=TABLE, Item=item, **condition)
        except ServiceError as error:
            if right or error.code != "ConditionalCheckFailedException":
                raise
        else:
            assert right, f"a put of {key} succeeded although its condition was false"

    def count(self):
        counter = self._random.choice(COUNTERS)
        ledger = self._ledger
        try:
            answer = self._client.call(
                "UpdateItem", TableName=TABLE, Key={"pk": {"S": counter}, "sk": {"S": "counter"}},
                UpdateExpression="ADD #count :one", ExpressionAttributeNames={"#count": "count"},
                ExpressionAttributeValues={":one": {"N": "1"}}, ReturnValues="UPDATED_NEW",
            )
        except Unanswered:
            ledger.counts_in_doubt[counter] = ledger.counts_in_doubt.get(counter, 0) + 1
            raise
        ledger.counted[counter] = ledger.counted.get(counter, 0) + 1
        ledger.count_seen[counter] = int(answer["Attributes"]["count"]["N"])
        ledger.acknowledged += 1

    def claim(self):
        """All workers put the same new keys, in the same order and each under the same condition."""
        claim = f"claim-{self._round}-{self._claims}"
        self._claims += 1
        item = {"pk": {"S": claim}, "sk": {"S": "claim"}, "owner": {"S": str(self._number)}}
        try:
            self._client.call("PutItem", TableName=TABLE, Item=item, ConditionExpression="attribute_not_exists(pk)")
        except Unanswered:
            self._ledger.claims_in_doubt.add(claim)
            raise
        except ServiceError as error:
            if error.code != "ConditionalCheckFailedException":
                raise
            self._ledger.claims_refused.add(claim)
        else:
            self._ledger.claims_won.add(claim)
        self._ledger.acknowledged += 1


class Load:
    """Workers of one round, from now until stop() or the death of the server."""

    def __init__(self, ledgers, port, choices, round_number):
        self._stopping = threading.Event()
        self._workers = [
            Worker(number, ledger, port, choices.getrandbits(64), round_number, self._stopping)
            for number, ledger in enumerate(ledgers)
        ]
        for worker in self._workers:
            worker.start()

    def join(self):
        """Waits until the workers have found the server dead."""
        for worker in self._workers:
            worker.join()

    def stop(self):
        """Ends the load between two requests."""
        self._stopping.set()
        self.join()
