"""Hive's and Impala's own tests as data, on our model."""

import json
from pathlib import Path

import pytest

from model.hive import FIXED
from model.hive.impala_rules import IMPALA
from tests.unit.hive.scenarios import Script

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_scenarios.json"
RULES = {"reference": FIXED, "impala": IMPALA}
SCENARIOS = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: f"{scenario['id']}-{scenario['test'].split()[0]}")
def test_scenario(scenario):
    """Each step answers what the row says."""
    script = Script(RULES[scenario.get("rules", "reference")])
    for step in scenario["steps"]:
        command, _, expected = step.partition(" -> ")
        assert (command, script.run(command)) == (command, expected)


def test_there_are_enough_of_them():
    """At least twenty rows of hive/7, each once, each with an expectation."""
    assert len({scenario["id"] for scenario in SCENARIOS}) == len(SCENARIOS) >= 20
    assert all(any(" -> " in step for step in scenario["steps"]) for scenario in SCENARIOS)
