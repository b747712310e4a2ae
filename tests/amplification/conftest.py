import os
import pathlib
import random
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

from server_process import binary  # noqa: E402  (after the path is set)


def pytest_addoption(parser):
    parser.addoption("--requests", type=int, help="how many (1500, or STATOR_AMPLIFICATION_REQUESTS)")


def pytest_configure(config):
    if not binary().exists():
        pytest.exit(f"there is no {binary()}: build it, or set STATOR_BINARY", returncode=2)


@pytest.fixture
def request_count(request):
    given = request.config.getoption("requests", None)
    return given or int(os.environ.get("STATOR_AMPLIFICATION_REQUESTS", "1500"))


@pytest.fixture
def seed():
    """What random choices begin with; printed, so that a failed run can be had again."""
    value = int(os.environ.get("STATOR_SEED", random.randrange(1 << 32)))
    print(f"STATOR_SEED={value}")
    return value
