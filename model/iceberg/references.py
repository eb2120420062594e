"""Changes of where refs point: rolling `main` back, and branches and tags.

Upstream makes each of them in a transaction of its own (`SnapshotManager`), so that a client loads, changes, loads
again, and applies the change to what it finds then: a roll-back does so whatever was committed meanwhile, and changes
of refs refuse whatever was.

Source: `core/SnapshotManager.java`, `core/SetSnapshotOperation.java`, `core/UpdateSnapshotReferencesOperation.java` of
1.11.0.

Choices: `rollbackToTime` is `model.iceberg.roll_back_to_time`. A snapshot that has expired meanwhile is a
NullPointerException upstream, `InvalidOperation` here: nothing was committed.
"""

from model.iceberg import coverage
from model.iceberg.clock_rule import built
from model.iceberg.errors import InvalidOperation, ValidationFailed
from model.iceberg.metadata import (
    MAIN,
    RefRetention,
    TableMetadata,
    ancestors,
    move_branch,
    retention_of,
)
from model.iceberg.ref_ages import set_ref
from model.iceberg.table import IcebergTable


class SetSnapshot:
    """Sets `main` to a snapshot: `rollbackTo`, or `setCurrentSnapshot` of any one (`anywhere`).

    Raises: `ValidationFailed` if the table does not have it, or, to be rolled back to, if main does not descend from
    it.
    """

    def __init__(self, table: IcebergTable, snapshot_id: int, *, anywhere: bool = False) -> None:
        self._table, self._target = table, snapshot_id
        self._base = base = table.metadata
        if base.snapshot(snapshot_id) is None:
            raise ValidationFailed(f"roll back to {snapshot_id}: expected a snapshot of the table, it has none such")
        if not anywhere:
            self._refuse_no_ancestor(base)

    def _refuse_no_ancestor(self, base: TableMetadata) -> None:
        """Source: `SetSnapshotOperation.rollbackTo`, when it is made, and never again."""
        if all(each.snapshot_id != self._target for each in ancestors(base, base.current)):
            raise ValidationFailed(f"roll back to {self._target}: expected an ancestor of {base.current_snapshot_id}")

    def commit(self) -> None:
        """Set main in the newest metadata. Raises: any `IcebergError`."""
        base = self._table.ops.refresh()
        self._meet(base)
        if base.snapshot(self._target) is None:
            self._table.world.coverage.hit(coverage.SNAPSHOT_GONE)
            raise InvalidOperation(f"set main: expected snapshot {self._target}, it has expired")
        self._table.ops.commit(built(self._table.world, base, move_branch(base, self._target)))

    def _meet(self, base: TableMetadata) -> None:
        """Somebody else may have moved main. Shipped: `SetSnapshotOperation.apply` asks nothing of it."""
        if base.current_snapshot_id == self._base.current_snapshot_id:
            return
        if self._table.rules.roll_back_needs_head:
            self._table.world.coverage.hit(coverage.ROLL_BACK_REFUSED)
            raise ValidationFailed(
                f"roll back {self._base.current_snapshot_id}: expected it to be main, got {base.current_snapshot_id}"
            )
        self._table.world.coverage.hit(coverage.ROLLED_BACK_AGAIN)


