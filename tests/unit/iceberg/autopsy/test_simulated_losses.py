"""Losses of shipped PyIceberg under the simulator: what they leave in the store tells the autopsy of them."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from sim.iceberg.pyiceberg import PYICEBERG
from sim.iceberg.python.ports import LOCATION, NAME
from sim.iceberg.python.race import READER, PyIcebergRace
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.world.later import Later
from tests.unit.iceberg.autopsy.tables import examined


@dataclass(frozen=True, slots=True)
class Kept(PyIcebergRace):
    """A race whose files are kept in a folder at its end."""

    folder: Path = Path()

    def finish(self, simulation):
        world = simulation.world(READER)
        for path in world.store.list(LOCATION):
            file = self.folder / path.removeprefix(f"{LOCATION}/t/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(world.store.get(path))
        pointer = world.register.load(NAME).value
        (self.folder / "stands-at").write_text(pointer.rpartition("/")[2])
        super(Kept, self).finish(simulation)


@pytest.fixture
def played(tmp_path):
    """Play a built-in scenario along a schedule; what is broken, and the autopsy of its files."""

    def play(name, schedule):
        scenario = next(one for one in PYICEBERG if one.name == name)
        program = scenario.program
        assert isinstance(program, Later)
        made: Any = program.arguments
        kept = replace(scenario, program=replace(Kept(*made), folder=tmp_path / "t"))
        run = Runner(kept).play(steps_of(schedule))
        stands_at = tmp_path / "t" / "metadata" / (tmp_path / "t" / "stands-at").read_text()
        (tmp_path / "t" / "stands-at").unlink()
        return run, examined(stands_at)

    return play


def test_a_commit_that_landed_and_was_cleaned_up_is_found(played):
    """Its reply is lost, it is sent again and refused, and its writer removes what the table needs."""
    run, found = played("pyiceberg/append-resent", "w1:commit w1.commit!resend")
    assert run.failure is not None
    first = found.findings[0]
    assert (first.kind, first.weight) == ("missing-manifest-list", "damage")
    assert first.do.startswith("readers of branch main fail")


def test_a_race_that_went_well_leaves_nothing_to_find(played):
    """Both appends are there, and no file too much."""
    run, found = played("pyiceberg/append-append", "w1:end w2:end")
    assert run.failure is None
    assert found.findings == ()
