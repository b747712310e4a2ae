"""The life of the Debian packages on a bare Debian 12: installed, used, upgraded, removed, purged.

    tests/front_door/packages                      builds them first, this version and one before it
    tests/front_door/packages BEFORE NOW           takes them from two folders
"""

import pathlib
import shutil
import signal
import sys
import time

import bare_root
import server
from booted import Booted
from unit_file import Unit

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A terminal in which somebody types a command with the tab key; `stator` prints what it was given.
TYPED_IN_ZSH = r"""
print -r -- 'stator() { print -r -- "<$*>" }; autoload -U compinit; compinit -u -D; bindkey "^I" complete-word' >/root/.typed
zmodload zsh/zpty
zpty terminal TERM=dumb zsh -f -i
zpty -w terminal 'source /root/.typed'
zpty -w -n terminal $'stator serv\t--dura\tre\t\n'
zpty -r terminal printed '*<*>*'
print -r -- $printed
"""
VERSION_BEFORE = "0.0.9"  # lower than any
DATA = "/var/lib/stator"


def say(text):
    print(f"  {text}", flush=True)


def expect(holds, text):
    if not holds:
        raise SystemExit(f"NOT so: {text}")
    say(text)


def build():
    """The packages of this tree, and the same under a lower number, as an upgrade finds them."""
    now, before = ROOT / "build-deb", ROOT / "build-deb" / "before"
    bare_root.run(ROOT / "tests/install", "lintian")
    for folder, options in ((now, ["--lintian"]), (before, ["--version", VERSION_BEFORE])):
        for old in folder.glob("*.deb"):
            old.unlink()
        bare_root.run(ROOT / "packaging/deb", *options, folder)
    return before, now


