"""JUnit, step summary, verdicts with rows, and the stored record."""

import xml.etree.ElementTree as ET

import pytest
from pydantic import TypeAdapter

from checkers.histories.notation import history
from reports.errors import RecordError
from reports.explanation.judging import judge
from reports.pages.junit import junit
from reports.pages.summary import ResultRow, summary
from reports.record import Record, dump, read_record
from tests.unit.reports.runs import LOST, SNAPSHOT, record


def row(name, code, verdict="holds", **fields):
    """A result."""
    standing = {0: "as expected", 1: "NOT as expected", 2: "unknown", 4: "not deterministic"}[code]
    return ResultRow(
        name, "holds", verdict, code, standing, f"{verdict} (bounds)", 1234, 0.5, f"replay {name}", "why", **fields
    )


ROWS = [row("a", 0), row("b|c", 1, "violated"), row("d", 2, "unknown"), row("e", 4, "unknown")]


def test_junit_has_a_case_a_scenario_and_counts_failures_and_errors_apart():
    """Unknown is an error: no green tick without an answer."""
    suite = ET.fromstring(junit(ROWS))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "1", "2")
    cases = {case.get("name"): case for case in suite}
    assert cases["a"].find("failure") is None
    assert cases["b|c"].findtext("failure", "").splitlines()[-1] == "replay b|c"
    assert cases["d"].find("error") is not None


def test_junit_is_well_formed_whatever_a_message_holds():
    """Control characters and markup of a foreign error."""
    bad = "\x00\x1b[31m<b>&]]>\ud800\uffff"
    suite = ET.fromstring(
        junit([ResultRow("a", "holds", "violated", 1, bad, bad, 1, 0.0, bad, bad)]).encode("utf-8", "replace")
    )
    assert suite.find("testcase/failure") is not None


def test_the_summary_is_one_table_and_a_command_for_each_failure():
    """A bar in a name does not break the table."""
    text = summary(ROWS)
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 2 + len(ROWS)
    assert "b\\|c" in table[3]
    assert "**NOT as expected**" in table[3]
    assert "replay b|c" in text.splitlines()
    assert "replay a" not in text


def test_rows_stand_beside_what_the_lineage_leaves():
    """In the order of the versions, not of the calls."""
    found = history("setup(x=1,y=1) w1:t(x:1,x=2)@0->2 w2:t(x:1,x=3)@0->1 final:read(x:3,y:1)@2")
    judged = judge(found, ("acknowledged-writes-survive",))
    assert judged.outcome == "invalid"
    assert [(r.key, r.expected, r.got, r.agrees) for r in judged.rows] == [
        ("x", "'2'", "'3'", False),
        ("y", "'1'", "'1'", True),
    ]
    assert [version.maker for version in judged.lineage] == [
        "the initial content",
        "t x:1,x=3 by w2",
        "t x:1,x=2 by w1",
    ]


def test_an_acknowledged_write_that_no_version_has_is_still_expected():
    """Its client was told so."""
    found = history("setup(x=1) w1:t(z=5)@0->lost final:read(x:1,z:-)@0")
    rows = {r.key: r for r in judge(found, ("acknowledged-writes-survive",)).rows}
    assert (rows["z"].expected, rows["z"].got, rows["z"].agrees) == ("'5'", "absent", False)


def test_a_record_comes_back_as_it_was(tmp_path):
    """Every field, through JSON."""
    found, _ = record(SNAPSHOT, LOST)
    path = tmp_path / "run.json"
    path.write_bytes(dump(found))
    assert read_record(path) == found


@pytest.mark.parametrize("field", [name for name in Record.__dataclass_fields__ if name != "format"])
def test_a_record_without_a_field_is_refused_by_name(tmp_path, field):
    """One line, with the file and the field."""
    found, _ = record(SNAPSHOT, LOST)
    data = TypeAdapter(Record).dump_python(found, mode="json")
    del data[field]
    path = tmp_path / "run.json"
    path.write_bytes(TypeAdapter(dict).dump_json(data))
    with pytest.raises(RecordError, match=rf"run\.json: {field}: "):
        read_record(path)
