"""Mutants of PyIceberg 0.12.0: the library as it was before, or as it was in review, one rule at a time.

Source: iceberg/7 (up to 0.11 nothing was validated), what reviews of iceberg-python#3320 and iceberg-python#3811 found,
and two defects of other clients that its code would have without one line.
"""

from pyiceberg.table import Transaction
from pyiceberg.table.update.snapshot import (
    CommitWindow,
    _DeleteFiles,
    _OverwriteFiles,
    _SnapshotProducer,
)

from tests.mutants.damage import nothing
from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant, Patch


def from_the_head(metadata: object, _: int | None, branch: str | None) -> CommitWindow:
    """A window that begins where it ends."""
    head = metadata.snapshot_by_name(branch)  # type: ignore[attr-defined]
    return CommitWindow(base=head, head=head)


UNREQUIRED: Patch = (_OverwriteFiles, "_validate_required_deletes", nothing)
"""What 0.12.0 looks for last of all, and would save most of the others: iceberg-python#3811."""

PYICEBERG: tuple[Mutant, ...] = (
    Mutant(
        "pyiceberg-validates-nothing", "concurrent changes are not seen (up to 0.11: iceberg-python#1935)",
        ((_SnapshotProducer, "_validate_concurrency", nothing), UNREQUIRED),
    ),
    Mutant(
        "pyiceberg-window-from-head", "what was committed since the read is not seen",
        ((CommitWindow, "resolve", staticmethod(from_the_head)), UNREQUIRED),
    ),
    edited(
        "pyiceberg-cleans-after-unknown", "an unknown outcome deletes committed files",
        (Transaction, "commit_transaction", ("except (CommitFailedException, ValidationException):",
                                             "except Exception:")),
    ),
    edited(
        "pyiceberg-own-snapshot-not-looked-for", "a landed commit fails, and deletes its files (iceberg-python#3320)",
        (Transaction, "commit_transaction", ("if all(", "if False and all(")),
    ),
    edited(
        "pyiceberg-parent-not-refreshed", "the retry sends the old manifest list: others' files go (iceberg-go#976)",
        (_SnapshotProducer, "_refresh_for_retry", ("self._parent_snapshot_id = self._current_branch_head_id()", "")),
    ),
    edited(
        "pyiceberg-delete-plan-kept", "a delete that is retried drops what was appended meanwhile",
        (_DeleteFiles, "_refresh_for_retry", ('if "_compute_deletes" in self.__dict__:', "if False:")),
    ),
    edited(
        "pyiceberg-file-names-again", "the clean-up of a lost attempt deletes what the next one wrote",
        (_SnapshotProducer, "_refresh_for_retry", ("self.commit_uuid = uuid.uuid4()", "")),
    ),
    edited(
        "pyiceberg-first-producer-only", "a transaction that is retried commits its first part alone",
        (Transaction, "_rebuild_snapshot_updates", ("for producer in self._snapshot_producers:",
                                                    "for producer in self._snapshot_producers[:1]:")),
    ),
    edited(
        "pyiceberg-last-list-cleaned", "the clean-up after a retry deletes the committed manifest list (as J12)",
        (_SnapshotProducer, "_cleanup_uncommitted", ("for path in self._written_manifest_lists[:-1]:",
                                                     "for path in self._written_manifest_lists[1:]:")),
    ),
)  # fmt: skip