class UpdateReferences:
    """Changes of branches and tags, made on the metadata that was current when this was made; any commit in between
    refuses them."""

    def __init__(self, table: IcebergTable) -> None:
        self._table = table
        self._base = table.metadata
        self._refs = dict(self._base.refs)
        self._tags = set(self._base.tags)
        self._retentions = {each.name: each for each in self._base.retentions}

    def create(self, name: str, snapshot_id: int, *, tag: bool = False) -> "UpdateReferences":
        """Add a branch or a tag. Raises: `InvalidOperation` if there is a ref of that name."""
        self._refuse_taken(name)
        self._refs[name] = snapshot_id
        if tag:
            self._tags.add(name)
        return self

    def remove(self, name: str, *, tag: bool = False) -> "UpdateReferences":
        """Remove a branch or a tag. Raises: `InvalidOperation` for main, and if it is not there, or not that."""
        if name == MAIN and not tag:
            raise InvalidOperation("remove main: expected another branch")
        self._require(name, tag)
        del self._refs[name]
        self._tags.discard(name)
        self._retentions.pop(name, None)
        return self

    def rename(self, name: str, new: str) -> "UpdateReferences":
        """Give a branch another name; what it says of ages goes with it. Raises: `InvalidOperation` for main, if it is
        not there, or a tag, and if there is a ref of that name. Source: `renameBranch`."""
        if name == MAIN:
            raise InvalidOperation("rename main: expected another branch")
        self._require(name, tag=False)
        self._refuse_taken(new)
        self._refs[new] = self._refs.pop(name)
        if said := self._retentions.pop(name, None):
            self._retentions[new] = said._replace(name=new)
        return self

    def _refuse_taken(self, name: str) -> None:
        if name in self._refs:
            raise InvalidOperation(f"create {name}: expected a new name, a ref has it already")

    def replace(self, name: str, snapshot_id: int, *, tag: bool = False) -> "UpdateReferences":
        """Point a branch or a tag at another snapshot. Raises: `InvalidOperation` if it is not there, or not that."""
        self._require(name, tag)
        self._refs[name] = snapshot_id
        return self

    def move(self, name: str, to: str, *, fast_forward: bool) -> "UpdateReferences":
        """Point a branch to where another ref points, if need be only forward; it is made if it is not there.

        Raises: `InvalidOperation` if there is no ref `to`, if `name` is a tag, or if that is not forward.
        """
        if to not in self._refs:
            raise InvalidOperation(f"move {name}: expected a ref {to}, there is none")
        if name not in self._refs:
            return self.create(name, self._refs[to])
        self._require(name, tag=False)
        if fast_forward and self._refs[name] != self._refs[to]:
            self._refuse_no_fast_forward(self._refs[name], self._refs[to])
        self._refs[name] = self._refs[to]
        return self

    def retain(self, retention: RefRetention) -> "UpdateReferences":
        """Say how much of a ref's past is kept, and how old it gets; what is None stays as it is.

        Raises: `InvalidOperation` if there is no such ref, or snapshots are to be kept by a tag. Source:
        `setMinSnapshotsToKeep`, `setMaxSnapshotAgeMs`, `setMaxRefAgeMs`; `SnapshotRef.Builder`.
        """
        name = retention.name
        of_snapshots = (retention.min_snapshots_to_keep, retention.max_snapshot_age_ms) != (None, None)
        if name not in self._refs or (of_snapshots and name in self._tags):
            raise InvalidOperation(f"retain {name}: expected a ref, and for snapshots a branch")
        said = {field: value for field, value in retention._asdict().items() if value is not None}
        self._retentions[name] = retention_of(self._base, name)._replace(**said)
        return self

    def _refuse_no_fast_forward(self, here: int, there: int) -> None:
        """Source: `UpdateSnapshotReferencesOperation.replaceBranch` ("Cannot fast-forward")."""
        below = ancestors(self._base, self._base.snapshot(there))
        if all(each.snapshot_id != here for each in below):
            self._table.world.coverage.hit(coverage.NOT_FAST_FORWARD)
            raise InvalidOperation(f"fast-forward: expected {here} to be an ancestor of {there}, it is none")

    def _require(self, name: str, tag: bool) -> None:
        if name not in self._refs:
            raise InvalidOperation(f"change {name}: expected a ref of that name, there is none")
        if (name in self._tags) != tag:
            raise InvalidOperation(f"change {name}: expected a {'tag' if tag else 'branch'}, it is none")

    def commit(self) -> None:
        """Commit on the metadata that this was made with. Raises: any `IcebergError`."""
        self._table.ops.commit(built(self._table.world, self._base, self._updated()))

    def _updated(self) -> TableMetadata:
        """The metadata; the very same one if nothing changes."""
        refs, tags = tuple(sorted(self._refs.items())), tuple(sorted(self._tags))
        retentions = tuple([self._retentions[name] for name in sorted(self._retentions)])
        if (refs, tags, retentions) == (self._base.refs, self._base.tags, self._base.retentions):
            return self._base
        for name, snapshot_id in refs:
            if self._base.snapshot(snapshot_id) is None:
                raise ValidationFailed(f"set {name}: expected a snapshot of the table, got unknown id {snapshot_id}")
        moved = self._base
        if MAIN in self._refs:
            moved = set_ref(moved, MAIN, self._refs[MAIN], self._retentions.get(MAIN))
        return moved._replace(refs=refs, tags=tags, retentions=retentions)
