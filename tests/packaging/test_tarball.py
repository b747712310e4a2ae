"""The tarball, unpacked in a folder: everything that the program needs is in it."""

import http.server
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import threading

import pytest

from programs import run

# glibc's own, which come from the system.
SYSTEM = ("libc.so.6", "libm.so.6", "ld-linux", "linux-vdso")


@pytest.fixture(scope="module")
def archive(build):
    return build("tarball")


@pytest.fixture(scope="module")
def unpacked(archive, tmp_path_factory):
    directory = tmp_path_factory.mktemp("unpacked")
    run(["tar", "-xzf", archive], directory)
    (top,) = directory.iterdir()
    return top


def test_the_name_tells_version_and_machine(archive, unpacked, version):
    assert unpacked.name == f"stator-{version}-linux-{os.uname().machine}"
    assert archive.name == f"{unpacked.name}.tar.gz"


def test_the_program_runs(unpacked, version):
    assert run([unpacked / "bin" / "stator", "--version"], unpacked) .startswith(f"stator {version} (commit ")


def test_libraries_come_from_the_folder(unpacked):
    """Also where LD_LIBRARY_PATH leads to others."""
    listed = run(["ldd", unpacked / "bin" / "stator"], unpacked, LD_LIBRARY_PATH="/usr/lib/x86_64-linux-gnu")
    assert "not found" not in listed
    for line in listed.splitlines():
        name, _, place = line.strip().partition(" => ")
        if not any(part in name for part in SYSTEM):
            assert pathlib.Path(place.split()[0]).resolve().parent == unpacked / "lib", line
    assert not [file.name for file in (unpacked / "lib").iterdir() if file.name.startswith(SYSTEM)]


def test_licences_of_all_parts_are_there(unpacked):
    assert "Apache License" in (unpacked / "LICENSE").read_text()
    notices = (unpacked / "THIRD_PARTY_LICENSES.txt").read_text()
    sections = re.findall(r"^=+\n(\S+) \S+\n=+$", notices, re.MULTILINE)
    assert {"librocksdb-dev", "libsnappy1v5", "libssl3", "libboost1.81-dev", "libfmt9", "libgcc-s1"} <= set(sections)
    assert len(sections) > len(list((unpacked / "lib").iterdir())), "one for each library, and those that are compiled in"
    assert "RocksDB" in notices and "END OF TERMS AND CONDITIONS" in notices


def test_what_the_texts_refer_to_is_in_share(unpacked):
    names = {file.name for file in (unpacked / "share").iterdir()}
    assert {"prices.json", "model.schema.json", "starter.yaml"} <= names


@pytest.fixture(scope="module")
def bare_root(unpacked, tmp_path_factory):
    """A root folder with nothing but glibc and the tarball's folder in /opt/stator. Entering it needs root."""
    root = tmp_path_factory.mktemp("root")
    shutil.copytree(unpacked, root / "opt" / "stator")
    for line in run(["ldd", unpacked / "bin" / "stator"], unpacked).splitlines():
        place = re.search(r"/\S+", line)
        if place and any(part in line for part in SYSTEM):
            target = root / place.group().lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(place.group(), target)
    (root / "tmp").mkdir()
    (root / "proc" / "self").mkdir(parents=True)  # what programs know their own place by
    (root / "proc" / "self" / "exe").symlink_to("/opt/stator/bin/stator")
    if subprocess.run(["chroot", root, "/opt/stator/bin/stator", "--version"], capture_output=True).returncode == 125:
        pytest.skip("chroot needs root")
    return root


def test_nothing_else_of_the_system_is_needed(bare_root, version):
    def stator(*arguments):
        return run(["chroot", bare_root, "/opt/stator/bin/stator", *arguments], bare_root)

    assert stator("--version") .startswith(f"stator {version} (commit ")
    stator("design", "init", "/tmp/model.yaml")
    stator("design", "check", "/tmp/model.yaml")


@pytest.fixture
def tls_endpoint(tmp_path):
    """An HTTPS endpoint that refuses every request, and the certificate that vouches for it."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate], tmp_path)

    class Refuses(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = b'{"__type": "com.amazon.coral.service#UnrecognizedClientException", "message": "seen over TLS"}'
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(400)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refuses)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://127.0.0.1:{server.server_port}", certificate
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "place", ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", None]
)
def test_authorities_are_found_where_the_distribution_has_them(place, bare_root, tls_endpoint):
    endpoint, certificate = tls_endpoint
    shutil.rmtree(bare_root / "etc", ignore_errors=True)
    if place:
        target = bare_root / place.lstrip("/")
        target.parent.mkdir(parents=True)
        shutil.copy(certificate, target)
    done = subprocess.run(
        ["chroot", bare_root, "/opt/stator/bin/stator", "design", "import", "--table", "t", "--endpoint", endpoint],
        capture_output=True, text=True, env={"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "PATH": os.environ["PATH"]},
        timeout=120,
    )
    assert done.returncode != 0
    assert ("seen over TLS" in done.stderr) == bool(place), done.stderr
