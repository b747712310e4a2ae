"""Every operation of the service's model is there, or is refused as unknown and named in docs/compatibility.md."""

import pathlib
import re

import botocore.session
import pytest

from wire import assert_error

COMPATIBILITY = pathlib.Path(__file__).resolve().parents[2] / "docs" / "compatibility.md"
TARGETS = {"dynamodb": "DynamoDB_20120810", "dynamodbstreams": "DynamoDBStreams_20120810"}


def operations():
    session = botocore.session.get_session()
    return [(service, name) for service in TARGETS for name in session.get_service_model(service).operation_names]


@pytest.mark.parametrize("service, operation", operations())
def test_operation(db, service, operation):
    """An empty request is refused in the words of the operation, or the operation is not known."""
    answer = db.post(operation, {}, target=TARGETS[service])
    named = operation in re.findall(r"\w+", COMPATIBILITY.read_text())
    assert named, f"docs/compatibility.md does not name {operation}"
    if answer.code == "UnknownOperationException":
        # Clients show the text, so that nobody has to guess what is unknown.
        assert_error(answer, "UnknownOperationException", f"{operation} is an operation of DynamoDB that Stator does not have")
    else:
        assert answer.status in (200, 400), answer.body
        assert answer.code in (None, "", "ValidationException"), answer.body
