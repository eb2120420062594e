"""Statements that manage snapshots, branches and tags, against others: every schedule of a pair, judged."""

from itertools import product

import pytest

from model.iceberg.rules import ROLL_BACK_NEEDS_HEAD, SHIPPED
from sim.iceberg.managed_matrix import AGED, MANAGING
from sim.iceberg.managing import (
    AppendTo,
    CherryPick,
    CreateRef,
    Expire,
    MoveBranch,
    OverwriteIn,
    RemoveRef,
    ReplaceRef,
    RollBack,
    Stage,
    describe,
)
from sim.iceberg.matrix import MATRIX
from sim.iceberg.scenarios import CATALOG_STEPS, race
from sim.iceberg.workload import Append, ChangeRow, DeleteWhere, IcebergWorkload
from sim.search.matrix import BROKEN, OK, REFUSED, Place, judged
from sim.search.run import Runner
from sim.search.strategies import Deviations
from tests.mutants.iceberg import BY_NAME

PROPERTIES = (
    "readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update",
    "snapshot-isolation",
)  # fmt: skip
ADDED = Append(((3, "x"),))
STAGED = Stage(((5, "s"),), 7)
BRANCHED = AppendTo("b", ((4, "y"),))


def outcomes(one, other, *before, rules=SHIPPED, properties=PROPERTIES):
    """What all schedules of a pair come to: ok, who is refused, what is broken."""
    scenario = race(
        "managing", "", {"w1": [one], "w2": [other]}, properties=properties, catalog="java-api", rules=rules,
        rows=((1, "a"),), history=(Append(((2, "b"),)), *before), yield_points=CATALOG_STEPS,
    )  # fmt: skip
    found = judged(scenario)
    assert found.complete
    return {
        f"{each.kind} {each.detail.split(' ')[0]}" if each.kind == REFUSED else each.kind for each in found.outcomes
    }


@pytest.mark.parametrize(
    ("one", "other", "before", "expected"),
    [
        (RollBack(1), ADDED, (), {OK, BROKEN}),
        (RollBack(1), ChangeRow(1, "B"), (), {OK, BROKEN, "refused w2"}),
        (RollBack(1), CherryPick(), (STAGED,), {OK, BROKEN}),
        (RollBack(1), Expire(1), (), {OK, "refused w1", "refused w2"}),
        (RollBack(1), Expire(0), (), {"refused w1", "refused w2"}),
        (RollBack(1), CreateRef("t", True), (), {OK, "refused w2"}),
        (Expire(1), ADDED, (), {OK}),
        (Expire(1), CreateRef("t", True, 1), (), {OK, "refused w1", "refused w2"}),
        (Expire(1), Expire(1), (), {OK}),
        (Expire(1), BRANCHED, (), {OK}),
        (CherryPick(), ADDED, (STAGED,), {OK}),
        (CherryPick(), CherryPick(), (STAGED,), {"refused w1", "refused w2"}),
        (CherryPick(), ChangeRow(1, "B"), (STAGED,), {OK}),
        (CherryPick(), ADDED, (Stage(((1, "s"), (2, "t")), 0, overwrites=True),), {OK, "refused w1"}),
        (MoveBranch("main", "b"), ADDED, (BRANCHED,), {OK, "refused w1"}),
        (MoveBranch("b", "main"), ADDED, (CreateRef("b"),), {OK}),
        (MoveBranch("b", "main"), ADDED, (CreateRef("b", back=1),), {OK, "refused w1"}),
        (CreateRef("b"), CreateRef("b"), (), {"refused w1", "refused w2"}),
        (RemoveRef("b"), BRANCHED, (BRANCHED,), {OK, "refused w1"}),
        (ReplaceRef("t", True, 1), RemoveRef("t", True), (CreateRef("t", True),), {OK, "refused w1", "refused w2"}),
        (BRANCHED, OverwriteIn("b", ((4, "z"),)), (), {OK}),
        (STAGED, ADDED, (), {OK}),
    ],
)  # fmt: skip
def test_pairs_come_to_what_upstreams_loops_make_of_them(one, other, before, expected):
    """Roll-backs are applied again to whatever is there, changes of refs refused, an expiry chooses anew."""
    assert outcomes(one, other, *before) == expected


def test_only_roll_backs_lose_what_was_acknowledged():
    """Of all pairs with what manages snapshots, at `snapshot`; but for what takes all that is there when it commits.

    Whoever publishes, or replaces the table, sets main to what he has in mind, whatever is there. An expiry leaves
    files if the table has another name by the time it deletes them.
    """
    broken, names = set(), list(MANAGING)
    for one, other in product(MANAGING, MATRIX.operations):
        if other in names[: names.index(one)]:
            continue  # it was the other way round
        scenario = MATRIX.scenario(Place("2", "managed", "snapshot", one, other))
        if scenario is not None and any(found.kind == BROKEN for found in judged(scenario).outcomes):
            broken.add((one, other))
    moved = {"roll-back", "tag-and-roll-back", "publish", "replace-table", "create-or-replace"}
    without = {pair for pair in broken if not moved & set(pair)}
    left = {("expire", "rename-table"), ("expire-below", "rename-table")}
    assert without - left == set(product(("cherry-pick", "fast-forward"), ("overwrite-filter", "replace-partition")))
    assert left <= without
    commits = {other for one, other in broken if one == "roll-back"}
    assert {"append", "change", "delete-row", "overwrite-files", "transaction", "cherry-pick"} <= commits
    assert commits.isdisjoint({"read-twice", "property", "stage", "append-branch", "branch", "tag-below", "expire"})
    assert commits.isdisjoint({"sort", "move", "statistics", "drop-column", "remove-branch", "remove-tag"})


