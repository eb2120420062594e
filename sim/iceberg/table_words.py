"""What the bounds of a race say of its writers and its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model.iceberg.formats import FORMAT
from model.iceberg.partitioning import Field
from sim.iceberg.manifest_merging import merges_unusually
from sim.world.words import counted


def partitions_in_words(field: Field | None) -> str:
    """What a table is partitioned by, as words to add. Examples: ", 2 ids a partition", ", 3 buckets"."""
    if field is None:
        return ""
    buckets = field.transform == "bucket"
    return f", {counted(field.width, 'bucket')}" if buckets else f", {counted(field.width, 'id')} a partition"


def properties_in_words(given: Sequence[tuple[str, str]]) -> str:
    """A table's properties but for its format, as words to add."""
    return "".join([f", {name}={value}" for name, value in given if name != FORMAT])


def merging_in_words(given: Mapping[str, str], changes_spec: bool) -> str:
    """That manifests are not merged, if these properties of the table say no other thing, as words to add.

    Args: `changes_spec`: the table may have several specs, and those of older ones are merged in any case.
    """
    if merges_unusually(given):
        return ""
    return f", no manifest merging{' within a partition spec' if changes_spec else ''}"


def sent_in_words(before: int, tries: int) -> str:
    """How many statements came before a race, and how often each is tried again, as words to add."""
    told = f", after {counted(before, 'statement')}" if before else ""
    return told + (f", tried again {counted(tries, 'time')}" if tries else "")


def in_words(writers: Sequence[tuple[str, Sequence[object]]], files: int, retries: int, version: int = 2) -> str:
    """Example: "2 writers, 1 statement each; format 2, 1 file, 3 retries"."""
    counts = [len(statements) for _, statements in writers]
    each = counted(counts[0], "statement") + (" each" if len(counts) > 1 else "")
    if len(set(counts)) > 1:
        each = f"{', '.join(map(str, counts[:-1]))} and {counts[-1]} statements"
    table = f"format {version}, {counted(files, 'file')}, {counted(retries, 'retry', 'retries')}"
    return f"{counted(len(counts), 'writer')}, {each}; {table}"
