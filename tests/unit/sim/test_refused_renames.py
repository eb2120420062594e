"""A rename that CachedStore 4.0.1 refuses: what it leaves behind, and which of two reasons it gives."""

import pytest

from model.hive import SHIPPED
from model.hive.rules import UNCACHED
from sim.hive.build import T, U, W, metastore
from sim.hive.workload import Begin, Commit, Drop, Get, HiveTable, Rename, Write
from sim.kernel.schedule import steps_of
from sim.search.run import Runner

BOTH = (HiveTable(T, "v0"), HiveTable(U, "u0"))


def played(sessions, steps, rules=SHIPPED):
    """The outcomes of a run: (actor, statement, error or arg)."""
    scenario = metastore("renames", "", sessions, rules=rules, tables=BOTH)
    run = Runner(scenario).play(steps_of(steps))
    return [(event.process, event.f, event.error or event.arg) for event in run.events if event.type in ("ok", "fail")]


def test_a_refused_rename_leaves_write_ids_where_they_are():
    """The listener that moves them is not asked before the new name is known to be free."""
    sessions = {"w1": ("h1", (Begin((T,)), Write(T), Rename(T, U), Commit(), Begin((T,)), Get(T), Commit()))}
    told = played(sessions, "w1:end")
    assert next(said for _, f, said in told if f == "rename").startswith("TableExists")
    assert " writes=default.t:1:" in next(said for _, f, said in told if f == "get-table")


@pytest.mark.parametrize(("rules", "error"), [(SHIPPED, "TableExists"), (UNCACHED, "NoSuchTable")])
def test_a_rename_of_what_only_the_cache_has_asks_for_the_new_name_first(rules, error):
    """Another replica has dropped it: without a cache, the handler finds that at once."""
    sessions = {"w1": ("h1", (Begin(), Drop(T), Commit())), "w2": ("h2", (Begin(), Rename(T, U), Rename(T, W)))}
    told = played(sessions, "w1:end w2:end", rules)
    renames = [said.split(":")[0] for _, f, said in told if f == "rename"]
    assert renames == [error, "NoSuchTable"]
