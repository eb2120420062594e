"""Log blocks of a slice, as a reader puts them in order: a compacted block stands where the last of its originals was.

A compacted block has a header with the instants of the blocks that it was made of. Who reads looks at the instants from
the last one to the first: one that a compacted block is made of gives its place to that block, which counts once; one
that is compacted itself has no place of its own. So a compacted block whose originals are all in another slice is not
read at all; and what is between two of its originals, and none of them, comes before it.

Source: `BaseHoodieLogRecordReader.scanInternal`, `COMPACTED_BLOCK_TIMES` of `HoodieLogBlock` (1.2.0);
RFC-48.

Choices: a log file is one block, for each write of table version 8 and more has files of its own.
"""

from collections.abc import Sequence
from typing import NamedTuple

from model.hudi.file_groups import Changes
from model.ports import Body


class CompactedBlock(NamedTuple):
    """What a log file holds that log compaction has written: the instants of what it was made of, and their rows."""

    instants: tuple[int, ...]
    rows: Changes


class Block(NamedTuple):
    """A block in its place: the instant that wrote it, and its rows."""

    instant: int
    rows: Changes


def blocks_in_place(logs: Sequence[tuple[int, Body]]) -> list[Block]:
    """The blocks to be merged, the first one first. Args: `logs`: instant and content of each log file, in order."""
    rows = {instant: rows_in(body) for instant, body in logs}
    into: dict[int, int] = {}
    found: dict[int, None] = {}
    for instant, body in reversed(logs):
        if isinstance(body, CompactedBlock):
            into |= dict.fromkeys(body.instants, into.get(instant, instant))
        else:
            found.setdefault(into.get(instant, instant))
    return [Block(instant, rows[instant]) for instant in reversed(found)]


def rows_in(body: Body) -> Changes:
    """The rows that a data file holds; a log file also those that it deletes. Args: `body`: its content."""
    if isinstance(body, CompactedBlock):
        return body.rows
    assert isinstance(body, tuple), body
    return body
