"""A study's files: CSV with everything, a page that is whole, closed and escaped."""

import csv
import re
from dataclasses import replace
from io import StringIO

import pytest
from pydantic import TypeAdapter

from reports.pages.study import MAX_ROWS, Part, StudyRecord, charts_for, pictures_of, study_page, table_csv
from reports.record import dump
from sim.search.study import Chart, Table
from tests.unit.reports.studies import ACROSS, BARS, BESIDE, HITS, INTERVAL, LINES, SEEN, WHERE
from tests.unit.reports.test_html import outline

LIVE = replace(BARS, simulated=False)


@pytest.fixture
def record():
    """A study with a simulated and a live part."""
    parts = (Part(LINES, (ACROSS,)), Part(LIVE, (BESIDE,)))
    return StudyRecord("0", "cache", "What a <b>cache</b> costs.", parts, "lakeproof study cache --live")


def test_csv_has_the_figures_as_they_are():
    """No separators, no rounding, nothing for a gap."""
    rows = list(csv.reader(StringIO(table_csv(LINES))))
    assert tuple(rows[0]) == LINES.columns
    assert rows[1] == ["eventual", "10", "0.01234", "157.3"]
    assert rows[3] == ["none", "10", "0.0", ""]


def test_the_record_can_be_read_back(record):
    """Equal, types included."""
    assert TypeAdapter(StudyRecord).validate_json(dump(record)) == record


def test_live_files_stand_beside_the_simulated_ones(record):
    """By their names."""
    assert [list(pictures_of(part)) for part in record.parts] == [["chart"], ["live-chart"]]
    assert list(pictures_of(Part(LINES, (ACROSS, ACROSS)))) == ["chart", "chart-2"]


def test_a_live_table_is_drawn_as_far_as_it_has_the_columns():
    """Panels that were not measured are left out; without x or series there is no chart."""
    fewer = Table("t", ("cache", INTERVAL, HITS), (), simulated=False)
    assert charts_for(fewer, (ACROSS,)) == (Chart(INTERVAL, (HITS,), "cache"),)
    assert charts_for(fewer, (BESIDE,)) == ()
    assert charts_for(Table("t", (INTERVAL, HITS), ()), (ACROSS,)) == ()


def test_the_page_is_closed_escaped_and_needs_nothing_from_outside(record):
    """Text from a study is text; both tables and pictures are there, and which of them is simulated."""
    text = study_page(record, [pictures_of(part) for part in record.parts])
    found = outline(text)
    assert found.tags["svg"] == 2
    assert found.tags["table"] == 2
    assert not {"script", "link", "img", "b"} & set(found.tags)
    assert {"What a <b>cache</b> costs.", "A read takes 20 ms <assumed>.", "simulated", "live"} <= set(found.texts)
    assert set(re.findall(r"https?://[^\s'\"<]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert "default-src 'none'" in text


def test_the_page_has_a_bound():
    """What is left out is counted, and where it is."""
    many = Table("t", ("n",), tuple((number,) for number in range(MAX_ROWS + 7)))
    text = study_page(StudyRecord("0", "s", "", (Part(many, ()),), "c"), [{}])
    assert text.count("<tr>") == MAX_ROWS + 1
    assert "and 7 more rows; table.csv has them all" in text


def test_an_estimate_has_its_interval_in_the_file_and_in_the_record():
    """Columns of their own in the CSV; the same object after a round through JSON."""
    header, first, *_ = csv.reader(StringIO(table_csv(SEEN)))
    assert header[3:6] == ["staleness, ms", "staleness, ms: 95 % from", "staleness, ms: 95 % to"]
    assert first[3:6] == ["12.3", "11.1", "13.5"]
    kept = StudyRecord("0", "s", "", (Part(SEEN, (WHERE,)),), "c")
    assert TypeAdapter(StudyRecord).validate_json(dump(kept)) == kept


def test_pictures_and_tables_of_a_study_are_scrolled_and_the_first_column_stays():
    """On a phone they keep their size."""
    part = Part(SEEN, (WHERE,))
    text = study_page(StudyRecord("0", "s", "", (part,), "c"), [pictures_of(part)])
    assert re.search(r'<div class="wide chart" tabindex="0"><svg', text)
    assert re.search(r"\.wide th:first-child, \.wide td:first-child \{ position: sticky; left: 0", text)
    assert "diagram svg" not in re.sub(r"(?s)<style>.*?</style>", "", text)
