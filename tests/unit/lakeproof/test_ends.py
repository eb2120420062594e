"""How a process ends that is asked to, or that cannot write what it has to say."""

import os
import subprocess
import sys

import pytest

from tests.children import with_signals
from tests.unit.lakeproof.scenario_files import SNAPSHOT, counter_file

COMMAND = [sys.executable, "-m", "lakeproof"]
HEAD = """import atexit, pathlib
atexit.register(lambda: pathlib.Path("cleaned").touch())
"""
KILL = "__import__('os').kill(__import__('os').getpid(), __import__('signal').{})"


def run_and_kill(folder, name, ignored=""):
    """A run that sends itself this signal whenever it begins a schedule."""
    path = counter_file(folder, head=HEAD)
    path.write_text(
        path.read_text().replace("def start(simulation):\n", f"def start(simulation):\n    {KILL.format(name)}\n")
    )
    command = with_signals([*COMMAND, "run", path], ignored=ignored)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_in_order(tmp_path, name, code):
    """What was to be cleaned at the end is cleaned: a JVM and its folder, for one."""
    done = run_and_kill(tmp_path, name)
    assert done.returncode == code, done.stderr
    assert done.stderr.splitlines()[-1] == f"lakeproof: ended by {name}"
    assert (tmp_path / "cleaned").exists()
    assert not list((tmp_path / "runs").rglob("2*"))


def test_a_signal_that_was_ignored_before_stays_ignored(tmp_path):
    """`nohup lakeproof run` goes on when its terminal is closed; who asks it to end is still heard."""
    done = run_and_kill(tmp_path, "SIGHUP", ignored="SIGHUP SIGINT")
    assert done.returncode == 0, done.stderr
    assert "holds" in done.stdout
    assert run_and_kill(tmp_path, "SIGTERM", ignored="SIGHUP SIGINT").returncode == 143


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [("list",), ("run", SNAPSHOT)])
def test_a_full_output_is_one_line_and_not_our_fault(tmp_path, arguments):
    """Nothing to report."""
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 64
    assert done.stderr.splitlines()[-1] == (
        "lakeproof: standard output, or the run folder: expected a place that can be written, "
        "got No space left on device"
    )
    assert "Exception" not in done.stderr


def test_a_closed_output_leaves_the_exit_code(tmp_path):
    """Who closes it wants nothing else."""
    command = " ".join(["exec", *COMMAND, "run", SNAPSHOT, "--strict", ">&-"])
    done = subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "internal error" not in done.stderr
