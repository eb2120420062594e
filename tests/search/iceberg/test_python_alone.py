"""What PyIceberg alone has here: what it ships breaks, what helps holds, and a patch of its code mends it."""

from typing import Any, get_args

import pytest

from sim.generation.draws import replayed, seeded
from sim.iceberg.draw.python_alone import KINDS, of_python_alone
from sim.iceberg.draw.statements import Table
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import AppendTo, CreateRef, Expire, OverwriteIn, Publish, RemoveRef, RollBack
from sim.iceberg.pyiceberg import OF_ROWS, race
from sim.iceberg.python.alone import PYTHON_ALONE
from sim.iceberg.python.catalogs import HIVE, REST, SQL
from sim.iceberg.python_statements import (
    AddFile,
    ChangeSeen,
    EvolveSpec,
    OnBranch,
    OverwriteFiles,
    OverwritePartitions,
    PythonAlone,
    TagAndRollBack,
    Upgrade,
    describe,
)
from sim.iceberg.scenarios import race as race_of_java
from sim.iceberg.workload import Append, Transaction
from sim.kernel.schedule import steps_of
from sim.search.explore import exhaustive
from sim.search.run import Runner
from sim.search.strategies import Deviations
from sim.world.later import Later
from sim.world.scenario import Scenario
from tests.search.iceberg.pyiceberg_repairs import REPAIRS

APPENDED = (Append(((3, "c"),)),)
BROKEN = {one.name: one for one in PYTHON_ALONE if one.expect == "violated"}
PYICEBERG = GENERATOR.configurations["PyIceberg"]
ON_TABLES = {Upgrade, OverwriteFiles}
"""Those that are drawn where other tables are asked for (`test_pyiceberg_tables.py`)."""


def sent_in(scenario: Scenario) -> set[type]:
    """The kinds of statements of a race."""
    assert isinstance(scenario.program, Later)
    writers: Any = scenario.program.arguments[0]
    return {type(one) for _, todo in writers for one in todo}


@pytest.mark.parametrize("scenario", PYTHON_ALONE, ids=lambda one: one.name)
def test_each_scenario_comes_out_as_it_says(scenario):
    """In every order of the calls to the catalog."""
    result = exhaustive(scenario, limit=200)
    assert result.complete
    assert result.as_expected


@pytest.mark.parametrize("name", BROKEN)
def test_a_patch_of_the_library_mends_it(name):
    """The same scenario holds in every order."""
    with REPAIRS[name].alive():
        result = exhaustive(BROKEN[name], limit=200)
        assert result.complete
        assert result.failures == {}
    assert exhaustive(BROKEN[name], limit=200).failures != {}


def test_a_roll_back_behind_a_tag_undoes_another_one_by_the_same_defect():
    """Who goes back further has its rows there again; the same patch refuses the second."""
    writers = {"w1": [TagAndRollBack("t1", 2)], "w2": [TagAndRollBack("t2", 1)]}
    history = (Append(((3, "c"),)), Append(((4, "d"),)))
    scenario = race("x", "", writers, history=history, properties=("acknowledged-writes-survive",))
    assert set(exhaustive(scenario, limit=200).failures) == {"acknowledged-writes-survive/resurrected-row"}
    with REPAIRS["pyiceberg/tag-roll-back-append"].alive():
        result = exhaustive(scenario, limit=200)
        assert result.complete
        assert result.failures == {}


@pytest.mark.parametrize("catalog", [SQL, REST])
def test_the_roll_back_takes_an_append_with_it_in_the_librarys_own_catalogs(catalog):
    """Its requirements are made by the transaction, whatever the catalog is."""
    writers: Any = {"w1": [TagAndRollBack("t")], "w2": [Append(((4, "x"),))]}
    scenario = race("x", "", writers, history=APPENDED, but=OF_ROWS, catalog=catalog)
    assert list(exhaustive(scenario, limit=200).failures) == ["acknowledged-writes-survive/lost-row"]


def test_it_does_in_hives_catalog_as_well():
    """The lock is taken when the transaction has long been made."""
    writers: Any = {"w1": [TagAndRollBack("t")], "w2": [Append(((4, "x"),))]}
    scenario = race("x", "", writers, history=APPENDED, but=OF_ROWS, catalog=HIVE)
    run = Runner(scenario).play(steps_of("w1:lock w2:end w1:end"))
    assert run.failure == "acknowledged-writes-survive/lost-row"


