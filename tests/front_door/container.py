"""Carries out packaging/container/Containerfile in bare roots, one for each stage, and runs what it makes of them.

    tests/front_door/container               all steps
    tests/front_door/container PACKAGES      takes the packages from this folder instead of building them again

No container engine is needed. The network is the machine's, so the server gets a free port.
"""

import contextlib
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import bare_root
import containerfile
import server

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGE = "debian:12-slim"


def cache_folder():
    """The compiler cache of this machine stands for the one that an engine keeps."""
    return pathlib.Path(subprocess.run(["ccache", "--get-config", "cache_dir"], capture_output=True, text=True, check=True).stdout.strip())


class Image:
    """A stage on its way: a root, and what its steps have set."""

    def __init__(self, root, stages, packages):
        self.root = root
        self.packages = packages  # that are there already
        self.stages = stages  # the images of those before, by name
        self.folder, self.user, self.environment = "/", None, {}
        self.volumes, self.ports = [], []
        self.entry_point, self.arguments, self.health_check = [], [], []

    def inside(self, path):
        return self.root.path / str(pathlib.PurePosixPath(self.folder) / path).lstrip("/")

    def carry_out(self, step):
        getattr(self, "do_" + step.name.lower())(step)

    @contextlib.contextmanager
    def mounted(self, options):
        places = []
        for name, value in options:
            mount = dict(part.split("=", 1) for part in value.split(","))
            if name != "mount":
                raise ValueError(f"an option that is not known: --{name}")
            source = cache_folder() if mount["type"] == "cache" else self.stages[mount["from"]].root.path / mount["source"].lstrip("/")
            place = self.inside(mount["target"])
            place.mkdir(parents=True, exist_ok=True)
            bare_root.run("mount", "--bind", source, place)
            places.append(place)
        try:
            yield
        finally:
            for place in places:
                bare_root.run("umount", place)

    def do_run(self, step):
        command, *words = step.words[0].split()
        if command == "packaging/deb" and self.packages:
            shutil.copytree(self.packages, self.inside(words[-1]))
            return
        with self.mounted(step.options):
            self.root.run("/bin/sh", "-c", step.words[0], folder=self.folder, user=self.user, environment=self.environment)

    def do_copy(self, step):
        *sources, target = step.words
        place = self.inside(target)
        for source in sources:
            path = ROOT / source
            if path.is_dir():  # its contents, as engines do
                shutil.copytree(path, place, dirs_exist_ok=True, symlinks=True)
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, place)

    def do_workdir(self, step):
        self.folder = str(pathlib.PurePosixPath(self.folder) / step.words[0])
        self.inside(".").mkdir(parents=True, exist_ok=True)

    def do_env(self, step):
        self.environment |= dict(word.split("=", 1) for word in step.words)

    def do_user(self, step):
        self.user = step.words[0]

    def do_volume(self, step):
        self.volumes += step.words

    def do_expose(self, step):
        self.ports += step.words

    def do_healthcheck(self, step):
        self.health_check = step.words

    def do_entrypoint(self, step):
        assert step.in_brackets, "a shell would be between the engine's signals and the server"
        self.entry_point = step.words

    def do_cmd(self, step):
        self.arguments = step.words


def check(image):
    """Runs the image as an engine would, but for the port, and its health check."""
    port = server.free_port()
    log = image.root.layer / "server.log"
    health = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}
    options = {"user": image.user, "folder": image.folder, "environment": image.environment}

    def healthy():
        return image.root.run(*image.health_check, **options | {"environment": health}, check=False).returncode == 0

    def started():
        process = image.root.start(*image.entry_point, *image.arguments, "--port", port, **options, log=log)
        server.wait_for_answer(process, port, log, 300)
        return process

    assert image.user and image.user.split(":")[0] not in ("0", "root"), "the server has a user of its own"
    assert image.volumes == ["/var/lib/stator"] and image.ports == ["8000"], (image.volumes, image.ports)
    assert not healthy(), "before the server runs, the health check says so"
    process = started()
    server.create_table_and_put(port)
    assert healthy(), "while it runs, the health check succeeds"
    listening = image.root.run("cat", "/proc/net/tcp").upper()
    assert f"00000000:{port:04X} " in listening, "it listens on all addresses"
    server.stop(process, signal.SIGTERM, log)
    process = started()
    server.expect_item(port)
    server.stop(process, signal.SIGTERM, log)
    written = [path.name for path in (image.root.path / "var/lib/stator").iterdir()]
    assert "CURRENT" in written, f"the data is in the volume: {written}"
    print("  a table is created, an item put, and read again after a restart; the health check tells both states")


def main():
    begun = time.monotonic()
    packages = sys.argv[1] if len(sys.argv) > 1 else None
    stages = containerfile.parse((ROOT / "packaging/container/Containerfile").read_text())
    with contextlib.ExitStack() as stack:
        images = {}
        for stage in stages:
            assert stage.image == IMAGE, f"{stage.image} is not what the bare root stands for"
            image = Image(stack.enter_context(bare_root.BareRoot()), images, packages)
            images[stage.name] = image
            for step in stage.steps:
                print(f"  {step.name} {' '.join(step.words)}"[:150], flush=True)
                image.carry_out(step)
        check(image)
    print(f"container: passed in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
