"""The models that the tests of the studio go over, as paths from the repository's root."""

import pathlib

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

EXAMPLES = sorted(path.relative_to(REPOSITORY) for path in (REPOSITORY / "examples/models").glob("*.yaml"))
BROKEN = sorted(path.relative_to(REPOSITORY) for path in (REPOSITORY / "examples/models/broken").glob("*.yaml"))


def name(path):
    return path.stem
