"""The model file itself: the published schema, the starter, and messages that name the place."""

import json
import pathlib

import jsonschema
import pytest
import yaml

from models import BROKEN, EXAMPLES, REPOSITORY, name

PROBLEMS = sorted((pathlib.Path(__file__).resolve().parent / "problems").glob("*.yaml"))


@pytest.fixture(scope="session")
def schema(stator):
    return jsonschema.Draft202012Validator(json.loads(stator("schema").stdout))


@pytest.mark.parametrize("model", EXAMPLES + BROKEN, ids=name)
def test_models_follow_the_schema(schema, model):
    document = yaml.safe_load((REPOSITORY / model).read_text())
    assert [error.message for error in schema.iter_errors(document)] == []


def test_schema_is_the_published_file(stator):
    assert stator("schema").stdout == (REPOSITORY / "share/model.schema.json").read_text()


@pytest.mark.parametrize(
    "change",
    [
        lambda model: model.pop("table"),
        lambda model: model.update(entitys={}),
        lambda model: model["patterns"]["A1"].update(kind="read"),
        lambda model: model["patterns"]["A1"].pop("key"),
        lambda model: model["patterns"]["A6"].pop("actions"),
        lambda model: model["patterns"]["A2"].update(rate="often"),
        lambda model: model["indexes"]["GSI1"].update(projection="some"),
        lambda model: model["entities"]["Order"]["attributes"]["status"].update(type="X"),
        lambda model: model["patterns"]["A2"]["key"].update(SK={"starts_with": "ORDER#"}),
    ],
)
def test_schema_and_program_refuse_the_same(schema, stator, tmp_path, change):
    document = yaml.safe_load((REPOSITORY / "examples/models/orders.yaml").read_text())
    change(document)
    assert list(schema.iter_errors(document))
    broken = tmp_path / "model.json"
    broken.write_text(json.dumps(document))
    assert stator("check", broken).returncode == 2


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_json_is_read_as_yaml_is(stator, tmp_path, model):
    as_json = tmp_path / "model.json"
    as_json.write_text(json.dumps(yaml.safe_load((REPOSITORY / model).read_text())))
    before = json.loads(stator("check", "--format", "json", model).stdout)
    after = json.loads(stator("check", "--format", "json", as_json).stdout)
    assert before["patterns"] == after["patterns"]
    assert [f["message"] for f in before["findings"]] == [f["message"] for f in after["findings"]]


@pytest.mark.parametrize("model", PROBLEMS, ids=name)
def test_problems_name_line_column_and_what_was_expected(stator, golden, model):
    done = stator("check", model.relative_to(REPOSITORY))
    assert done.returncode == 2
    assert done.stdout == ""
    golden(f"problems/{model.stem}.txt", done.stderr)


def test_starter_is_clean_and_follows_the_schema(stator, schema, tmp_path):
    starter = tmp_path / "model.yaml"
    assert stator("init", starter).returncode == 0
    assert list(schema.iter_errors(yaml.safe_load(starter.read_text()))) == []
    checked = stator("check", "--strict", starter)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert stator("init").stdout == starter.read_text()


def test_init_does_not_replace_a_file(stator, tmp_path):
    model = tmp_path / "model.yaml"
    model.write_text("mine")
    assert stator("init", model).returncode == 2
    assert model.read_text() == "mine"
    assert stator("init", "--force", model).returncode == 0
    assert model.read_text() != "mine"


def test_missing_file(stator):
    done = stator("check", "no/such/model.yaml")
    assert done.returncode == 2
    assert "no/such/model.yaml:1:1: cannot be read: No such file or directory" in done.stderr
