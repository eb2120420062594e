"""Mutants of what writers do to a table's columns; see `tests.mutants.hudi`."""

from typing import Any

from model.hudi import precommit, write
from model.hudi.clustering import ClusteringClient
from model.hudi.compaction import CompactionClient
from model.hudi.config import HudiConfig
from model.hudi.executing import ExecutingClient
from model.hudi.rules import SHIPPED
from model.hudi.schemas import Columns, Lookup
from model.hudi.timeline import Timeline
from model.hudi.variants import SCHEMA_BY_COMPLETION
from model.ports import Coverage
from tests.mutants.mutant import Mutant


def own_columns(start: Timeline, seen: Timeline, lookup: Lookup, config: HudiConfig, counts: Coverage) -> Columns:
    """A commit says what its writer has, whatever the table has by now."""
    return config.columns


def whatever(*_: Any) -> None:
    """A writer is not refused for a column that its schema lacks."""


def first_columns(client: ExecutingClient, begun: Timeline) -> Columns:
    """A service knows the columns that a table begins with."""
    return ()


SCHEMA_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "columns-not-compared", "a column goes with the next commit of who does not have it",
        ((precommit, "refuse_unlike", own_columns),), SCHEMA_BY_COMPLETION,
    ),
    Mutant(
        "writes-without-columns", "a column goes with the next write of who does not have it",
        ((write, "refuse_missing", whatever),), SCHEMA_BY_COMPLETION,
    ),
    Mutant(
        "clusters-without-columns", "a column goes with clustering",
        ((ClusteringClient, "_columns", first_columns),), SHIPPED,
    ),
    Mutant(
        "compacts-without-columns", "a column goes with a compaction",
        ((CompactionClient, "_columns", first_columns),), SHIPPED,
    ),
)  # fmt: skip
