"""What the clients of a race of PyIceberg have asked, and which of the library's errors say that nothing was done."""

from __future__ import annotations

from typing import Any, NamedTuple

from pyiceberg.exceptions import (
    CommitFailedException,
    NoSuchNamespaceError,
    NoSuchTableError,
    RESTError,
    TableAlreadyExistsError,
    ValidationException,
)

from checkers.histories.recorder import Name
from sim.iceberg.python.calls import Call
from sim.iceberg.python.versions import Commits, Places, Snapshots

DEFINITE = (
    CommitFailedException, ValidationException, ValueError, IndexError, NotImplementedError, NoSuchTableError,
    TableAlreadyExistsError, NoSuchNamespaceError,
)  # fmt: skip
"""A commit that was not made, by the library's own words: it finds what is wrong by itself, or the swap was lost; or a
manifest cannot be written, for its files have fewer partition values than its spec has fields; or it has the call, and
nothing behind it; or there is no table, or one already; or a
rename finds no table any more, of which its Hive catalog says that there is no database."""
OPEN = (RESTError, OSError)
"""What leaves an outcome open, beside the errors of what a catalog stands on: `CommitStateUnknownException` is one."""


class Asked(NamedTuple):
    """A statement whose outcome is open.

    Args: `start` is the version that it started from; `told` says what it was told; `sent` has the commits that its
    catalog was asked for.
    """

    call: Call
    start: Name = None
    told: str = "its process died"
    sent: Commits = ()


class Client(NamedTuple):
    """A writer's catalog. Args: `unanswered` are the errors after which nobody knows."""

    catalog: Any
    unanswered: tuple[type[Exception], ...]


class Begun(NamedTuple):
    """A race that has begun. Args: `versions` names them; `asked`: by operation; `tags` that were acknowledged;
    `untagged`: refs that somebody was to remove, or to make branches of; `branches` beside main whose rows the history
    has."""

    versions: Snapshots | Places
    asked: dict[int, Asked]
    tags: list[tuple[str, Commits]]
    untagged: list[tuple[str, Commits]]
    branches: tuple[str, ...]
