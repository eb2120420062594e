"""Which scenarios a command line means, and how they are listed."""

import json

import pytest

from lakeproof.protocols import scenarios
from lakeproof.scenarios import built_in
from lakeproof.selection import selected
from tests.unit.lakeproof.scenario_files import SNAPSHOT, counter_file


def names(*arguments, protocol=None):
    """What these arguments select."""
    return [found.scenario.name for found in selected(arguments, protocol)]


def test_a_pattern_selects_all_that_fit_in_their_order():
    """A slash is no border for it."""
    assert names("pyiceberg/*") == [name for name in built_in() if name.startswith("pyiceberg/")]
    assert names("*g/append-append") == ["iceberg/append-append", "pyiceberg/append-append"]


def test_a_protocol_selects_its_own_and_narrows_patterns():
    """Without arguments all of it."""
    assert names(protocol="hudi") == list(scenarios("hudi"))
    assert names("*g/append-append", protocol="iceberg") == ["iceberg/append-append", "pyiceberg/append-append"]
    assert set(names(protocol="hudi")).isdisjoint(names(protocol="iceberg"))
    assert names() == list(built_in())


def test_what_is_named_twice_is_taken_once(tmp_path):
    """By name, by pattern and by file."""
    path = str(counter_file(tmp_path))
    assert names(SNAPSHOT, "iceberg/delete-update-s*", path, path).count(SNAPSHOT) == 1
    assert names(path, path) == ["test/counter"]


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_list_is_no_wider_than_the_terminal(call, monkeypatch, columns):
    """And loses no word."""
    wide = call("list").stdout
    monkeypatch.setenv("COLUMNS", str(columns))
    narrow = call("list").stdout
    assert max(map(len, narrow.splitlines())) <= columns
    assert sorted(narrow.split()) == sorted(wide.split())


def test_a_list_in_a_pipe_has_a_line_a_scenario(call):
    """For line tools; a selection has no properties below it."""
    lines = call("list", "pyiceberg/*").stdout.splitlines()
    assert [line.split()[0] for line in lines if line] == names("pyiceberg/*")


def test_a_list_as_json_says_all_that_is_known(call):
    """Of the scenarios that were selected, and of the properties."""
    listed = json.loads(call("list", "--protocol", "iceberg", "--json").stdout)
    found = {one["name"]: one for one in listed["scenarios"]}
    assert list(found) == list(scenarios("iceberg"))
    assert found[SNAPSHOT]["broken"] == built_in()[SNAPSHOT].broken
    assert "readable" in listed["properties"]["any history"]


def test_run_takes_patterns(call):
    """Each in a line of its own."""
    result = call("run", "pyiceberg/append-re*")
    assert result.exit_code == 0
    assert [line.split(":")[0] for line in result.stdout.splitlines() if "as expected" in line] == names(
        "pyiceberg/append-re*"
    )
