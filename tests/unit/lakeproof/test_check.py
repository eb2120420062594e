"""`lakeproof check` on files that others wrote: JSON lines, its default, its codes, and what it prints of them."""

import json

import pytest

from tests.unit.lakeproof.scenario_files import ROOT, counter_file

SETUP = {"type": "ok", "process": "setup", "op": 0, "f": "insert", "commit": 0, "writes": [{"key": "x", "value": "0"}]}


def _told(process, number, **known):
    row = {"process": process, "op": number, "f": "txn"}
    return [{**row, "type": "invoke"}, {**row, "type": "ok", **known}]


def _wrote(process, number, start, commit, value):
    return _told(process, number, start=start, commit=commit, writes=[{"key": "x", "value": value}])


def _read(process, number, start, value, key="x"):
    return _told(process, number, start=start, reads=[{"key": key, "value": value}])


@pytest.fixture
def file(tmp_path):
    """Write rows as JSON lines."""

    def write(*rows):
        path = tmp_path / "log.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


GOOD = [SETUP, *_wrote("w1", 1, 0, 1, "1"), *_read("r1", 2, 1, "1"), *_read("r1", 3, 1, "1")]


def test_json_lines_are_judged_for_all_that_they_say(call, file):
    """Nobody inspected or read the table at the end: what is about that is not asked."""
    result = call("check", file(*GOOD))
    assert result.exit_code == 0, result.output
    assert "valid    monotonic-reads" in result.stdout
    assert "strong-serializable" in result.stdout
    for unseen in ("readable", "table-invariants", "read-your-writes", "unknown"):
        assert unseen not in result.stdout


@pytest.mark.parametrize(
    ("rows", "code", "text"),
    [
        ([*GOOD, *_read("r1", 4, 0, "0")], 1, "monotonic-reads: non-monotonic-read"),
        ([*GOOD, *_read("w1", 4, 0, "0")], 1, "read-your-writes: missed-own-write"),
        ([], 2, "Unknown, because the history has no operations."),
        ([SETUP], 2, "Unknown, because nothing was acknowledged"),
        ([*GOOD, *_wrote("w2", 4, 0, 1, "2")], 2, "is not alone in having made version 1"),
    ],
)
def test_the_default_finds_what_clients_complain_about(call, file, rows, code, text):
    """A session that goes back, one that misses its own write; nothing at all; two claims of one version."""
    result = call("check", file(*rows))
    assert (result.exit_code, text in result.stdout) == (code, True), result.stdout


def test_a_property_that_was_named_and_has_nothing_to_look_at_is_no_success(call, file):
    """Beside one that holds."""
    names = ("--property", "snapshot-isolation", "--property", "read-your-writes")
    result = call("check", file(*GOOD), *names)
    assert result.exit_code == 2
    assert "no session read what it had written: read-your-writes had nothing to look at" in result.stdout


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([*GOOD, *_wrote("w2", 4, 19, 20, "2")], "row 8: expected a start in 0..11 (an ordinal"),
        ([*GOOD, *_wrote("w2", 4, 2, 2, "2")], "row 8: expected a start before its own commit 2, got version 2"),
        ([*GOOD, {"type": "ok"}], "line 8: process: expected text, got none"),
    ],
)
def test_what_is_no_history_is_bad_input_with_its_place(call, file, rows, text):
    """In one line that names the file, for both commands that read one."""
    path = file(*rows)
    for verb in ("check", "explain"):
        result = call(verb, path)
        assert result.exit_code == 65
        assert result.stderr.strip().startswith(f"lakeproof: history {path}: {text}")
        assert len(result.stderr.splitlines()) == 1


def test_nothing_in_a_history_reaches_the_terminal_raw_or_at_length(call, file):
    """Keys, values, processes and errors with escapes, or of a million characters."""
    evil = "\x1b[2J\n\0\u202e"
    for text in (evil, "k" * 1_000_000):
        row = {"process": text, "op": 9, "f": text, "arg": text}
        failed = [{**row, "type": "invoke"}, {**row, "type": "fail", "error": f"conflict {text}"}]
        final = [{**each, "process": "r-final", "op": 10, "f": "read"} for each in _read("", 0, 1, text, text)]
        rows = [*GOOD, *_read(text, 4, 1, text, text), *_read(text, 5, 1, None, "x"), *failed, *final]
        result = call("check", file(*rows))
        assert result.exit_code == 1
        assert "thin-air-read" in result.stdout
        assert "lost-row" in result.stdout
        assert all(line.isprintable() and len(line) <= 600 for line in result.stdout.splitlines())


def test_the_lines_of_a_run_folder_say_what_its_parquet_says(call, tmp_path):
    """The same history in another form."""
    assert call("run", "iceberg/append-append", "--out", tmp_path / "runs").exit_code == 0
    (folder,) = (tmp_path / "runs" / "iceberg" / "append-append").glob("2*")
    told = [call("check", folder / name).stdout.partition(":")[2] for name in ("history.jsonl", "history.parquet")]
    assert told[0] == told[1]


def test_the_history_in_the_documents_is_one(call, tmp_path):
    """And is broken as the page says."""
    page = (ROOT / "docs" / "histories.md").read_text()
    (tmp_path / "log.jsonl").write_text(page.partition("```json\n")[2].partition("```")[0])
    result = call("check", "log.jsonl")
    assert result.exit_code == 1
    assert "no-lost-update: lost-update" in result.stdout


@pytest.mark.parametrize(
    ("call_of_record", "text"),
    [
        ('simulation.record.ok(op, reads=5)', "RecorderError: record.reads: expected a list or tuple"),
        ('simulation.record.ok(op); simulation.record.ok(op)', "RecorderError: record.ok: expected one completion"),
        ('simulation.record.ok(op, commit=[])', "RecorderError: record.commit: expected a version's number"),
        ('simulation.record.invoke(name, "w", 5)', "RecorderError: record.invoke: expected arg to be text or None"),
        ('simulation.record.ok(7)', "RecorderError: record.ok: expected the number of an operation"),
    ],
)  # fmt: skip
def test_a_wrong_call_of_the_recorder_is_blamed_on_its_line(call, tmp_path, call_of_record, text):
    """Bad input, and no internal error."""
    path = counter_file(tmp_path)
    asked = 'op = simulation.record.invoke(name, "add")'
    source = path.read_text().replace(asked, f"{asked}\n        {call_of_record}")
    path.write_text(source)
    line = next(at for at, text in enumerate(source.splitlines(), 1) if call_of_record in text)
    result = call("run", path)
    assert result.exit_code == 65, result.output
    assert f"line {line}: {text}" in result.stderr