class Machine:
    """A bare root with packages in /packages."""

    def __init__(self, root, before, now):
        self.root = root
        self.log = root.layer / "server.log"
        self.port = server.free_port()
        for name, source in (("before", before), ("now", now)):
            folder = root.path / "packages" / name
            folder.mkdir(parents=True)
            for package in pathlib.Path(source).glob("*.deb"):
                shutil.copy(package, folder)
        root.run("apt-get", "update")

    def file(self, which, package):
        found, = (self.root.path / "packages" / which).glob(f"{package}_*.deb")
        return f"/packages/{which}/{found.name}"

    def install(self, which, *packages):
        """As a user does it with files: dpkg says what is missing, apt-get brings it."""
        self.root.run("dpkg", "-i", *[self.file(which, package) for package in packages], check=False)
        self.root.run("apt-get", "-f", "install", "-y", "--no-install-recommends")
        self.expect_installed(which, *packages)

    def expect_installed(self, which, *packages):
        for package in packages:
            state = self.root.run("dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package).split()
            wanted = self.root.run("dpkg-deb", "-f", self.file(which, package), "Version").strip()
            expect(state == ["installed", wanted], f"{package} {wanted} is installed")
        version = self.root.run("dpkg-deb", "-f", self.file(which, "stator"), "Version").split("-")[0]
        expect(f"stator {version}" in self.root.run("stator", "--version"), f"stator --version says {version}")

    def there(self, path):
        return (self.root.path / path.lstrip("/")).exists()

    def has_user(self):
        return self.root.run("getent", "passwd", "stator", check=False).returncode == 0

    def serve(self):
        """The server as the unit starts it."""
        path, = [line for line in self.root.run("dpkg", "-L", "stator").split() if line.endswith("/stator.service")]
        unit = Unit(self.root.path, path)
        process = self.root.start(*unit.command(), user=f"{unit.user}:{unit.settings['Group']}", folder="/", log=self.log)
        server.wait_for_answer(process, self.port, self.log, 300)
        return process

    def stop(self, process):
        server.stop(process, signal.SIGTERM, self.log)

    def set_port(self):
        options = self.root.path / "etc/default/stator"
        options.write_text(options.read_text().replace("--port 8000", f"--port {self.port}"))


def install_and_use(machine):
    print("install the version before")
    machine.install("before", "stator")
    expect(machine.has_user(), "it has a user of its own")
    status = (machine.root.path / DATA.lstrip("/")).stat()
    expect(status.st_mode & 0o777 == 0o750, f"{DATA} is its own alone")
    machine.set_port()
    process = machine.serve()
    server.create_table_and_put(machine.port)
    say("the unit's command line serves, as the unit's user: a table is created, an item put and read")
    machine.stop(process)
    owner = (machine.root.path / DATA.lstrip("/") / "CURRENT").stat().st_uid
    expect(owner == status.st_uid != 0, "the data belongs to that user")


def upgrade(machine):
    """Under systemd, which has to start the service, to restart it and to let it do its work in its cage."""
    print("boot, and upgrade")
    machine.root.run("apt-get", "install", "-y", "--no-install-recommends", "systemd")
    with Booted(machine.root) as booted:
        booted.wait_for(lambda: server.answers(machine.port), "the service")
        server.expect_item(machine.port)
        expect(booted.run("systemctl", "is-enabled", "stator").strip() == "enabled", "the service starts with the machine, and the item is there")
        before = booted.process("stator")
        expect(before["Uid"].split()[0] != "0" and before["NoNewPrivs"].strip() == "1" and before["Seccomp"].strip() == "2"
               and before["CapEff"].strip() == "0000000000000000", "with a user of its own, no capabilities and a filter of system calls")
        booted.run("dpkg", "-i", machine.file("now", "stator"))
        booted.wait_for(lambda: booted.process("stator").get("Pid", before["Pid"]) != before["Pid"] and server.answers(machine.port), "the new server")
        server.expect_item(machine.port)
        say("dpkg -i of the next version restarts it, and the item is there")
    expect(not server.answers(machine.port), "a halt of the machine ends it")
    machine.expect_installed("now", "stator")
    expect(str(machine.port) in (machine.root.path / "etc/default/stator").read_text(), "changed options are kept")
    process = machine.serve()
    server.expect_item(machine.port)
    machine.stop(process)


def extras(machine):
    print("what comes with it")
    root = machine.root
    schema = root.run("stator", "design", "schema")
    expect(schema == (root.path / "usr/share/stator/model.schema.json").read_text(), "the schema of model files is in /usr/share/stator")
    # A small system leaves manual pages out when it unpacks a package, so they are looked for in the package itself.
    files = root.run("dpkg-deb", "-c", machine.file("now", "stator"))
    for page in ("stator", "stator-serve", "stator-design-check"):
        expect(f"/usr/share/man/man1/{page}.1.gz" in files, f"{page}(1)")
    completed = root.run("bash", "-c", """
        source /usr/share/bash-completion/completions/stator
        COMP_WORDS=(stator serve --store r) COMP_CWORD=3
        _stator && echo ${COMPREPLY[@]}""")
    expect(completed.split() == ["rocksdb", "rados"], "bash completes `stator serve --store r`")
    root.run("apt-get", "install", "-y", "--no-install-recommends", "zsh")
    typed = root.run("timeout", 60, "zsh", "-f", "-c", TYPED_IN_ZSH)
    expect("<serve --durability relaxed>" in typed, "zsh completes `stator serve --durability relaxed`")
    for package, unit in (("stator", "stator.service"), ("stator-ceph", "stator@8000.service")):
        if package == "stator-ceph":
            ceph(machine)
        found = root.run("systemd-analyze", "verify", "--man=no", unit, check=False)
        expect(found.returncode == 0 and "stator" not in found.stdout, f"systemd-analyze verify {unit} has nothing to say")


def ceph(machine):
    root = machine.root
    ask = ("stator", "serve", "--store", "rados", "--pool", "orders", "--ceph-timeout-ms", "1000", "--port", machine.port)
    without = root.run(*ask, check=False).stdout
    expect("libstator_rados.so" in without and "stator-ceph" in without, "without stator-ceph the server says what is missing")
    machine.install("now", "stator-ceph")
    found = root.run(*ask, check=False)
    expect(found.returncode != 0 and "libstator_rados.so" not in found.stdout,
           f"with it the module is loaded, and misses a cluster: {found.stdout.strip().splitlines()[-1]}")


def library(machine):
    print("a program of somebody else, against libstator-dev")
    root = machine.root
    machine.install("now", "libstator-dev")
    root.run("apt-get", "install", "-y", "--no-install-recommends", "g++", "cmake", "make")
    shutil.copytree(ROOT / "tests/embed_package", root.path / "root/outside")
    root.run("cmake", "-S", "outside", "-B", "outside/build")
    root.run("cmake", "--build", "outside/build")
    printed = root.run("outside/build/outside", "/root/outside/data")
    expect('"SK":{"S":"ORDER#7"}' in printed, "find_package(stator) finds it, and the program opens a database of its own")


def remove(machine):
    print("remove")
    machine.root.run("apt-get", "remove", "-y", "stator")
    expect(not machine.there("/usr/bin/stator"), "the program is gone")
    expect(machine.there(f"{DATA}/CURRENT") and machine.there("/etc/default/stator") and machine.has_user(),
           "data, options and user are kept")
    print("purge")
    machine.root.run("apt-get", "purge", "-y", "stator", "stator-ceph")
    expect(not machine.there(DATA) and not machine.there("/etc/default/stator"), "data and options are gone")
    expect(not machine.has_user(), "the user is gone")
    left = machine.root.run("sh", "-c", "find /etc /lib /usr /var -path '*stator*' -not -path '*libstator*' -not -path '/usr/include/*' "
                            "-not -path '*/cmake/*' -not -path '/var/cache/*'", check=False).stdout
    expect(left == "", f"nothing else is left {left}".strip())


def main():
    before, now = sys.argv[1:] if len(sys.argv) == 3 else build()
    begun = time.monotonic()
    with bare_root.BareRoot() as root:
        machine = Machine(root, before, now)
        install_and_use(machine)
        upgrade(machine)
        extras(machine)
        library(machine)
        remove(machine)
    print(f"packages: passed in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
