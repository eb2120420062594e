"""The commit loop that every operation on a table shares.

One attempt: refresh, validate, compute the new list of manifests, write it, build metadata, swap. Only a lost race is
attempted again. The snapshot id is drawn once, so that a commit that landed although it was reported lost is found on
the next refresh; then nothing is committed and the call succeeds. After success, and after a definite failure, files
that nothing refers to are deleted; after an ambiguous failure, never.

Source: iceberg/2.1, iceberg/2.3, iceberg/2.4; `core/SnapshotProducer.java`.

Choices: no ancestry validator; what listeners are told and metrics are left out. A snapshot
that is found below the head of main is made the head again, as shipped (`setBranchSnapshot`; seen on 1.11.0): commits
made in between, though acknowledged, vanish from main. `self_check_first` is the repair.

A manifest is listed as the first attempt met it, as shipped (`manifestsWithMetadata`, which is by path). So a
transaction that is applied again lists what its earlier updates added under the sequence numbers of its first attempt:
older than their snapshots', and perhaps not newer than a commit in between (seen on 1.11.0): an equality delete that
was committed before the transaction takes rows of it. `knows_manifests_by_number` is the repair, here and of the cache
of filtered manifests (`ManifestFilter`).
"""

from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress

from model.iceberg import coverage
from model.iceberg.backoff import Backoff
from model.iceberg.clock_rule import built, time_of_snapshot
from model.iceberg.commit_context import CommitContext
from model.iceberg.errors import CommitFailed, IcebergError, InvalidOperation, ValidationFailed, may_clean
from model.iceberg.files import ManifestFile
from model.iceberg.meanings import MANIFESTS, FindsOwnCommit, Loads
from model.iceberg.metadata import MAIN, Snapshot, TableMetadata, add_snapshot, ancestors, move_branch
from model.iceberg.row_ids import listed_from
from model.iceberg.table import IcebergTable

TO_TRY, TO_RETRY, FOR_LEFTOVERS = Loads("attempt"), Loads("retry"), Loads("leftovers")
OWN_COMMIT = FindsOwnCommit(True)
Counters = tuple[tuple[str, int], ...]


