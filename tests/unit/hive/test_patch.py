"""The unmerged patch: what its tags and its flag become, and who is not served from its cache."""

import pytest

from model.hive import Request, ValidWriteIdList, coverage, short_list
from model.hive.lists import committed_as_patched
from model.hive.rules import PATCH_51
from tests.unit.hive.lab import E, Lab, T, value

U = "default.u"


@pytest.fixture
def lab() -> Lab:
    """Two metastores with the patch."""
    return Lab(PATCH_51)


@pytest.mark.parametrize(
    ("tag", "write_id", "after"),
    [
        ("[11:7,8]", 14, "[14:7,8]"),  # 12 and 13 may be open
        ("[11:7,8]", 8, "[11:7]"),
        ("[11:7,8]", 9, "[11:7,8]"),
        ("[1:1]", 1, "[1:]"),
        ("[1:1]", 3, "[3:1]"),
    ],
)
def test_a_commit_moves_the_high_water_mark_first(tag, write_id, after):
    """So that no gap is left to be filled: what is between counts as committed."""
    assert committed_as_patched(short_list(tag), write_id).short == after


def test_the_flags_of_aborted_ids_slide():
    """5 is open and 7 aborted; without 5, the first flag is 7's: it counts as open."""
    tag = committed_as_patched(ValidWriteIdList(T, 9, [5], [7]), 5)
    assert (tag.open, tag.aborted) == ((7,), ())


def test_every_change_clears_the_flag_and_every_commit_sets_it(lab):
    """Also another transaction's: the change of the first is served although it has not committed."""
    first, second = lab.session(), lab.session()
    first.begin((T,))
    first.alter_table(T, (("v", "t1"),))
    lab.catch_up()
    entry = lab.replica().cache.entries[T]
    assert entry.unfinished
    second.begin((T,))
    second.write_id(T)
    second.commit()
    lab.catch_up()
    assert not entry.unfinished
    answer = lab.ask(ValidWriteIdList(T, 1, (1,)))
    assert (answer.source, value(answer)) == ("cache", "t1")


def test_an_abort_leaves_the_flag_and_the_tag(lab):
    """The entry is not served again before some other commit."""
    session = lab.session()
    session.begin((T,))
    session.alter_table(T, (("v", "t1"),))
    session.abort()
    lab.catch_up()
    entry = lab.replica().cache.entries[T]
    assert (entry.unfinished, lab.tag()) == ((0,), "[0:]")


def test_an_allocation_leaves_the_tag(lab):
    """Nobody notes that a write is open."""
    lab.open_write_ids(2, still_open=(1,))
    lab.catch_up()
    assert lab.tag() == "[2:]"


def test_a_table_that_is_made_has_a_tag_and_no_flag(lab):
    """It is served when a write of it has committed."""
    session = lab.session()
    session.begin()
    session.create_table(U, (("v", "u0"),))
    lab.catch_up()
    assert (lab.tag(U), bool(lab.replica().cache.entries[U].unfinished)) == ("[1:1]", True)
    session.alter_table(U, (("v", "u1"),))
    session.commit()
    lab.catch_up()
    assert (lab.tag(U), bool(lab.replica().cache.entries[U].unfinished)) == ("[1:]", False)


def test_a_rename_leaves_the_old_name_in_the_cache(lab):
    """The event names the new one, which is not cached: the entry stays as it was, and so does its tag."""
    before = lab.replica().cache.entries[T].state_key()
    lab.session().rename_table(T, U)
    lab.catch_up()
    entries = lab.replica().cache.entries
    assert entries[T].state_key() == before
    assert U not in entries


@pytest.mark.parametrize("name", [T, E])
def test_who_sends_no_list_is_answered_by_the_database(lab, name):
    """An old client, or the reader of an external table."""
    answer = lab.replica().get_table(Request(name))
    assert answer.source == "database"
    assert lab.kernel.coverage[coverage.NO_LIST] == 1
    assert lab.replica().get_table(Request(name)).source == "database"
