"""Metadata files that are cut, foreign, or hold what cannot be: findings, never a traceback, and the rest is judged."""

import gzip
import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lakeproof.talk import progress
from real_backend.errors import NoTable
from real_backend.iceberg.autopsy.find import at_path
from real_backend.iceberg.autopsy.read import read_table
from real_backend.iceberg.autopsy.store import Store
from real_backend.iceberg.autopsy.versions import number_of, parse
from tests.bad_inputs.case import CONTROL, damaged
from tests.unit.iceberg.autopsy.tables import Made, examined, kinds, remains

HUGE = 10**30


def test_a_current_version_that_is_cut_off_is_told_with_the_newest_that_can_be_read(made):
    """And the table is judged from there."""
    before = made.versions[-2]
    made.current.write_text(made.current.read_text()[:200])
    found = made.find()
    assert found.findings[0].kind == "unreadable"
    assert found.findings[0].weight == "damage"
    assert f"or point the catalog at {before.name}" in found.findings[0].do
    assert found.rows[-1].file == f"metadata/{before.name}"


def test_a_current_version_that_is_gone_is_told_likewise(made):
    """By who knows that it is the current one."""
    location = made.current
    place = at_path(str(location), {})
    location.unlink()
    from checkers.iceberg.autopsy.judge import autopsy

    found = autopsy(read_table(place, 500, progress))
    assert found.findings[0].kind == "no-current-metadata"


def test_an_older_version_that_is_cut_off_is_unclear(made):
    """Readers do not need it."""
    made.versions[1].write_text("{")
    (finding,) = made.find().findings
    assert (finding.kind, finding.weight) == ("unreadable", "unclear")


def test_a_folder_of_which_nothing_can_be_read_has_findings_only(made):
    """No history, no claim."""
    for version in made.versions:
        version.write_text("")
    found = examined(made.folder)
    assert set(kinds(found)) == {"unreadable"}
    assert found.rows == ()


def test_packed_metadata_is_read(made):
    """As writers name it; a name that does not fit is told."""
    packed = made.current.with_name(made.current.name.replace(".metadata", ".gz.metadata"))
    packed.write_bytes(gzip.compress(made.current.read_bytes()))
    made.current.unlink()
    made.catalog.point(str(packed))
    assert made.find().findings == ()
    packed.write_bytes(gzip.decompress(packed.read_bytes()))
    assert made.find().findings[0].got.endswith("no gzip, which its name says")


@pytest.mark.parametrize(
    ("change", "place", "got"),
    [
        (lambda data: data["snapshots"][0].update({"snapshot-id": HUGE}), "snapshots[0].snapshot-id", str(HUGE)),
        (lambda data: data["snapshots"][0].update({"timestamp-ms": "noon"}), "snapshots[0].timestamp-ms", "'noon'"),
        (lambda data: data["snapshots"].append(7), "snapshots[3]", "7"),
        (lambda data: data.update({"snapshots": 7}), "snapshots", "7"),
        (lambda data: data["refs"].update({"x": []}), "refs.x", "[]"),
        (lambda data: data.update({"refs": []}), "refs", "[]"),
        (lambda data: data.update({"last-column-id": "1"}), "last-column-id", "'1'"),
        (lambda data: data["schemas"].append({"schema-id": "z"}), "schemas[1].schema-id", "'z'"),
        (lambda data: data["metadata-log"].append({}), "metadata-log[3].metadata-file", "None"),
        (lambda data: data.update({"properties": 7}), "properties", "7"),
    ],
)
def test_a_field_that_cannot_be_read_is_told_by_its_place(made, change, place, got):
    """And all others are judged."""
    made.edit(change)
    found = made.find()
    told = [(finding.what.rpartition(" at ")[2], finding.got) for finding in found.findings]
    assert (place, got) in told
    assert len(found.rows) == 4


@pytest.mark.parametrize(
    "body", [b"[]", b"{}", b"7", b"\xff", b"[" * 100_000, b'{"format-version": "2"}', b"9" * 5_000]
)
def test_json_that_is_no_table_is_refused_under_another_name(tmp_path, body):
    """Called like a metadata file it is a finding, otherwise it is no table."""
    (tmp_path / "x.json").write_bytes(body)
    with pytest.raises(NoTable, match="expected a metadata file"):
        at_path(str(tmp_path / "x.json"), {})
    (tmp_path / "v1.metadata.json").write_bytes(body)
    assert "unreadable" in kinds(examined(tmp_path))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    ),
    name=st.sampled_from(
        "format-version table-uuid location last-updated-ms last-column-id schemas current-schema-id partition-specs "
        "sort-orders properties current-snapshot-id refs snapshots snapshot-log metadata-log statistics".split()
    ),
)
def test_any_json_in_any_field_is_read(value, name):
    """Into a version or none, with a defect if something is wrong."""
    data = {"format-version": 2, "snapshots": [{"snapshot-id": 1, "timestamp-ms": 2, "manifest-list": "/m"}]}
    body = json.dumps({**data, name: value}).encode()
    version, defects = parse(body, "metadata/v1.metadata.json", Store(None, "/t"))  # type: ignore[arg-type]
    assert version is not None or defects


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """One table for many damages."""
    made = Made(tmp_path_factory.mktemp("small"))
    made.append(1)
    made.append(2)
    return made


@pytest.mark.parametrize("seed", range(60))
def test_a_file_that_is_damaged_anywhere_gives_an_answer(small, seed):
    """Cut, flipped, doubled, put in: of metadata, manifest lists and manifests."""
    chosen = random.Random(seed)
    files = sorted((small.folder / "metadata").iterdir())
    file = chosen.choice(files)
    body = file.read_bytes()
    try:
        file.write_bytes(damaged(chosen, body))
        for finding in examined(chosen.choice((small.folder, small.current))).findings:
            assert all(text.isprintable() for text in finding)
    finally:
        file.write_bytes(body)


def test_names_in_findings_are_escaped(made):
    """What stands in a file cannot move a cursor."""

    def change(data):
        data["refs"][CONTROL] = {"snapshot-id": 5, "type": CONTROL}
        data["snapshots"][0]["manifest-list"] = f"/x/{CONTROL}"
        data["table-uuid"] = CONTROL

    made.edit(change)
    findings = made.find().findings
    assert {"ref-to-nowhere", "ref-type", "uuid-changed"} <= {finding.kind for finding in findings}
    assert all(text.isprintable() and len(text) < 500 for finding in findings for text in finding)


@pytest.mark.parametrize(
    ("name", "number"),
    [("v3.metadata.json", 3), ("v3.gz.metadata.json", 3), ("v3.metadata.json.gz", 3), ("00017-x.metadata.json", 17),
     ("x.metadata.json", None), ("v3.json", None), ("v" + "9" * 30 + ".metadata.json", None)],
)  # fmt: skip
def test_the_number_of_a_version_is_in_its_name(name, number):
    """Of Hadoop tables and of others."""
    assert number_of(f"metadata/{name}") == number


def test_a_snapshot_that_two_versions_have_otherwise_is_read_of_each(made):
    """Versions share the snapshots that they have alike, and only those."""
    made.edit(lambda data: data["snapshots"][0]["summary"].update(note="x"), made.versions[-2])
    found = remains(made.current).versions
    newest, older, oldest = (found[f"metadata/{path.name}"].snapshots for path in reversed(made.versions[1:]))
    first = next(iter(newest))
    assert (newest[first].summary.get("note"), older[first].summary.get("note")) == (None, "x")
    assert oldest[first] == newest[first]
    assert newest[next(reversed(older))] is older[next(reversed(older))]
