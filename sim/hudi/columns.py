"""Columns that writers of a Hudi race add: who may be beside them, and which are not there when all is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from model.hudi.config import HudiConfig
from model.hudi.errors import ConfigError
from model.hudi.file_groups import CommitMetadata
from model.hudi.keys import MODE, NON_BLOCKING, TABLE_VERSION
from model.hudi.names import completed_path, text
from model.hudi.rules import Rules
from model.hudi.schemas import columns_of_table
from sim.hudi.statements import (
    Clean,
    Cluster,
    Compact,
    DamageMarkers,
    Insert,
    PlanClustering,
    Reading,
    Statement,
    Update,
    Upsert,
)
from sim.hudi.table import files_of, timeline_of
from sim.hudi.workload import HudiWorkload
from sim.world.simulation import Simulation

WITH_COLUMNS = (Upsert, Insert, Cluster, Compact, PlanClustering, Clean, *get_args(Reading), DamageMarkers)
"""What may be beside who adds columns."""


def evolves(workload: HudiWorkload) -> bool:
    """Whether anybody adds columns."""
    return any(isinstance(each, Upsert) and each.columns for each in workload.statements)


def check_evolved(workload: HudiWorkload, config: HudiConfig) -> None:
    """Check that it is modelled what goes on beside who adds columns. Raises: ConfigError."""
    if config.layout == 1 or config.mode == NON_BLOCKING:
        allowed = f"none unless {TABLE_VERSION} is 8 or 9, without {NON_BLOCKING}"
        raise ConfigError("columns", (TABLE_VERSION, config.table_version, MODE, config.mode), allowed)
    others = [each for each in workload.statements if not fits_columns(each)]
    if others:
        allowed = "none but of upserts, beside inserts, clustering, compaction, cleaners and readers"
        raise ConfigError("columns", type(others[0]).__name__, allowed)


def fits_columns(statement: Statement) -> bool:
    """Whether a statement may be beside who adds columns."""
    unlike = isinstance(statement, Update) or (isinstance(statement, Compact) and statement.logs)
    return isinstance(statement, WITH_COLUMNS) and not unlike


def gone_columns(simulation: Simulation, config: HudiConfig, rules: Rules) -> Iterator[str]:
    """The columns that a completed write has and the table lacks, as "kind: text"."""
    if not config.evolved:
        return
    files, seen = files_of(simulation).files, timeline_of(simulation, config.layout)
    said = {}
    for instant in seen.completed:
        body = files[completed_path(config.layout, instant.requested, instant.action, instant.completed or 0)][0]
        said[instant] = body if isinstance(body, CommitMetadata) else None
    names = [(text(instant.requested), body.columns) for instant, body in said.items() if body is not None]
    yield from gone(names, columns_of_table(seen, said.get, rules))


def gone(said: Iterable[tuple[str, tuple[str, ...]]], there: tuple[str, ...]) -> Iterator[str]:
    """The same of what completed instants have said, by their times, and of the columns that are there."""
    for instant, columns in said:
        for name in columns:
            if name not in there:
                yield f"column-gone: the table has no column {name}, with which {instant} is completed"
