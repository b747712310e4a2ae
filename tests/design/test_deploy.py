"""`stator design deploy` and `policy`: the texts, and a real table."""

import json

import pytest
import yaml

from models import EXAMPLES, REPOSITORY, name

FORMATS = {"cloudformation": "yaml", "terraform": "tf", "cli": "sh", "json": "json"}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_texts(stator, golden, form, model):
    done = stator("deploy", "--format", form, model)
    assert done.returncode == 0, done.stderr
    golden(f"deploy/{model.stem}.{FORMATS[form]}", done.stdout)


class CloudFormation(yaml.SafeLoader):
    pass


CloudFormation.add_constructor("!GetAtt", lambda loader, node: node.value)


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_cloudformation_says_the_same_as_create_table(stator, model):
    template = yaml.load(stator("deploy", "--format", "cloudformation", model).stdout, CloudFormation)
    request = json.loads(stator("deploy", "--format", "json", model).stdout)
    (resource,) = template["Resources"].values()
    properties = resource["Properties"]
    for member in ("TableName", "KeySchema", "AttributeDefinitions", "BillingMode"):
        assert properties[member] == request[member]
    assert properties.get("GlobalSecondaryIndexes") == request.get("GlobalSecondaryIndexes")


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_creates_the_table(stator, server, model):
    first = stator("deploy", "--endpoint", server, model)
    assert first.returncode == 0 and " created at " in first.stdout, first.stderr
    second = stator("deploy", "--endpoint", server, model)
    assert second.returncode == 0 and "is there already" in second.stdout


def test_refuses_another_table_of_the_same_name(stator, server, tmp_path):
    text = (REPOSITORY / EXAMPLES[0]).read_text()
    request = json.loads(stator("deploy", "--format", "json", EXAMPLES[0]).stdout)
    renamed = tmp_path / "model.yaml"
    renamed.write_text(text.replace(f"name: {request['TableName']}", "name: contested"))
    assert stator("deploy", "--endpoint", server, renamed).returncode == 0
    index = request["GlobalSecondaryIndexes"][0]["IndexName"]
    text = renamed.read_text().replace(f"  {index}:", "  Renamed:").replace(f"index: {index}", "index: Renamed")
    renamed.write_text(text)
    done = stator("deploy", "--endpoint", server, renamed)
    assert done.returncode == 2 and "it has no index Renamed" in done.stderr


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_policies(stator, golden, model):
    done = stator("policy", "--account", "123456789012", "--region", "eu-central-1", model)
    assert done.returncode == 0, done.stderr
    golden(f"policy/{model.stem}.json", done.stdout)
    assert "dynamodb:Scan" not in done.stdout


def test_tenants_stay_under_their_own_keys(stator):
    policy = json.loads(stator("policy", "examples/models/theatre.yaml").stdout)
    for statement in policy["Statement"]:
        keys = statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
        assert all(key.startswith("TENANT#${aws:PrincipalTag/tenantId}#") for key in keys)
        assert statement["Condition"]["Null"] == {"dynamodb:LeadingKeys": "false"}
