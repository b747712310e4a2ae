"""Compares what a restarted server holds with what its clients know."""

import dataclasses

import tables
from ledger import brief, check_claims, check_counters, check_items

TABLE = "crash"
BASE_KEYS = ("pk", "sk")
TYPES = {"pk": "S", "sk": "S", "stamp": "N", "tag": "S", "group": "S", "rank": "N"}
LOCAL = [tables.index("by-stamp", ("pk", "stamp"))]
GLOBAL = [
    tables.index("by-tag", ("tag",), "KEYS_ONLY"),  # sparse: few items have a tag
    tables.index("by-group", ("group", "rank"), "INCLUDE", ["note"]),
]
# Index to the attributes that an item needs to be in it, and those that it shows (None: all).
INDEXES = {
    "by-stamp": (("stamp",), None),
    "by-tag": (("tag",), {"pk", "sk", "tag"}),
    "by-group": (("group", "rank"), {"pk", "sk", "group", "rank", "note"}),
}


@dataclasses.dataclass
class Observed:
    """All that a server shows of the table."""

    items: dict  # (pk, sk) to item
    duplicates: list  # keys that the scan gave more than once
    indexes: dict  # name to the list of its rows
    counts: dict  # ItemCount by index name, the table's by None


def create_table(client):
    tables.create(client, TABLE, BASE_KEYS, TYPES, LOCAL, GLOBAL)


def key_of(item):
    return item["pk"]["S"], item["sk"]["S"]


def observe(client):
    rows = tables.scan_all(client, TABLE, ConsistentRead=True)
    items = {key_of(row): row for row in rows}
    description = client.call("DescribeTable", TableName=TABLE)["Table"]
    counts = {None: description["ItemCount"]}
    for index in description["LocalSecondaryIndexes"] + description["GlobalSecondaryIndexes"]:
        counts[index["IndexName"]] = index["ItemCount"]
    return Observed(
        items,
        [key for key in items if sum(key_of(row) == key for row in rows) > 1] if len(rows) > len(items) else [],
        {name: tables.scan_all(client, TABLE, IndexName=name) for name in INDEXES},
        counts,
    )


def implied_rows(items, index):
    """The rows that an index must have for these items."""
    needed, shown = INDEXES[index]
    rows = {}
    for key, item in items.items():
        if all(name in item for name in needed):
            rows[key] = {n: v for n, v in item.items() if shown is None or n in shown}
    return rows


def check_indexes(observed):
    found = []
    for name, rows in observed.indexes.items():
        implied = implied_rows(observed.items, name)
        actual = {key_of(row): row for row in rows}
        if len(actual) != len(rows):
            found.append(f"{name}: {len(rows) - len(actual)} items stand in it twice")
        for key in implied.keys() | actual.keys():
            if implied.get(key) != actual.get(key):
                found.append(f"{name}: {key} is {brief(actual.get(key))}, must be {brief(implied.get(key))}")
    return found


def check_counts(observed):
    real = {name: len(rows) for name, rows in observed.indexes.items()} | {None: len(observed.items)}
    return [
        f"ItemCount of {name or 'the table'} is {observed.counts[name]}, real are {count}"
        for name, count in real.items()
        if observed.counts[name] != count
    ]


def check(ledgers, observed):
    """All contradictions, as sentences; none if the server kept its word."""
    found = [f"{key} is there twice" for key in observed.duplicates]
    known = set()
    for ledger in ledgers:
        wrong, keys = check_items(ledger, observed)
        found += wrong + ledger.problems
        known |= keys.keys()
    for key in observed.items.keys() - known:
        if key[1] not in ("counter", "claim"):
            found.append(f"{key} was never written")
    found += check_counters(ledgers, observed)
    found += check_claims(ledgers, observed)
    found += check_indexes(observed)
    found += check_counts(observed)
    return found
