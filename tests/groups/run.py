"""The groups of `./test`: which there are, what runs them, and which may run side by side.

    python3 run.py SECONDS_BEFORE [GROUP...]     SECONDS_BEFORE is what set-up and build took, for the last lines
"""

import os
import pathlib
import signal
import sys
import time

from lanes import Lanes

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"


def pytest(name):
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/{name}"]


COMMANDS = {
    "unit": ["ctest", "--test-dir", "build", "--output-on-failure", "-j", "2"],
    "conformance": pytest("conformance"),
    "crash": pytest("crash"),
    "hostile": pytest("hostile"),
    "amplification": pytest("amplification"),
    "concurrency": pytest("concurrency"),
    "history": ["tests/history/run"],
    "versions": pytest("versions"),
    "design": pytest("design"),
    "services": pytest("services"),
    "trigger": pytest("trigger"),
    "front_door": pytest("front_door"),
    "clients": ["tests/clients/run"],
    "packaging": pytest("packaging"),
    "spin": ["tests/spin/run"],
    "ceph": ["tests/ceph/run"],
}

# A cluster mostly waits, so the other groups run beside it. `ceph` and `clients` both use build/clients: one lane.
LANES = (
    ("ceph", "clients", "packaging", "front_door"),
    ("unit", "conformance", "crash", "hostile", "amplification", "concurrency", "history", "versions", "design", "services", "trigger",
     "spin"),
)


def main(seconds_before, *wanted):
    for name in wanted:
        if name not in COMMANDS:
            print(f"test: there is no group '{name}'; there are: {' '.join(COMMANDS)}", file=sys.stderr)
            return 2
    os.chdir(ROOT)
    os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    os.environ["STATOR_EXPIRY_S"] = "10"  # expiry is looked at too: how long the tests wait for it
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    began = time.monotonic() - float(seconds_before)
    lanes = Lanes(COMMANDS, BUILD, say=lambda text: print(text, flush=True))
    lanes.run([[name for name in lane if not wanted or name in wanted] for lane in LANES])
    times = "".join(f", {name} {each.seconds:.0f}" for name, each in lanes.outcomes.items())
    total = lanes.total()
    print(f"\n{time.monotonic() - began:.0f} s: set-up and build {seconds_before}{times}")
    print(f"{total.passed} passed, {total.failed} failed, {total.skipped} skipped")
    return 0 if total.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
