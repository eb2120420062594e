"""One damage below the metadata file at a time: manifest lists, manifests, data files."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from checkers.iceberg.autopsy.judge import autopsy
from checkers.iceberg.autopsy.records import DELETED, EXISTING, PUFFIN, Entry
from tests.unit.iceberg.autopsy.tables import examined, kinds, remains


def _file(made, pattern, number=0):
    return sorted(made.folder.rglob(pattern), key=lambda path: path.stat().st_mtime_ns)[number]


def test_a_data_file_that_is_gone_names_its_manifest_and_its_readers(made):
    """Live in the current snapshot of main."""
    gone = _file(made, "*.parquet")
    gone.unlink()
    (finding,) = made.find().findings
    assert (finding.kind, finding.weight) == ("missing-data-file", "damage")
    assert finding.where == str(gone.relative_to(made.folder))
    assert "2 records" in finding.expected
    assert finding.do.startswith("readers of branch main fail")


def test_a_file_that_only_an_old_snapshot_needs_is_told_as_such(made):
    """After a delete of its only rows."""
    gone = _file(made, "*.parquet")
    made.load().delete("id = 0 or id = 10")
    gone.unlink()
    (finding,) = made.find().findings
    assert finding.kind == "missing-data-file"
    assert finding.do.startswith("time travel to snapshot ")


@pytest.mark.parametrize(
    ("pattern", "kind"), [("snap-*.avro", "missing-manifest-list"), ("*-m0.avro", "missing-manifest")]
)
def test_metadata_that_is_gone_is_told_and_its_files_are_no_orphans(made, pattern, kind):
    """What it led to is not known to be needless."""
    _file(made, pattern, -1).unlink()
    found = made.find()
    assert kinds(found) == [kind]
    assert "orphans were not looked for: not every manifest can be read, and it may lead to them" in found.notes


def test_a_torn_data_file_is_told(made):
    """Half of its bytes."""
    torn = _file(made, "*.parquet")
    torn.write_bytes(torn.read_bytes()[:100])
    (finding,) = made.find().findings
    assert (finding.kind, finding.got) == ("wrong-size", "100 bytes")


@pytest.mark.parametrize("pattern", ["snap-*.avro", "*-m0.avro"])
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_an_avro_file_that_is_cut_off_is_told(made, pattern, share):
    """PyIceberg itself takes the end of a block for the end of the file."""
    cut = _file(made, pattern, -1)
    cut.write_bytes(cut.read_bytes()[: int(cut.stat().st_size * share)])
    found = made.find()
    assert kinds(found)[0] == "unreadable"
    assert found.findings[0].where == f"metadata/{cut.name}"


@pytest.mark.parametrize("pattern", ["snap-*.avro", "*-m0.avro"])
@pytest.mark.parametrize("body", [b"", b"no Avro", b"Obj\x01", gzip.compress(b"x", mtime=0)], ids=len)
def test_what_is_no_avro_file_is_told(made, pattern, body):
    """Whatever stands in it."""
    _file(made, pattern, -1).write_bytes(body)
    assert kinds(made.find())[0] == "unreadable"


def test_an_avro_file_of_another_kind_is_told(made):
    """A manifest where a manifest list belongs, and the other way round."""
    list_, manifest = _file(made, "snap-*.avro", -1), _file(made, "*-m0.avro", -1)
    body = manifest.read_bytes()
    manifest.write_bytes(list_.read_bytes())
    assert kinds(made.find())[0] == "unreadable"
    list_.write_bytes(body)
    assert kinds(made.find())[0] == "unreadable"


def test_a_total_that_does_not_add_up_is_told_once(made):
    """Later snapshots carry it on by addition."""

    def change(data):
        for snapshot in data["snapshots"][1:]:
            summary = snapshot["summary"]
            summary["total-records"] = str(int(summary["total-records"]) + 5)

    made.edit(change)
    (finding,) = made.find().findings
    assert finding.kind == "wrong-total"
    assert (finding.expected.split(",")[0], finding.got) == ("4", "9")


def test_a_snapshot_without_a_manifest_list_is_told(made):
    """It cannot be read at all."""
    made.edit(lambda data: data["snapshots"][0].pop("manifest-list"))
    assert "no-manifest-list" in kinds(made.find())


def test_files_that_nothing_leads_to_are_leftovers(made):
    """Hidden files are not looked at, nor what was written after the last commit."""
    import os

    for name in ("old.parquet", "_hidden.parquet", "new.parquet"):
        (made.folder / "data" / name).write_bytes(b"x")
        os.utime(made.folder / "data" / name, (1, 1) if name != "new.parquet" else None)
    (made.folder / "data" / "new.parquet").touch()
    (finding,) = made.find().findings
    assert (finding.kind, finding.weight, finding.where) == ("orphan", "leftover", "data/old.parquet")


def test_a_manifest_list_of_a_snapshot_that_nobody_has_is_told_with_its_snapshot(made):
    """All that is left of a commit whose metadata file was overwritten, as by a rename that replaces."""
    snapshot = made.append(9)
    made.current.unlink()
    made.catalog.point(str(made.versions[-1]))
    found = made.find()
    (attempt,) = [finding for finding in found.findings if finding.kind == "attempt"]
    assert attempt.weight == "unclear"
    assert f"snapshot {snapshot}" in attempt.what
    assert "all that it added is there (1 file, 1 record)" in attempt.do
    assert "orphan" not in kinds(found)


def _with(found, change, which=-1):
    """The same remains with the entries of one manifest changed."""
    path = list(found.manifests)[which]
    return replace(found, manifests={**found.manifests, path: tuple(change(list(found.manifests[path])))})


def _row(found, **changes):
    head = found.version.head
    first, *others = found.lists[head]
    return replace(found, lists={**found.lists, head: (first._replace(**changes), *others)})


def _delete(entry, **more):
    return Entry(1, entry.snapshot_id, 3, 3, 1, "data/d.parquet", "PARQUET", 1, 10, entry.path)._replace(**more)


ENTRIES = [
    ("live-twice", lambda entries: entries * 2),
    ("sequence-number-ahead", lambda entries: [entries[0]._replace(sequence_number=99)]),
    ("sequence-number-ahead", lambda entries: [entries[0]._replace(file_sequence_number=0)]),
    ("no-sequence-number", lambda entries: [entries[0]._replace(status=EXISTING, sequence_number=None)]),
    ("manifest-count", lambda entries: []),
    ("manifest-count", lambda entries: [entries[0]._replace(status=EXISTING)]),
    ("min-sequence-number", lambda entries: [entries[0]._replace(sequence_number=1)]),
    ("delete-of-nothing", lambda entries: [*entries, _delete(entries[0], referenced="data/gone.parquet")]),
    ("two-deletion-vectors", lambda entries: [*entries, _delete(entries[0], format=PUFFIN),
                                              _delete(entries[0], format=PUFFIN, path="data/e.puffin")]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "change"), ENTRIES, ids=[f"{n}-{kind}" for n, (kind, _) in enumerate(ENTRIES)])
def test_entries_that_cannot_be_give_their_finding(made, kind, change):
    """Of the newest snapshot's manifest."""
    before = remains(made.current)
    assert autopsy(before).findings == ()
    newest = next(n for n, path in enumerate(before.manifests) if path == before.lists[before.version.head][0].path)
    assert kind in kinds(autopsy(_with(before, change, newest)))


