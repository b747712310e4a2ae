"""`stator design codegen`: the generated Python is run on generated items; the TypeScript is kept as it was reviewed."""

import importlib.util
import inspect
import json

import pytest
from boto3.dynamodb.types import TypeDeserializer

from models import EXAMPLES, name


@pytest.fixture
def code(stator, tmp_path):
    def generate(model):
        target = tmp_path / f"{model.stem}.py"
        done = stator("codegen", "--language", "python", "--output", target, model)
        assert done.returncode == 0, done.stderr
        spec = importlib.util.spec_from_file_location(f"generated_{model.stem}", target)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return generate


@pytest.mark.parametrize("language", ["python", "typescript"])
@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_code(stator, golden, model, language):
    done = stator("codegen", "--language", language, model)
    assert done.returncode == 0, done.stderr
    golden(f"codegen/{model.stem}.{'py' if language == 'python' else 'ts'}", done.stdout)


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_items_become_objects_and_the_same_items_again(stator, code, model, monkeypatch):
    module = code(model)
    deserializer = TypeDeserializer()
    samples = json.loads(stator("export", model).stdout)["DataModel"][0]["TableData"]
    assert samples
    for sample in samples:
        item = {key: deserializer.deserialize(value) for key, value in sample.items()}
        entity = module.read_item(item)
        if "shard" in inspect.signature(entity.item).parameters:
            shard = int(item["PK"].rsplit("#", 1)[1])
            assert entity.item(shard) == item
        else:
            assert entity.item() == item


def test_requests_of_patterns(code):
    orders = code(EXAMPLES[[model.stem for model in EXAMPLES].index("orders")])
    assert orders.a2("a1b2") == {
        "TableName": "app-main",
        "KeyConditionExpression": "#k0 = :k0 AND begins_with(#k1, :k1)",
        "ExpressionAttributeNames": {"#k0": "PK", "#k1": "SK"},
        "ExpressionAttributeValues": {":k0": "CUST#a1b2", ":k1": "ORDER#"},
        "ScanIndexForward": False,
        "Limit": 50,
    }
    assert orders.a1("a1b2")["Key"] == {"PK": "CUST#a1b2", "SK": "PROFILE"}
    shipments = code(EXAMPLES[[model.stem for model in EXAMPLES].index("shipments")])
    requests = shipments.pallet_history("p-1")
    assert [request["ExpressionAttributeValues"][":k0"] for request in requests] == [f"SHIPMENT#p-1#{n}" for n in range(10)]
    pages = [[{"SK": "3"}, {"SK": "1"}], [{"SK": "2"}]]
    assert [item["SK"] for item in shipments.merged(pages, "SK", descending=True)] == ["3", "2", "1"]
