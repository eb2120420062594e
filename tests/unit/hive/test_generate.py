"""Generated races on metastores: everything that can be drawn is drawn, and every promise is somebody's."""

import pytest

from lakeproof.protocols import known_properties
from sim.generation.draws import replayed, seeded
from sim.generation.generator import promised
from sim.hive.drawn_aggregates import ASKERS
from sim.hive.drawn_believed import BELIEVER
from sim.hive.drawn_constraints import KEYERS
from sim.hive.drawn_deletions import DELETER
from sim.hive.drawn_inserts import INSERTER
from sim.hive.drawn_inserts import READER as INSERTS_READER
from sim.hive.drawn_lock_sets import LOCKERS
from sim.hive.drawn_opens import OPENERS
from sim.hive.drawn_partition_renames import RENAMER
from sim.hive.drawn_renamed_locks import RENAMERS
from sim.hive.drawn_statistics import ANALYZERS
from sim.hive.drawn_truncates import TRUNCATER
from sim.hive.drawn_updates import ENDING, UPDATERS
from sim.hive.drawn_write_ids import LATER, READER, WRITERS
from sim.hive.drawn_write_ids import RENAMER as DATABASE_RENAMER
from sim.hive.evictions import Evict
from sim.hive.generate import GENERATOR, SHIPPED_BY_DOCUMENT
from sim.hive.lock_statements import TimeOut
from sim.hive.promises import (
    BY,
    CACHED_STORE,
    CLEANED_UP,
    DAEMON,
    DOCUMENT,
    LATE,
    LOCKS,
    NAMES,
    OBJECT_STORE,
    OPTIONS,
    PROMISES,
    REFRESHED,
    REPAIRED_DAEMON,
    REPLICAS,
    TABLES,
    TRUNCATED,
    UPDATES,
    WRITE_IDS,
)  # fmt: skip
from sim.hive.race import HiveRace
from sim.hive.restarts import Restart
from sim.hive.update_statements import CleanHistory
from sim.hive.workload import Abort, Begin, CleanLog, Commit, LogEvent, Statement

SEEDS = 400
LATE_ONES = (
    RENAMER,
    *UPDATERS,
    *ANALYZERS,
    *ENDING,
    *RENAMERS,
    *LOCKERS,
    BELIEVER,
    *WRITERS,
    LATER,
    DATABASE_RENAMER,
    READER,
    *ASKERS,
    *OPENERS,
    *KEYERS,
    TRUNCATER,
    INSERTER,
    INSERTS_READER,
    DELETER,
)
"""Sessions that are drawn after the clients."""
KINDS = {"Get": "get-table", "ListPartitions": "list-partitions"}
LONGEST = max(GENERATOR.variants, key=len)


def kind_of(statement: Statement) -> str:
    """Its kind, as the generator calls it: "put-partition" of a `PutPartition`."""
    name = type(statement).__name__
    words = "".join([f"-{letter.lower()}" if letter.isupper() else letter for letter in name])
    return KINDS.get(name, words[1:])


@pytest.fixture(scope="module")
def drawn():
    """The scenarios of many seeds, with their draws, under the longest name of rules."""
    return [GENERATOR.drawn(seeded(seed), rules=LONGEST) for seed in range(SEEDS)]


def test_every_statement_is_drawn(drawn):
    """And nothing that the generator does not name."""
    seen = {
        kind_of(statement)
        for scenario, _ in drawn
        for session in scenario.program.workload.everybody
        for statement in session.statements
        if not isinstance(statement, Begin)
    }
    assert seen == set(GENERATOR.statements)


def test_every_kind_of_fault_is_drawn(drawn):
    """One, two, and none in a run."""
    assert {kind for scenario, _ in drawn for kind in scenario.faults.names} == set(GENERATOR.faults)
    assert {scenario.faults.limit for scenario, _ in drawn} == {0, 1, 2}


def test_every_draw_takes_each_of_its_values(drawn):
    """Those of options, and all others; what hangs on others' draws (statements, names to list) has its own tests."""
    options: dict[str, set[int]] = {}
    taken: dict[str, set[int]] = {}
    for _, draws in drawn:
        for name, count, chosen in draws.drawn:
            if name in ("statement", "listed"):
                continue
            options.setdefault(name, set()).update(range(count))
            taken.setdefault(name, set()).add(chosen)
    assert {option.key for option in OPTIONS} <= set(options)
    assert {name: options[name] - taken[name] for name in options if options[name] != taken[name]} == {}


