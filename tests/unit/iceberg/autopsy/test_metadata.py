"""One damage to a metadata file at a time, and the one finding that it gives."""

import pytest

from tests.unit.iceberg.autopsy.tables import kinds

FAR = 10**15


def _set(**changes):
    return lambda data: data.update({name.replace("_", "-"): value for name, value in changes.items()})


def _snapshot(number, **changes):
    return lambda data: _set(**changes)(data["snapshots"][number])


def _main_to(snapshot):
    def change(data):
        data["refs"]["main"]["snapshot-id"] = data["current-snapshot-id"] = snapshot
        data["snapshot-log"] = []

    return change


def _same_sequence(data):
    data["snapshots"][1].pop("parent-snapshot-id")
    data["snapshots"][1]["sequence-number"] = data["snapshots"][2]["sequence-number"]
    data["snapshots"][2].pop("parent-snapshot-id")


def _rows_twice(data):
    data.update({"format-version": 3, "next-row-id": 6})
    for number, snapshot in enumerate(data["snapshots"]):
        snapshot.update({"first-row-id": (0, 1, 4)[number], "added-rows": 2})


def _rows_ahead(data):
    data.update({"format-version": 3, "next-row-id": 1})
    data["snapshots"][0].update({"first-row-id": 0, "added-rows": 2})


DAMAGES = [
    ("format-version", _set(format_version=9)),
    ("no-uuid", _set(table_uuid=None)),
    ("id-twice", lambda data: data["snapshots"].append(data["snapshots"][0])),
    ("id-twice", lambda data: data["schemas"].append(data["schemas"][0])),
    ("id-twice", lambda data: data["partition-specs"].append(data["partition-specs"][0])),
    ("ref-to-nowhere", lambda data: data["refs"].update(t={"snapshot-id": 5, "type": "tag"})),
    ("ref-to-nowhere", lambda data: data.update({"refs": {}, "current-snapshot-id": 5, "snapshot-log": []})),
    ("ref-type", lambda data: data["refs"].update(t={"snapshot-id": data["current-snapshot-id"], "type": "twig"})),
    ("ref-type", lambda data: data["refs"]["main"].update(type="tag")),
    ("main-is-not-current", lambda data: _set(current_snapshot_id=data["snapshots"][0]["snapshot-id"])(data)),
    ("no-current-schema", _set(current_schema_id=4)),
    ("last-column-id", lambda data: data["schemas"][0]["fields"][0].update(id=7)),
    ("no-schema-of-snapshot", _snapshot(0, schema_id=4)),
    ("no-default-spec", _set(default_spec_id=4)),
    ("spec-without-column", lambda data: data["partition-specs"][0]["fields"].append({"source-id": 9})),
    ("last-partition-id", lambda data: data["partition-specs"][0]["fields"].append({"source-id": 1, "field-id": FAR})),
    ("no-default-sort-order", _set(default_sort_order_id=4)),
    ("sequence-number-ahead", _snapshot(2, sequence_number=9)),
    ("sequence-number-back", _snapshot(0, sequence_number=3)),
    ("sequence-number-back", _snapshot(1, sequence_number=0)),
    ("sequence-number-twice", _same_sequence),
    ("log-out-of-order", lambda data: data["snapshot-log"][1].update({"timestamp-ms": 1})),
    ("log-out-of-order", _set(last_updated_ms=1)),
    ("log-of-lost-snapshot", lambda data: data["snapshot-log"].insert(0, {"snapshot-id": 4, "timestamp-ms": 1})),
    ("log-without-current", lambda data: data["snapshot-log"].pop()),
    ("row-id-twice", _rows_twice),
    ("row-id-ahead", _rows_ahead),
    ("statistics-of-nothing", _set(statistics=[{"snapshot-id": 4, "statistics-path": "/x/s.puffin"}])),
]  # fmt: skip
CONSEQUENCES = {
    "sequence-number-back": {"sequence-number-twice", "sequence-number-ahead"},
    "sequence-number-twice": {"bypassed-commit", "wrong-total"},
    "statistics-of-nothing": {"missing-statistics"},
}
"""What a damage of this kind is besides."""


@pytest.mark.parametrize(("kind", "damage"), DAMAGES, ids=[f"{n}-{kind}" for n, (kind, _) in enumerate(DAMAGES)])
def test_a_damaged_metadata_file_gives_its_finding(made, kind, damage):
    """That one, and no other but its consequences; it says what was expected, what is there, and what to do."""
    made.edit(damage)
    found = made.find()
    assert kind in kinds(found)
    assert set(kinds(found)) - {kind} <= CONSEQUENCES.get(kind, set())
    assert all(all(finding) for finding in found.findings)


def test_a_branch_main_that_points_nowhere_is_told_with_the_vanished_head(made):
    """Java refuses to load it."""
    made.edit(_main_to(77))
    found = made.find()
    assert kinds(found) == ["ref-to-nowhere"]
    assert found.findings[0].got == "77"


def test_snapshots_with_one_sequence_number_are_named(made):
    """Both, and not the third."""
    made.edit(_same_sequence)
    finding = next(finding for finding in made.find().findings if finding.kind == "sequence-number-twice")
    ids = [str(snapshot.snapshot_id) for snapshot in made.load().metadata.snapshots]
    assert [id_ in finding.what for id_ in ids] == [False, True, True]


def test_a_version_that_logs_itself_is_told(made):
    """It was written over the one that it was made from."""

    def change(data):
        data["metadata-log"].append({"metadata-file": str(made.current), "timestamp-ms": data["last-updated-ms"]})

    made.edit(change)
    assert "log-of-itself" in kinds(made.find())


def test_statistics_that_are_gone_are_told(made):
    """Of a snapshot that is there."""

    def change(data):
        path = str(made.folder / "metadata" / "s.puffin")
        data["statistics"] = [{"snapshot-id": data["current-snapshot-id"], "statistics-path": path}]

    made.edit(change)
    assert kinds(made.find()) == ["missing-statistics"]


def test_of_a_table_of_format_4_nothing_below_the_metadata_is_claimed(made):
    """Its manifests may be files of another kind."""
    made.edit(lambda data: data.update({"format-version": 4}))
    for manifest in (made.folder / "metadata").glob("*.avro"):
        manifest.write_bytes(b"PAR1")
    found = made.find()
    assert found.findings == ()
    assert any("manifests of format 4 are not read" in note for note in found.notes)


def test_a_table_of_format_1_has_no_finding(tmp_path):
    """No sequence numbers, no refs at first, fields that format 2 has not."""
    from tests.unit.iceberg.autopsy.tables import Made

    made = Made(tmp_path, **{"format-version": "1"})
    for number in range(3):
        made.append(number)
    made.load().delete("id = 1")
    assert made.find().findings == ()
