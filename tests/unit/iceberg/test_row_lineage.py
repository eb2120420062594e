"""Row lineage: what the property says of findings, which scenarios tell, and what is found in metadata and files."""

import pytest

from checkers.histories.recorder import Recorder
from checkers.iceberg.inspections import ROW_IDS as LOOKED
from checkers.verdict import check, quick
from model.iceberg.files import ADDED, DATA, DataFile, ManifestEntry, ManifestFile, data_file
from model.iceberg.metadata import Snapshot, TableMetadata
from model.iceberg.row_ids import inherited, listed_from
from sim.iceberg.built_in.row_id import ROW_IDS
from sim.iceberg.row_lineage import Ids, findings_of, lineage_findings
from sim.search.explore import default_plan
from tests.mutants.iceberg_row_ids import MERGED
from tests.mutants.iceberg_row_ids import ROW_IDS as MUTANTS

NAME = "row-lineage"
BY_NAME = {scenario.name.removeprefix("iceberg/row-ids-"): scenario for scenario in ROW_IDS}
PARENTS = {0: None, 1: 0, 2: 1}


def inspected(*found):
    """A history whose inspection found this of row ids."""
    recorder = Recorder()
    for text in found:
        recorder.ok(recorder.invoke("r-inspect", LOOKED, text))
    return recorder.history()


@pytest.mark.parametrize(("found", "key"), [
    (("",), None),
    (("row-id-twice: 3",), f"{NAME}/row-id-twice"),
    (("row-id-changed: 3", "row-id-twice: 4"), f"{NAME}/row-id-changed"),
])  # fmt: skip
def test_what_an_inspection_finds_of_row_ids_breaks_row_lineage_alone(found, key):
    """Other invariants are not about it."""
    assert quick(inspected(*found), [NAME, "table-invariants"]) == key


def test_row_ids_that_nobody_looked_for_are_unknown():
    """A table of an earlier format has none."""
    assert str(check(inspected(), [NAME]).outcome) != "valid"


@pytest.mark.parametrize(("snapshots", "next_id", "kinds"), [
    ({1: {"f": Ids(0, 2)}, 2: {"f": Ids(0, 2), "g": Ids(2, 1)}}, 3, []),
    ({1: {"f": Ids(0, 2)}, 2: {"f": Ids(0, 2), "g": Ids(1, 1)}}, 3, ["row-id-twice"]),
    ({1: {"f": Ids(0, 2)}, 2: {"g": Ids(1, 1)}}, 3, ["row-id-twice"]),
    ({1: {"f": Ids(0, 2)}, 2: {"f": Ids(2, 2)}}, 4, ["row-id-changed"]),
    ({1: {"f": Ids(0, 2)}, 2: {"f": Ids(None, 2)}}, 4, ["row-id-changed"]),
    ({1: {"f": Ids(None, 2)}, 2: {"f": Ids(0, 2)}}, 2, []),
    ({0: {"f": Ids(None, 2)}, 1: {"f": Ids(0, 2)}, 2: {"f": Ids(2, 2)}}, 4, ["upgraded-row-id-changed"]),
    ({0: {"f": Ids(None, 2)}, 1: {"f": Ids(0, 2)}, 2: {"f": Ids(None, 2)}}, 4, ["row-id-changed"]),
    ({1: {"f": Ids(0, 2)}}, 1, ["row-id-ahead"]),
    ({2: {"f": Ids(2, 2)}}, 4, []),
])  # fmt: skip
def test_row_ids_are_one_row_s_stay_and_are_below_the_next_one(snapshots, next_id, kinds):
    """An expired parent tells nothing; a file that had no ids may get some."""
    assert [text.partition(":")[0] for text in findings_of(snapshots, PARENTS, next_id)] == kinds


def test_a_table_is_read_as_a_reader_does():
    """Two files in one manifest, the second behind the rows of the first."""
    files = [data_file("f", ((1, "a"), (2, "b"))), data_file("g", ((3, "c"),))]
    entries = tuple([ManifestEntry(ADDED, 1, 1, file) for file in files])
    listed, given = listed_from([ManifestFile("m", DATA, 1, 1, 1, 2, 0, 0, live_rows=3)], 5)
    assert given == 3
    read = [entry.file for entry in inherited(entries, listed[0].first_row_id)]
    assert [file.first_row_id for file in read if isinstance(file, DataFile)] == [5, 7]
    table = TableMetadata(1, 3, snapshots=(Snapshot(1, None, 1, "append", "l"),), next_row_id=7)
    (found,) = lineage_findings({"l": listed, "m": entries}, table)
    assert found == "row-id-ahead: expected row ids below 7, the table's next one, got 7 on in g"


@pytest.mark.parametrize(("mutant", "scenario", "failures"), [
    ("row-ids-one-a-file", "append-append", ["row-lineage/row-id-twice"]),
    ("row-ids-not-counted", "append-append", ["row-lineage/row-id-ahead"]),
    ("row-ids-listed-anew", "append-append", ["row-lineage/row-id-changed"]),
    ("existing-rows-without-room", "upgraded-remove-append-fixed", ["row-lineage/row-id-twice"]),
    ("merged-manifests-lose-row-ids", "spec-remove", ["row-lineage/row-id-changed"]),
])  # fmt: skip
def test_a_search_kills_each_mutant(mutant, scenario, failures):
    """By the property."""
    with next(each for each in (*MUTANTS, MERGED) if each.name == mutant).alive():
        assert [key for key in default_plan(BY_NAME[scenario]).failures if key.startswith(NAME)] == failures
