"""What the reference does where a table loses its name, or was never there, while somebody is about to write it."""

from dataclasses import replace

import pytest

from model.hive import FIXED, Answer
from model.hive.errors import NoSuchTable, TableReplaced, WriteIdsTaken
from model.hive.rules import UNCACHED
from model.hive.txns import open_txns, snapshot
from model.hive.write_ids import rename_records, valid_write_ids
from tests.unit.hive.lab import Lab, T, value

U = "default.u"


def read_at_h2(lab: Lab, name: str = T) -> Answer:
    """What a client that begins now is given by h2."""
    reader = lab.session("h2")
    reader.begin((name,), read_only=True)
    return reader.get_table(name)


def make_anew(lab: Lab) -> None:
    """Drop `default.t`, and make another one, in a transaction of somebody's own."""
    other = lab.session()
    other.begin()
    other.drop_table(T)
    other.create_table(T, (("v", "n0"),))
    other.commit()


def test_no_write_id_is_given_for_a_table_that_is_not_there():
    """The next table of that name would have a write that its cache entry never hears of."""
    lab = Lab()
    writer, other = lab.session(), lab.session()
    writer.begin((T,))
    other.begin()
    other.drop_table(T)
    with pytest.raises(NoSuchTable, match=r"table default\.t: expected one, got none"):
        writer.write_id(T)
    writer.commit()
    other.create_table(T, (("v", "n0"),))
    other.commit()
    lab.catch_up()
    answer = read_at_h2(lab)
    assert (answer.source, value(answer)) == ("cache", "n0")


def test_a_write_id_is_good_for_the_table_that_it_was_given_for():
    """A change under it of the next table of that name would never be settled."""
    lab = Lab()
    writer = lab.session()
    writer.begin((T,))
    writer.write_id(T)
    make_anew(lab)
    with pytest.raises(TableReplaced, match=r"table default\.t: expected the one of id 1, got the one of id 3"):
        writer.alter_table(T, (("v", "t1"),))
    writer.commit()
    lab.catch_up()
    answer = read_at_h2(lab)
    assert (answer.source, value(answer)) == ("cache", "n0")


@pytest.mark.parametrize(
    "change",
    [
        lambda session: session.alter_table(T, (("v", "t1"),)),
        lambda session: session.rename_table(T, U),
        lambda session: session.put_partition(T, "d=1", "p1"),
        lambda session: session.drop_partition(T, "d=1"),
        lambda session: session.write_id(T),
    ],
    ids=["alter", "rename", "put partition", "drop partition", "write"],
)
@pytest.mark.parametrize("has_id", [True, False])
def test_a_write_is_refused_where_the_name_is_another_tables(change, has_id):
    """Whether or not the transaction has a write id of the table that it means."""
    lab = Lab()
    writer = lab.session()
    writer.begin((T,))
    if has_id:
        writer.write_id(T)
        writer.own.pop(T)  # so that it asks again
    make_anew(lab)
    with pytest.raises(TableReplaced):
        change(writer)


def test_a_table_that_was_made_since_the_begin_is_not_changed_without_a_write_id():
    """Nobody who reads it would miss the change: the cache would go on to answer without it."""
    lab = Lab()
    lab.session().drop_table(T)
    writer, other = lab.session(), lab.session()
    writer.begin((T,))
    other.begin()
    other.create_table(T, (("v", "n0"),))
    other.commit()
    lab.catch_up()
    with pytest.raises(TableReplaced):
        writer.alter_table(T, (("v", "t1"),))
    writer.commit()
    assert value(read_at_h2(lab)) == "n0"


def test_the_tables_of_a_rename_keep_their_write_ids():
    """A transaction that renames a table goes on writing it, under its new name."""
    lab = Lab()
    writer = lab.session()
    writer.begin((T,))
    writer.rename_table(T, U)
    writer.alter_table(U, (("v", "t1"),))
    writer.commit()
    lab.catch_up()
    answer = read_at_h2(lab, U)
    assert (answer.source, value(answer)) == ("cache", "t1")


UPDATES = {
    "without a lock": lambda session: session.update_rows(T),
    "under a lock": lambda session: session.update_under_lock(T, "excl-write"),
}


@pytest.mark.parametrize("how", UPDATES)
@pytest.mark.parametrize("again", [False, True], ids=["nobody's name", "another one's"])
def test_rows_are_updated_of_the_table_that_is_meant(how, again):
    """The writer had its write id before the name changed hands; a released metastore looks at the name alone."""
    for rules in (FIXED, UNCACHED):
        lab = Lab(rules, start=rules.caches)
        writer, other = lab.session(), lab.session()
        writer.begin((T,))
        writer.write_id(T)
        other.begin()
        other.rename_table(T, U)
        if again:
            other.create_table(T, (("v", "n0"),))
        if rules.writes_name_table:
            with pytest.raises(TableReplaced if again else NoSuchTable):
                UPDATES[how](writer)
        else:
            UPDATES[how](writer)


@pytest.mark.parametrize("rules", [UNCACHED, replace(FIXED, writes_name_table=False)])
def test_a_released_metastore_gives_ids_for_any_name(rules):
    """As shipped: neither the allocation nor the change looks at the table."""
    lab = Lab(rules, start=rules.caches)
    writer = lab.session()
    writer.begin((T,))
    lab.session().drop_table(T)
    assert writer.write_id(T) == 1
    lab.session().create_table(T, (("v", "n0"),))
    writer.alter_table(T, (("v", "t1"),))
    assert lab.log()[-1] == "ALTER_TABLE"


def test_an_event_that_was_skipped_leaves_nothing_unfinished_for_the_next_table_of_the_name():
    """A prewarm that follows the log from before the old table's last write loads the new one."""
    lab = Lab()
    writer = lab.session()
    writer.begin((T,))
    writer.alter_table(T, (("v", "t1"),))
    writer.commit()
    make_anew(lab)
    lab.replica("h2").poller.prewarm.load(T)
    lab.catch_up()
    answer = read_at_h2(lab)
    assert (answer.source, value(answer)) == ("cache", "n0")


def test_a_tag_of_a_replicas_own_names_every_write_that_is_not_valid():
    """The short form that queries get names one; a late change under another would never be settled."""
    lab = Lab()
    writers = [lab.session(), lab.session()]
    for writer in writers:
        writer.begin((T,))
        writer.write_id(T)
    for writer in writers:
        writer.abort()
    lab.cluster.boot("h2").start()
    lab.replica("h1").alter_table(T, (("v", "late"),), 2)
    lab.catch_up()
    assert lab.tag() == "[2:1,2]"
    answer = read_at_h2(lab)
    assert (answer.source, value(answer)) == ("cache", "late")


def test_a_rename_is_refused_while_its_new_name_has_write_ids():
    """Two renames of one table at once: the second would put its write id in the place of the first one's."""
    lab = Lab(UNCACHED, start=False)
    first, second = lab.session(), lab.session("h2")
    for writer in (first, second):
        writer.begin((T,))
    first.write_id(T)
    lab.sql(lambda tx: rename_records(tx, T, U))  # the first has moved the write ids, and not the table
    assert second.write_id(T) == 1
    with pytest.raises(WriteIdsTaken, match=r"rename of default\.t to default\.u: expected no write ids of default\.u"):
        second.rename_table(T, U)
    first.abort()
    assert lab.sql(lambda tx: valid_write_ids(tx, snapshot(open_txns(tx)), U)).short == "[1:1]"
