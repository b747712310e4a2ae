import collections
import threading

from conftest import client_of
from trigger_process import wait_until

ITEMS, UPDATES, WRITERS = 12, 25, 4


def test_records_of_an_item_stay_in_order(server, make_table, trigger):
    """Several lanes for each shard, functions that fail now and then, and still an item's versions come in order."""
    table = make_table(shards=4)
    follower = trigger(
        table, "--parallelization-factor", "4", "--batch-size", "7", "--bisect-on-error",
        behaviour={"fail": ["item3", "item7"], "times": 4},
    )  # fmt: skip

    def write(writer):
        client = client_of(server)
        for _ in range(UPDATES):
            for item in range(writer, ITEMS, WRITERS):
                client.update_item(
                    TableName=table,
                    Key={"pk": {"S": f"pk{item}"}, "sk": {"S": f"item{item}"}},
                    UpdateExpression="ADD version :one",
                    ExpressionAttributeValues={":one": {"N": "1"}},
                )

    writers = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    follower.wait_for_records(ITEMS * UPDATES)

    def all_there():
        versions = collections.defaultdict(list)
        for record in follower.records():
            change = record["dynamodb"]
            versions[change["Keys"]["sk"]["S"]].append(int(change["NewImage"]["version"]["N"]))
        return versions

    wait_until(lambda: all(max(seen) == UPDATES for seen in all_there().values()), "the last versions")
    versions = all_there()
    assert len(versions) == ITEMS
    for item, seen in versions.items():
        # A batch that failed comes again, so versions may repeat; but a version comes first only after all before it.
        firsts = list(dict.fromkeys(seen))
        assert firsts == list(range(1, UPDATES + 1)), (item, seen)
