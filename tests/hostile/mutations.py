"""Makes something else of a request: other types, missing and doubled members, strange text, broken bytes."""

import json

from expressions import spoil

NUMBERS = (
    "1e126", "-1e126", "1e-131", "9" * 39, "0" * 500, "1e999999999", "1e-999999999", "NaN", "Infinity", "0x10",
    "--1", "1.2.3",
    "+", "", " 1", "١", "1_000", "9" * 2000, "1e" + "9" * 400, "0." + "0" * 129 + "1", "-0", "-", "e5", ".",
)
SCALARS = (
    None, True, False, 0, -1, 1, 3.5, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 1e308, "", "x", "true", "\u0000",
    "\ud800",
    "\U0001f600" * 10, "../../etc/passwd", "x" * 256, [], {}, [[]], {"": {}}, [None], {"S": "x"}, {"N": "1"},
)
BAD_TEXT = (
    b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\\ud800", b"\\u00", b"\x00",
)
VALUES = (
    {"S": ""}, {"S": "é"}, {"N": "12345678901234567890"}, {"N": "-1e-100"}, {"B": ""}, {"BOOL": False},
    {"NULL": True}, {"L": []},
    {"M": {}}, {"SS": ["b", "a"]}, {"NS": ["1", "2"]}, {"BS": ["AA=="]}, {"M": {"x": {"L": [{"S": "y"}]}}},
    {"N": "9e125"},
    {}, {"S": None}, {"S": 1}, {"N": 1}, {"N": "x"}, {"B": "!"}, {"B": "YQ"}, {"B": "YQ===="}, {"BOOL": "true"},
    {"NULL": False},
    {"SS": []}, {"SS": ["a", "a"]}, {"NS": ["1", "1.0"]}, {"NS": ["x"]}, {"BS": ["YQ==", "YQ=="]}, {"L": {}}, {"M": []},
    {"S": "a", "N": "1"}, {"X": "a"}, {"s": "a"}, {"M": {"": {"S": ""}}}, {"L": [{}]}, {"SS": [""]},
)


def deep(kind, levels):
    if kind == "L":
        return '{"L":[' * levels + '{"S":"x"}' + "]}" * levels
    return '{"M":{"m":' * levels + '{"S":"x"}' + "}}" * levels


HUGE_TEXTS = [  # rare, because they cost the client more than the server
    deep("L", 3000), deep("M", 3000), "[" * 100_000, json.dumps({"S": "x" * 409_600}), json.dumps("x" * 70_000),
    json.dumps({"B": "A" * 600_000}), json.dumps({"L": [{"NULL": True}] * 30_000}), '"' + "\\u0000" * 50_000 + '"',
    json.dumps({f"n{n}": {"S": "x"} for n in range(10_000)}), json.dumps(" AND ".join(["a = :v"] * 2000)),
    "9" * 100_000,
    json.dumps("(" * 4090), json.dumps("NOT " * 1000 + "a = :v"), json.dumps("a" + ".a" * 2000 + " = :v"),
]
BODY_BYTES_MAX = 4 << 20  # a larger body than the server takes would end the connection
SCALAR_TEXTS = [json.dumps(value) for value in SCALARS]
VALUE_TEXTS = [json.dumps(value) for value in VALUES]


