"""Which metastore scenarios have a live counterpart, what it is given, and how the two histories are compared."""

from dataclasses import replace
from typing import Any

import pytest

from model.hive import FIXED
from model.hive import SHIPPED as SHIPPED_RULES
from model.hive.rules import UNCACHED
from model.hive.variants import VARIANTS as VARIANTS_OF_RULES
from real_backend.hive.conformance import VARIANTS, conform, live_steps, simulated
from real_backend.hive.live import YIELD_POINTS, yield_points_of
from real_backend.hive.live_run import SHIPPED, HiveLiveRun
from real_backend.hive.pollers import of_replica
from real_backend.hive.system import METASTORES, OWN_RULE
from sim.hive.build import EVENTUAL, Sessions, metastore
from sim.hive.live import LOCKING_STEPS, PREWARM, RESTART, live_of
from sim.hive.race import HiveRace
from sim.hive.scenarios import HIVE
from sim.hive.workload import DropPartition, HiveTable
from sim.iceberg.metastore_cells import CELLS
from sim.iceberg.over_metastores import composite
from sim.kernel.schedule import Schedule, steps_of
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.world.live import Live

BY_NAME = {scenario.name.removeprefix("hive/"): scenario for scenario in HIVE}


def given_to(scenario):
    """What the scenario's live counterpart is given."""
    return scenario.live.workload


SIMULATED_ONLY = (
    "rename",  # shipped caches do not survive one
    "prewarm", "cold-start-two-tables",  # replicas that start during the race
    "log-gap",  # the log is meddled with
    "write-conflict",  # its abort is logged, which 4.0.1 does not do
    "design-prewarm", "design-unless", "reference-without-atomic-rename",  # rules of the servers
)  # fmt: skip
ON_SHIPPED = (
    "shipped-stale-read", "shipped-failover", "shipped-own-write", "shipped-wrong-table", "shipped-replay-writes-back",
    "shipped-rename-freezes", "shipped-miss-hides-partitions", "shipped-batch-reverts", "shipped-rename-takes-another",
    "shipped-drop-freezes", "shipped-dead-content",
)  # fmt: skip
RULE_IN_CLIENT = (
    "read-after-commit", "own-writes", "two-replicas-one-transaction", "external", "abort", "old-client",
    "failover-by-design", "design-own-write", "reference-without-conflict-event", "write-conflict-unchecked",
    "read-after-own-abort", "one-replica-own-abort", "one-replica-two-writers",
)  # fmt: skip


@pytest.mark.parametrize("name", SIMULATED_ONLY)
def test_what_live_metastores_cannot_do_has_no_live_counterpart(name):
    """Or do otherwise."""
    assert BY_NAME[name].live is None


@pytest.mark.parametrize("name", [*ON_SHIPPED, *RULE_IN_CLIENT])
def test_live_counterpart_of_sessions(name):
    """Shipped scenarios on shipped metastores; the reference with its reading side in the client."""
    given = given_to(BY_NAME[name])
    assert given.servers == ("shipped" if name in ON_SHIPPED else "synchronized")
    assert (given.rules.read_rule == "none") == (name in ON_SHIPPED)


@pytest.mark.parametrize("scenario", [composite(cell) for cell in CELLS], ids=lambda scenario: scenario.name)
def test_every_cell_of_the_composite_has_a_live_counterpart(scenario):
    """The cell's cache is a variant, its writers' replicas are the routes."""
    given = given_to(scenario)
    assert given.cache == scenario.name.removeprefix("hive/iceberg-").rsplit("-lock", 1)[0].removesuffix("-no")
    assert given.cache in VARIANTS
    assert given.routes == {"w1": "h1", "w2": "h2" if scenario.name.endswith("two") else "h1"}


def test_steps_are_those_of_the_schedules_yield_points_that_the_gates_have():
    """A schedule without yield points means the calls whose order matters to a cache, or to who holds a lock."""
    steps, every = steps_of("w1:end"), (*LOCKING_STEPS, RESTART, *PREWARM)
    assert yield_points_of("w1:end") == yield_points_of(steps) == yield_points_of(Schedule("x", steps)) == every
    assert yield_points_of(Schedule("x", steps, ("poll", "clean_log", "get_table"))) == ("get_table", "poll")
    assert set(LOCKING_STEPS) < set(YIELD_POINTS)
    assert {"open_txn", "lock"} & set(LOCKING_STEPS) == set()


def live_run(events, steps):
    """A live run that did what these events say."""
    workload = given_to(BY_NAME["shipped-stale-read"]).workload
    return HiveLiveRun(workload, SHIPPED, tuple(events), tuple(f"{step}=applied" for step in steps), ())


@pytest.fixture(scope="module")
def run():
    return Runner(BY_NAME["shipped-stale-read"]).play(steps_of("w1:end r1:end"))


@pytest.fixture(scope="module")
def steps(run):
    return simulated(run, given_to(run.scenario).workload).steps


