"""What PyIceberg's own catalogs do with whole tables beside each other, and beside who commits to one."""

from collections import Counter
from typing import Any

import pytest

from sim.generation.draws import replayed, seeded
from sim.iceberg.creating import CreateTable, DropTable, PutTable, RegisterTable, RenameTable
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import AppendTo
from sim.iceberg.pyiceberg import TABLE_IN, race
from sim.iceberg.python.catalogs import HIVE, REST, SQL
from sim.iceberg.python.names import NAMED_ANEW
from sim.iceberg.workload import Append
from sim.kernel.schedule import steps_of
from sim.search.explore import exhaustive, same_twice
from sim.search.run import Runner
from tests.search.iceberg.known_repairs import KNOWN_REPAIRS
from tests.search.iceberg.test_pyiceberg_whole_tables import GONE, LEFT, NEW, OTHER, SOUND, read, told

OWN = (SQL, HIVE)
REGISTERED = RegisterTable(((5, "z"),))
BY_NAME = {one.name.removeprefix("pyiceberg/"): one for one in NAMED_ANEW}
WHOLE_TABLES = GENERATOR.configurations["PyIceberg, whole tables"]


def of(catalog: str, *todo: Any, history: tuple[Any, ...] = (), **further: Any) -> Any:
    """A race of these statements, each of a writer of its own."""
    writers = {f"w{number}": [one] for number, one in enumerate(todo, 1)}
    return race("x", "", writers, catalog=catalog, history=history, loaded=True, properties=SOUND, **further)


@pytest.mark.parametrize("scenario", NAMED_ANEW, ids=lambda one: one.name)
def test_each_scenario_comes_out_as_it_says(scenario: Any) -> None:
    """In every order of the calls to the catalog."""
    result = exhaustive(scenario, limit=200)
    assert result.complete
    assert result.as_expected


def test_an_alter_that_expects_a_location_puts_no_table_back() -> None:
    """The commit is refused, and the table that has the name stays."""
    with KNOWN_REPAIRS["pyiceberg/hive-append-slow"].alive():
        result = exhaustive(BY_NAME["hive-register-append"], limit=200)
    assert result.complete
    assert result.failures == {}


@pytest.mark.parametrize("catalog", OWN)
def test_bytes_of_a_run_repeat(catalog: str) -> None:
    """Names and drops included."""
    assert len({same_twice(of(catalog, DropTable(), NEW), seed) for seed in range(3)}) > 1


@pytest.mark.parametrize("catalog", [*OWN, REST])
@pytest.mark.parametrize(
    ("statement", "history", "said", "left"),
    [
        (NEW, GONE, "ok", {"row:3": "x"}),
        (NEW, (), "TableAlreadyExistsError", LEFT),
        (DropTable(), (), "ok", {}),
        (DropTable(), GONE, "NoSuchTableError", {}),
        (RenameTable(), (), "ok", LEFT),
        (RenameTable(), GONE, "NoSuchTableError", {}),
        (OTHER, GONE, "ok", {"row:4": "y"}),
        (OTHER, (), "TableAlreadyExistsError", LEFT),
        (REGISTERED, GONE, "ok", {"row:5": "z"}),
        (REGISTERED, (), "TableAlreadyExistsError", LEFT),
        (Append(((5, "z"),)), GONE, "NoSuchTableError", {}),
    ],
    ids=str,
)
def test_each_alone_is_told_what_it_has_done(catalog, statement, history, said, left) -> None:
    """In each catalog the same, but for a table that is made in SQL or Hive where there is one: by a commit."""
    made = statement == NEW and said != "ok" and catalog != REST
    run = Runner(of(catalog, statement, history=history)).play(steps_of("w1:end"))
    assert (told(run), read(run)) == (["CommitFailedException" if made else said], left)
    assert run.failure is None


@pytest.mark.parametrize(
    ("catalog", "row", "column", "history", "outcomes"),
    [
        (SQL, NEW, CreateTable(((4, "y"),)), GONE, [
            ("ok", "TableAlreadyExistsError"), ("TableAlreadyExistsError", "ok"), ("ok", "CommitFailedException"),
            ("CommitFailedException", "ok"),
        ]),
        (SQL, REGISTERED, OTHER, GONE, [("ok", "TableAlreadyExistsError"), ("TableAlreadyExistsError", "ok")]),
        (SQL, RenameTable(), DropTable(), (), [("ok", "NoSuchTableError"), ("NoSuchTableError", "ok")]),
        (HIVE, REGISTERED, OTHER, GONE, [
            ("ok", "NoSuchNamespaceError"), ("ok", "TableAlreadyExistsError"), ("TableAlreadyExistsError", "ok"),
        ]),
        (HIVE, RenameTable(), DropTable(), (), [
            ("ok", "NoSuchTableError"), ("NoSuchTableError", "ok"), ("NoSuchNamespaceError", "ok"),
        ]),
        (SQL, AppendTo("b", ((5, "z"),)), DropTable(), (), [("ok", "ok"), ("NoSuchTableError", "ok")]),
    ],
    ids=str,
)  # fmt: skip
def test_two_at_once_lose_nothing_that_was_acknowledged(catalog, row, column, history, outcomes) -> None:
    """In every order of their calls. Of a rename that finds no table, or another one, Hive's says there is no
    database."""
    seen: Counter[tuple[str, ...]] = Counter()
    race_of = of(catalog, row, column, history=history)
    result = exhaustive(race_of, limit=500, each=lambda run: seen.update([tuple(told(run))]))
    assert result.complete
    assert result.failures == {}
    assert {tuple(one) for one in seen if len(one) == 2} == set(outcomes)


def test_whole_tables_are_drawn_where_they_are_asked_for() -> None:
    """In each of its catalogs, in races whose names make them again without being asked for."""
    sent: set[type] = set()
    kinds: Counter[str] = Counter()
    for seed in range(60):
        scenario = GENERATOR.make(seeded(seed), WHOLE_TABLES)
        writers = scenario.program.arguments[0]  # type: ignore[attr-defined]  # a `Later`
        sent |= {type(one) for _, todo in writers for one in todo}
        kinds[dict(scenario.parameters)[TABLE_IN]] += 1
        assert set(scenario.properties) == set(SOUND)
        assert not scenario.faults.limit
        if seed < 10:
            assert GENERATOR.make(replayed(scenario.name.rpartition("/")[2])).program == scenario.program
    assert sent >= {CreateTable, RegisterTable, PutTable, DropTable, RenameTable, Append}
    assert min(kinds[one] for one in (SQL, REST, HIVE)) > 9
