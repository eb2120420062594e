"""Expiring snapshots: which go, the commit that takes them out of the table, and the files that go with them.

Kept are snapshots that refs point to, the newest of each branch, and what is not old enough, also by who names what is
to go: what he does not say of ages, the table's properties and refs do. Each attempt finds out
anew, but what an earlier attempt has chosen stays chosen. After the commit the table is loaded, and files are deleted
that its snapshots do not need: by the deletions in the manifests of expired snapshots, if there is nothing but main and
nothing was named; else by everything that is reachable.

Source: `core/RemoveSnapshots.java`, `core/IncrementalFileCleanup.java`, `core/ReachableFileCleanup.java` of 1.11.0;
V89.

Choices: on a table without times what is named is expired, and nothing by age beside it.
What the incremental clean-up does about cherry-picked snapshots is left out: it is only chosen where all snapshots,
expired ones too, are main's. Errors of deleting are suppressed each by itself.
"""

from contextlib import suppress

from model.iceberg import coverage
from model.iceberg.backoff import Backoff
from model.iceberg.catalog import last_of
from model.iceberg.clock_rule import built, time_ms
from model.iceberg.errors import CommitFailed, IcebergError, InvalidOperation
from model.iceberg.files import DELETED, ManifestFile
from model.iceberg.meanings import Loads
from model.iceberg.metadata import Snapshot, TableMetadata, ancestors, remove_snapshots
from model.iceberg.retention import Retention, refuse_without_gc, retention_for
from model.iceberg.schemas import without_unused
from model.iceberg.statistics_changes import no_longer_named
from model.iceberg.table import IcebergTable

NEVER_MS = 1 << 62
"""A time that all snapshots are older than."""
TO_TRY, TO_RETRY, TO_CLEAN = Loads("attempt"), Loads("retry"), Loads("leftovers")


