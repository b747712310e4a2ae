"""`stator design diff` over pairs of models: what changes, what follows, what it costs, and the plan."""

import json

import pytest

from models import REPOSITORY

EVOLVED = "examples/models/evolved"
TABLES = [f"{EVOLVED}/tables/{table}.yaml" for table in ("users", "orders", "products")]
ORDERS = (REPOSITORY / "examples/models/orders.yaml").read_text()

# What the pair shows -> old models, new model.
PAIRS = {
    "new-index": (["examples/models/orders.yaml"], f"{EVOLVED}/orders-by-article.yaml"),
    "new-sharding": (["examples/models/orders.yaml"], f"{EVOLVED}/orders-sharded-board.yaml"),
    "more-shards": (["examples/models/shipments.yaml"], f"{EVOLVED}/shipments-more-shards.yaml"),
    "key-template": (["examples/models/orders.yaml"], f"{EVOLVED}/orders-longer-orders.yaml"),
    "one-table": (TABLES, f"{EVOLVED}/one-table.yaml"),
    "index-removed": ([f"{EVOLVED}/orders-by-article.yaml"], "examples/models/orders.yaml"),
}
EVOLVED_MODELS = sorted(path.relative_to(REPOSITORY) for path in (REPOSITORY / EVOLVED).rglob("*.yaml"))


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("form", ["text", "json", "md"])
def test_pairs(stator, golden, pair, form):
    before, after = PAIRS[pair]
    done = stator("diff", "--format", form, *before, after)
    assert done.returncode == 1, done.stdout + done.stderr
    golden(f"diff/{pair}.{'txt' if form == 'text' else form}", done.stdout)


@pytest.mark.parametrize("model", EVOLVED_MODELS, ids=lambda path: path.stem)
def test_evolved_models_are_clean(stator, model):
    done = stator("check", "--strict", model)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_difference(stator):
    done = stator("diff", "examples/models/shop.yaml", "examples/models/shop.yaml")
    assert done.returncode == 0 and "No difference" in done.stdout


def changed(tmp_path, *replacements, name="new.yaml"):
    """The order model with some of its text replaced."""
    text = ORDERS
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / name
    path.write_text(text)
    return path


# What is changed in the order model -> kind and effect of a change that has to be reported.
SINGLE = {
    "projection": ([("projection: [status, total]\n", "projection: [status, total, version]\n")],
                   "projection-changed", "not possible", 3),
    "attribute added": ([("      tier: {", "      phone: S\n      tier: {")], "attribute-added", "application", 1),
    "attribute removed": ([("      email: {format: email, size: 24, max_size: 254}\n", "")],
                          "attribute-removed", "nothing to do", 1),
    "attribute retyped": ([("sku: {format: id, size: 8, max_size: 20, distinct: 5000, example: ABC}", "sku: N")],
                          "attribute-retyped", "backfill", 1),
    "attribute retyped for good": ([("      name: {size: 18, max_size: 100, example: Ada Lovelace}", "      name: M")],
                                   "attribute-retyped", "not possible", 3),
    "attribute out of the key": (
        [("orderDate: {format: date, stored: false, distinct: 730", "orderDate: {format: date, distinct: 730")],
        "attribute-stored", "backfill", 1),
    "sparse": ([("GSI2: status = OPEN", "GSI2: status in [OPEN, PAID]")], "sparse-changed", "backfill", 1),
    "key in place": ([('SK: "ITEM#{lineNumber:03}"', 'SK: "LINE#{lineNumber:03}"')], "key-changed", "not possible", 3),
    "rate": ([("rate: {average: 400, peak: 1500}", "rate: {average: 500, peak: 1500}")],
             "rate-changed", "nothing to do", 1),
    "pattern": ([("limit: 100\n", "limit: 200\n")], "pattern-changed", "application", 1),
    "capacity": ([("capacity: on_demand", "capacity: {mode: provisioned, read: 10, write: 10}")],
                 "capacity-changed", "setting", 1),
    "stream": ([("capacity: on_demand", "capacity: on_demand\n  stream: KEYS_ONLY")], "stream-changed", "setting", 1),
    "type attribute": ([("type_attribute: entity_type", "type_attribute: kind")],
                       "type-attribute-changed", "backfill", 1),
    "table key": ([("  sort_key: SK\n", "  sort_key: {name: SK, type: B}\n")], "table-key-changed", "not possible", 3),
    "count": ([("count: 100k", "count: 200k")], "count-changed", "nothing to do", 1),
}


