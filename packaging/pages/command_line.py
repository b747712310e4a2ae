"""The commands of the program and their options, read from what `--help` prints."""

import re
import subprocess
from dataclasses import dataclass, field

# Where the explanation of an option begins, from the left edge of its list.
EXPLANATION = 30
LEFT = re.compile(r"""(?P<names>\S+)
    (?:\ (?P<kind>[A-Z]+)(?::(?:\{(?P<choices>[^}]*)\}|\w+\ in\ \[(?P<low>\S+)\ -\ (?P<high>\S+)\]|\w+))?(?:=(?P<default>\S*))?
    (?P<several>\ \.\.\.|\ x\ \d+)?)?(?P<required>\ REQUIRED)?(?:\ Needs:\ (?P<needs>\S+))?$""", re.VERBOSE)


@dataclass
class Option:
    """One option, or a positional argument, whose only name has no dash."""
    names: list
    text: str
    kind: str = ""  # of the value, such as TEXT; empty for a switch
    choices: list = field(default_factory=list)
    span: tuple = ()  # least and greatest value
    default: str = ""
    several: bool = False
    required: bool = False
    needs: str = ""


@dataclass
class Command:
    words: tuple  # ("stator", "design", "check")
    summary: str = ""
    usage: str = ""
    positionals: list = field(default_factory=list)
    options: list = field(default_factory=list)
    notes: list = field(default_factory=list)  # lines below the lists
    below: list = field(default_factory=list)

    def all(self):
        """The command and every one below it."""
        yield self
        for command in self.below:
            yield from command.all()


def parse_option(left, text):
    found = LEFT.match(left)
    if not found:
        raise ValueError(f"an option in a form that is not known: {left}")
    return Option(names=found["names"].split(","), text=text.strip(), kind=found["kind"] or "",
                  choices=found["choices"].split(",") if found["choices"] else [],
                  span=(found["low"], found["high"]) if found["low"] else (), default=found["default"] or "",
                  several=bool(found["several"]), required=bool(found["required"]), needs=found["needs"] or "")


def parse_help(words, text):
    """A command without those below it, and the names of those."""
    head, usage, rest = re.match(r"(.*?)^Usage: (.*?)\n(.*)", text, re.DOTALL | re.MULTILINE).groups()
    command = Command(words, summary=head.strip(), usage=usage)
    names = []
    lists = {"Positionals:": command.positionals, "Options:": command.options, "Subcommands:": names}
    entries, edge = None, 0
    # The explanation of a long option is on a line of its own.
    for line in re.sub(rf"\n {{{EXPLANATION},}}(?=\S)", "\t", rest).splitlines():
        title = line.strip()
        indent = len(line) - len(line.lstrip())
        if title in lists:
            entries, edge = lists[title], indent
        elif line.startswith("[Option Group:"):
            entries = None  # until its options
        elif entries is names and title and indent:
            names.append(title.split()[0])
        elif entries is not None and title and indent:
            at = line.find("\t") if "\t" in line else edge + EXPLANATION
            entries.append(parse_option(line[:at].strip(), line[at:]))
        elif title and (indent == 0 or command.notes):
            entries = None
            command.notes.append(line)
    return command, names


def read(program, words=("stator",)):
    """The command of these words with all below it."""
    text = subprocess.run([program, *words[1:], "--help"], capture_output=True, text=True, check=True).stdout
    command, names = parse_help(words, text)
    command.below = [read(program, (*words, name)) for name in names]
    return command
