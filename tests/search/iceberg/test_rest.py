"""The REST catalog as it is, and a catalog that compares pointers: every schedule of a pair on both, judged."""

import pytest

from model.iceberg.rules import EXPIRY_ASSERTS_REFS, SHIPPED
from sim.iceberg.built_in.managed import KEPT
from sim.iceberg.built_in.rest import REST, over_rest
from sim.iceberg.managing import CherryPick, CreateRef, Expire, RollBack, Stage
from sim.iceberg.scenarios import CATALOG_STEPS, race
from sim.iceberg.statements import AddColumn
from sim.iceberg.workload import Append
from sim.search.explore import default_plan
from sim.search.matrix import BROKEN, OK, REFUSED, judged
from tests.mutants.iceberg import BY_NAME

ADDED, STAGED = Append(((3, "x"),)), Stage(((5, "s"),), 7)


def outcomes(catalog, one, other, *before, rules=SHIPPED):
    """What all schedules of a pair come to: ok, who is refused and why, what is broken."""
    scenario = race(
        "rest", "", {"w1": [one], "w2": [other]}, properties=KEPT, catalog=catalog, rules=rules, rows=((1, "a"),),
        history=(Append(((2, "b"),)), *before), yield_points=CATALOG_STEPS,
    )  # fmt: skip
    found = judged(scenario)
    assert found.complete
    return {
        f"{each.kind} {each.detail}" if each.kind == REFUSED else f"{each.kind} {each.detail}".split(":")[0].strip()
        for each in found.outcomes
    }


LOST, UNREADABLE = f"{BROKEN} acknowledged-writes-survive", f"{BROKEN} readable"
TOO_LATE = {"refused w1 (ValidationFailed)", "refused w1 (InvalidOperation)"}


@pytest.mark.parametrize(
    ("one", "other", "before", "rest", "register"),
    [
        (AddColumn("c"), ADDED, (), {OK}, {OK, "refused w1 (CommitFailed)"}),
        (AddColumn("c"), AddColumn("d"), (), {f"refused w{n} (CommitFailed)" for n in (1, 2)}, None),
        (CreateRef("b"), ADDED, (), {OK, "refused w1 (CommitFailed)"}, None),
        (CreateRef("b"), CreateRef("c"), (), {OK, *(f"refused w{n} (CommitFailed)" for n in (1, 2))}, None),
        (Expire(1), ADDED, (), {OK}, None),
        (
            RollBack(1), Expire(1), (), {OK, LOST, "refused w1 (BadRequest)", *TOO_LATE},
            {OK, "refused w2 (InvalidOperation)", *TOO_LATE},
        ),
        (CherryPick(), Expire(1), (STAGED, Append(((6, "z"),))), {OK, UNREADABLE, *TOO_LATE}, {OK, *TOO_LATE}),
        (
            CherryPick(), Expire(1), (STAGED,), {OK, LOST, "refused w1 (BadRequest)", *TOO_LATE},
            {OK, "refused w2 (InvalidOperation)", *TOO_LATE},
        ),
    ],
)  # fmt: skip
def test_a_pair_comes_to_what_its_requirements_allow(one, other, before, rest, register):
    """Over REST, and, where that differs, on a register that compares versions."""
    assert outcomes("rest", one, other, *before) == rest
    assert outcomes("java-api", one, other, *before) == (rest if register is None else register)


def test_an_expiry_that_requires_refs_leaves_main_where_it_is():
    """The repair: nothing is lost, and whoever comes second is told so."""
    found = outcomes("rest", RollBack(1), Expire(1), rules=EXPIRY_ASSERTS_REFS)
    assert found == {OK, "refused w1 (BadRequest)", "refused w2 (InvalidOperation)", *TOO_LATE}


def test_a_column_disappears_if_the_schema_is_not_required_to_be_what_it_was():
    """Both are told that they succeeded: the first column is gone."""
    with BY_NAME["schema-not-asserted"].alive():
        assert outcomes("rest", AddColumn("c"), AddColumn("d")) == {OK}


@pytest.mark.parametrize("scenario", REST, ids=[scenario.name for scenario in REST])
def test_the_default_search_says_what_the_scenario_expects(scenario):
    """The losses are found within ten schedules."""
    found = default_plan(scenario)
    assert found.verdict == ("violated" if scenario.broken else "holds")
    assert [key.split("/")[0] for key in found.failures] == ([scenario.broken] if scenario.broken else [])
    assert not scenario.broken or found.schedules <= 10


def test_the_live_counterpart_is_the_java_api_on_rest():
    """With what its gate can inject; keys are sent by HTTP, which is not there."""
    scenario = over_rest("x", "", {"w1": [ADDED]})
    assert scenario.live is not None
    assert scenario.live.system == "iceberg-java-on-rest"
