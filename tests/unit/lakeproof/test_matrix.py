"""`lakeproof matrix`: grids, cells with schedules that replay, a page, and cells on which the real system differs."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from lakeproof.matrices import Playing, played
from lakeproof.protocols import matrix_of
from real_backend.errors import BackendUnavailable
from reports.pages.matrix import MatrixRecord, matrix_page, shown_cell, tally
from reports.record import Compared, Live
from sim.search.matrix import Place, judged
from tests.unit.reports.test_html import outline

PLACE = Place("2", "file-a-row", "snapshot", "change", "delete-row")


def newest(tmp_path):
    """The newest folder of the matrix."""
    return (tmp_path / "runs" / "matrix" / "iceberg" / "latest").resolve()


def test_a_cell_is_printed_with_its_outcomes_and_what_replays_them(call, tmp_path):
    """Whoever is second is refused; the lines are to be pasted."""
    result = call("matrix", "iceberg", "--cell", "change", "delete-row", "--level", "snapshot", "--format", "2")
    assert result.exit_code == 0
    assert "1 cell, 16 schedules: 1 refused (simulated)" in result.stdout
    assert "change x delete-row (snapshot, format 2, file-a-row): rc, 16 schedules" in result.stdout
    lines = re.findall(r"lakeproof replay (\S+)", result.stdout)
    assert len(lines) == 2
    for line in lines:
        again = call("replay", line)
        assert again.exit_code == 0, again.output
        assert "every property holds in this run" in again.stdout


def test_a_broken_cell_replays_as_a_violation(call):
    """Without validations."""
    result = call("matrix", "iceberg", "--cell", "change", "delete-row", "--level", "none", "--format", "2")
    assert "1 cell, 28 schedules: 1 broken (simulated)" in result.stdout
    codes = {call("replay", line).exit_code for line in re.findall(r"lakeproof replay (\S+)", result.stdout)}
    assert codes == {1}


def test_a_cell_is_a_scenario_like_others(call):
    """By its name."""
    result = call("run", "iceberg/matrix/2/file-a-row/none/change/change")
    assert result.exit_code == 1
    assert "iceberg/matrix/2/file-a-row/none/change/change: VIOLATED" in result.stdout


FEW = ("append", "overwrite-filter", "change", "read-twice", "roll-back", "spec", "drop-column")


def test_the_grid_has_a_row_for_each_operation_and_what_is_broken_below(call, tmp_path, monkeypatch):
    """At one level, in letters; of some operations here."""
    whole = matrix_of("iceberg")
    matrix = replace(whole, operations={name: whole.operations[name] for name in FEW})
    monkeypatch.setattr("lakeproof.commands.matrix.matrix_of", lambda _: matrix)
    result = call("matrix", "iceberg", "--level", "snapshot", "--format", "2")
    rows = re.findall(r"^ *(\d+) ([a-z-]+) +(.*)$", result.stdout, re.MULTILINE)
    assert [name for _, name, _ in rows] == list(FEW)
    assert {len(re.findall(r"-|[!?rc]+(?: ok)?|ok", cells)) for *_, cells in rows} == {len(rows)}
    assert "overwrite-filter x append (snapshot, format 2, file-a-row): ! ok" in result.stdout
    record = json.loads((newest(tmp_path) / "matrix.json").read_text())
    assert len(record["cells"]) == len(rows) ** 2
    assert all((newest(tmp_path) / o["schedule"]).is_file() for cell in record["cells"] for o in cell["outcomes"])


def test_two_runs_leave_the_same_record_and_page(call, tmp_path):
    """Nothing of them is of one run."""
    folders = []
    for _ in range(2):
        call("matrix", "iceberg", "--cell", "transaction", "rewrite", "--table", "all")
        folders.append(newest(tmp_path))
    one, two = folders
    assert one != two
    for name in ("matrix.json", "report.html"):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_a_grid_is_printed_in_blocks_of_columns_that_fit_the_terminal(call, monkeypatch):
    """Every column once, none cut off, and every row named in each block."""
    whole = matrix_of("iceberg")
    matrix = replace(whole, operations={name: whole.operations[name] for name in FEW})
    monkeypatch.setattr("lakeproof.commands.matrix.matrix_of", lambda _: matrix)
    monkeypatch.setenv("COLUMNS", "44")
    result = call("matrix", "iceberg", "--level", "snapshot", "--format", "2")
    heads = re.findall(r"^ +\d+(?: +\d+)*$", result.stdout, re.MULTILINE)
    assert len(heads) > 1
    assert [int(number) for head in heads for number in head.split()] == list(range(1, len(FEW) + 1))
    assert "…" not in result.stdout
    grids = result.stdout.partition("\n  ok ")[0].splitlines()[2:]
    assert max(map(len, grids[1:])) <= 44
    assert sum("drop-column" in line for line in grids) == len(heads)


def test_an_option_that_is_doubled_is_taken_once(call):
    """As in a script that adds what is there."""
    words = ("--cell", "change", "delete-row", *("--level", "snapshot") * 2, *("--format", "2") * 2)
    result = call("matrix", "iceberg", *words, *("--table", "file-a-row") * 2)
    assert result.exit_code == 0
    assert "1 cell, 16 schedules: 1 refused (simulated)" in result.stdout


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (
            ("--cell", "expire-age", "append"),
            "--cell: expected two operations that one table has beside each other, as expire-age and"
            " append are with --table aged, got file-a-row",
        ),
        (("--cell", "drop-column", "rename-column", "--table", "all"), "got drop-column (on worked-on"),
        (("--level", "strict"), "--level: expected one of none, snapshot, serializable, got 'strict'"),
        (("--table", "big"), "--table: expected one of file-a-row,"),
        (("--format", "7"), "--format: expected one of 2, 3, 1, got '7'"),
        (("--cell", "append", "merge"), "--cell: expected one of fast-append,"),
        (("--every",), "--every: expected --live beside it"),
    ],
)
def test_what_no_matrix_has_is_one_line(call, words, named):
    """Exit 64, with the names that there are."""
    result = call("matrix", "iceberg", *words)
    assert result.exit_code == 64
    assert named in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert call("matrix", "delta").exit_code == 64


class Systems:
    """Live systems that agree (True), differ (False), cannot follow or are not there (an error)."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def replay(self, scenario, schedule, run):
        if isinstance(self.answer, Exception):
            raise self.answer
        row = Compared("w2: delete row 1", "ok", "refused (ValidationException)", agrees=False)
        rows = () if self.answer else (row,)
        judged_live: Any = None  # nobody asks how it is judged
        live = Live("the real one", "", rows, judged_live, self.answer)
        return type("Replayed", (), {"live": live})()


