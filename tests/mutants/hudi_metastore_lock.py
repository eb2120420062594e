"""Mutants of the metastore's lock; see `tests.mutants.hudi`."""

from typing import Any

from model.hudi.metastore_lock import MetastoreLockProvider
from model.hudi.rules import SHIPPED
from model.ports import PortError
from tests.mutants.mutant import Mutant


def waiting_is_held(provider: MetastoreLockProvider) -> bool:
    """Who is in line goes on."""
    try:
        provider._number, _ = provider._world.locks.lock(provider.name, provider._owner)
    except PortError:
        return False
    return True


def nothing(*_: Any) -> None:
    """No beat."""


METASTORE_LOCK_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "waiting-taken-for-held", "who is in line behind the holder goes on beside it",
        ((MetastoreLockProvider, "try_lock", waiting_is_held),), SHIPPED,
    ),
)  # fmt: skip

# Not searched: in the time that a lock lives without beats too much can happen; a test of its own kills it.
NEVER_BEATS = Mutant(
    "metastore-lock-not-kept", "it is over before its holder", ((MetastoreLockProvider, "_beat", nothing),), SHIPPED
)
