"""One seed, one run: in every process, whatever the hash seed, and from the tape.

Two processes with different `PYTHONHASHSEED` run the same seeds, replay each from its tape, and print digests of whole
traces, payloads included. All lines must be equal. A program that iterates over a set of strings is caught by this and
by nothing else: within one process its order repeats.
"""

import os
import subprocess
import sys
import tempfile

import pytest

from lakeproof.scenarios import built_in
from sim.search.explore import same_twice
from tests.search.digests import LEAKY, digests, find

pytestmark = pytest.mark.search

MAIN = ["bank", "iceberg/delete-update-snapshot", "iceberg/insert-reply-faults", "iceberg/hive-lock-pause"]
FEW = {"pyiceberg": 3}
OTHERS = [name for name in built_in() if name not in MAIN]


def seeds_of(name: str) -> int:
    """Hundreds for the main ones; fewer for the rest, and for real third-party code."""
    return 200 if name in MAIN else FEW.get(name.split("/")[0], 10)


@pytest.fixture(scope="module")
def printed() -> list[dict[str, list[str]]]:
    """Per process, the lines of each scenario."""
    requests = [f"{name}:{seeds_of(name)}" for name in (*MAIN, *OTHERS)]
    outputs = in_two_processes(*requests)
    return [{name: lines_of(name, output) for name in (*MAIN, *OTHERS)} for output in outputs]


def in_two_processes(*requests: str) -> list[str]:
    """What each of two processes prints, at the same time, with different hash seeds."""
    command = [sys.executable, "-m", "tests.search.digests", *requests]
    with tempfile.TemporaryFile("w+") as one, tempfile.TemporaryFile("w+") as two:  # a pipe that fills up would block
        running = [
            subprocess.Popen(command, env={**os.environ, "PYTHONHASHSEED": hash_seed}, stdout=file)
            for hash_seed, file in (("1", one), ("4242", two))
        ]
        try:
            assert [process.wait() for process in running] == [0, 0]
        finally:
            for process in running:
                process.kill()
        for file in (one, two):
            file.seek(0)
        return [one.read(), two.read()]


def lines_of(name: str, output: str) -> list[str]:
    """The lines of one scenario."""
    own = find(name).name
    return [line for line in output.splitlines() if line.startswith(f"{own} ")]


@pytest.mark.parametrize("name", [*MAIN, *OTHERS])
def test_no_digest_differs_between_processes_or_from_the_replay(printed: list[dict[str, list[str]]], name: str) -> None:
    """As many lines as seeds; both processes print the same; the replay has the digest of the run."""
    first, second = (lines[name] for lines in printed)
    assert len(first) == seeds_of(name)
    assert first == second
    assert all(line.split()[2] == line.split()[3] for line in first)


@pytest.mark.parametrize("name", MAIN)
def test_different_seeds_give_different_runs(printed: list[dict[str, list[str]]], name: str) -> None:
    """A digest that were the same for all seeds would prove nothing; a small scenario has few runs, but several."""
    different = {line.split()[2] for line in printed[0][name]}
    assert len(different) >= (5 if name == "bank" else 30)


def test_order_of_a_set_of_strings_is_caught_between_processes() -> None:
    """In one process the leak repeats with itself; between hash seeds the digests differ."""
    assert same_twice(LEAKY, 1) == same_twice(LEAKY, 1)
    assert digests(LEAKY, range(3)) == digests(LEAKY, range(3))
    first, second = in_two_processes("leaky:3")
    assert first != second
