"""The notification log out of order: events cleaned unread, ids given twice, ids that come after larger ones."""

import pytest

from model.hive import FIXED, SHIPPED, coverage
from model.hive.rows import NOTIFICATION_LOG, NOTIFICATION_SEQUENCE
from sim.hive.build import metastore
from sim.hive.workload import Alter, HiveTable
from sim.kernel.errors import ScheduleError
from sim.kernel.schedule import steps_of
from sim.search.explore import exhaustive
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.world.scenario import FaultSpace
from tests.unit.hive.lab import E, Lab, value
from tests.unit.sim.test_partitions_and_clocks import First
from tests.unit.sim.worlds import Small

TABLES = (HiveTable(E, "e0", managed=False),)
SPACE = FaultSpace({"alter_table": ("log-duplicate", "log-reorder"), "poll": ("log-gap",)}, 1)
STALE = "convergence/stale-entry"


def subject(rules, changes):
    """One session changes an external table at h1; h2 follows the log to its end."""
    statements = tuple([Alter(E, f"e{number}") for number in range(1, changes + 1)])
    return metastore(
        "log", "a log out of order", {"w1": ("h1", statements)}, rules=rules, tables=TABLES, faults=SPACE,
        properties=("acknowledged-writes-survive", "convergence"),
    )  # fmt: skip


def played(rules, changes, text):
    """A run of a schedule, which its own tape and its own schedule repeat."""
    runner = Runner(subject(rules, changes))
    run = runner.play(steps_of(text))
    assert runner.play(schedule_of(run).steps).digest() == run.digest()
    return run


def logged(lab):
    """The ids of the log's events, in the order in which a follower reads them, and the next id."""
    ids = [event.id for _, event in lab.sql(lambda tx: tx.scan(NOTIFICATION_LOG))]
    return ids, lab.database.row(NOTIFICATION_SEQUENCE, 1)


def alter(lab, number):
    """Change the external table."""
    lab.session().alter_table(E, (("v", f"e{number}"),))


def test_an_event_that_was_cleaned_before_it_was_read_is_found_missing_by_the_reference_alone():
    """It builds its cache anew, which then has the change; as shipped nobody looks, and the entry stays as it was."""
    found = played(FIXED, 1, "w1.alter_table h2.poll!log-gap h2.poll w1:end h2:end")
    assert found.injected == (("log-gap", "h2", "poll"),)
    assert (found.failure, found.coverage[coverage.REBUILT], found.coverage["event cleaned unread"]) == (None, 1, 1)
    missed = played(SHIPPED, 1, "w1.alter_table h2.poll!log-gap h2.poll w1:end h2:end")
    assert missed.failure == STALE
    assert coverage.REBUILT not in missed.coverage


def test_a_cleaned_event_is_gone_for_everybody_and_those_after_it_are_read():
    """Up to the next one that its reader would have read; without one nothing is."""
    lab = Lab()
    alter(lab, 1)
    alter(lab, 2)
    lab.poll(1, "h1")
    lab.cluster.lose_next("h1")
    assert logged(lab) == ([], 5)
    lab.cluster.lose_next("h1")
    assert lab.kernel.coverage["event cleaned unread"] == 1
    alter(lab, 3)
    assert logged(lab) == ([5], 6)


def test_an_id_that_is_given_twice_hides_the_second_event_from_who_has_read_the_first():
    """The sequence is where it was; the reference, which looks for missing ids, is hit as well."""
    lab = Lab()
    alter(lab, 1)
    lab.catch_up()
    with lab.cluster.unlocked(1):
        alter(lab, 2)
    assert logged(lab) == ([1, 2, 3, 3], 4)
    lab.catch_up()
    assert value(lab.ask(None, E)) == "e1"
    for rules in (FIXED, SHIPPED):
        run = played(rules, 2, "w1.alter_table h2:end w1.alter_table!log-duplicate w1:end h2:end")
        assert (run.failure, run.injected) == (STALE, (("log-duplicate", "w1", "alter_table"),))


def test_a_large_batch_reads_both_events_of_one_id():
    """As shipped, if it has read neither before."""
    run = played(SHIPPED, 2, "w1.alter_table w1.alter_table!log-duplicate w1:end h2:end")
    assert run.failure is None


def test_an_id_below_one_that_was_read_is_passed_over_and_so_is_what_gets_the_next_one():
    """The last one to write the sequence wins: it goes back."""
    lab = Lab()
    alter(lab, 1)
    alter(lab, 2)
    lab.catch_up()
    with lab.cluster.unlocked(2):
        alter(lab, 3)
    alter(lab, 4)
    assert logged(lab) == ([1, 2, 3, 3, 4, 4], 5)
    lab.catch_up()
    assert value(lab.ask(None, E)) == "e2"
    alter(lab, 5)
    lab.catch_up()
    assert value(lab.ask(None, E)) == "e5"


def test_events_that_are_read_out_of_order_leave_the_older_content():
    """Each is an alter with the whole table: the last one that is applied stays, and is written back, as shipped."""
    run = played(SHIPPED, 3, "w1.alter_table w1.alter_table w1.alter_table!log-reorder w1:end h2:end")
    assert run.failure in (STALE, "acknowledged-writes-survive/lost-write")


def test_a_search_strikes_each_kind():
    """As choices, and a run without a log has none."""
    found = exhaustive(subject(FIXED, 2)).coverage
    assert {name for name in found if name.startswith("fault ")} == {
        "fault log-gap",
        "fault log-duplicate",
        "fault log-reorder",
    }


@pytest.mark.parametrize("kind", ["log-gap", "log-reorder"])
def test_where_there_is_no_log_none_can_be_out_of_order(kind):
    """A mistake of who asked for it."""
    small = Small(faults=First(kind, "put"))
    small.task("w1", lambda: small.store.put("a", 1))
    with pytest.raises(ScheduleError, match=rf"fault {kind} at w1.put\(a\): expected a run with a log, got none"):
        small.kernel.drive()
