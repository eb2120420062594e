"""PyIceberg's own Hive catalog, unmodified, which renames a table without its lock, and compares nothing."""

from typing import Any

import pytest
from pyiceberg.exceptions import CommitFailedException

from model.ports import CasLost
from sim.iceberg.creating import RenameTable
from sim.iceberg.pyiceberg import race
from sim.iceberg.python.catalogs import HIVE, REST
from sim.iceberg.python.metastore import LOCATED, Connection
from sim.iceberg.workload import Append
from sim.kernel.schedule import steps_of
from sim.search.explore import exhaustive
from sim.search.run import Runner
from tests.mutants.mutant import Mutant

SURVIVE = "acknowledged-writes-survive"
WRITERS: Any = {"w1": [RenameTable()], "w2": [Append(((3, "x"),))]}
STEPS = ("get_table", "rename_table", "alter_table")


def _if_it_is_where_it_was(self: Any, name: str, to: str, parameters: dict[str, str]) -> None:
    expected = (LOCATED, parameters[LOCATED])
    try:
        self._asked(self._world.metastore.rename_table, name, to, parameters, expected)
    except CasLost as lost:
        raise CommitFailedException(str(lost)) from lost


COMPARES = Mutant(
    "pyiceberg-renames-compare", "the metastore compares the location that a rename puts back",
    ((Connection, "_rename", _if_it_is_where_it_was),),
)  # fmt: skip


def renaming(catalog: str, steps: tuple[str, ...]) -> Any:
    """The race of a rename and an append."""
    return race("x", "", WRITERS, catalog=catalog, steps=steps, properties=(SURVIVE, "readable"))


def test_a_rename_takes_back_what_was_committed_beside_it() -> None:
    """Between its look at the table and its alter; both are told of success. Where the location is compared, it is
    refused, and nothing is lost."""
    result = exhaustive(renaming(HIVE, STEPS), limit=400)
    assert result.complete
    assert set(result.failures) == {f"{SURVIVE}/lost-row"}
    with COMPARES.alive():
        mended = exhaustive(renaming(HIVE, STEPS), limit=400)
    assert mended.complete
    assert mended.failures == {}


def test_the_calls_of_a_rename() -> None:
    """A look for the new name, one for the table, the alter, and the table under its new name."""
    run = Runner(renaming(HIVE, STEPS)).play(steps_of("w1:end w2:end"))
    calls = [(row[2], row[3]) for row in run.trace if row[1] == "w1" and row[2] in STEPS]
    assert calls == [
        ("get_table", "db.t-moved"), ("get_table", "db.t"), ("rename_table", "db.t"), ("get_table", "db.t-moved"),
    ]  # fmt: skip
    assert run.failure is None


@pytest.mark.parametrize("catalog", [REST])
def test_over_rest_nothing_is_lost(catalog: str) -> None:
    """The server renames the table as it is."""
    result = exhaustive(renaming(catalog, ()), limit=400)
    assert result.complete
    assert result.failures == {}
