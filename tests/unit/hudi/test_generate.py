"""Generated Hudi races: everything that can be drawn is drawn, and only what fits is."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from model.hudi.keys import (
    EARLY,
    EARLY_STRATEGY,
    FILE_SYSTEM,
    KEEP_MAX,
    KEEP_MIN,
    LAZY,
    LOCK_PROVIDER,
    METASTORE,
    MODE,
    NON_BLOCKING,
    REJECT_UPDATES,
    SINGLE_WRITER,
    UPDATES,
)
from model.hudi.keys import TRANSACTIONAL_DIRECT as TRANSACTIONAL
from sim.generation.draws import PinError, replayed, seeded
from sim.generation.generator import promised
from sim.generation.sweep import Plan, sweep
from sim.hudi.bounds import name_of
from sim.hudi.build import EXPIRE
from sim.hudi.draw.archiving import ARCHIVING
from sim.hudi.draw.cleaning import CLEANING
from sim.hudi.draw.clustering import CLUSTERING
from sim.hudi.draw.clustering_faults import STRUCK
from sim.hudi.draw.consumers import READING
from sim.hudi.draw.executors import EXECUTORS
from sim.hudi.draw.hours import PASS
from sim.hudi.draw.merging import MERGING
from sim.hudi.draw.metadata import LISTS
from sim.hudi.draw.non_blocking import BLOCKED
from sim.hudi.draw.partitions import PARTITIONS
from sim.hudi.draw.replacing import REPLACING
from sim.hudi.draw.replacing_logs import REPLACING_LOGS
from sim.hudi.draw.restores import RESTORES, TRIES
from sim.hudi.draw.told import USUAL
from sim.hudi.generate import ENDINGS, GENERATOR, GROUP_NAMES, STORAGES
from sim.hudi.promises import APART, CLOCKS, FAULTS, STORAGE
from sim.hudi.settings import METASTORE_LOCKS, OF_METASTORE_LOCKS
from sim.hudi.statements import Archive, Insert, Restore, Savepoint, Upsert
from tests.unit.hudi.drawn_last import before_last, without

SEEDS = 400
LAST = (LISTS, REPLACING_LOGS, CLUSTERING, CLEANING, MERGING, ARCHIVING, RESTORES)
KEPT_AT_MOST, DEFAULT = ((KEEP_MAX, "2"), (KEEP_MAX, "3")), GENERATOR.configurations["default"]
CLOCKS_OF_HOSTS = ("clock-step", "clock-step-back", "clock-fast", "clock-slow")
HABITS = {"tries": 1, "tasks": 1, "attempts": 1, "work_ms": 0, "after_ms": 0, "between_ms": 0}


@pytest.fixture(scope="module")
def scenarios():
    """One scenario of each seed."""
    return [GENERATOR.make(seeded(seed)) for seed in range(SEEDS)]


def test_every_value_of_every_option_is_drawn(scenarios):
    """Those that are set are what clients are given, but what is so by default, or drawn where it is asked for."""
    drawn = Counter(pair for scenario in scenarios for pair in scenario.program.workload.options)
    wanted = {(option.key, value) for option in GENERATOR.options for value in option.values if value != "unset"}
    asked = [pair for pair in wanted if pair[0] in (*READING, *USUAL) and pair[1] not in (LAZY, "1")]
    assert wanted - set(drawn) == {(UPDATES, REJECT_UPDATES), *asked}


def test_every_statement_habit_and_history_is_drawn(scenarios):
    """Upserts have each of their habits; tables have each kind of a past; storages, hosts, clocks and names differ."""
    work = [scenario.program.workload for scenario in scenarios]
    statements = [one for each in work for _, todo in each.writers for one in todo]
    kinds = {type(one).__name__.lower() for one in statements}
    assert kinds == set(GENERATOR.statements) - {"readnews", "readfirst", "readasof"}
    upserts = [one for one in statements if isinstance(one, Upsert)]
    for habit, usual in HABITS.items():
        assert {getattr(one, habit) != usual for one in upserts} == {True, False}, habit
    pasts = [past for each in work for past in each.history]
    assert {past.ending for past in pasts} == {*ENDINGS, "cut"}
    assert {past.recent for past in pasts} == {True, False}
    assert {each.storage for each in work} == set(STORAGES)
    assert {each.one_process for each in work} == {True, False}
    assert {offset for each in work for _, offset in each.clock_offsets_ms} == {100, 1_000}
    assert {len(each.writers) for each in work} == {2, 3, 4, 5, 6}
    assert {tuple(name for name, _ in each.groups) for each in work} >= set(GROUP_NAMES)


def test_file_groups_are_in_partitions_of_much_the_same_names(scenarios):
    """Mostly in none of their own; else each in its own, or two of three in one."""
    drawn = [each.program.workload.partitions for each in scenarios]
    assert set(drawn) >= {names for names in PARTITIONS if names}
    assert any(len(set(names)) < len(names) for names in drawn)
    assert drawn.count(()) > len(drawn) / 2


def test_partitions_are_drawn_when_all_else_has_been():
    """But for a metastore's lock in place of ZooKeeper's: without the one, or the other, a seed gives the same race."""
    own, changed = ("partitions", "two in one partition"), 0
    scenarios: Any = [GENERATOR.make(before_last(seeded(seed), REPLACING, *LAST)) for seed in range(60)]
    for seed, scenario in enumerate(scenarios):
        usual: Any = GENERATOR.make(before_last(seeded(seed), METASTORE_LOCKS, REPLACING, *LAST))
        alone: Any = GENERATOR.make(before_last(seeded(seed), METASTORE_LOCKS, REPLACING, *LAST, *own))
        assert alone.program.workload == replace(usual.program.workload, partitions=())
        mine, theirs = dict(scenario.program.workload.options), dict(usual.program.workload.options)
        changed += mine.get(LOCK_PROVIDER) == METASTORE
        rest = {key: value for key, value in mine.items() if key not in OF_METASTORE_LOCKS}
        assert rest | {LOCK_PROVIDER: ""} == theirs | {LOCK_PROVIDER: ""}
    assert 0 < changed < 10


def test_overwrites_and_deletions_are_drawn_when_all_but_services_has_been():
    """Without them a seed gives the same race, but for the writes that they took the place of."""
    changed = 0
    for seed in range(SEEDS):
        scenario: Any = GENERATOR.make(before_last(seeded(seed), *LAST))
        usual: Any = GENERATOR.make(before_last(seeded(seed), REPLACING, *LAST))
        mine, theirs = scenario.program.workload, usual.program.workload
        assert replace(mine, writers=theirs.writers) == theirs
        pairs = [
            (one, other)
            for (_, todo), (_, others) in zip(mine.writers, theirs.writers, strict=True)
            for one, other in zip(todo, others, strict=True)
        ]
        assert all(one == other or isinstance(other, Upsert | Insert) for one, other in pairs)
        changed += mine != theirs
    assert 0 < changed < SEEDS / 8


def test_services_and_the_table_type_are_drawn_last():
    """Without them a seed gives the same race, but for who clusters, cleans or compacts, and for faults."""
    changed = 0
    for seed in range(SEEDS):
        scenario: Any = GENERATOR.make(before_last(seeded(seed), BLOCKED, ARCHIVING, RESTORES, LISTS, REPLACING_LOGS))
        usual: Any = GENERATOR.make(before_last(seeded(seed), *LAST))
        mine, theirs = scenario.program.workload, usual.program.workload
        assert mine.writers[: len(theirs.writers)] == theirs.writers
        assert replace(mine, writers=theirs.writers, options=theirs.options) == theirs
        changed += mine != theirs
    assert 0 < changed < SEEDS / 4


def test_restores_are_drawn_last():
    """Without them a seed gives the same race, but for who restores, or one more who does."""
    changed = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(before_last(seeded(seed), LISTS)).program.workload  # type: ignore[attr-defined]
        theirs: Any = GENERATOR.make(before_last(seeded(seed), RESTORES, LISTS)).program.workload  # type: ignore[attr-defined]
        changed += mine != theirs
        assert mine.has(Restore) == (mine != theirs)
        assert replace(mine, writers=theirs.writers) == theirs
        for (_, todo), (_, others) in zip(mine.writers, theirs.writers, strict=False):
            assert todo in (others, (Savepoint(), *others, Restore(TRIES)))
    assert SEEDS / 100 < changed < SEEDS / 10


def test_archiving_is_drawn_when_all_but_restores_has_been():
    """Without it a seed gives the same race, but for who archives, and how many commits are kept."""
    changed = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(before_last(seeded(seed), RESTORES, PASS, LISTS)).program.workload  # type: ignore[attr-defined]
        alone = before_last(seeded(seed), ARCHIVING, RESTORES, PASS, LISTS)
        theirs: Any = GENERATOR.make(alone).program.workload  # type: ignore[attr-defined]
        changed += mine != theirs
        assert mine.has(Archive) == (mine != theirs)
        todo = [tuple([one for one in each if not isinstance(one, Archive)]) for _, each in mine.writers]
        assert [each for each in todo if each] == [each for _, each in theirs.writers]
        assert set(mine.options) - set(theirs.options) <= {(KEEP_MIN, "1"), (KEEP_MIN, "2"), *KEPT_AT_MOST}
        assert replace(mine, writers=theirs.writers, options=theirs.options) == theirs
    assert SEEDS / 20 < changed < SEEDS / 5


def test_non_blocking_writers_are_drawn_when_all_else_has_been():
    """Without them a seed gives the same actors, but for who inserts; their table has one file group, with all rows."""
    changed = 0
    for seed in range(SEEDS):
        scenario: Any = GENERATOR.make(before_last(seeded(seed), ARCHIVING, LISTS))
        usual: Any = GENERATOR.make(before_last(seeded(seed), ARCHIVING, BLOCKED, LISTS))
        mine, theirs = scenario.program.workload, usual.program.workload
        changed += mine != theirs
        if mine != theirs:
            assert dict(mine.options)[MODE] == NON_BLOCKING
            assert [len(todo) for _, todo in mine.writers] == [len(todo) for _, todo in theirs.writers]
            assert (len(mine.groups), mine.has(Insert)) == (1, False)
            assert [key for key, _ in mine.rows] == [key for key, _ in theirs.rows]
    assert 0 < changed < SEEDS / 10
    settings = GENERATOR.configurations["non-blocking"]
    made: Any = [GENERATOR.make(seeded(seed), settings) for seed in range(9)]
    assert {bool(scenario.program.workload.elsewhere) for scenario in made} == {True, False}


def test_every_fault_strikes():
    """Within a few hundred schedules."""
    struck: Counter[str] = Counter()
    for seed in range(120):
        if set(GENERATOR.faults) <= set(struck):
            break
        name = ("default", "zookeeper", "abfs")[seed % 3]  # one process has one clock, and files are torn on abfs alone
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[name])
        for name, count in sweep(scenario, Plan(12, 12)).coverage.items():
            if name.startswith("fault ") and count:
                struck[name.removeprefix("fault ")] += count
    assert set(struck) == set(GENERATOR.faults)


def test_clocks_are_wrong_on_hosts_of_their_own_and_files_torn_where_nothing_is_renamed_into_its_place():
    """Clocks that drift get too far apart for every promise that hangs on them."""
    drawn = {
        name: [GENERATOR.make(seeded(seed), GENERATOR.configurations[name]) for seed in range(120)]
        for name in ("default", "hdfs", "abfs")
    }
    kinds = {name: {kind for one in made for kind in one.faults.names} for name, made in drawn.items()}
    assert kinds["abfs"] - kinds["hdfs"] == {"torn", "torn-crash"}
    assert kinds["abfs"] - kinds["default"] == {"torn", "torn-crash", *CLOCKS_OF_HOSTS}
    drifting = [one for one in drawn["hdfs"] if one.faults.may("clock-slow")]
    assert {one.faults.clock_drift_percent for one in drifting} == {1, 10, 50}
    several = [one for one in drifting if dict(one.parameters)["hosts"] == "one each" and one.faults.limit]
    assert any("no-lost-update" not in one.properties for one in several)


def test_every_rules_variant_is_made():
    """Each by its name, and a scenario says which it is."""
    for name, rules in GENERATOR.variants.items():
        scenario = GENERATOR.make(seeded(3), rules=name)
        assert dict(scenario.parameters)["rules"] == name == name_of(rules)


def test_nothing_drawn_is_one_upsert_each():
    """The simplest scenario has two writers of one row, no history and no faults."""
    scenario = GENERATOR.make(replayed(""))
    work = scenario.program.workload  # type: ignore[attr-defined]  # as all Hudi races
    assert [len(todo) for _, todo in work.writers] == [1, 1]
    assert (len(work.groups), work.history, scenario.faults.limit) == (1, (), 0)


def test_settings_that_cannot_be_together_are_refused_with_the_reason():
    """As the configuration says it."""
    settings = {**DEFAULT, EARLY: "true", EARLY_STRATEGY: TRANSACTIONAL}
    with pytest.raises(PinError, match="Zookeeper"):
        GENERATOR.make(seeded(0), settings)


def _asked(name, **world):
    return promised(GENERATOR.promises, {**GENERATOR.configurations[name], **world})


def test_without_control_nothing_is_promised_of_two_writers():
    """But that the table can be read; one writer alone is promised the rest."""
    assert _asked("single-writer") == ("readable",)
    assert "acknowledged-writes-survive" in _asked("single-writer", writers="1")
    assert dict(GENERATOR.configurations["single-writer"])[MODE] == SINGLE_WRITER


def test_faults_and_worlds_take_promises_away():
    """No clean table after a fault, no exclusion by a file that is made twice or expires, no order of wrong clocks."""
    assert "clean-at-quiescence" in _asked("default")
    assert "clean-at-quiescence" not in _asked("default", **{FAULTS: "crash"})
    assert "no-lost-update" in _asked("default", **{FAULTS: "crash"})
    assert "no-lost-update" in _asked("zookeeper", **{STORAGE: "overwrite"})
    assert "no-lost-update" not in _asked("file-lock", **{STORAGE: "overwrite"})
    assert "no-lost-update" not in _asked("zookeeper", **{CLOCKS: "too far apart"})
    expiring = GENERATOR.configurations["file-lock-expiring"]
    assert (expiring[LOCK_PROVIDER], expiring[EXPIRE]) == (FILE_SYSTEM, "1")
    assert "no-lost-update" not in _asked("file-lock-expiring", **{FAULTS: "pause"})
    assert "all-writes-commit" in _asked("default", **{APART: "yes"})


def test_who_polls_for_a_lock_file_may_give_up():
    """Its holder can be slow for longer than fifty looks five seconds apart; somebody finishes all the same."""
    assert "all-writes-commit" not in _asked("file-lock", **{APART: "yes"})
    assert "somebody-finishes" in _asked("file-lock", **{APART: "yes"})


def test_no_group_is_made_where_its_name_would_have_to_be_a_bucket():
    """Hudi reads a number off names under that strategy, and cannot of those that an insert makes."""
    for seed in range(60):
        workload: Any = GENERATOR.make(seeded(seed), GENERATOR.configurations["bucket"]).program
        workload = workload.workload
        known = {key for key, _ in workload.rows}
        for _, statements in workload.writers:
            assert not any(isinstance(statement, Insert) for statement in statements)
            upserts = [statement for statement in statements if isinstance(statement, Upsert)]
            assert {key for upsert in upserts for key, _ in upsert.rows} <= known


@pytest.mark.parametrize(
    ("configuration", "seed", "finding"),
    [("default", 1664, "hudi/cluster-older-instant"), ("prefer-writer", 2393, "hudi/cluster-delete")],
)
def test_clustering_beside_others_is_drawn_and_meets_what_is_known(configuration, seed, finding):
    """Where nothing fails; whoever clusters comes last."""
    scenario = GENERATOR.make(without(seeded(seed), EXECUTORS, STRUCK), GENERATOR.configurations[configuration])
    assert "Cluster" in scenario.summary
    assert not scenario.faults.limit
    failures = sweep(scenario, Plan(first=16, most=48)).failures
    assert {GENERATOR.known_of(run) for run in failures.values()} == {finding}
