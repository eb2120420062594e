"""Cherry-picking a snapshot that is on no branch, or on another one: what write-audit-publish publishes with.

If main is where the snapshot began, the snapshot itself becomes the head. Else, if it is an append, its files are
appended anew; anything else is refused. Which of the two it is, each attempt finds out for itself.

Source: `core/CherryPickOperation.java`, `core/util/WapUtil.java` of 1.11.0; V85, V86.

Choices: a replacement of partitions (`replace-partitions`), which may be picked, too, is left out: nobody here makes
one. A WAP id is a number. A snapshot that has expired since is a NullPointerException upstream, `InvalidOperation`
here.
"""

from model.iceberg import coverage
from model.iceberg.clock_rule import built
from model.iceberg.errors import InvalidOperation, ValidationFailed
from model.iceberg.files import ADDED, DATA, DataFile
from model.iceberg.merging import MergingProducer
from model.iceberg.metadata import APPEND, Snapshot, TableMetadata, ancestors, move_branch
from model.iceberg.producer import Counters
from model.iceberg.table import IcebergTable

STAGED_WAP_ID, PUBLISHED_WAP_ID, SOURCE = "wap.id", "published-wap-id", "source-snapshot-id"


class CherryPick(MergingProducer):
    """Publishes one snapshot.

    Raises: `ValidationFailed` if the table does not have it, if its WAP id has been published, or if it is no append
    and main is not where it began.
    """

    def __init__(self, table: IcebergTable, snapshot_id: int) -> None:
        super().__init__(table)
        base = table.metadata
        picked = base.snapshot(snapshot_id)
        if picked is None:
            raise ValidationFailed(f"cherry-pick {snapshot_id}: expected a snapshot of the table, it has none such")
        self._picked = picked
        self._forwarded = False
        if picked.operation == APPEND:
            self._refuse_published(base)
            for file in self._added_files():
                self.add_data(file)
        else:
            self._refuse_unless_forward(base)

    def _added_files(self) -> list[DataFile]:
        manifests = [one for one in self.files.manifests(self._picked) if one.content == DATA]
        return [
            entry.file
            for manifest in manifests
            if manifest.added_snapshot_id == self._picked.snapshot_id
            for entry in self.files.entries(manifest)
            if entry.status == ADDED and isinstance(entry.file, DataFile)
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
        if not self._forwarded and self._picked.operation == APPEND:
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