def test_what_goes_by_age_breaks_nothing_but_what_refs_have_said_meanwhile():
    """On the table that has ages: an expiry has chosen by when a ref says what it keeps, by its age; what it names by
    its id it may take. Who replaces the table takes away what main says, and an expiry leaves files of a table that
    has another name by then.
    """
    broken = set()
    for one, other in product(("expire-age", "expire-properties", "retain"), MATRIX.operations):
        scenario = MATRIX.scenario(Place("2", AGED, "snapshot", one, other))
        if scenario is not None and other != "roll-back":
            broken |= {frozenset((one, other)) for found in judged(scenario).outcomes if found.kind == BROKEN}
    expiries = ("expire-age", "expire-properties", "expire")
    replaced = {frozenset(("retain", each)) for each in ("replace-table", "create-or-replace")}
    renamed = {frozenset((expiry, "rename-table")) for expiry in expiries[:2]}
    assert broken == {frozenset(("retain", expiry)) for expiry in expiries} | replaced | renamed


def test_a_roll_back_that_needs_its_head_takes_nothing_with_it():
    """The repair: whoever rolls back is refused if main has moved."""
    for other in (ADDED, ChangeRow(1, "B")):
        assert BROKEN not in outcomes(RollBack(1), other, rules=ROLL_BACK_NEEDS_HEAD)


@pytest.mark.parametrize(
    ("mutant", "one", "other", "before"),
    [
        ("picked-twice", CherryPick(), CherryPick(), (Stage(((5, "s"),)), Append(((6, "z"),)))),
        ("expired-picked", CherryPick(), Expire(1), (STAGED, Append(((6, "z"),)))),
        ("overwrite-picked-anyway", CherryPick(), ADDED, (Stage(((1, "s"), (2, "t")), 0, overwrites=True),)),
        ("outdated-updates-staged", CreateRef("b"), ADDED, ()),
        ("expires-what-refs-point-to", Expire(1), RollBack(1), ()),
    ],
)
def test_a_broken_rule_shows(mutant, one, other, before):
    """What was refused, or kept, is lost."""
    shipped = outcomes(one, other, *before)
    with BY_NAME[mutant].alive():
        assert BROKEN in outcomes(one, other, *before) - shipped


def test_a_cherry_pick_of_what_expires_leaves_its_manifest_behind():
    """Its first attempt has written one, and a NullPointerException is no failure that is cleaned up after."""
    pair = (CherryPick(), Expire(1), STAGED, Append(((6, "z"),)))
    assert BROKEN in outcomes(*pair, properties=("no-leaks",))
    assert BROKEN not in outcomes(*pair)


def test_each_statement_has_words():
    """A verb, and what it is about."""
    assert describe(RollBack(2)) == ("roll back", "2 back")
    assert describe(RollBack(1, anywhere=True))[0] == "set current"
    assert describe(Expire(0))[1] != describe(Expire(1))[1]
    assert describe(STAGED) == ("stage", "row 5 = s, WAP id 7")
    assert describe(OverwriteIn("b", ((4, "z"),)))[0] == "overwrite to branch"
    assert {describe(CreateRef("b"))[0], describe(CreateRef("b", True))[0]} == {"create branch", "create tag"}
    assert {describe(MoveBranch("b", "main"))[0], describe(RemoveRef("b"))[0]} == {"fast-forward", "remove branch"}


def test_other_catalogs_are_refused():
    """A history's places are the versions of one register."""
    expected = "catalog: expected java-api or rest or jdbc or hadoop for statements that manage snapshots"
    with pytest.raises(ValueError, match=expected):
        IcebergWorkload((("w1", (RollBack(1),)),), catalog="hive-lock")


def test_a_roll_back_behind_an_equality_delete_brings_its_row_back():
    """What it writes is what differs between the two snapshots, deletes of both kinds applied."""
    history = (Append(((2, "b"),)), DeleteWhere(2))
    run = Runner(race("x", "", {"w1": [RollBack(1)]}, catalog="java-api", rows=((1, "a"),), history=history)).run(
        Deviations()
    )
    done = next(event for event in run.events if event.process == "w1" and event.type == "ok")
    assert run.failure is None
    assert [(write.key, write.value) for write in done.writes] == [("row:2", "b")]
