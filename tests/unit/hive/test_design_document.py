"""The design document's own examples, step by step. Source: "Synchronized Metastore Cache", sections by name."""

from dataclasses import replace
from unittest.mock import patch

import pytest

from model.hive import FIXED, Request, compare, short_list
from model.hive.comparison import RULES
from model.hive.errors import NoSuchTable, NullList
from model.hive.log_write_ids import LogWriteIds
from model.hive.rules import DESIGN
from tests.unit.hive.lab import E, Lab, T, value


def test_read_steps_1_to_4_and_6():
    """A request whose list is [12:7,8,12] is served by a cache tagged [11:7,8], for nothing was committed between."""
    lab = Lab()
    left = lab.open_write_ids(11, still_open=(7, 8))
    lab.catch_up()
    assert lab.tag() == "[11:7,8]"
    late = lab.session()
    late.begin((T,))
    late.write_id(T)  # write id 12, whose event h2 has not seen

    reader = lab.session("h2")
    txns = reader.begin((T,), read_only=True)  # 1: the global transaction state, when the query begins
    assert reader.snapshot is not None
    assert reader.snapshot.open == (left[7].txn, left[8].txn, late.txn)
    assert txns > late.txn
    writes = reader.list_of(T)  # 2: translated to the table's list
    assert writes is not None
    assert writes.short == "[12:7,8,12]"
    answer = reader.get_table(T)  # 3: the list travels with the request
    assert (answer.source, answer.tag and answer.tag.short) == ("cache", "[11:7,8]")  # 4

    left[8].commit()  # now the cache is behind
    reader = lab.session("h2")
    reader.begin((T,), read_only=True)
    assert reader.get_table(T).source == "database"
    lab.catch_up()  # 6
    assert lab.tag() == "[12:7,12]"
    assert reader.get_table(T).source == "cache"


def test_read_step_5_contradicts_step_4():
    """[12:7,12] has more than [12:7,8,12] asks for: "newer", which step 4 serves and step 5 does not."""
    cached, request = short_list("[12:7,12]"), short_list("[12:7,8,12]")
    assert compare(cached, request) == 1
    served = {name: rule(cached, request) for name, rule in RULES.items()}
    assert served["superset"]
    assert served["lexicographic"]
    assert not served["equivalent"]  # only "no transaction committed between" refuses it


@pytest.mark.parametrize(("rule", "source"), [("superset", "cache"), ("equivalent", "database")])
def test_read_step_5_at_a_replica(rule, source):
    """The cache saw write 8 commit, the reader's list is older: by the words of step 5 the database is asked."""
    lab = Lab(replace(FIXED, read_rule=rule))
    left = lab.open_write_ids(12, still_open=(7, 8, 12))
    reader = lab.session("h2")
    reader.begin((T,), read_only=True)
    left[8].commit()
    lab.catch_up()
    assert lab.tag() == "[12:7,12]"
    assert reader.list_of(T) == short_list("[12:7,8,12]", T)
    assert reader.get_table(T).source == source


def test_list_query():
    """A partition request moves the table's write id; the entry is invalid from its message to the commit's."""
    lab = Lab()
    writer = lab.session()
    writer.begin((T,))
    writer.put_partition(T, "d=1", "p1")
    writer.put_partition(T, "d=2", "p2")
    writer.commit()
    assert lab.log() == ["OPEN_TXN", "ALLOC_WRITE_ID", "ADD_PARTITION", "ADD_PARTITION", "COMMIT_TXN"]

    reader = lab.session("h2")
    reader.begin((T,), read_only=True)
    old = short_list("[0:]", T)
    sources = []
    for _ in range(5):
        lab.poll()
        sources.append(lab.replica().get_partitions(Request(T, 1, old)).source)
    assert sources == ["cache", "cache", "database", "database", "cache"]
    answer = reader.get_partitions(T)
    assert (answer.source, answer.partitions) == ("cache", (("d=1", "p1"), ("d=2", "p2")))