def test_same_run_agrees_with_itself(run, steps):
    """A tag is the model's alone and does not count."""
    tagged = replace(run, events=tuple([
        event._replace(arg=f"{event.arg} tag=0:") if "source=cache" in (event.arg or "") else event
        for event in run.events
    ]))  # fmt: skip
    assert tagged.events != run.events
    assert str(conform(tagged, live_run(run.events, steps))).startswith("simulation and live system agree in 8 steps")


@pytest.mark.parametrize(
    ("before", "after"),
    [("source=cache", "source=database"), ("seen=1", "seen=2"), ("writes=default.t:1", "writes=default.t:0")],
)
def test_where_an_answer_came_from_and_what_was_asked_is_compared(run, steps, before, after):
    """A run that differs in nothing else."""
    changed = [
        event._replace(arg=(event.arg or "").replace(before, after)) if event.f == "get-table" else event
        for event in run.events
    ]
    result = conform(run, live_run(changed, steps))
    assert len(result.differences) == 1
    assert before in result.differences[0].simulated
    assert after in result.differences[0].live


def test_values_errors_steps_and_the_database_are_compared(run, steps):
    """Each alone is a difference."""
    other = [event._replace(reads=tuple(read._replace(value="v9") for read in event.reads)) for event in run.events]
    assert len(conform(run, live_run(other, steps)).differences) == 3
    failed = [
        event._replace(type="fail", error="NullList: x") if event.f == "get-table" and event.type == "ok" else event
        for event in run.events
    ]
    assert "NullList" in str(conform(run, live_run(failed, steps)))
    assert "step 1" in str(conform(run, live_run(run.events, steps[1:])))


def test_rules_that_no_live_metastore_follows_have_no_live_counterpart():
    """A mutant of the server's side."""
    race = BY_NAME["external"].program
    assert isinstance(race, HiveRace)
    assert isinstance(live_of(race), Live)
    said = live_of(replace(race, rules=replace(FIXED, checks_gaps=False)))
    assert said == "expected the rules of shipped servers, got those of servers that nobody ships"


@pytest.mark.parametrize("managed", [True, False])
def test_a_dropped_partition_of_a_managed_table_is_told_by_shipped_servers_without_a_write_id(managed):
    """Of an external one no event has any, so that it does not matter there."""
    tables = (HiveTable("default.t", "v0", managed, (("d=1", "p0"),)),)
    sessions: Sessions = {"w1": ("h1", (DropPartition("default.t", "d=1"),))}
    scenario = metastore("dropped", "", sessions, rules=FIXED, tables=tables, properties=EVENTUAL)
    told = metastore(
        "told", "", sessions, rules=VARIANTS_OF_RULES["no-drop-write-id"], tables=tables, properties=EVENTUAL
    )
    assert (scenario.live is None) == managed
    assert told.live is not None


@pytest.mark.parametrize("exclusive", [True, False])
@pytest.mark.parametrize(("rules", "servers"), [(SHIPPED_RULES, "shipped"), (UNCACHED, "off")])
def test_servers_do_not_depend_on_what_clients_say_at_a_commit(rules, servers, exclusive):
    """`exclWriteEnabled` is in the client's request, and a metastore without a cache is shipped as well."""
    race = BY_NAME["external"].program
    assert isinstance(race, HiveRace)
    live = live_of(replace(race, rules=replace(rules, exclusive_writes=exclusive)))
    assert isinstance(live, Live)
    assert (live.workload.servers, live.workload.rules.exclusive_writes) == (servers, exclusive)


class Playing:
    """Stands in for live metastores that do what the simulation did."""

    def __init__(self, run) -> None:
        self._run = run

    def of(self, backend):
        return self

    def run(self, workload, schedule, variant, rules, *, drains):
        seen = simulated(self._run, workload)
        steps = tuple(f"{step}=applied" for step in seen.steps or ())
        return HiveLiveRun(workload, variant, self._run.events, steps, ())


def test_a_poll_that_finds_nothing_is_no_live_step(run):
    """A pull was before it: the live cache's watermark has moved on by then."""
    idle = (0, "h2", "poll", "h2", (), (), "")
    assert live_steps(replace(run, trace=[*run.trace, idle])) == live_steps(run)
    found = (0, "h2", "poll", "h2", (), ("an event",), "")
    assert [str(step) for step in live_steps(replace(run, trace=[found]))] == ["h2.poll"]


def test_an_update_thread_has_its_replicas_name_live():
    """Whatever it is called where it may die alone; nobody else's name changes."""
    workload = given_to(BY_NAME["shipped-stale-read"]).workload
    steps = steps_of("h2-thread.poll h2.poll w1.poll h9-thread.poll")
    assert [of_replica(step, workload).actor for step in steps] == ["h2", "h2", "w1", "h9-thread"]


@pytest.mark.parametrize(("name", "notes"), [("read-after-commit", (OWN_RULE,)), ("shipped-stale-read", ())])
def test_live_result_says_where_our_own_code_stands_on_both_sides(name, notes):
    """The reading rule of the reference is the model's, also live."""
    run = Runner(BY_NAME[name]).play(steps_of("w1:end r1:end"))
    backends: Any = Playing(run)
    live: Any = run.scenario.live
    replayed = METASTORES.replay(backends, live, schedule_of(run), run)
    assert (replayed.agrees, replayed.notes) == (True, notes)
