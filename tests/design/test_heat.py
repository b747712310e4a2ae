"""`stator design heat` over the examples."""

import json
import xml.etree.ElementTree

import pytest

from models import EXAMPLES, REPOSITORY, name

ORDERS = REPOSITORY / "examples/models/orders.yaml"


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_examples(stator, golden, tmp_path, model):
    picture = tmp_path / "heat.svg"
    done = stator("heat", "--svg", picture, model)
    assert done.returncode == 0, done.stderr
    golden(f"heat/{model.stem}.txt", done.stdout)
    golden(f"heat/{model.stem}.svg", picture.read_text())
    xml.etree.ElementTree.fromstring(picture.read_text())


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_labels_end_before_the_bars(stator, tmp_path, model):
    picture = tmp_path / "heat.svg"
    assert stator("heat", "--svg", picture, model).returncode == 0
    root = xml.etree.ElementTree.fromstring(picture.read_text())
    bars = min(float(bar.get("x")) for bar in root.iter(f"{SVG}rect") if bar.get("class") == "track")
    width = {"key": 7.85, "load": 6.0}  # of a character, at 13 and 11 pixels
    for text in root.iter(f"{SVG}text"):
        if text.get("class") in width and float(text.get("x")) < bars:
            assert float(text.get("x")) + width[text.get("class")] * len(text.text) < bars, text.text


def keys(stator, *arguments):
    report = json.loads(stator("heat", "--format", "json", *arguments).stdout)
    return {(key["where"], key["partitionKey"]): key for key in report["keys"]}


def test_says_from_which_rate_on_the_open_orders_are_hot(stator, tmp_path):
    """Raising every rate by the factor that heat names brings the key just to its ceiling."""
    key = keys(stator, ORDERS)["GSI2", "OPEN"]
    assert key["state"] == "cool"
    factor = key["hotAtTimesThePeak"]
    assert key["writeUnitsPeak"] * factor == pytest.approx(1000)
    (reader,) = key["readersAfterSharding"]
    assert reader["pattern"] == "A5"
    assert (reader["callsBefore"], reader["callsAfter"]) == (1, 10)
    assert reader["readUnitsAfter"] > reader["readUnitsBefore"]


def test_hot_keys_fail_a_strict_run_and_get_a_cure(stator, tmp_path):
    model = tmp_path / "orders.yaml"
    model.write_text(ORDERS.read_text().replace("rate: {average: 60, peak: 300}", "rate: {average: 600, peak: 3000}"))
    assert stator("heat", "--strict", ORDERS).returncode == 0
    done = stator("heat", "--strict", model)
    assert done.returncode == 1 and "HOT" in done.stdout
    key = keys(stator, model)["GSI2", "OPEN"]
    assert key["writeUnitsPeak"] / key["proposedShards"] <= 500
