"""PyIceberg on tables that are not new ones of format 2: mutants show, and each kind of table is drawn."""

from collections import Counter

import pytest

from sim.generation.draws import replayed, seeded
from sim.iceberg.draw.python_tables import DELETES, EMPTY, FORMAT_1, PAST, STARTS, UPGRADED
from sim.iceberg.equality import Upsert
from sim.iceberg.generate import GENERATOR
from sim.iceberg.pyiceberg import race
from sim.iceberg.python.table_scenarios import PYTHON_TABLES
from sim.iceberg.python_statements import OverwriteFiles, Upgrade
from sim.iceberg.statements import Append, ChangeRow, DeleteRow, Overwrite
from sim.search.explore import exhaustive
from tests.mutants.pyiceberg_tables import OF_PYTHON_TABLES

BY_NAME = {one.name.removeprefix("pyiceberg/"): one for one in PYTHON_TABLES}
OTHER_TABLES = GENERATOR.configurations["PyIceberg, other tables"]
KILLED = {
    "pyiceberg-new-deletes-not-seen": ("change-beside-row-deltas", "resurrected-row"),
    "pyiceberg-new-deletes-by-file-alone": ("change-beside-row-deltas", "resurrected-row"),
    "pyiceberg-empty-table-not-validated": ("empty-overwrite-overwrite", ""),
}
MUTANTS = {one.name: one for one in OF_PYTHON_TABLES}


@pytest.mark.parametrize("name", MUTANTS)
def test_each_mutant_breaks_a_scenario(name: str) -> None:
    """Which holds without it."""
    scenario, anomaly = KILLED[name]
    with MUTANTS[name].alive():
        found = exhaustive(BY_NAME[scenario], limit=200).failures
    assert any(anomaly in key for key in found)
    assert exhaustive(BY_NAME[scenario], limit=200).failures == {}


def test_of_deletes_by_positions_its_look_at_files_sees_those_of_the_last_commit_alone() -> None:
    """What its look at the filter makes up for: with that left out, one commit is seen, and the first of two is not."""
    with MUTANTS["pyiceberg-new-deletes-by-file-alone"].alive():
        one = race("x", "", {"w1": [ChangeRow(1, "x")], "w2": [DeleteRow(2)]})
        two = race("x", "", {"w1": [ChangeRow(1, "x")], "w2": [DeleteRow(2), Append(((6, "y"),))]})
        assert exhaustive(one, limit=200).failures == {}
        assert exhaustive(two, limit=200).failures != {}


def test_an_upsert_of_a_new_row_is_validated_on_no_table() -> None:
    """As `pyiceberg/upsert-upsert`: beside an overwrite of an empty table it is there twice."""
    asked = race("x", "", {"w1": [Overwrite(((1, "x"),))], "w2": [Upsert(1, "y")]}, rows=())
    assert "acknowledged-writes-survive/duplicated-row" in exhaustive(asked, limit=200).failures


def test_every_kind_of_table_is_drawn_where_they_are_asked_for() -> None:
    """In races whose names make them again without being asked for."""
    starts: Counter[str] = Counter()
    sent: set[type] = set()
    for seed in range(60):
        scenario, draws = GENERATOR.drawn(seeded(seed), OTHER_TABLES)
        drawn = {name: chosen for name, _, chosen in draws.drawn}
        start = STARTS[drawn["starts from"]]
        writers, _, rows, history, properties = scenario.program.arguments[:5]  # type: ignore[attr-defined]  # a `Later`
        sent |= {type(one) for _, todo in writers for one in todo}
        assert (rows == ()) == (start == EMPTY)
        assert (("format-version", "1") in properties) == (start in (FORMAT_1, UPGRADED))
        assert (Upgrade(2) in history) == (start == UPGRADED)
        assert any(isinstance(one, DeleteRow) for one in history) == (start == DELETES)
        assert history or start != PAST
        assert not scenario.faults.limit
        starts[start] += 1
        if seed < 10:
            assert GENERATOR.make(replayed(scenario.name.rpartition("/")[2])).program == scenario.program
    assert sent >= {Upgrade, OverwriteFiles, DeleteRow, Overwrite, Upsert, Append, ChangeRow}
    assert min(starts[start] for start in STARTS) > 3
