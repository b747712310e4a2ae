"""The bookkeeping of `./test`, with groups that are one line of shell each."""

import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

from lanes import Lanes, Outcome


def shell(text):
    return ["sh", "-c", text]


class LanesTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.said = []

    def run_lanes(self, *lanes, **commands):
        lanes_of = Lanes({name: shell(text) for name, text in commands.items()}, pathlib.Path(self.place.name), self.said.append)
        lanes_of.run(lanes or [list(commands)])
        return lanes_of

    def outcome(self, text):
        outcome = self.run_lanes(one=text).outcomes["one"]
        return outcome.passed, outcome.failed, outcome.skipped

    def test_a_group_counts_by_its_last_summary(self):
        self.assertEqual((12, 0, 3), self.outcome("echo '1 passed, 9 failed'; echo '12 passed, 3 skipped, 1 xfailed in 2.00s'"))

    def test_failures_and_errors_are_failures(self):
        self.assertEqual((7, 3, 0), self.outcome("echo '2 failed, 7 passed, 1 error in 1s'; exit 1"))
        self.assertEqual((0, 2, 0), self.outcome("echo '2 errors in 1s'; exit 1"))

    def test_programs_of_ctest_are_counted(self):
        self.assertEqual((58, 2, 0), self.outcome("echo '97% tests passed, 2 tests failed out of 60'; exit 8"))

    def test_an_exit_code_that_belongs_to_no_failed_test_is_one_failure(self):
        self.assertEqual((4, 1, 0), self.outcome("echo '4 passed, 0 failed'; exit 1"))
        self.assertEqual((4, 1, 0), self.outcome("echo '4 passed'; kill -9 $$"))

    def test_a_failure_counts_whatever_the_exit_code(self):
        self.assertEqual((4, 1, 0), self.outcome("echo '4 passed, 1 failed'"))

    def test_a_group_without_a_summary_is_one_failure(self):
        self.assertEqual((0, 1, 0), self.outcome("true"))
        self.assertEqual((0, 1, 0), self.outcome("echo all is well"))

    def test_a_group_that_ran_nothing_is_one_failure(self):
        self.assertEqual((0, 1, 0), self.outcome("echo '0 passed, 0 failed'"))

    def test_a_group_that_was_skipped_is_none(self):
        self.assertEqual((0, 0, 1), self.outcome("echo '0 passed, 0 failed, 1 skipped'"))

    def test_a_command_that_does_not_exist_is_one_failure_and_the_lane_goes_on(self):
        lanes = Lanes({"gone": ["/nowhere/at/all"], "next": shell("echo 1 passed")}, pathlib.Path(self.place.name), self.said.append)
        lanes.run([["gone", "next"]])
        self.assertEqual([1, 0], [each.failed for each in lanes.outcomes.values()])

    def test_a_group_without_a_command_is_one_failure(self):
        lanes = Lanes({"next": shell("echo 1 passed")}, pathlib.Path(self.place.name), self.said.append)
        lanes.run([["unknown", "next"]])
        self.assertEqual(Outcome(1, 1, 0), lanes.total())

    def test_groups_that_a_broken_lane_did_not_reach_are_failures(self):
        def broken(text):
            raise SystemExit

        lanes = Lanes({name: shell("echo 1 passed") for name in ("one", "two", "three")}, pathlib.Path(self.place.name), broken)
        lanes.run([["one", "two", "three"]])
        self.assertEqual(Outcome(1, 2, 0), lanes.total())

    def test_lanes_run_side_by_side_and_groups_of_a_lane_in_turn(self):
        path = pathlib.Path(self.place.name) / "pipe"
        # Each end of a named pipe waits for the other: in one lane this would never end.
        lanes = self.run_lanes(
            ["reader", "last"], ["writer"],
            reader=f"mkfifo {path} 2>/dev/null; cat {path}",
            writer=f"while [ ! -p {path} ]; do sleep 0.01; done; echo '5 passed' >{path}; echo '2 passed'",
            last=f"[ -p {path} ] && echo '1 passed'",
        )
        self.assertEqual(Outcome(8, 0, 0), lanes.total())
        self.assertEqual(["reader", "last", "writer"], list(lanes.outcomes))

    def test_the_end_of_each_output_is_shown_and_all_of_it_kept(self):
        self.run_lanes(one="seq 1000; echo '1 passed'")
        self.assertIn("== one", self.said[0])
        self.assertIn("1000\n1 passed", self.said[0])
        self.assertNotIn("\n5\n", self.said[0])
        self.assertIn("\n5\n", (pathlib.Path(self.place.name) / "test-one.log").read_text())

    def test_what_a_unit_test_said_is_shown_when_it_failed(self):
        self.run_lanes(one="echo 'x_test.cc:5: Failure'; echo Expected; seq 1000; echo '1 failed'; exit 1")
        self.assertIn("x_test.cc:5: Failure\nExpected", self.said[0])

    def test_an_interrupted_run_ends_its_processes(self):
        place = pathlib.Path(self.place.name)
        (place / "main.py").write_text(
            f"import sys, signal, pathlib; sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r}); from lanes import Lanes\n"
            "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
            f"Lanes({{'one': ['sh', '-c', 'echo $$ >{place}/pid; sleep 1000']}}, pathlib.Path({str(place)!r})).run([['one']])\n"
        )
        process = subprocess.Popen([sys.executable, place / "main.py"])
        while not (place / "pid").exists() or not (place / "pid").read_text().strip():
            time.sleep(0.01)
        group = (place / "pid").read_text().strip()
        process.terminate()
        self.assertEqual(143, process.wait(30))
        for _ in range(3000):
            state = pathlib.Path(f"/proc/{group}/status")
            if not state.exists() or "\nState:\tZ" in state.read_text():
                return
            time.sleep(0.01)
        self.fail("the group still runs")

    def test_an_interruption_while_lanes_are_started_ends_what_runs(self):
        lanes = Lanes({"one": shell("exec sleep 1000")}, pathlib.Path(self.place.name), self.said.append)
        start, begun = threading.Thread.start, []

        def start_and_be_interrupted(thread):
            start(thread)
            while not begun:
                with lanes.lock:
                    begun.extend(lanes.running)
            raise SystemExit

        with unittest.mock.patch.object(threading.Thread, "start", start_and_be_interrupted), self.assertRaises(SystemExit):
            lanes.run([["one"]])
        (process,) = begun
        try:
            self.assertEqual(-signal.SIGTERM, process.wait(60))
        finally:
            process.kill()


if __name__ == "__main__":
    unittest.main()
