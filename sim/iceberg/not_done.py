"""What a statement was told that it has done, and the table shows that it has not, or that it may not have been taken.

* An expiry leaves nothing that is to go by what it was told, what refs say and what the table's properties say: no ref
  that is too old, and of each branch no snapshot behind the first that is too old and one too many.
* Nothing expires where the table says that nobody may delete its files.
* A call that is refused whatever is there is not taken.

Source: Iceberg table specification, Snapshot Retention Policy; Iceberg documentation, Configuration
(`history.expire.*`, `gc.enabled`); of 1.11.0 `BaseRewriteManifests.addManifest`, `BaseReplacePartitions`,
`BaseTransaction`.

Choices: told is what had to go and is there in every version from the statement's beginning to its end. What an expiry
names is not looked for: it may have been gone. Ages are those at the beginning of the race.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.iceberg.clock_rule import EPOCH_MS
from model.iceberg.metadata import MAIN, RefRetention, TableMetadata, retention_of
from model.iceberg.retention import FIVE_DAYS_MS, GC_ENABLED, MAX_REF_AGE, MAX_SNAPSHOT_AGE, MIN_TO_KEEP
from sim.iceberg.ages import ExpireOlder, time_before
from sim.iceberg.by_hand import AddPartitions, ReplaceManifests
from sim.iceberg.lineage import line_of
from sim.iceberg.managing import Expire
from sim.iceberg.retained import kept_of, too_old
from sim.iceberg.statements import Statement, Transaction

Judged = Expire | ExpireOlder | ReplaceManifests | AddPartitions | Transaction
"""The statements of which it can be told."""


def not_done(statement: Statement, versions: Sequence[object], known: object) -> list[str]:
    """What is not as a statement was told, as sentences: none where there is no table, or another one has its place.

    Args: `versions`: those of the table from the statement's beginning on; `known`: what its client goes by.
    """
    if _is_refused(statement):
        return ["taken: expected a refusal of what contradicts itself, it was told that it is done"]
    if not isinstance(statement, Expire | ExpireOlder):
        return []
    tables = [each for each in versions if isinstance(each, TableMetadata)]
    if not tables or not isinstance(known, TableMetadata) or any(each.uuid != known.uuid for each in tables):
        return []
    if all(dict(each.properties.further).get(GC_ENABLED) == "false" for each in (known, *tables)):
        return [f"taken: expected a refusal where {GC_ENABLED} is false, an expiry was told that it is done"]
    left = set.intersection(*[_overdue(each, statement, known) for each in tables])
    return [f"overdue: expected {one} to go, it is there" for one in sorted(left)[:1]]


def _is_refused(statement: Statement) -> bool:
    """Whether it is refused, whatever is there."""
    match statement:
        case ReplaceManifests(gives=gives):
            return gives != "existing files"
        case AddPartitions(rows):
            return not rows
        case Transaction(left_open=left_open):
            return left_open
    return False


def _overdue(metadata: TableMetadata, statement: Expire | ExpireOlder, known: TableMetadata) -> set[str]:
    """The refs and the snapshots that are there, and have to go."""
    usual = _told(statement, known)
    if usual is None:
        return set()
    found, kept, reached = set[str](), set[int](), set[int]()
    for name, target in metadata.refs:
        said = _merged(retention_of(metadata, name), usual)
        if too_old(metadata, target, said, EPOCH_MS):
            found.add(name)
            continue
        kept |= {target, *kept_of(metadata, name, said, EPOCH_MS)}
        line = line_of(metadata, metadata.snapshot(target))
        reached |= {target} if name in metadata.tags else {each.snapshot_id for each in line}
    age = usual.max_snapshot_age_ms
    for each in metadata.snapshots:
        young = age is not None and EPOCH_MS - each.timestamp_ms <= age and each.snapshot_id not in reached
        if not young and each.snapshot_id not in kept:
            found.add(f"snapshot {each.snapshot_id}")
    return found


def _told(statement: Expire | ExpireOlder, known: TableMetadata) -> RefRetention | None:
    """What an expiry goes by where refs say nothing; None: it takes nothing by age. No age: nothing is young."""
    said = {name: int(value) for name, value in known.properties.further if name.startswith("history.expire.")}
    keep, most = said.get(MIN_TO_KEEP, 1), said.get(MAX_REF_AGE)
    if isinstance(statement, Expire) and statement.keep:
        return RefRetention(MAIN, statement.keep, None, most)
    if not known.last_updated_ms:
        return None
    age: int | None = said.get(MAX_SNAPSHOT_AGE, FIVE_DAYS_MS)
    if isinstance(statement, ExpireOlder):
        keep = keep if statement.keep is None else statement.keep
        age = age if statement.age_h is None else EPOCH_MS - time_before(statement.age_h)
    return RefRetention(MAIN, keep, age, most)


def _merged(own: RefRetention, usual: RefRetention) -> RefRetention:
    """What a ref says, and the usual where it says nothing."""
    said = [one if one is not None else other for one, other in zip(own[1:], usual[1:], strict=True)]
    return RefRetention(own.name, *said)
