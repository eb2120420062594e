"""The commit loop that every operation on a table shares.

One attempt: refresh, validate, compute the new list of manifests, write it, build metadata, swap. Only a lost race is
attempted again. The snapshot id is drawn once, so that a commit that landed although it was reported lost is found on
the next refresh; then nothing is committed and the call succeeds. After success, and after a definite failure, files
that nothing refers to are deleted; after an ambiguous failure, never.

Source: iceberg/2.1, iceberg/2.3, iceberg/2.4; `core/SnapshotProducer.java`.

Choices: one branch, `main`; no staged commits; no ancestry validator; listeners and metrics are left out. A snapshot
that is found below the head of main is made the head again, as shipped (`setBranchSnapshot`; seen on 1.11.0): commits
made in between, though acknowledged, vanish from main. `keep_later_commits_when_recognised` is the repair.
"""

from collections.abc import Container, Sequence

from model.iceberg import coverage
from model.iceberg.backoff import Backoff
from model.iceberg.errors import CommitFailed, CommitStateUnknown, IcebergError
from model.iceberg.files import ManifestFile
from model.iceberg.metadata import Snapshot, TableMetadata, add_snapshot, move_branch
from model.iceberg.table import IcebergTable

Counters = tuple[tuple[str, int], ...]


class SnapshotProducer:
    """One commit in the making; use it once. Subclasses say what is validated, applied and cleaned."""

    def __init__(self, table: IcebergTable) -> None:
        self.table = table
        self.files = table.files
        self.world = table.world
        self.rules = table.rules
        self.snapshot_id = self.world.chance.fresh("snapshot")
        self.snapshot: Snapshot | None = None
        self._attempts = 0
        self._manifest_lists: list[str] = []
        self._first_apply: Sequence[ManifestFile] = ()
        self._read_lists: dict[str, tuple[ManifestFile, ...]] = {}

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

    cleans_after_commit = True

    def manifests_of(self, snapshot: Snapshot | None) -> tuple[ManifestFile, ...]:
        """A snapshot's manifests, read once per attempt (`core/BaseSnapshot.java` keeps them while it lives)."""
        if snapshot is None:
            return ()
        manifests = self._read_lists.get(snapshot.manifest_list)
        if manifests is None:
            self._read_lists[snapshot.manifest_list] = manifests = self.files.manifests(snapshot)
        return manifests

    def commit(self) -> Snapshot:
        """Commit; returns the committed snapshot.

        Raises: any `IcebergError`; files have been cleaned up where that is safe.
        """
        properties = self.table.ops.current.properties
        backoff = Backoff(
            self.world,
            properties.commit_retry_num_retries if self.rules.retry_lost_races else 0,
            properties.commit_retry_min_wait_ms,
            properties.commit_retry_max_wait_ms,
            properties.commit_retry_total_timeout_ms,
        )
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
        if isinstance(error, CommitFailed):
            self.world.coverage.hit(coverage.RETRY)
            return True
        if isinstance(error, CommitStateUnknown) and not self.rules.retry_only_lost_races:
            self.world.coverage.hit(coverage.RETRIED_UNKNOWN)
            return True
        return False

    def _attempt(self) -> None:
        base = self.table.ops.refresh()
        self._attempts += 1
        self._read_lists.clear()
        rules = self.rules
        if self._attempts > 1:
            if not rules.stable_snapshot_id:
                self.snapshot_id = self.world.chance.fresh("snapshot")
            if rules.recognise_own_snapshot_before_validating and base.snapshot(self.snapshot_id) is not None:
                self.world.coverage.hit(coverage.SELF_RECOGNISED_EARLY)
                self._make_head(base)
                return
        parent = base.current
        if self._attempts == 1 or rules.validate_every_attempt:
            self.validate(base, parent)
        if self._attempts == 1 or rules.apply_to_refreshed_base:
            self._first_apply = manifests = self.apply(base, parent)
        else:
            manifests = self._first_apply
        self.snapshot = self._write_manifest_list(base, parent, manifests)
        if rules.recognise_own_snapshot and base.snapshot(self.snapshot_id) is not None:
            self.world.coverage.hit(coverage.SELF_RECOGNISED)
            self._make_head(base)
            return
        self.table.ops.commit(add_snapshot(base, self.snapshot, rules), self.snapshot_id)

    def _write_manifest_list(
        self, base: TableMetadata, parent: Snapshot | None, manifests: Sequence[ManifestFile]
    ) -> Snapshot:
        sequence_number = base.last_sequence_number + 1
        number = self._attempts if self.rules.new_manifest_list_per_attempt else 1
        path = f"{self.files.location}/metadata/snap-{self.snapshot_id}-{number}"
        # A list whose write is not acknowledged may exist all the same: it is ours to clean up.
        self._manifest_lists.append(path)
        self.files.write(path, tuple([manifest.assigned(sequence_number) for manifest in manifests]))
        parent_id = None if parent is None else parent.snapshot_id
        return Snapshot(self.snapshot_id, parent_id, sequence_number, self.operation(), path, self.summary())

    def _make_head(self, base: TableMetadata) -> None:
        """Source: iceberg/2.1 step 5: the "rollback" branch of the loop."""
        if self.rules.keep_later_commits_when_recognised:
            return
        moved = move_branch(base, self.snapshot_id)
        if moved is not base:
            self.world.coverage.hit(coverage.MOVED_MAIN_BACK)
            self.table.ops.commit(moved, None)

    def _after_commit(self) -> Snapshot:
        try:
            saved = self.table.ops.refresh().snapshot(self.snapshot_id)
            if saved is not None:
                self._clean_leftovers(saved)
                self.snapshot = saved
            elif self.rules.skip_cleanup_without_snapshot:
                self.world.coverage.hit(coverage.CLEANUP_SKIPPED)
            else:
                self._clean_all()
        except IcebergError:
            self.world.coverage.hit(coverage.CLEANUP_FAILED)
            if not self.rules.cleanup_errors_are_harmless:
                self._clean_all()
                raise
        assert self.snapshot is not None
        return self.snapshot

    def _clean_leftovers(self, saved: Snapshot) -> None:
        """Source: iceberg/2.4 (a): against the snapshot as re-read, for an earlier attempt may have landed."""
        committed = saved
        if not self.rules.clean_against_committed_snapshot and self.snapshot is not None:
            committed = self.snapshot
        if self.cleans_after_commit and self.rules.clean_unused_manifests:
            self.clean_uncommitted(frozenset([manifest.path for manifest in self.files.manifests(committed)]))
        if len(self._manifest_lists) > 1 and self.rules.clean_unused_manifest_lists:
            for path in self._manifest_lists:
                if path != committed.manifest_list:
                    self.world.coverage.hit(coverage.CLEANED_MANIFEST_LIST)
                    self.files.delete(path)

    def _clean_after(self, error: IcebergError) -> None:
        """Source: iceberg/2.1 (on failure), iceberg/2.4 (b)."""
        rules = self.rules
        if isinstance(error, CommitStateUnknown):
            clean = not rules.keep_files_after_unknown
        else:
            clean = rules.clean_after_definite_failure and (error.cleanable or not rules.strict_cleanup)
        self.world.coverage.hit(coverage.CLEANED_AFTER_FAILURE if clean else coverage.KEPT_AFTER_FAILURE)
        if clean:
            self._clean_all()

    def _clean_all(self) -> None:
        """Delete everything that this producer wrote; store errors are suppressed, the first one ends it."""
        if self.files.delete_quietly(self._manifest_lists):
            self._manifest_lists = []
            try:
                self.clean_uncommitted(frozenset())
            except IcebergError:
                self.world.coverage.hit(coverage.CLEANUP_FAILED)