def lived(answer, every=False):
    """The cell of `PLACE`, played on such systems."""
    matrix = matrix_of("iceberg")
    systems: Any = Systems(answer)
    playing, scenario = Playing(every, systems), matrix.scenario(PLACE)
    assert scenario is not None
    cell = judged(scenario, each=playing.kept())
    return playing, shown_cell(PLACE, matrix.name(PLACE), cell, [played(o, "x.txt", playing) for o in cell.outcomes])


def record_of(cell):
    """A matrix of that cell alone."""
    matrix = matrix_of("iceberg")
    names = tuple((name, matrix.operations[name]) for name in (PLACE.row, PLACE.column))
    return MatrixRecord("1", "iceberg", names, tuple(matrix.levels.items()), tuple(matrix.tables.items()), ("2",),
                        (cell,), "the real one", "lakeproof matrix iceberg")  # fmt: skip


def test_a_cell_on_which_the_real_system_differs_stands_out_with_the_schedule_and_the_difference():
    """In the grid, in the page and in the count."""
    _, cell = lived(False)
    assert cell.differs
    assert "w2: delete row 1: simulated ok, live refused (ValidationException)" in cell.outcomes[0].live
    assert cell.outcomes[0].live.startswith(f"differs: {cell.outcomes[0].steps}")
    assert "2 schedules live, 1 cells differ" in tally([cell])
    found = outline(matrix_page(record_of(cell)))
    assert any("≠" in text for text in found.texts)
    assert not {"script", "link", "img"} & set(found.tags)


