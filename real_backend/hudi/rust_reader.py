"""A second reader of a live table: hudi-rs, an implementation in Rust of its own, by its Python package `hudi`.

It reads the timeline and the files by itself, so what Spark and it both read is no matter of one reader's caches or
plans. The package is optional: without it nothing is compared.

Choices: the package is imported when it is needed, for the rest works without. Only rows are compared: what a reader
says of a table that it cannot read is its own.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

PACKAGE = "hudi"
TWICE = "is already present in File Group"
"""What hudi-rs 0.5.0 says where a compaction was completed twice."""
Rows = tuple[tuple[str, str], ...]


class ReadTwice(NamedTuple):
    """What the second reader read: `rows` are None if it could not, `unreadable` then says why."""

    rows: Rows | None
    unreadable: str | None
    reader: str = "hudi-rs"

    @property
    def meets_twice(self) -> bool:
        """Whether it could not read because an instant was completed twice."""
        return TWICE in (self.unreadable or "")

    def differs_from(self, rows: Rows | None) -> str:
        """In words, how this is not what the first reader read; "" if it is."""
        if self.rows == rows:
            return ""
        mine, theirs = self.unreadable or _shown(self.rows), "an error" if rows is None else _shown(rows)
        return f"rows read by {self.reader}: expected those that Spark reads ({theirs}), got {mine}"


def read_again(path: Path) -> ReadTwice | None:
    """The rows of the table at `path` as hudi-rs reads them now, sorted; None if its package is not installed."""
    if find_spec(PACKAGE) is None:
        return None
    try:
        batches = import_module(PACKAGE).HudiTable(str(path)).read()
        pairs = [pair for each in batches for pair in zip(each["id"].to_pylist(), each["v"].to_pylist(), strict=True)]
    except Exception as error:
        return ReadTwice(None, f"{type(error).__name__}: {error}")
    return ReadTwice(tuple(sorted([(str(key), str(value)) for key, value in pairs])), None)


def _shown(rows: Rows | None) -> str:
    return ", ".join([f"{key} = {value}" for key, value in rows or ()]) or "none"
