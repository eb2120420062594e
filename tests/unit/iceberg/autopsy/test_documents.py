"""docs/autopsy.md names what the autopsy can find, its weights and its options."""

import ast
import re

import click

from checkers.iceberg.autopsy.finding import WEIGHTS
from lakeproof.commands.autopsy import autopsy_verb
from tests.unit.house.rules import ROOT

PAGE = (ROOT / "docs" / "autopsy.md").read_text()
MAKERS = {"Finding": 0, "_damage": 1, "_entry": 2}


def _kinds():
    for path in (ROOT / "checkers" / "iceberg" / "autopsy").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
                kind = node.args[MAKERS[node.func.id]]
                if isinstance(kind, ast.Constant):
                    yield str(kind.value)


def test_every_kind_of_finding_is_explained():
    """And no other."""
    explained = re.findall(r"`([a-z-]+)`", "".join(re.findall(r"^\| (`.*?) \|", PAGE.split("## The kinds")[1], re.M)))
    both = {"missing-data-file", "missing-delete-file"}  # one call makes both
    assert set(explained) == {*_kinds(), *both}
    assert len(explained) == len(set(explained)) > 40


def test_weights_and_options_are_explained():
    """By their names."""
    for weight, meaning in WEIGHTS.items():
        assert f"| {weight} | {meaning} |" in PAGE
    options = {name for one in autopsy_verb.params if isinstance(one, click.Option) for name in one.opts}
    assert set(re.findall(r"^\| `(--[a-z]+)", PAGE, re.M)) == options
