"""PyIceberg's writes to branches: what it ships breaks, what helps holds; each of its rules has a mutant."""

from typing import Any

import pytest

from sim.iceberg.equality import Upsert
from sim.iceberg.managing import AppendTo, CreateRef, OverwriteIn, Publish, RemoveRef
from sim.iceberg.pyiceberg import race
from sim.iceberg.python.branch_scenarios import APART, ONE, PYTHON_BRANCHES, B
from sim.iceberg.python.catalogs import HIVE, REST, SQL
from sim.iceberg.python_statements import AddFile, OnBranch, OverwritePartitions
from sim.iceberg.scenarios import race as race_of_java
from sim.iceberg.statement_words import describe
from sim.iceberg.workload import Append, ChangeRow, Copy, Delete, Scan, Transaction
from sim.search.explore import default_plan, exhaustive
from sim.search.run import Run, Runner
from sim.search.strategies import Deviations
from tests.mutants.pyiceberg_branches import OF_PYTHON_BRANCHES
from tests.search.iceberg.pyiceberg_repairs import IN_BRANCHES

WHOLE = [one for one in PYTHON_BRANCHES if not one.faults.limit]
FAULTY = [one for one in PYTHON_BRANCHES if one.faults.limit]
BROKEN = {one.name: one for one in PYTHON_BRANCHES if one.expect == "violated"}
OWN = (*B, AppendTo("b", ((4, "d"),)), Append(((3, "c"),)))
"""A branch with a row of its own, and main with one, too."""


@pytest.mark.parametrize("scenario", WHOLE, ids=lambda one: one.name)
def test_each_scenario_comes_out_as_it_says(scenario):
    """In every order of the calls to the catalog."""
    result = exhaustive(scenario, limit=200)
    assert result.complete
    assert result.as_expected


@pytest.mark.parametrize("scenario", FAULTY, ids=lambda one: one.name)
def test_each_scenario_in_which_something_fails_does(scenario):
    """By the usual plan."""
    assert default_plan(scenario).as_expected


@pytest.mark.parametrize("name", BROKEN)
def test_a_patch_of_the_library_mends_it(name):
    """The same scenario holds in every order."""
    with IN_BRANCHES[name].alive():
        result = exhaustive(BROKEN[name], limit=200)
        assert result.complete
        assert result.failures == {}


def moved(**further: Any) -> Any:
    """An append to a branch beside a move of the branch, back to where main began."""
    writers: Any = {"w1": [AppendTo("b", ((5, "x"),))], "w2": [CreateRef("b", back=1)]}
    return race("x", "", writers, history=(Append(((3, "c"),)), *B), **further)


FURTHER = (*B, AppendTo("b", ((4, "d"),)))
"""A branch that has a row more than main."""
LOST, BACK = "acknowledged-writes-survive/lost-row", "acknowledged-writes-survive/resurrected-row"
KILLED: dict[str, tuple[Any, str]] = {
    "pyiceberg-branch-on-main": (race("x", "", {"w1": [AppendTo("b", ((5, "x"),))]}, history=FURTHER), LOST),
    "pyiceberg-branch-asserts-main": (moved(), BACK),
    "pyiceberg-branch-manifests-of-main": (
        race("x", "", {"w1": [OnBranch("b", ChangeRow(1, "x"))]}, history=FURTHER), LOST,
    ),
    "pyiceberg-branch-rewrites-of-main": (
        race("x", "", {"w1": [OnBranch("b", Delete(1))]}, history=(*B, ChangeRow(1, "m"))),
        "no-spurious-refusal/spurious-refusal",
    ),
    "pyiceberg-branch-window-of-main": (
        race("x", "", {"w1": [OnBranch("b", Delete(1))], "w2": [OnBranch("b", ChangeRow(1, "y"))]},
             rows=ONE, history=APART),
        "no-lost-update/lost-update",
    ),
    "pyiceberg-branch-upsert-of-main": (
        race("x", "", {"w1": [OnBranch("b", Upsert(4, "x"))]}, history=OWN),
        "acknowledged-writes-survive/duplicated-row",
    ),
    "pyiceberg-branch-is-a-tag": (
        race("x", "", {"w1": [CreateRef("b", tag=True), AppendTo("b", ((5, "x"),))]}), "readable/unreadable-table",
    ),
}  # fmt: skip
"""Where each is found, and as what."""


@pytest.mark.parametrize("mutant", OF_PYTHON_BRANCHES, ids=lambda one: one.name)
def test_each_rule_of_branches_is_needed(mutant):
    """The shipped library holds in the same race."""
    scenario, failure = KILLED[mutant.name]
    assert exhaustive(scenario, limit=200).failures == {}
    with mutant.alive():
        assert failure in exhaustive(scenario, limit=200).failures


def once(statement: Any, **table: Any) -> Run:
    """The run of one statement alone."""
    run = Runner(race("x", "", {"w1": [statement]}, **table)).run(Deviations())
    assert run.failure is None
    return run


