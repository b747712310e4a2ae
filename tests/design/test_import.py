"""`stator design import` and `export`: models from live tables and NoSQL Workbench files."""

import json

import pytest
import yaml

from models import EXAMPLES, REPOSITORY, name


def keys_of(model):
    return {entity: parts["keys"] for entity, parts in model["entities"].items()}


def fill(stator, server, table, items, model):
    """A table with generated items, left there."""
    return stator("prove", "--endpoint", server, "--items", items, "--runs", "1", "--quiet", "--no-writes", "--keep",
                  "--table", table, model)


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_live_table_gives_a_model_that_loads(stator, server, wire, tmp_path, model):
    table = f"imported-{model.stem}"
    proof = fill(stator, server, table, "2000", model)
    assert proof.returncode in (0, 1), proof.stderr
    imported = tmp_path / "imported.yaml"
    done = stator("import", "--endpoint", server, "--table", table, "--output", imported)
    assert done.returncode == 0, done.stderr
    checked = stator("check", imported)
    assert checked.returncode in (0, 1), checked.stderr  # findings are fine, problems of the file are not
    guess = yaml.safe_load(imported.read_text())
    declared = yaml.safe_load((REPOSITORY / model).read_text())
    assert guess["table"]["partition_key"] == declared["table"]["partition_key"]
    assert set(guess.get("indexes", {})) == set(declared.get("indexes", {}))
    assert set(guess["entities"]) == set(declared["entities"])
    described = wire("DescribeTable", {"TableName": table})["Table"]
    counts = sum(entity.get("count", 0) for entity in guess["entities"].values())
    assert 0 < counts <= described["ItemCount"]


def test_orders_come_back_with_their_keys(stator, server, golden):
    fill(stator, server, "imported", "3000", "examples/models/orders.yaml")
    done = stator("import", "--endpoint", server, "--table", "imported")
    golden("import/orders.yaml", done.stdout)
    keys = keys_of(yaml.safe_load(done.stdout))
    assert keys["LineItem"] == {"PK": "ORDER#{orderId}", "SK": "ITEM#{itemId}"}
    assert keys["Order"]["GSI1PK"] == "CUST#{custId}#{status}"
    assert keys["Order"]["GSI2PK"] == "OPEN"


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_workbench_round_trip(stator, golden, tmp_path, model):
    exported = tmp_path / "workbench.json"
    done = stator("export", "--output", exported, model)
    assert done.returncode == 0, done.stderr
    golden(f"workbench/{model.stem}.json", exported.read_text())
    imported = tmp_path / "back.yaml"
    done = stator("import", exported, "--output", imported)
    assert done.returncode == 0, done.stderr
    again = tmp_path / "again.json"
    done = stator("export", "--output", again, imported)
    assert done.returncode == 0, done.stderr
    first, second = (json.loads(file.read_text())["DataModel"][0] for file in (exported, again))
    for member in ("TableName", "KeyAttributes", "GlobalSecondaryIndexes", "BillingMode"):
        assert first[member] == second[member]
    names = [sorted(facet["FacetName"] for facet in table["TableFacets"]) for table in (first, second)]
    assert names[0] == names[1]


def test_workbench_keeps_the_order_model(stator, tmp_path):
    exported = tmp_path / "workbench.json"
    imported = tmp_path / "back.yaml"
    assert stator("export", "--output", exported, "examples/models/orders.yaml").returncode == 0
    assert stator("import", exported, "--output", imported).returncode == 0
    declared = yaml.safe_load((REPOSITORY / "examples/models/orders.yaml").read_text())
    back = yaml.safe_load(imported.read_text())
    assert keys_of(back) == keys_of(declared)
    line_number = back["entities"]["LineItem"]["attributes"]["lineNumber"]
    assert line_number["type"] == "N" and line_number["stored"] is False
    assert back["table"] == declared["table"]
    assert back["indexes"] == declared["indexes"]


def test_says_what_is_wrong(stator, server, tmp_path):
    done = stator("import")
    assert done.returncode == 2 and "--table" in done.stderr
    done = stator("import", "--endpoint", server, "--table", "nowhere")
    assert done.returncode == 2 and "ResourceNotFoundException" in done.stderr
    file = tmp_path / "other.json"
    file.write_text("{}")
    done = stator("import", file)
    assert done.returncode == 2 and "DataModel" in done.stderr
