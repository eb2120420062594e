"""`lakeproof check` on what is at a path: Jepsen's histories, Arrow, data sets, folders; its limit and its graph."""

import json
import shutil
from contextlib import nullcontext

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from checkers.histories.notation import history
from checkers.histories.storage import to_table, write_json_lines, write_parquet
from tests.unit.lakeproof.scenario_files import ROOT
from tests.unit.real_backend.pipeline.in_process import Context

JEPSEN = ROOT / "tests" / "vectors" / "jepsen"
GOOD = "w1:upd(x=1)@0->1 ; w1:read(x=1)@1"
LOST = "w1:upd(x=1)@0->1 w2:upd(x=2)@0->2 final:read(x=2)@2"


@pytest.mark.parametrize(
    ("name", "code", "text"),
    [
        ("list-append-lost-append.edn", 1, "no-lost-update: lost-update"),
        ("list-append-serial.edn", 0, "valid    strong-serializable"),
        ("rw-register-write-skew.edn", 1, "no-write-skew: write-skew"),
        ("rw-register-write-skew.edn", 1, "valid    snapshot-isolation"),
        ("rw-register-aborted-read.json", 1, "no-aborted-reads: aborted-read"),
    ],
)
def test_histories_of_jepsens_are_judged(call, name, code, text):
    """EDN as lines, as a vector, with tags; JSON as elle-cli reads it."""
    result = call("check", JEPSEN / name)
    assert result.exit_code == code, result.output
    assert text in result.stdout


def test_what_only_jepsens_histories_can_break_can_be_asked(call):
    """By name, beside the others."""
    names = ("--property", "internal", "--property", "version-order", "--property", "serializable")
    result = call("check", JEPSEN / "list-append-serial.edn", *names)
    assert (result.exit_code, result.stdout.count("\n  valid ")) == (0, 3), result.output


@pytest.mark.parametrize("options", [(), ("--spark",)])
def test_of_other_histories_they_are_unknown(call, tmp_path, spark_here, options):
    """With a reason; what else was asked is judged."""
    write_parquet(history(GOOD), tmp_path / "h.parquet")
    names = ("--property", "internal", "--property", "snapshot-isolation")
    result = call("check", tmp_path / "h.parquet", *names, *options)
    assert result.exit_code == 2, result.output
    assert "valid    snapshot-isolation" in result.stdout
    assert "unknown  internal" in result.stdout
    assert "Unknown, because internal: " in result.stdout


def test_a_history_of_jepsens_is_explained(call):
    """By the verb that explains others."""
    result = call("explain", JEPSEN / "rw-register-write-skew.edn")
    assert result.exit_code == 0
    assert "write-skew" in result.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{:type :ok, :process 0, :value [[:inc x 1]]}", "line 1: value: expected append, w or r"),
        ("{:type :ok, :value 7}", "line 1: value: expected a list of [:append k v]"),
        ("{:type :odd}", "line 1: type: expected one of invoke, ok, fail, info"),
        ("{:type :ok, :value [[:r 1 nil]]} {", "line 1: expected a '}' for this '{'"),
        ('[{"type": "ok", "value": [["r", 1, null]]}, 7]', "line 1: expected an object with type, process and value"),
        ('[{"type": "ok"', "line 1: expected JSON"),
        ("[7]", "line 1: expected a map such as {:type :ok"),
    ],
)
def test_what_is_no_history_of_jepsens_is_bad_input(call, tmp_path, text, message):
    """65, and one line with the file and the place."""
    path = tmp_path / "h.edn"
    path.write_text(text)
    result = call("check", path)
    assert result.exit_code == 65, result.output
    assert result.stderr.startswith(f"lakeproof: history {path}: {message}"), result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_arrow_files_are_read(call, tmp_path, stream):
    """Of both kinds, whatever they are called."""
    table = to_table(history(LOST))
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with pa.OSFile(str(tmp_path / "h.arrow"), "wb") as sink, make(sink, table.schema) as writer:
        writer.write_table(table)
    result = call("check", tmp_path / "h.arrow")
    assert result.exit_code == 1
    assert "no-lost-update: lost-update" in result.stdout


def _with_name(line, name):
    table = to_table(history(line))
    return table.append_column("history", pa.array([name] * len(table)))


def test_many_histories_in_one_table_are_judged_one_by_one(call, tmp_path):
    """Told apart by the column `history`; a row each, then the sum; the gravest code."""
    table = pa.concat_tables([_with_name(GOOD, "good"), _with_name(LOST, "lost"), _with_name(GOOD, "again")])
    pq.write_table(table, tmp_path / "many.parquet")
    result = call("check", tmp_path / "many.parquet")
    assert result.exit_code == 1
    rows = result.stdout.splitlines()
    assert rows[0].startswith(f"valid      {tmp_path}/many.parquet[good] (")
    assert rows[1].startswith(f"invalid    {tmp_path}/many.parquet[lost] (")
    assert rows[1].endswith("no-lost-update (lost-update)")
    assert rows[3] == "3 histories: 2 valid, 1 invalid"


@pytest.mark.parametrize("many", [False, True])
def test_a_folder_of_parts_is_one_data_set(call, tmp_path, many):
    """As Spark writes it: parts in any order, and a column in the folders' names."""
    table = to_table(history(LOST))
    parts = [table.slice(4), table.slice(0, 4)]
    for number, part in enumerate(parts):
        folder = tmp_path / "set" / "history=7" if many else tmp_path / "set"
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(part, folder / f"part-{number}.parquet")
    (tmp_path / "set" / "_SUCCESS").touch()
    result = call("check", tmp_path / "set")
    assert result.exit_code == 1
    assert "1 history: 1 invalid" in result.stdout
    assert ("[7]" in result.stdout) == many