def left(run: Run) -> dict[str, Any]:
    """What the last reader found, in all branches."""
    final = next(event for event in reversed(run.events) if event.process == "r-final")
    return {one.key: one.value for one in final.reads if one.value is not None}


def done(run: Run) -> Any:
    """What was told to the writer."""
    return next(event for event in run.events if event.process == "w1" and event.type != "invoke")


MAIN = {"row:1": "a", "row:2": "b", "row:3": "c"}
IN_B = {"row:1 of b": "a", "row:2 of b": "b", "row:4 of b": "d"}


@pytest.mark.parametrize(
    ("statement", "writes"),
    [
        (AppendTo("b", ((5, "x"),)), {"row:5 of b": "x"}),
        (OverwriteIn("b", ((1, "x"),)),
         {"row:1 of b": "x", "row:2 of b": None, "row:4 of b": None}),
        (OnBranch("b", Delete(4)), {"row:4 of b": None}),
        (OnBranch("b", Delete(3)), {}),
        (OnBranch("b", ChangeRow(4, "x")), {"row:4 of b": "x"}),
        (OnBranch("b", ChangeRow(3, "x")), {}),
        (OnBranch("b", Copy(4, 1)), {"row:1 of b": "d"}),
        (OnBranch("b", Upsert(4, "x")), {"row:4 of b": "x"}),
        (OnBranch("b", Upsert(5, "x")), {"row:5 of b": "x"}),
        (OnBranch("b", AddFile(9)), {"row:9 of b": "f9"}),
        (CreateRef("b"), {"row:3 of b": "c", "row:4 of b": None}),
        (RemoveRef("b"), dict.fromkeys(IN_B)),
        (Publish("b"), {"row:3": None, "row:4": "d"}),
        (Transaction((Append(((5, "x"),)), OnBranch("b", ChangeRow(4, "y")))), {"row:5": "x", "row:4 of b": "y"}),  # type: ignore[arg-type]
    ],
    ids=str,
)  # fmt: skip
def test_a_statement_writes_what_it_says_and_no_other_branch_has_it(statement, writes):
    """Each alone: the branch has a row that main has not, and main one that the branch has not."""
    run = once(statement, history=OWN)
    assert {write.key: write.value for write in done(run).writes} == writes
    assert left(run) == {key: value for key, value in (MAIN | IN_B | writes).items() if value is not None}


def test_partitions_of_a_branch_are_overwritten_there():
    """Those of main stay."""
    run = once(OnBranch("b", OverwritePartitions(((1, "x"),))), history=OWN, partitioned="identity")
    assert left(run) == MAIN | IN_B | {"row:1 of b": "x"}


def test_a_branch_is_read_where_it_is():
    """Rows that are main's alone are not there."""
    reads = {one.key: one.value for one in done(once(OnBranch("b", Scan(1)), history=OWN)).reads}
    assert reads == IN_B


def test_a_branch_that_is_not_there_begins_with_what_is_written():
    """By an append, in format 2: it has no parent. Java begins it at main's head."""
    assert left(once(AppendTo("b", ((5, "x"),)))) == {"row:1": "a", "row:2": "b", "row:5 of b": "x"}


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (AppendTo("b", ((5, "x"),)), "b is a tag, not a branch"),
        (OnBranch("b", ChangeRow(1, "x")), "b is a tag, not a branch"),
        (OnBranch("b", Upsert(1, "x")), "b is a tag, not a branch"),
        (Publish("c"), "Cannot find matching snapshot ID for ref: c"),
    ],
    ids=str,
)
def test_what_cannot_be_written_to_is_an_outcome(statement, said):
    """A tag, or a ref that is not there."""
    told = done(once(statement, history=(CreateRef("b", tag=True),)))
    assert told.type == "fail"
    assert said in told.error


def test_the_java_api_has_no_statement_of_another_one_in_a_branch():
    """It says so."""
    scenario = race_of_java("x", "", {"w1": [OnBranch("b", ChangeRow(1, "x"))]}, catalog="java-api")
    with pytest.raises(TypeError, match=r"OnBranch.*: expected one of the Java API, got one of PyIceberg alone"):
        Runner(scenario).run(Deviations())


def test_their_words_name_the_branch():
    """As a history has them."""
    assert describe(OnBranch("b", ChangeRow(1, "x"))) == ("change in branch", "b: row 1 = x")


@pytest.mark.parametrize("catalog", [SQL, REST, HIVE])
def test_a_removed_branch_comes_back_in_the_librarys_own_catalogs(catalog):
    """What a transaction asserts is the library's, whatever the catalog is."""
    writers: Any = {"w1": [Transaction((Append(((3, "x"),)), AppendTo("b", ((4, "y"),))))], "w2": [RemoveRef("b")]}  # type: ignore[arg-type]
    steps = ("lock", "get_table", "alter_table") if catalog == HIVE else ()
    asked = ("acknowledged-writes-survive",)
    scenario = race("x", "", writers, history=B, catalog=catalog, steps=steps, properties=asked)
    assert "acknowledged-writes-survive/resurrected-row" in exhaustive(scenario, limit=200).failures