class ExpireSnapshots:
    """One expiry, to be committed once."""

    def __init__(self, table: IcebergTable) -> None:
        self._table, self._world, self._base = table, table.world, table.metadata
        refuse_without_gc(self._base.properties)
        self._ids: set[int] = set()
        self._named: set[int] = set()
        self._retention: Retention | None = None  # a table without times has nothing that is too old
        if self._base.last_updated_ms:
            self.expire_older_than()
        self._cleans_metadata = False
        self.took_main = False

    def expire_snapshot_id(self, snapshot_id: int) -> "ExpireSnapshots":
        """Expire this snapshot, however old it is."""
        self._ids.add(snapshot_id)
        self._named.add(snapshot_id)
        return self

    def age_out(self, keep: int) -> "ExpireSnapshots":
        """Expire all snapshots but the newest of each branch, unless its ref says something else: `expireOlderThan` a
        time to come, `retainLast`."""
        return self.expire_older_than(NEVER_MS, keep)

    def expire_older_than(self, timestamp_ms: int | None = None, keep: int | None = None) -> "ExpireSnapshots":
        """Expire by age: `expireOlderThan`, `retainLast`, where they are told; refs that say something of ages go by
        that."""
        self._retention = retention_for(self._base.properties, time_ms(self._world), timestamp_ms, keep)
        return self

    def clean_expired_metadata(self) -> "ExpireSnapshots":
        """Remove partition specs, too, that are not the default one and that no snapshot which is kept has files of,
        and schemas that are not the current one and that no such snapshot was made under."""
        self._cleans_metadata = True
        return self

    def commit(self, *, cleans: bool = True) -> None:
        """Commit on whatever is there, then delete files, unless somebody else does (`cleanupLevel(NONE)`).

        Raises: any `IcebergError`.
        """
        known = self._base.properties
        backoff = Backoff.of(self._world, known)
        self._world.notes.intend(TO_TRY)
        while True:
            try:
                self._attempt()
                break
            except CommitFailed:
                self._world.coverage.hit(coverage.RETRY)
                if not backoff.may_retry():
                    raise
                backoff.wait()
                self._world.notes.intend(TO_RETRY)
        if cleans and self._base.snapshots:
            self._clean()

    def _attempt(self) -> None:
        self._base = base = self._table.ops.refresh()
        if self._table.rules.expiry_chooses_anew:
            self._ids = set(self._named)
        left = base if self._retention is None else self._retention.without_old_refs(base)
        self._refuse_referenced(left)
        if self._retention is not None:
            kept = self._retention.kept(left)
            self._ids.update([each.snapshot_id for each in base.snapshots if each.snapshot_id not in kept])
        updated = remove_snapshots(left, self._ids)
        updated = self._without_schemas(self._without_specs(updated)) if self._cleans_metadata else updated
        self._table.ops.commit(built(self._world, base, updated))
        main = last_of(self._table.ops).current_snapshot_id
        self.took_main = base.current_snapshot_id is not None and main is None

    def _without_specs(self, left: TableMetadata) -> TableMetadata:
        """Source: `internalApply`, `cleanExpiredMetadata`."""
        reachable = {left.partitioning.default_id}
        for snapshot in left.snapshots:
            reachable.update([manifest.spec_id for manifest in self._table.files.manifests(snapshot)])
        gone = [spec_id for spec_id in left.partitioning.ids if spec_id not in reachable]
        if not gone:
            return left
        self._world.coverage.hit(coverage.SPECS_REMOVED)
        return left._replace(partitioning=left.partitioning.without(gone))

    def _without_schemas(self, left: TableMetadata) -> TableMetadata:
        kept = without_unused(left)
        if kept is not left:
            self._world.coverage.hit(coverage.SCHEMAS_REMOVED)
        return kept

    def _refuse_referenced(self, base: TableMetadata) -> None:
        """Source: `internalApply` ("Cannot expire. Still referenced by refs"), and of what an earlier attempt chose."""
        for name, target in base.refs:
            if target in self._ids:
                self._world.coverage.hit(coverage.EXPIRED_ID_REFERENCED)
                raise InvalidOperation(f"expire {target}: expected a snapshot without refs, {name} points to it")

    @property
    def base(self) -> TableMetadata:
        """The table that its last attempt has changed."""
        return self._base

    def as_committed(self) -> TableMetadata:
        """The table by which files are cleaned up. Source: `cleanExpiredSnapshots` ("ops.refresh")."""
        believes = self._table.rules.expiry_cleans_as_committed
        return last_of(self._table.ops) if believes else self._table.ops.refresh()

    def _clean(self) -> None:
        self._world.notes.intend(TO_CLEAN)
        before, after = self._base, self.as_committed()
        left = {each.snapshot_id for each in after.snapshots}
        expired = [each for each in before.snapshots if each.snapshot_id not in left]
        incremental, statistics = not self._named and self._only_main(before, after), no_longer_named(before, after)
        if not expired:
            return self._delete(() if incremental else statistics)
        self._world.coverage.hit(coverage.CLEANED_INCREMENTALLY if incremental else coverage.CLEANED_BY_REACH)
        lists = [each.manifest_list for each in expired]
        expired = [each for each in expired if not incremental or self._is_there(each)]
        unused = self._unused(expired, after)
        data = self._removed(expired, before, after) if incremental else self._unreachable(unused, after)
        self._delete((*data, *[manifest.path for manifest in unused], *lists, *statistics))

    def _delete(self, paths: tuple[str, ...]) -> None:
        for path in paths:
            with suppress(IcebergError):
                self._table.files.delete(path)

    def _is_there(self, snapshot: Snapshot) -> bool:
        """Whether a snapshot's list can be read still: another expiry may have deleted it. The incremental clean-up
        goes on without it, the other one ends with the error, although the expiry is committed."""
        try:
            self._table.files.manifests(snapshot)
        except IcebergError:
            return False
        return True

    def _only_main(self, before: TableMetadata, after: TableMetadata) -> bool:
        """Source: `hasRemovedNonMainAncestors`, `hasNonMainSnapshots`."""
        old = {each.snapshot_id for each in ancestors(before, before.current)}
        new = {each.snapshot_id for each in ancestors(after, after.current)}
        left = {each.snapshot_id for each in after.snapshots}
        return left <= new and all(each.snapshot_id in old | left for each in before.snapshots)

    def _unused(self, expired: list[Snapshot], after: TableMetadata) -> tuple[ManifestFile, ...]:
        """The manifests of expired snapshots that no snapshot has any more."""
        used = {manifest.path for each in after.snapshots for manifest in self._table.files.manifests(each)}
        found = {one.path: one for each in expired for one in self._table.files.manifests(each)}
        return tuple([one for one in found.values() if one.path not in used])

    def _unreachable(self, unused: tuple[ManifestFile, ...], after: TableMetadata) -> tuple[str, ...]:
        """Files that are live in manifests that go, and in none that stays. Source: `ReachableFileCleanup`."""
        found = {entry.location: None for one in unused for entry in self._table.files.live_entries(one)}
        return self._without_live(tuple(found), after) if found else ()

    def _without_live(self, paths: tuple[str, ...], after: TableMetadata) -> tuple[str, ...]:
        """Those of these files that no snapshot has any more."""
        used = {one.path: one for each in after.snapshots for one in self._table.files.manifests(each)}
        live = {entry.location for one in used.values() for entry in self._table.files.live_entries(one)}
        return tuple([path for path in paths if path not in live])

    def _removed(self, expired: list[Snapshot], before: TableMetadata, after: TableMetadata) -> tuple[str, ...]:
        """Files that snapshots of main removed which have expired. Source: `IncrementalFileCleanup.findFilesToDelete`.

        As shipped nobody looks whether a file is in use still: one of several deletion vectors that is removed takes
        the others' file with it.
        """
        ids = {each.snapshot_id for each in ancestors(before, before.current)}
        left = {each.snapshot_id for each in after.snapshots}
        manifests = {
            one.path: one
            for each in (*expired, *after.snapshots)
            for one in self._table.files.manifests(each)
            if one.added_snapshot_id in ids and one.added_snapshot_id not in left and one.deleted_files
        }
        entries = [entry for one in manifests.values() for entry in self._table.files.entries(one)]
        gone = [entry for entry in entries if entry.status == DELETED and entry.snapshot_id not in left]
        paths = tuple(dict.fromkeys([entry.location for entry in gone]))
        return self._without_live(paths, after) if paths and self._table.rules.expiry_keeps_live_files else paths


def expire_snapshot(base: TableMetadata, snapshot_id: int) -> TableMetadata:
    """`base` without one unreferenced snapshot; log entries up to it go too.

    Raises: `InvalidOperation` if a ref points to it.
    Source: iceberg/1.1, V89; `core/RemoveSnapshots.java`.
    """
    if any(target == snapshot_id for _, target in base.refs):
        raise InvalidOperation(f"expire {snapshot_id}: expected a snapshot without refs, a ref still points to it")
    return remove_snapshots(base, (snapshot_id,))
