"""Everyday AWS CLI commands: items in and out, output formats, pages, and how errors look to a script."""

import json

import pytest

from conftest import SERVICE_ERROR

NAME = "cli-clients"


@pytest.fixture(scope="module")
def table(shell, active, deleted):
    deleted(NAME)
    shell(
        f"aws dynamodb create-table --table-name {NAME} --billing-mode PAY_PER_REQUEST"
        " --attribute-definitions AttributeName=id,AttributeType=S AttributeName=n,AttributeType=N"
        " --key-schema AttributeName=id,KeyType=HASH AttributeName=n,KeyType=RANGE"
    )
    active(NAME)
    for first in (0, 25):
        puts = [
            {"PutRequest": {"Item": {"id": {"S": "row"}, "n": {"N": str(first + number)}}}}
            for number in range(25)
        ]
        (shell.home / "rows.json").write_text(json.dumps({NAME: puts}))
        shell("aws dynamodb batch-write-item --request-items file://rows.json")
    yield NAME
    deleted(NAME)


def test_put_and_get_by_shorthand_and_json(shell, table):
    shell(f"""aws dynamodb put-item --table-name {table} \
        --item '{{"id":{{"S":"a"}},"n":{{"N":"1"}},"tags":{{"SS":["x"]}},"m":{{"M":{{"k":{{"BOOL":true}}}}}}}}'""")
    answer = shell(f"aws dynamodb get-item --table-name {table} --key 'id={{S=a}},n={{N=1}}' --consistent-read")
    assert answer.json["Item"] == {
        "id": {"S": "a"},
        "n": {"N": "1"},
        "tags": {"SS": ["x"]},
        "m": {"M": {"k": {"BOOL": True}}},
    }


def test_put_and_delete_return_the_old_item(shell, table):
    put = f"""aws dynamodb put-item --table-name {table} --return-values ALL_OLD --item"""
    assert shell(f"""{put} '{{"id":{{"S":"old"}},"n":{{"N":"1"}},"v":{{"S":"first"}}}}'""").out == ""
    replaced = shell(f"""{put} '{{"id":{{"S":"old"}},"n":{{"N":"1"}},"v":{{"S":"second"}}}}'""")
    assert replaced.json["Attributes"]["v"] == {"S": "first"}
    key = """--key '{"id":{"S":"old"},"n":{"N":"1"}}'"""
    deleted = shell(f"aws dynamodb delete-item --table-name {table} {key} --return-values ALL_OLD")
    assert deleted.json["Attributes"]["v"] == {"S": "second"}
    assert shell(f"aws dynamodb get-item --table-name {table} {key} --consistent-read").out == ""


def test_update_item_counts_and_prints_text(shell, table):
    line = f"""aws dynamodb update-item --table-name {table} --key '{{"id":{{"S":"count"}},"n":{{"N":"0"}}}}' \
        --update-expression 'ADD hits :one' --expression-attribute-values '{{":one":{{"N":"1"}}}}' \
        --return-values UPDATED_NEW --query Attributes.hits.N --output text"""
    assert [shell(line).out.strip() for _ in range(3)] == ["1", "2", "3"]


def test_scan_stops_at_max_items_and_resumes(shell, table):
    scan = f"""aws dynamodb scan --table-name {table} --filter-expression 'id = :i' \
        --expression-attribute-values '{{":i":{{"S":"row"}}}}' --page-size 10"""
    first = shell(f"{scan} --max-items 20").json
    assert len(first["Items"]) == 20
    rest = shell(f"{scan} --starting-token {first['NextToken']}").json
    assert "NextToken" not in rest
    numbers = [int(item["n"]["N"]) for item in first["Items"] + rest["Items"]]
    assert sorted(numbers) == list(range(50))


def test_query_gathers_all_pages_by_itself(shell, table):
    line = f"""aws dynamodb query --table-name {table} --key-condition-expression 'id = :i AND n >= :n' \
        --expression-attribute-values '{{":i":{{"S":"row"}},":n":{{"N":"9"}}}}' --consistent-read"""
    answer = shell(f"{line} --page-size 7").json
    assert [int(item["n"]["N"]) for item in answer["Items"]] == list(range(9, 50))
    one_page = shell(f"{line} --limit 7 --no-paginate").json
    assert one_page["Count"] == 7
    assert one_page["LastEvaluatedKey"] == {"id": {"S": "row"}, "n": {"N": "15"}}


def test_batch_get_reads_from_a_file(shell, table):
    keys = [{"id": {"S": "row"}, "n": {"N": str(number)}} for number in (3, 4, 999)]
    (shell.home / "keys.json").write_text(json.dumps({table: {"Keys": keys, "ConsistentRead": True}}))
    answer = shell("aws dynamodb batch-get-item --request-items file://keys.json").json
    found = sorted(int(item["n"]["N"]) for item in answer["Responses"][table])
    assert (found, answer["UnprocessedKeys"]) == ([3, 4], {})


def test_list_tables_names_the_table(shell, table):
    assert table in shell("aws dynamodb list-tables").json["TableNames"]


ERRORS = {
    "missing table": (
        "get-item --table-name no-such-table --key '{\"id\":{\"S\":\"a\"}}'",
        "An error occurred (ResourceNotFoundException) when calling the GetItem operation:"
        " Requested resource not found",
    ),
    "missing table described": (
        "describe-table --table-name no-such-table",
        "An error occurred (ResourceNotFoundException) when calling the DescribeTable operation:"
        " Requested resource not found: Table: no-such-table not found",
    ),
    "incomplete key": (
        f"get-item --table-name {NAME} --key '{{\"id\":{{\"S\":\"a\"}}}}'",
        "An error occurred (ValidationException) when calling the GetItem operation:"
        " The provided key element does not match the schema",
    ),
    "table that exists": (
        f"create-table --table-name {NAME} --billing-mode PAY_PER_REQUEST"
        " --attribute-definitions AttributeName=id,AttributeType=S --key-schema AttributeName=id,KeyType=HASH",
        "An error occurred (ResourceInUseException) when calling the CreateTable operation:"
        f" Table already exists: {NAME}",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_of_the_service_ends_with_an_exit_code_and_its_text(shell, table, name):
    command, text = ERRORS[name]
    failed = shell(f"aws dynamodb {command}", SERVICE_ERROR)
    assert failed.out == ""
    assert failed.err.strip() == text


def test_a_server_that_does_not_answer_ends_with_255(shell):
    failed = shell("aws dynamodb list-tables --endpoint-url http://127.0.0.1:9", codes=(255,))
    assert "Could not connect to the endpoint URL" in failed.err


def test_waiting_for_the_end_of_an_absent_table_succeeds(shell):
    assert shell("aws dynamodb wait table-not-exists --table-name no-such-table").out == ""
