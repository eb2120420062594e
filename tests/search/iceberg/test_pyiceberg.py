"""Shipped PyIceberg, unmodified, in the simulator: repeatable bytes, and nothing changed for anybody else."""

import sys
import time
import uuid

import pytest

from sim.iceberg.pyiceberg import PYICEBERG
from sim.search.explore import default_plan, same_twice
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.world.substitutes import substitute
from tests.search.found import shown

BY_NAME = {scenario.name: scenario for scenario in PYICEBERG}


def test_bytes_of_a_run_repeat() -> None:
    """Parquet, Avro and JSON included: two runs of a seed and a replay of its tape have one digest; others differ."""
    assert len({same_twice(BY_NAME["pyiceberg/append-append"], seed) for seed in range(4)}) > 1


def test_the_last_attempts_clean_up_deletes_the_committed_manifest_list() -> None:
    """The swap is applied and answered as refused, and the library deletes what the table points to."""
    run = shown(default_plan(BY_NAME["pyiceberg/append-resent"]))
    steps = schedule_of(run).steps
    assert [(step.actor, step.operation, step.fault) for step in steps if step.fault] == [("w1", "commit", "409-after")]
    told = next(event.error for event in run.events if event.process == "w1" and event.type == "fail")
    assert told is not None
    assert told.startswith("CommitFailedException")


def test_outside_the_simulator_the_library_has_the_real_clock_and_real_identifiers() -> None:
    """Substitutes ask for the calling task's world; without one they are the real thing."""
    Runner(BY_NAME["pyiceberg/append-append"])
    library = vars(sys.modules["pyiceberg.table"])
    before = time.time()
    assert before <= library["time"].time() <= time.time()
    assert library["uuid"].uuid4() != library["uuid"].uuid4()
    assert isinstance(library["uuid"].uuid4(), uuid.UUID)


def test_a_manifest_of_another_version_says_what_is_missing() -> None:
    """A library that has moved on is not run half substituted."""
    with pytest.raises(AttributeError, match=r"pyiceberg\.table\.no_such_clock: expected an attribute to substitute"):
        substitute([("pyiceberg.table", "no_such_clock", None)])
