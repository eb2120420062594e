"""What must be true of any metadata, where a build of it does not see to that by itself."""

from model.iceberg.metadata import MAIN, TableMetadata


def invariant_findings(metadata: TableMetadata) -> list[str]:
    """What is wrong with this metadata, as sentences; empty if every invariant holds.

    Source: iceberg/1.1 (constructor checks of `TableMetadata`) and iceberg/9.2 (state invariants).
    """
    found = []
    ids = [snapshot.snapshot_id for snapshot in metadata.snapshots]
    numbers = [each.sequence_number for each in metadata.snapshots if each.sequence_number]  # 0: of format 1
    refs = dict(metadata.refs)
    if len(set(ids)) != len(ids):
        found.append(f"snapshots: expected unique ids, got {ids}")
    if sorted(set(numbers)) != numbers:
        found.append(f"snapshots: expected increasing sequence numbers, got {numbers}")
    if any(number > metadata.last_sequence_number for number in numbers):
        found.append(f"last-sequence-number: expected at least {max(numbers)}, got {metadata.last_sequence_number}")
    found += [
        f"ref {name}: expected an existing snapshot, got {target}"
        for name, target in metadata.refs
        if target not in ids
    ]
    gone = [field.column for field in metadata.sort_orders.default.fields if field.column not in metadata.columns]
    found += [f"default sort order: expected columns of the table, got {name}" for name in gone]
    of_tags = [each for each in metadata.retentions if each.name in metadata.tags]
    found += [f"tag {each.name}: expected no age of snapshots" for each in of_tags if each[1:3] != (None, None)]
    places = [each.place for each in metadata.statistics]
    if len(set(places)) != len(places):
        found.append(f"statistics: expected one file of each kind for a snapshot, got {sorted(places)}")
    if refs.get(MAIN) != metadata.current_snapshot_id:
        found.append(f"current snapshot: expected main's {refs.get(MAIN)}, got {metadata.current_snapshot_id}")
    if metadata.snapshot_log and metadata.snapshot_log[-1] != metadata.current_snapshot_id:
        found.append(
            f"snapshot log: expected to end at {metadata.current_snapshot_id}, got {metadata.snapshot_log[-1]}"
        )
    return found