def test_cache_update_flow_1_to_7():
    """From [11:7,8] over an alter on h1 to [12:7,8] on h2."""
    lab = Lab()
    lab.open_write_ids(11, still_open=(7, 8))
    lab.catch_up()
    assert lab.tag() == "[11:7,8]"  # 1
    writer = lab.session("h1")
    writer.begin((T,))
    writer.alter_table(T, (("v", "t1"),))  # 2
    writer.commit()  # 3
    assert lab.log()[-4:] == ["OPEN_TXN", "ALLOC_WRITE_ID", "ALTER_TABLE", "COMMIT_TXN"]

    def read():
        reader = lab.session("h2")
        reader.begin((T,), read_only=True)
        answer = reader.get_table(T)
        return answer.source, value(answer)

    assert read() == ("database", "t1")  # h2 has not heard of it: its tag is behind
    lab.poll(3)  # 4: the alter is in the cache, and not available
    assert dict(lab.replica().cache.entries[T].table.parameters)["v"] == "t1"
    assert lab.replica().look(Request(T, 1, short_list("[0:]", T))) is None
    assert read() == ("database", "t1")  # 5
    lab.poll()  # 6
    assert lab.tag() == "[12:7,8]"
    assert read() == ("cache", "t1")  # 7


def test_bootstrap_with_an_outdated_transaction_list_only_costs_performance_until_it_costs_it_for_ever():
    """The entry is fresh, its tag is not: every read goes to the database. No event will ever change that."""
    lab = Lab(replace(FIXED, prewarm="outdated-list"), start=False)
    writer = lab.session()
    prewarm = lab.replica().poller.prewarm
    outdated = prewarm._txns()  # taken minutes ago
    writer.begin((T,))
    writer.alter_table(T, (("v", "t1"),))
    writer.commit()
    lab.replica().poller.position = lab.sql(lambda tx: tx.get("NOTIFICATION_SEQUENCE", 1)) - 1
    prewarm.load(T, outdated)
    reader = lab.session("h2")
    reader.begin((T,), read_only=True)
    assert value(reader.get_table(T)) == "t1"  # correct
    assert reader.get_table(T).source == "database"
    lab.catch_up()
    assert reader.get_table(T).source == "database"


@pytest.mark.parametrize(("rules", "served"), [(FIXED, "t2"), (DESIGN, "t1")])
def test_bootstrap_with_a_change_after_the_list_was_taken(rules, served):
    """The entry is newer than its tag: harmless, unless older events are then applied to it, as the design has it."""
    lab = Lab(rules, start=False)
    replica = lab.replica()
    position, _ = replica.database.transact("prewarm", "h2", lambda tx: (tx.get("NOTIFICATION_SEQUENCE", 1) - 1, ()))
    for number in (1, 2):
        writer = lab.session()
        writer.begin((T,))
        writer.alter_table(T, (("v", f"t{number}"),))
        writer.commit()
    replica.poller.prewarm.load(T)
    replica.poller.position = position
    reader = lab.session("h2")
    reader.begin((T,), read_only=True)
    assert (reader.get_table(T).source, value(reader.get_table(T))) == ("cache", "t2")
    lab.poll(4)  # OPEN, ALLOC, ALTER and COMMIT of the first change
    answer = reader.get_table(T)
    assert (answer.source, value(answer)) == ("cache", served)


def test_rename_and_a_new_table_of_the_old_name():
    """The cached table of that name is another one: the table id says so, and the database is asked."""
    lab = Lab()
    writer = lab.session("h1")
    writer.begin((T,))
    writer.rename_table(T, "default.u")
    writer.commit()
    writer.create_table(T, (("v", "new"),))
    reader = lab.session("h2")
    reader.begin((T,), read_only=True)
    request = reader.request(T)
    assert lab.replica().cache.entries[T].table.id != request.table_id
    assert request.writes == short_list("[0:]", T)  # the lists of the two tables are the same
    assert value(reader.get_table(T)) == "new"
    assert reader.get_table(T).source == "database"
    lab.catch_up()
    assert (reader.get_table(T).source, value(reader.get_table(T))) == ("cache", "new")
    reader.begin(("default.u",), read_only=True)
    assert value(reader.get_table("default.u")) == "t0"


