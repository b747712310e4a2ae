"""The TypeScript of `stator design codegen`: compiled strictly, and used with the JavaScript SDK against a server."""

import hashlib
import os
import pathlib
import shutil
import subprocess

import pytest

from models import EXAMPLES, REPOSITORY

SOURCES = pathlib.Path(__file__).resolve().parent / "typescript"
BUILD = pathlib.Path(os.environ.get("STATOR_BUILD_DIR", REPOSITORY / "build"))


def run(*command, cwd):
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def install_node():
    if shutil.which("npm") and shutil.which("node"):
        return
    run(REPOSITORY / "tests" / "install", "nodejs", "npm", cwd="/")


@pytest.fixture(scope="session")
def packages():
    """The compiler and the SDK, installed once."""
    install_node()
    work = BUILD / "codegen-typescript"
    work.mkdir(parents=True, exist_ok=True)
    lists = [SOURCES / "package.json", SOURCES / "package-lock.json"]
    stamp = work / "stamp"
    wanted = hashlib.sha256(b"".join(file.read_bytes() for file in lists)).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        for file in lists:
            shutil.copy(file, work)
        run("npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", cwd=work)
        stamp.write_text(wanted)
    return work


@pytest.fixture(scope="session")
def compiled(stator, packages, tmp_path_factory):
    """All models and the programs that use them, compiled with --strict and more."""
    work = tmp_path_factory.mktemp("typescript")
    (work / "node_modules").symlink_to(packages / "node_modules")
    for file in [SOURCES / "package.json", SOURCES / "tsconfig.json", *SOURCES.glob("*.ts")]:
        shutil.copy(file, work)
    for model in EXAMPLES:
        done = stator("codegen", "--language", "typescript", "--output", work / f"{model.stem}.ts", model)
        assert done.returncode == 0, done.stderr
    run("node", packages / "node_modules/typescript/bin/tsc", cwd=work)
    return work


@pytest.fixture
def program(stator, compiled, server, fresh):
    """program(model, table, script): what the compiled program prints, with a new table of the model on the server."""

    def start(model, table, script):
        fresh(table)
        assert stator("deploy", "--endpoint", server, f"examples/models/{model}.yaml").returncode == 0
        return run("node", f"out/{script}.js", server, cwd=compiled).splitlines()

    return start


def test_every_model_compiles(compiled):
    assert {file.stem for file in (compiled / "out").glob("*.js")} >= {model.stem for model in EXAMPLES}


def test_a_wrong_property_does_not_compile(compiled, packages):
    wrong = compiled / "wrong.ts"
    wrong.write_text('import { keyOfOrder } from "./orders.js";\nkeyOfOrder({ customerId: "a", orderId: "o" });\n')
    try:
        done = subprocess.run(["node", packages / "node_modules/typescript/bin/tsc", "--noEmit"], cwd=compiled,
                              capture_output=True, text=True, timeout=300)
        assert done.returncode != 0 and "orderDate" in done.stdout
    finally:
        wrong.unlink()


def test_orders_with_the_document_client(program):
    assert program("orders", "app-main", "use_orders") == [
        'get {"$type":"Customer","customerId":"a1b2","name":"Ada","email":"ada@example.com","tier":"gold",'
        '"createdAt":"2026-01-01T00:00:00Z"}',
        "line 1 ABC",
        "line 2 ABC",
        "line 10 ABC",
        "header OPEN 1",
        "open 1",
        "conflict true",
        "now SHIPPED 2 0",
    ]


def test_shards_with_the_document_client(program):
    assert program("shipments", "shipments", "use_shipments") == ["e39 e38 e37 e36 e35", "true"]
