"""`stator design codegen`: golden files, and the generated Python with boto3 against a server."""

import base64
import concurrent.futures
import importlib.util
import inspect
import json
import subprocess
import sys

import boto3
import pytest
from boto3.dynamodb.types import TypeDeserializer

from models import EXAMPLES, REPOSITORY, name

ORDERS, SHIPMENTS = (next(model for model in EXAMPLES if model.stem == stem) for stem in ("orders", "shipments"))


@pytest.fixture
def code(stator, tmp_path, monkeypatch):
    """code(model): the generated Python as a module."""

    def generate(model):
        target = tmp_path / f"{model.stem}.py"
        done = stator("codegen", "--language", "python", "--output", target, model)
        assert done.returncode == 0, done.stderr
        spec = importlib.util.spec_from_file_location(f"generated_{model.stem}", target)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)  # dataclasses look their module up
        spec.loader.exec_module(module)
        return module

    return generate


@pytest.fixture
def table(stator, server, fresh):
    """table(model): a new table of the model on the server, as boto3 shows it."""

    def deploy(model):
        table_name = json.loads(stator("export", model).stdout)["DataModel"][0]["TableName"]
        fresh(table_name)
        done = stator("deploy", "--endpoint", server, model)
        assert done.returncode == 0, done.stderr
        resource = boto3.resource("dynamodb", endpoint_url=server, region_name="us-east-1",
                                  aws_access_key_id="test", aws_secret_access_key="test")
        return resource.Table(table_name)

    return deploy


@pytest.mark.parametrize("language", ["python", "typescript"])
@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_code(stator, golden, model, language):
    done = stator("codegen", "--language", language, model)
    assert done.returncode == 0, done.stderr
    golden(f"codegen/{model.stem}.{'py' if language == 'python' else 'ts'}", done.stdout)


def test_types_hold(stator, tmp_path):
    for model in EXAMPLES:
        assert stator("codegen", "--language", "python", "--output", tmp_path / f"{model.stem}.py", model).returncode == 0
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache",
                           *sorted(tmp_path.glob("*.py"))], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def with_bytes(value):
    """Binary is text in base64 on the wire; the deserializer wants the bytes."""
    return {"B": base64.b64decode(value["B"])} if "B" in value else value


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_items_become_objects_and_the_same_items_again(stator, code, model):
    module = code(model)
    deserializer = TypeDeserializer()
    samples = json.loads(stator("export", model).stdout)["DataModel"][0]["TableData"]
    assert samples
    for sample in samples:
        item = {key: deserializer.deserialize(with_bytes(value)) for key, value in sample.items()}
        entity = module.read_item(item)
        if "shard" in inspect.signature(entity.item).parameters:
            shard = int(item["PK"].rsplit("#", 1)[1])
            assert entity.item(shard) == item
        else:
            assert entity.item() == item


def an_order(orders, **changes):
    return orders.Order(**{"customer_id": "a1b2", "order_id": "o-9001", "order_date": "2026-06-01", "status": "OPEN",
                           "total": orders.Decimal("149.50"), "version": orders.Decimal(0), **changes})


def test_orders_with_boto3(code, table):
    orders = code(ORDERS)
    shop = table(ORDERS)
    shop.put_item(**orders.Customer("a1b2", "Ada", "ada@example.com", "gold", "2026-01-01T00:00:00Z").put())
    order = an_order(orders)
    shop.put_item(**order.put())
    shop.put_item(**orders.OrderHeader("o-9001", "OPEN", orders.Decimal(0)).put())
    for number in (10, 2, 1):
        line = orders.LineItem("o-9001", orders.Decimal(number), "ABC", orders.Decimal(2), orders.Decimal("49.5"))
        shop.put_item(**line.put())

    customer = orders.Customer.from_item(shop.get_item(**orders.a1("a1b2"))["Item"])
    assert (customer.customer_id, customer.name) == ("a1b2", "Ada")

    parts = [orders.read_item(item) for item in shop.query(**orders.a3("o-9001"))["Items"]]
    assert [type(part).__name__ for part in parts] == ["LineItem"] * 3 + ["OrderHeader"]
    assert [part.line_number for part in parts if isinstance(part, orders.LineItem)] == [1, 2, 10]
    assert shop.query(**orders.a5())["Count"] == 1

    def read():
        return orders.Order.from_item(shop.get_item(Key=orders.Order.key("a1b2", "2026-06-01", "o-9001"))["Item"])

    mine = read()
    assert mine == an_order(orders, version=1)
    theirs = read()
    theirs.status = "SHIPPED"
    shop.put_item(**theirs.put())
    mine.status = "CANCELLED"
    with pytest.raises(Exception) as refused:
        shop.put_item(**mine.put())
    assert orders.is_version_conflict(refused.value)
    assert read().status == "SHIPPED" and read().version == 2
    assert shop.query(**orders.a5())["Count"] == 0
    with pytest.raises(Exception) as there_already:
        shop.put_item(**order.put())
    assert orders.is_version_conflict(there_already.value)


