"""What CachedStore 4.0 does where it was once modelled otherwise: batches, replayed renames, misses, creates, names."""

from contextlib import suppress
from dataclasses import replace

import pytest

from model.hive import SHIPPED, Request
from model.hive.coverage import DROP_OF_REMADE
from model.hive.errors import NoAnswer, TableExists
from model.hive.rows import TBLS, Event
from model.hive.rules import SHIPPED_HANGING, SHIPPED_REFRESH
from model.hive.tables import create
from tests.unit.hive.lab import E, Lab, T

U, W, X = "default.u", "default.w", "default.x"


def rows(lab: Lab) -> dict[str, tuple[int, str]]:
    """The database's tables by name: id and content."""
    found = lab.sql(lambda tx: tx.scan("TBLS"))
    return {name: (table.id, dict(table.parameters)["v"]) for name, table in found}


def test_a_batch_of_which_one_event_fails_is_replayed_from_its_start_for_ever():
    """Every poll, and every write through that replica, sets the database back to the batch's first alter."""
    lab = Lab(SHIPPED)
    writer = lab.session()
    writer.alter_table(E, (("v", "e1"),))
    writer.rename_table(T, X)
    seen = []
    for number in (2, 3, 4):
        writer.alter_table(E, (("v", f"e{number}"),))
        lab.catch_up()
        seen.append(rows(lab)[E][1])
    assert seen == ["e1", "e1", "e1"]


def test_a_replayed_rename_renames_whatever_has_the_name_now():
    """The replay sets the row's name: the table that was made under the old name answers to the other one."""
    lab = Lab(SHIPPED)
    writer = lab.session()
    writer.rename_table(E, U)
    lab.sql(lambda tx: create(tx, E, (("v", "n0"),), False))
    writer.rename_table(U, W)
    lab.catch_up()
    found = rows(lab)
    assert {name: found[name] for name in found if name != T} == {W: (2, "e0"), U: (3, "e0")}


def test_a_replayed_rename_onto_a_name_that_is_taken_fails():
    """The database allows one table of a name; the batch is tried again."""
    lab = Lab(SHIPPED)
    writer = lab.session()
    writer.rename_table(E, U)
    lab.sql(lambda tx: create(tx, E, (("v", "n0"),), False))
    lab.catch_up()
    assert (rows(lab)[E], rows(lab)[U]) == ((3, "n0"), (2, "e0"))
    assert lab.kernel.coverage["hive: poller retries the same event"] > 0


def test_a_list_that_misses_is_not_kept():
    """Only the read of a table fills the cache; and then, without partitions (R6)."""
    lab = Lab(SHIPPED)
    lab.sql(lambda tx: create(tx, X, (("v", "x0"),), False))
    lab.session("h1").put_partition(X, "d=1", "p1")
    replica = lab.replica()
    for _ in range(2):
        assert replica.get_partitions(Request(X)).partitions == (("d=1", "p1"),)
    replica.get_table(Request(X))
    assert replica.get_partitions(Request(X)).partitions == ()


def test_a_create_is_refused_for_a_table_that_only_the_cache_has():
    """Dropped at h1; h2 has not heard of it."""
    lab = Lab(SHIPPED)
    lab.session("h1").drop_table(E)
    with pytest.raises(TableExists, match=r"create of default\.e: expected no table, the cache has one"):
        lab.session("h2").create_table(E, (("v", "n0"),), False)
    lab.catch_up()
    lab.session("h2").create_table(E, (("v", "n0"),), False)
    assert rows(lab)[E] == (3, "n0")


def test_a_rename_is_refused_for_a_name_that_only_the_cache_has():
    """Also dropped at h1: whoever renames at h2 is told that there is a table of the new name."""
    lab = Lab(SHIPPED)
    lab.session("h1").drop_table(E)
    with pytest.raises(TableExists, match=r"rename of default\.t to default\.e: .* the cache has one"):
        lab.session("h2").rename_table(T, E)
    lab.catch_up()
    lab.session("h2").rename_table(T, E)
    assert rows(lab) == {E: (1, "t0")}


@pytest.mark.parametrize(
    "change",
    [
        lambda session: session.create_table(X, (("v", "n0"),), False),
        lambda session: session.rename_table(E, X),
        lambda session: session.rename_table(X, E),
        lambda session: session.alter_table(X, (("v", "x1"),)),
        lambda session: session.put_partition(X, "d=1", "p2"),
    ],
    ids=["create", "rename to it", "rename", "alter", "alter of a partition"],
)
def test_a_table_that_a_change_found_missing_in_the_cache_is_kept(change):
    """Without its partitions, as by a read (R6): the handler looks for it before it begins; here the log is stuck."""
    lab = Lab(replace(SHIPPED, pulls_after_write=False))
    lab.sql(lambda tx: create(tx, X, (("v", "x0"),), False))
    lab.session("h1").put_partition(X, "d=1", "p1")
    with suppress(TableExists):
        change(lab.session("h2"))
    answer = lab.replica().get_partitions(Request(X))
    assert (answer.source, answer.table.parameters, answer.partitions) == ("cache", (("v", "x0"),), ())


