"""Commits that vanished, told from what merely looks like it: on tables that shipped PyIceberg writes."""

import shutil

import pytest
from pyiceberg.serializers import FromInputFile
from pyiceberg.types import LongType

from tests.unit.iceberg.autopsy.tables import Made, examined, kinds, rows


def overwrite(made):
    """Two commits to one version without a comparison, the first built on: what an expired Hive lock lets happen."""
    made.catalog.asleep = True
    lost, stale = made.load(), made.load()
    first = made.append(100, table=lost)
    second = made.append(101)
    winner = made.append(102, table=stale)
    made.catalog.asleep = False
    return first, second, winner


def test_an_undamaged_table_has_no_finding(made):
    """Appends, a delete, a schema change, a property, a branch, a tag, a rollback."""
    table = made.load()
    first = table.metadata.snapshots[0].snapshot_id
    table.delete("id = 1")
    made.load().manage_snapshots().create_tag(first, "t").commit()
    made.load().manage_snapshots().create_branch(first, "b").commit()
    made.load().append(rows(7), branch="b")
    with made.load().transaction() as transaction:
        transaction.set_properties(owner="me")
    with made.load().update_schema() as update:
        update.add_column("v", LongType())
    made.load().manage_snapshots().rollback_to_snapshot(first).commit()
    made.append(8)
    found = made.find()
    assert found.findings == ()
    assert found.notes == ()
    assert examined(made.folder).findings == ()
    assert examined(made.folder / "metadata").findings == ()


def test_the_history_tells_every_version(made):
    """What it did, and where the table stands."""
    first = made.load().metadata.snapshots[0].snapshot_id
    made.load().manage_snapshots().rollback_to_snapshot(first).commit()
    found = made.find()
    assert len(found.rows) == 5
    assert found.rows[0].did == ("a table without snapshots",)
    assert found.rows[1].did == (f"append {first} (+2 records)",)
    assert found.rows[-1].did == (f"main back to {first}",)
    assert [row.became for row in found.rows] == [""] * 4 + ["the table stands here"]


def test_a_commit_that_was_overwritten_after_somebody_built_on_it_is_a_certain_loss(made):
    """And says who stands in its place."""
    first, second, winner = overwrite(made)
    made.append(103)
    found = made.find()
    assert kinds(found) == ["lost-commit", "unaccounted-commit"]
    lost, open_ = found.findings
    assert (lost.weight, open_.weight) == ("loss", "unclear")
    assert f"snapshot {first} (append, +1 records" in lost.what
    assert f"(snapshot {winner})" in lost.got
    assert f"snapshot {second}" in open_.what
    assert "cannot be told apart" in open_.do
    assert [row.became.split()[0] for row in found.rows if not row.on_line] == ["OVERWRITTEN", "refused,"]


def test_of_two_lines_a_folder_does_not_know_which_is_the_tables(made):
    """The longer one may be the one that was overwritten."""
    overwrite(made)
    made.append(103)
    lost = examined(made.folder).findings[0]
    assert (lost.kind, lost.weight) == ("lost-commit", "unclear")
    assert "only the catalog knows" in lost.got


def test_a_lost_commit_is_rescued_as_the_documents_say(made):
    """The rows are back, and the finding says that its files are there."""
    first, *_ = overwrite(made)
    finding = made.find().findings[0]
    assert "all that it added is there (1 file, 1 record)" in finding.do
    table = made.load()
    lost = FromInputFile.table_metadata(table.io.new_input(str(made.folder / finding.where)))
    snapshot = lost.snapshot_by_id(first)
    assert snapshot is not None
    with table.transaction() as transaction, transaction.update_snapshot().fast_append() as append:
        for manifest in snapshot.manifests(table.io):
            if manifest.added_snapshot_id == first:
                for entry in manifest.fetch_manifest_entry(table.io):
                    append.append_data_file(entry.data_file)
    assert sorted(made.load().scan().to_arrow()["id"].to_pylist()) == [0, 1, 2, 10, 11, 12, 100, 102]


def test_files_of_a_commit_that_may_be_lost_are_no_orphans(made):
    """Who removes orphans would remove what can still be rescued."""
    overwrite(made)
    made.append(104)
    assert "orphan" not in kinds(made.find())


def test_a_refused_commit_and_an_overwritten_one_cannot_be_told_apart(made):
    """A leaf beside the line: no claim."""
    made.catalog.asleep = True
    stale = made.load()
    made.append(100)
    made.append(101, table=stale)
    made.catalog.asleep = False
    found = made.find()
    assert kinds(found) == ["unaccounted-commit"]
    assert found.findings[0].weight == "unclear"


def test_an_attempt_that_was_made_again_and_landed_is_a_leftover(made):
    """A lost race with a retry is no loss."""
    made.catalog.rival = lambda: made.append(50)
    made.append(51)
    found = made.find()
    assert {finding.weight for finding in found.findings} == {"leftover"}
    assert "attempt" in kinds(found)


def test_a_change_without_a_snapshot_that_was_refused_is_told(made):
    """Properties: nobody knows whether its writer was told so."""
    made.catalog.rival = lambda: made.append(50)
    with pytest.raises(Exception, match="moved"), made.load().transaction() as transaction:
        transaction.set_properties(owner="me")
    found = made.find()
    assert kinds(found) == ["unaccounted-change"]
    assert "a change of properties" in found.findings[0].what