class Mutator:
    def __init__(self, choices):
        self._choices = choices
        self._raw = {}

    def mutate(self, document):
        """The mutated document as bytes. Mostly still JSON."""
        c = self._choices
        self._raw = {}
        kind = c.random()
        if kind > 0.3:
            self._change_text(document)
        elif kind > 0.1:  # below it stays as it is, so that there is data
            for _ in range(c.choice((1, 1, 2))):
                self._change(document)
        body = json.dumps(document).encode()
        for mark, text in self._raw.items():
            body = body.replace(mark, text)
        if 0.1 < kind < 0.13:
            body = self._double_a_member(body)
        return body[:BODY_BYTES_MAX]

    def _change_text(self, document):
        """Spoils an expression if there is one, or puts another attribute value somewhere."""
        c = self._choices
        expressions = [name for name in document if name.endswith("Expression")]
        if expressions and c.random() < 0.7:
            name = c.choice(expressions)
            document[name] = spoil(c, document[name])
            return
        for name in ("Item", "Key", "ExpressionAttributeValues", "ExclusiveStartKey"):
            values = document.get(name)
            if isinstance(values, dict) and values and c.random() < 0.8:
                values[c.choice(list(values))] = self._raw_text(c.choice(VALUE_TEXTS))
                return
        self._change(document)

    def _change(self, document):
        """Walks to a random place and changes what is there."""
        c = self._choices
        parent, name = None, None
        here = document
        for _ in range(c.randrange(1, 7)):
            if isinstance(here, dict) and here:
                parent, name = here, c.choice(list(here))
            elif isinstance(here, list) and here:
                parent, name = here, c.randrange(len(here))
            else:
                break
            here = parent[name]
        if parent is None:
            document[c.choice(("TableName", "Unknown", ""))] = self._raw_text(c.choice(SCALAR_TEXTS))
            return
        parent[name] = self._instead_of(parent[name])
        kind = c.randrange(8)
        if kind == 0:
            del parent[name]
        elif kind == 1 and isinstance(parent, dict):
            parent[c.choice(("Key", "Item", "x" * 300, "", "item", "N", "S", "L", "M"))] = parent.pop(name)
        elif kind == 2 and isinstance(parent, list):
            parent += parent * c.choice((1, 10, 30))

    def _instead_of(self, old):
        c = self._choices
        if c.random() < 0.002:
            return self._raw_text(c.choice(HUGE_TEXTS))
        kind = c.randrange(9)
        if isinstance(old, str) and kind < 5:
            return c.choice(NUMBERS) if kind < 4 else old + c.choice(("\u0000", "x" * 2100, ".", "é", "\ud800"))
        if kind == 0:
            return self._raw_text(deep(c.choice("LM"), c.choice((10, 31, 32, 33, 300))))
        if kind == 1:
            texts = ("1" + "0" * 5000, "-0", "1e5", "01", "NaN", "[" * 1100 + "]" * 1100, "tru", "'x'")
            return self._raw_text(c.choice(texts))
        if kind == 2:
            return [old, old]
        if kind == 3:
            return {"S": old}
        if kind < 7:
            return self._raw_text(c.choice(VALUE_TEXTS))
        return self._raw_text(c.choice(SCALAR_TEXTS))

    def _raw_text(self, text):
        """Stands for JSON text until the document is written, so that no constant is ever part of a document."""
        mark = f"raw-{len(self._raw)}-mark"
        self._raw[json.dumps(mark).encode()] = text.encode()
        return mark

    def _double_a_member(self, body):
        """The first member stands twice: with its old value and with another."""
        end = body.find(b":")
        if end < 0:
            return body
        other = self._choices.choice((b'"x"', b"null", b"{}", b"[]", b"1"))
        return body[:end] + b":" + other + b"," + body[1:end] + body[end:]

    def break_bytes(self, body):
        """The body with something wrong in its bytes; most often no JSON any more."""
        c = self._choices
        kind = c.randrange(6)
        at = c.randrange(len(body) + 1)
        if kind == 0:
            return body[:at]
        if kind == 1:
            return body[:at] + c.randbytes(c.randrange(1, 5)) + body[at:]
        if kind == 2:
            quote = body.find(b'"', at) + 1
            return body[:quote] + c.choice(BAD_TEXT) + body[quote:]
        if kind == 3:
            return body + c.choice((b"}", b"{}", b"\x00", b" " * 1000, b"null", b"\xef\xbb\xbf"))
        if kind == 4:
            flipped = bytearray(body)
            for _ in range(c.randrange(1, 4)):
                if flipped:
                    flipped[c.randrange(len(flipped))] ^= 1 << c.randrange(8)
            return bytes(flipped)
        return c.choice((b"", b"null", b"[]", b'"x"', b"0", b"{", b"\xef\xbb\xbf{}", b" ", b"[" * 2000, b"{}" * 3))
