"""What the search finds in the rules of the shipped metastore cache happens on two live metastores, and in that order.

Each case is a fact about a live run. It must hold under the schedule that the simulator found, and must not hold under
another order of the same steps: so each of these tests fails if the gates are ignored.
"""

import pytest

from model.hive import SHIPPED
from model.hive.rules import SHIPPED_CAS_NO_REPLAY
from sim.hive.build import EVENTUAL, EXTERNAL, RO, E, Sessions, T, U
from sim.hive.scenarios import metastore
from sim.hive.workload import Alter, Begin, Commit, Create, Drop, Get, HiveTable, ListPartitions, PutPartition, Rename
from tests.live.hive.agreement import both, found, played, scenario_of

pytestmark = pytest.mark.live
W = "default.w"
BATCH = "h2.poll h2.apply"


def polls(events):
    """h2 sees so many events, one by one: under the rule in the client."""
    return " ".join(["h2.poll"] * events)


def stale_read(run):
    """r1's list has w1's change, and h2's cache answers with the table before it."""
    read = next(event for event in run.events if event.process == "r1" and event.reads)
    assert "writes=default.t:1:" in read.arg
    return run.values("r1") == ("v0",) and "source=cache" in read.arg


def backwards(run):
    """r1 sees the change at h1, and then, at h2, the table before it."""
    return run.values("r1") == ("v1", "v0")


def own_write_missed(run):
    """w1 does not find at h2 what it has written at h1 and committed."""
    return run.values("w1") == ("v0",)


def wrong_table(run):
    """r1 asks for the new table by name and id, and h2 serves the one that was dropped."""
    read = [event for event in run.events if event.process == "r1" and event.reads][-1]
    assert " id=2 " in read.arg
    return "seen=1" in read.arg and run.values("r1")[-1] == "v0"


def written_back(run):
    """h2 has replayed an alter into the database, which has the older value now; nobody asked for that."""
    return run.content["table:1"] == "e1" and dict(run.replay_writes)["h2"] == 1


def reverted(run):
    """Every alter after the first was acknowledged, and the database has the first."""
    return run.content["table:1"] == "e1" and run.errors("w1") == ()


def taken(run):
    """The new table has the content of the renamed one; no name is asked for."""
    return run.content.get("table:2") == "e0"


def frozen(run):
    """h2 cannot apply what it has read."""
    return "h2.apply=stuck" in run.trace


def unanswered(run):
    """h2 has made the change and answers nobody: its replay of the drop waits for the new table's partitions to go."""
    return run.errors("w1") == ("NoAnswer",) and run.content["table:2"] == "u1"


def dead_content(run):
    """The new table has the content that the dropped one had last."""
    return run.content["table:2"] == "e1"


def partition_hidden(run):
    """h2 says that the table has no partitions, though its list has the one that was added."""
    listed = next(event for event in run.events if event.f == "list-partitions" and event.type == "ok")
    return [read.value for read in listed.reads] == ["v0", None]


def hidden(run):
    """h1 served the table's list from its cache, without the partition that it has had all along."""
    listed = next(event for event in run.events if event.f == "list-partitions" and event.type == "ok")
    return "source=cache" in listed.arg and [read.value for read in listed.reads] == ["e0", None]


def old_name_listed(run):
    """w1 has taken the name from its partition, and h2 lists it there."""
    lists = [event for event in run.events if event.f == "list-partitions" and event.reads]
    return "source=cache" in lists[-1].arg and [read.value for read in lists[-1].reads] == ["v0", "p0", None]


CASES = {
    "shipped-stale-read": (stale_read, f"w1:end {BATCH} r1:end"),
    "shipped-failover": (backwards, f"w1:end {BATCH} r1:end"),
    "shipped-own-write": (own_write_missed, f"w1:get_table {BATCH} w1:end"),
    "shipped-wrong-table": (wrong_table, f"w1:end {BATCH} r1:end"),
    "shipped-replay-writes-back": (written_back, f"w1:end {BATCH} r1:end"),
    "shipped-miss-hides-partitions": (partition_hidden, f"w1:end {BATCH} r1:end"),
    "shipped-batch-reverts": (reverted, f"w1:rename_table {BATCH} w1:end"),
    "shipped-rename-takes-another": (taken, f"w1:rename_table {BATCH} w1:end"),
    "shipped-drop-freezes": (frozen, f"w1:drop_table {BATCH} w1:end h2:end"),
    "shipped-drop-hangs": (unanswered, f"w1.drop_table {BATCH} w1:end"),
    "shipped-partition-rename": (old_name_listed, f"w1:get_partitions {BATCH} w1:end"),
    "evicted-partitions": (hidden, "r1:end m1:end"),
    "shipped-dead-content": (dead_content, f"w1:drop_table {BATCH} w1:end h2:end"),
}


