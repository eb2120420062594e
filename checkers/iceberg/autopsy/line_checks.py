"""Findings about the line of versions: commits that vanished on it, and files off it that tell who overwrote whom."""

from collections.abc import Iterator

from checkers.iceberg.autopsy.finding import DAMAGE, LEFTOVER, LOSS, UNCLEAR, Finding
from checkers.iceberg.autopsy.lineage import Lineage, Stray
from checkers.iceberg.autopsy.moves import BYPASSED, VANISHED, VANISHED_OR_REPLACED, move
from checkers.iceberg.autopsy.records import Remains, Snapshot, Version
from checkers.iceberg.autopsy.rescue import rescue
from checkers.iceberg.autopsy.words import counted, found_in, named, told

AUTHORITIES = ("catalog", "hint")
"""Who knows where the table stands; a user and a guess may name an older version."""
GUESS = "guess"


def check_line(remains: Remains, lineage: Lineage) -> Iterator[Finding]:
    """What went wrong between versions that follow each other."""
    for before, after in lineage.pairs():
        yield from _moved(remains, before, after)
        yield from _carried(before, after)
    for file in lineage.line:
        if file in remains.absent:
            yield Finding(
                "missing-metadata-file", UNCLEAR, file, "a metadata file that the log names is gone",
                "a file", "none", "nothing for readers: but what was lost in that version would not be seen",
            )  # fmt: skip


def _moved(remains: Remains, before: Version, after: Version) -> Iterator[Finding]:
    found = move(before, after)
    for snapshot in found.lost:
        if found.kind == BYPASSED:
            head = found_in({after.file: after}, after.head or 0)
            yield Finding(
                "bypassed-commit", LOSS, after.file,
                f"{told(snapshot)} is no longer in main: {named(after.file)} went around it",
                f"a commit made from main's head {before.head}",
                f"snapshot {after.head}, made from {head.parent_snapshot_id if head else None}",
                "if nobody rolled main back on purpose: cherry-pick the snapshot, which the table still has"
                if snapshot.snapshot_id in remains.version.snapshots else rescue(remains, snapshot),
            )  # fmt: skip
        elif found.kind in (VANISHED, VANISHED_OR_REPLACED):
            yield _vanished(remains, before, after, snapshot, found.kind == VANISHED)


def _vanished(remains: Remains, before: Version, after: Version, snapshot: Snapshot, certain: bool) -> Finding:
    head = "no snapshot" if after.head is None else f"snapshot {after.head}"
    doubt = "" if certain else "; a table replaced and expired in one transaction looks the same"
    return Finding(
        "vanished-head", LOSS if certain else UNCLEAR, after.file,
        f"{told(snapshot)}, the head of main in {named(before.file)}, is neither in main nor kept in "
        f"{named(after.file)}",
        "main goes on from it, or it is kept: no expiry removes the head of a branch",
        f"main is at {head}{doubt}", rescue(remains, snapshot),
    )  # fmt: skip


def _carried(before: Version, after: Version) -> Iterator[Finding]:
    """What a version has to take over from the one before it."""
    old, new = before.header, after.header
    if after.parent != before.file:
        yield Finding(
            "logs-disagree", UNCLEAR, after.file, "the table's log and that of this version name different parents",
            named(before.file), named(after.parent) if after.parent else "no log",
            "look at who wrote it: it was put in the place of a version made from the other",
        )  # fmt: skip
    if old.table_uuid and new.table_uuid and old.table_uuid.lower() != new.table_uuid.lower():
        yield Finding(
            "uuid-changed", DAMAGE, after.file, "another table stands in this one's place",
            f"table-uuid {old.table_uuid} of {named(before.file)}", new.table_uuid,
            "if nobody recreated the table: point the catalog back at the version before",
        )  # fmt: skip
    for name in ("format_version", "last_sequence_number", "last_column_id", "last_partition_id", "next_row_id"):
        was, is_ = getattr(old, name), getattr(new, name)
        if was is not None and is_ is not None and is_ < was:
            yield Finding(
                "number-went-back", DAMAGE, after.file, f"{name.replace('_', '-')} is lower than before",
                f"at least {was}, as in {named(before.file)}", str(is_),
                "stop writers: ids will be given out twice; restore the number in a new metadata file",
            )  # fmt: skip


def check_strays(remains: Remains, lineage: Lineage) -> Iterator[Finding]:
    """Who wrote beside the line, and what of it is lost."""
    newer = [stray for stray in lineage.strays if stray.fork is not None and stray.winner is None]
    if newer and remains.pointer not in AUTHORITIES:
        yield Finding(
            "newer-versions", UNCLEAR, remains.current, f"{counted(len(newer), 'metadata file')} followed this one",
            "the newest version of the table", f"such as {named(newer[-1].file)}",
            "name the metadata file that the catalog points at, or use --catalog",
        )  # fmt: skip
    for stray in lineage.strays:
        if stray.fork is None:
            yield from _unconnected(remains, remains.versions[stray.file])
        elif stray.winner is not None or remains.pointer in AUTHORITIES:
            yield from _overwritten(remains, lineage, stray) if stray.was_current else _leaf(remains, lineage, stray)


