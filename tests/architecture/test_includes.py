"""Who may include whom: reads the #include lines under src/ and fails on one that goes against the direction.

The allowed directions are part of the architecture (docs/ARCHITECTURE.md); a new edge is a decision, made here.
"""

import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"

# Folder -> the folders whose headers it may include, besides its own.
ALLOWED = {
    "base": set(),
    "item": {"base"},
    "expr": {"base", "item"},
    "store": {"base"},
    "engine": {"base", "item", "expr", "store", "capacity"},
    "partiql": {"base", "item", "expr", "store", "engine"},
    "api": {"base", "item", "expr", "engine", "partiql", "capacity", "metrics", "insights"},
    "embed": {"base", "item", "expr", "store", "engine", "api"},  # of api the checks alone; JSON is not for it
    "net": {"base"},
    "auth": {"base"},
    "capacity": {"base"},
    "metrics": {"base", "store"},
    "service": {"base"},
    "insights": {"base", "metrics"},
    "cloudwatch": {"base", "store", "metrics", "insights", "service"},
    "autoscaling": {"base", "store", "metrics", "cloudwatch", "service"},
    # The tools: clients of a server like any other, over HTTP.
    "client": {"base"},
    "model": {"base", "item"},
    "remote": {"base", "item", "client"},  # of item the base64 alone
    "trigger": {"base", "client"},
    "design": {"base", "item", "expr", "capacity", "client"},
    "simulate": {"base", "capacity", "design"},
    "top": {"base", "client"},
    "server": {"base", "item", "expr", "store", "engine", "api", "net", "auth", "capacity", "metrics", "insights",
               "service", "cloudwatch", "autoscaling", "client", "trigger", "design", "simulate", "top"},
}

# Header of a library -> the folders that may know it.
LIBRARIES = {
    "rocksdb/": ("store/rocksdb",),
    "simdjson": ("api", "server", "simulate"),
    "boost/beast": ("net", "client", "trigger"),
    "rados/": ("store/rados",),
    "yaml-cpp/": ("design",),
}

# Single files with a reason of their own.
EXCEPTIONS = {
    ("embed/errors_test.cc", "api"),  # compares the names of errors with those on the wire
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def strays(path, text):
    """The complaints about the includes of one file; `path` is relative to src/."""
    path = pathlib.PurePosixPath(path)
    folder = path.parts[0]
    complaints = []
    for kind, header in INCLUDE.findall(text):
        for library, homes in LIBRARIES.items():
            if header.startswith(library) and not any(path.is_relative_to(home) for home in homes):
                complaints.append(f"{path} includes {header}: only {', '.join(homes)} may")
        target = header.split("/")[0]
        if kind != '"' or target not in ALLOWED or target == folder or (str(path), target) in EXCEPTIONS:
            continue
        if target not in ALLOWED.get(folder, set()):
            complaints.append(f"{path} includes {header}: {folder} may not know {target}")
    return complaints


def source_files():
    return sorted(p for p in SOURCE.rglob("*") if p.suffix in (".h", ".cc"))


class Includes(unittest.TestCase):
    def test_follow_the_direction(self):
        files = source_files()
        self.assertGreater(len(files), 100, f"hardly any source under {SOURCE}")
        complaints = []
        for file in files:
            complaints += strays(file.relative_to(SOURCE), file.read_text())
        self.assertEqual([], complaints, "\n" + "\n".join(complaints))

    def test_every_folder_has_its_place(self):
        folders = {p.name for p in SOURCE.iterdir() if p.is_dir()}
        self.assertEqual(set(), folders - set(ALLOWED))

    def test_directions_have_no_circle(self):
        left = dict(ALLOWED)
        while left:
            lowest = [folder for folder, targets in left.items() if not targets & set(left)]
            self.assertTrue(lowest, f"a circle among {sorted(left)}")
            for folder in lowest:
                del left[folder]


class Strays(unittest.TestCase):
    def expect(self, path, line, count):
        self.assertEqual(count, len(strays(path, f"#pragma once\n{line}\n")), f"{path}: {line}")

    def test_against_the_direction_are_found(self):
        self.expect("base/arena.h", '#include "item/value.h"', 1)
        self.expect("store/store.h", '#include "engine/table.h"', 1)
        self.expect("engine/x_test.cc", '  #  include "api/call.h"', 1)
        self.expect("net/server.cc", '#include "auth/authorization.h"', 1)
        self.expect("api/call.cc", '#include "store/store.h"', 1)

    def test_along_the_direction_are_none(self):
        self.expect("engine/engine.h", '#include "store/store.h"', 0)
        self.expect("engine/engine.h", '#include "engine/catalog.h"', 0)
        self.expect("server/main.cc", '#include "api/call.h"', 0)
        self.expect("base/arena.h", "#include <vector>", 0)

    def test_of_libraries_are_found(self):
        self.expect("store/store.h", "#include <rocksdb/db.h>", 1)
        self.expect("store/rocksdb/open.cc", "#include <rocksdb/db.h>", 0)
        self.expect("engine/engine.h", "#include <simdjson.h>", 1)
        self.expect("api/json.h", "#include <simdjson.h>", 0)
        self.expect("server/endpoint.cc", "#include <boost/beast/http.hpp>", 1)
        self.expect("net/http_parser.cc", "#include <boost/beast/http.hpp>", 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
