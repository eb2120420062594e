"""Mutants of transactions that replace a table. Source: `model.iceberg.replace_table`."""

from model.iceberg import requirements, rest
from model.iceberg.changes import Change
from model.iceberg.errors import IcebergError
from model.iceberg.metadata import TableMetadata
from model.iceberg.replace_table import ReplaceTransaction, replacement_of
from model.iceberg.requirements import Requirement, requirements_of
from model.iceberg.rules import SHIPPED
from tests.mutants.damage import left_out, never, replaced
from tests.mutants.mutant import Mutant


def cleans_always(self: ReplaceTransaction, _: IcebergError) -> None:
    """Clean-up after an unknown outcome, too."""
    self._clean_updates()


def built_anew(self: ReplaceTransaction) -> None:
    """Each attempt replaces what it has loaded, as who applies its updates again does."""
    if self._table.ops.refresh() is not self._base:
        self._begun = self._base = self._table.ops.current
        self._current = replacement_of(self._begun)
        for update in self._updates:
            update.commit()
    _attempt(self)


def as_any_update(base: TableMetadata, changes: tuple[Change, ...]) -> tuple[Requirement, ...]:
    """What every other commit requires."""
    return requirements_of(base, changes, SHIPPED)


_attempt = ReplaceTransaction._attempt

REPLACING: tuple[Mutant, ...] = (
    left_out("replacement-keeps-files", ReplaceTransaction, "_clean_updates_after", "manifests of lost races stay"),
    replaced(
        "replacement-cleans-after-unknown", ReplaceTransaction, "_clean_updates_after", cleans_always,
        "what landed loses its manifest list",
    ),
    replaced("replacement-not-retried", ReplaceTransaction, "_may_retry", never, "one lost race is the end"),
    replaced("replacement-built-anew", ReplaceTransaction, "_attempt", built_anew, "kinder than upstream's"),
    left_out("newer-snapshots-allowed", requirements, "refuse_newer_snapshots", "numbers of snapshots are given twice"),
    replaced("replacement-requires-refs", rest, "requirements_to_replace", as_any_update, "kinder than upstream's"),
)  # fmt: skip
