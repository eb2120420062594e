"""Mutants of how the Hive catalog's client gets its lock. Source: `model.iceberg.metastore_lock`."""

from model.iceberg.metastore_lock import MetastoreLock
from tests.mutants.damage import left_out, never, replaced
from tests.mutants.mutant import Mutant


def whosever(self: MetastoreLock) -> tuple[int, bool] | None:
    """The first lock that there is."""
    return next(((lock_id, granted) for lock_id, _, granted in self._world.locks.show_locks(self._name)), None)


def as_granted(self: MetastoreLock) -> tuple[int, bool] | None:
    """What is there is had."""
    found = _find(self)
    return None if found is None else (found[0], True)


_find = MetastoreLock._find

METASTORE_LOCK: tuple[Mutant, ...] = (
    left_out("lock-not-looked-for", MetastoreLock, "_find", "it waits for a lock of its own"),
    replaced("any-lock-is-its-own", MetastoreLock, "_find", whosever, "two have one lock"),
    replaced("found-lock-believed", MetastoreLock, "_find", as_granted, "who is in line goes on"),
    replaced("lock-not-asked-again", MetastoreLock, "_may_ask_again", never, "one lost request, and nothing is done"),
    left_out("lock-left-there", MetastoreLock, "_left", "what was not told of stays until its lease ends"),
)
