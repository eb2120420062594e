"""The generator of Iceberg's races: it draws all that it says, and what it draws shows what is broken."""

from collections import Counter
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.iceberg.spark_reads import By, Since
from sim.generation.draws import PinError, replayed, seeded
from sim.generation.shrink import shrink_all
from sim.generation.sweep import Plan, sweep
from sim.iceberg.by_hand import AppendGiven, ByHand, DeleteElsewhere, OverwriteWhere, SetAndUnset
from sim.iceberg.checked_workload import PRUNES
from sim.iceberg.columns import AddTyped, ChangeType
from sim.iceberg.creating import OfTables
from sim.iceberg.draw.by_hand import RARELY
from sim.iceberg.draw.renaming import RARELY as RENAMES
from sim.iceberg.generate import GENERATOR
from sim.iceberg.incremental import OfPast, ReadAt, ReadSince
from sim.iceberg.known import KNOWN
from sim.iceberg.managing import ReplaceTable
from sim.iceberg.manifests import AppendManifest
from sim.iceberg.options import (  # fmt: skip
    ASKED_ALONE,
    BY_HAND,
    CALLS,
    INCREMENTAL,
    MERGED,
    OF_BRANCHES,
    OF_FILES,
    OF_LAYOUT,
    OF_NAMES,
    OF_SEVERAL,
    OF_SNAPSHOTS,
    OF_SPECS,
)
from sim.iceberg.options import RENAMES as FILE_RENAMES
from sim.iceberg.python_statements import PythonAlone
from sim.iceberg.race import IcebergRace
from sim.iceberg.sql_statements import RewriteInCommits
from sim.iceberg.statement_words import describe
from sim.iceberg.statements import Append, Operation, RemoveWhere, SetProperty, Statement, Transaction
from tests.mutants.iceberg import BY_NAME

SEEDS = 3_000
WHERE_ASKED = (INCREMENTAL, MERGED, *ASKED_ALONE)
SHORT, BRIEF = Plan(first=4, most=4), Plan(first=16, most=48)


@pytest.fixture(scope="module")
def drawn():
    """What was drawn within some seeds, counted: (draw, option)."""
    found: Counter[tuple[str, object]] = Counter()
    for seed in range(SEEDS):
        scenario, draws = GENERATOR.drawn(seeded(seed))
        found.update((name, chosen) for name, _, chosen in draws.drawn)
        found.update(("fault", kind) for kind in scenario.faults.names)
        found.update(("operations hit", name) for name in scenario.faults.kinds if scenario.faults.limit)
        if isinstance(scenario.program, IcebergRace):
            work = scenario.program.workload
            done = [one for _, todo in work.writers for one in todo]
            found.update(("statement", type(one).__name__) for one in done)
            several = [one for one in done if isinstance(one, Transaction)]
            found.update(("step", type(step).__name__) for one in several for step in one.steps)
            found.update(("steps", len(one.steps)) for one in several)
            found.update(("start", one.start) for one in several)
            found.update(("level", getattr(one, "level", "")) for one in done)
            found.update(("format", work.format_version) for _ in range(1))
            found.update(("before", type(one).__name__) for one in work.history)
            found.update(("writers", len(work.writers)) for _ in range(1))
            found[("catalog", work.catalog)] += 1
    return found


def test_every_value_of_every_option_is_drawn(drawn):
    """Each at least ten times."""
    late = {("format-version", "1"): ("format", 1), **{("type", one): ("catalog", one) for one in ("jdbc", "hadoop")}}
    late[FILE_RENAMES.key, "replace"] = ("catalog", "hadoop-replacing")
    late[CALLS.key, BY_HAND] = (CALLS.key, len(RARELY) + 1)
    late |= {(CALLS.key, OF_SNAPSHOTS): ("manages", 2), (CALLS.key, OF_NAMES): ("renames", len(RENAMES) - 1)}
    late |= {(CALLS.key, OF_SPECS): ("specs", 3), (CALLS.key, OF_LAYOUT): ("layout", 1)}
    late |= {(CALLS.key, OF_SEVERAL): ("several tables", 5), (CALLS.key, OF_FILES): ("about", 1)}
    late[CALLS.key, OF_BRANCHES] = ("branches of PyIceberg", 7)
    for option in GENERATOR.options:
        for place, value in enumerate(option.values):
            if value in WHERE_ASKED:
                continue
            counted = late.get((option.key, value), (option.key, place))
            assert drawn[counted] >= 10, (option.key, value)


def test_consumers_are_drawn_where_they_are_asked_for():
    """All ways to read, in races that are as usual else, whose names make them again."""
    found = Counter[str]()
    for seed in range(60):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations["Java API, consumers"])
        assert isinstance(scenario.program, IcebergRace)
        sent = [one for _, todo in scenario.program.workload.writers for one in todo]
        found.update(one.what for one in sent if isinstance(one, ReadSince))
        found.update("a ref" if one.ref else "a snapshot" for one in sent if isinstance(one, ReadAt))
        again = GENERATOR.make(replayed(scenario.name.rpartition("/")[2]))
        assert again.program == scenario.program
    assert min(found[what] for what in ("appends", "changes", "a ref", "a snapshot")) > 4


