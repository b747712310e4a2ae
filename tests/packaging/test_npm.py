"""The npm package, as its users have it: installed from its archive into a project with vitest and jest."""

import json
import shutil

import pytest

from programs import FULL_DISK, HERE, ROOT, killed_run_leaves_nothing, run, running, wait_until
from readme import example

SOURCES = HERE / "javascript"
CACHE = ROOT / "build" / "packaging"
README = ROOT / "packaging" / "npm" / "README.md"
NPM = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]


def runners():
    """A folder with vitest, jest and the SDK, installed once."""
    folder = CACHE / "runners"
    wanted = (SOURCES / "package.json").read_text()
    stamp = folder / "stamp"
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copy(SOURCES / "package.json", folder)
        run(["npm", "install", *NPM], folder)
        stamp.write_text(wanted)
    return folder


@pytest.fixture(scope="module")
def installed(build):
    """A project that the package is installed into. The runners are links to the same files, since they are many."""
    if shutil.which("npm") is None:
        run([HERE.parent / "install", "nodejs", "npm"], HERE)
    folder = CACHE / "project"
    shutil.rmtree(folder, ignore_errors=True)
    run(["cp", "-al", runners(), folder], ROOT)
    for name in ("package.json", "package-lock.json", "node_modules/.package-lock.json"):
        shutil.copy(folder / name, folder / "own")  # npm writes into them
        (folder / "own").replace(folder / name)
    run(["npm", "install", "--save-dev", "--prefer-offline", *NPM, build("npm/build")], folder)
    return folder


@pytest.fixture
def project(installed):
    """The project with no tests in it."""
    for file in installed.glob("*.test.*"):
        file.unlink()
    yield installed
    assert running(program(installed)) == [], "servers are left when tests are over"


def program(project):
    return project / "node_modules" / "stator-db" / "program" / "bin" / "stator"


def vitest(project, *options):
    return ["node", project / "node_modules" / "vitest" / "vitest.mjs", "run", *options]


def jest(project, *options):
    return ["node", project / "node_modules" / "jest" / "bin" / "jest.js", "--no-cache", *options]


def test_npx_runs_the_program(project, version):
    for name in ("stator", "stator-db"):
        assert run(["npx", "--no-install", name, "--version"], project).splitlines()[-2].startswith(f"stator {version} (commit ")
    described = json.loads((project / "node_modules" / "stator-db" / "package.json").read_text())
    assert described["version"] == version
    assert "dependencies" not in described


def test_the_examples_of_the_page(project):
    (project / "orders.test.mjs").write_text(example(README, "vitest", "js"))
    assert "1 passed" in run(vitest(project), project, NO_COLOR="1")
    (project / "orders.test.mjs").unlink()
    (project / "orders.test.js").write_text(example(README, "jest", "js"))
    assert "1 passed" in run(jest(project), project, NO_COLOR="1")
    (project / "anywhere.mjs").write_text(example(README, "Anywhere", "js"))
    assert run(["node", "anywhere.mjs"], project).startswith("http://127.0.0.1:")


def test_vitest_and_types(project):
    for name in ("typed.test.ts", "tsconfig.json"):
        shutil.copy(SOURCES / name, project)
    run([project / "node_modules" / ".bin" / "tsc", "-p", "."], project)
    assert "4 passed" in run(vitest(project), project, NO_COLOR="1")


def test_jest_with_a_server_for_a_file_and_for_a_test(project):
    shutil.copy(SOURCES / "file.test.js", project)
    assert "6 passed" in run(jest(project), project, NO_COLOR="1")


def test_what_a_server_has_to_say_is_told(project):
    """A program that stands in for one with a full disk."""
    stand_in = project / "full"
    stand_in.write_text(FULL_DISK)
    stand_in.chmod(0o755)
    script = "require('stator-db').startStator().then((stator) => stator.stop())"
    assert run(["node", "-e", script], project, STATOR_BINARY=str(stand_in)) == "no room\n"


def test_twenty_servers_side_by_side(project):
    shutil.copy(SOURCES / "twenty.mjs", project)
    told = json.loads(run(["node", "twenty.mjs"], project))
    assert len(set(told["endpoints"])) == 20
    assert told["tables"] == [[f"table-{number}"] for number in range(20)]
    wait_until(lambda: not running(program(project)), "a server is left")


@pytest.mark.parametrize("pool", ["forks", "threads"])
def test_a_killed_run_of_vitest_leaves_no_server(pool, project):
    for number in range(2):
        shutil.copy(SOURCES / "hangs.test.mjs", project / f"hangs-{number}.test.mjs")
    killed_run_leaves_nothing(vitest(project, f"--pool={pool}", "--maxWorkers=2"), project, program(project), servers=2)


@pytest.mark.parametrize("options", [["--maxWorkers=2"], ["--runInBand"]])
def test_a_killed_run_of_jest_leaves_no_server(options, project):
    for number in range(2):
        shutil.copy(SOURCES / "hangs.test.js", project / f"hangs-{number}.test.js")
    servers = 1 if options == ["--runInBand"] else 2
    killed_run_leaves_nothing(jest(project, *options), project, program(project), servers)
