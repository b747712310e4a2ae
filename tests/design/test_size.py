"""`stator design size`: the calculator of one item."""

import json

ITEM = {
    "PK": {"S": "CUST#a1b2"},
    "SK": {"S": "ORDER#2026-06-01#o-9001"},
    "status": {"S": "OPEN"},
    "total": {"N": "149.00"},
    "lines": {"L": [{"M": {"sku": {"S": "ABC"}, "qty": {"N": "2"}}}]},
}
PLAIN = {
    "PK": "CUST#a1b2",
    "SK": "ORDER#2026-06-01#o-9001",
    "status": "OPEN",
    "total": 149.0,
    "lines": [{"sku": "ABC", "qty": 2}],
}


def test_report(stator, golden):
    done = stator("size", "-", input=json.dumps(ITEM))
    assert done.returncode == 0, done.stderr
    golden("size/order.txt", done.stdout)


def test_both_spellings_weigh_the_same(stator):
    typed = json.loads(stator("size", "--json", "-", input=json.dumps(ITEM)).stdout)
    plain = json.loads(stator("size", "--json", "-", input=json.dumps(PLAIN)).stdout)
    assert typed == plain
    # 2+9, 2+23, 6+4, 5+3, lines 5+3+1+(3+1+3+3+1+3+2)
    assert typed["bytes"] == 11 + 25 + 10 + 8 + 25
    assert typed["readUnits"] == {"eventual": 0.5, "strong": 1.0, "transaction": 2.0}


def test_says_what_is_wrong(stator, tmp_path):
    done = stator("size", tmp_path / "missing.json")
    assert done.returncode == 2 and "cannot be read" in done.stderr
    done = stator("size", "-", input='{"a": {"N": "one"}}')
    assert done.returncode == 2 and 'attribute "a"' in done.stderr
