"""Speed of Iceberg's model and of PyIceberg under the scheduler: `make bench`. Nothing here asserts a time."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyiceberg.catalog.memory import InMemoryCatalog

from lakeproof.scenarios import built_in
from model.iceberg import IcebergTable, create_table, open_table
from sim.iceberg.calls import call
from sim.iceberg.java_matrix import cell
from sim.iceberg.python.matrix import cell as pyiceberg_cell
from sim.iceberg.statements import Append, Overwrite, SetProperty
from sim.kernel.choices import Choices
from sim.kernel.escape import guarded
from sim.kernel.kernel import Kernel
from sim.search.matrix import Place
from sim.search.run import Runner
from sim.search.strategies import FirstCome, RandomWalk
from sim.world.simulation import Simulation
from tests.benchmarks.conftest import Bench, spent_since

TABLE = "db.t"
SIZES = {"short": 50, "long": 1000}
"""How much the table has had before: a figure is what a commit costs after the long past, in terms of the short one."""


@pytest.mark.parametrize("operation", ["append", "overwrite-filter", "delete-row"])
def test_two_writer_schedules(bench: Bench, operation: str) -> None:
    """An operation against itself, loads and commits as steps; a row delta is Java's way of deleting a row."""
    scenario = cell(Place("2", "file-a-row", "none", operation, operation))
    assert scenario is not None
    runner = Runner(scenario)
    seeds = range(1000 if bench.full else 5)

    @guarded()
    def work() -> float:
        assert all(runner.run(RandomWalk(seed)).complete for seed in seeds)
        return float(len(seeds))

    bench(f"Iceberg {operation}/{operation}, steps load and commit", "schedules/CPU-s", work)


def _appended(merge: bool, number: int) -> Append:
    return Append(((number + 100, "x"),), merge=merge)


PASTS: dict[str, Callable[[int], Any]] = {
    "property changes": lambda number: SetProperty("k", str(number)),
    "snapshots of one file": lambda number: Overwrite(((1, str(number)),), validate=False),
    "manifests": partial(_appended, False),
    "files in merged manifests": partial(_appended, True),
}


def _table(past: Callable[[int], Any], count: int) -> IcebergTable:
    """A table that has had `count` operations, opened by a client that comes to it now."""
    simulation = Simulation(built_in()["iceberg/append-append"], Kernel(Choices(FirstCome())))
    table = create_table(simulation.world("setup"), TABLE, ((1, "a"),), catalog="java-api")
    for number in range(count):
        table.ops.refresh()
        call(table, past(number))
    return open_table(simulation.world("w1"), TABLE, catalog="java-api")


@pytest.mark.parametrize("past", PASTS)
def test_cost_of_a_commit_grows_slowly_with_the_past(bench: Bench, past: str) -> None:
    """Load, append, commit, on tables of short and of long past in turn."""
    sizes = SIZES if bench.full else {"short": 2, "long": 4}
    tables = {name: _table(PASTS[past], count) for name, count in sizes.items()}
    seconds = dict.fromkeys(tables, 0.0)
    times = 10 if bench.full else 1

    def work() -> float:
        for number in range(times):
            for name, table in tables.items():
                begin = time.process_time()
                table.ops.refresh()
                assert call(table, _appended(False, number)).commit
                seconds[name] += spent_since(begin)
        return float(times * len(tables))

    bench(f"Iceberg commits after {past}, {' and '.join(map(str, sizes.values()))} in turn", "commits/CPU-s", work)
    ratio = 100 * seconds["long"] / seconds["short"]
    bench.note(f"Iceberg commit after {past}, {sizes['long']} in terms of {sizes['short']}", ratio, "%")


def _direct(warehouse: Path) -> Callable[[], None]:
    """Two appends by clients that have both loaded the table, by PyIceberg alone."""
    catalog = InMemoryCatalog("direct", warehouse=str(warehouse))
    catalog.create_namespace("db")
    rows = [pa.table({"id": [key], "v": [value]}) for key, value in ((1, "a"), (2, "b"), (11, "A"), (12, "B"))]

    def once() -> None:
        made = catalog.create_table(TABLE, rows[0].schema)
        for one in rows[:2]:
            made.append(one)
        first, second = catalog.load_table(TABLE), catalog.load_table(TABLE)
        first.append(rows[2])
        second.append(rows[3])
        assert len(catalog.load_table(TABLE).scan().to_arrow()) == 4
        catalog.drop_table(TABLE)

    return once


def test_pyiceberg_beside_direct_calls(bench: Bench, tmp_path: Path) -> None:
    """Two appends under the scheduler, history and checks included, and the same calls without it, in turn."""
    scenario = pyiceberg_cell(Place("2", "file-a-row", "snapshot", "fast-append", "fast-append"))
    assert scenario is not None
    runner, direct = Runner(scenario), _direct(tmp_path)
    seconds = {"simulated": 0.0, "direct": 0.0}

    @guarded()
    def simulated(seed: int) -> None:
        assert runner.run(RandomWalk(seed)).complete

    def work() -> float:
        count = 30 if bench.full else 1
        for seed in range(count):
            for name, run in (("simulated", partial(simulated, seed)), ("direct", direct)):
                begin = time.process_time()
                run()
                seconds[name] += spent_since(begin)
        return 2.0 * count

    bench("PyIceberg append/append, simulated and direct in turn", "runs/CPU-s", work, rounds=3)
    ratio = 100 * seconds["simulated"] / seconds["direct"]
    bench.note("PyIceberg run under the scheduler, in terms of direct calls", ratio, "%")


def test_pyiceberg_schedules(bench: Bench) -> None:
    """Every call to the catalog is a step; the table that the race starts from is made once."""
    scenario = pyiceberg_cell(Place("2", "file-a-row", "snapshot", "fast-append", "fast-append"))
    assert scenario is not None
    runner = Runner(scenario)
    seeds = range(60 if bench.full else 2)

    @guarded()
    def work() -> float:
        assert all(runner.run(RandomWalk(seed)).complete for seed in seeds)
        return float(len(seeds))

    bench("PyIceberg append/append", "schedules/CPU-s", work, rounds=3)
