"""Rows of a Hudi workload, `(id int, v string)`, their partitions and columns; checks of what somebody gave."""

import re
from collections.abc import Hashable, Iterable
from typing import Any

from model.hudi.errors import ConfigError

Rows = tuple[tuple[int, str], ...]

FIRST_COLUMNS = ("id", "p", "v", "ts")
"""Those that a table begins with."""
_COLUMN = re.compile("[a-z]+")
_NAMES = "a name of letters, digits, '-', '_', '=', '.'"
_PARTITION = re.compile(r"[A-Za-z0-9_=-][A-Za-z0-9_=.-]*(/[A-Za-z0-9_=-][A-Za-z0-9_=.-]*)*")


def check_rows(what: str, rows: Any) -> None:
    """Check ids and values. Raises: ConfigError."""
    pairs(what, rows)
    if not rows:
        raise ConfigError(what, rows, "at least one row")
    for key, value in rows:
        if type(key) is not int:
            raise ConfigError(what, key, "a whole number as id")
        if not isinstance(value, str) or not value or "|" in value:
            raise ConfigError(what, value, "a text as value, without '|'")
    no_two(what, [key for key, _ in rows], "each id once")


def check_partitions(partitions: Any, groups: tuple[tuple[str, Rows], ...]) -> None:
    """Check that each file group has a partition, if any has, and that none lies in another one. Raises: ConfigError.

    Hudi looks for no partition below one (`FileSystemBackedTableMetadata.getPartitionPathWithPathPrefixes`).
    """
    if not isinstance(partitions, tuple) or len(partitions) not in (0, len(groups)):
        raise ConfigError("partitions", partitions, f"none, or one for each of {len(groups)} file groups")
    for name in partitions:
        if not isinstance(name, str) or not _PARTITION.fullmatch(name):
            raise ConfigError("partitions", name, f"{_NAMES} and levels between '/'")
        if any(other.startswith(f"{name}/") for other in partitions):
            raise ConfigError("partitions", name, "no partition that others lie in")


def check_elsewhere(elsewhere: Any, placed: tuple[str, ...], rows: Rows) -> None:
    """Check that new ids belong to partitions of their own. Raises: ConfigError."""
    pairs("elsewhere", elsewhere)
    for key, name in elsewhere:
        if key in dict(rows) or name in placed or not isinstance(name, str) or not _PARTITION.fullmatch(name):
            raise ConfigError("elsewhere", (key, name), "ids that no file has, in partitions without file groups")
    no_two("elsewhere", [key for key, _ in elsewhere], "each id once")


def check_columns(columns: Any) -> None:
    """Check the names of columns beside the table's first ones. Raises: ConfigError."""
    if not isinstance(columns, tuple):
        raise ConfigError("columns", columns, "a tuple of names")
    for name in columns:
        if not isinstance(name, str) or not _COLUMN.fullmatch(name) or name in FIRST_COLUMNS:
            raise ConfigError("columns", name, f"a name of small letters, other than {', '.join(FIRST_COLUMNS)}")
    no_two("columns", columns)


def pairs(what: str, given: object) -> None:
    """Check that something is a tuple of pairs. Raises: ConfigError."""
    if not isinstance(given, tuple) or not all(isinstance(each, tuple) and len(each) == 2 for each in given):
        raise ConfigError(what, given, "a tuple of pairs")


def no_two(what: str, names: Iterable[Hashable], each: str = "each name once") -> None:
    """Check that no name is there twice. Raises: ConfigError."""
    seen: set[Hashable] = set()
    for name in names:
        if name in seen:
            raise ConfigError(what, name, each)
        seen.add(name)
