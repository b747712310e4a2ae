"""Powertools for AWS Lambda: a function's answer is kept in a table, so that it runs once for each payload."""

import json
import time

import pytest
import support
from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent_function,
)
from aws_lambda_powertools.utilities.idempotency.exceptions import (
    IdempotencyAlreadyInProgressError,
    IdempotencyValidationError,
)

KEYS = {"plain": {"id": "S"}, "composite": {"pk": "S", "sk": "S"}}


@pytest.fixture(params=sorted(KEYS))
def layer(request, client, new_table):
    parts = {"key_attr": "pk", "sort_key_attr": "sk", "static_pk_value": "all"} if request.param == "composite" else {}
    name = new_table(KEYS[request.param]).name
    return DynamoDBPersistenceLayer(table_name=name, boto3_client=client, **parts)


class Context:
    """As much of a Lambda as is asked for: how long the function may still run."""

    def get_remaining_time_in_millis(self):
        return 60_000


def once(layer, work, **options):
    config = IdempotencyConfig(lambda_context=Context(), **options)
    wrapped = idempotent_function(work, data_keyword_argument="order", persistence_store=layer, config=config)
    return lambda order: wrapped(order=order)


def test_a_function_runs_once_for_each_payload(layer, client):
    runs = []

    def pay(order):
        runs.append(order)
        return {"order": order, "lines": [1, {"a": None}]}

    guarded = once(layer, pay)
    assert guarded({"id": 1}) == guarded({"id": 1}) == {"order": {"id": 1}, "lines": [1, {"a": None}]}
    guarded({"id": 2})
    assert runs == [{"id": 1}, {"id": 2}]
    kept = client.scan(TableName=layer.table_name, ConsistentRead=True)["Items"]
    assert [each["status"] for each in kept] == [{"S": "COMPLETED"}] * 2
    assert sorted(json.loads(each["data"]["S"])["order"]["id"] for each in kept) == [1, 2]


def test_a_second_run_is_refused_while_the_first_is_under_way(layer, client):
    def nested(order):
        (record,) = client.scan(TableName=layer.table_name, ConsistentRead=True)["Items"]
        assert record["status"] == {"S": "INPROGRESS"}
        assert int(record["in_progress_expiration"]["N"]) > time.time() * 1000
        with pytest.raises(IdempotencyAlreadyInProgressError):
            guarded(order)
        return "done"

    guarded = once(layer, nested)
    assert guarded({"id": 1}) == "done"
    assert guarded({"id": 1}) == "done"


def test_a_run_that_failed_is_forgotten_and_one_that_expired_is_repeated(layer, client):
    runs = []

    def flaky(order):
        runs.append(order)
        if len(runs) == 1:
            raise RuntimeError("first time")
        return len(runs)

    guarded = once(layer, flaky, expires_after_seconds=-1)
    with pytest.raises(RuntimeError):
        guarded({"id": 1})
    assert client.scan(TableName=layer.table_name, ConsistentRead=True)["Count"] == 0
    assert [guarded({"id": 1}), guarded({"id": 1})] == [2, 3]


def test_the_same_key_with_another_payload_is_told_of(layer):
    guarded = once(layer, lambda order: order["amount"], event_key_jmespath="id", payload_validation_jmespath="amount")
    assert guarded({"id": 1, "amount": 5}) == 5
    with pytest.raises(IdempotencyValidationError):
        guarded({"id": 1, "amount": 6})
