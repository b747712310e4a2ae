"""`stator design migrate` within its limits, in front of a table that throttles, and where it has to refuse."""

import time

import pytest

from metered_proxy import READS, WRITES, MeteredProxy
from migrating import Migrate
from models import REPOSITORY

ORDERS = "examples/models/orders.yaml"
EVOLVED = "examples/models/evolved"
LONGER = f"{EVOLVED}/orders-longer-orders.yaml"


def fill(stator, server, table, items=400, model=ORDERS):
    done = stator("prove", "--endpoint", server, "--items", items, "--runs", "1", "--quiet", "--no-writes", "--keep",
                  "--table", table, model)
    assert done.returncode in (0, 1), done.stderr


@pytest.fixture
def proxy(server_process):
    proxies = []

    def make(**options):
        proxies.append(MeteredProxy(server_process.port, **options))
        return proxies[-1]

    yield make
    for one in proxies:
        one.close()


@pytest.mark.parametrize("evolution, operations, option, rate", [
    ("orders-longer-orders", WRITES, "--wcu", 200),
    ("orders-by-article", WRITES, "--wcu", 200),
    ("orders-longer-orders", READS, "--rcu", 250),
])
def test_rate_is_kept(stator, server, proxy, tmp_path, evolution, operations, option, rate):
    """By what the answers say that they consumed: never more than the rate allows, with a little for calls under way."""
    table = f"rate-{evolution}-{option[2:]}"
    fill(stator, server, table)
    meter = proxy()
    target = table if evolution == "orders-by-article" else f"{table}-2"
    migrate = Migrate(meter.endpoint, [ORDERS], f"{EVOLVED}/{evolution}.yaml", tmp_path / "state", [table], target)
    assert migrate("prepare").returncode == 0
    meter.calls.clear()
    began = time.monotonic()
    report = migrate.report("backfill", option, rate)
    assert meter.units(operations) > rate  # more than a second's worth
    assert meter.rate(operations, began) <= rate * 1.1
    assert report["writeUnits"] == pytest.approx(meter.units(WRITES))
    assert report["readUnits"] == pytest.approx(meter.units(READS))


def test_throttled_calls_are_made_again(stator, server, proxy, tmp_path):
    """Every fifth call is refused, twice in a row now and then."""
    fill(stator, server, "throttled")
    meter = proxy(refuse=lambda operation, number: operation in WRITES + READS and number % 23 in (3, 8, 9, 14, 20))
    migrate = Migrate(meter.endpoint, [ORDERS], LONGER, tmp_path / "state", ["throttled"], "throttled-2")
    assert migrate("prepare").returncode == 0
    report = migrate.report("backfill", "--segments", "16", "--wcu", "100000")
    assert report["throttled"] == len(meter.refused) > 50
    assert report["written"] == report["scanned"]
    direct = Migrate(server, [ORDERS], LONGER, tmp_path / "state", ["throttled"], "throttled-2")
    done = direct("validate")
    assert done.returncode == 0, done.stdout + done.stderr


# --- refusals -------------------------------------------------------------------------------------------------------


def test_no_such_table(server, tmp_path):
    migrate = Migrate(server, [ORDERS], LONGER, tmp_path / "state", ["nowhere"], "nowhere-2")
    for step in ("prepare", None):
        done = migrate(step)
        assert done.returncode == 2
        assert "there is no table nowhere" in done.stderr and "--source" in done.stderr


