"""Races on metastores whose shapes came from generated ones: what is before them, what renames bring, what dies."""

from checkers.verdict import judge
from model.hive import FIXED, SHIPPED
from model.hive.rules import Rules
from sim.hive.race import HiveRace
from sim.hive.workload import (
    Alter,
    Begin,
    Commit,
    Drop,
    DropPartition,
    Get,
    HiveSession,
    HiveTable,
    HiveWorkload,
    ListPartitions,
    LogEvent,
    Rename,
)
from sim.search.explore import by_deviations
from sim.search.run import Run, Runner
from sim.search.strategies import RandomWalk
from sim.world.scenario import FaultSpace, Scenario

T, E, F, G = "default.t", "default.e", "default.f", "default.g"
NO_FAULTS = FaultSpace()
KEPT = ("acknowledged-writes-survive", "convergence")


def race(*sessions: HiveSession, rules: Rules = FIXED, faults: FaultSpace = NO_FAULTS, **known) -> Scenario:
    """A race of these sessions; `known` are the workload's and the race's other fields."""
    options = {name: known.pop(name) for name in ("statements", "drains", "dies") if name in known}
    program = HiveRace(HiveWorkload(sessions, **known), rules, **options)
    return Scenario("hive/a-race", program, KEPT, faults=faults)


def walks(scenario: Scenario, count: int = 30) -> list[Run]:
    """Runs of random walks."""
    runner = Runner(scenario)
    return [runner.run(RandomWalk(seed)) for seed in range(count)]


def test_a_drop_takes_the_partitions_that_came_with_a_rename():
    """They are the table's, whatever it was called when they were made."""
    tables = (HiveTable(E, "e0", False, (("d=1", "p1"),)),)
    w1 = HiveSession("w1", "h1", (Rename(E, G), ListPartitions(G), Drop(G)))
    assert by_deviations(race(w1, tables=tables, drains=True), 1).failures == {}


def test_a_dropped_table_that_nobody_was_told_of_takes_its_partitions():
    """The change is found in the log, with all that it deleted."""
    tables = (HiveTable(E, "e0", False, (("d=1", "p1"),)),)
    faults = FaultSpace({"drop_table": ("drop-after", "crash-after")}, 1)
    scenario = race(HiveSession("w1", "h1", (Drop(E),)), tables=tables, drains=True, faults=faults)
    assert by_deviations(scenario, 1).failures == {}


def test_renames_that_cross_end_with_an_answer_each():
    """The database rolls one back, its metastore tries it again: it meets the other's name, and is told so."""
    tables = (HiveTable(E, "e0", False), HiveTable(F, "f0", False))
    two = (HiveSession("w1", "h1", (Rename(E, F),)), HiveSession("w2", "h1", (Rename(F, E),)))
    runs = walks(race(*two, tables=tables, statements=True))
    assert [run.stuck for run in runs if run.stuck] == []
    assert {event.type for run in runs for event in run.events if event.f == "rename"} == {"invoke", "fail"}
    assert sum(run.coverage.get("hive: deadlock, tried again", 0) for run in runs) > 0


def test_a_transaction_whose_commit_was_lost_lets_its_rows_go():
    """Others that want them go on, whether the commit is lost or late."""
    faults = FaultSpace({"alter_table": ("drop-before", "late")}, 1)
    tables = (HiveTable(E, "e0", managed=False),)
    two = (HiveSession("w1", "h1", (Alter(E, "e1"),)), HiveSession("w2", "h1", (Alter(E, "e2"),)))
    runs = walks(race(*two, tables=tables, statements=True, faults=faults))
    assert any(run.injected for run in runs)
    assert all(run.complete for run in runs)


def test_a_cold_replica_whose_thread_dies_while_it_prewarms_prewarms_again():
    """And serves its tables in the end."""
    faults = FaultSpace({"prewarm_tag": ("crash",)}, 1)
    w1 = HiveSession("w1", "h1", (Begin((T,)), Alter(T, "v1"), Commit()))
    result = by_deviations(race(w1, cold=("h2",), drains=True, dies="thread", faults=faults), 2)
    assert result.failures == {}
    assert result.coverage["fault crash"]


def test_replicas_that_lag_have_not_seen_the_earlier_sessions():
    """The others have, and the earlier sessions are in the history before all else."""
    earlier = (HiveSession("e1", "h1", (Alter(E, "e1"),)),)
    readers = (HiveSession("r1", "h1", (Get(E),)), HiveSession("r2", "h2", (Get(E),)))
    tables = (HiveTable(E, "e0", managed=False),)
    run = walks(race(*readers, tables=tables, pollers=(), earlier=earlier, lagging=("h2",)), 1)[0]
    told = {event.process: event for event in run.events if event.type == "ok"}
    assert [told[name].reads[0].value for name in ("r1", "r2")] == ["e1", "e0"]
    assert told["e1"].commit == 1


def test_the_shipped_cache_passes_over_events_that_it_does_not_know():
    """It logs them, and goes on."""
    tables = (HiveTable(E, "e0", managed=False),)
    w1 = HiveSession("w1", "h1", (LogEvent("ALTER_DATACONNECTOR", E), Alter(E, "e1")))
    assert by_deviations(race(w1, tables=tables, rules=SHIPPED, drains=True), 1).failures == {}


def test_a_drop_takes_no_partition_that_the_table_never_had():
    """Others of the workload may have had it; what nobody wrote is nobody's to read, and every run can be judged."""
    tables = (HiveTable(E, "e0", managed=False), HiveTable(G, "g0", False, (("d=1", "p1"),)))
    w1 = HiveSession("w1", "h1", (Drop(E), ListPartitions(G), Rename(G, E), ListPartitions(E)))
    for run in walks(race(w1, tables=tables, drains=True), 5):
        drop = next(event for event in run.events if event.type == "ok" and event.f == "drop")
        assert [write.key for write in drop.writes] == ["table:1"]
        assert judge(run.events, KEPT) == (None, False)


def test_a_change_of_a_partition_is_of_the_table_that_has_the_name_then():
    """A rename that commits first is waited for: no event has a name that its table has lost."""
    tables = (HiveTable(E, "e0", False, (("d=1", "p1"),)),)
    two = (HiveSession("w1", "h1", (Rename(E, G),)), HiveSession("w2", "h1", (DropPartition(E, "d=1"),)))
    assert by_deviations(race(*two, tables=tables, statements=True, drains=True), 2).failures == {}


def test_a_race_that_leaves_no_table_converges():
    """There is nothing to serve, and nothing is served: that is no reason for unknown."""
    w1 = HiveSession("w1", "h1", (Get(E), Drop(E)))
    for run in walks(race(w1, tables=(HiveTable(E, "e0", managed=False),), drains=True), 5):
        assert judge(run.events, KEPT) == (None, False)
