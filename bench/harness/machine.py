"""What the figures were measured on."""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import subprocess
import time
from pathlib import Path

# Shorter ones are interrupts.
PAUSE_SECONDS = 0.0002


def describe(root: Path, data_dir: Path, build: Path) -> list[tuple[str, str]]:
    """Names and values for the head of the report."""
    return [
        ("Commit", commit(root)),
        ("Build type", build_type(build)),
        ("Processor", f"{_cpu_model()}, {os.cpu_count()} processors"),
        ("Memory", f"{_memory_gb():.0f} GB"),
        ("System", f"{platform.system()} {platform.release()}"),
        ("Load average before", f"{os.getloadavg()[0]:.2f}"),
        ("File system of the data", _file_system(data_dir)),
        ("Append of 4 KB + fdatasync", f"{sync_microseconds(data_dir):.0f} µs (median)"),
        ("Time", time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())),
    ]


def pauses(seconds: float = 3) -> str:
    """How long processors that have only us to run do not run us, as under a hypervisor: p99 cannot be below it."""
    def spin(processor: int) -> list[float]:
        os.sched_setaffinity(0, {processor})
        gaps, last = [], time.perf_counter()
        until = last + seconds
        while last < until:
            now = time.perf_counter()
            if now - last > PAUSE_SECONDS:
                gaps.append(now - last)
            last = now
        return gaps

    # Processes of their own: threads of Python would wait for each other.
    children = {}
    for processor in sorted(os.sched_getaffinity(0)):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writer, json.dumps(spin(processor)).encode())
            os._exit(0)
        os.close(writer)
        children[child] = reader
    found = []
    for child, reader in children.items():
        found.append(json.loads(os.read(reader, 1 << 16)))
        os.close(reader)
        os.waitpid(child, 0)
    share = max(sum(gaps) for gaps in found) / seconds
    return f"{share:.1%} of the time, {max([0.0, *sum(found, [])]) * 1000:.1f} ms the longest"


class Interference:
    """How much processor time went to others than the benchmark's processes while it ran."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._busy = self._busy_seconds()
        self._own = self._own_seconds()

    def processors(self) -> float:
        """As a number of processors. Ask when all servers have ended: only then they count."""
        others = (self._busy_seconds() - self._busy) - (self._own_seconds() - self._own)
        return max(0.0, others / (time.monotonic() - self._begin))

    @staticmethod
    def _busy_seconds() -> float:
        """User, nice, system and stolen time of all processors."""
        times = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:]]
        return (times[0] + times[1] + times[2] + times[7]) / os.sysconf("SC_CLK_TCK")

    @staticmethod
    def _own_seconds() -> float:
        usages = [resource.getrusage(who)
                  for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def commit(root: Path) -> str:
    def git(*arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(["git", "-C", str(root), *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)

    try:
        head = git("rev-parse", "--short=12", "HEAD")
        if head.returncode != 0:
            return "none"
        changed = git("--no-optional-locks", "status", "--porcelain").stdout.strip()
    except OSError:
        return "unknown"
    return head.stdout.strip() + (" with uncommitted changes" if changed else "")


def build_type(build: Path) -> str:
    """The build type of the main build, as a debug build must not be mistaken for the product."""
    try:
        for line in (build / "CMakeCache.txt").read_text().splitlines():
            if line.startswith("CMAKE_BUILD_TYPE:"):
                return line.partition("=")[2] or "the project's default"
    except OSError:
        pass
    return "unknown"


def sync_microseconds(directory: Path, times: int = 100) -> float:
    """The median time of a small append and its sync: what one durable write costs at least."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "sync_probe"
    taken = []
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    try:
        for _ in range(times):
            begin = time.perf_counter()
            os.write(descriptor, b"x" * 4096)
            os.fdatasync(descriptor)
            taken.append((time.perf_counter() - begin) * 1e6)
    finally:
        os.close(descriptor)
        path.unlink()
    return statistics.median(taken)


def _cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _memory_gb() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def _file_system(directory: Path) -> str:
    """The type of the file system that holds a directory."""
    best, kind = "", "unknown"
    for line in Path("/proc/mounts").read_text().splitlines():
        _, mount, name, *_ = line.split()
        inside = str(directory.resolve()).startswith(mount.rstrip("/") + "/") or mount == "/"
        if inside and len(mount) >= len(best):
            best, kind = mount, name
    return kind
