"""Typed models of libstator (include/stator/model.h) over HTTP: the example and the unit tests against a server."""

import os
import pathlib
import subprocess

import pytest

from models import REPOSITORY

BUILD = pathlib.Path(os.environ.get("STATOR_BUILD_DIR", REPOSITORY / "build"))


@pytest.fixture(autouse=True)
def no_table(fresh):
    fresh("app-main")


def test_the_example_prints_the_same_at_an_endpoint(server):
    done = subprocess.run([BUILD / "examples/typed/typed_orders", server], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (REPOSITORY / "examples/typed/typed_orders.expected").read_text()


def test_the_unit_tests_pass_at_an_endpoint(server):
    done = subprocess.run([BUILD / "src/model/model_tests"], env={**os.environ, "STATOR_ENDPOINT": server},
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-4000:]
    assert "[  PASSED  ]" in done.stdout


def test_items_are_those_of_the_model_file(server, wire):
    """What the typed program wrote is read by the studio as the model that it was declared after."""
    subprocess.run([BUILD / "examples/typed/typed_orders", server], check=True, capture_output=True, timeout=60)
    items = {(item["PK"]["S"], item["SK"]["S"]): item for item in wire("Scan", {"TableName": "app-main"})["Items"]}
    assert items["CUST#a1b2", "ORDER#2026-06-03#o-9044"] == {
        "PK": {"S": "CUST#a1b2"}, "SK": {"S": "ORDER#2026-06-03#o-9044"}, "GSI1PK": {"S": "CUST#a1b2#OPEN"},
        "GSI1SK": {"S": "2026-06-03#o-9044"}, "GSI2PK": {"S": "OPEN"}, "GSI2SK": {"S": "2026-06-03#o-9044"},
        "entity_type": {"S": "Order"}, "status": {"S": "OPEN"}, "total": {"N": "72.5"}, "version": {"N": "1"},
    }
    assert items["ORDER#o-9001", "ITEM#001"]["price"] == {"N": "49.5"}
    assert "GSI2PK" not in items["CUST#a1b2", "ORDER#2026-06-01#o-9001"]
