"""PyIceberg's own REST catalog, unmodified: its requests, and what it makes of their answers."""

from typing import Any

import pytest

from sim.iceberg.managing import Expire, RollBack
from sim.iceberg.pyiceberg import race
from sim.iceberg.python.catalogs import REST
from sim.iceberg.workload import Append, SetProperty
from sim.kernel.schedule import steps_of
from sim.search.explore import exhaustive, same_twice
from sim.search.run import Runner
from sim.world.scenario import FaultSpace

ONE, TWO = {"w1": [Append(((3, "x"),))]}, {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]}
ROW = ("row:3", "x")


def test_bytes_of_a_run_repeat():
    """Requests and answers included."""
    assert len({same_twice(race("x", "", TWO, catalog=REST), seed) for seed in range(3)}) > 1


@pytest.mark.parametrize(
    ("fault", "told", "there"),
    [
        ("500-before", "CommitStateUnknownException", False),
        ("502-after", "CommitStateUnknownException", True),
        ("504-after", "CommitStateUnknownException", True),
        ("503-after", "ServiceUnavailableError", True),
        ("429-after", "TooManyRequestsError", True),
        ("drop-after", "ConnectionError", True),
        ("late", "ConnectionError", True),
    ],
)
def test_an_answer_that_says_nothing_is_told_as_it_is_and_nothing_is_sent_again(fault, told, there):
    """Nor is anything cleaned up. A commit that comes late is the last step here."""
    scenario = race("x", "", ONE, catalog=REST, faults=FaultSpace({"commit": (fault,)}))
    late = " w1-late.commit" if fault == "late" else ""
    run = Runner(scenario).play(steps_of(f"w1:commit w1.commit!{fault} w1:end{late}"))
    last = [event for event in run.events if event.process == "w1"][-1]
    assert last.type == "info"
    assert last.error is not None
    assert last.error.startswith(told)
    assert run.failure is None
    seen = [event for event in run.events if event.process == "r-final"][-1]
    assert ((*ROW, None) in [(one.key, one.value, one.version) for one in seen.reads]) == there
    assert not [row for row in run.trace if row[2] == "delete"]


def test_a_conflict_is_tried_again_and_finds_its_own_snapshot():
    """409 after the commit was applied, with retries left."""
    scenario = race("x", "", ONE, catalog=REST, faults=FaultSpace({"commit": ("409-after",)}))
    run = Runner(scenario).play(steps_of("w1:commit w1.commit!409-after w1:end"))
    assert [event.type for event in run.events if event.process == "w1"] == ["invoke", "ok"]
    assert [row[2] for row in run.trace if row[2] in ("load", "commit")] == ["load", "commit", "load"]


def test_the_service_applies_what_requires_nothing_that_has_changed():
    """A property asserts the uuid alone: in no order is it answered with a conflict, as in the other catalogs."""
    writers: Any = {"w1": [SetProperty("k", "v")], "w2": [Append(((3, "x"),))]}
    refused = []
    result = exhaustive(
        race("x", "", writers, catalog=REST, properties=("readable",)),
        limit=200,
        each=lambda run: refused.extend([event for event in run.events if event.type == "fail"]),
    )
    assert result.complete
    assert refused == []


def test_an_expiry_removes_main_over_rest_too():
    """The versions of a table whose main is moved are told by the files that the service has made."""
    writers: Any = {"w1": [RollBack(1)], "w2": [Expire(1)]}
    history = (Append(((3, "c"),)), Append(((4, "d"),)))
    scenario = race("x", "", writers, history=history, catalog=REST, properties=("acknowledged-writes-survive",))
    assert exhaustive(scenario, limit=200).verdict == "violated"