def test_every_schedule_is_played_if_asked_for():
    """And counted; one of each outcome otherwise."""
    _, one = lived(True)
    playing, every = lived(True, every=True)
    assert (tally([one]), playing.system) == (
        "1 cell, 16 schedules: 1 refused; 2 schedules live, no cells differ",
        "the real one",
    )
    assert "16 schedules live, no cells differ" in tally([every])
    assert not every.differs


def test_a_schedule_that_cannot_be_followed_is_a_difference_and_a_system_that_is_not_there_is_none():
    """The first says how the real one is; the second says nothing."""
    _, cell = lived(RuntimeError("w1.load is not on offer"))
    assert "RuntimeError: w1.load is not on offer" in cell.outcomes[0].live
    with pytest.raises(BackendUnavailable):
        lived(BackendUnavailable("no Java"))


def test_a_difference_makes_it_exit_1(call, monkeypatch):
    """After the cells are printed."""

    class Differing(Playing):
        def __init__(self, every: bool, systems: Any) -> None:
            differing: Any = Systems(False)
            super().__init__(every, differing)

    monkeypatch.setattr("lakeproof.commands.matrix.Playing", Differing)
    result = call(
        "matrix", "iceberg", "--cell", "change", "delete-row", "--level", "snapshot", "--format", "2", "--live"
    )
    assert result.exit_code == 1
    assert "rc ≠" in result.stdout
    assert "live: differs" in result.stdout


CELL = ("matrix", "iceberg", "--cell", "property", "append", "--level", "snapshot", "--format", "2", "--beside")


def test_a_cell_on_another_implementation_is_printed_with_the_reason_and_what_replays_it(call, tmp_path):
    """Where it comes to something else; the page says so, too."""
    result = call(*CELL)
    assert result.exit_code == 0
    assert "PyIceberg 0.12.0: 1 cell, 6 schedules, 1 come to something else" in result.stdout
    assert "property x append (snapshot, format 2, file-a-row): ok*, 14 schedules" in result.stdout
    assert "PyIceberg 0.12.0: r ok, 6 schedules: PyIceberg sends a commit again only if" in result.stdout
    lines = re.findall(r"lakeproof replay (\S+)", result.stdout)
    assert sum("pyiceberg-2-" in line for line in lines) == 2
    assert {call("replay", line).exit_code for line in lines} == {0}
    page = (newest(tmp_path) / "report.html").read_text()
    assert "Where another implementation comes to something else" in page
    assert "ok*" in page


def test_what_another_implementation_has_not_is_said_and_counted(call, tmp_path, monkeypatch):
    """With why, of one cell and of all; and in the page."""
    result = call("matrix", "iceberg", "--cell", "rewrite-pinned", "append", "--format", "2", "--beside")
    assert result.exit_code == 0
    assert "PyIceberg 0.12.0: 0 cells, 0 schedules, none come to something else, 3 cells not had" in result.stdout
    assert "PyIceberg 0.12.0: no such race: no rewrite, nor a sequence number to give one" in result.stdout
    whole = matrix_of("iceberg")
    matrix = replace(whole, operations={name: whole.operations[name] for name in ("read-twice", "retain")})
    monkeypatch.setattr("lakeproof.commands.matrix.matrix_of", lambda _: matrix)
    result = call("matrix", "iceberg", "--level", "snapshot", "--format", "2", "--table", "aged", "--beside")
    assert "PyIceberg 0.12.0 has no race in 3 cells: nothing says what a ref keeps but what makes it" in result.stdout
    page = (newest(tmp_path) / "report.html").read_text()
    assert "What another implementation has not" in page
    assert "no such race: nothing says what a ref keeps" in page


def test_a_difference_without_a_reason_makes_it_exit_1(call, monkeypatch):
    """Nobody knows why."""
    matrix = matrix_of("iceberg")
    silent = replace(matrix, beside=tuple(other._replace(why=lambda _: "") for other in matrix.beside))
    monkeypatch.setattr("lakeproof.commands.matrix.matrix_of", lambda _: silent)
    result = call(*CELL)
    assert result.exit_code == 1
    assert "nobody knows why" in result.stdout
