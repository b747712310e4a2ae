"""What systemd would run for a unit: its command line, its user and the settings of its environment."""

import pathlib
import re


class Unit:
    def __init__(self, root, path):
        """`path` is as the unit's machine sees it; `root` is the folder of that machine."""
        self.root = pathlib.Path(root)
        self.settings = {}
        for line in self.inside(path).read_text().splitlines():
            name, equals, value = line.partition("=")
            if equals and not line.startswith(("#", ";")):
                self.settings[name.strip()] = value.strip()
        self.user = self.settings["User"]

    def inside(self, path):
        return self.root / path.lstrip("/")

    def environment(self):
        name = self.settings.get("EnvironmentFile", "").removeprefix("-")
        found = {}
        for line in self.inside(name).read_text().splitlines() if name else ():
            match = re.fullmatch(r"(\w+)=\"?(.*?)\"?", line.strip())
            if match:
                found[match[1]] = match[2]
        return found

    def command(self):
        """ExecStart with `$NAME` replaced, as words of their own, as systemd does it."""
        environment = self.environment()
        words = []
        for word in self.settings["ExecStart"].split():
            words += environment.get(word[1:], "").split() if re.fullmatch(r"\$\w+", word) else [word]
        return words
