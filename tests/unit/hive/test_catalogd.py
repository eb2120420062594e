"""Impala's catalog daemon: what it loads, what events do to it, whom it answers; and Impala's own tests of that."""

import pytest

from model.hive import Request, ValidWriteIdList, short_list
from model.hive.catalog import Catalog
from model.hive.catalogd_rules import CatalogRules
from model.hive.impala_rules import IMPALA, IMPALA_SYNCED
from model.hive.rules import Rules
from sim.hive.impala import daemon
from tests.unit.hive.lab import E, Lab, T, value

U = "default.u"


@pytest.fixture
def lab() -> Lab:
    """Two daemons as Impala ships them; h1 makes the changes, h2 is asked."""
    return Lab(IMPALA)


def catalog_of(lab: Lab) -> Catalog:
    """The names that h2 knows."""
    daemon = lab.replica().catalogd
    assert daemon is not None
    return daemon.catalog


def tag_of(lab: Lab, name: str = T) -> str:
    """What h2 has loaded of a table: its list, as Impala writes it."""
    return str(lab.replica().cache.entries[name].tag)


def write(lab: Lab, *, aborts: bool) -> None:
    """A transaction writes rows of the table, and ends."""
    session = lab.session()
    session.begin((T,))
    session.write_id(T)
    lab.catch_up()
    if aborts:
        session.abort()
    else:
        session.commit()


# -- Impala's own tests, by their names ------------------------------------------------------------------------------


def test_alloc_write_id_event_for_part_table(lab):
    """`testAllocWriteIdEventForPartTable`: the write id is open in the list, and known to be the transaction's."""
    session = lab.session()
    txn = session.begin((T,))
    assert session.write_id(T) == 1
    lab.catch_up()
    assert tag_of(lab) == "default.t:1:1:1:"
    assert catalog_of(lab).write_ids == {txn: ((T, 1),)}


def test_alloc_write_id_event_for_part_table_without_load(lab):
    """`testAllocWriteIdEventForPartTableWithoutLoad`: nothing is loaded, and the write id is known."""
    session = lab.session()
    session.create_table(U, (("v", "u0"),))
    txn = session.begin((U,))
    session.write_id(U)
    lab.catch_up()
    assert U in catalog_of(lab).known
    assert U not in lab.replica().cache.entries
    assert catalog_of(lab).write_ids == {txn: ((U, 1),)}


def test_commit_event(lab):
    """`testCommitEvent`, of a partitioned table: the write id is valid."""
    write(lab, aborts=False)
    lab.catch_up()
    assert tag_of(lab) == "default.t:1:9223372036854775807::"
    assert catalog_of(lab).write_ids == {}


def test_abort_event(lab):
    """`testAbortEvent`: the write id is aborted."""
    write(lab, aborts=True)
    lab.catch_up()
    assert tag_of(lab) == "default.t:1:9223372036854775807::1"


def test_catalog_load_with_write_ids(lab):
    """`testCatalogLoadWithWriteIds`: what is not loaded is, for the list of the request, and then asked for no more."""
    catalog_of(lab).forget(T)
    assert lab.ask(short_list("[0:]")).source == "database"
    assert lab.ask(short_list("[0:]")).source == "cache"


def test_catalog_behind_client_write_ids(lab):
    """`testCatalogBehindClientWriteIds`: a newer list has the table loaded anew."""
    write(lab, aborts=False)
    assert lab.ask(short_list("[1:]")).source == "database"
    assert tag_of(lab) == "default.t:1:9223372036854775807::"


def test_catalog_ahead_of_client_write_ids(lab):
    """`testCatalogAheadOfClientWriteIds`: an older one is answered from what is loaded."""
    write(lab, aborts=False)
    lab.catch_up()
    assert lab.ask(short_list("[0:]")).source == "cache"


def test_fetch_after_drop_and_recreate(lab):
    """`testFetchAfterDropAndRecreate`: equal lists, and another table: loaded anew, for its id is another one."""
    lab.session().drop_table(T)
    lab.session().create_table(T, (("v", "n0"),))
    assert lab.ask(short_list("[0:]"), table_id=1).source == "cache"
    answer = lab.ask(short_list("[0:]"), table_id=3)
    assert (answer.source, value(answer)) == ("database", "n0")


def test_skipping_older_events():
    """`testSkippingOlderEvents`: an event that the table was loaded after is skipped."""
    lab = Lab(IMPALA_SYNCED)
    lab.session().alter_table(E, (("v", "e1"),))
    catalog_of(lab).forget(E)
    lab.ask(None, E)
    known = catalog_of(lab).known[E]
    version = known.version
    lab.catch_up()
    assert (known.version, known.synced) == (version, 3)


# -- what it does otherwise than a metastore's cache -----------------------------------------------------------------