def test_two_requests_of_one_transaction_on_two_replicas():
    """Whoever may read the transaction sees both changes, from the first replica or the second."""
    lab = Lab()
    writer = lab.session("h1")
    writer.begin((T,))
    writer.put_partition(T, "d=1", "p1", at="h1")
    writer.put_partition(T, "d=2", "p2", at="h2")
    writer.commit()
    for polled in range(6):
        for name in ("h1", "h2"):
            reader = lab.session(name)
            reader.begin((T,), read_only=True)
            answer = reader.get_partitions(T)
            assert answer.partitions == (("d=1", "p1"), ("d=2", "p2"))
            assert answer.source == ("cache" if polled == 5 else "database")
            if polled < 5:
                lab.poll(at=name)


def test_a_null_list_is_an_error_on_a_managed_table_and_normal_on_an_external_one():
    """Cached or not."""
    lab = Lab()
    for at in ("h1", "h2"):
        with pytest.raises(NullList, match="expected a list of valid write ids"):
            lab.ask(None, T, at=at)
        assert lab.ask(None, E, at=at).source == "cache"
    lab.replica().cache.entries.clear()
    with pytest.raises(NullList):
        lab.ask(None, T)
    assert lab.ask(None, E).source == "database"


def test_an_external_table_is_eventually_consistent():
    """No list, no check: the cache answers with what it has, and catches up."""
    lab = Lab()
    lab.session("h1").alter_table(E, (("v", "e1"),))
    reader = lab.session("h2")
    assert (reader.get_table(E).source, value(reader.get_table(E))) == ("cache", "e0")
    lab.catch_up()
    assert (reader.get_table(E).source, value(reader.get_table(E))) == ("cache", "e1")


def test_own_writes_are_read_within_the_transaction():
    """The session's list calls its own write committed, so no cache has it before the commit is polled."""
    lab = Lab()
    writer = lab.session("h1")
    writer.begin((T,))
    writer.alter_table(T, (("v", "t1"),))
    assert writer.list_of(T) == short_list("[1:]", T)
    for _ in range(3):
        assert (writer.get_table(T, "h2").source, value(writer.get_table(T, "h2"))) == ("database", "t1")
        lab.poll()
    writer.commit()
    reader = lab.session("h2")
    reader.begin((T,), read_only=True)
    assert reader.get_table(T).source == "database"
    lab.poll()
    assert reader.get_table(T).source == "cache"


@pytest.mark.parametrize("rule", [FIXED.write_ids, DESIGN.write_ids])
@pytest.mark.parametrize("seen", [0, 1, 2])
def test_write_ids_of_a_commit_by_lookup_or_by_alloc_events(rule, seen):
    """The optimisation is right where the OPEN was seen. The document's "unless" takes it where it was not."""
    lab = Lab(replace(FIXED, write_ids=rule), start=False)
    writer = lab.session("h1")
    steps = [lambda: writer.begin((T,)), lambda: writer.write_id(T), lambda: writer.alter_table(T, (("v", "t1"),))]
    for step in steps[:seen]:
        step()
    lab.replica().start()
    for step in steps[seen:]:
        step()
    writer.commit()
    lab.catch_up()
    coverage = lab.kernel.coverage
    looked_up = coverage.get("hive: write ids of a commit looked up in the database", 0)
    assert looked_up == int((seen > 0) == (rule == "seen-open"))
    assert lab.tag() == ("[1:1]" if (rule, seen) == ("unless-seen-open", 2) else "[1:]")


def test_write_ids_that_are_always_looked_up_are_right_as_well():
    """The document's way without its optimisation."""
    lab = Lab()
    writer = lab.session("h1")
    writer.begin((T,))
    writer.alter_table(T, (("v", "t1"),))
    writer.commit()
    with patch.object(LogWriteIds, "_ids_are_known", lambda poller, txn: False):
        lab.catch_up()
    assert lab.kernel.coverage["hive: write ids of a commit looked up in the database"] == 1
    assert lab.tag() == "[1:]"


def test_a_dropped_table_is_gone():
    """From the database at once, from a cache with the event."""
    lab = Lab()
    lab.session("h1").drop_table(E)
    assert lab.ask(None, E).source == "cache"
    lab.catch_up()
    with pytest.raises(NoSuchTable):
        lab.ask(None, E)
