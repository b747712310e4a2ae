"""Reads a Containerfile into stages of steps, for carrying them out without a container engine. Knows what ours uses, and
refuses everything else rather than guess."""

import json
import re
import shlex
from dataclasses import dataclass, field


@dataclass
class Step:
    name: str
    options: list  # ("mount", "type=cache,target=/x")
    words: list  # of a list in brackets, or of the line; RUN has its line as one word
    in_brackets: bool = False


@dataclass
class Stage:
    image: str
    name: str
    steps: list = field(default_factory=list)


KNOWN = {"FROM", "RUN", "COPY", "WORKDIR", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}


def lines_of(text):
    """Whole instructions: without comments, continued lines put together."""
    kept = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return [line.strip() for line in kept.replace("\\\n", " ").splitlines() if line.strip()]


def parse_step(line):
    name, rest = line.split(None, 1)
    if name not in KNOWN:
        raise ValueError(f"an instruction that is not known: {line}")
    options = []
    while match := re.match(r"--(\w[\w-]*)=(\S+)\s+", rest):
        options.append((match[1], match[2]))
        rest = rest[match.end():]
    if name == "HEALTHCHECK":
        rest = rest.removeprefix("CMD").strip()
    if rest.startswith("["):
        return Step(name, options, json.loads(rest), True)
    return Step(name, options, [rest] if name == "RUN" else shlex.split(rest))


def parse(text):
    stages = []
    for step in map(parse_step, lines_of(text)):
        if step.name == "FROM":
            stages.append(Stage(step.words[0], step.words[2] if len(step.words) == 3 else ""))
        else:
            stages[-1].steps.append(step)
    return stages
