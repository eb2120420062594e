"""A metastore schedule played by the simulator and by live metastores."""

from checkers.histories.history import History
from checkers.verdict import quick
from real_backend.hive.conformance import VARIANTS, conform, live_steps
from real_backend.iceberg import conformance_over_metastores as over_metastores
from real_backend.iceberg.history import history_of
from sim.hive.scenarios import HIVE
from sim.kernel.schedule import Schedule, steps_of
from sim.search.explore import default_plan
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.search.shrink import shrink
from tests.search.found import shown

BY_NAME = {scenario.name: scenario for scenario in HIVE}


def scenario_of(name):
    """A metastore scenario by its name without the room."""
    return BY_NAME[f"hive/{name}"]


def found(name):
    """The smallest failing run that the search finds: (schedule, simulated run)."""
    scenario = scenario_of(name)
    run = shrink(Runner(scenario), shown(default_plan(scenario))).run
    return schedule_of(run), run


def played(scenario, text):
    """Steps by hand, played by the simulator: (schedule, simulated run)."""
    run = Runner(scenario).play(steps_of(text))
    return schedule_of(run), run


def both_generated(hive, scenario, played):
    """The same for a generated scenario and a random run of it."""
    run = played.run
    live = run_live(hive, scenario, Schedule(scenario.name, live_steps(run), run.yield_points))
    _expect_agreement(conform(run, live), live)
    assert quick(History(live.events), scenario.properties) == run.failure


def run_live(hive, scenario, schedule):
    """The live run alone."""
    given = scenario.live.workload
    return hive.run(given.workload, schedule, VARIANTS[given.servers], given.rules, drains=given.drains)


def both(hive, scenario, schedule, run):
    """Play the schedule on live metastores: they must do what the simulated run did, and break the same property."""
    live = run_live(hive, scenario, schedule)
    _expect_agreement(conform(run, live), live)
    assert quick(History(live.events), scenario.properties) == run.failure
    return live


def both_iceberg(iceberg, scenario, text):
    """The same for Iceberg over metastores, with steps by hand."""
    given = scenario.live.workload
    run = Runner(scenario).play(steps_of(text))
    live = iceberg.run(given.workload, text, given.routes, VARIANTS[given.cache])
    _expect_agreement(over_metastores.conform(run, live), live)
    assert quick(history_of(live), scenario.properties) == run.failure
    return live


def _expect_agreement(result, live):
    told = "\n".join(map(str, result.differences))
    assert result.agrees, f"{result}\nlive: {' '.join(live.trace)}\n{told}"
