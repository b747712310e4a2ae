"""Many writers at once: nothing is lost, nothing is counted twice."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from boto3.dynamodb.conditions import Attr

from support import eventually, index

THREADS = 16
ROUNDS = 10


@pytest.fixture(scope="module")
def table(new_table):
    return new_table({"pk": "S"}, gsis=[index("by-state", {"state": "S"}, ["version"])])


def in_threads(work, count):
    """Runs work(0) .. work(count - 1), each in its own thread, and returns their answers."""
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def load(table, key):
    return table.get_item(Key={"pk": key}, ConsistentRead=True)["Item"]


def test_optimistic_locking_loses_no_update(table, key):
    table.put_item(Item={"pk": key, "version": 0, "log": []})
    conflict = table.meta.client.exceptions.ConditionalCheckFailedException

    def writer(number):
        conflicts = 0
        for turn in range(ROUNDS):
            while True:
                item = load(table, key)
                seen = item["version"]
                item["version"] += 1
                item["log"].append(f"{number}.{turn}")
                try:
                    table.put_item(Item=item, ConditionExpression=Attr("version").eq(seen))
                    break
                except conflict:
                    conflicts += 1
        return conflicts

    conflicts = in_threads(writer, THREADS)
    item = load(table, key)
    assert item["version"] == THREADS * ROUNDS
    assert sorted(item["log"]) == sorted(f"{n}.{t}" for n in range(THREADS) for t in range(ROUNDS))
    assert sum(conflicts) > 0, "the writers never met: the test proved nothing"


def test_counters_of_64_threads_lose_nothing(table, key):
    def writer(number):
        return [
            int(
                table.update_item(
                    Key={"pk": key},
                    UpdateExpression="ADD hits :one",
                    ExpressionAttributeValues={":one": 1},
                    ReturnValues="UPDATED_NEW",
                )["Attributes"]["hits"]
            )
            for _ in range(ROUNDS)
        ]

    seen = [value for values in in_threads(writer, 64) for value in values]
    assert load(table, key)["hits"] == 64 * ROUNDS
    # Each increment saw its own value: had two seen the same one, one would have been lost.
    assert sorted(seen) == list(range(1, 64 * ROUNDS + 1))


def test_appends_to_one_list_all_arrive(table, key):
    def writer(number):
        for turn in range(ROUNDS):
            table.update_item(
                Key={"pk": key},
                UpdateExpression="SET entries = list_append(if_not_exists(entries, :none), :new)",
                ExpressionAttributeValues={":none": [], ":new": [number * ROUNDS + turn]},
            )

    in_threads(writer, THREADS)
    entries = [int(entry) for entry in load(table, key)["entries"]]
    assert sorted(entries) == list(range(THREADS * ROUNDS))
    for number in range(THREADS):
        own = [entry for entry in entries if entry // ROUNDS == number]
        assert own == sorted(own), "the appends of one thread must keep their order"


def test_one_of_many_creators_wins(table, key):
    conflict = table.meta.client.exceptions.ConditionalCheckFailedException

    def creator(number):
        won = []
        for turn in range(ROUNDS):
            try:
                table.put_item(
                    Item={"pk": f"{key}-{turn}", "by": number},
                    ConditionExpression="attribute_not_exists(pk)",
                )
                won.append(turn)
            except conflict:
                pass
        return won

    winners = {}
    for number, won in enumerate(in_threads(creator, THREADS)):
        for turn in won:
            assert turn not in winners, "two creators of one item"
            winners[turn] = number
    assert sorted(winners) == list(range(ROUNDS))
    for turn, number in winners.items():
        assert load(table, f"{key}-{turn}")["by"] == number


def test_a_transfer_between_attributes_keeps_their_sum(table, key):
    table.put_item(Item={"pk": key, "left": 500, "right": 500})

    def mover(number):
        source, target = ("left", "right") if number % 2 else ("right", "left")
        for _ in range(ROUNDS):
            table.update_item(
                Key={"pk": key},
                UpdateExpression="SET #s = #s - :n, #t = #t + :n",
                ExpressionAttributeNames={"#s": source, "#t": target},
                ExpressionAttributeValues={":n": number},
            )
            item = load(table, key)
            assert item["left"] + item["right"] == 1000

    in_threads(mover, THREADS)
    # Threads 1, 3, .. moved to the right, 0, 2, .. to the left.
    to_right = sum(range(1, THREADS, 2)) * ROUNDS
    to_left = sum(range(0, THREADS, 2)) * ROUNDS
    item = load(table, key)
    assert (item["left"], item["right"]) == (500 - to_right + to_left, 500 + to_right - to_left)


def test_an_index_agrees_with_the_table_after_many_moves(table, key):
    states = [f"{key}-{name}" for name in ("new", "open", "done")]

    def writer(number):
        for turn in range(ROUNDS):
            for item in range(5):
                table.update_item(
                    Key={"pk": f"{key}-{item}"},
                    UpdateExpression="SET #s = :s ADD version :one",
                    ExpressionAttributeNames={"#s": "state"},
                    ExpressionAttributeValues={":s": states[(number + turn + item) % 3], ":one": 1},
                )

    in_threads(writer, THREADS)
    in_table = {}
    for item in range(5):
        stored = load(table, f"{key}-{item}")
        assert stored["version"] == THREADS * ROUNDS
        in_table[stored["pk"]] = (stored["state"], stored["version"])

    def in_index():
        found = []
        for state in states:
            found += table.query(
                IndexName="by-state",
                KeyConditionExpression="#s = :s",
                ExpressionAttributeNames={"#s": "state"},
                ExpressionAttributeValues={":s": state},
            )["Items"]
        return sorted((item["pk"], (item["state"], item["version"])) for item in found)

    eventually(in_index, sorted(in_table.items()))
