"""What happens before an operation is known: methods, content types, JSON, targets, CORS, checksums."""

import gzip
import json
import re
import socket
import urllib.parse
import zlib

import pytest

from wire import JSON_1_0, TARGET, assert_error

UNKNOWN_OPERATION_PAGE = b"<UnknownOperationException/>\n"
LIST_TABLES = {"X-Amz-Target": f"{TARGET}.ListTables", "Content-Type": JSON_1_0}


def assert_common_headers(answer):
    assert re.fullmatch(r"[0-9A-Z]{52}", answer.headers["x-amzn-requestid"])
    assert int(answer.headers["x-amz-crc32"]) == zlib.crc32(answer.body)
    assert int(answer.headers["content-length"]) == len(answer.body)


@pytest.mark.parametrize("host", [None, "dynamodb.us-east-1.amazonaws.com", "localhost:8000"])
def test_get_of_the_root_is_a_health_check(db, host):
    answer = db.send("GET", headers={"Host": host} if host else None, signed=False)
    assert answer.status == 200
    asked = re.escape(host) if host else r"127\.0\.0\.1:\d+"
    assert re.fullmatch(f"healthy: {asked} ", answer.body.decode())
    assert_common_headers(answer)


@pytest.mark.parametrize("path", ["/any/where", "/healthy", "//"])
def test_there_are_no_other_pages(db, path):
    answer = db.send("GET", path=path, signed=False)
    assert (answer.status, answer.body) == (404, UNKNOWN_OPERATION_PAGE)
    assert_common_headers(answer)


@pytest.mark.parametrize("over", [0, 1])
def test_request_line_and_headers_of_16_kb_are_the_most(db, over):
    place = urllib.parse.urlsplit(db.url)
    headers = {**db.sign("POST", "/", LIST_TABLES, "{}"), "Host": place.netloc, "Content-Length": "2", "Connection": "close"}
    lines = [f"{name}: {value}" for name, value in headers.items()]
    head = "\r\n".join(["POST / HTTP/1.1", *lines, "X-Filler: {}", "", ""])
    filled = head.format("x" * (16 * 1024 - len(head.format("")) + over))
    assert len(filled) == 16 * 1024 + over
    with socket.create_connection((place.hostname, place.port), 30) as connection:
        connection.sendall(filled.encode() + b"{}")
        status = connection.recv(12)
    assert status == (b"HTTP/1.1 400" if over else b"HTTP/1.1 200")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS"])
def test_other_methods_are_unknown_operations(db, method):
    answer = db.send(method, signed=False)
    assert (answer.status, answer.body) == (404, UNKNOWN_OPERATION_PAGE)
    assert_common_headers(answer)


@pytest.mark.parametrize(
    "content_type",
    [None, "whatever", "text/plain", "application/x-amz-json-2.0", "application/x-www-form-urlencoded"],
)
def test_a_body_of_another_content_type_is_an_unknown_operation(db, content_type):
    headers = {"X-Amz-Target": f"{TARGET}.ListTables"}
    if content_type:
        headers["Content-Type"] = content_type
    answer = db.send(headers=headers, body="{}", signed=False)
    assert (answer.status, answer.body) == (404, UNKNOWN_OPERATION_PAGE)


@pytest.mark.parametrize(
    "sent, answered",
    [
        (JSON_1_0, JSON_1_0),
        (JSON_1_0 + "; charset=utf-8", JSON_1_0),
        ("application/json", "application/json"),
        # The service itself refuses 1.1; here it is taken, for clients that send it to every AWS service.
        ("application/x-amz-json-1.1", "application/x-amz-json-1.1"),
    ],
)
def test_the_answer_has_the_content_type_of_the_request(db, sent, answered):
    answer = db.post("ListTables", {"Limit": 1}, content_type=sent)
    assert answer.status == 200
    assert answer.headers["content-type"] == answered
    assert_common_headers(answer)


BROKEN_JSON = [
    "hi", "{", "}{", '{"Limit"', '{"Limit":}', "{,}", '{"Limit":1}}', "{{}}", '"""', "{7}",
    '{"Limit": 01}', "{'Limit': 1}", '{"Limit": 1,}', '{"a": "\x01"}', "[" * 10000, '{"a":' * 10000,
]


@pytest.mark.parametrize("body", BROKEN_JSON, ids=lambda b: repr(b[:12]))
def test_broken_json_is_a_serialization_error_without_text(db, body):
    answer = db.post("ListTables", body)
    assert_error(answer, "SerializationException")
    assert_common_headers(answer)


