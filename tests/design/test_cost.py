"""`stator design cost` over the examples."""

import json

import pytest

from models import EXAMPLES, REPOSITORY, name

# 500 writes/s of 2.5 KB and 2,000 eventually consistent reads/s of 3 KB, with the known result.
BY_HAND = """
stator_model: 1
name: by-hand
table: {name: t, partition_key: PK, type_attribute: type}
entities:
  Written:
    count: 10
    attributes: {w: {format: id, unique: true, stored: false, size: 8}, body: {size: 2500}}
    keys: {PK: "W#{w}"}
  Read:
    count: 10
    attributes: {r: {format: id, unique: true, stored: false, size: 8}, body: {size: 3000}}
    keys: {PK: "R#{r}"}
patterns:
  write: {kind: put, entity: Written, rate: 500}
  read: {kind: get, entity: Read, key: {PK: "R#{r}"}, rate: 2000}
"""


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_examples(stator, golden, model):
    done = stator("cost", model)
    assert done.returncode == 0, done.stderr
    golden(f"cost/{model.stem}.txt", done.stdout)


def test_follows_the_calculation_by_hand(stator, tmp_path):
    model = tmp_path / "model.yaml"
    model.write_text(BY_HAND)
    report = json.loads(stator("cost", "--format", "json", model).stdout)
    patterns = {pattern["name"]: pattern for pattern in report["patterns"]}
    assert patterns["write"]["writeUnitsPerSecond"] == 1500
    assert patterns["read"]["readUnitsPerSecond"] == 1000
    plans = {plan["name"]: plan for plan in report["plans"]}
    assert plans["on-demand"]["writes"] == pytest.approx(1500 * 3600 * 730 / 1e6 * 1.25)
    assert plans["on-demand"]["reads"] == pytest.approx(1000 * 3600 * 730 / 1e6 * 0.25)
    assert plans["provisioned for the peak"]["writes"] == pytest.approx(1500 * 0.00065 * 730)
    assert plans["provisioned for the peak"]["reads"] == pytest.approx(1000 * 0.00013 * 730)
    assert report["mostExpensivePattern"] == "write"
    assert report["breakEven"]["writeUtilization"] == pytest.approx(0.00065 / (1.25 * 3600 / 1e6))


def test_prices_can_be_replaced(stator, tmp_path):
    prices = json.loads((REPOSITORY / "share/prices.json").read_text())
    table = prices["tables"][prices["default"]]
    table["onDemand"]["writePerMillion"] *= 2
    own = tmp_path / "prices.json"
    own.write_text(json.dumps(prices))
    before = json.loads(stator("cost", "--format", "json", "examples/models/orders.yaml").stdout)
    after = json.loads(stator("cost", "--format", "json", "--prices", own, "examples/models/orders.yaml").stdout)
    assert after["plans"][0]["writes"] == pytest.approx(2 * before["plans"][0]["writes"])
    del table["storage"]
    own.write_text(json.dumps(prices))
    done = stator("cost", "--prices", own, "examples/models/orders.yaml")
    assert done.returncode == 2 and "storage/gigabyteMonth" in done.stderr
    done = stator("cost", "--price-table", "mars", "examples/models/orders.yaml")
    assert done.returncode == 2 and "us-east-1" in done.stderr

