"""Starts systemd in a bare root, as a machine that boots would, with its own processes, mounts and control groups. The network is
the outer machine's."""

import pathlib
import signal
import subprocess
import time

import bare_root

MOUNTS = """set -e
mount -t proc proc "$1/proc"
mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
mount -t tmpfs tmpfs "$1/run"
exec chroot "$1" env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=multi-user.target
"""


class Booted:
    """`with Booted(root) as machine`: systemd runs until the end of it, and is then asked to shut the machine down."""

    def __init__(self, root):
        self.root = root

    def __enter__(self):
        self.outer = subprocess.Popen(["unshare", "--mount", "--pid", "--cgroup", "--fork", "--kill-child", "sh", "-c", MOUNTS, "sh", self.root.path],
                                      stdin=subprocess.DEVNULL)
        self.init = int(self.wait_for(lambda: pathlib.Path(f"/proc/{self.outer.pid}/task/{self.outer.pid}/children").read_text(), "a first process"))
        self.wait_for(lambda: self.run("systemctl", "is-system-running").strip() in ("running", "degraded"), "the machine's start")
        return self

    def __exit__(self, *_):
        subprocess.run(["kill", "-s", "RTMIN+3", str(self.init)], check=False)  # systemd's sign for a halt
        try:
            self.outer.wait(timeout=120)
        except subprocess.TimeoutExpired:
            self.outer.send_signal(signal.SIGKILL)
            raise

    def wait_for(self, ask, what, seconds=120):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.outer.poll() is not None:
                raise SystemExit(f"systemd ended with {self.outer.returncode} before {what}")
            if found := ask():
                return found
            time.sleep(0.1)
        raise SystemExit(f"{what} did not come")

    def run(self, *words):
        """Runs a command in the machine, as one who is logged in as root."""
        inside = ["nsenter", f"--target={self.init}", "--mount", "--pid", "--cgroup", f"--root=/proc/{self.init}/root", "--wd=/proc/%d/root" % self.init]
        settings = [f"{name}={value}" for name, value in self.root.settings().items()]
        ended = subprocess.run([*inside, "/usr/bin/env", "-i", *settings, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
        return ended.stdout

    def process(self, unit):
        """The state of the unit's main process, as /proc has it: {"Uid": ..., "Seccomp": ...}."""
        number = self.run("systemctl", "show", "--property=MainPID", "--value", unit).strip()
        text = self.run("cat", f"/proc/{number}/status")
        return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
