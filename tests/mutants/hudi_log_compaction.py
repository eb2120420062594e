"""Mutants of log compaction; see `tests.mutants.hudi`."""

from typing import Any

from model.hudi import log_compaction, slices
from model.hudi.log_blocks import Block, CompactedBlock, blocks_in_place, rows_in
from model.hudi.log_compaction import LogCompactionClient
from model.hudi.rules import SHIPPED
from tests.mutants.mutant import Mutant, Patch

Logs = list[tuple[int, Any]]


def where_they_stand(logs: Logs) -> list[Block]:
    """A compacted block is merged where its file is: last."""
    return [Block(instant, rows_in(body)) for instant, body in logs]


def compacted_alone(logs: Logs) -> list[Block]:
    """What is not compacted is not read where something is."""
    if any(isinstance(body, CompactedBlock) for _, body in logs):
        return [block for block in blocks_in_place(logs) if isinstance(dict(logs)[block.instant], CompactedBlock)]
    return blocks_in_place(logs)


def backwards(logs: Logs) -> list[Block]:
    """The first block counts."""
    return blocks_in_place(logs)[::-1]


def nothing(client: LogCompactionClient, instant: int) -> None:
    """It stays."""


def _read(variant: Any) -> tuple[Patch, ...]:
    return ((slices, "blocks_in_place", variant),)


LOG_COMPACTION_MUTANTS: tuple[Mutant, ...] = (
    Mutant("compacted-block-last", "what was written meanwhile is changed back", _read(where_they_stand), SHIPPED),
    Mutant("compacted-block-alone", "what was written since is lost", _read(compacted_alone), SHIPPED),
    Mutant("compacts-logs-backwards", "an older value is kept", (
        (log_compaction, "blocks_in_place", backwards),
    ), SHIPPED),
    Mutant("log-compaction-markers-stay", "markers stay", (
        (LogCompactionClient, "_delete_markers", nothing),
    ), SHIPPED),
)  # fmt: skip
