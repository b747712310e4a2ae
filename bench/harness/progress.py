"""What is being done now, on standard error; the tables alone are on standard output."""

from __future__ import annotations

import sys
import time

_BEGIN = time.monotonic()


def say(text: str) -> None:
    print(f"[{time.monotonic() - _BEGIN:6.1f} s] {text}", file=sys.stderr, flush=True)