@pytest.mark.parametrize("name", CASES)
def test_violation_that_the_search_finds_is_real_and_a_matter_of_order(hive, name):
    """Found, shrunk, played live, compared step by step and in its verdict; then in the other order."""
    fact, kept = CASES[name]
    scenario = scenario_of(name)
    assert fact(both(hive, scenario, *found(name)))
    run = both(hive, scenario, *played(scenario, kept))
    assert not fact(run)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("read-after-commit", "w1:end r1:end"),
        ("read-after-commit", f"w1:end {polls(3)} r1:end"),
        ("own-writes", "w1:end"),
        ("two-replicas-one-transaction", "w1:end r1:end"),
    ],
)
def test_reading_rule_on_the_clients_side_keeps_the_guarantee(hive, name, text):
    """The orders in which shipped caches go wrong: the client refuses their answers, and asks the database."""
    scenario = scenario_of(name)
    run = both(hive, scenario, *played(scenario, text))
    read = next(event for event in run.events if event.process == scenario.program.workload.actors[-1] and event.reads)
    assert "source=database" in read.arg
    assert read.reads[0].value == ("v1" if name != "two-replicas-one-transaction" else "v0")


def test_reading_rule_takes_the_caches_answer_as_soon_as_it_may(hive):
    """After the event of the commit, and not before it."""
    scenario = scenario_of("read-after-commit")
    sources = []
    for count in (3, 4):
        run = both(hive, scenario, *played(scenario, f"w1:end {polls(count)} r1:end"))
        read = next(event for event in run.events if event.process == "r1" and event.reads)
        sources.append("cache" if "source=cache" in read.arg else "database")
        assert run.values("r1") == ("v1", "v1")
    assert sources == ["database", "cache"]


def test_upstreams_comparison_on_the_clients_side_loses_the_clients_own_write(hive):
    """Vector 25 on live metastores: the tag is called newer, and lacks what the client has just written."""
    scenario = scenario_of("design-own-write")
    schedule, run = found("design-own-write")
    assert both(hive, scenario, schedule, run).values("w2") == ("v1",)
    sessions = {session.actor: (session.home, session.statements) for session in scenario.program.workload.sessions}
    reference = metastore("by-inclusion", "", sessions, properties=scenario.properties, steps=scenario.yield_points)
    steps = " ".join(map(str, schedule.steps))
    assert both(hive, reference, *played(reference, steps)).values("w2") == ("v2",)


def test_client_without_lists_is_told_so_by_the_rule(hive):
    """A managed table and no list: an error, and not an old answer."""
    scenario = scenario_of("old-client")
    assert both(hive, scenario, *played(scenario, "w1:end r1:end")).errors("r1") == ("NullList",)


def test_read_that_falls_through_is_ahead_of_the_next_replicas_cache(hive):
    """By design: monotonic reads do not hold across replicas, even with the rule."""
    scenario = scenario_of("failover-by-design")
    assert both(hive, scenario, *found("failover-by-design")).values("r1") == ("v1", "v0")


@pytest.mark.parametrize(
    ("name", "reader", "values"),
    [
        ("one-replica-own-abort", "w1", ("v1", "v0")),
        ("one-replica-two-writers", "r1", ("v2", "v1")),
        ("one-replica-lost-commit", "w1", ("v1", "v0")),
    ],
)
def test_reads_of_one_replica_go_back_from_the_database_to_the_cache(hive, name, reader, values):
    """The rule lets the cache answer, which has caught up and is behind what the database has shown."""
    run = both(hive, scenario_of(name), *found(name))
    assert run.values(reader) == values
    sources = [event.arg for event in run.events if event.process == reader and event.reads]
    assert ["source=cache" in arg for arg in sources] == [False, True]


def test_reads_after_ones_own_abort_do_not_go_back(hive):
    """The cache alone, and the database once it knows of the change."""
    scenario = scenario_of("read-after-own-abort")
    for text, values in (("w1:end", ("v0", "v0")), (f"w1:get_table {polls(3)} w1:end", ("v1", "v1"))):
        assert both(hive, scenario, *played(scenario, text)).values("w1") == values


def test_conflict_is_not_looked_for_where_writes_are_exclusive_by_their_locks(hive):
    """The commit's default: both updates of one table are acknowledged."""
    run = both(hive, scenario_of("write-conflict-unchecked"), *found("write-conflict-unchecked"))
    assert (run.errors("w1"), run.errors("w2")) == ((), ())