def test_an_empty_body_is_a_serialization_error(db):
    assert_error(db.post("ListTables", ""), "SerializationException")


def test_an_empty_body_needs_no_content_type(db):
    answer = db.send(headers={"X-Amz-Target": f"{TARGET}.Nonsense"}, body="")
    assert_error(answer, "UnknownOperationException")
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "target",
    [
        None, "", "whatever", "ListTables", f"{TARGET}.", f"{TARGET}.ListTable", f"{TARGET}.listTables",
        f"{TARGET}.ListTables.x", "DynamoDB_20991231.ListTables", "Kinesis_20131202.ListStreams",
    ],
)
def test_an_unknown_target_is_an_unknown_operation(db, target):
    headers = {"Content-Type": JSON_1_0}
    if target is not None:
        headers["X-Amz-Target"] = target
    answer = db.send(headers=headers, body="{}")
    assert_error(answer, "UnknownOperationException")
    assert_common_headers(answer)


def test_json_is_parsed_before_the_target_is_looked_at(db):
    answer = db.send(headers={"Content-Type": JSON_1_0, "X-Amz-Target": "nonsense"}, body="hi")
    assert_error(answer, "SerializationException")


def test_unknown_members_are_ignored(db):
    assert db.post("ListTables", {"Limit": 1, "Unknown": {"deep": [1, 2]}}).status == 200


def test_null_members_are_absent(db):
    assert db.post("ListTables", {"Limit": None, "ExclusiveStartTableName": None}).status == 200


def test_any_path_serves_the_operation(db):
    answer = db.send(path="/any/where", headers=LIST_TABLES, body='{"Limit":1}')
    assert answer.status == 200


def test_errors_carry_the_same_headers_as_answers(db):
    answer = db.post("DescribeTable", {"TableName": "no-such-table"})
    assert answer.status == 400
    assert answer.headers["content-type"] == JSON_1_0
    assert_common_headers(answer)


def test_without_origin_there_are_no_cors_headers(db):
    answer = db.post("ListTables", {"Limit": 1})
    assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_with_origin_any_origin_is_allowed(db):
    answer = db.post("ListTables", {"Limit": 1}, headers={"Origin": "http://example.com"})
    assert answer.headers["access-control-allow-origin"] == "*"
    exposed = {h.strip().lower() for h in answer.headers["access-control-expose-headers"].split(",")}
    assert {"x-amzn-requestid", "x-amzn-errortype", "x-amzn-errormessage", "date"} <= exposed
    assert "access-control-max-age" not in answer.headers


def test_preflight_echoes_what_is_asked(db):
    answer = db.send(
        "OPTIONS", signed=False,
        headers={
            "Origin": "http://example.com",
            "Access-Control-Request-Headers": "a, b, c",
            "Access-Control-Request-Method": "POST",
        },
    )
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-headers"] == "a, b, c"
    assert answer.headers["access-control-allow-methods"] == "POST"
    assert answer.headers["access-control-max-age"] == "172800"
    assert answer.headers["content-length"] == "0"


def test_a_request_over_16_mb_is_too_large(db, hash_table):
    body = json.dumps({"TableName": hash_table, "Item": {"pk": {"S": "a"}}})
    answer = db.post("PutItem", body + " " * (16 * 1024 * 1024))
    assert answer.status == 413


@pytest.mark.parametrize("members", [1, 2], ids=["one gzip member", "two gzip members"])
def test_a_gzipped_request_is_understood(db, members):
    text = b'{"TableName": "no-such-table"}'
    half = 0 if members == 1 else 10
    body = (gzip.compress(text[:half]) if half else b"") + gzip.compress(text[half:])
    answer = db.post("DescribeTable", body, headers={"Content-Encoding": "gzip"})
    assert answer.code == "ResourceNotFoundException"


@pytest.mark.parametrize(
    "encoding, body",
    [("gzip", b"{}"), ("gzip", gzip.compress(b"{}")[:-1]), ("gzip", b""), ("garbage", b"{}")],
    ids=["not gzip", "cut short", "nothing", "unknown encoding"],
)
def test_a_body_that_cannot_be_decoded_gets_500(db, encoding, body):
    answer = db.post("ListTables", body, headers={"Content-Encoding": encoding})
    assert answer.status == 500


@pytest.fixture(scope="module")
def large_item(db, hash_table):
    db.call("PutItem", TableName=hash_table, Item={"pk": {"S": "large"}, "x": {"S": "x" * 4096}})
    return {"TableName": hash_table, "Key": {"pk": {"S": "large"}}}


