"""One schedule, played by the simulator and by the real system."""

from checkers.histories.history import History
from checkers.verdict import quick
from real_backend.iceberg.conformance import conform
from real_backend.iceberg.exhaustive_java import interleavings
from real_backend.iceberg.history import history_of
from real_backend.iceberg.refusals import kind_of
from real_backend.iceberg.system import UNSEEN
from sim.iceberg.scenarios import race
from sim.kernel.schedule import steps_of
from sim.search.run import Runner

NUMBERS = "table-invariants/metadata"
"""Two snapshots of one number, which nobody looks for live."""


def scenario_of(writers, rules=None, **table):
    """A scenario of these writers; `table` as for `IcebergWorkload`."""
    return race("live", "", writers, **({} if rules is None else {"rules": rules}), **table)


def workload_of(scenario):
    """What the scenario's live counterpart is given."""
    return scenario.live.workload


def both(live, scenario, schedule):
    """Play the schedule on both sides; they must agree step by step and in the verdict. Returns both runs."""
    steps = steps_of(schedule)
    run = Runner(scenario, yield_points=scenario.live.yield_points[0]).play(steps)
    seen = live.run(workload_of(scenario), steps)
    result = conform(run, seen)
    assert result.agrees, f"{result}\nlive: {' '.join(seen.trace)}\n" + "\n".join(map(str, result.differences))
    assert breaks_alike(seen, run)
    return run, seen


def failure_of(run, scenario):
    """The weakest property that the live history breaks, as the simulator names it; None if it breaks none."""
    return quick(history_of(run), scenario.properties)


def breaks_alike(live, run):
    """Whether the live history and the simulated one break the same, of what somebody looks for live."""
    asked = [name for name in run.scenario.properties if name not in UNSEEN]
    return quick(history_of(live), asked) == quick(History(run.events), asked)


def agree(live, found):
    """Put a live system through a run that was found; it ends alike, and the checkers say the same of it."""
    seen = live.run(workload_of(found.run.scenario), found.schedule)
    result = conform(found.run, seen)
    assert result.agrees, f"{found.run.scenario.name}: {result}"
    assert breaks_alike(seen, found.run)


def failures_of_all(java, scenario):
    """Play every interleaving of two clients on both sides; they must agree in each. Returns: what the model breaks."""
    runner, failures = Runner(scenario, yield_points=scenario.live.yield_points[0]), set()
    for each in interleavings(java, workload_of(scenario)):
        run = runner.play(each.schedule.steps)
        result = conform(run, each.run)
        assert result.agrees, f"{each.schedule}{result}; live: {each.run.outcomes}"
        assert breaks_alike(each.run, run)
        failures.add(run.failure)
    return failures - {None}


def kinds(run):
    """Per actor: ok, refused, failed, unknown."""
    return {actor: kind_of(outcome) for actor, outcome in run.outcomes}


def operations(run):
    """The lineage's operations and who made them."""
    return [(version.operation, version.actor) for version in run.lineage]
