"""Deletion vectors of one data file that several tasks have written: one commit is given them all, and merges them."""

from typing import Any, Literal

from real_backend.iceberg.java_files import JavaFiles

Deleting = Literal["plain", "with files", "apart"]
"""By one task; so, and the data files go, too; or a task for each row."""


def write_vectors(
    files: JavaFiles, table: Any, name: str, parts: list[tuple[Any, tuple[int, ...], list[Any]]], how: Deleting
) -> list[Any]:
    """Deletion vectors as their tasks write them: in one file, or each in its own. Args: as `deletion_vectors`."""
    if how != "apart":
        return files.deletion_vectors(table, name, parts)
    made = []
    for place, (file, ids, older) in enumerate(parts):
        for key in ids:
            made += files.deletion_vectors(table, f"{name}-{place}-{key}", [(file, (key,), older)])
        files.expect_merged(file, ids, older)
    return made