def test_a_folder_is_judged_file_by_file_and_the_unreadable_are_named(call, tmp_path):
    """One row a history, a run folder being one; what is broken does not keep the others from being judged."""
    folder = tmp_path / "all"
    (folder / "deeper").mkdir(parents=True)
    write_parquet(history(GOOD), folder / "a.parquet")
    write_json_lines(history(LOST), folder / "deeper" / "b.jsonl")
    (folder / "c.edn").write_text("{:type :ok")
    (folder / "d.parquet").write_bytes(b"PAR1 and no more")
    (folder / "note.txt").write_text("no history")
    shutil.copy(JEPSEN / "rw-register-write-skew.edn", folder / "e.edn")
    assert call("run", "iceberg/append-append", "--out", folder / "runs").exit_code == 0
    result = call("check", folder)
    assert result.exit_code == 65
    outcomes = [row.split()[0] for row in result.stdout.splitlines()]
    assert outcomes == ["valid", "unreadable", "unreadable", "invalid", "invalid", "valid", "6"]
    assert f"unreadable history {folder}/c.edn: line 1" in result.stdout
    assert f"{folder}/d.parquet: expected a Parquet file (or Arrow" in result.stdout
    assert result.stdout.splitlines()[-1] == "6 histories: 2 valid, 2 invalid, 2 unreadable"


def test_a_folder_without_a_history_is_a_usage_problem(call, tmp_path):
    """And so is a graph of several histories."""
    assert call("check", tmp_path).exit_code == 64
    write_parquet(history(GOOD), tmp_path / "a.parquet")
    result = call("check", tmp_path, "--graph", "g.svg")
    assert result.exit_code == 64
    assert "expected one history to draw" in result.stderr


def test_what_takes_too_long_is_unknown(call, tmp_path, monkeypatch):
    """For one history, and in a folder; the command that is told has the limit."""

    def endless(*_):
        while True:
            pass

    write_parquet(history(GOOD), tmp_path / "a.parquet")
    monkeypatch.setattr("lakeproof.stored.check", endless)
    result = call("check", tmp_path / "a.parquet", "--timeout", "0.05")
    assert result.exit_code == 2
    assert "Unknown, because the time was over after 0.05 s" in result.stdout
    assert result.stdout.rstrip().endswith("--timeout 0.05")
    assert call("check", tmp_path, "--timeout", "0.05").exit_code == 2


def test_the_witness_is_drawn(call, tmp_path):
    """As a picture of the cycle, or as a graph of the operations on it alone."""
    write_parquet(history(LOST + " w3:upd(y=1)@2->3"), tmp_path / "h.parquet")
    result = call("check", tmp_path / "h.parquet", "--graph", "g.svg")
    assert result.exit_code == 1
    assert "graph: g.svg (no-lost-update)" in result.stdout
    assert "<svg" in (tmp_path / "g.svg").read_text()
    assert call("check", tmp_path / "h.parquet", "--graph", "g.json").exit_code == 1
    graph = json.loads((tmp_path / "g.json").read_text())
    assert {node["process"] for node in graph["nodes"]} == {"w1", "w2"}
    assert call("check", tmp_path / "h.parquet", "--graph", "g.json").exit_code == 64


def test_nothing_is_drawn_where_nothing_is_broken(call, tmp_path):
    """It is said, and no file is made."""
    write_parquet(history(GOOD), tmp_path / "h.parquet")
    result = call("check", tmp_path / "h.parquet", "--graph", "g.svg")
    assert result.exit_code == 0
    assert "no graph: nothing is broken" in result.stdout
    assert not (tmp_path / "g.svg").exists()


@pytest.fixture
def spark_here(monkeypatch):
    """`--spark` without a JVM."""
    monkeypatch.setattr("real_backend.pipeline.check_session.check_context", lambda: nullcontext(Context()))


def test_a_data_set_is_judged_on_spark(call, tmp_path, spark_here):
    """One history in full, several in rows; the command is told again with its option."""
    write_parquet(history(LOST), tmp_path / "h.parquet")
    result = call("check", "--spark", tmp_path / "h.parquet")
    assert result.exit_code == 1
    assert "no-lost-update: lost-update" in result.stdout
    assert result.stdout.rstrip().endswith(f"check {tmp_path / 'h.parquet'} --spark")
    pq.write_table(pa.concat_tables([_with_name(GOOD, "a"), _with_name(LOST, "b")]), tmp_path / "many.parquet")
    result = call("check", "--spark", tmp_path / "many.parquet", "--property", "no-lost-update")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[2] == "2 histories: 1 valid, 1 invalid"


@pytest.mark.parametrize(
    ("options", "code", "text"),
    [
        (("--graph", "g.svg"), 64, "expected no --graph"),
        (("--timeout", "0.000001"), 2, "Unknown, because the time was over"),
        ((), 65, "expected a Parquet file, got unreadable content"),
    ],
)
def test_what_spark_cannot_judge_is_said(call, tmp_path, spark_here, options, code, text):
    """In one line; nothing is started for a mistake in the command."""
    (tmp_path / "h.parquet").write_text("no table")
    result = call("check", "--spark", tmp_path / "h.parquet", *options)
    assert result.exit_code == code, result.output
    assert text in result.output
