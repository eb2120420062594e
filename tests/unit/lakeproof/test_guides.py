"""The guides of the protocols: their tables have every statement of a race, where it is, and what it takes."""

import re
from dataclasses import fields
from importlib import import_module
from typing import Any, get_args

import pytest

from sim.hudi import statements as hudi
from sim.hudi.workload import HudiWorkload
from sim.iceberg import python_statements
from sim.iceberg import workload as iceberg
from tests.unit.lakeproof.scenario_files import ROOT

CALL = re.compile(r"`([A-Z]\w+)(?:\(([^`]*)\))?`")
OF_PYTHON = [
    one for one in vars(python_statements).values() if getattr(one, "__module__", "") == python_statements.__name__
]


def members(union: Any) -> set[type]:
    """The classes of a union, those of its unions among them."""
    inner = get_args(union)
    return {each for one in inner for each in members(one)} if inner else {union}


def told(protocol: str) -> list[tuple[str, str, list[str]]]:
    """What the tables of statements have: a class, what it takes, and the modules that it may be from."""
    page = (ROOT / "docs" / f"{protocol}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[A-Z].*?) \| (.*?) \|", page, re.MULTILINE)
    return [
        (name, taken, re.findall(r"`(\w+)`", where) if protocol == "iceberg" else ["workload", "statements"])
        for cell, where in rows
        for name, taken in CALL.findall(cell)
    ]


def found(protocol: str, name: str, modules: list[str]) -> Any:
    """The class of a row."""
    looked = [import_module(f"sim.{protocol}.{module}") for module in modules]
    return next((getattr(module, name) for module in looked if hasattr(module, name)), None)


ROWS = [(protocol, *row) for protocol in ("iceberg", "hudi") for row in told(protocol) if row[0].count("Strategy") == 0]


@pytest.mark.parametrize(("protocol", "name", "taken", "modules"), ROWS, ids=lambda one: str(one)[:40])
def test_statements_of_the_guides_are_where_they_say_and_take_what_they_say(protocol, name, taken, modules):
    """By the names of their fields."""
    one = found(protocol, name, modules)
    assert one is not None, f"{name}: expected in {' or '.join(modules)}, got none"
    asked = [word.strip() for word in taken.split(",") if word.strip()]
    assert set(asked) <= {field.name for field in fields(one)}


def test_the_guide_of_iceberg_has_every_statement():
    """Those of PyIceberg in its own section."""
    named = {name for name, _, _ in told("iceberg")}
    of_python = {one.__name__ for one in OF_PYTHON if isinstance(one, type)}
    page = (ROOT / "docs" / "iceberg.md").read_text(encoding="utf-8").split("## Statements of PyIceberg", 1)[1]
    assert {one.__name__ for one in members(iceberg.Statement)} - named - of_python == set()
    assert of_python <= {name for name, _ in CALL.findall(page)}


def test_the_guide_of_hudi_has_every_statement():
    """And every field of a race."""
    assert {one.__name__ for one in members(hudi.Statement)} <= {name for name, _, _ in told("hudi")}


@pytest.mark.parametrize(("protocol", "race"), [("iceberg", iceberg.IcebergWorkload), ("hudi", HudiWorkload)])
def test_the_guides_have_every_field_of_a_race(protocol, race):
    """But for what `race` gives itself."""
    page = (ROOT / "docs" / f"{protocol}.md").read_text(encoding="utf-8").split("## What a race has", 1)[1]
    cells = re.findall(r"^\| (`[a-z].*?) \|", page, re.MULTILINE)
    named = {word for cell in cells for word in re.findall(r"`(\w+)`", cell)}
    assert {field.name for field in fields(race)} - {"writers", "idempotency"} - named == set()
