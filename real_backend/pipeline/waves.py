"""Waves: some slices run together, and kept together or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import pyarrow.parquet as pq

from real_backend.pipeline.folder import Folder
from real_backend.pipeline.schema import TABLES, SliceRow, table_of
from real_backend.pipeline.slices import Slice, SliceRows, run_slice

Done = Callable[[int], None]
"""Told how many slices of a wave, or tasks, are done."""
Work = Callable[[str], str]
"""Work that can travel: from text to text, and the same each time."""


class Engine(Protocol):
    """What runs slices.

    Args: `name` is told in the manifests; `cores` is how many slices it runs at once.
    """

    @property
    def name(self) -> str: ...
    @property
    def cores(self) -> int: ...

    def make(self, staging: Path, slices: Sequence[Slice], done: Done) -> list[SliceRow]:
        """Run `slices` and write each table into its folder below `staging`; tell `done` how many are ready.

        Returns: the row of each slice.
        """

    def each(self, work: Work, tasks: Sequence[str], done: Done) -> list[str]:
        """Run `work`, a function of a module, on each of the `tasks`; tell `done` how many are ready.

        Returns: what each gave, in order.
        """


class InProcess:
    """Runs slices here, one after the other."""

    name, cores = "in-process", 1

    def make(self, staging: Path, slices: Sequence[Slice], done: Done) -> list[SliceRow]:
        """As `Engine.make`."""
        made: list[SliceRows] = []
        for number, each in enumerate(slices, 1):
            made.append(run_slice(each))
            done(number)
        for table, row in TABLES.items():
            (staging / table).mkdir()
            rows = [one for rows in made for one in getattr(rows, table)]
            pq.write_table(table_of(row, rows), staging / table / "part-0.parquet", compression="zstd")
        return [rows.summary for rows in made]

    def each(self, work: Work, tasks: Sequence[str], done: Done) -> list[str]:
        """As `Engine.each`."""
        made = []
        for number, task in enumerate(tasks, 1):
            made.append(work(task))
            done(number)
        return made


def run_wave(
    folder: Folder, engine: Engine, slices: Sequence[Slice], done: Done = lambda number: None
) -> list[SliceRow]:
    """Run `slices` on the engine and keep what they give as the folder's next wave.

    Returns: the row of each slice. Whatever ends it early, an interrupt say: nothing of the wave is kept.
    """
    wave = max(folder.waves(), default=0) + 1
    staging, before = folder.staging(wave), time.monotonic()
    rows = engine.make(staging, slices, done)
    folder.commit(wave, staging, slices, rows, engine=engine.name, wall_s=round(time.monotonic() - before, 3))
    return rows