def test_consumers_in_sql_are_drawn_where_they_are_asked_for():
    """All ways to read, in races whose names make them again; on JDBC those that name nothing inside a table."""
    found = Counter[tuple[str, str]]()
    for seed, name in product(range(60), ("consumers", "JDBC catalog, consumers")):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[name])
        assert isinstance(scenario.program, IcebergRace)
        sent = [one for _, todo in scenario.program.workload.writers for one in todo if isinstance(one, OfPast)]
        found.update((name, one.what if isinstance(one, ReadSince) else one.by) for one in sent)
        again = GENERATOR.make(replayed(scenario.name.rpartition("/")[2]))
        assert again.program == scenario.program
    assert {way for name, way in found if name == "consumers"} == {*get_args(Since), *get_args(By)}
    assert {way for name, way in found if name != "consumers"} == {"appends", "version", "option"}
    assert min(found.values()) > 4


def test_every_kind_of_fault_is_drawn(drawn):
    """On every call of every port that the races make."""
    assert [kind for kind in GENERATOR.faults if drawn["fault", kind] < 5] == []
    calls = (
        "load",
        "commit",
        "get",
        "put",
        "delete",
        "get_table",
        "alter_table",
        "lock",
        "unlock",
        "heartbeat",
        "sleep",
    )
    assert [name for name in calls if drawn["operations hit", name] < 5] == []


def test_every_statement_is_drawn(drawn):
    """In races of Java, but for what replaces, creates or drops a table, what can stand there before a race, and what
    the matrix alone has."""
    alone = (AppendManifest, OverwriteWhere, ReplaceTable, AddTyped, ChangeType, RewriteInCommits, AppendGiven)
    undrawn = (*get_args(OfPast), *alone, *get_args(OfTables), *get_args(PythonAlone), SetAndUnset, DeleteElsewhere)
    every = [one.__name__ for one in get_args(Statement) if one not in undrawn]
    assert [name for name in every if drawn["statement", name] < 10] == []
    before = ("Insert", "Delete", "Update", "Append", "Replace", "DeleteRow")
    assert [name for name in before if drawn["before", name] < 10] == []
    assert {number for name, number in drawn if name == "writers" and isinstance(number, int)} >= {1, 2, 3, 4}


def test_every_operation_is_drawn_in_transactions(drawn):
    """But for those that are given rows for files that another writer may have changed; of two steps, and of three."""
    every = {one.__name__ for one in get_args(Operation)} - {"Overwrite", "Replace", "ReplacePartitions"}
    every -= {"AppendManifest", "AddTyped", "ChangeType"}  # drawn where they are asked for
    assert {name for kind, name in drawn if kind == "step"} == every
    assert [key for key in drawn if key[0] in ("step", "steps", "start") and drawn[key] < 10] == []
    assert {key for key in drawn if key[0] in ("steps", "start")} == {
        ("steps", 2), ("steps", 3), ("start", "begin"), ("start", "own"),
    }  # fmt: skip


def test_every_level_and_every_format_is_drawn(drawn):
    """Formats 1 and 3 of the Java API alone."""
    levels, formats = ("none", "snapshot", "serializable"), (1, 2, 3)
    assert [one for one in levels if drawn["level", one] < 10] == []
    assert [one for one in formats if drawn["format", one] < 10] == []


@pytest.mark.parametrize("seed", [7_037, 7_058, 7_117])
def test_manifests_are_not_rewritten_where_old_metadata_files_are_deleted(seed):
    """Such tables are appended to, and nothing else."""
    scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations["Java API, Hadoop catalog"])
    assert scenario.live is not None
    work = scenario.live.workload
    assert PRUNES in dict(work.table_properties)
    assert {type(one) for _, todo in work.writers for one in todo} == {Append}


@pytest.mark.parametrize(("version", "client"), [("3", "java-api"), ("3", "spark-sql"), ("1", "spark-sql")])
def test_a_format_is_drawn_with_who_can_have_it(version, client):
    """When the race begins. The name makes the same table again; who cannot have it says so in a line."""
    pinned = {"format-version": version, "client": client, "type": "rest"}
    for seed in range(10):
        scenario = GENERATOR.make(seeded(seed), pinned)
        if isinstance(scenario.program, IcebergRace):  # and not one on several tables
            work = scenario.program.workload
            came = SetProperty("format-version", version) in work.history and client == "spark-sql"
            assert came or work.format_version == int(version)
        assert GENERATOR.again(scenario.name).program == scenario.program
    with pytest.raises(PinError, match=f"format-version: expected 2 with client pyiceberg, got {version}"):
        GENERATOR.make(seeded(0), {**pinned, "client": "pyiceberg"})
    with pytest.raises(PinError, match=rf"format-version: expected 2.*, got '?{version}"):
        GENERATOR.make(seeded(0), {**pinned, "client": "spark-sql", "type": "hive"})


