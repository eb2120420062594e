"""JSON lines in: what the project writes itself, what others write by hand, and what is none."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkers.errors import HistoryError
from checkers.histories.history import Event, Read, Write
from checkers.histories.json_lines import is_json_lines, read_json_lines
from checkers.histories.notation import history
from checkers.histories.storage import write_json_lines

GOOD = {"type": "invoke", "process": "w1", "op": 0, "f": "write"}


def _file(tmp_path, *rows):
    path = tmp_path / "h.jsonl"
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_what_the_project_writes_it_reads(tmp_path):
    """Every field comes back."""
    source = history("setup(x=0) w1:upd(x=1)@0->1 w2:del(x)@0! w3:upd(x=3)@1->2? ; r1:read(x:3@2)@2 final:read(x=3)@2")
    write_json_lines(source, tmp_path / "h.jsonl")
    assert read_json_lines(tmp_path / "h.jsonl") == source


def test_a_row_needs_four_fields(tmp_path):
    """Index and time are counted, the rest is null; empty lines and further fields are ignored."""
    done = {"type": "ok", "process": "w1", "op": 0, "f": "write", "commit": 0, "writes": [{"key": "x", "value": "1"}]}
    read = {**GOOD, "type": "ok", "reads": [{"key": "x", "value": None}], "run": 7}
    assert read_json_lines(_file(tmp_path, GOOD, "", done)).events == (
        Event(0, 0, "w1", "invoke", 0, "write"),
        Event(1, 0, "w1", "ok", 0, "write", commit=0, writes=(Write("x", "1"),)),
    )
    assert read_json_lines(_file(tmp_path, GOOD, read)).events[1].reads == (Read("x", None),)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("{", "line 2: expected one JSON object, got '{'"),
        ("[" * 100_000, "line 2: expected one JSON object, got '[[[["),
        ("[1]", "line 2: expected one JSON object, got a list"),
        ({**GOOD, "op": "1"}, "line 2: op: expected a whole number, got '1'"),
        ({**GOOD, "op": 1.0}, "line 2: op: expected a whole number, got 1.0"),
        ({**GOOD, "op": True}, "line 2: op: expected a whole number, got True"),
        ({**GOOD, "start": 2**63}, "line 2: start: expected a whole number or null, got 9223372036854775808"),
        ({"type": "ok", "op": 0, "f": "w"}, "line 2: process: expected text, got none"),
        ({**GOOD, "f": "\ud800"}, "line 2: f: expected text in UTF-8, got '\\ud800'"),
        ({**GOOD, "reads": {}}, "line 2: reads: expected a list, got an object"),
        ({**GOOD, "reads": ["x"]}, "line 2: reads: expected entries like {\"key\": \"x\", \"value\": \"1\"}, got 'x'"),
        ({**GOOD, "writes": [{"key": "x", "value": 1}]}, "line 2: writes: value: expected text or null, got 1"),
        ({**GOOD, "type": "done"}, "row 1: expected a type in invoke, ok, fail, info, version, got 'done'"),
        ({**GOOD, "index": 9}, "row 1: expected index 1"),
    ],
)  # fmt: skip
def test_what_is_no_row_is_refused_with_its_line(tmp_path, row, text):
    """In one line that names the file."""
    with pytest.raises(HistoryError) as refused:
        read_json_lines(_file(tmp_path, GOOD, row))
    assert str(refused.value).startswith(f"history {tmp_path / 'h.jsonl'}: {text}")
    assert len(str(refused.value)) < 500


def test_bytes_that_are_no_text_are_refused(tmp_path):
    """As any other line."""
    path = tmp_path / "h.jsonl"
    path.write_bytes(b'{"type":"\xff"}\n')
    with pytest.raises(HistoryError, match="line 1: expected text in UTF-8, got byte 0xff"):
        read_json_lines(path)


@given(rows=st.lists(st.recursive(st.none() | st.integers() | st.text(), st.lists) | st.dictionaries(
    st.sampled_from(["type", "process", "op", "f", "reads", "commit", "index"]),
    st.none() | st.sampled_from(["invoke", "ok"]) | st.integers() | st.text() | st.lists(st.none() | st.text()),
)))  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_no_file_breaks_the_reader(tmp_path_factory, rows):
    """A history or a refusal."""
    path = _file(tmp_path_factory.mktemp("lines"), *[json.dumps(row) for row in rows])
    try:
        assert len(read_json_lines(path)) == len(rows)
    except HistoryError as error:
        told = str(error)
        assert told.isprintable()
        assert len(told) < 600


def test_json_lines_are_known_by_name_or_by_content(tmp_path):
    """An empty file of that name is a history of no rows."""
    for name, content, found in (("a.jsonl", b"", True), ("a", b' \n{"a":1}', True), ("a.parquet", b"PAR1", False)):
        (tmp_path / name).write_bytes(content)
        assert is_json_lines(tmp_path / name) == found
    assert len(read_json_lines(tmp_path / "a.jsonl")) == 0
