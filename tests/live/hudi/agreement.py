"""A Hudi schedule that the simulator found, played on the real Hudi."""

from itertools import islice

from checkers.verdict import check, failure_key
from real_backend.hudi.conformance import conform
from real_backend.hudi.history import history_of
from real_backend.hudi.live_steps import live_schedule
from real_backend.hudi.system import HUDI as HUDI_SYSTEM
from sim.hudi.scenarios import HUDI
from sim.search.at_gates import TRIES, runs_at_gates
from sim.search.projection import can_play
from sim.search.result import broken_by
from sim.search.run import Runner
from sim.search.script import all_steps, compact
from sim.search.strategies import walk_of
from tests.search.hudi.at_live_steps import found_live

BY_NAME = {scenario.name: scenario for scenario in HUDI}


def found(name):
    """The smallest failing run of a scenario at the live yield points: (scenario, schedule, simulated run)."""
    scenario = BY_NAME[f"hudi/{name}"]
    run = found_live(scenario)
    assert run is not None, f"{name}: the search at the live yield points found nothing"
    return scenario, live_schedule(run), run


def in_the_order_of(name, other):
    """The scenario `name` in the order of the failing run of `other`: (scenario, schedule, simulated run)."""
    _, _, run = found(other)
    scenario = BY_NAME[f"hudi/{name}"]
    steps = compact(all_steps(run.trace, run.yield_points), run.unfinished)
    played = Runner(scenario, yield_points=run.yield_points).play(steps)
    return scenario, live_schedule(played), played


def walked(name, *, walks=1_000, steps=60):
    """The first walk at the live yield points that breaks what the scenario expects to break: as `found`."""
    scenario = BY_NAME[f"hudi/{name}"]
    assert scenario.live is not None
    runner = Runner(scenario, yield_points=scenario.live.yield_points[0])
    for run in (runner.run(walk_of(seed, steps)) for seed in range(walks)):
        if run.failure and broken_by(run) == scenario.broken and can_play(scenario.live, run):
            return scenario, live_schedule(run), run
    raise AssertionError(f"{name}: {walks} walks at the live yield points found nothing")


def agreed(hudi, scenario, run, schedule=None):
    """Play a run on the real Hudi, by its own schedule unless another one is given: the same steps, outcomes, completed
    instants and rows. Returns: the live run."""
    live = hudi.run(scenario.live.workload, schedule or live_schedule(run))
    result = conform(run, live)
    differences = "\n".join(map(str, result.differences))
    assert result.agrees, f"{scenario.name}: {result}\nlive: {' '.join(live.trace)}\n{differences}"
    return live


def left_unreadable(hudi, name, says):
    """Play what the search has found of a scenario: as simulated, nobody can read the table then, and Spark `says` why.
    Returns: the live run."""
    scenario, schedule, run = found(name)
    live = agreed(hudi, scenario, run, schedule)
    assert live.rows is None
    assert says in live.unreadable
    return live


def both(hudi, scenario, schedule, run, *, read_alike=True):
    """Play the schedule on the real Hudi; it must do what the simulated run did, and break the same or no property.

    Args: `read_alike`: hudi-rs reads the same rows as Spark.
    """
    live = agreed(hudi, scenario, run, schedule)
    assert live.again is not None, "hudi-rs is not installed: make setup"
    assert (live.again.differs_from(live.rows) == "") == read_alike, live.again
    seen = [name for name in scenario.properties if name not in HUDI_SYSTEM.unseen]
    verdict = check(history_of(live), seen)
    broken = [failure_key(violation) for violation in verdict.violations]
    assert verdict.reasons == () or not seen, verdict.reasons
    shown = run.failure and run.failure.split("/")[0] in verdict.results
    assert broken[:1] == ([run.failure] if shown else []), (broken, run.failure)
    return live


def both_at_random(hudi, name, count, *, tries=TRIES):
    """The same for so many runs of a scenario, in orders drawn at random, of so many `tries`."""
    scenario = BY_NAME[f"hudi/{name}"]
    runs = list(islice(runs_at_gates(scenario, 5, tries), count))
    assert len(runs) == count
    for played in runs:
        both(hudi, scenario, live_schedule(played.run), played.run)


def written(live, actor):
    """How many data files an actor wrote."""
    return next(each.files for each in live.written if each.actor == actor)


def refused_by_the_finished(run):
    """A writer is refused early by the only other writer of its row, whose commit was there when it began."""
    refused = [command for command in run.commands if "Early" in command.outcome]
    return len(run.instants) == 3 and [command.actor for command in refused] == ["w2"] and run.value(1) == "A"
