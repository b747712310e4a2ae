import http.server
import json
import threading

import pytest
from trigger_process import sort_key, wait_until

INVOKE = "/2015-03-31/functions/function/invocations"


class Function(http.server.ThreadingHTTPServer):
    """Takes events as Lambda's Invoke does. `answers` are used up first: (status, headers, body)."""

    daemon_threads = True

    def __init__(self, answers=(), port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.answers = list(answers)
        self.calls = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def keys(self):
        return [[sort_key(r) for r in event["Records"]] for _, _, event in self.calls]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.calls.append((self.path, dict(self.headers), json.loads(body)))
        status, headers, answer = self.server.answers.pop(0) if self.server.answers else (200, {}, "null")
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def function():
    made = []

    def make(answers=(), port=0):
        made.append(Function(answers, port))
        return made[-1]

    yield make
    for one in made:
        one.shutdown()
        one.server_close()


def test_events_are_posted_as_invocations(table, put, trigger, function):
    target = function()
    put(table, "a", 1)
    trigger(table, url=target.url)
    wait_until(lambda: target.calls, "a call")
    path, headers, event = target.calls[0]
    assert path == INVOKE
    assert headers["Content-Type".lower()] == "application/json"
    assert event["Records"][0]["eventName"] == "INSERT"


def test_a_path_is_kept(table, put, trigger, function):
    target = function()
    put(table, "a", 1)
    trigger(table, url=target.url + "/my/function?stage=test")
    wait_until(lambda: target.calls, "a call")
    assert target.calls[0][0] == "/my/function?stage=test"


@pytest.mark.parametrize(
    "error",
    [
        (500, {}, ""),
        (200, {"X-Amz-Function-Error": "Unhandled"}, '{"errorMessage": "no", "errorType": "Error"}'),
        (200, {}, '{"errorMessage": "no", "errorType": "Error", "stackTrace": []}'),
        (429, {}, ""),
        (503, {}, ""),
    ],
    ids=["status", "header", "body", "throttled", "unavailable"],
)
def test_errors_are_tried_again(table, put, trigger, function, error):
    target = function([error])
    put(table, "a", 1)
    trigger(table, url=target.url)
    wait_until(lambda: len(target.calls) == 2, "a retry")
    assert target.keys() == [["1"], ["1"]]


def test_responses_can_name_failed_records(table, put, trigger, function):
    target = function()
    for i in range(4):
        put(table, "a", i)
    numbers = []

    class Failing(list):
        def pop(self, _):
            self.clear()
            numbers.extend(r["dynamodb"]["SequenceNumber"] for r in target.calls[0][2]["Records"])
            return 200, {}, json.dumps({"batchItemFailures": [{"itemIdentifier": numbers[2]}]})

    target.answers = Failing([None])
    trigger(table, "--report-batch-item-failures", "--batch-size", "4", "--batching-window", "300", url=target.url)
    wait_until(lambda: len(target.calls) == 2, "a retry")
    assert target.keys() == [["0", "1", "2", "3"], ["2", "3"]]


def test_a_function_that_is_not_there_yet_is_waited_for(table, put, trigger, function):
    first = function()
    port = first.server_port
    first.shutdown()
    first.server_close()
    put(table, "a", 1)
    follower = trigger(table, "--maximum-retry-attempts", "0", url=f"http://127.0.0.1:{port}")
    wait_until(lambda: "cannot connect" in follower.complaint(), "the refusal")
    target = function(port=port)
    wait_until(lambda: target.calls, "the call")
    assert target.keys() == [["1"]]