def test_a_roll_back_that_tags_the_head_writes_what_one_without_a_tag_does():
    """And the tag is there."""
    told = []
    for statement in (RollBack(1), TagAndRollBack("t")):
        run = Runner(race("x", "", {"w1": [statement]}, history=APPENDED)).run(Deviations())
        assert run.failure is None
        told.append([(event.type, event.writes) for event in run.events if event.process == "w1"])
    assert told[0] == told[1]


def test_a_tag_that_is_gone_is_a_read_that_fails_and_one_that_is_there_is_none():
    """The rows of main are read all the same."""
    writers: Any = {"w1": [CreateRef("t", tag=True, back=1)], "w2": [Expire(1)]}
    ended = []
    exhaustive(
        race("x", "", writers, history=APPENDED, but=OF_ROWS),
        limit=200,
        each=lambda run: ended.append([one.error for one in run.events if one.process == "r-final" and one.error]),
    )
    assert {tuple(errors) for errors in ended} == {(), ("unreadable: there is no tag t",)}


def test_a_row_that_was_not_there_when_it_was_read_is_not_changed():
    """No commit is asked for."""
    run = Runner(race("x", "", {"w1": [ChangeSeen(7, "x")]})).run(Deviations())
    done = [event for event in run.events if event.process == "w1" and event.type == "ok"]
    assert [(event.commit, event.writes) for event in done] == [(None, ())]


def test_each_kind_of_race_is_drawn_and_nothing_fails_in_it():
    """Every statement that is PyIceberg's alone, and none of them in other races."""
    about, alone, of_specs, in_branches = set(), set(), set(), set()
    for seed in range(480):
        scenario, draws = GENERATOR.drawn(seeded(seed), PYICEBERG)
        drawn = {name: chosen for name, _, chosen in draws.drawn}
        sent = sent_in(scenario)
        if "is there" in drawn:
            assert not scenario.faults.limit
            in_branches |= sent
        elif "partitioned by" in drawn:
            assert not scenario.faults.limit
            of_specs |= sent
        elif "about" in drawn:
            assert not scenario.faults.limit
            about.add(drawn["about"])
            alone |= sent
        else:
            assert not any(issubclass(one, PythonAlone) for one in sent)
    assert about == set(range(len(KINDS)))
    assert set(get_args(PythonAlone)) - ON_TABLES <= alone | of_specs | in_branches
    assert in_branches >= {OnBranch, AppendTo, OverwriteIn, RemoveRef, Publish, Transaction}
    assert of_specs >= {EvolveSpec, OverwritePartitions}


def test_a_race_that_is_drawn_without_it_is_as_it_was():
    """Its draws end before."""
    scenario, draws = GENERATOR.drawn(replayed(""), PYICEBERG)
    assert sent_in(scenario) == {Append}
    assert of_python_alone(draws, Table(draws, in_sql=False, plain=True)) is None


def test_their_words_name_them():
    """As a history has them."""
    assert describe(TagAndRollBack("t", 2)) == ("tag and roll back", "t, 2 back")
    assert describe(EvolveSpec("bucket[2]")) == ("update spec", "partitioned by bucket[2] of id")
    assert describe(OverwritePartitions(((1, "x"),))) == ("overwrite partitions", "row 1 = x")
    assert describe(AddFile(9)) == ("add file", "of row 9 = f9")
    assert describe(ChangeSeen(1, "x")) == ("change what was read", "row 1 = x")


def test_the_java_api_has_none_of_them():
    """It says so."""
    scenario = race_of_java("x", "", {"w1": [AddFile(9)]}, catalog="java-api")
    with pytest.raises(TypeError, match=r"AddFile\(id=9\): expected one of the Java API, got one of PyIceberg alone"):
        Runner(scenario).run(Deviations())


def test_what_is_added_before_the_race_is_refused():
    """By whoever looks for it."""
    run = Runner(race("x", "", {"w1": [AddFile(9), AddFile(9)]}, but={"no-spurious-refusal": "it is there"})).run(
        Deviations()
    )
    assert run.failure is None
    done = [event for event in run.events if event.process == "w1" and event.type != "invoke"]
    assert [event.type for event in done] == ["ok", "fail"]
    assert "already referenced by table" in (done[1].error or "")
    assert done[1].writes == ()
