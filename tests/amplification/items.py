"""Items as large as items can be, each in its own way, and large values that are nearly like what is in them."""

import functools
import json
import random

TABLE = "amplified"
ITEM_BYTES_MAX = 400 * 1024


class Text(str):
    """JSON that is ready to be sent: large values are turned into text once."""


def dump(document):
    """JSON of a document with ready parts in it."""
    if isinstance(document, Text):
        return document
    if isinstance(document, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{dump(value)}" for name, value in document.items()) + "}"
    if isinstance(document, (list, tuple)):
        return "[" + ",".join(map(dump, document)) + "]"
    return json.dumps(document)


def _ready(value):
    return Text(json.dumps(value, separators=(",", ":")))


def _numbers(count, first=10_000):
    return [str(number) for number in range(first, first + count)]


def _shuffled(members, other=None):
    members = random.Random(len(members)).sample(members, len(members))
    return [*members[:-1], other] if other else members


def _deep(levels, kind):
    value = {"S": "x" * 1000}
    for _ in range(levels):
        value = {"L": [value]} if kind == "L" else {"M": {"d": value}}
    return value


@functools.cache
def large_attributes():
    """The attribute that makes each item large, by its name."""
    return {
        "l": _ready({"L": [{"NULL": True}] * 95_000}),
        "e": _ready({"L": [{"M": {}}] * 60_000}),
        "s": _ready({"NS": _numbers(48_000)}),
        "q": _ready({"SS": ["member" + number for number in _numbers(30_000)]}),
        "o": _ready({"BS": ["QUFB" + f"{number:08d}" for number in range(30_000)]}),
        "t": _ready({"S": "a" * 396_000}),
        "c": _ready({"S": "\u0001" * 390_000}),
        "b": _ready({"B": "A" * 520_000}),
        "m": _ready({"M": {f"k{number}": {"NULL": True} for number in range(30_000)}}),
        "g": _ready({"L": [{"NS": _numbers(90, first)} for first in range(1_200)]}),
        "h": _ready({"L": [{"M": {f"k{number}": {"NULL": True} for number in range(40)}} for _ in range(1_500)]}),
        "d": _ready({"L": [_deep(29, "L")] * 300}),
        "i": _ready({"M": {f"k{number}": _deep(28, "M") for number in range(300)}}),
    }


NAMES = list("leqsotcbmghdi")


@functools.cache
def large_values():
    """Values to compare with, to search for, to add and to take away."""
    return [
        *large_attributes().values(),
        _ready({"NS": _shuffled(_numbers(48_000))}),
        _ready({"NS": _shuffled(_numbers(48_000), "1")}),
        _ready({"NS": _numbers(24_000)[::-1]}),
        _ready({"NS": _numbers(60_000, 500_000)}),
        _ready({"SS": _shuffled(["member" + number for number in _numbers(30_000)])}),
        _ready({"S": "a" * 47_500 + "b" + "a" * 47_499}),
        _ready({"S": "a" * 255 + "b"}),
        _ready({"S": "a" * 200 + "b" + "a" * 20}),
        _ready({"B": "A" * 40_000 + "B" + "A" * 39_999}),
        _ready({"M": {f"k{number}": {"NULL": True} for number in reversed(range(30_000))}}),
        _ready({"L": [{"S": "x" * 50}] * 5_000}),
        _ready({"L": [{"NS": ["9" * 38] + _numbers(8)}]}),
        _ready({"SS": ["p" * 5_000 + str(number) for number in range(90)]}),
        _ready(_deep(31, "M")),
    ]


SMALL_VALUES = [
    {"S": ""}, {"S": "a"}, {"S": "b"}, {"N": "0"}, {"N": "1"}, {"N": "-9.9999999999999999999999999999999999999E+125"},
    {"B": "AA=="}, {"BOOL": True}, {"NULL": True}, {"L": []}, {"M": {}}, {"NS": ["1"]}, {"SS": ["a"]}, {"BS": ["AA=="]},
    {"S": "x" * 1025}, {"S": "x" * 2049}, {"L": [{"L": [{"L": []}]}]}, {"M": {"k1": {"M": {"k2": {"N": "1"}}}}},
]


def key(name):
    return {"pk": {"S": name}}


@functools.cache
def item_bodies():
    """Bodies of the PutItem of every item, by key."""
    bodies = {}
    small = {name: SMALL_VALUES[at % len(SMALL_VALUES)] for at, name in enumerate(NAMES)}
    for name, value in large_attributes().items():
        bodies[name] = {"TableName": TABLE, "Item": {**key(name), **small, name: value, "n": {"N": "1"}}}
    bodies["wide"] = {"TableName": TABLE, "Item": {**key("wide"), **{f"k{i}": {"NULL": True} for i in range(40_000)}}}
    bodies["small"] = {"TableName": TABLE, "Item": {**key("small"), **small, "n": {"N": "1"}}}
    return {name: dump(body).encode() for name, body in bodies.items()}
