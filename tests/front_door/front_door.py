"""What the README promises of a fresh clone on a bare Debian 12: ./run, and a server answers.

    tests/front_door/run [--test GROUP...]      then ./test with these groups, too
"""

import argparse
import signal
import time

import bare_root
import server

ROOT = bare_root.pathlib.Path(__file__).resolve().parents[2]
BUILD_SECONDS = 3 * 3600


def type_run(root, port, log):
    process = root.start("./run", "--port", port, folder="/root/stator", log=log)
    return process, server.wait_for_answer(process, port, log, BUILD_SECONDS)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--test", nargs="+", default=[], metavar="GROUP")
    groups = arguments.parse_args().test
    with bare_root.BareRoot() as root:
        bare_root.run("git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", root.path / "root/stator")
        log = root.layer / "run.log"
        port = server.free_port()

        process, first = type_run(root, port, log)
        print(f"./run on a bare Debian 12: first answer after {first:.0f} s", flush=True)
        server.create_table_and_put(port)
        server.stop(process, signal.SIGINT, log)
        print("a table was created and an item put and read by boto3; Ctrl-C ended it")

        process, second = type_run(root, port, log)
        server.expect_item(port)
        server.stop(process, signal.SIGINT, log)
        print(f"./run again: first answer after {second:.1f} s, and the item is there", flush=True)

        if groups:
            begun = time.monotonic()
            ended = root.run("./test", *groups, folder="/root/stator", check=False)
            print(ended.stdout[-2000:])
            print(f"./test {' '.join(groups)} took {time.monotonic() - begun:.0f} s")
            if ended.returncode != 0:
                raise SystemExit("./test failed")
    print("front door: passed")


if __name__ == "__main__":
    main()
