"""Mutants of the storage-based lock; see `tests.mutants.hudi`."""

from typing import Any

from model.hudi.names import LOCK_OBJECT
from model.hudi.rules import SHIPPED
from model.hudi.storage_lock import LockObject, StorageLockProvider
from model.ports import CasLost, Versioned
from tests.mutants.mutant import Mutant


def write_over(provider: StorageLockProvider, value: LockObject, seen: Versioned | None) -> None:
    """The object whatever has been written since the look."""
    while True:
        newest = provider._look()
        try:
            version = provider._world.register.commit(LOCK_OBJECT, 0 if newest is None else newest.version, value)
        except CasLost:
            continue
        provider._held = Versioned(version, value)
        return


def is_free(provider: StorageLockProvider, lock: LockObject) -> bool:
    """Nobody's lock is valid."""
    return False


def nothing(*_: Any) -> None:
    """No renewal."""


STORAGE_LOCK_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "lock-object-not-compared", "two that found it free both have it",
        ((StorageLockProvider, "_write", write_over),), SHIPPED,
    ),
    Mutant(
        "lock-object-never-valid", "whoever comes takes it over",
        ((StorageLockProvider, "_is_valid", is_free),), SHIPPED,
    ),
)  # fmt: skip

# Not searched: in the time that a lock is valid too much can happen; a test of its own kills it.
NEVER_RENEWED = Mutant(
    "lock-object-not-renewed", "it is over before its holder", ((StorageLockProvider, "_renew", nothing),), SHIPPED
)