def test_table_of_another_model(stator, server, wire, tmp_path):
    """Another key; then the right key, and indexes that the model does not have."""
    wire("CreateTable", {"TableName": "other-key", "BillingMode": "PAY_PER_REQUEST",
                         "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
                         "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]})
    done = Migrate(server, [ORDERS], LONGER, tmp_path / "one", ["other-key"], "other-key-2")("prepare")
    assert done.returncode == 2 and "other-key is not the one that examples/models/orders.yaml describes" in done.stderr
    assert "has the key id" in done.stderr
    fill(stator, server, "other-index", model="examples/models/shop.yaml")
    done = Migrate(server, [ORDERS], LONGER, tmp_path / "two", ["other-index"], "other-index-2")("prepare")
    assert done.returncode == 2 and "index GSI2 projects ALL" in done.stderr
    assert not {"other-key-2", "other-index-2"} & set(wire("ListTables", {})["TableNames"])


def test_unknown_items_can_be_left_alone(stator, server, wire, tmp_path):
    fill(stator, server, "strangers")
    wire("PutItem", {"TableName": "strangers", "Item": {"PK": {"S": "?"}, "SK": {"S": "?"}}})
    migrate = Migrate(server, [ORDERS], LONGER, tmp_path / "state", ["strangers"], "strangers-2")
    assert migrate("prepare").returncode == 0
    assert migrate("backfill").returncode == 2
    report = migrate.report("backfill", "--skip-unknown")
    assert report["unknown"] == 1
    assert migrate("validate").returncode == 2
    done = migrate("validate", "--skip-unknown")
    assert done.returncode == 0 and "1 of no entity left alone" in done.stdout


def test_impossible_evolution(server, tmp_path):
    """A key in place, with the reason and the way out, before anything is touched."""
    model = tmp_path / "new.yaml"
    model.write_text((REPOSITORY / ORDERS).read_text().replace('"ITEM#{lineNumber:03}"', '"LINE#{lineNumber:03}"'))
    for step in ("plan", "prepare", "backfill", None):
        done = Migrate(server, [ORDERS], model, tmp_path / "state")(step)
        assert done.returncode == 3
        assert "entity LineItem: the key of an item cannot be changed" in done.stderr
        assert "--target NAME" in done.stderr
    assert not (tmp_path / "state").exists()


def test_items_that_would_become_one(stator, server, wire, tmp_path):
    """Two items of the source under one key of the target: named, not overwritten."""
    fill(stator, server, "twins")
    lines = [item for item in wire("Scan", {"TableName": "twins"})["Items"] if item["entity_type"]["S"] == "LineItem"]
    migrate = Migrate(server, [ORDERS], LONGER, tmp_path / "state", ["twins"], "twins-2")
    assert migrate("prepare").returncode == 0
    stranger = {"PK": lines[0]["PK"], "SK": {"S": f"ITEM#{int(lines[0]['SK']['S'][5:]):05}"},
                "entity_type": {"S": "Customer"}, "name": {"S": "in the way"}}
    wire("PutItem", {"TableName": "twins-2", "Item": stranger})
    done = migrate("backfill")
    assert done.returncode == 2 and "there is an item that did not come from it" in done.stderr
    key = {name: stranger[name] for name in ("PK", "SK")}
    assert wire("GetItem", {"TableName": "twins-2", "Key": key})["Item"] == stranger


def test_steps_want_their_order(stator, server, wire, tmp_path):
    fill(stator, server, "ordered")
    migrate = Migrate(server, [ORDERS], LONGER, tmp_path / "state", ["ordered"], "ordered-2")
    for step in ("backfill", "sync", "validate", "finish"):
        done = migrate(step)
        assert done.returncode == 2 and "migrate prepare" in done.stderr, step
    assert "ordered-2" not in wire("ListTables", {})["TableNames"]


def test_target_that_is_in_use(stator, server, tmp_path):
    fill(stator, server, "busy")
    fill(stator, server, "busy-2")
    migrate = Migrate(server, [ORDERS], LONGER, tmp_path / "state", ["busy"], "busy-2")
    done = migrate("prepare")
    assert done.returncode == 2 and "has items that this migration did not write" in done.stderr


def test_state_of_another_migration(stator, server, tmp_path):
    fill(stator, server, "stated")
    state = tmp_path / "state"
    assert Migrate(server, [ORDERS], LONGER, state, ["stated"], "stated-2")("prepare").returncode == 0
    done = Migrate(server, [ORDERS], LONGER, state, ["stated"], "stated-3")("backfill")
    assert done.returncode == 2 and "--state" in done.stderr
    (state / "status.json").write_text("nonsense")
    done = Migrate(server, [ORDERS], LONGER, state, ["stated"], "stated-2")("backfill")
    assert done.returncode == 2 and "does not hold the state of a migration" in done.stderr


def test_one_process_at_a_step(stator, server, tmp_path):
    fill(stator, server, "locked")
    migrate = Migrate(server, [ORDERS], LONGER, tmp_path / "state", ["locked"], "locked-2")
    assert migrate("prepare").returncode == 0
    first = migrate.start("backfill", "--wcu", "20", "--page", "5")
    while migrate.progress() == 0 and first.poll() is None:
        pass
    done = migrate("backfill")
    assert done.returncode == 2 and "one at a time" in done.stderr
    first.terminate()  # asks it to end: it does, and says that it can go on
    _, err = first.communicate(timeout=60)
    assert first.returncode == 4 and "call it again" in err
    assert migrate("backfill").returncode == 0
    assert migrate("validate").returncode == 0


def test_stream_that_does_not_say_enough(stator, server, wire, tmp_path):
    """One-table's order key holds placedAt; a stream of keys cannot say where a deleted order was."""
    tables = f"{EVOLVED}/tables"
    fill(stator, server, "keys-only", model=f"{tables}/orders.yaml")
    wire("UpdateTable", {"TableName": "keys-only",
                         "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}})
    migrate = Migrate(server, [f"{tables}/orders.yaml"], f"{EVOLVED}/one-table.yaml", tmp_path / "state", ["keys-only"],
                      "keys-only-2")
    done = migrate("prepare")
    assert done.returncode == 2 and "NEW_AND_OLD_IMAGES" in done.stderr


def test_usage(stator, tmp_path):
    assert stator("migrate", ORDERS).returncode == 2
    done = stator("migrate", "plan", ORDERS, LONGER, "--source", "a", "--source", "b")
    assert done.returncode == 2 and "expected --source 1 times" in done.stderr
    done = stator("migrate", "plan", ORDERS, LONGER)
    assert done.returncode == 0 and "Plan" in done.stdout
    assert "Exit code" in stator("migrate", "--help").stdout
