"""Mutants of transactions that create a table, and of what drops one. Source: `model.iceberg.new_table`."""

from collections.abc import Callable
from typing import Any

from model.iceberg import catalog, existence
from model.iceberg.errors import AlreadyExists
from model.iceberg.metadata import TableMetadata
from model.iceberg.new_table import CreateOrReplaceTransaction, CreateTransaction, creating
from model.iceberg.replace_table import ReplaceTransaction
from model.iceberg.rest_client import RestClient
from tests.mutants.damage import nothing, replaced
from tests.mutants.mutant import Mutant


def whatever_is_there(self: existence.Create, _: object) -> TableMetadata:
    """The new table, where there is one, too."""
    return self.metadata


def creates_alone(self: CreateOrReplaceTransaction) -> None:
    """What was begun where no table was creates one, or is refused."""
    if self._there is None:
        creating(self._table).create(self._begun, self._current)
        return
    _attempt(self)


def sent_once(self: RestClient, *given: Any, **_: bool) -> Any:
    """A request that is sent again after a time to wait alone."""
    return _sent(self, *given)


_attempt: Callable[[CreateOrReplaceTransaction], None] = CreateOrReplaceTransaction._attempt
_sent: Callable[..., Any] = RestClient.sent

CREATING: tuple[Mutant, ...] = (
    replaced("creation-overwrites", existence.Create, "applied_to", whatever_is_there, "the first table is gone"),
    replaced(
        "creation-tried-again", CreateTransaction, "_may_retry", ReplaceTransaction._may_retry,
        "a catalog that says no is asked again",
    ),
    replaced("creation-cleans-after-exists", AlreadyExists, "cleanable", True, "a table is left without its manifests"),
    replaced(
        "creation-or-replacement-asks", CreateOrReplaceTransaction, "_attempt", creates_alone, "kinder than upstream's"
    ),
    Mutant(
        "uuid-not-compared", "a commit goes into another table of the same name (#14363)",
        ((catalog, "refuse_another_table", nothing),),
    ),
    replaced("drop-not-resent", RestClient, "sent", sent_once, "kinder than upstream's"),
)  # fmt: skip