def test_list_that_misses_is_not_kept(hive):
    """Two lists in a row find the partition, in the database."""
    sessions = {
        "w1": ("h1", (Begin(), Create(T, "v0"), PutPartition(T, "d=1", "p1"), Commit())),
        "r1": ("h2", (RO, ListPartitions(T), ListPartitions(T))),
    }
    scenario = metastore("two-lists", "", sessions, rules=SHIPPED, tables=())
    run = both(hive, scenario, *played(scenario, "w1:end r1:end"))
    lists = [event for event in run.events if event.f == "list-partitions" and event.type == "ok"]
    assert [[read.value for read in event.reads] for event in lists] == [["v0", "p1"], ["v0", "p1"]]
    assert all("source=database" in event.arg for event in lists)


def test_create_is_refused_for_a_table_that_only_the_cache_has(hive):
    """Dropped at h1; h2 says that it exists, until it has polled."""
    sessions: Sessions = {"w1": ("h1", (Drop(E),)), "w2": ("h2", (Create(E, "n0", managed=False),))}
    scenario = metastore("create-anew", "", sessions, rules=SHIPPED, tables=EXTERNAL, properties=EVENTUAL)
    assert both(hive, scenario, *played(scenario, "w1:end w2:end")).errors("w2") == ("TableExists",)
    assert both(hive, scenario, *played(scenario, f"w1:end {BATCH} w2:end")).errors("w2") == ()


def test_the_old_name_of_a_renamed_table_answers_with_what_was(hive):
    """R3, in event mode: the event names the new name, which is not cached; the old one is left as it was, for ever."""
    sessions: Sessions = {"w1": ("h1", (Rename(E, U), Alter(U, "u1"))), "r1": ("h2", (Get(E), Get(U)))}
    scenario = metastore("old-name", "", sessions, rules=SHIPPED_CAS_NO_REPLAY, tables=EXTERNAL, properties=EVENTUAL)
    assert both(hive, scenario, *played(scenario, f"w1:end {BATCH} r1:end")).values("r1") == ("e0", "u1")


def test_the_old_name_of_a_renamed_table_stays_taken(hive):
    """R3, in event mode: u becomes w, and e cannot become u at either metastore, though the database has no u."""
    sessions = {"w1": ("h1", (Rename(U, W), Rename(E, U))), "w2": ("h2", (Rename(E, U),))}
    tables = (*EXTERNAL, HiveTable(U, "u0", managed=False))
    scenario = metastore("swap", "", sessions, rules=SHIPPED_CAS_NO_REPLAY, tables=tables, properties=EVENTUAL)
    run = both(hive, scenario, *played(scenario, f"w1:end {BATCH} w2:end"))
    assert (run.errors("w1"), run.errors("w2")) == (("TableExists",), ("TableExists",))


def test_conflict_is_refused_and_no_event_says_so(hive):
    """R7: the second committer is aborted; whoever follows the log waits for its end for ever."""
    scenario = scenario_of("reference-without-conflict-event")
    run = both(hive, scenario, *found("reference-without-conflict-event"))
    losers = [actor for actor in ("w1", "w2") if run.errors(actor) == ("TxnAborted",)]
    assert len(losers) == 1
    other = both(hive, scenario, *played(scenario, "w1:end w2:end h2:end"))
    assert other.errors(losers[0]) == ()


def test_the_drop_of_a_partition_is_served_before_its_transaction_commits(hive):
    """The shipped event has no write id: the reference's cache does not know whose change it is."""
    scenario = scenario_of("reference-without-drop-write-id")
    run = both(hive, scenario, *found("reference-without-drop-write-id"))
    listed = next(event for event in run.events if event.f == "list-partitions" and event.type == "ok")
    assert [read.value for read in listed.reads] == ["v0", None]
    other = both(hive, scenario, *played(scenario, "r1:end w1:end h2:end"))
    listed = next(event for event in other.events if event.f == "list-partitions" and event.type == "ok")
    assert [read.value for read in listed.reads] == ["v0", "p0"]


def test_rename_freezes_the_caches_for_good(hive):
    """R2 and R3: the replay of a rename fails again and again; the old name still answers. Restarting heals it."""
    scenario = scenario_of("shipped-rename-freezes")
    run = both(hive, scenario, *found("shipped-rename-freezes"))
    assert "h2.apply=stuck" in run.trace
    assert run.content["table:1"] == "e1"
    phantoms = [
        event.arg for event in run.events if event.f == "cached" and event.type == "ok" and " id=0 " in event.arg
    ]
    assert phantoms == ["at=h2 table=default.e id=0 source=cache seen=1"]
    healed = scenario_of("external")
    assert both(hive, healed, *played(healed, "w1:end h2:end r1:end")).values("r1") == ("e2", "e2")


def test_rename_freezes_the_only_metastore(hive):
    """R2 with nobody else there: its own replay fails, and its session does not find what it has written since."""
    scenario = scenario_of("shipped-rename-freezes-writer")
    run = both(hive, scenario, *found("shipped-rename-freezes-writer"))
    assert run.values("w1") == ("u0",)
    assert run.content["table:2"] == "u1"
