"""The page of guarantees: what it calls broken breaks as it says, and nothing else does in schedules of its own."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from lakeproof.protocols import known_properties
from lakeproof.scenarios import find_named
from sim.generation.sweep import sweep
from sim.hive.race import HiveRace
from sim.kernel.schedule import parse
from sim.search.run import Runner
from sim.search.script import EVERY
from tests.search import guarantees
from tests.search.guarantees import CACHES, KINDS, PLAN, Cell, asked_of, begun, look, scenario_of
from tests.search.guarantees_page import CELLS, FOLDER, LEAST, PAGE, kept, matrix, page
from tests.unit.lakeproof.scenario_files import ROOT

KEPT = kept(ROOT / CELLS)
BROKEN = [(cell, name) for cell in KEPT.values() for name in cell.broken]
SAMPLE, UNSEEN = 300, 10_000_000
"""How many schedules are run of each cell, and from which seed on: none of those that the page is made of."""


def schedule_at(cell: Cell, name: str) -> Path:
    """The schedule that breaks a property."""
    return ROOT / FOLDER / cell.broken[name]


@pytest.mark.parametrize(("cell", "name"), BROKEN, ids=[f"{cell.cache}-{cell.kind}-{name}" for cell, name in BROKEN])
def test_a_guarantee_that_is_called_broken_breaks_in_its_schedule(cell: Cell, name: str) -> None:
    """Played from its file; and it is a run of this cache."""
    known_properties()
    schedule = parse(schedule_at(cell, name).read_text(encoding="utf-8"))
    scenario = find_named(schedule.scenario, None, "the page").scenario
    assert schedule.scenario.split("/")[2] == CACHES[cell.cache].rules
    steps = None if schedule.yield_points == EVERY else schedule.yield_points
    runner = Runner(replace(scenario, properties=(name,), yield_points=steps))
    assert (runner.play(schedule.steps).failure or "").partition("/")[0] == name


@pytest.mark.search
@pytest.mark.parametrize("cell", KEPT.values(), ids=[f"{cell.cache}-{cell.kind}" for cell in KEPT.values()])
def test_a_guarantee_that_is_said_to_hold_holds_in_other_schedules(cell: Cell) -> None:
    """All that hold are asked at once, of scenarios that the page has not seen."""
    schedules, seed = 0, UNSEEN
    while schedules < SAMPLE:
        scenario = scenario_of(CACHES[cell.cache], cell.kind, seed)
        seed += 1
        if scenario is None:
            continue
        assert isinstance(scenario.program, HiveRace)
        asked = tuple([name for name in cell.held if name != "convergence" or scenario.program.drains])
        swept = sweep(replace(scenario, properties=asked), PLAN)
        assert (swept.failures, swept.endless) == ({}, 0)
        schedules += swept.schedules


def test_every_cell_was_searched_for_long_enough_by_several_writers() -> None:
    """Each cache and kind of tables; every property is broken or was judged; caches have served reads."""
    assert list(KEPT) == [(cache, kind) for cache in CACHES for kind in KINDS]
    for (name, kind), cell in KEPT.items():
        cache = CACHES[name]
        assert sorted([*cell.held, *cell.broken]) == sorted(asked_of(cache, kind))
        assert cell.schedules >= LEAST or not cell.held
        assert cell.several > cell.schedules // 3
        assert all(judged > cell.schedules // 3 for judged in cell.held.values())
        assert bool(cell.hits) == (kind in cache.keeps)


def test_the_page_and_the_readme_say_what_is_kept() -> None:
    """And no schedule is left over."""
    cells = list(KEPT.values())
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(cells)
    assert "".join(matrix(cells)) in (ROOT / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in (ROOT / FOLDER).iterdir()} - {CELLS.name}
    assert files == {schedule_at(cell, name).name for cell, name in BROKEN}


def test_what_breaks_hides_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenario in which a property breaks is asked again, without it; and what held before counts no more."""
    asked: list[tuple[str, ...]] = []

    def remembering(scenario, plan):
        asked.append(scenario.properties)
        return sweep(scenario, plan)

    monkeypatch.setattr(guarantees, "sweep", remembering)
    monkeypatch.setattr(guarantees, "smallest", lambda cell, name, run: run.failure)
    cell = begun(CACHES["shipped"], "managed")
    look(cell, 400)
    assert {"freshness", "read-your-writes"} <= set(cell.broken)
    assert all(failure.startswith(f"{name}/") for name, failure in cell.broken.items())
    again = [after for before, after in pairwise(asked) if set(after) < set(before)]
    assert again
    assert set(cell.held) | set(cell.broken) == set(asked_of(CACHES["shipped"], "managed"))
