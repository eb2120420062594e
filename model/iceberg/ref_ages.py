"""Setting a ref: where it points, and what it says about its own age and its snapshots'.

Whoever sets a ref sets all of it. A commit that moves a branch says of ages what its writer had loaded: on a catalog
that compares the whole table, that is what the table says.

Source: `core/SnapshotRef.java`, `core/TableMetadata.java` (`Builder.setRef`, `setBranchSnapshotInternal`) of 1.11.0.
"""

from model.iceberg.metadata import MAIN, RefRetention, TableMetadata, move_branch


def set_ref(base: TableMetadata, name: str, snapshot_id: int, retention: RefRetention | None) -> TableMetadata:
    """`base` with a ref at a snapshot, and with what it says; `base` itself if nothing is changed.

    The history gets an entry for main, moved or not. Raises: as `move_branch`.
    """
    moved = with_retention(move_branch(base, snapshot_id, name), retention or RefRetention(name))
    if name != MAIN or moved is base or moved.snapshot_log != base.snapshot_log:
        return moved
    return moved._replace(snapshot_log=(*base.snapshot_log, snapshot_id))


def with_retention(base: TableMetadata, retention: RefRetention) -> TableMetadata:
    """`base` with what a ref says about ages; a ref that says nothing has no entry."""
    others = [each for each in base.retentions if each.name != retention.name]
    says = [retention] if retention != RefRetention(retention.name) else []
    retentions = tuple(sorted([*others, *says], key=lambda each: each.name))
    return base if retentions == base.retentions else base._replace(retentions=retentions)
