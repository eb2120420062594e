"""Hive's tests of whose statistics may be used, on the model's lists; `tests/live/hive/test_statistics.py` too."""

import pytest

from model.hive.lists import ValidWriteIdList
from tests.unit.hive.statistics_script import SCENARIOS, ModelStatistics, StatisticsScript


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"])
def test_scenario(scenario):
    """Each step is answered as upstream's test expects."""
    assert StatisticsScript(ModelStatistics()).told(scenario) == scenario["steps"]


@pytest.mark.parametrize(
    ("is_valid", "failing"),
    [
        (lambda self, write_id: write_id <= self.high, ["MultiAbort", "OpenTxn"]),
        (lambda self, write_id: write_id <= self.high and write_id not in self.open, ["MultiAbort"]),
        (lambda self, write_id: write_id <= self.high and write_id not in self.aborted, ["OpenTxn"]),
        (lambda self, write_id: False, ["", "Multi"]),
    ],
    ids=["high", "aborted-counts", "open-counts", "nothing-counts"],
)
def test_the_tests_notice_lists_that_are_read_wrongly(monkeypatch, is_valid, failing):
    """Each wrong rule fails in the tests that are about it."""
    monkeypatch.setattr(ValidWriteIdList, "is_valid", is_valid)
    found = [one["test"] for one in SCENARIOS if StatisticsScript(ModelStatistics()).told(one) != one["steps"]]
    assert found == [f"testTableColumnStatisticsTxnTable{name}" for name in failing]
