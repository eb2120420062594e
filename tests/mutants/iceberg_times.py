"""Mutants of what goes by age: expiry (`model.iceberg.retention`), and the roll-back to a time.

They are killed by vectors of `tests/vectors/iceberg_times.json`: no scenario of the simulator has snapshots with times.
"""

from model.iceberg import clock_rule, expire, retention, roll_back_to_time
from model.iceberg.clock_rule import HOUR_MS
from model.iceberg.errors import InvalidOperation
from model.iceberg.expire import ExpireSnapshots
from model.iceberg.metadata import (
    MAIN,
    RefRetention,
    Snapshot,
    TableMetadata,
    ancestors,
    retention_of,
)
from model.iceberg.references import SetSnapshot, UpdateReferences
from model.iceberg.retention import Retention
from model.iceberg.roll_back_to_time import RollBackToTime
from model.iceberg.table_properties import TableProperties
from tests.mutants.damage import left_out, nothing, replaced
from tests.mutants.mutant import Mutant

_of_branch, _kept, _is_young = Retention._of_branch, Retention.kept, Retention._is_young
Chain = tuple[Snapshot, ...]


def whole_walk(self: Retention, base: TableMetadata, name: str, chain: Chain) -> list[int]:
    """All young snapshots of the past, whatever lies above them."""
    first = _of_branch(self, base, name, chain)
    return [*first, *[each.snapshot_id for each in chain if each.timestamp_ms >= self.older_than_ms]]


def without_minimum(self: Retention, base: TableMetadata, name: str, chain: Chain) -> list[int]:
    """The minimum of the expiry, for every branch."""
    own = retention_of(base, name)._replace(min_snapshots_to_keep=None)
    return _of_branch(self, base._replace(retentions=(own,)), name, chain)


def without_age(self: Retention, base: TableMetadata, name: str, chain: Chain) -> list[int]:
    """The age of the expiry, for every branch."""
    own: RefRetention = retention_of(base, name)._replace(max_snapshot_age_ms=None)
    return _of_branch(self, base._replace(retentions=(own,)), name, chain)


def from_later(self: Retention, base: TableMetadata, name: str, chain: Chain) -> list[int]:
    """What is exactly as old as asked for goes, too."""
    return _of_branch(self._replace(older_than_ms=self.older_than_ms + 1), base, name, chain)


def main_as_others(self: Retention, base: TableMetadata) -> TableMetadata:
    """Main goes with its age, as any other ref."""
    refs = tuple([ref for ref in base.refs if _is_young(self, base, *ref)])
    return base._replace(refs=refs, current_snapshot_id=dict(refs).get(MAIN))


def tags_as_branches(self: Retention, base: TableMetadata) -> frozenset[int]:
    """Tags keep what lies below them."""
    below = [each.snapshot_id for _, target in base.refs for each in ancestors(base, base.snapshot(target))]
    return _kept(self, base) | (frozenset(below) if base.tags else frozenset())


def nothing_reached(self: Retention, base: TableMetadata, _: frozenset[int]) -> frozenset[int]:
    """The pasts of branches are taken for unreferenced."""
    return frozenset([each.snapshot_id for each in base.snapshots if each.timestamp_ms >= self.older_than_ms])


def none_unreferenced(*_: object) -> frozenset[int]:
    """What no ref leads to goes, however young."""
    return frozenset()


def all_unreferenced(_: Retention, base: TableMetadata, reached: frozenset[int]) -> frozenset[int]:
    """What no ref leads to stays, however old."""
    return frozenset([each.snapshot_id for each in base.snapshots]) - reached


def latest_of_all(base: TableMetadata, timestamp_ms: int) -> int:
    """The latest snapshot of the table, an ancestor or not."""
    older = [each for each in base.snapshots if each.timestamp_ms < timestamp_ms]
    return max(older, key=lambda each: each.timestamp_ms).snapshot_id


def first_before(base: TableMetadata, timestamp_ms: int) -> int:
    """The newest in line, whatever came later by its clock."""
    for each in ancestors(base, base.current):
        if each.timestamp_ms < timestamp_ms:
            return each.snapshot_id
    raise InvalidOperation("roll back: expected a snapshot before that time")


_latest = roll_back_to_time.latest_before


