"""A bare Debian 12, as a folder to change the root to: what debootstrap's smallest variant has, git and certificates.

It is made once, with the mirror, proxy and certificates that this machine's own apt uses, and kept unchanged in the cache
folder; each use writes into a layer above it, which is thrown away.
"""

import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile

SUITE = "bookworm"
CACHE = pathlib.Path(os.environ.get("STATOR_BARE_ROOT") or pathlib.Path.home() / ".cache" / "stator" / "bare-root")
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
PASSED_ON = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def apt_sources():
    """This machine's sources of the suite, in the one-line form."""
    lines = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages",
                capture_output=True, text=True).stdout.splitlines()
    found = [line.split() for line in lines]
    return [f"deb {uri} {release} {component}" for uri, release, component in found if release.split("-")[0] == SUITE]


def copy_settings(root):
    """What a machine in this network is set up with: how to reach a mirror, names and certificates."""
    (root / "etc/apt/sources.list").write_text("\n".join(apt_sources()) + "\n")
    settings = run("apt-config", "dump", "Acquire", capture_output=True, text=True).stdout
    (root / "etc/apt/apt.conf.d/50machine").write_text(settings)
    for name in ("etc/apt/auth.conf", "etc/apt/auth.conf.d", "etc/pip.conf", "etc/hosts", "usr/local/share/ca-certificates"):
        source = pathlib.Path("/") / name
        if source.is_dir():
            shutil.copytree(source, root / name, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, root / name)
    run("chroot", root, "update-ca-certificates", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def pristine():
    """The folder that is never written to, made where it is missing."""
    root = CACHE / "pristine"
    if root.exists():
        return root
    print(f"making a bare Debian 12 in {root} ...", flush=True)
    mirror = next(line.split()[1] for line in apt_sources() if line.split()[2] == SUITE)
    unfinished = CACHE / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    log = CACHE / "debootstrap.log"
    with open(log, "w") as output:
        made = subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates,git", SUITE, unfinished, mirror],
                              stdout=output, stderr=subprocess.STDOUT)
    if made.returncode != 0:
        raise SystemExit(f"debootstrap failed:\n{log.read_text()[-2000:]}")
    copy_settings(unfinished)
    unfinished.rename(root)
    return root


def clear_away():
    """Removes the layers of tests that were killed: nobody holds their lock."""
    for layer in CACHE.glob("layer-*"):
        folder = os.open(layer, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(layer, ignore_errors=True)
        except BlockingIOError:
            pass
        finally:
            os.close(folder)


class BareRoot:
    """One use of it: `with BareRoot() as root: root.run("apt-get", "update")`. Only within `isolated`, whose mounts are its own."""

    def __init__(self):
        CACHE.mkdir(parents=True, exist_ok=True)
        with open(CACHE / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            clear_away()
            self.lower = pristine()
            self.layer = pathlib.Path(tempfile.mkdtemp(prefix="layer-", dir=CACHE))
            self.in_use = os.open(self.layer, os.O_RDONLY)
            fcntl.flock(self.in_use, fcntl.LOCK_EX)
        self.path = self.layer / "root"

    def __enter__(self):
        for name in ("root", "changes", "work"):
            (self.layer / name).mkdir()
        run("mount", "-t", "overlay", "overlay", "-o",
            f"lowerdir={self.lower},upperdir={self.layer}/changes,workdir={self.layer}/work", self.path)
        run("mount", "-t", "proc", "proc", self.path / "proc")
        run("mount", "-t", "sysfs", "-o", "ro", "sysfs", self.path / "sys")
        dev = self.path / "dev"
        run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", dev)
        for name in DEVICES:
            (dev / name).touch()
            run("mount", "--bind", f"/dev/{name}", dev / name)
        for name, kind in (("pts", "devpts"), ("shm", "tmpfs")):
            (dev / name).mkdir()
            run("mount", "-t", kind, kind, dev / name)
        for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2"), ("ptmx", "pts/ptmx")):
            (dev / name).symlink_to(target)
        shutil.copy("/etc/resolv.conf", self.path / "etc/resolv.conf")
        return self

    def __exit__(self, *_):
        run("umount", "--recursive", self.path)
        shutil.rmtree(self.layer)
        os.close(self.in_use)

    @staticmethod
    def settings():
        """The environment of a user in it: nothing of ours but how to reach the network."""
        return {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
                "DEBIAN_FRONTEND": "noninteractive", **{name: os.environ[name] for name in PASSED_ON if name in os.environ}}

    def command(self, words, user=None, folder="/root", environment=None):
        settings = self.settings() | (environment or {})
        return ["chroot", *([f"--userspec={user}"] if user else []), str(self.path), "env", "-i", f"--chdir={folder}",
                *[f"{name}={value}" for name, value in settings.items()], *[str(word) for word in words]]

    def run(self, *words, user=None, folder="/root", environment=None, check=True):
        """Runs to its end and gives what it printed, standard error included."""
        ended = subprocess.run(self.command(words, user, folder, environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, text=True)
        if check and ended.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))} ended with {ended.returncode}:\n{ended.stdout[-4000:]}")
        return ended.stdout if check else ended

    def start(self, *words, log, user=None, folder="/root", environment=None):
        """Starts it as a process group of its own, as a shell does, with its output in the file `log`."""
        with open(log, "wb") as output:
            return subprocess.Popen(self.command(words, user, folder, environment), stdin=subprocess.DEVNULL, stdout=output,
                                    stderr=subprocess.STDOUT, start_new_session=True)

