"""Hadoop tables: their folder knows which version is the current one."""

import json

import pytest

from tests.unit.iceberg.autopsy.tables import examined, kinds


@pytest.fixture
def hadoop(made):
    """The same table, with the names and the hint that Hadoop tables have."""
    names = {str(path): str(path.with_name(f"v{number}.metadata.json")) for number, path in enumerate(made.versions, 1)}
    for old, new in names.items():
        made.edit(lambda data: _renamed(data, names), made.folder / old)
        (made.folder / old).rename(new)
    (made.folder / "metadata" / "version-hint.text").write_text("4")
    return made.folder


def _renamed(data, names):
    for entry in data["metadata-log"]:
        entry["metadata-file"] = names[entry["metadata-file"]]


def test_the_folder_says_where_the_table_stands(hadoop):
    """No guess, so no note."""
    found = examined(hadoop)
    assert (found.findings, found.notes) == ((), ())
    assert found.rows[-1].file == "metadata/v4.metadata.json"


def test_a_stale_hint_is_harmless(hadoop):
    """Readers look for the versions after it."""
    (hadoop / "metadata" / "version-hint.text").write_text("2")
    assert examined(hadoop).findings == ()


@pytest.mark.parametrize("hint", ["9", "", "x"])
def test_a_hint_that_leads_nowhere_is_told(hadoop, hint):
    """Iceberg refuses to load the table, or has to list the folder."""
    (hadoop / "metadata" / "version-hint.text").write_text(hint)
    (finding,) = examined(hadoop).findings
    assert finding.where == "metadata/version-hint.text"


def test_a_commit_whose_version_was_replaced_is_seen_by_its_manifest_list(hadoop):
    """A rename that replaces leaves no metadata file of the loser."""
    data = json.loads((hadoop / "metadata" / "v4.metadata.json").read_text())
    lost = data["snapshots"].pop()
    data["snapshot-log"].pop()
    data["refs"]["main"]["snapshot-id"] = data["current-snapshot-id"] = data["snapshots"][-1]["snapshot-id"]
    (hadoop / "metadata" / "v4.metadata.json").write_text(json.dumps(data))
    found = examined(hadoop)
    (attempt,) = [finding for finding in found.findings if finding.kind == "attempt"]
    assert f"snapshot {lost['snapshot-id']}" in attempt.what
    assert kinds(found)[0] == "attempt"