def test_start_states_of_every_kind_are_drawn(drawn):
    """Cold and lagging replicas, sessions before the race, partitions, several tables, clients without lists."""
    works = [scenario.program.workload for scenario, _ in drawn]
    for shape in ("cold", "lagging", "earlier"):
        assert {bool(getattr(work, shape)) for work in works} == {True, False}
    assert {len(work.tables) for work in works} == {1, 2}
    clients = [
        [
            each
            for each in work.sessions
            if not isinstance(each.statements[0], TimeOut | Evict | Restart | CleanHistory)
            and each.actor not in LATE_ONES
        ]
        for work in works
    ]
    assert {len(sessions) for sessions in clients} == {0, 2, 3, 4}  # none where a replica begins and history is cleaned
    assert any(len(sessions) < len(work.sessions) for sessions, work in zip(clients, works, strict=True))
    assert {len(work.replicas) for work in works} == {1, 2, 3}
    assert any(table.partitions for work in works for table in work.tables)
    assert any(not session.sends_lists for work in works for session in work.sessions)


def test_transactions_are_read_only_aborted_left_open_and_none_at_all(drawn):
    """Sessions have several of them."""
    sessions = [session.statements for scenario, _ in drawn for session in scenario.program.workload.sessions]
    assert any(isinstance(one, Begin) and one.read_only for session in sessions for one in session)
    assert any(sum(isinstance(one, Begin) for one in session) > 1 for session in sessions)
    assert any(not any(isinstance(one, Begin) for one in session) for session in sessions)
    assert any(not isinstance(session[-1], Commit | Abort | CleanLog | LogEvent) for session in sessions)


def test_the_simplest_scenario_is_small():
    """Two sessions that alter one table of two metastores; nothing fails."""
    scenario = GENERATOR.make(replayed(""))
    assert isinstance(scenario.program, HiveRace)
    work = scenario.program.workload
    assert [[kind_of(one) for one in session.statements] for session in work.sessions] == [
        ["begin", "alter", "commit"]
    ] * 2
    assert (work.earlier, work.cold, work.lagging, scenario.faults.limit) == ((), (), (), 0)


def test_there_is_a_configuration_beside_the_default_for_every_value():
    """Each value of each option is somewhere, and each configuration names every option."""
    assert len(GENERATOR.configurations) >= 11
    for option in OPTIONS:
        named = {settings[option.key] for settings in GENERATOR.configurations.values()}
        assert named <= set(option.values)
        assert option.values[0] in named


def test_every_promise_is_made_by_somebody():
    """Its property is known, and a configuration makes it."""
    assert {promise.property for promise in PROMISES} <= set(known_properties())
    settings = [
        dict(configuration)
        | {BY: by, NAMES: "no", LOCKS: "yes", LATE: "no", UPDATES: "yes"}
        | {CLEANED_UP: cleaned, WRITE_IDS: cleaned, TRUNCATED: cleaned}
        for cleaned in ("yes", "no")
        for configuration in GENERATOR.configurations.values()
        for by in (DOCUMENT, CACHED_STORE, REFRESHED, DAEMON, REPAIRED_DAEMON, OBJECT_STORE)
    ]
    assert all(any(promise.when(each) for each in settings) for promise in PROMISES)


def test_one_metastore_with_the_shipped_cache_promises_more_than_two():
    """It applies the log before it acknowledges; the document promises the same of any number."""
    default = dict(GENERATOR.configurations["default"]) | {NAMES: "no"}
    two, one = default | {BY: CACHED_STORE}, default | {BY: CACHED_STORE, REPLICAS.key: "1"}
    assert "freshness" not in promised(PROMISES, two)
    assert "freshness" in promised(PROMISES, one)
    assert "freshness" in promised(PROMISES, default | {BY: DOCUMENT})
    assert GENERATOR.variants[SHIPPED_BY_DOCUMENT].by == DOCUMENT


def test_external_tables_are_promised_no_freshness_by_sessions():
    """The document has no lists for them: read-your-writes is asked where every table is managed."""
    default = dict(GENERATOR.configurations["default"]) | {NAMES: "no", BY: DOCUMENT}
    assert "read-your-writes" in promised(PROMISES, default)
    assert "read-your-writes" not in promised(PROMISES, default | {TABLES.key: "both"})