def retained_alone(self: UpdateReferences, retention: RefRetention) -> UpdateReferences:
    """What a ref has said before is forgotten."""
    _retain(self, retention)
    self._retentions[retention.name] = retention
    return self


def retained_by_tags(self: UpdateReferences, retention: RefRetention) -> UpdateReferences:
    """Tags keep snapshots, too."""
    self._retentions[retention.name] = retention
    return self


def untold(_: TableProperties, now_ms: int, older_than_ms: int | None = None, keep: int | None = None) -> Retention:
    """No property is asked."""
    return _retention_for(TableProperties(), now_ms, older_than_ms, keep)


def properties_first(
    properties: TableProperties, now_ms: int, older_than_ms: int | None = None, keep: int | None = None
) -> Retention:
    """What is told counts where the properties say nothing."""
    said = dict(properties.further)
    older = None if retention.MAX_SNAPSHOT_AGE in said else older_than_ms
    return _retention_for(properties, now_ms, older, None if retention.MIN_TO_KEEP in said else keep)


def named_alone(self: ExpireSnapshots, snapshot_id: int) -> ExpireSnapshots:
    """Who names what is to go has nothing else expire."""
    self._retention = None
    return _expire_snapshot_id(self, snapshot_id)


_expire_snapshot_id = ExpireSnapshots.expire_snapshot_id
_retention_for = retention.retention_for
_retain = UpdateReferences.retain
TIMES: tuple[Mutant, ...] = (
    replaced("walk-goes-on", Retention, "_of_branch", whole_walk, "kinder than upstream to a clock that is behind"),
    replaced("minimum-of-the-expiry", Retention, "_of_branch", without_minimum, "a branch loses what it is to keep"),
    replaced("age-of-the-expiry", Retention, "_of_branch", without_age, "a branch loses what it is to keep"),
    replaced("time-itself-is-older", Retention, "_of_branch", from_later, "a snapshot of that very time goes"),
    replaced("refs-never-too-old", Retention, "_is_young", lambda *_: True, "refs stay for ever"),
    replaced("main-too-old", Retention, "without_old_refs", main_as_others, "the table is empty"),
    replaced("tags-keep-their-past", Retention, "kept", tags_as_branches, "snapshots stay for ever"),
    replaced("pasts-unreferenced", Retention, "_unreferenced", nothing_reached, "a branch's shorter age is void"),
    replaced("unreferenced-go", Retention, "_unreferenced", none_unreferenced, "what is staged is lost"),
    replaced("unreferenced-stay", Retention, "_unreferenced", all_unreferenced, "what is staged stays for ever"),
    replaced("properties-of-ages-ignored", expire, "retention_for", untold, "more goes than the table says"),
    replaced("properties-go-first", expire, "retention_for", properties_first, "kinder than upstream"),
    replaced("older-than-an-hour", retention, "FIVE_DAYS_MS", HOUR_MS, "more goes than anybody has said"),
    replaced("named-beside-nothing-old", ExpireSnapshots, "expire_snapshot_id", named_alone, "old ones stay beside it"),
    replaced("gc-not-asked", expire, "refuse_without_gc", nothing, "files go that other tables have"),
    left_out("expires-what-a-young-ref-has", ExpireSnapshots, "_refuse_referenced", "a ref to nothing"),
    replaced("clocks-not-asked", clock_rule, "refuse_before", nothing, "a time before the last one is written"),
    replaced("no-tolerance", clock_rule, "TOLERANCE_MS", 0, "clocks have to be the same"),
    replaced("any-snapshot-is-an-ancestor", roll_back_to_time, "latest_before", latest_of_all, "main goes astray"),
    replaced("newest-in-line", roll_back_to_time, "latest_before", first_before, "main was not that"),
    replaced("time-itself-is-before", roll_back_to_time, "latest_before", lambda base, at: _latest(base, at + 1),
             "main goes less far back than upstream's"),
    replaced("retained-alone", UpdateReferences, "retain", retained_alone, "a ref loses what it has said"),
    replaced("tags-retain", UpdateReferences, "retain", retained_by_tags, "metadata that nobody else can write"),
    replaced("ancestry-looked-at-once", RollBackToTime, "_meet", SetSnapshot._meet, "main goes to what it never had"),
)  # fmt: skip
BY_NAME = {mutant.name: mutant for mutant in TIMES}
