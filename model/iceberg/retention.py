"""What an expiry keeps by age: refs that are not too old, the newest and the young snapshots of each branch, and young
snapshots that no ref leads to.

A branch's past is walked from its head, and the walk ends at the first snapshot that is too old: what lies behind it
is not kept, even if it is younger, because a writer whose clock was behind committed in between.

What an expiry is not told, the table's properties say, as they are when it is made; what refs say goes before both.

Source: `core/RemoveSnapshots.java` of 1.11.0 (its constructor, `computeRetainedRefs`,
`computeAllBranchSnapshotsToRetain`, `unreferencedSnapshotsToRetain`); `core/TableProperties.java`.

Choices: `now` is when the age is asked for, which upstream takes when the expiry is made. A ref to a snapshot that is
not there cannot be made here.
"""

from typing import NamedTuple

from model.iceberg.clock_rule import HOUR_MS
from model.iceberg.errors import ValidationFailed
from model.iceberg.metadata import MAIN, Snapshot, TableMetadata, ancestors, retention_of
from model.iceberg.table_properties import TableProperties

MAX_SNAPSHOT_AGE, MIN_TO_KEEP, MAX_REF_AGE = (
    "history.expire.max-snapshot-age-ms", "history.expire.min-snapshots-to-keep", "history.expire.max-ref-age-ms",
)  # fmt: skip
FIVE_DAYS_MS = 120 * HOUR_MS
GC_ENABLED = "gc.enabled"


class Retention(NamedTuple):
    """The ages that one expiry goes by, in milliseconds; `max_ref_age_ms`: None: refs get never too old."""

    now_ms: int
    older_than_ms: int
    keep: int = 1
    max_ref_age_ms: int | None = None

    def without_old_refs(self, base: TableMetadata) -> TableMetadata:
        """`base` without refs whose snapshot is too old for them; main stays, however old it is."""
        kept = [name for name, target in base.refs if name == MAIN or self._is_young(base, name, target)]
        if len(kept) == len(base.refs):
            return base
        return base._replace(
            refs=tuple([ref for ref in base.refs if ref[0] in kept]),
            tags=tuple([name for name in base.tags if name in kept]),
            retentions=tuple([each for each in base.retentions if each.name in kept]),
        )

    def _is_young(self, base: TableMetadata, name: str, target: int) -> bool:
        own = retention_of(base, name).max_ref_age_ms
        most = self.max_ref_age_ms if own is None else own
        snapshot = base.snapshot(target)
        return most is None or (snapshot is not None and self.now_ms - snapshot.timestamp_ms <= most)

    def kept(self, base: TableMetadata) -> frozenset[int]:
        """The snapshots that stay, of a table that has lost its old refs already."""
        ids, reached = {target for _, target in base.refs}, set()
        for name, target in base.refs:
            reached.add(target)
            if name not in base.tags:
                chain = tuple(ancestors(base, base.snapshot(target)))
                reached.update([each.snapshot_id for each in chain])
                ids.update(self._of_branch(base, name, chain))
        return frozenset(ids | self._unreferenced(base, frozenset(reached)))

    def _of_branch(self, base: TableMetadata, name: str, chain: tuple[Snapshot, ...]) -> list[int]:
        """Source: `computeBranchSnapshotsToRetain`."""
        own, ids = retention_of(base, name), list[int]()
        oldest = self.older_than_ms if own.max_snapshot_age_ms is None else self.now_ms - own.max_snapshot_age_ms
        keep = self.keep if own.min_snapshots_to_keep is None else own.min_snapshots_to_keep
        for each in chain:
            if len(ids) >= keep and each.timestamp_ms < oldest:
                break
            ids.append(each.snapshot_id)
        return ids

    def _unreferenced(self, base: TableMetadata, reached: frozenset[int]) -> frozenset[int]:
        young = [each.snapshot_id for each in base.snapshots if each.timestamp_ms >= self.older_than_ms]
        return frozenset(young) - reached


def retention_for(
    properties: TableProperties, now_ms: int, older_than_ms: int | None = None, keep: int | None = None
) -> Retention:
    """The ages that an expiry goes by which is told these, if any."""
    said = {name: int(value) for name, value in properties.further if name.startswith("history.expire.")}
    older = now_ms - said.get(MAX_SNAPSHOT_AGE, FIVE_DAYS_MS) if older_than_ms is None else older_than_ms
    return Retention(now_ms, older, said.get(MIN_TO_KEEP, 1) if keep is None else keep, said.get(MAX_REF_AGE))


def refuse_without_gc(properties: TableProperties) -> None:
    """Raise `ValidationFailed` if nobody may delete files of the table, as other tables may have them."""
    if dict(properties.further).get(GC_ENABLED, "true") == "false":
        raise ValidationFailed(f"expire: expected {GC_ENABLED} to be true, it is false")