class SnapshotProducer:
    """One commit in the making; use it once. Subclasses say what is validated, applied and cleaned."""

    def __init__(self, table: IcebergTable) -> None:
        self.table = table
        self.files = table.files
        self.world = table.world
        self.rules = table.rules
        self.context = CommitContext(table)
        self.snapshot: Snapshot | None = None
        self.branch: str | None = MAIN
        self._set: Counters = ()
        self._ancestry_is_fine: Callable[[Iterable[Snapshot]], bool] = lambda _: True
        self._attempts = 0
        self._manifest_lists: list[str] = []
        self._listed: dict[str, ManifestFile] = {}

    def to_branch(self, branch: str) -> None:
        """Commit to this branch, which is made if it is not there. Raises: `InvalidOperation` if it is a tag.

        Source: `SnapshotProducer.targetBranch`.
        """
        if branch in self.table.metadata.tags:
            raise InvalidOperation(f"to branch {branch}: expected a branch, it is a tag")
        self.branch = branch

    def stage_only(self) -> None:
        """Add the snapshot to the table, and to no branch. Source: `SnapshotProducer.stageOnly`."""
        self.branch = None

    def set(self, name: str, value: int) -> None:
        """Set a value in the snapshot's summary."""
        self._set = (*self._set, (name, value))

    def validate_with(self, validator: Callable[[Iterable[Snapshot]], bool]) -> None:
        """Refuse each attempt on a branch whose snapshots, newest first, the validator does not agree to.

        Source: `SnapshotUpdate.validateWith`.
        """
        self._ancestry_is_fine = validator

    def _refuse_ancestry(self, base: TableMetadata, parent: Snapshot | None) -> None:
        """Source: `SnapshotProducer.runValidations` ("Snapshot ancestry validation failed"), behind all others."""
        if not self._ancestry_is_fine(ancestors(base, parent)):
            self.world.coverage.hit(coverage.ANCESTRY_REFUSED)
            raise ValidationFailed("commit: expected ancestors that its validator agrees to, got others")

    @property
    def snapshot_id(self) -> int:
        """The id that the commit has in all its attempts, drawn once."""
        return self.context.snapshot_id

    @property
    def made(self) -> int:
        """The snapshot that its last attempt has committed: its own."""
        return self.context.snapshot_id

    def validate(self, base: TableMetadata, parent: Snapshot | None) -> None:
        """Raise `ValidationFailed` if a concurrent commit conflicts with this one."""

    def apply(self, base: TableMetadata, parent: Snapshot | None) -> Sequence[ManifestFile]:
        """The manifests of the new snapshot on top of `parent`; writes what they need."""
        raise NotImplementedError

    def operation(self) -> str:
        """The snapshot's label, which other writers' validations go by."""
        raise NotImplementedError

    def summary(self) -> Counters:
        """The snapshot's counters."""
        return ()

    def clean_uncommitted(self, committed: Container[str]) -> None:
        """Delete the manifests that this producer wrote and that are not among the `committed` paths."""

    @property
    def cleans_after_commit(self) -> bool:
        """Whether manifests are looked for that nothing needs, after a commit."""
        return True

    looks_again = False
    """Whether it loads the table once more if its snapshot is not there when listeners are told of it."""
    starts_at_commit = False
    """Whether it depends on no snapshot that was seen before: each attempt works on whatever is there."""

    def reuses(self, written: Sequence[ManifestFile]) -> bool:
        """Say whether an earlier attempt wrote new manifests, which serve this one as well.

        Source: iceberg/1.2: a manifest leaves its sequence number to the manifest list.
        """
        if written:
            self.world.coverage.hit(coverage.MANIFEST_REUSED)
        return bool(written)

    def commit(self) -> Snapshot:
        """Commit; returns the committed snapshot.

        Raises: any `IcebergError`; files have been cleaned up where that is safe.
        """
        backoff = Backoff.of(self.world, self.table.ops.current.properties)
        while True:
            try:
                self._attempt()
                break
            except IcebergError as error:
                if not (self._may_retry(error) and backoff.may_retry()):
                    self._clean_after(error)
                    raise
                backoff.wait()
        return self._after_commit()

    def _may_retry(self, error: IcebergError) -> bool:
        """Source: iceberg/2.1: a lost race is tried again, and nothing else."""
        if not isinstance(error, CommitFailed):
            return False
        self.world.coverage.hit(coverage.RETRY)
        return True

    def _attempt(self) -> None:
        self.world.notes.intend(TO_RETRY if self._attempts else TO_TRY)
        base = self.table.ops.refresh()
        self._attempts += 1
        self.context.begin_attempt()
        if self.rules.self_check_first and self._attempts > 1 and self._landed(base):
            self.world.coverage.hit(coverage.SELF_RECOGNISED_EARLY)
            self.world.notes.learn(OWN_COMMIT)
            return
        parent = base.head(self.branch or MAIN)
        self.validate(base, parent)
        self._refuse_ancestry(base, parent)
        self.snapshot = self._write_manifest_list(base, parent, self.apply(base, parent))
        if self._landed(base):
            self.world.coverage.hit(coverage.SELF_RECOGNISED)
            self.world.notes.learn(OWN_COMMIT)
            self._make_head(base)
        else:
            if self.starts_at_commit and self.table.command is not None:
                start = None if parent is None else parent.snapshot_id
                self.table.command = self.table.command._replace(start=start)
            self.table.ops.commit(built(self.world, base, add_snapshot(base, self.snapshot, branch=self.branch)))

    def _landed(self, base: TableMetadata) -> bool:
        """Whether an earlier attempt was committed, although its answer said otherwise. Source: iceberg/2.1."""
        return base.snapshot(self.context.snapshot_id) is not None

    def _write_manifest_list(
        self, base: TableMetadata, parent: Snapshot | None, manifests: Sequence[ManifestFile]
    ) -> Snapshot:
        sequence_number = base.next_sequence_number
        path = self._manifest_list_path()
        # A list whose write is not acknowledged may exist all the same: it is ours to clean up.
        self._manifest_lists.append(path)
        named = [self._as_listed(manifest) for manifest in manifests]
        listed = tuple([manifest.assigned(sequence_number) for manifest in named])
        rows: tuple[int | None, int] = (None, 0)
        if base.format_version > 2:
            listed, given = listed_from(listed, base.next_row_id)
            rows = (base.next_row_id, given)
        self.files.write(path, listed, MANIFESTS)
        parent_id = None if parent is None else parent.snapshot_id
        summary = (*self.summary(), *self._set)
        own, label, time_ms = self.context.snapshot_id, self.operation(), time_of_snapshot(self.world, base)
        return Snapshot(own, parent_id, sequence_number, label, path, summary, time_ms, *rows, base.schema_id)

    def _as_listed(self, manifest: ManifestFile) -> ManifestFile:
        """Source: `manifestsWithMetadata`, a cache whose keys are equal if their paths are."""
        if self.rules.knows_manifests_by_number:
            return manifest
        known = self._listed.setdefault(manifest.path, manifest)
        if known.sequence_number != manifest.sequence_number:
            self.world.coverage.hit(coverage.LISTED_AS_BEFORE)
        return known

    def _manifest_list_path(self) -> str:
        """A name of its own for each attempt's list. Source: iceberg/2.6."""
        return f"{self.table.location}/metadata/snap-{self.context.snapshot_id}-{self._attempts}"

    def _make_head(self, base: TableMetadata) -> None:
        """Source: iceberg/2.1 step 5: the "rollback" branch of the loop, which is asked before `stageOnly`."""
        moved = move_branch(base, self.context.snapshot_id, self.branch or MAIN)
        if moved is not base:
            self.world.coverage.hit(coverage.MOVED_MAIN_BACK)
            self.table.ops.commit(built(self.world, base, moved))

    def _after_commit(self) -> Snapshot:
        self.world.notes.intend(FOR_LEFTOVERS)
        found: TableMetadata | None = None
        try:
            found = self.table.ops.refresh()
            saved = found.snapshot(self.made)
            if saved is None:
                self._skip_cleanup()
            else:
                self._clean_leftovers(saved)
                self.snapshot = saved
        except IcebergError as error:
            self._ignore(error)
        self._notify(found)
        assert self.snapshot is not None
        return self.snapshot

    def _skip_cleanup(self) -> None:
        """Keep all files: a stale read after the commit proves nothing. Source: #15511."""
        self.world.coverage.hit(coverage.CLEANUP_SKIPPED)

    def _ignore(self, error: IcebergError) -> None:
        """Let the commit stand, whatever its clean-up met. Source: J04."""
        self.world.coverage.hit(coverage.CLEANUP_FAILED)

    def _notify(self, found: TableMetadata | None) -> None:
        """Tell listeners of the snapshot, as the table has it; that may be a load, or two. Source: `notifyListeners`,
        `updateEvent`. Args: `found`: the table as it was loaded for the clean-up, if it could be."""
        with suppress(IcebergError):
            if (found or self.table.ops.current).snapshot(self.made) is None and self.looks_again:
                self.table.ops.refresh()

    def _clean_leftovers(self, committed: Snapshot) -> None:
        """Source: iceberg/2.4 (a), J12: against the snapshot as re-read, for an earlier attempt may have landed."""
        if self.cleans_after_commit:
            self._clean_manifests(committed)
        self._clean_manifest_lists(committed)

    def _clean_manifests(self, committed: Snapshot) -> None:
        self.clean_uncommitted(frozenset([manifest.path for manifest in self.files.manifests(committed)]))

    def _clean_manifest_lists(self, committed: Snapshot) -> None:
        if len(self._manifest_lists) > 1:
            for path in self._manifest_lists:
                if path != committed.manifest_list:
                    self.world.coverage.hit(coverage.CLEANED_MANIFEST_LIST)
                    self.files.delete(path)

    def _clean_after(self, error: IcebergError) -> None:
        clean = self._may_clean(error)
        self.world.coverage.hit(coverage.CLEANED_AFTER_FAILURE if clean else coverage.KEPT_AFTER_FAILURE)
        if clean:
            self.clean_all()

    def _may_clean(self, error: IcebergError) -> bool:
        """Source: iceberg/2.1 (on failure), iceberg/2.4 (b), #8397: only after a failure that is cleanable."""
        return may_clean(error, gone_keeps_files=self.rules.gone_keeps_files)

    def clean_all(self) -> None:
        """Delete everything that this producer wrote; store errors are suppressed, the first one ends it."""
        if self.files.delete_quietly(self._manifest_lists):
            self._manifest_lists = []
            try:
                self.clean_uncommitted(frozenset())
            except IcebergError:
                self.world.coverage.hit(coverage.CLEANUP_FAILED)
