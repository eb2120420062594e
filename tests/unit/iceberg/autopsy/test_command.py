"""`lakeproof autopsy`: its arguments, its codes, its output."""

import json

import pytest
from click.testing import CliRunner

from lakeproof.cli import cli
from tests.unit.iceberg.autopsy.tables import NAME

CATALOG = "tests.unit.iceberg.autopsy.tables.FolderCatalog"


@pytest.fixture
def call(monkeypatch):
    """Call `lakeproof autopsy`; the result has exit_code, stdout and stderr."""
    monkeypatch.delenv("LAKEPROOF_DEBUG", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)

    def invoke(*arguments):
        result = CliRunner().invoke(cli, ["autopsy", *map(str, arguments)], prog_name="lakeproof")
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return invoke


@pytest.fixture
def in_catalog(call, made):
    """Call it with the table's catalog."""
    properties = ("--set", f"py-catalog-impl={CATALOG}", "--set", f"folder={made.folder.parent}")
    return lambda *more: call(NAME, "--catalog", "mine", *properties, *more)


def test_a_sound_table_is_exit_code_0_with_its_history(call, made):
    """By its folder, its metadata folder, and its metadata file."""
    for path in (made.folder, made.folder / "metadata", made.current):
        result = call(path)
        assert result.exit_code == 0, result.output
        assert f"{path}: nothing found" in result.stdout
        assert f"{made.current.name}" in result.stdout
        assert "[the table stands here]" in result.stdout


def test_a_damaged_table_is_exit_code_1_with_findings_of_five_lines(call, made):
    """What, where, expected, got, what to do."""
    next(iter(made.folder.rglob("*.parquet"))).unlink()
    result = call(made.folder)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == f"{made.folder}: 1 damage"
    assert lines[2].startswith("damage: missing-data-file: a live data file is gone")
    assert [line.split()[0] for line in lines[3:7]] == ["where", "expected", "got", "do"]


def test_json_has_all_findings_and_the_whole_history(call, made):
    """For machines; the text shows a few of a kind."""
    for path in made.folder.rglob("*.parquet"):
        path.unlink()
    for number in range(4, 8):
        made.append(number)
    for path in made.folder.rglob("*.parquet"):
        path.unlink()
    told = json.loads(call(made.folder, "--json").stdout)
    assert len(told["findings"]) == 7
    assert len(told["history"]) == 8
    assert told["findings"][0]["kind"] == "missing-data-file"
    assert "damage: missing-data-file: and 2 more; --json lists all" in call(made.folder).stdout


def test_a_long_history_is_cut_and_history_shows_all(call, made):
    """The newest are shown."""
    for number in range(10):
        made.append(number)
    assert "... 2 older versions; --history shows all" in call(made.folder).stdout
    assert "older versions" not in call(made.folder, "--history").stdout


def test_a_catalog_says_where_the_table_stands(in_catalog, made):
    """Which moved back is a loss."""
    assert in_catalog().exit_code == 0
    made.catalog.point(str(made.versions[2]))
    result = in_catalog()
    assert result.exit_code == 1
    assert "unclear: unaccounted-commit" in result.stdout
    made.catalog.point(str(made.versions[1]))
    assert "loss: lost-commit" in in_catalog().stdout


def test_a_table_that_pyiceberg_cannot_load_is_read_all_the_same(in_catalog, made):
    """The catalog's own pointer is what it tried to open."""
    made.edit(lambda data: data.update({"current-schema-id": 7}))
    result = in_catalog()
    assert result.exit_code == 1, result.output
    assert "damage: no-current-schema" in result.stdout
    made.current.write_text("{")
    assert "damage: unreadable" in in_catalog().stdout
    made.current.unlink()
    assert "damage: no-current-metadata" in in_catalog().stdout


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("nowhere",), 64, "expected a folder or a metadata file, got no such place"),
        ((".",), 65, "expected metadata files in metadata/, got none"),
        (("x.json",), 65, "expected a metadata file, "),
        (("abc://x/y",), 64, "expected a place that can be read, got "),
        (("db.t", "--catalog", "nobody"), 64, "expected a catalog that PyIceberg can load, got "),
        (("x.json", "--set", "a"), 64, "--set a: expected KEY=VALUE"),
        (("x.json", "--versions", "0"), 64, "0 is not in the range"),
        (("",), 64, "expected a folder or a metadata file, got no name"),
        ((), 64, "Missing argument 'TABLE'"),
    ],
)
def test_what_is_no_table_is_one_line(call, tmp_path, monkeypatch, arguments, code, text):
    """64 for what is not there, 65 for what is no table."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.json").write_text("{}")
    result = call(*arguments)
    assert (result.exit_code, text in result.stderr) == (code, True), result.output
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_table_that_the_catalog_has_not_is_64(in_catalog, made):
    """As a name that is mistyped."""
    (made.folder.parent / "pointer").unlink()
    result = in_catalog()
    assert result.exit_code == 64
    assert "expected a table of the catalog, got Table does not exist" in result.stderr


def test_the_history_is_written_as_a_graph(call, made, tmp_path):
    """Versions follow each other and add snapshots; a name that is taken is refused before anything is read."""
    graph = tmp_path / "history.json"
    assert call(made.folder, "--graph", graph).exit_code == 0
    data = json.loads(graph.read_text())
    assert [node["kind"] for node in data["nodes"]].count("version") == 4
    assert sorted(edge["kind"] for edge in data["edges"]) == ["added"] * 3 + ["follows"] * 3
    result = call(made.folder, "--graph", graph)
    assert (result.exit_code, result.stdout) == (64, "")


def test_relative_paths_are_those_of_the_shell(call, made, monkeypatch):
    """Also from inside of the table."""
    monkeypatch.chdir(made.folder / "metadata")
    for path in (".", "..", made.current.name):
        result = call(path)
        assert (result.exit_code, f"{path}: nothing found" in result.stdout) == (0, True), result.output
