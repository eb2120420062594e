"""CachedStore in its default mode: a refresh by upstream's own tests, and by the moments between its steps."""

import json
from pathlib import Path

import pytest

from model.hive import Request, ValidWriteIdList, coverage
from model.hive.refresh import MOST_TRIES, Refresher
from model.hive.rules import SHIPPED_REFRESH
from model.hive.tables import create, drop
from tests.unit.hive.lab import E, Lab, T, value
from tests.unit.hive.scenarios import Script

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_refresh.json"
SCENARIOS = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]
U = "default.u"


@pytest.fixture
def lab() -> Lab:
    """Two metastores whose caches follow no log."""
    return Lab(SHIPPED_REFRESH)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: f"{scenario['id']}-{scenario['test'].split()[0]}")
def test_upstreams_tests(scenario):
    """Each step answers what the row says."""
    script = Script(SHIPPED_REFRESH)
    for step in scenario["steps"]:
        command, _, expected = step.partition(" -> ")
        assert (command, script.run(command)) == (command, expected)


def refresher(lab: Lab, at: str = "h2") -> Refresher:
    """The timer of a replica."""
    poller = lab.replica(at).poller
    assert isinstance(poller, Refresher)
    return poller


def cached(lab: Lab, name: str, at: str = "h2") -> str:
    """What a replica's cache has under a name."""
    answer = lab.replica(at).look(Request(name))
    return "none" if answer is None else value(answer)


def test_the_cache_answers_whatever_the_list_says(lab):
    """The list has a write that the cache lacks."""
    session = lab.session("h1")
    session.begin((T,))
    session.alter_table(T, (("v", "t1"),))
    session.commit()
    assert (value(lab.ask(ValidWriteIdList(T, 1))), value(lab.ask(ValidWriteIdList(T, 1), at="h1"))) == ("t0", "t1")


def test_an_own_change_during_a_refresh_lets_it_read_all_again(lab, monkeypatch):
    """The flag is taken away, and what was read before is not used."""
    lab.session("h1").alter_table(E, (("v", "e1"),))
    timer, tables = refresher(lab), []

    def read(name):
        tables.append(name)
        if len(tables) == 2:
            lab.session("h2").create_table(U, (("v", "u0"),), False)
        return Refresher._read_table(timer, name)

    monkeypatch.setattr(timer, "_read_table", read)
    timer.poll()
    assert tables == [E, T, E, T, U]
    assert (cached(lab, E), cached(lab, U)) == ("e1", "u0")
    assert lab.kernel.coverage[coverage.REFRESH_RETRIED] == 1


def test_a_replica_that_goes_on_changing_things_is_given_up_for_this_time(lab, monkeypatch):
    """After ten tries; the next refresh tries again."""
    lab.session("h1").alter_table(E, (("v", "e1"),))
    timer = refresher(lab)
    takes_flag = timer._takes_flag
    monkeypatch.setattr(timer, "_takes_flag", lambda: takes_flag() or True)
    assert timer.poll() == 1
    assert (cached(lab, E), lab.kernel.coverage[coverage.REFRESH_RETRIED]) == ("e0", MOST_TRIES)
    monkeypatch.undo()
    assert timer.poll() == 0
    assert cached(lab, E) == "e1"


def test_an_own_change_after_the_look_at_the_flag_is_undone_until_the_next_refresh(lab):
    """An alter, a create and a drop; the flag that they set makes the next refresh read twice."""
    timer = refresher(lab)
    old = tuple([timer._read_table(name) for name in timer._names("poll")[1]])
    assert not timer._takes_flag()
    session = lab.session("h2")
    session.alter_table(E, (("v", "e1"),))
    session.create_table(U, (("v", "u0"),), False)
    session.drop_table(T)
    assert timer._replace(old)
    assert (cached(lab, E), cached(lab, U), T in lab.replica().cache.entries) == ("e0", "none", True)
    timer.poll()
    assert (cached(lab, E), cached(lab, U), T in lab.replica().cache.entries) == ("e1", "u0", False)


