"""Iceberg's Hive catalog in real Spark over real metastores: the table of cells and the step lists, simulated and live.

The outcome of a cell is a matter of order or of the cell, never of both sides' luck: each losing cell is played in an
order that loses nothing, too, and each test fails if the gates are ignored.
"""

from dataclasses import replace

import pytest

from checkers.verdict import quick
from real_backend.hive.conformance import VARIANTS
from real_backend.iceberg.conformance_over_metastores import conform, live_steps
from real_backend.iceberg.history import history_of
from sim.generation.draws import seeded
from sim.iceberg.generate import GENERATOR
from sim.iceberg.metastore_cells import CELLS, LOST, Cell
from sim.iceberg.over_metastores import POLLED_LATE, STEP_LISTS, composite
from sim.iceberg.race import IcebergRace
from sim.iceberg.wide_over_metastores import SHIPPED_CACHES, orphaned, wide_composite
from sim.iceberg.wide_over_metastores import acknowledged as acknowledged_commits
from sim.iceberg.workload import Insert, Select
from sim.search.run import Runner
from sim.search.strategies import walk_of
from tests.live.hive.agreement import both_iceberg

pytestmark = pytest.mark.live
AFTER = "w1:end h2.poll h2.apply w2:end"
WALKS = 40
GENERATED = (
    "Hive catalog, a metastore cached by events", "Hive catalog, metastores cached by events",
    "Hive catalog without lock, caches that compare",
    "Hive catalog without lock, caches that compare and do not replay",
)  # fmt: skip
MODIFIED = "has been modified concurrently"
KEPT = {  # per losing cell: an order of the same steps in which nothing is lost
    Cell("shipped", True, 2): AFTER,
    Cell("cas", True, 2): AFTER,
    Cell("cas-no-replay", True, 2): AFTER,
    Cell("cas", False, 2): AFTER,
}


def in_one_go(cell):
    """One writer after the other."""
    return "w1:end w2:end" if cell.replicas == 1 or cell.lock or cell.cache != "cas" else POLLED_LATE


def side_by_side(cell):
    """Both have read the table and written their files before either commits."""
    step = "lock" if cell.lock else "alter_table"
    return f"w1:{step} w2:{step} w1:end w2:end"


def acknowledged(run):
    """Rows of inserts that were acknowledged."""
    done = [command.statement.rows[0] for command in run.commands if command.outcome == "ok"]
    return {*run.workload.rows, *done}


def lost(run):
    """Acknowledged rows that are not there."""
    return sorted(acknowledged(run) - set(run.rows))


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_cell_of_the_table(iceberg_on_hive, cell):
    """Cache off, shipped, expected parameter passed on, no write back; lock on and off; one replica and two."""
    scenario = composite(cell)
    run = both_iceberg(iceberg_on_hive, scenario, in_one_go(cell))
    assert bool(lost(run)) == (cell in LOST)
    if cell in LOST:
        assert lost(both_iceberg(iceberg_on_hive, scenario, KEPT[cell])) == []
    elif cell.cache == "shipped" and not cell.lock:
        assert [command.outcome.split(":")[0] for command in run.commands] == ["CommitStateUnknownException"] * 3
        assert run.rows == run.workload.rows
    else:
        assert lost(both_iceberg(iceberg_on_hive, scenario, side_by_side(cell))) == []


@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.cache in SHIPPED_CACHES], ids=lambda cell: cell.name)
def test_three_writers_on_what_ships_orphan_as_many_commits_as_simulated(iceberg_on_hive, cell):
    """The first walk that orphans a commit, where there is one; else the first."""
    scenario = wide_composite(cell)
    runs = [Runner(scenario).run(walk_of(seed, 60)) for seed in range(WALKS)]
    run = next((one for one in runs if orphaned(one.events)), runs[0])
    assert scenario.live is not None
    given = scenario.live.workload
    live = iceberg_on_hive.run(given.workload, live_steps(run), given.routes, VARIANTS[given.cache])
    assert conform(run, live).differences == ()
    events = history_of(live).events
    assert len(acknowledged_commits(events)) == len(acknowledged_commits(run.events))
    assert len(orphaned(events)) == len(orphaned(run.events))
    assert bool(orphaned(events)) == (cell in LOST)


@pytest.mark.parametrize("steps", STEP_LISTS, ids=lambda steps: steps.name)
def test_step_list(iceberg_on_hive, steps):
    """r2 closed: the lock does not help; comparing does; a replayed alter defeats it; without the replay it holds."""
    run = both_iceberg(iceberg_on_hive, steps.scenario(), steps.steps)
    assert run.outcome("w1") == "ok"
    if steps.outcome == "lost":
        assert run.outcome("w2") == "ok"
        assert len(lost(run)) == 1
    else:
        assert MODIFIED in run.outcome("w2")
        assert lost(run) == []


def test_lock_was_held_and_the_check_behind_it_read_the_cache(iceberg_on_hive):
    """Both writers lock, read and alter one after the other; the second reads the table from before the first."""
    run = both_iceberg(iceberg_on_hive, STEP_LISTS[0].scenario(), STEP_LISTS[0].steps)
    kept = [step.split("=")[0] for step in run.trace if step.split(".")[1].startswith(("lock", "alter", "unlock"))]
    assert kept == [f"{actor}.{step}" for actor in ("w1", "w2") for step in ("lock", "alter_table", "unlock")]
    first, second = run.commands
    assert first.start == second.start
    assert lost(run) == [(10, "w1-10")]


def test_what_a_session_read_is_what_spark_has_told_it(iceberg_on_hive):
    """It reads its own row, of a snapshot that no version of the table holds in the end."""
    scenario = composite(Cell("shipped", True, 2))
    assert scenario.live is not None
    assert isinstance(scenario.program, IcebergRace)
    writers = (("w1", (Insert(((10, "x"),)), Select())), ("w2", (Insert(((20, "y"),)),)))
    workload = replace(scenario.live.workload.workload, writers=writers)
    live = replace(scenario.live, workload=replace(scenario.live.workload, workload=workload))
    scenario = replace(scenario, program=replace(scenario.program, workload=workload), live=live)
    run = both_iceberg(iceberg_on_hive, scenario, "w1:end w2:end")
    assert [command.seen for command in run.commands if command.statement == Select()] == [(((1, "a"), (10, "x")),)]
    assert run.rows == ((1, "a"), (20, "y"))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("configuration", GENERATED)
def test_generated_races_do_the_same_on_live_metastores(iceberg_on_hive, configuration, seed):
    """Inserts, deletes, updates and readers on a table with a past, each writer at its metastore."""
    scenario = played(configuration, seed)
    run = Runner(scenario).run(walk_of(seed, 60))
    given = scenario.live.workload
    live = iceberg_on_hive.run(given.workload, live_steps(run), given.routes, VARIANTS[given.cache])
    assert conform(run, live).differences == (), scenario.name
    assert quick(history_of(live), scenario.properties) == run.failure


def played(configuration, seed):
    """The first generated race from this seed on that has a live counterpart."""
    settings = GENERATOR.configurations[configuration]
    scenarios = (GENERATOR.make(seeded(seed + 1_000 * more), settings) for more in range(100))
    return next(scenario for scenario in scenarios if scenario.live is not None)