def test_a_change_without_a_snapshot_that_was_overwritten_is_a_loss(made):
    """Somebody had built on it."""
    made.catalog.asleep = True
    stale = made.load()
    with made.load().transaction() as transaction:
        transaction.set_properties(owner="me")
    made.append(60)
    made.append(61, table=stale)
    made.catalog.asleep = False
    lost = made.find().findings[0]
    assert (lost.kind, lost.weight) == ("lost-change", "loss")
    assert "a change of properties is lost" in lost.what


def test_a_refused_commit_that_was_cleaned_up_is_a_leftover(made):
    """Its manifest list is gone; so it is when retries run out."""
    made.catalog.asleep = True
    stale = made.load()
    first = made.append(100)
    made.append(101, table=stale)
    next((made.folder / "metadata").glob(f"snap-{first}-*.avro")).unlink()
    (finding, *_) = made.find().findings
    assert (finding.kind, finding.weight) == ("refused-commit", "leftover")


def test_a_newer_version_that_leads_nowhere_is_unclear(made):
    """Of the same table, without a log that leads to it."""
    newer = made.folder / "metadata" / "00009-x.metadata.json"
    shutil.copy(made.current, newer)
    made.edit(lambda data: data.update({"metadata-log": []}), newer)
    assert kinds(made.find()) == ["unconnected-metadata"]


def test_expired_snapshots_are_a_note_and_no_loss(made):
    """Their files, which PyIceberg leaves, are leftovers."""
    first = made.load().metadata.snapshots[0].snapshot_id
    made.load().maintenance.expire_snapshots().by_id(first).commit()
    found = made.find()
    assert set(kinds(found)) == {"orphan"}
    assert found.notes[0].startswith("1 snapshots were removed on the table's line: expire_snapshots,")


def test_main_that_pyiceberg_removes_by_an_expiry_is_a_loss(made):
    """Shipped PyIceberg: an expiry that was planned before a rollback to the snapshot removes main, and the table is
    empty."""
    first = made.load().metadata.snapshots[0].snapshot_id
    expiry = made.load().maintenance.expire_snapshots().by_id(first)
    made.load().manage_snapshots().rollback_to_snapshot(first).commit()
    expiry.commit()
    assert made.load().current_snapshot() is None
    found = made.find()
    vanished = found.findings[0]
    assert found.notes == ()  # what is lost is not counted among what may be expired
    assert (vanished.kind, vanished.weight) == ("vanished-head", "loss")
    assert f"snapshot {first} (append" in vanished.what
    assert "main is at no snapshot" in vanished.got


def test_a_commit_that_was_gone_around_is_a_loss_that_can_be_cherry_picked(made):
    """A new head that was made from an ancestor of the old one."""
    one, two, _ = (snapshot.snapshot_id for snapshot in made.load().metadata.snapshots)

    def change(data):
        data["snapshots"][2]["parent-snapshot-id"] = one

    made.edit(change)
    found = made.find()
    assert kinds(found) == ["bypassed-commit"]
    assert f"snapshot {two} " in found.findings[0].what
    assert found.findings[0].got.endswith(f", made from {one}")
    assert "cherry-pick" in found.findings[0].do


def test_a_pointer_that_was_moved_back_loses_what_came_after(made):
    """By the catalog; from a file that a user names, nothing is claimed."""
    back = made.versions[2]
    made.catalog.point(str(back))
    found = made.find()
    assert kinds(found) == ["newer-versions"]
    assert found.findings[0].weight == "unclear"


def test_another_tables_metadata_in_the_folder_is_told(made, tmp_path):
    """Two tables in one folder."""
    second = tmp_path / "second"
    second.mkdir()
    foreign = Made(second)
    shutil.copy(foreign.current, made.folder / "metadata" / foreign.current.name)
    assert kinds(made.find()) == ["foreign-metadata"]


def test_a_table_that_was_recreated_in_place_is_told(made):
    """Another uuid on the table's own line."""
    made.edit(lambda data: data.update({"table-uuid": "00000000-0000-0000-0000-000000000001"}))
    assert kinds(made.find()) == ["uuid-changed"]


def test_a_number_that_went_back_is_told(made):
    """last-column-id is never given out twice."""
    made.edit(lambda data: data.update({"last-column-id": 9}), made.versions[-2])
    assert kinds(made.find()) == ["number-went-back"]


def test_a_version_that_is_gone_is_told_and_its_loss_not_claimed(made):
    """Nobody can say what it held."""
    made.versions[1].unlink()
    found = made.find()
    assert kinds(found) == ["missing-metadata-file"]
    assert found.findings[0].weight == "unclear"


def test_versions_that_were_not_read_are_told(made):
    """Never more than the files say."""
    found = examined(made.folder, newest=2)
    assert found.findings == ()
    assert "2 older metadata files were not read: --versions N reads more" in found.notes


def test_who_put_a_version_in_anothers_place_is_seen_in_the_logs(made):
    """The log of the table and that of a version differ."""
    made.edit(lambda data: data["metadata-log"].pop(), made.versions[2])
    assert "logs-disagree" in kinds(made.find())


def test_a_loss_is_not_claimed_where_later_versions_cannot_be_read(made):
    """The snapshot may have landed in one of them."""
    overwrite(made)
    made.append(103)
    winner = next(row.file for row in made.find().rows if row.on_line and row.file.startswith("metadata/00004"))
    (made.folder / winner).unlink()
    lost = next(finding for finding in made.find().findings if finding.kind == "lost-commit")
    assert lost.weight == "unclear"
    assert "later versions of which cannot be read" in lost.got
