"""The checker finds what it is there to find."""

import copy
import os
import time

import pytest

from checker import check, create_table, observe
from ledger import Ledger
from server_process import StartFailed
from wire_client import Client
from workload import COUNTERS, WORKERS, Load

LOAD_S = 1.0
ACKNOWLEDGED_MIN = 500  # so that a tenth of the log has some, also where the machine is busy


def let_load_run(ledgers):
    time.sleep(LOAD_S)
    until = time.monotonic() + 30
    while sum(ledger.acknowledged for ledger in ledgers) < ACKNOWLEDGED_MIN:
        assert time.monotonic() < until, "the server is too slow for this test"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Ledgers and observation of a load on a server that nobody killed."""
    import random

    from server_process import ServerProcess

    ledgers = [Ledger() for _ in range(WORKERS)]
    with ServerProcess(tmp_path_factory.mktemp("honest") / "server.log") as server:
        client = Client(server.port)
        create_table(client)
        load = Load(ledgers, server.port, random.Random(1), 0)
        let_load_run(ledgers)
        load.stop()
        return ledgers, observe(client)


@pytest.fixture
def case(honest):
    return copy.deepcopy(honest)


def first_item(ledger):
    return next((key, item) for key, item in sorted(ledger.items.items()) if item is not None)


def test_an_undisturbed_load_has_no_contradictions(case):
    ledgers, observed = case
    assert sum(ledger.acknowledged for ledger in ledgers) > 100
    assert check(ledgers, observed) == []


def lose_a_put(ledgers, observed):
    ledgers[0].items["worker-0-lost", "0000"] = {"pk": {"S": "worker-0-lost"}, "sk": {"S": "0000"}}


def lose_an_update(ledgers, observed):
    _, item = first_item(ledgers[1])
    item["seq"] = {"N": "123456789"}


def lose_a_delete(ledgers, observed):
    key, _ = first_item(ledgers[2])
    ledgers[2].items[key] = None


def lose_an_addition(ledgers, observed):
    ledgers[3].counted[COUNTERS[0]] += 1


def add_once_too_often(ledgers, observed):
    ledgers[3].counted[COUNTERS[0]] -= 1


def give_a_claim_to_another(ledgers, observed):
    claim = next(iter(ledgers[0].claims_won | ledgers[1].claims_won | ledgers[2].claims_won))
    observed.items[claim, "claim"]["owner"] = {"S": "nobody"}


def do_half_of_a_batch(ledgers, observed):
    key, item = first_item(ledgers[4])
    ledgers[4].doubt.append({key: dict(item, seq={"N": "1"}), ("worker-4-x", "1"): None, ("worker-4-y", "2"): item})
    observed.items["worker-4-y", "2"] = item


def lose_an_index_row(ledgers, observed):
    observed.indexes["by-tag"].pop()


def leave_an_old_index_row(ledgers, observed):
    observed.indexes["by-group"].append(dict(observed.indexes["by-group"][0], rank={"N": "-5"}))


def spoil_a_projected_attribute(ledgers, observed):
    observed.indexes["by-stamp"][0]["note"] = {"S": "old"}


def miscount(ledgers, observed):
    observed.counts[None] += 1


def invent_an_item(ledgers, observed):
    observed.items["ghost", "1"] = {"pk": {"S": "ghost"}, "sk": {"S": "1"}}


@pytest.mark.parametrize(
    "damage",
    [
        lose_a_put, lose_an_update, lose_a_delete, lose_an_addition, add_once_too_often, give_a_claim_to_another,
        do_half_of_a_batch, lose_an_index_row, leave_an_old_index_row, spoil_a_projected_attribute, miscount,
        invent_an_item,
    ],
)
def test_a_doctored_case_is_found(case, damage):
    damage(*case)
    assert check(*case) != []


def test_a_log_that_lost_its_end_is_found(new_server, seeded):
    """The end of the log is cut off after a kill, as a disk does that did not keep its word."""
    ledgers = [Ledger() for _ in range(WORKERS)]
    server = new_server().start()
    create_table(Client(server.port))
    load = Load(ledgers, server.port, seeded, 0)
    let_load_run(ledgers)
    server.kill()
    load.join()
    log = max(server.data.glob("*.log"), key=lambda path: path.stat().st_mtime_ns)
    written = len(log.read_bytes().rstrip(b"\0"))  # there is room behind it
    os.truncate(log, written * 9 // 10)
    with pytest.raises(StartFailed, match="acknowledged"):
        new_server().start()
    restarted = new_server("--accept-loss").start()
    observed = observe(Client(restarted.port))
    assert any("acknowledged" in sentence for sentence in check(ledgers, observed))
