"""The whole autopsy: what is left of a table in, findings and its history out."""

from typing import NamedTuple

from checkers.iceberg.autopsy.carry_checks import check_carried
from checkers.iceberg.autopsy.content_checks import check_contents
from checkers.iceberg.autopsy.file_checks import check_defects, check_orphans, check_statistics, is_all_read
from checkers.iceberg.autopsy.finding import Finding, sorted_findings
from checkers.iceberg.autopsy.history import Row, history
from checkers.iceberg.autopsy.line_checks import check_line, check_strays
from checkers.iceberg.autopsy.lineage import Lineage
from checkers.iceberg.autopsy.metadata_checks import check_metadata
from checkers.iceberg.autopsy.moves import expired, move
from checkers.iceberg.autopsy.records import Remains
from checkers.text import LINE_CHARACTERS, plain


class Autopsy(NamedTuple):
    """Args: `findings`, the gravest first; `rows`, the history; `notes`, what was not looked at or cannot be told."""

    findings: tuple[Finding, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def autopsy(remains: Remains) -> Autopsy:
    """Judge what is left of a table. Nothing is claimed that its files do not say."""
    if not remains.versions:
        return Autopsy(sorted_findings(map(_printable, check_defects(remains))), (), remains.notes)
    lineage = Lineage(remains)
    found = [
        *check_defects(remains), *check_line(remains, lineage), *check_strays(remains, lineage),
        *check_metadata(remains.version), *check_contents(remains), *check_carried(remains),
        *check_statistics(remains), *check_orphans(remains, lineage),
    ]  # fmt: skip
    findings = sorted_findings(map(_printable, found))
    return Autopsy(findings, history(remains, lineage), tuple(_notes(remains, lineage)))


def _printable(finding: Finding) -> Finding:
    return Finding(*(plain(text, LINE_CHARACTERS) for text in finding))


def _notes(remains: Remains, lineage: Lineage) -> list[str]:
    notes = list(remains.notes)
    removed = sum(
        len(expired(before, after)) - sum(one.snapshot_id not in after.snapshots for one in move(before, after).lost)
        for before, after in lineage.pairs()
    )
    if removed:
        notes.append(
            f"{removed:,} snapshots were removed on the table's line: expire_snapshots, a dropped branch and a removal "
            "by hand cannot be told apart"
        )
    if remains.pointer == "guess":
        notes.append("the newest metadata file is taken for the current one: only the catalog knows (--catalog)")
    if remains.unread:
        notes.append(f"{remains.unread:,} older metadata files were not read: --versions N reads more")
    if remains.files is None:
        notes.append("files could not be listed: orphans and metadata files off the table's line were not looked for")
    elif not is_all_read(remains, lineage):
        notes.append("orphans were not looked for: not every manifest can be read, and it may lead to them")
    if any(stray.was_current and stray.fork for stray in lineage.strays):
        notes.append("a table that is registered twice has two lines in one folder: each looks lost from the other")
    old = [snapshot for snapshot in remains.version.snapshots.values() if snapshot.manifests is not None]
    if old:
        notes.append(f"{len(old):,} snapshots without manifest lists (v1) were not looked into")
    return notes
