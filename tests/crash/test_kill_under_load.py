"""kill -9 at any moment takes back nothing that was acknowledged."""

import time

import pytest

from checker import check, create_table, observe
from ledger import Ledger
from wire_client import Client
from workload import WORKERS, Load

LONGEST_LOAD_S = 2.5


def kill_rounds(new_server, choices, rounds, *options):
    ledgers = [Ledger() for _ in range(WORKERS)]
    server = new_server(*options).start()
    create_table(Client(server.port))
    for number in range(rounds):
        load = Load(ledgers, server.port, choices, number)
        time.sleep(choices.uniform(0.05, LONGEST_LOAD_S))
        server.kill()
        load.join()
        for _ in range(choices.choice((0, 0, 1, 2))):  # the next start may die too, in the middle of its recovery
            interrupted = new_server(*options).launch()
            time.sleep(choices.uniform(0, 0.15))
            interrupted.kill()
        server = new_server(*options).start()
        observed = observe(Client(server.port))
        assert check(ledgers, observed) == []
        for ledger in ledgers:
            ledger.settle(observed)
    assert server.stop() == 0
    return ledgers


@pytest.mark.parametrize("durability", ["full", "relaxed"])
def test_acknowledged_writes_survive_kills_under_load(durability, new_server, seeded, rounds):
    share = rounds - rounds // 3 if durability == "full" else rounds // 3
    if share == 0:
        pytest.skip("too few rounds for both durabilities")
    ledgers = kill_rounds(new_server, seeded, share, "--durability", durability)
    acknowledged = sum(ledger.acknowledged for ledger in ledgers)
    assert acknowledged > 0, "no write was acknowledged, so nothing was tested"
    print(f"{share} kills, {acknowledged} acknowledged requests, durability {durability}")