def test_a_partition_is_added_past_the_cache():
    """So is a table dropped, and a partition: they look in the database alone."""
    lab = Lab(replace(SHIPPED, pulls_after_write=False))
    lab.sql(lambda tx: create(tx, X, (("v", "x0"),), False))
    session = lab.session("h2")
    session.put_partition(X, "d=1", "p1")
    session.drop_partition(X, "d=1")
    session.drop_table(X)
    assert X not in lab.replica().cache.entries


def test_the_rename_of_a_table_that_is_not_cached_is_passed_over():
    """Nothing is read in its place."""
    lab = Lab(SHIPPED)
    cache = lab.replica().cache
    lab.session("h1").rename_table(E, U)
    del cache.entries[E]
    assert cache.apply([event for _, event in lab.sql(lambda tx: tx.scan("NOTIFICATION_LOG"))][-1])
    assert list(cache.entries) == [T]


@pytest.mark.parametrize(("partition", "hangs"), [(True, 1), (False, 0)])
def test_where_a_replica_would_hang_is_counted(partition, hangs):
    """R5: the drop is followed when the table has been made anew, and has partitions."""
    lab = Lab(SHIPPED)
    writer = lab.session()
    writer.drop_table(E)
    writer.create_table(E, (("v", "n0"),), False)
    if partition:
        writer.put_partition(E, "d=1", "p0")
    lab.catch_up()
    assert lab.kernel.coverage.get(DROP_OF_REMADE, 0) == hangs


@pytest.mark.parametrize("reads", [True, False])
def test_a_replica_whose_replay_of_a_drop_waits_answers_no_change(reads):
    """R5: whoever follows the log first, its update thread or the pull after a write, holds it for ever."""
    lab = Lab(SHIPPED_HANGING)
    writer, other = lab.session(), lab.session("h2")
    writer.drop_table(E)
    writer.create_table(E, (("v", "n0"),), False)
    writer.put_partition(E, "d=1", "p0")
    replica = lab.replica("h2")
    position = replica.poller.position
    if reads:
        assert replica.poller.poll() == 0
    for value in ("u1", "u2"):
        with pytest.raises(NoAnswer):
            other.alter_table(E, (("v", value),))
    assert lab.sql(lambda tx: tx.get(TBLS, E)).parameters == (("v", "u2"),)
    assert replica.poller.position == position
    assert replica.poller.waits_beyond > 1000


def renamed(lab: Lab) -> Event:
    """The event of e's rename to u at h1."""
    lab.session("h1").rename_table(E, U)
    events: list[Event] = [event for _, event in lab.sql(lambda tx: tx.scan("NOTIFICATION_LOG"))]
    return events[-1]


def test_a_renamed_entry_is_one_under_both_names():
    """R3, in the default mode, for a rename of the replica's own: what changes under the new name changes under the
    old one."""
    lab = Lab(SHIPPED_REFRESH)
    cache = lab.replica().cache
    before = cache.entries[E].table
    cache.apply_own(renamed(lab))
    assert cache.entries[E] is cache.entries[U]
    assert cache.entries[E].table == before._replace(name=U)


def test_the_event_of_a_rename_finds_no_entry_and_the_old_name_stays():
    """R3, in event mode: the event names the new one."""
    lab = Lab(SHIPPED)
    cache = lab.replica().cache
    before = cache.entries[E].state_key()
    cache.apply(renamed(lab))
    assert cache.entries[E].state_key() == before
    assert U not in cache.entries


def test_the_event_of_a_rename_changes_what_is_cached_under_the_new_name():
    """A dead table's entry takes the renamed one's content, and keeps its own partitions."""
    lab = Lab(SHIPPED, start=False)
    writer = lab.session("h1")
    writer.create_table(U, (("v", "u0"),), managed=False)
    writer.put_partition(U, "d=1", "p0")
    lab.replica().start()
    cache = lab.replica().cache
    dead, e = cache.entries[U], cache.entries[E].table
    writer.drop_table(U)
    cache.apply(renamed(lab))
    assert cache.entries[U] is dead
    assert (dead.table, dead.partitions) == (e._replace(name=U), {"d=1": "p0"})
