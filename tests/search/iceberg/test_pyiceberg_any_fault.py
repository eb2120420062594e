"""PyIceberg under every kind of fault, in each of its catalogs and at its files."""

import pytest

from sim.iceberg.pyiceberg import race
from sim.iceberg.python.any_fault import CATALOGS, COUNTED, UNDER_ANY_FAULT, any_fault
from sim.iceberg.python.catalogs import PORTS, SQL
from sim.iceberg.workload import Append
from sim.kernel.schedule import steps_of
from sim.search.explore import exhaustive
from sim.search.run import Run, Runner
from tests.mutants.pyiceberg import PYICEBERG as MUTANTS

ONE = {"w1": [Append(((3, "x"),))]}
BY_NAME = {one.name: one for one in UNDER_ANY_FAULT}


@pytest.mark.parametrize("scenario", UNDER_ANY_FAULT, ids=lambda one: one.name)
def test_no_fault_of_any_kind_takes_back_what_was_acknowledged(scenario):
    """Every kind that the scenario says was injected, at every call that knows it."""
    result = exhaustive(scenario, limit=500)
    assert result.complete
    assert result.as_expected
    injected = {name.removeprefix("fault ") for name in result.coverage if name.startswith("fault ")}
    assert injected == {kind for kinds in scenario.faults.kinds.values() for kind in kinds}


def test_a_library_that_cleans_up_what_may_have_landed_is_found():
    """By the answers that say nothing."""
    mutant = next(one for one in MUTANTS if one.name == "pyiceberg-cleans-after-unknown")
    with mutant.alive():
        found = exhaustive(BY_NAME["pyiceberg/append-any-fault"], limit=500).failures
    assert {key.partition("/")[0] for key in found} == {"readable"}


def played(steps: str) -> Run:
    """A run of these steps in the SQL catalog."""
    scenario = race("x", "", ONE, catalog=SQL, faults=any_fault(CATALOGS[SQL]), steps=(*PORTS[SQL].kinds, "sleep"))
    return Runner(scenario).play(steps_of(steps))


@pytest.mark.parametrize("call", ["select", "update", "commit"])
def test_who_is_cut_off_from_the_database_is_told_of_its_error_and_has_committed_nothing(call):
    """What was written goes back with the connection, and others may write."""
    run = played(f"w1:{call} w1.{call}!partition w1:end")
    last = [event for event in run.events if event.process == "w1"][-1]
    assert (last.type, (last.error or "").partition(":")[0]) == ("info", "OperationalError")
    assert [one.value for one in run.events[-1].reads] == ["a", "b", None]
    assert run.failure is None


def test_every_catalog_knows_what_befalls_a_process():
    """At each of its calls."""
    for port in CATALOGS.values():
        for kinds in port.kinds.values():
            assert {*COUNTED} - {"drop-after"} <= {*kinds}