def test_an_event_of_a_table_loads_it_as_it_is_now(lab):
    """Not as the event says: the first of two changes brings the second one, which is not committed."""
    session = lab.session()
    session.begin((T,))
    session.alter_table(T, (("v", "t1"),))
    session.alter_table(T, (("v", "t2"),))
    lab.catch_up()
    answer = lab.ask(short_list("[0:]"))
    assert (answer.source, value(answer)) == ("cache", "t2")


def test_an_event_of_a_partition_says_what_it_has(lab):
    """Of one that is there already it says nothing."""
    lab.session().put_partition(E, "d=1", "p1")
    lab.session().put_partition(E, "d=1", "p2")
    lab.catch_up()
    assert lab.replica().cache.entries[E].partitions == {"d=1": "p2"}


def test_a_managed_table_without_a_list_is_the_metastores_answer(lab):
    """The daemon's endpoint refuses it and falls back."""
    assert lab.replica().get_table(Request(T)).source == "database"


def test_a_change_through_the_daemon_has_it_forget(lab):
    """Of its own changes; of others it hears by their events. A drop is noted, so that no earlier event undoes it."""
    session = lab.session("h2")
    session.alter_table(E, (("v", "e1"),))
    assert E not in lab.replica().cache.entries
    assert lab.ask(None, E).source == "database"
    session.drop_table(E)
    assert E not in catalog_of(lab).known
    lab.catch_up()
    assert E not in catalog_of(lab).known


def test_a_rename_takes_the_old_name_out(lab):
    """And the new one is loaded when it is asked for."""
    lab.session().rename_table(E, "default.f")
    lab.catch_up()
    assert list(catalog_of(lab).known) == [T, "default.f"]
    assert lab.ask(None, "default.f").source == "database"
    assert lab.ask(None, "default.f").source == "cache"


@pytest.mark.parametrize(("unknown", "stops"), [("passed-over", False), ("refused", True)])
def test_an_abort_of_a_valid_write_id(unknown, stops):
    """IMPALA-12827: of another table that had the name; where it cannot be applied, no event is any more."""
    lab = Lab(daemon(unknown_aborts=unknown, failures="stop"))
    first = lab.session()
    first.begin((T,))
    first.write_id(T)
    lab.session().drop_table(T)
    lab.session().create_table(T, (("v", "n0"),))
    write(lab, aborts=False)
    lab.catch_up()
    lab.ask(short_list("[1:]"), table_id=3)
    first.abort()
    lab.session().alter_table(E, (("v", "e1"),))
    lab.catch_up()
    assert value(lab.ask(None, E)) == ("e0" if stops else "e1")


@pytest.mark.parametrize(("old", "after"), [("checked", "n1"), ("taken", "p1")])
def test_an_old_event_of_a_partition(old, after):
    """IMPALA-11160: it is of a table that had the name before; taken all the same, it is served as if it were new."""
    lab = Lab(daemon(own_changes="loaded", old_partitions=old))
    lab.session("h1").put_partition(E, "d=1", "p0")
    lab.session("h1").put_partition(E, "d=1", "p1")
    session = lab.session("h2")
    session.drop_table(E)
    session.create_table(E, (("v", "n0"),), False)
    session.put_partition(E, "d=1", "n1")
    lab.ask(None, E)
    lab.catch_up()
    assert lab.replica().cache.entries[E].partitions == {"d=1": after}


def test_a_failed_event_costs_what_is_loaded():
    """IMPALA-12832: the table is loaded again by whoever asks for it."""
    lab = Lab(daemon(unknown_aborts="refused"))
    entry = lab.replica().cache.entries[T]
    catalog_of(lab).write_ids[9] = ((T, 1),)
    entry.tag = ValidWriteIdList(T, 1)
    session = lab.session()
    while session.begin(()) < 9:
        pass
    session.abort()
    lab.catch_up()
    assert T not in lab.replica().cache.entries


def test_a_change_of_ones_own_is_known_by_its_mark():
    """Loaded at once; its event is passed over, and only that one."""
    lab = Lab(daemon(own_changes="loaded"))
    lab.session("h2").alter_table(E, (("v", "e1"),))
    catalog = catalog_of(lab)
    assert list(catalog.in_flight.values()) == [(("impala.events.catalogVersion:h2", "1"),)]
    assert value(lab.ask(None, E)) == "e1"
    lab.catch_up()
    assert list(catalog.in_flight.values()) == [()]
    lab.session("h1").alter_table(E, (("v", "e2"),))
    lab.catch_up()
    assert value(lab.ask(None, E)) == "e2"


def test_the_defaults_are_what_is_shipped():
    """Nothing that nobody ships."""
    assert IMPALA.catalogd == CatalogRules()
    assert isinstance(IMPALA, Rules)
