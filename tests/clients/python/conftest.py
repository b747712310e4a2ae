import pytest

import support


@pytest.fixture(scope="session")
def client():
    return support.make_client()


@pytest.fixture(scope="session")
def resource():
    return support.make_resource()


@pytest.fixture(scope="module")
def new_table(client, resource):
    """Creates a table that is ACTIVE and lives as long as the module; gives its boto3 Table."""
    names = []

    def create(keys=None, **parts):
        name = parts.pop("name", None) or support.unique()
        names.append(name)
        client.create_table(**support.table_definition(name, keys or {"pk": "S", "sk": "S"}, **parts))
        support.wait_active(client, name)
        return resource.Table(name)

    yield create
    for name in names:
        support.drop(client, name)


@pytest.fixture
def key():
    """A partition key value that no other test uses."""
    return support.unique("key")
