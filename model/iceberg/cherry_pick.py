"""Cherry-picking a snapshot that is on no branch, or on another one: what write-audit-publish publishes with.

If main is where the snapshot began, the snapshot itself becomes the head. Else, if it is an append, its files are
appended anew; if it has replaced partitions, they are replaced anew, unless a file was added to one of them since, or
one that it has removed is gone; anything else is refused. Which of these it is, each attempt finds out for itself.

Source: `core/CherryPickOperation.java`, `core/util/WapUtil.java` of 1.11.0; V84, V85, V86.

Choices: a WAP id is a number. A snapshot that has expired since is a NullPointerException upstream, `InvalidOperation`
here.
"""

from model.iceberg import coverage
from model.iceberg.clock_rule import built
from model.iceberg.errors import InvalidOperation, ValidationFailed
from model.iceberg.files import ADDED, DATA, DELETED, DataFile
from model.iceberg.merging import MergingProducer
from model.iceberg.metadata import APPEND, OVERWRITE, Snapshot, TableMetadata, ancestors, move_branch
from model.iceberg.producer import Counters
from model.iceberg.replace_partitions import REPLACES_PARTITIONS
from model.iceberg.table import IcebergTable

STAGED_WAP_ID, PUBLISHED_WAP_ID, SOURCE = "wap.id", "published-wap-id", "source-snapshot-id"


class CherryPick(MergingProducer):
    """Publishes one snapshot.

    Raises: `ValidationFailed` if the table does not have it, if its WAP id has been published, if it is no append, and
    no replacement of partitions that began at an ancestor of main, and main is not where it began.
    """

    def __init__(self, table: IcebergTable, snapshot_id: int) -> None:
        super().__init__(table)
        base = table.metadata
        picked = base.snapshot(snapshot_id)
        if picked is None:
            raise ValidationFailed(f"cherry-pick {snapshot_id}: expected a snapshot of the table, it has none such")
        self._picked = picked
        self._forwarded = False
        self._replaces = picked.operation == OVERWRITE and REPLACES_PARTITIONS in dict(picked.summary)
        if self._replaces:
            self._refuse_unless_ancestor(base)
        if not self._is_committed_anew:
            self._refuse_unless_forward(base)
            return
        self._refuse_published(base)
        for file in self._files_of(picked, ADDED):
            self.add_data(file)
        if self._replaces:
            self.fail_missing_delete_paths()
            for file in self._files_of(picked, DELETED):
                self.data_filter.remove(file)

    @property
    def _is_committed_anew(self) -> bool:
        return self._replaces or self._picked.operation == APPEND

    def _files_of(self, snapshot: Snapshot, status: int) -> list[DataFile]:
        """The data files that a snapshot has added, or removed. Source: `SnapshotChanges`."""
        return [
            entry.file
            for manifest in self.files.manifests(snapshot)
            if manifest.content == DATA and manifest.added_snapshot_id == snapshot.snapshot_id
            for entry in self.files.entries(manifest)
            if entry.status == status and isinstance(entry.file, DataFile)
        ]

    @property
    def made(self) -> int:
        """The picked snapshot, if main was only moved to it."""
        return self._picked.snapshot_id if self._forwarded else super().made

    def operation(self) -> str:
        return self._picked.operation

    def summary(self) -> Counters:
        wap = [(PUBLISHED_WAP_ID, value) for name, value in self._picked.summary if name == STAGED_WAP_ID]
        return (*super().summary(), (SOURCE, self._picked.snapshot_id), *wap)

    def _attempt(self) -> None:
        base = self.table.ops.refresh()
        self._forwarded = base.current_snapshot_id == self._picked.parent_id
        if not self._forwarded and self._is_committed_anew:
            self.world.coverage.hit(coverage.PICKED)
            super()._attempt()
            return
        self._refuse_unless_forward(base)
        self._require_picked(base)
        self.world.coverage.hit(coverage.FAST_FORWARDED)
        self.snapshot = self._picked
        moved = move_branch(base, self._picked.snapshot_id)
        self.table.ops.commit(built(self.world, base, moved))

    def validate(self, base: TableMetadata, parent: Snapshot | None) -> None:
        self._refuse_twice(base)
        if self._replaces:
            self._refuse_changed_partitions(base)
        self._require_picked(base)
        self._refuse_published(base)

    def _refuse_unless_forward(self, base: TableMetadata) -> None:
        """Source: `CherryPickOperation.apply` ("not append, dynamic overwrite, or fast-forward")."""
        if base.current_snapshot_id != self._picked.parent_id:
            self.world.coverage.hit(coverage.NOT_FAST_FORWARD)
            raise ValidationFailed(
                f"cherry-pick {self._picked.snapshot_id}: expected an append, or main at {self._picked.parent_id},"
                f" got {self._picked.operation}, main at {base.current_snapshot_id}"
            )

    def _refuse_unless_ancestor(self, base: TableMetadata) -> None:
        """Source: `CherryPickOperation.cherrypick`, `validateReplacedPartitions` ("not based on an ancestor")."""
        parent = self._picked.parent_id
        if parent is not None and all(each.snapshot_id != parent for each in ancestors(base, base.current)):
            raise ValidationFailed(
                f"cherry-pick {self._picked.snapshot_id}: expected to begin at an ancestor of"
                f" {base.current_snapshot_id}, got {parent}"
            )

    def _refuse_changed_partitions(self, base: TableMetadata) -> None:
        """Source: `CherryPickOperation.validateReplacedPartitions`: of files alone that were added since."""
        if base.current is None:
            return
        self._refuse_unless_ancestor(base)
        replaced = {file.partition for file in self.added_data.values()}
        for each in ancestors(base, base.current, self._picked.parent_id):
            for file in self._files_of(each, ADDED):
                if file.partition in replaced:
                    self.world.coverage.hit(coverage.REPLACED_HAS_CHANGED)
                    raise ValidationFailed(
                        f"cherry-pick {self._picked.snapshot_id}: expected partitions that have not changed, got"
                        f" {file.path} in {file.partition}"
                    )

    def _refuse_twice(self, base: TableMetadata) -> None:
        """Source: `validateNonAncestor`: main has the snapshot itself, or one that was made of it."""
        for each in ancestors(base, base.current):
            if self._picked.snapshot_id in (each.snapshot_id, dict(each.summary).get(SOURCE)):
                self.world.coverage.hit(coverage.PICKED_TWICE)
                raise ValidationFailed(f"cherry-pick {self._picked.snapshot_id}: expected no ancestor, it is one")

    def _refuse_published(self, base: TableMetadata) -> None:
        """Source: `WapUtil.validateWapPublish`: main has a snapshot of that WAP id."""
        wap = dict(self._picked.summary).get(STAGED_WAP_ID)
        for each in ancestors(base, base.current) if wap is not None else ():
            if wap in (dict(each.summary).get(STAGED_WAP_ID), dict(each.summary).get(PUBLISHED_WAP_ID)):
                self.world.coverage.hit(coverage.WAP_ID_PUBLISHED)
                raise ValidationFailed(f"cherry-pick {self._picked.snapshot_id}: expected WAP id {wap} to be new")

    def _require_picked(self, base: TableMetadata) -> None:
        if base.snapshot(self._picked.snapshot_id) is None:
            self.world.coverage.hit(coverage.SNAPSHOT_GONE)
            raise InvalidOperation(f"cherry-pick {self._picked.snapshot_id}: expected a snapshot, it has expired")
