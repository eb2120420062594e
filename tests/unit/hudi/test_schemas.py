"""Columns that writers add: who is refused, what is tried again, what is refused when a race is made, what is drawn."""

from typing import Any

import pytest

from model.hudi.config import HudiConfig
from model.hudi.errors import ConfigError, SchemaConflict
from model.hudi.keys import MODE, NON_BLOCKING, OCC, SCHEMA_CONFLICTS, TABLE_TYPE, TABLE_VERSION
from model.hudi.schemas import resolved
from sim.generation.draws import PinError, seeded
from sim.hudi.build import NO_CONTROL, OPTIMISTIC, race
from sim.hudi.built_in.evolving import EVOLVING
from sim.hudi.built_in.non_blocking import NON_BLOCKING as NON_BLOCKING_OPTIONS
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import Archive, Compact, Overwrite, Read, Restore, Savepoint, Update, Upsert
from sim.search.explore import by_deviations
from tests.unit.hudi.vectors import tried

B, C = ("b",), ("c",)
SEEDS = 40


def test_a_schema_conflict_is_not_tried_again():
    """It is none of file groups: Hudi's loop asks for those."""
    assert tried(["SchemaConflict", "ok"], HudiConfig(mode=OCC, conflict_retries=2)) == "SchemaConflict tries=1"


@pytest.mark.parametrize("start", [None, (), B])
def test_whoever_has_what_the_table_has_by_now_is_not_refused(start):
    """Whatever it had at the start."""
    assert resolved(start, B, B) == B
    assert resolved(start, None, C) == C


def test_a_conflict_says_the_three_schemas():
    """The writer's, the start's, and the table's."""
    with pytest.raises(SchemaConflict, match=r"columns c: .*start \(id to ts\), the table has b now"):
        resolved((), B, C)


@pytest.mark.parametrize("columns", ["b", ("id",), ("B",), ("b", "b"), ("_hoodie_x",), (1,)])
def test_columns_that_cannot_be_are_refused(columns):
    """Names are small letters, each once, and none of the first ones."""
    with pytest.raises(ConfigError, match="columns"):
        Upsert(((1, "A"),), columns=columns)


def test_log_files_are_not_compacted_into_one_beside_columns():
    """A compaction into base files is."""
    options = (*OPTIMISTIC, (TABLE_TYPE, "MERGE_ON_READ"))
    race("x", "", {"w1": [Upsert(((1, "A"),), columns=B), Compact()]}, options=options)
    with pytest.raises(ConfigError, match="columns"):
        race("x", "", {"w1": [Upsert(((1, "A"),), columns=B), Compact(logs=True)]}, options=options)


@pytest.mark.parametrize("other", [Update(((1, "B"),)), Overwrite(((1, "B"),)), Savepoint(), Restore(), Archive()])
def test_what_is_not_modelled_beside_columns_is_refused(other):
    """One line names it."""
    with pytest.raises(ConfigError, match="columns"):
        race("x", "", {"w1": [Upsert(((1, "A"),), columns=B)], "w2": [other]})


@pytest.mark.parametrize(
    "options",
    [
        (*OPTIMISTIC, (TABLE_VERSION, "6")),
        NON_BLOCKING_OPTIONS,
    ],
)
def test_tables_on_which_columns_are_not_modelled_are_refused(options):
    """And one that has them not is as before."""
    with pytest.raises(ConfigError, match="columns"):
        race("x", "", {"w1": [Upsert(((1, "A"),), columns=B)]}, options=options)


def test_one_writer_compares_nothing():
    """The check of schemas goes with that of file groups."""
    writers = {"w1": [Upsert(((1, "A"),), columns=B)], "w2": [Upsert(((2, "B"),), columns=C)]}
    scenario = race("x", "", writers, options=NO_CONTROL, properties=("table-invariants",))
    assert set(by_deviations(scenario, 2).failures) == {"table-invariants/column-gone"}


def test_what_a_write_has_is_told():
    """In its words, and among what is unusual of it."""
    scenario = EVOLVING[0]
    assert dict(scenario.parameters)["w1, upsert 1"] == "columns b"


@pytest.mark.parametrize("name", ["columns", "columns-unchecked", "columns-logs", "columns-metadata"])
def test_they_are_drawn_where_they_are_asked_for(name):
    """And a name makes its race again; without them it is the same race, but for who is not modelled beside them."""
    settings = CONFIGURATIONS[name]
    some = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(seeded(seed), settings)
        theirs: Any = GENERATOR.make(seeded(seed), {**settings, SCHEMA_CONFLICTS: "unset"})
        assert mine.program.config.schema_conflicts == (name != "columns-unchecked")
        assert GENERATOR.again(mine.name).program.workload == mine.program.workload  # type: ignore[attr-defined]
        pairs = zip(mine.program.workload.statements, theirs.program.workload.statements, strict=True)
        assert all(isinstance(one, Read) or one.rows == other.rows for one, other in pairs if isinstance(one, Upsert))
        some += mine.program.config.evolved
        assert not theirs.program.config.evolved
    assert some > SEEDS / 2


def test_where_they_cannot_be_asking_for_them_is_refused():
    """One line says what they need."""
    for settings in ({TABLE_VERSION: "6"}, {MODE: NON_BLOCKING}):
        with pytest.raises(PinError, match="hoodie"):
            GENERATOR.make(seeded(0), {SCHEMA_CONFLICTS: "false", **settings})