@pytest.mark.parametrize("case", SINGLE)
def test_single_changes(stator, tmp_path, case):
    replacements, kind, effect, code = SINGLE[case]
    done = stator("diff", "--format", "json", "examples/models/orders.yaml", changed(tmp_path, *replacements))
    assert done.returncode == code, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert (kind, effect) in {(change["kind"], change["effect"]) for change in report["changes"]}, report["changes"]
    assert bool(report["obstacles"]) == (code == 3)
    assert all(obstacle["cure"] for obstacle in report["obstacles"])
    assert report["plan"] or all(change["effect"] == "nothing to do" for change in report["changes"])


def test_key_in_place_is_possible_into_another_table(stator, tmp_path):
    model = changed(tmp_path, ('SK: "ITEM#{lineNumber:03}"', 'SK: "LINE#{lineNumber:03}"'))
    done = stator("diff", "--target", "app-main-next", "examples/models/orders.yaml", model)
    assert done.returncode == 1 and "[key-changed]" in done.stdout and "In the way" not in done.stdout


def test_key_that_needs_what_is_not_stored(stator, tmp_path):
    """Line items in their customer's collection: the items do not say whose they are."""
    model = changed(tmp_path, ("  name: app-main\n", "  name: app-two\n"),
                    ("      lineNumber: {type: N", "      customerId: {format: id, stored: false}\n      lineNumber: {type: N"),
                    ('PK: "ORDER#{orderId}"\n      SK: "ITEM#{lineNumber:03}"',
                     'PK: "CUST#{customerId}"\n      SK: "ITEM#{orderId}#{lineNumber:03}"'))
    done = stator("diff", "examples/models/orders.yaml", model)
    assert done.returncode == 3
    assert "needs customerId, which not every stored item has" in done.stdout
    assert "cure: store customerId as an attribute of every LineItem first" in done.stdout


def test_key_that_loses_what_tells_items_apart(stator, tmp_path):
    model = changed(tmp_path, ("  name: app-main\n", "  name: app-two\n"),
                    ('SK: "ITEM#{lineNumber:03}"', 'SK: "ITEM#{sku}"'))
    done = stator("diff", "examples/models/orders.yaml", model)
    assert done.returncode == 3 and "no longer says lineNumber" in done.stdout


def test_one_name_in_two_models(stator, tmp_path):
    other = changed(tmp_path, ("  name: app-main\n", "  name: app-two\n"), name="other.yaml")
    third = changed(tmp_path, ("  name: app-main\n", "  name: app-three\n"))
    done = stator("diff", "examples/models/orders.yaml", other, third)
    assert done.returncode == 3 and "it is in examples/models/orders.yaml and in" in done.stdout


def test_figures_by_hand(stator, tmp_path):
    """Small items: one unit for each, and one for its row in the new index; two for a row that moves."""
    report = json.loads(stator("diff", "--format", "json", *PAIRS["new-index"][0], PAIRS["new-index"][1]).stdout)
    assert report["work"] == [{"table": "app-main", "entity": "LineItem", "mode": "in place", "items": 6_000_000.0,
                               "writeUnits": 6_000_000.0, "indexWriteUnits": 6_000_000.0, "readUnits": 0.0}]
    total = report["total"]
    assert total["onDemand"] == pytest.approx(12 * 1.25 + total["readUnits"] / 1e6 * 0.25)
    report = json.loads(stator("diff", "--format", "json", *PAIRS["new-sharding"][0], PAIRS["new-sharding"][1]).stdout)
    (work,) = report["work"]
    # 2 % of 2,000,000 orders are open: a unit in the table, one in GSI1, which has all attributes, two in GSI2.
    assert (work["items"], work["writeUnits"], work["indexWriteUnits"]) == (40_000, 40_000, 120_000)


def test_report_goes_to_a_file(stator, tmp_path):
    target = tmp_path / "changes.md"
    done = stator("diff", "--format", "md", "--output", target, *PAIRS["new-index"][0], PAIRS["new-index"][1])
    assert (done.returncode, done.stdout) == (1, "")
    assert "online index build" in target.read_text()


def test_unusable_files(stator, tmp_path):
    assert stator("diff", "examples/models/orders.yaml", tmp_path / "nowhere.yaml").returncode == 2
    assert stator("diff", "examples/models/orders.yaml").returncode != 0
    done = stator("diff", "--price-table", "mars", "examples/models/orders.yaml", "examples/models/orders.yaml")
    assert done.returncode == 2 and "us-east-1" in done.stderr
