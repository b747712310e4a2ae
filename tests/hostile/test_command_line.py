"""What the program says before it serves, and where it refuses to."""

import http.client
import re
import socket

import pytest

from server_process import run_to_end
from wire_client import Client


def assert_refused(result, code, words):
    """One clear line on stderr, nothing on stdout, and this exit code."""
    returned, out, error = result
    assert returned == code, error
    assert out == ""
    assert re.fullmatch(r"stator: [^\n]+\n", error), error
    for word in words:
        assert word in error, error


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], ["subcommand"]),
        (["dance"], ["dance"]),
        (["serve", "--nonsense"], ["--nonsense"]),
        (["serve", "extra"], ["extra"]),
        (["serve", "--port"], ["--port"]),
        (["serve", "--port", "http"], ["--port", "http"]),
        (["serve", "--port", "65536"], ["--port", "65536"]),
        (["serve", "--port", "-1"], ["--port"]),
        (["serve", "--threads", "-2"], ["--threads"]),
        (["serve", "--threads", "100000"], ["--threads"]),
        (["serve", "--durability", "none"], ["--durability", "none", "full", "relaxed"]),
        (["serve", "--account-id", "12"], ["--account-id", "twelve digits"]),
        (["serve", "--transition-ms", "-1"], ["--transition-ms"]),
        (["serve", "--cache-mb", "much"], ["--cache-mb", "much"]),
        (["serve", "--in-memory=maybe"], ["maybe"]),
    ],
)
def test_a_wrong_command_line_is_refused_with_one_line(arguments, words):
    assert_refused(run_to_end(*arguments), 2, [*words, "--help"])


@pytest.mark.parametrize("arguments", [["--help"], ["serve", "--help"], ["--version"]])
def test_help_and_version_go_to_stdout(arguments):
    code, out, error = run_to_end(*arguments)
    assert (code, error) == (0, "")
    assert "stator" in out


def test_a_port_in_use_is_refused(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run_to_end("serve", "--port", port, "--in-memory")
        assert_refused(result, 1, [str(port), "127.0.0.1", "in use"])
        result = run_to_end("serve", "--port", port, "--data", tmp_path / "data")
        assert_refused(result, 1, [str(port), "127.0.0.1", "in use"])


@pytest.mark.parametrize("host", ["203.0.113.7", "no.such.host.invalid", "", "300.1.1.1"])
def test_an_address_that_is_not_ours_is_refused(host):
    assert_refused(run_to_end("serve", "--port", "0", "--in-memory", "--host", host), 1, [host])


def test_port_0_takes_a_free_port_and_the_first_line_names_it(new_server):
    first = new_server(data=None).start()
    second = new_server(data=None).start()
    assert first.port != second.port
    for server in (first, second):
        assert server.first_line == (
            f"stator is ready on http://127.0.0.1:{server.port} (data in memory, lost at exit)\n"
        )
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()
        assert Client(server.port).call("ListTables") == {"TableNames": []}


def test_the_first_line_says_where_the_data_is(new_server, tmp_path):
    server = new_server("--durability", "relaxed").start()
    assert f"(data in {tmp_path / 'data'}, durability relaxed)" in server.first_line
    assert server.stop() == 0
    assert server.log_text() == ""


def test_a_server_whose_first_line_nobody_reads_still_serves(new_server):
    """Its stdout is closed: no signal and no error of it ends the server."""
    server = new_server(data=None).start()
    server.process.stdout.close()
    server.process.stdout = open("/dev/null", "rb")
    assert Client(server.port).call("ListTables") == {"TableNames": []}
    assert server.stop() == 0
