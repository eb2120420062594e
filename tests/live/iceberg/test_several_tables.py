"""Commits of several tables over REST: the model, and the real client, transactions and handlers of Iceberg."""

from itertools import islice

import pytest

from checkers.verdict import quick
from real_backend.iceberg.refusals import kind_of
from real_backend.iceberg.rest_gate import YIELD_POINTS
from real_backend.iceberg.several_live import conform, several_iceberg
from sim.generation.draws import seeded
from sim.iceberg.built_in.several import SEVERAL
from sim.iceberg.generate import GENERATOR
from sim.iceberg.several import SeveralTables
from sim.kernel.schedule import steps_of
from sim.search.at_gates import runs_at_gates
from sim.search.explore import default_plan
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.shrink import shrink
from tests.search.found import shown
from tests.unit.iceberg import several_vectors

pytestmark = pytest.mark.live
FOUND = [
    scenario
    for scenario in SEVERAL
    if scenario.broken and scenario.live is not None and (scenario.live.faults or not scenario.faults.limit)
]
EACH = 6


@pytest.fixture(scope="module")
def several():
    """The real client on several tables, on a bare JVM."""
    with several_iceberg() as live:
        yield live


def drawn():
    """Runs of generated races on several tables, one each."""
    for seed in range(10_000):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations["Java API, REST catalog"])
        if scenario.live is not None and isinstance(scenario.live.workload, SeveralTables):
            yield from runs_at_gates(scenario, seed, 1)


def agreed(live, scenario, steps):
    """Play steps on both sides; they must agree in all, and in the verdict. Returns: both runs."""
    run = Runner(scenario, yield_points=YIELD_POINTS).play(steps)
    seen = live.run(scenario.live.workload, steps)
    compare(scenario, run, seen)
    return run, seen


def compare(scenario, run, seen):
    """Both must agree in steps, outcomes, lineage, rows, and in what breaks."""
    result = conform(run, seen)
    assert result.agrees, f"{result}\nlive: {' '.join(seen.trace)}\n" + "\n".join(map(str, result.differences))
    assert quick(seen.history, scenario.properties) == run.failure


@pytest.mark.parametrize("name", several_vectors.BY_NAME)
def test_the_real_client_and_server_answer_as_the_vectors_say(several, name):
    """Each vector on Iceberg's own client, transactions and handlers."""
    vector = several_vectors.BY_NAME[name]
    _, live = agreed(several, several_vectors.scenario_of(vector), steps_of(vector["schedule"]))
    found = several_vectors.seen_of(live.history.events, vector)
    told = {process: kind_of(error) for process, error in found.pop("told").items()}
    assert told == {process: kind_of(error) for process, error in vector["told"].items()}
    assert found == {key: vector[key] for key in found}


@pytest.mark.parametrize("scenario", FOUND, ids=[scenario.name for scenario in FOUND])
def test_found_violation_is_real(several, scenario):
    """Nothing but the scenario is given: the search finds the schedule, the real software is put through it."""
    played = projection(shrink(Runner(scenario), shown(default_plan(scenario))).run)
    assert played is not None
    compare(scenario, played.run, several.run(scenario.live.workload, played.schedule))


def test_generated_races_on_several_tables_agree(several):
    """Step by step, in outcomes, places and rows."""
    for played in islice(drawn(), EACH):
        compare(played.run.scenario, played.run, several.run(played.run.scenario.live.workload, played.schedule))


@pytest.mark.parametrize(
    ("fault", "told"),
    [("409-after", "CommitFailed"), ("503-before-retry", "ok"), ("drop-after", "RestError")],
)
def test_what_the_client_makes_of_an_answer(several, fault, told):
    """It sends the request again as any other commit, and never looks for what it has committed."""
    scenario = next(one for one in SEVERAL if one.name == "iceberg/together-reply-faults")
    run, _ = agreed(several, scenario, steps_of(f"w1.load w1.load w1.commit!{fault} w1:end"))
    errors = [event.error for event in run.events if event.process == "w1" and event.type in ("fail", "info")]
    assert (errors or ["ok"])[0].partition(":")[0] == told
