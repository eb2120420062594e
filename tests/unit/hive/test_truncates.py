"""Truncates: what a metastore changes of a table and of its partitions, as shipped and in the reference."""

import base64
import gzip
import json

import pytest

from checkers.histories.recorder import Recorder
from model.hive import FIXED
from model.hive.errors import NoSuchTable, NoTimeLimit
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from model.hive.tables import get, partitions
from real_backend.hive.logged import LoggedEvent, without_repeats
from sim.hive.build import EXTERNAL, Sessions, metastore
from sim.hive.impala import daemon
from sim.hive.present import Present
from sim.hive.truncate_statements import Truncate
from sim.hive.workload import Create, Drop
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from tests.unit.hive.lab import E, Lab, T
from tests.unit.hive.scenarios import Script

RULES = {"reference": FIXED, "no cache": UNCACHED, "event mode": SHIPPED, "by default": SHIPPED_REFRESH}
OF_CACHE = ("event mode", "by default")


def stale(rules):
    """A table that h1 has changed, and a partition that it has added: h2, which has one, has heard of neither."""
    lab = Lab(rules)
    lab.session("h2").put_partition(E, "d=1", "p1")
    for name in ("h1", "h2"):
        while rules.caches and lab.replica(name).poller.poll():
            pass
    return lab


def contents(lab):
    """What the database has: the table's content, and its partitions'."""
    table = lab.sql(lambda tx: get(tx, E))
    return dict(table.parameters)["v"], dict(lab.sql(lambda tx: partitions(tx, table)))


@pytest.mark.parametrize("name", RULES)
def test_of_a_table_what_the_cache_has_is_written_back(name):
    """Where the cache has the table, and the truncate asks it."""
    lab = stale(RULES[name])
    lab.session().alter_table(E, (("v", "e1"),))
    lab.session("h2").truncate_table(E, partitioned=False)
    assert contents(lab)[0] == ("e0" if name in OF_CACHE else "e1")


@pytest.mark.parametrize("name", RULES)
def test_of_partitions_those_are_truncated_that_the_cache_has(name):
    """And as it has them."""
    lab = stale(RULES[name])
    lab.session().put_partition(E, "d=1", "p2")
    lab.session().put_partition(E, "d=2", "q1")
    events = lab.session("h2").truncate_table(E, partitioned=True)
    reached = {event.partition[0]: event.partition[1] for event in events if event.partition}
    assert reached == ({"d=1": "p1"} if name in OF_CACHE else {"d=1": "p2", "d=2": "q1"})
    assert contents(lab)[1] == {"d=1": "p2", "d=2": "q1"} | reached
    assert all(event.truncates for event in events)


@pytest.mark.parametrize(("name", "reached"), [("event mode", 0), ("by default", 0), ("no cache", 1)])
def test_of_a_table_that_the_cache_lacks_no_partition_is_truncated(name, reached):
    """What a miss brings has none, and the truncate asks it for them."""
    lab = stale(RULES[name])
    lab.replica().evict(E)
    assert len(lab.session("h2").truncate_table(E, partitioned=True)) == reached


def test_a_partition_that_is_gone_refuses_a_truncate_of_it():
    """The cache has it still."""
    lab = stale(SHIPPED)
    lab.session().drop_partition(E, "d=1")
    with pytest.raises(NoSuchTable):
        lab.session("h2").truncate_table(E, partitioned=True)


@pytest.mark.parametrize("name", RULES)
def test_in_event_mode_no_truncate_gets_beyond_the_first_of_two_partitions(name):
    """The second one is logged, as it is before it is changed, and not changed; and so again."""
    lab = stale(RULES[name])
    session = lab.session("h2")
    session.put_partition(E, "d=2", "q1")
    for _ in range(2):
        lab.database.journal_rows.clear()
        if name == "event mode":
            with pytest.raises(NoTimeLimit):
                session.truncate_table(E, partitioned=True)
        else:
            assert len(session.truncate_table(E, partitioned=True)) == 2
        assert [(event.kind, event.partition, event.truncates) for event in lab.database.journal_rows] == [
            ("ALTER_PARTITION", ("d=1", "p1"), True), ("ALTER_PARTITION", ("d=2", "q1"), True)
        ]  # fmt: skip


def test_a_truncate_is_a_write_and_says_nothing_of_content():
    """It has a write id, and what it writes back it is not credited with."""
    lab = Lab(FIXED)
    session = lab.session()
    session.begin((T,))
    event = session.truncate_table(T, partitioned=False)[0]
    assert (event.write_id, Present(Recorder()).after(event)) == (1, [])


def test_before_impala_14637_files_are_as_they_were_before_a_truncate():
    """Its commit says of no rows that they were written; what the event loads is what its list has."""
    script = Script(daemon(truncates="forgotten"))
    for step in ("open 1", "truncate 1 default.t", "poll", "commit 1", "poll"):
        script.run(step)
    assert script.run("files default.t") == "all"


def logged(number, kind, value, mark="", **of):
    """A row of the live log of table t: an alter of it, or of its partition."""
    after = {"9": {"map": ["str", "str", 1, {"v": value}]}}
    if of:
        after = {"1": {"lst": ["str", 1, of["part"]]}, "7": after["9"]}
    message = {"partitionObjAfterJson" if of else "tableObjAfterJson": json.dumps(after), "isTruncateOp": mark}
    text = base64.b64encode(gzip.compress(json.dumps(message).encode())).decode()
    return LoggedEvent(number, kind, "d", "t", text)


def test_the_first_event_of_a_refused_truncate_stands_alone():
    """What comes next of its table is no repeat of it, but for the change that it says."""
    first, change = (logged(n, "ALTER_PARTITION", "p0", mark, part="1") for n, mark in ((1, "true"), (2, "")))
    second = logged(3, "ALTER_PARTITION", "q0", "true", part="2")
    put = logged(4, "ALTER_PARTITION", "q1", part="2")
    again = logged(5, "ALTER_PARTITION", "q0", "true", part="2")
    table, altered = logged(6, "ALTER_TABLE", "e0", "true"), logged(7, "ALTER_TABLE", "e0")
    kept = [first, second, LoggedEvent(0, "ADD_PRIMARYKEY", "d", "t"), put]
    assert without_repeats([first, change, *kept[1:]]) == kept
    assert without_repeats([second, again, table, altered]) == [second, again, table]


def test_the_live_log_has_two_events_of_a_change_and_one_counts():
    """The first one has the mark; whatever is logged of other tables between them stays."""
    rows = [LoggedEvent(1, "DROP_TABLE", "d", "t"), LoggedEvent(2, "CREATE_TABLE", "d", "u")]
    assert without_repeats(rows) == rows


def test_a_truncate_of_what_is_not_there_is_a_step_as_any_other():
    """It is refused for what it has read: a table that is made before its second step is not truncated."""
    steps = steps_of("w1.drop_table w2.read_to_truncate w1.create_table w2.truncate_table")
    sessions: Sessions = {"w1": ("h1", (Drop(E), Create(E, "e1", managed=False))), "w2": ("h2", (Truncate(E),))}
    scenario = metastore(
        "truncate-of-nothing", "A table is gone, and made anew.", sessions, rules=UNCACHED, tables=EXTERNAL, pollers=(),
        properties=("acknowledged-writes-survive",), steps=tuple([step.operation for step in steps]),
    )  # fmt: skip
    run = Runner(scenario).play(steps)
    assert [event.type for event in run.events if event.process == "w2"] == ["invoke", "fail"]
