"""Fixtures for pytest: a server for each test, and boto3 clients of it.

A new server takes a few hundredths of a second, so each test gets an empty database of its own. The ini option
`stator_scope` makes servers live longer.
"""

import pytest

from . import aws
from .server import Server


def pytest_addoption(parser):
    parser.addini(
        "stator_scope",
        "How long a Stator server lives: function (a new one for each test), class, module, package or session",
        default="function",
    )


def _scope(fixture_name, config):
    return config.getini("stator_scope")


@pytest.fixture(scope=_scope)
def stator_options():
    """Options for `stator serve`. Define a fixture by this name to give some."""
    return []


@pytest.fixture(scope=_scope)
def stator_server(stator_options):
    """A server with an empty database in memory: a stator.Server."""
    with Server(*stator_options) as server:
        yield server


@pytest.fixture(scope="session")
def _stator_session():
    return aws.session()  # one, because it keeps what it has read of the services


@pytest.fixture(scope=_scope)
def dynamodb(stator_server, _stator_session):
    """A boto3 resource of the server."""
    resource = _stator_session.resource("dynamodb", **aws.client_options(stator_server.endpoint_url))
    yield resource
    resource.meta.client.close()


@pytest.fixture(scope=_scope)
def dynamodb_client(stator_server, _stator_session):
    """A boto3 client of the server."""
    client = _stator_session.client("dynamodb", **aws.client_options(stator_server.endpoint_url))
    yield client
    client.close()


@pytest.fixture(scope=_scope)
def stator_environment(stator_server):
    """Leads AWS clients that the code under test makes for itself to the server, by environment variables."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in aws.environment(stator_server.endpoint_url).items():
            patch.delenv(name, raising=False) if value is None else patch.setenv(name, value)
        yield stator_server
