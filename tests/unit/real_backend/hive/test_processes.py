"""Child processes and folders end with the process that made them, however that one ends."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from real_backend.hive import guard
from real_backend.hive.processes import Child, remove_folder, temporary_folder
from tests.children import await_state, child

END_S = 120.0
# A run that starts a child, a grandchild and a folder, says so, and goes on for ever.
RUN = """
import time
from pathlib import Path
from real_backend.hive.processes import Child, temporary_folder
folder = temporary_folder("lakeproof-test-")
child = Child(["/bin/sh", "-c", "sleep 600 & echo $! > inner; wait"], folder, folder / "log")
while not (folder / "inner").exists() or not (folder / "inner").read_text().strip():
    time.sleep(0.01)
print(child.pid, (folder / "inner").read_text().strip(), folder, flush=True)
{ending}
"""


@contextmanager
def run(ending):
    """Start such a run: (process, the pids that it made, its folder)."""
    command = [sys.executable, "-c", RUN.format(ending=ending)]
    with child(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        first, second, folder = process.stdout.readline().split()
        yield process, (int(first), int(second)), Path(folder)


def expect_nothing_left(pids, folder):
    deadline = time.monotonic() + END_S
    while (any(map(guard.alive, pids)) or folder.exists()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(guard.alive, pids))
    assert not folder.exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_run_leaves_no_process_and_no_folder(number):
    """Killed outright, asked to end, or interrupted: the children, their children and the folder go."""
    with run("time.sleep(600)") as (process, pids, folder):
        assert all(map(guard.alive, pids))
        process.send_signal(number)
        process.wait(END_S)
        expect_nothing_left(pids, folder)


@pytest.mark.parametrize("ending", ["raise SystemExit", "raise ZeroDivisionError", "import os; os._exit(3)"])
def test_run_that_forgets_its_children_leaves_none(ending):
    """The end of the interpreter is enough."""
    with run(ending) as (process, pids, folder):
        process.wait(END_S)
        expect_nothing_left(pids, folder)


@pytest.fixture
def folder():
    made = temporary_folder("lakeproof-test-")
    yield made
    remove_folder(made)


def test_stop_asks_first_and_kills_what_does_not_listen(folder):
    """The exit code says which; a second stop changes nothing."""
    polite = Child(["sleep", "600"], folder, folder / "polite.log")
    deaf = Child(["/bin/sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done"], folder, folder / "deaf.log")
    while "ready" not in (folder / "deaf.log").read_text():
        time.sleep(0.01)
    assert polite.code is None
    assert (polite.stop(), polite.stop()) == (-signal.SIGTERM, -signal.SIGTERM)
    assert deaf.stop(timeout_s=0.1) == -signal.SIGKILL


def test_stop_of_a_child_that_has_ended_gives_its_code(folder):
    """And its last words are those that name an error."""
    child = Child(["/bin/sh", "-c", "echo 'FATAL: no room'; echo bye; exit 7"], folder, folder / "log")
    while child.code is None:
        time.sleep(0.01)
    assert child.stop() == 7
    assert child.last_words() == "FATAL: no room"


def test_child_reads_nothing_from_us(folder):
    """Its input is at an end as soon as it runs."""
    child = Child(["/bin/sh", "-c", "cat; echo done"], folder, folder / "log")
    while child.code is None:
        time.sleep(0.01)
    assert (folder / "log").read_text() == "done\n"


def test_removed_folder_is_no_longer_the_guards(folder):
    """Whatever stands at its path later belongs to somebody else."""
    other = temporary_folder("lakeproof-test-")
    assert other.stat().st_mode & 0o777 == 0o711
    remove_folder(other)
    assert not other.exists()
    assert os.getpid() != os.getppid()


def test_a_child_rests_until_it_is_woken(folder):
    """One that rests ends when it is asked to, and not for being killed."""
    resting = Child(["sleep", "600"], folder, folder / "log")
    resting.rest()
    await_state(resting.pid, "T")
    resting.wake()
    await_state(resting.pid, "RS")
    resting.rest()
    assert resting.stop() == -signal.SIGTERM


def test_what_rests_is_asked_to_end_with_its_run(folder):
    """By the guard, which kills only what does not listen."""
    command = ["/bin/sh", "-c", "trap 'echo asked; exit' TERM; echo ready; while :; do sleep 0.05; done"]
    resting = Child(command, folder, folder / "log")
    while "ready" not in (folder / "log").read_text():
        time.sleep(0.01)
    resting.rest()
    guard.end({resting.pid: signal.SIGTERM})
    assert "asked" in (folder / "log").read_text()
    resting.stop()