def test_no_change_is_lost_among_many_writers(code, table):
    orders = code(ORDERS)
    shop = table(ORDERS)
    shop.put_item(**an_order(orders, total=orders.Decimal(0)).put())

    def add_one(_):
        def body():
            key = orders.Order.key("a1b2", "2026-06-01", "o-9001")
            now = orders.Order.from_item(shop.get_item(Key=key, ConsistentRead=True)["Item"])
            now.total += 1
            shop.put_item(**now.put())

        orders.retry_on_conflict(body, attempts=200)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(add_one, range(20)))
    last = orders.Order.from_item(shop.get_item(Key=orders.Order.key("a1b2", "2026-06-01", "o-9001"))["Item"])
    assert (last.total, last.version) == (20, 21)


def test_shards_are_read_as_one(code, table):
    shipments = code(SHIPMENTS)
    events = table(SHIPMENTS)
    for minute in range(10, 50):
        event = shipments.BulkEvent("p-1", f"e{minute}", f"2026-06-08T09:{minute}:00Z", "SCAN", "Bonn", {}, 1)
        events.put_item(**event.put())
    items = shipments.fan_out(events.query, shipments.pallet_history("p-1"), limit=12)
    assert [item["SK"].split("#")[2] for item in items] == [f"e{minute}" for minute in range(49, 37, -1)]
    assert len({item["PK"] for item in items}) > 1


def test_requests_of_patterns(code):
    orders = code(ORDERS)
    assert orders.a2("a1b2") == {
        "TableName": "app-main",
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "CUST#a1b2", ":k1": "ORDER#"},
        "ScanIndexForward": False,
        "Limit": 50,
    }
    assert orders.a1("a1b2")["Key"] == {"PK": "CUST#a1b2", "SK": "PROFILE"}
    shipments = code(SHIPMENTS)
    requests = shipments.pallet_history("p-1")
    assert [request["ExpressionAttributeValues"][":k0"] for request in requests] == [f"SHIPMENT#p-1#{n}" for n in range(10)]


def test_keys_that_cannot_be_made_are_refused(code):
    orders = code(ORDERS)
    with pytest.raises(orders.EmptyKeyField):
        orders.a1("")
    for number in ("1000", "1.5"):
        with pytest.raises(ValueError):
            orders.LineItem.key("o-9001", orders.Decimal(number))
    assert orders.LineItem.key("o-9001", orders.Decimal("7.0")) == {"PK": "ORDER#o-9001", "SK": "ITEM#007"}


def test_attributes_may_have_the_names_of_the_generated_code(stator, tmp_path):
    """`kind` is any attribute's name, and even `$type` can be one."""
    model = tmp_path / "orders.yaml"
    text = (REPOSITORY / ORDERS).read_text()
    model.write_text(text.replace("      tier: {", "      kind: {size: 4}\n      $type: {size: 4}\n      tier: {"))
    done = stator("codegen", "--language", "typescript", model)
    assert done.returncode == 0, done.stderr
    assert 'export interface Customer {\n  $type$: "Customer";' in done.stdout
    assert "  kind: string;\n  $type: string;\n" in done.stdout
    done = stator("codegen", "--language", "python", model)
    assert "    kind: str\n    type" in done.stdout.replace("_type", "type")
