"""Arrow, Parquet and JSON lines: nothing is lost, nothing malformed gets in, nothing is overwritten."""

import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkers.errors import HistoryError
from checkers.histories import parquet, storage
from checkers.histories.datasets import histories
from checkers.histories.history import Event, History, Read, Write
from checkers.histories.notation import history
from checkers.histories.recorder import Recorder
from checkers.histories.storage import (
    SCHEMA,
    StoredHistory,
    encode,
    from_table,
    json_lines,
    read_parquet,
    to_table,
    write_json_lines,
    write_parquet,
)
from checkers.verdict import check

_number = st.none() | st.integers(0, 2**63 - 1)
_text = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
_key = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
_reads = st.lists(st.builds(Read, _key, _text, st.none() | st.integers(-2, 99)), max_size=3).map(tuple)
_writes = st.lists(st.builds(Write, _key, _text), max_size=3).map(tuple)
_known = st.fixed_dictionaries(
    {"time_ms": st.integers(0, 2**62), "start": _number, "commit": _number, "snapshot": _text, "parent": _text}
    | {"reads": _reads, "writes": _writes, "error": _text}
)
_orders = st.none() | st.text("rw", max_size=4)


@st.composite
def _histories(draw):
    recorder = Recorder()
    for _ in range(draw(st.integers(0, 6))):
        op = recorder.invoke(
            draw(st.sampled_from(["w1", "w2", "é→"])), draw(_key), draw(_text), draw(st.integers(0, 9))
        )
        recorder.complete(op, draw(st.sampled_from(["ok", "fail", "info"])), **draw(_known))
    for ordinal in range(draw(st.integers(0, 3))):
        recorder.version(ordinal, draw(_text), draw(_text), op=-1)
    return History(event._replace(order=draw(_orders)) for event in recorder.events())


@given(source=_histories())
@settings(deadline=None)
def test_a_history_comes_back_from_parquet_as_it_was(source, tmp_path_factory):
    """Every field, also nulls, empty lists and text of any script."""
    path = tmp_path_factory.mktemp("history") / "h.parquet"
    write_parquet(source, path)
    back = read_parquet(path)
    assert back.events == source.events
    assert back.ops == source.ops
    assert to_table(back).schema.equals(SCHEMA, check_metadata=True)


@given(source=_histories())
@settings(deadline=None)
def test_a_large_file_is_read_with_codes_for_texts_and_says_the_same(source, tmp_path_factory):
    """In several groups of rows; whoever takes its table, or writes it, has texts again."""
    path = tmp_path_factory.mktemp("history") / "h.parquet"
    pq.write_table(to_table(source).append_column("run", pa.nulls(len(source))), path, row_group_size=3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage, "LARGE_ROWS", 1)
        back = read_parquet(path)
        assert back.events == source.events
        assert back.ops == source.ops
        assert isinstance(back, StoredHistory)
        assert pa.types.is_dictionary(back.table.schema.field("process").type) == (len(source) > 0)
    assert to_table(back).schema.equals(SCHEMA, check_metadata=True)
    assert from_table(to_table(back)) == source


def test_columns_of_nothing_take_no_memory_and_keys_have_one_code(tmp_path, monkeypatch):
    """A large file's null texts, and versions that no read states; the keys of its reads and of its writes."""
    rows = 5_000
    source = History(
        [
            Event(row, row, "w", "invoke" if row % 2 == 0 else "ok", row // 2, "txn", reads=(Read(f"k{row % 7}", "1"),),
                  writes=(Write(f"k{row % 5}", "1"),))
            for row in range(rows)
        ]
    )  # fmt: skip
    write_parquet(source, tmp_path / "h.parquet")
    monkeypatch.setattr(storage, "LARGE_ROWS", rows + 1)
    before = pa.total_allocated_bytes()
    whole = read_parquet(tmp_path / "h.parquet")
    texts = pa.total_allocated_bytes() - before
    monkeypatch.setattr(storage, "LARGE_ROWS", 1)
    light = read_parquet(tmp_path / "h.parquet")
    nothing = 5 * 4 * rows + 8 * rows  # five columns of texts, and one of versions
    assert pa.total_allocated_bytes() - before - texts < texts - nothing
    assert isinstance(light, StoredHistory)
    reads, writes = (light.table.column(name).chunk(0).values.field("key") for name in ("reads", "writes"))
    assert reads.dictionary.equals(writes.dictionary)
    assert light.events == whole.events == source.events
    light.table.validate(full=True)