def test_a_delete_file_that_is_gone_would_bring_rows_back(made):
    """Live in the current snapshot."""
    before = remains(made.current)
    damaged = _with(before, lambda entries: [*entries, _delete(entries[0])], -1)
    found = autopsy(replace(damaged, absent=frozenset({"data/d.parquet"})))
    finding = next(finding for finding in found.findings if finding.kind == "missing-delete-file")
    assert "rows that it deletes would come back" in finding.do


def test_a_delete_of_a_live_file_is_no_finding(made):
    """As merge-on-read leaves it."""
    before = remains(made.current)
    found = autopsy(_with(before, lambda entries: [*entries, _delete(entries[0])], -1))
    assert "delete-of-nothing" not in kinds(found)


@pytest.mark.parametrize(
    ("kind", "changes"), [("sequence-number-ahead", {"sequence_number": 50}), ("no-spec-of-manifest", {"spec_id": 8})]
)
def test_rows_of_a_manifest_list_that_cannot_be_give_their_finding(made, kind, changes):
    """Of the newest snapshot."""
    assert kind in kinds(autopsy(_row(remains(made.current), **changes)))


def test_an_append_that_drops_files_of_its_parent_is_a_loss(made):
    """A retry that commits the old manifest list again."""
    before = remains(made.current)
    head = before.version.head
    (finding, *_) = autopsy(replace(before, lists={**before.lists, head: before.lists[head][:1]})).findings
    assert (finding.kind, finding.weight) == ("dropped-files", "loss")
    assert "dropped 2 files of its parent (4 records)" in finding.what


def test_a_file_that_goes_without_an_entry_is_unclear_elsewhere(made):
    """An overwrite says what it takes out."""
    made.load().delete("id = 0 or id = 10")
    before = remains(made.current)
    assert autopsy(before).findings == ()
    dropping = _with(before, lambda entries: [e for e in entries if e.status != DELETED], -1)
    assert [f.weight for f in autopsy(dropping).findings if f.kind == "dropped-files"] == ["unclear"]


def test_a_copy_of_a_table_is_read_where_it_is(made, tmp_path):
    """Its paths lead to where it was."""
    copy = made.folder.rename(tmp_path / "copy")
    assert examined(copy).findings == ()
    for path in copy.rglob("*.parquet"):
        path.unlink()
    found = examined(copy)
    assert found.findings == ()
    assert "this is a copy without data files" in " ".join(found.notes)


def test_missing_files_of_a_copy_are_found(made, tmp_path):
    """If others are there."""
    copy = made.folder.rename(tmp_path / "copy")
    next(iter(copy.rglob("*.parquet"))).unlink()
    assert kinds(examined(Path(copy))) == ["missing-data-file"]


@pytest.mark.parametrize("bits", [28, 30, 34, 62])
def test_a_length_far_beyond_the_files_end_is_told(made, bits):
    """PyIceberg's compiled decoder copies as many bytes, wherever they are, and the process dies."""
    damaged = _file(made, "snap-*.avro", -1)
    length = bytes([0x80] * (bits // 7) + [1 << bits % 7])
    damaged.write_bytes(damaged.read_bytes()[:5] + length + damaged.read_bytes()[6:])
    assert kinds(made.find())[0] == "unreadable"