def test_a_table_that_is_dropped_between_its_name_and_its_read_ends_the_refresh(lab, monkeypatch):
    """What stands before it has been changed, nothing else; the next one has it all."""
    timer = refresher(lab)
    lab.session("h1").put_partition(E, "d=1", "p1")
    lab.sql(lambda tx: create(tx, U, (("v", "u0"),), False))
    names = timer._names

    def then_drop(operation, **asked):
        found = names(operation, **asked)
        if U in found[1]:
            lab.sql(lambda tx: drop(tx, U))
        return found

    monkeypatch.setattr(timer, "_names", then_drop)
    assert timer.poll() == 1
    assert lab.kernel.coverage[coverage.REFRESH_FAILED] == 1
    assert lab.replica().get_partitions(Request(E)).partitions == ()
    assert timer.poll() == 0
    assert lab.replica().get_partitions(Request(E)).partitions == (("d=1", "p1"),)


def test_partitions_of_a_table_that_is_dropped_before_they_are_read_are_taken_away(lab, monkeypatch):
    """The entry stays until the next refresh: without a partition, as live metastores showed."""
    lab.session("h1").put_partition(E, "d=1", "p1")
    timer = refresher(lab)
    timer.poll()
    names = timer._names

    def then_drop(operation, **asked):
        found = names(operation, **asked)
        if operation == "refresh_names":
            lab.sql(lambda tx: drop(tx, E))
        return found

    monkeypatch.setattr(timer, "_names", then_drop)
    assert timer.poll() == 0
    answer = lab.replica().look(Request(E))
    assert answer is not None
    assert (value(answer), answer.partitions) == ("e0", ())


def test_an_entry_under_two_names_stays_one_for_ever(lab):
    """h2 renames e to u, h1 makes a new e: each refresh writes both into the one entry, the later name last."""
    lab.session("h2").rename_table(E, U)
    refresher(lab, "h1").poll()
    lab.session("h1").create_table(E, (("v", "n0"),), False)
    for _ in range(3):
        refresher(lab).poll()
        entries = lab.replica().cache.entries
        assert entries[E] is entries[U]
        assert entries[E].table.name == U
        assert cached(lab, E) == "e0"


def test_the_first_partition_of_a_table_may_vanish(lab):
    """The flag is looked at once there is a partition to put: nobody looks if the database had none."""
    timer = refresher(lab)
    session = lab.session("h2")
    session.put_partition(E, "d=1", "p1")
    assert timer._put(E, ())
    assert lab.replica().get_partitions(Request(E)).partitions == ()
    timer.poll()
    timer.poll()
    assert lab.replica().get_partitions(Request(E)).partitions == (("d=1", "p1"),)


def test_an_entry_made_on_a_miss_has_no_partitions_until_the_next_refresh(lab):
    """R6, which ends here."""
    lab.sql(lambda tx: create(tx, U, (("v", "u0"),), False))
    lab.session("h1").put_partition(U, "d=1", "p1")
    replica = lab.replica()
    assert value(replica.get_table(Request(U))) == "u0"
    assert replica.get_partitions(Request(U)).partitions == ()
    refresher(lab).poll()
    assert replica.get_partitions(Request(U)).partitions == (("d=1", "p1"),)


def test_a_timer_has_something_to_do_until_nothing_is_left_out(lab):
    """The database has had an event, the replica has changed its cache, or a refresh was not whole."""
    timer = refresher(lab)
    end = lab.sql(lambda tx: max(event.id for _, event in tx.scan("NOTIFICATION_LOG")))
    assert timer.waits_beyond == end
    lab.session("h2").put_partition(E, "d=1", "p1")
    assert timer.waits_beyond == -1
    assert (timer.poll(), timer.waits_beyond) == (1, -1)
    assert (timer.poll(), timer.waits_beyond) == (0, end + 1)