def test_codes_without_a_text_are_not_looked_up():
    """A damaged file may have them; they are left to who says what is wrong with a column."""
    bad = pa.DictionaryArray.from_arrays(pa.array([0, 9_000_000], pa.int32()), pa.array(["x"]), safe=False)
    lists = pa.ListArray.from_arrays(pa.array([0, 2], pa.int32()), pa.StructArray.from_arrays([bad], ["key"]))
    columns = {"reads": lists, "writes": lists}
    parquet._code_alike(columns)
    assert columns["reads"] is lists


def test_a_file_of_one_history_is_read_alike_as_a_data_set_and_alone(tmp_path, monkeypatch):
    """With codes for texts, which is what makes a large one cheap."""
    path = tmp_path / "h.parquet"
    write_parquet(history("w1:upd(x=1)@0->1 final:read(x=1)@1"), path)
    monkeypatch.setattr(storage, "LARGE_ROWS", 1)
    ((name, read),) = histories(path)
    found, alone = read(), read_parquet(path)
    assert (name, found) == (str(path), alone)
    assert isinstance(found, StoredHistory)
    assert pa.types.is_dictionary(found.table.schema.field("process").type)


def test_the_file_of_a_history_is_always_the_same(tmp_path):
    """Two writes of one history are equal, byte for byte."""
    line = "w1:del(row1)@0->2 w2:upd(row1=A)@0->1 final:read(row1=A)@2"
    for name in ("a", "b"):
        write_parquet(history(line), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("write", [write_parquet, write_json_lines])
def test_an_existing_file_is_overwritten_only_when_told(write, tmp_path):
    """The refusal leaves the file, and no part file, behind."""
    path = tmp_path / "h"
    path.write_text("precious")
    with pytest.raises(FileExistsError):
        write(history("w1:upd(row1=A)@0->1"), path)
    assert path.read_text() == "precious"
    write(history("w1:upd(row1=A)@0->1"), path, overwrite=True)
    assert path.read_bytes() != b"precious"
    assert [entry.name for entry in tmp_path.iterdir()] == ["h"]


def test_a_write_that_fails_leaves_nothing_behind(tmp_path):
    """Neither an empty file under the name nor a part file."""
    broken = History([Event(0, 0, "w1", "invoke", 0, "update", reads=(("row:1", 7, None),))])  # type: ignore[arg-type]
    with pytest.raises(pa.ArrowException):
        write_parquet(broken, tmp_path / "h")
    assert list(tmp_path.iterdir()) == []


def test_json_lines_say_what_is_there_and_leave_out_what_is_not(tmp_path):
    """One object a row; plain tuples in place of Read and Write do as well."""
    source = history("setup(row1=a) w1:upd(row1=A)@0->1")
    rows = [json.loads(line) for line in json_lines(source).splitlines()]
    assert rows[2] == {
        "index": 2,
        "time_ms": 0,
        "process": "w1",
        "type": "ok",
        "op": 1,
        "f": "update",
        "arg": "row1=A",
        "start": 0,
        "commit": 1,
        "snapshot": "s1",
        "reads": [{"key": "row:1", "value": "a", "version": None}],
        "writes": [{"key": "row:1", "value": "A"}],
    }
    bare: list[Any] = [
        [tuple(map(tuple, entries)) for entries in (event.reads, event.writes)] for event in source.events
    ]
    plain = History(e._replace(reads=r, writes=w) for e, (r, w) in zip(source.events, bare, strict=True))
    assert json_lines(plain) == json_lines(source)
    assert encode(plain.events).equals(to_table(source))


def _lines(error):
    text = str(error.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "unreadable content"), (b"PAR1 and then nothing PAR1", "unreadable content"), (b"{}", "unreadable content")],
)
def test_a_file_that_is_no_parquet_is_refused_in_one_line(content, reason, tmp_path):
    """The line names the file and what was expected."""
    path = tmp_path / "h.parquet"
    path.write_bytes(content)
    with pytest.raises(HistoryError) as caught:
        read_parquet(path)
    assert _lines(caught).startswith(f"history {path}: expected a Parquet file or JSON lines, got {reason}")


