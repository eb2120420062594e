"""What the bounds of a race say of its writers and its table."""

from __future__ import annotations

from collections.abc import Sequence

from model.iceberg.partitioning import Field
from sim.world.words import counted


def partitions_in_words(field: Field | None) -> str:
    """What a table is partitioned by, as words to add. Examples: ", 2 ids a partition", ", 3 buckets"."""
    if field is None:
        return ""
    buckets = field.transform == "bucket"
    return f", {counted(field.width, 'bucket')}" if buckets else f", {counted(field.width, 'id')} a partition"


def in_words(writers: Sequence[tuple[str, Sequence[object]]], files: int, retries: int, version: int = 2) -> str:
    """Example: "2 writers, 1 statement each; format 2, 1 file, 3 retries"."""
    counts = [len(statements) for _, statements in writers]
    each = counted(counts[0], "statement") + (" each" if len(counts) > 1 else "")
    if len(set(counts)) > 1:
        each = f"{', '.join(map(str, counts[:-1]))} and {counts[-1]} statements"
    table = f"format {version}, {counted(files, 'file')}, {counted(retries, 'retry', 'retries')}"
    return f"{counted(len(counts), 'writer')}, {each}; {table}"
