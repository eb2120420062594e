"""The real Hive catalog where one client takes the lock and another one does not, by its catalog, or by the table; and
where a request for the lock is not answered."""

import pytest

from model.iceberg import coverage
from real_backend.iceberg.conformance_in_hive import conform, live_steps
from sim.generation.draws import seeded
from sim.iceberg.built_in.lock import ASKED, LOCKS
from sim.iceberg.generate import GENERATOR
from sim.search.explore import default_plan
from sim.search.run import Runner
from sim.search.shrink import shrink
from sim.search.strategies import RandomWalk, walk_of
from tests.live.iceberg.agreement import kinds
from tests.search.found import shown

pytestmark = pytest.mark.live
LOST, *KEPT = LOCKS
ALL = {(1, "a"), (2, "b"), (3, "x"), (4, "y")}
WALKS = 5
OFTEN = 0.3


def played(java_on_hive, run):
    """Play a simulated run on the real catalog, which agrees in all. Returns: the rows."""
    live = java_on_hive.run(run.scenario.live.workload, live_steps(run))
    result = conform(run, live)
    assert result.agrees, f"{result}\nlive: {' '.join(live.trace)}\n" + "\n".join(map(str, result.differences))
    assert set(kinds(live).values()) == {"ok"}
    return set(live.rows)


def test_who_takes_no_lock_is_overwritten_by_who_holds_it(java_on_hive):
    """Nothing but the scenario is given: the search finds the schedule; both are told that it is done."""
    found = shrink(Runner(LOST), shown(default_plan(LOST))).run
    assert len(ALL - played(java_on_hive, found)) == 1


@pytest.mark.parametrize("scenario", KEPT, ids=[scenario.name for scenario in KEPT])
def test_what_the_table_says_keeps_both(java_on_hive, scenario):
    """In whatever order."""
    runs = [Runner(scenario).run(walk_of(seed, 60)) for seed in range(WALKS)]
    for run in {live_steps(run): run for run in runs}.values():
        assert played(java_on_hive, run) == ALL


@pytest.mark.parametrize(("fault", "counter"), [
    ("drop-after", coverage.LOCK_FOUND), ("drop-before", coverage.LOCK_ASKED_AGAIN),
])  # fmt: skip
def test_a_lock_that_was_not_answered_is_found_or_asked_for_again(java_on_hive, fault, counter):
    """The lock of the metastore is the client's own, by its agent; nobody waits for one that nobody has."""
    runner = Runner(ASKED[0])
    runs = (runner.run(RandomWalk(seed, OFTEN)) for seed in range(500))
    struck = next(run for run in runs if run.coverage.get(counter) and is_free(live_steps(run), fault))
    assert played(java_on_hive, struck) == ALL


@pytest.mark.parametrize("seeds", [range(12), range(12, 24)], ids=["some", "others"])
def test_generated_races_do_the_same(java_on_hive, seeds):
    """Whatever is drawn of who locks, and of who switches locks; requests for locks are not answered."""
    settings = GENERATOR.configurations["Java API, Hive catalog, locks mixed"]
    runs = [Runner(GENERATOR.make(seeded(seed), settings)).run(walk_of(seed, 60)) for seed in seeds]
    told = [run for run in runs if is_free(live_steps(run), "drop-before")]
    assert len(told) >= len(seeds) - 2
    for run in told:
        assert run.scenario.live is not None
        live = java_on_hive.run(run.scenario.live.workload, live_steps(run))
        result = conform(run, live)
        assert result.agrees, f"{result}\nlive: {' '.join(live.trace)}\n" + "\n".join(map(str, result.differences))


def is_free(steps, fault):
    """Whether the lock is free where this fault is, if it is anywhere."""
    at = next((place for place, step in enumerate(steps) if step.fault == fault), 0)
    held = [step.operation for step in steps[:at] if step.operation == "unlock" or is_had(step)]
    return held.count("lock") == held.count("unlock")


def is_had(step):
    """Whether it is a request that the metastore has got."""
    return step.operation == "lock" and step.fault != "drop-before"