def _rival(remains: Remains, stray: Stray) -> str:
    """Who stands where the stray wanted to."""
    fork = named(stray.fork or "")
    if stray.winner is None:
        return f"it was made after {fork}, at which the table stands"
    head = remains.versions[stray.winner].head if stray.winner in remains.versions else None
    return f"after {fork} the table has {named(stray.winner)}" + (f" (snapshot {head})" if head is not None else "")


def _overwritten(remains: Remains, lineage: Lineage, stray: Stray) -> Iterator[Finding]:
    followed = sum(one.parent == stray.file for one in remains.versions.values())
    weight, doubt = LOSS, ""
    if not stray.is_seen:
        weight, doubt = UNCLEAR, ", later versions of which cannot be read"
    elif remains.pointer == GUESS:
        weight, doubt = UNCLEAR, f", if it stands at {named(remains.current)}: only the catalog knows"
    proof = f"{counted(followed, 'metadata file')} followed it" if followed else "later metadata files log it"
    for snapshot in stray.lost:
        yield Finding(
            "lost-commit", weight, stray.file, f"{told(snapshot)} was in the table, and is lost: {proof}",
            "in a version of the table's line", _rival(remains, stray) + doubt, rescue(remains, snapshot),
        )  # fmt: skip
    if not stray.added:
        yield Finding(
            "lost-change", weight, stray.file, f"a change of {_change(remains, lineage, stray)} is lost: {proof}",
            "in the table's line", _rival(remains, stray) + doubt,
            "compare it with the current metadata, and do it again",
        )  # fmt: skip


def _leaf(remains: Remains, lineage: Lineage, stray: Stray) -> Iterator[Finding]:
    if not stray.lost:
        if stray.added:
            yield Finding(
                "attempt", LEFTOVER, stray.file, "a metadata file of an attempt that was made again, and landed",
                "no file", f"snapshot {stray.added[0].snapshot_id} is in the table's line", "remove it at leisure",
            )  # fmt: skip
        else:
            yield Finding(
                "unaccounted-change", UNCLEAR, stray.file,
                f"a change of {_change(remains, lineage, stray)} is not in the table",
                "in the table's line, or no file", _rival(remains, stray),
                "ask its writer: refused, still under way or overwritten cannot be told apart",
            )  # fmt: skip
    for snapshot in stray.lost:
        if snapshot.manifest_list in remains.absent:
            yield Finding(
                "refused-commit", LEFTOVER, stray.file,
                f"{told(snapshot)} is not in the table; its manifest list is gone, as a refused writer removes it",
                "no file", _rival(remains, stray), "nothing, if its writer was told so",
            )  # fmt: skip
        else:
            yield Finding(
                "unaccounted-commit", UNCLEAR, stray.file, f"{told(snapshot)} is not in the table",
                "in the table's line, or no file", _rival(remains, stray),
                "ask its writer: refused, still under way or overwritten cannot be told apart; if it was told that it "
                f"had committed: {rescue(remains, snapshot)}",
            )  # fmt: skip


def _unconnected(remains: Remains, version: Version) -> Iterator[Finding]:
    current = remains.version
    if version.header.table_uuid and version.header.table_uuid != current.header.table_uuid:
        yield Finding(
            "foreign-metadata", LEFTOVER, version.file, "a metadata file of another table in this table's folder",
            f"table-uuid {current.header.table_uuid}", version.header.table_uuid,
            "find out whose it is: two tables in one folder remove each other's files as orphans",
        )  # fmt: skip
    elif (version.number or 0) > (current.number or 0):
        yield Finding(
            "unconnected-metadata", UNCLEAR, version.file, "a newer metadata file that is not made from this table's",
            "a log that leads to the table's versions", f"made from {named(version.parent or 'nothing')}",
            "ask who wrote it, and compare it with the current one",
        )  # fmt: skip


def _change(remains: Remains, lineage: Lineage, stray: Stray) -> str:
    before = lineage.before(stray.file)
    return changes(before, remains.versions[stray.file]) if before else "unknown kind"


def changes(before: Version, after: Version) -> str:
    """What a version changed beside snapshots: "schema, properties"; "nothing that is known" if no more."""
    pairs = zip(_parts(before), _parts(after), strict=True)
    return ", ".join(word for (word, old), (_, new) in pairs if old != new) or "nothing that is known"


def _parts(one: Version) -> Iterator[tuple[str, object]]:
    yield "schema", (one.header.current_schema_id, one.schemas)
    yield "partition spec", (one.header.default_spec_id, one.specs)
    yield "sort order", (one.header.default_sort_order_id, one.sort_orders)
    yield "properties", one.properties
    yield "refs", {name: ref for name, ref in one.refs.items() if name != "main"}
    yield "location", one.header.location
    yield "format version", one.header.format_version
    yield "statistics", one.statistics
