"""`stator design check` over every example and every broken model."""

import json
import re

import jsonschema
import pytest

from models import BROKEN, EXAMPLES, REPOSITORY, name

FORMATS = {"text": "txt", "json": "json", "sarif": "sarif", "md": "md"}


def rules(stator):
    """Names and severities, as the program lists them."""
    return dict(re.findall(r"^\| `([a-z-]+)` +\| (error|warning)", stator("check", "--rules").stdout, re.MULTILINE))


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_examples_are_clean(stator, golden, model):
    done = stator("check", "--strict", model)
    assert done.returncode == 0, done.stdout + done.stderr
    golden(f"check/{model.stem}.txt", done.stdout)


@pytest.mark.parametrize("model", BROKEN, ids=name)
def test_broken_models_are_caught_by_their_rule_and_no_other(stator, golden, model):
    done = stator("check", "--explain", model)
    golden(f"check/broken/{model.stem}.txt", done.stdout)
    report = json.loads(stator("check", "--format", "json", model).stdout)
    assert {finding["rule"] for finding in report["findings"]} == {model.stem}
    assert done.returncode == (1 if report["errors"] else 0)
    assert stator("check", "--strict", model).returncode == 1


def test_every_rule_has_a_broken_model(stator):
    assert sorted(rules(stator)) == [model.stem for model in BROKEN]


@pytest.mark.parametrize("model", BROKEN, ids=name)
def test_every_finding_names_its_place_and_its_cure(stator, model):
    lines = (REPOSITORY / model).read_text().splitlines()
    for finding in json.loads(stator("check", "--format", "json", model).stdout)["findings"]:
        assert 1 <= finding["line"] <= len(lines)
        assert 1 <= finding["column"] <= len(lines[finding["line"] - 1])
        assert finding["message"] and finding["cure"] and finding["explanation"]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("model", ["examples/models/orders.yaml", "examples/models/broken/not-sortable.yaml"])
def test_formats(stator, golden, form, model):
    done = stator("check", "--format", form, model)
    stem = model.rsplit("/", 1)[1].removesuffix(".yaml")
    golden(f"check/formats/{stem}.{FORMATS[form]}", done.stdout)


def test_sarif_has_the_shape_that_code_hosts_read(stator):
    sarif = json.loads(stator("check", "--format", "sarif", "examples/models/broken/not-sortable.yaml").stdout)
    known = {rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]}
    results = sarif["runs"][0]["results"]
    assert results
    for result in results:
        assert result["ruleId"] in known
        assert result["level"] in ("error", "warning")
        region = result["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] > 1 and region["startColumn"] >= 1


def test_allowed_findings_are_shown_and_suppressed(stator):
    sarif = json.loads(stator("check", "--format", "sarif", "examples/models/orders.yaml").stdout)
    (result,) = sarif["runs"][0]["results"]
    assert result["ruleId"] == "low-cardinality-partition"
    assert result["suppressions"][0]["kind"] == "inSource"


def test_report_goes_to_a_file(stator, tmp_path):
    target = tmp_path / "report.json"
    done = stator("check", "--format", "json", "--output", target, "examples/models/orders.yaml")
    assert (done.returncode, done.stdout) == (0, "")
    assert json.loads(target.read_text())["model"] == "orders"


def test_schema_is_one(stator):
    jsonschema.Draft202012Validator.check_schema(json.loads(stator("schema").stdout))
