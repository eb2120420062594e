"""What refs say is kept, and whether it is: on a table with times, from version to version.

* What a ref has said of ages is not unsaid: statements say it anew, and none takes it back.
* Of a branch that stays, the newest snapshots that it keeps stay, as many as it says, and those behind them up to the
  first that is older than it says.
* A ref goes with its snapshot only if it is too old by what it says, or by what the table says of all refs.

Source: Iceberg table specification, Snapshot Retention Policy; `docs/branching` ("retention").

Choices: what a ref does not say is up to whoever expires, and asked of nobody. A snapshot that somebody has named by
its id goes, whatever refs keep but their heads (`RemoveSnapshots.internalApply`): it is passed over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from model.iceberg.metadata import MAIN, RefRetention, TableMetadata, retention_of
from model.iceberg.retention import MAX_REF_AGE
from sim.iceberg.ages import retention_words
from sim.iceberg.lineage import line_of
from sim.iceberg.managing import Expire
from sim.iceberg.seen import Snapshots

Writers = Iterable[tuple[str, Iterable[object]]]
"""The statements of each writer, by name."""


def unkept(versions: Sequence[TableMetadata], named: Collection[int]) -> list[str]:
    """What was not kept, as sentences.

    Args: `versions`: of a table, in order; one without times keeps all; `named`: snapshots that go by their ids.
    """
    pairs = [pair for pair in pairwise(versions) if pair[0].last_updated_ms]
    return [text for before, after in pairs for text in (*_unsaid(before, after), *_gone(before, after, named))]


def named_by(writers: Writers, seen: Snapshots) -> tuple[int, ...]:
    """The snapshots that expiries name by their ids. Args: `seen`: the table as their clients loaded it."""
    names = any(isinstance(one, Expire) and not one.keep for _, todo in writers for one in todo)
    return (seen.below(1),) if names else ()


def _unsaid(before: TableMetadata, after: TableMetadata) -> Iterator[str]:
    refs = dict(after.refs)
    for said in before.retentions:
        says = retention_of(after, said.name)
        if said.name in refs and any(old is not None and new is None for old, new in zip(said, says, strict=True)):
            told = retention_words(says) or "nothing of ages"
            yield f"retention-lost: {said.name} said: {retention_words(said)}; it says {told} since"


def _gone(before: TableMetadata, after: TableMetadata, named: Collection[int]) -> Iterator[str]:
    there, refs = {*[each.snapshot_id for each in after.snapshots], *named}, dict(after.refs)
    for name, target in before.refs:
        said = retention_of(before, name)
        if name in refs:
            lost = [each for each in kept_of(before, name, said, after.last_updated_ms) if each not in there]
            if lost:
                yield f"retention-broken: {name} {retention_words(said)}, and snapshot {lost[0]} is gone"
        elif target not in there and not too_old(before, target, _with_usual_age(before, said), after.last_updated_ms):
            yield f"retention-broken: {name} is gone with its snapshot {target}, and was not too old"


def _with_usual_age(before: TableMetadata, said: RefRetention) -> RefRetention:
    """With the age of every ref that says none, by the table's properties. Source: `RemoveSnapshots`."""
    usual = dict(before.properties.further).get(MAX_REF_AGE)
    if said.max_ref_age_ms is not None or usual is None:
        return said
    return said._replace(max_ref_age_ms=int(usual))


def kept_of(before: TableMetadata, name: str, said: RefRetention, now_ms: int) -> list[int]:
    """The snapshots that a branch keeps which says so; of a tag, none."""
    if name in before.tags:
        return []
    found: list[int] = []
    for each in line_of(before, before.head(name)):
        young = said.max_snapshot_age_ms is not None and now_ms - each.timestamp_ms <= said.max_snapshot_age_ms
        if len(found) >= (said.min_snapshots_to_keep or 0) and not young:
            break
        found.append(each.snapshot_id)
    return found


def too_old(before: TableMetadata, target: int, said: RefRetention, now_ms: int) -> bool:
    """Whether a ref to `target` that says so is to go; main never is."""
    snapshot = before.snapshot(target)
    if said.name == MAIN or snapshot is None or said.max_ref_age_ms is None:
        return False
    return now_ms - snapshot.timestamp_ms > said.max_ref_age_ms