@pytest.mark.parametrize(
    "accepted, chosen",
    [
        (None, None), ("identity", None), ("", None), ("br", None), ("x-gzip", None),
        ("gzip", "gzip"), ("deflate", "deflate"), ("gzip, deflate", "gzip"),
        ("br, identity, deflate, gzip", "deflate"), ("GZIP, identity", "gzip"),
        ("gzip;q=0.8, deflate;q=0.5", "gzip"), ("gzip;q=0, deflate;q=0.5", "deflate"),
        ("*", "gzip"), ("*, deflate", "deflate"), ("*, gzip;q=0.5", "deflate"), ("gzip;q=0", None),
    ],
)
def test_answers_over_4_kb_are_compressed_as_accepted(db, large_item, accepted, chosen):
    headers = {} if accepted is None else {"Accept-Encoding": accepted}
    answer = db.post("GetItem", large_item, headers=headers)
    assert answer.status == 200
    assert answer.headers.get("content-encoding") == chosen
    unpack = {"gzip": gzip.decompress, "deflate": zlib.decompress, None: bytes}[chosen]
    assert json.loads(unpack(answer.body))["Item"]["x"]["S"] == "x" * 4096
    assert_common_headers(answer)


@pytest.mark.parametrize("size, chosen", [(1024, None), (4095, None), (4096, "gzip")])
def test_answers_are_compressed_from_4096_bytes_on(db, hash_table, size, chosen):
    item = {"pk": {"S": "sized"}, "x": {"S": ""}}
    around = len(json.dumps({"Item": item}, separators=(",", ":")))
    item["x"]["S"] = "x" * (size - around)
    db.call("PutItem", TableName=hash_table, Item=item)
    answer = db.post("GetItem", {"TableName": hash_table, "Key": {"pk": item["pk"]}}, headers={"Accept-Encoding": "gzip"})
    assert answer.headers.get("content-encoding") == chosen
    body = gzip.decompress(answer.body) if chosen else answer.body
    assert len(body) == size


# A server may remember the heads of requests. Each of these sends one head over and over before it sends another that is nearly the same.
OFTEN = 40


def table_arns(db, table, region, times=1):
    headers = {"X-Amz-Target": f"{TARGET}.DescribeTable", "Content-Type": JSON_1_0}
    headers = db.sign("POST", "/", headers, json.dumps({"TableName": table}))
    headers["Authorization"] = headers["Authorization"].replace(f"/{db.region}/", f"/{region}/")
    body = json.dumps({"TableName": table})
    answers = [db.send(headers=headers, body=body, signed=False) for _ in range(times)]
    assert all(answer.status == 200 for answer in answers)
    return {answer.json()["Table"]["TableArn"].split(":")[3] for answer in answers}


def test_the_region_is_that_of_each_request(db, hash_table):
    table = hash_table
    assert table_arns(db, table, "us-east-1", OFTEN) == {"us-east-1"}
    for region in ("us-west-2", "eu-west-1", "ap-southeast-2", "us-east-1"):
        assert table_arns(db, table, region) == {region}


def test_a_known_head_excuses_nothing_in_what_follows(db):
    body = '{"Limit":1}'
    for _ in range(OFTEN):
        assert db.post("ListTables", body).status == 200
    assert_error(db.post("ListTables", '{"Limit":x}'), "SerializationException")
    assert_error(db.post("ListTabless", body), "UnknownOperationException")
    assert db.post("ListTables", body, content_type="text/plain").status == 404
    headers = db.sign("POST", "/", dict(LIST_TABLES), body)
    without = {name: value for name, value in headers.items() if name != "Authorization"}
    assert_error(db.send(headers=without, body=body, signed=False), "MissingAuthenticationTokenException",
                 "Request is missing Authentication Token")
    headers["Authorization"] = headers["Authorization"].replace("Signature=", "Signatur=")
    answer = db.send(headers=headers, body=body, signed=False)
    assert answer.json()["__type"].endswith("#IncompleteSignatureException")
    assert db.post("ListTables", body).status == 200


def test_a_type_that_did_not_matter_without_a_body_matters_with_one(db):
    headers = {"X-Amz-Target": f"{TARGET}.ListTables", "Content-Type": "text/plain"}
    for _ in range(OFTEN):
        assert_error(db.send(headers=headers, body=""), "SerializationException")
    answer = db.send(headers=headers, body="{}")
    assert (answer.status, answer.body) == (404, UNKNOWN_OPERATION_PAGE)
