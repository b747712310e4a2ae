"""Manual pages and completions have every command and every option that --help has (packaging/pages).

    python3 test_pages.py [PROGRAM]      PROGRAM is stator; build/stator unless told
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import test_documents

ROOT = test_documents.ROOT
MACROS = {".TH", ".SH", ".TP", ".PP", ".nf", ".fi"}


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not test_documents.PROGRAM.exists():
            raise unittest.SkipTest(f"{test_documents.PROGRAM} is not built")
        cls.folder = tempfile.TemporaryDirectory()
        cls.share = pathlib.Path(cls.folder.name)
        subprocess.run([ROOT / "packaging/pages/make", test_documents.PROGRAM, "1.2.3", cls.share], check=True)
        cls.commands = test_documents.commands()  # read by another hand than the pages are

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def complete(self, *words):
        """What bash offers for the last word. The shell gives `--name=value` as three words."""
        script = f"source {self.share}/bash-completion/completions/stator; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _stator; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        ran = subprocess.run(["bash", "-c", script, "bash", "stator", *words], capture_output=True, text=True, check=True)
        self.assertEqual("", ran.stderr)
        return set(ran.stdout.split())

    def test_each_command_has_a_page_with_its_options(self):
        written = {path.name for path in (self.share / "man/man1").iterdir()}
        self.assertEqual({"-".join(("stator", *words)) + ".1" for words in self.commands}, written)
        for words, options in self.commands.items():
            text = (self.share / "man/man1" / ("-".join(("stator", *words)) + ".1")).read_text()
            with self.subTest(command=words):
                entries = set(re.findall(r"\\fB(--[a-z-]+)\\fR", text.replace("\\-", "-")))
                self.assertEqual(options | {"--help"}, entries)
                self.assertEqual(set(), {line.split()[0] for line in text.splitlines() if line.startswith((".", "'"))} - MACROS)
                self.assertIn("Stator 1.2.3", text)

    def test_values_are_explained(self):
        text = (self.share / "man/man1/stator-serve.1").read_text()
        self.assertIn("One of rocksdb, rados. Default: rocksdb.", text)
        self.assertIn("From 100 to 3600000. Default: 30000. Needs \\-\\-pool.", text)

    def test_bash_completes_options_and_commands(self):
        for words, options in self.commands.items():
            with self.subTest(command=words):
                self.assertEqual(options | {"--help"}, {name for name in self.complete(*words, "-") if name.startswith("--")})
                below = {other[-1] for other in self.commands if other[:-1] == words and other != words}
                if below:
                    self.assertEqual(below, self.complete(*words, ""))

    def test_bash_completes_values(self):
        self.assertEqual({"rocksdb", "rados"}, self.complete("serve", "--store", ""))
        self.assertEqual({"rados"}, self.complete("serve", "--store", "=", "ra"))
        self.assertEqual({"text", "json", "sarif", "md"}, self.complete("design", "check", "--format", "="))
        self.assertEqual(set(), self.complete("serve", "--data", ""))  # bash goes on with names of files
        self.assertEqual(set(), self.complete("design", "check", ""))
        self.assertEqual({"check", "codegen", "cost"}, self.complete("design", "c"))

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_knows_the_options(self):
        stubs = "_arguments() { print -rl -- \"$@\" }; _describe() { : }; "
        for words, options in self.commands.items():
            with self.subTest(command=words):
                name = "_" + "_".join(("stator", *words))
                script = f"{stubs} source {self.share}/zsh/vendor-completions/_stator >/dev/null; {name}"
                printed = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, check=False).stdout
                self.assertEqual(options | {"--help"}, set(re.findall(r"^(?:\([^)]*\))?\*?(--[a-z-]+)\[", printed, re.MULTILINE)))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        test_documents.PROGRAM = pathlib.Path(sys.argv.pop(1))
    sys.exit(unittest.main())
