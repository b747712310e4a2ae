"""What the documents say exists: links lead somewhere, files that are named are there, docs/commands.md has every
option of every command and no other, and docs/dependencies.md every package that `setup` installs and no other.

    python3 test_documents.py [PROGRAM]      PROGRAM is stator; build/stator unless told
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "stator"
# Commands that talk to a server have these; the document explains them once.
CONNECTION = {"--endpoint", "--endpoint-url", "--region", "--profile"}

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NAMED_FILE = re.compile(r"`([\w./-]+\.(?:h|cc|py|md|ts|json|yaml|cmake|go))`")
OPTION = re.compile(r"^\| `(--[a-z-]+)", re.MULTILINE)
OPTION_LINE = re.compile(r"^ +(?:-\w,)?(--[a-z][\w,-]*)")
SECTION = re.compile(r"^## `stator([^`]*)`$", re.MULTILINE)


def project_files():
    """All files that are part of the project, as paths from its root."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [path for path in listed.stdout.split("\n") if path and (ROOT / path).exists()]
    left_out = {"build", "node_modules", "__pycache__"}
    return [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
            if path.is_file() and not left_out & set(path.relative_to(ROOT).parts)]


def anchor(heading):
    """A heading's place as code hosts name it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def dead_links(path, text, exists, anchors):
    """The links of one document that lead nowhere. `exists` and `anchors` answer for a path from the root."""
    found = []
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        place = pathlib.PurePosixPath(path).parent / name if name else pathlib.PurePosixPath(path)
        if not exists(place):
            found.append(f"{path}: {target}")
        elif fragment and place.suffix == ".md" and fragment not in anchors(place):
            found.append(f"{path}: {target} (no such heading)")
    return found


def help_of(words):
    run = subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, check=True)
    return run.stdout


def commands(words=()):
    """Every command with the options that its help lists: ("design", "check") -> {"--strict", ...}."""
    text = help_of(words)
    options = set()
    for line in text.splitlines():
        match = OPTION_LINE.match(line)
        if match:
            options |= set(match[1].split(","))
    found = {words: options - {"--help"}}
    below = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.MULTILINE)
    for name in re.findall(r"^  (\S+)", below[1], re.MULTILINE) if below else ():
        found |= commands((*words, name))
    return found


def documented(text):
    """The options of each section of the document, by command."""
    parts = SECTION.split(text)
    return {tuple(name.split()): set(OPTION.findall(body)) for name, body in zip(parts[1::2], parts[2::2])}


class Documents(unittest.TestCase):
    def setUp(self):
        self.files = project_files()
        self.documents = [path for path in self.files if path.endswith(".md")]
        self.assertGreater(len(self.documents), 20)

    def test_links_lead_somewhere(self):
        def anchors(path):
            return {anchor(line.lstrip("#")) for line in (ROOT / path).read_text().splitlines() if line.startswith("#")}

        dead = []
        for path in self.documents:
            dead += dead_links(path, (ROOT / path).read_text(), lambda place: (ROOT / place).exists(), anchors)
        self.assertEqual([], dead)

    def test_files_that_are_named_are_there(self):
        missing = []
        for path in self.documents:
            for name in NAMED_FILE.findall((ROOT / path).read_text()):
                if not any(file == name or file.endswith("/" + name) for file in self.files):
                    missing.append(f"{path}: {name}")
        self.assertEqual([], missing)


    def test_packages_have_their_reasons(self):
        arrays = re.findall(r"packages\+?=\(([^)]*)\)", (ROOT / "setup").read_text())
        installed = {name for array in arrays for name in array.split()}
        self.assertGreater(len(installed), 10)
        table = [line.split("|")[1] for line in (ROOT / "docs" / "dependencies.md").read_text().splitlines()
                 if line.startswith("|")][2:]
        explained = set(re.findall(r"[a-z0-9.+-]+", " ".join(table))) - {"with"}
        self.assertEqual(sorted(installed), sorted(explained))


class Commands(unittest.TestCase):
    def test_are_documented_with_their_options(self):
        if not PROGRAM.exists():
            self.skipTest(f"{PROGRAM} is not built")
        written = documented((ROOT / "docs" / "commands.md").read_text())
        there = commands()
        self.assertEqual(sorted(there), sorted(written), "docs/commands.md has other commands than stator --help")
        for words, options in there.items():
            with self.subTest(command=" ".join(words)):
                own = options - CONNECTION if "--endpoint" in options else options
                self.assertEqual(sorted(own), sorted(written[words]))


class Parts(unittest.TestCase):
    def test_dead_links_are_found(self):
        def check(text):
            return dead_links("docs/a.md", text, lambda place: str(place) in ("docs/a.md", "docs/b.md"), lambda _: {"two-words"})

        self.assertEqual([], check("[b](b.md) [c](b.md#two-words) [d](#two-words) [e](https://example.com/x.md)"))
        self.assertEqual(3, len(check("[b](c.md) [c](b.md#other) [d](../b.md)")))

    def test_options_are_found_by_command(self):
        text = "# t\n## `stator`\n| `--version` |\n## `stator design check`\n| `--strict` | not --format |\n"
        self.assertEqual({(): {"--version"}, ("design", "check"): {"--strict"}}, documented(text))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        PROGRAM = pathlib.Path(sys.argv.pop(1))
    sys.exit(unittest.main())