def test_format_1_is_refused_where_rows_are_deleted_by_delete_files():
    """In SQL by the modes, which are drawn as they have to be if they are free."""
    mode = {"format-version": "1", "client": "spark-sql", "write.delete.mode": "merge-on-read"}
    with pytest.raises(PinError, match=r"expected 2 or 3 with write\.delete\.mode=merge-on-read, got 1"):
        GENERATOR.make(seeded(0), mode)


def test_calls_by_hand_are_drawn_with_who_can_make_them():
    """In each race of the Java API on one table; anybody else is refused in a line."""
    for seed in range(20):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations["Java API, by hand"])
        assert GENERATOR.again(scenario.name).program == scenario.program
        assert isinstance(scenario.program, IcebergRace)
        work = scenario.program.workload
        calls = [todo[-1] for _, todo in work.writers]
        assert any(
            isinstance(one, ByHand | RemoveWhere)
            or (isinstance(one, Transaction) and one.left_open)
            or one == SetProperty("format-version", "1")
            for one in calls
        )
    for settings in ({"client": "spark-sql"}, {"client": "pyiceberg"}, {"client": "java-api", "type": "hive"}):
        with pytest.raises(PinError, match=r"calls: expected usual with client=.*, got by hand"):
            GENERATOR.make(seeded(0), {**settings, "calls": "by hand"})


def test_format_1_is_an_option_of_what_can_have_it():
    """Its races are made again from their names alone; what cannot have it says so in a line."""
    told, made = set(), 0
    for seed in range(80):
        try:
            scenario = GENERATOR.make(seeded(seed), {"format-version": "1"})
        except PinError as error:
            told.add(str(error))
            continue
        race = scenario.program
        assert isinstance(race, IcebergRace)
        assert race.workload.format_version == 1
        assert GENERATOR.again(scenario.name).program == race
        made += 1
    assert made > 3
    assert {text.split("expected 2 or 3 ")[1] for text in told} >= {
        "with type=hive, got 1", "where rows are deleted by delete files, got 1",
    }  # fmt: skip
    with pytest.raises(PinError, match="format-version: expected 2 with client pyiceberg, got 1"):
        GENERATOR.make(seeded(0), {"client": "pyiceberg", "format-version": "1"})


def test_a_failure_shrinks_to_fewer_steps_and_to_format_2():
    """Half of a transaction that is committed again: two steps are enough, on a table of format 2."""
    with BY_NAME["last-update-applied-again"].alive():
        settings = GENERATOR.configurations["Java API, format 3"]
        found = (sweep(GENERATOR.make(seeded(seed), settings), BRIEF) for seed in range(80))
        lost = (swept.failures.get("acknowledged-writes-survive/lost-row") for swept in found)
        program = shrink_all(GENERATOR, next(filter(None, lost)), budget=6_000).scenario.program
    assert isinstance(program, IcebergRace)
    work = program.workload
    several = [one for _, todo in work.writers for one in todo if isinstance(one, Transaction)]
    assert work.format_version == 2
    assert [len(one.steps) for one in several] == [2]


@given(st.data())
def test_whatever_is_drawn_is_a_race_that_its_name_makes_again(data):
    """Its values are unique, and its statements have words."""
    scenario, draws = GENERATOR.drawn(lambda name, options: data.draw(st.integers(0, options - 1), name))
    again = GENERATOR.again(scenario.name)
    assert (again.bounds, again.faults, again.properties) == (scenario.bounds, scenario.faults, scenario.properties)
    assert GENERATOR.drawn(replayed(draws.text))[1].text == draws.text
    if isinstance(scenario.program, IcebergRace):
        work = scenario.program.workload
        done = [one for _, todo in work.writers for one in todo] + list(work.history)
        assert all(describe(one)[0] for one in done)
        values = [value for one in done for _, value in getattr(one, "rows", ())]
        values += [one.value for one in done if hasattr(one, "value")]
        assert len(set(values)) == len(values)


def test_there_are_ten_configurations_beside_the_default():
    """Each pins every option to a value that it has."""
    assert len(GENERATOR.configurations) >= 11
    assert next(iter(GENERATOR.configurations)) == "default"
    for settings in GENERATOR.configurations.values():
        assert GENERATOR.checked(settings).keys() == {option.key for option in GENERATOR.options}


@pytest.mark.parametrize("name", [name for name in GENERATOR.configurations if "PyIceberg" not in name])
def test_a_configuration_shows_nothing_new_within_a_few_seeds(name):
    """Known findings aside, which have tests of their own."""
    for seed in range(3):
        swept = sweep(GENERATOR.make(seeded(seed), GENERATOR.configurations[name]), SHORT)
        new = [key for key, run in swept.failures.items() if not any(one.property in key for one in KNOWN)]
        assert new == []
        assert not swept.endless