def test_a_truncated_file_is_refused_in_one_line(tmp_path):
    """At every length."""
    path = tmp_path / "h.parquet"
    write_parquet(history("w1:upd(row1=A)@0->1 final:read(row1=A)@1"), path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(HistoryError) as caught:
            read_parquet(path)
        _lines(caught)


@pytest.mark.parametrize(("name", "got"), [("none.parquet", "no such file"), ("", "a directory")])
def test_a_path_without_a_file_is_refused_in_one_line(name, got, tmp_path):
    """No traceback of a library."""
    with pytest.raises(HistoryError, match=f"expected a Parquet file, got {got}"):
        read_parquet(tmp_path / name)


def _table():
    return to_table(history("w1:upd(row1=A)@0->1 final:read(row1=A)@1"))


def _with(name, values, kind=None):
    table = _table()
    position = table.schema.get_field_index(name)
    return table.set_column(position, pa.field(name, kind or table.schema.field(name).type), pa.array(values, kind))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (_table().drop_columns(["op", "error"]), "got none named op, error"),
        (_with("op", [["x"]] * 7, pa.list_(pa.string())), "column op: expected int64, got list<"),
        (_with("op", ["x"] * 7, pa.string()), "column op: expected int64, got string"),
        (_with("f", [None] * 7, pa.string()), "column f: row 0: expected a value, got null"),
        (_with("index", [0, 1, 2, 4, 3, 5, 6]), "row 3: expected index 3 (rows in order, none missing), got index 4"),
        (_with("type", ["ok"] * 7), "row 1: expected an earlier invocation of operation 1 by w1, got none"),
        (_with("commit", [0, 0, 1, 0, 0, 0, 2]), "row 6: expected version 1 (the lineage, oldest first, dense), got 2"),
        (_with("op", [0, 1, 1, 2, 2, 0, 9]), "row 6: expected the number of a recorded operation or -1, got 9"),
        (_table().append_column("f", pa.array(["x"] * 7)), "column f: expected one of this name, got several"),
    ],
)
def test_a_table_that_is_no_history_is_refused_in_one_line(table, message):
    """Columns, types, nulls, order, pairing and lineage are looked at when a file is read, not later."""
    with pytest.raises(HistoryError) as caught:
        from_table(table, "run/h.parquet")
    assert _lines(caught).startswith("history run/h.parquet: ")
    assert message in _lines(caught)


@pytest.mark.parametrize("kind", ["reads", "writes"])
def test_an_entry_without_a_key_is_refused(kind):
    """Nulls inside lists are not seen by a column's own null count."""
    table = _with(
        kind, [[{"key": None, "value": "x"}]] * 7, pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))
    )
    with pytest.raises(HistoryError) as caught:
        from_table(table)
    _lines(caught)


def test_a_file_as_another_engine_writes_it_is_accepted(tmp_path):
    """Other list names, nullable columns, 32-bit integers and further columns, as Spark writes them."""
    source = history("w1:upd(row1=A)@0->1 final:read(row1=A)@1")
    entry = pa.struct([("key", pa.string()), ("value", pa.string()), ("version", pa.int64())])
    table = to_table(source)
    position = table.schema.get_field_index("reads")
    rows = table.column("reads").to_pylist()
    table = table.set_column(position, "reads", pa.array(rows, pa.list_(pa.field("element", entry))))
    table = table.set_column(4, "op", table.column("op").cast(pa.int32())).append_column("seed", pa.array([1] * 7))
    pq.write_table(table, tmp_path / "h.parquet")
    assert read_parquet(tmp_path / "h.parquet") == source


def test_a_format_of_another_number_is_refused():
    """A later version may mean something else by the same columns; a file without a number is another engine's."""
    table = to_table(history("w1:a(x,1)"))
    assert from_table(table.replace_schema_metadata(None)).events
    with pytest.raises(HistoryError, match="format: expected 1, got '2'"):
        from_table(table.replace_schema_metadata({b"lakeproof.history": b"2"}))


def test_the_order_inside_an_operation_is_kept_and_a_file_from_before_it_is_read(tmp_path):
    """The column may be missing; nothing is known of the order then."""
    source = history("w1:txn(x=1,x:1,y:0,x=2)@0->1")
    write_parquet(source, tmp_path / "h.parquet")
    assert [event.order for event in read_parquet(tmp_path / "h.parquet").events] == [None, None, "wrrw", None, None]
    bare = from_table(to_table(source).drop_columns(["order"]))
    assert [event.order for event in bare.events] == [None] * 5
    wrong = from_table(_with("order", [None, None, "rww", None, None, None, None], pa.string()))
    with pytest.raises(HistoryError, match="row 2: expected an order of 1 r and 1 w, got 'rww'"):
        check(wrong)
