"""The study of the metastore's cache: what the figures must show, whatever the latencies."""

import pytest

from lakeproof.protocols import studies, study_at
from sim.hive.study_cache import COLUMNS, measure
from sim.search.study import Cell

pytestmark = pytest.mark.search

ANOMALIES = COLUMNS[-3:]


def figures(mode: str, interval_ms: int, writes_per_s: int) -> dict[str, float]:
    """One setting's row by column."""
    row: tuple[Cell, ...] = measure(mode, interval_ms, writes_per_s)
    assert len(row) == len(COLUMNS)
    return {name: float(cell or 0) for name, cell in zip(COLUMNS[1:], row[1:], strict=True)}


def test_an_eventual_cache_always_hits_and_breaks_every_property() -> None:
    """More so the later it polls."""
    often, seldom = figures("eventual", 1_000, 10), figures("eventual", 10_000, 10)
    for row in (often, seldom):
        assert row["hit rate, %"] == 100
        assert min(row[name] for name in ANOMALIES) > 0
    assert seldom["staleness mean, ms"] > 5 * often["staleness mean, ms"]
    assert seldom["behind max, versions"] > often["behind max, versions"] > 1


def test_a_synchronized_cache_breaks_none_and_pays_with_reads_of_the_database() -> None:
    """The more, the later it polls and the more is written."""
    rates = []
    for interval_ms, writes_per_s in ((1_000, 1), (1_000, 10), (10_000, 10)):
        row = figures("synchronized", interval_ms, writes_per_s)
        assert [row[name] for name in ANOMALIES] == [0, 0, 0]
        assert row["hit rate, %"] + row["fell through, %"] == pytest.approx(100)
        rates.append(row["hit rate, %"])
    assert rates[0] > rates[1] > rates[2] > 0


def test_the_study_repeats_and_is_drawn_from_its_own_columns() -> None:
    """Equal figures for equal settings; charts name columns that exist."""
    assert measure("synchronized", 1_000, 1) == measure("synchronized", 1_000, 1)
    study = study_at(studies()["hive-cache"])
    for chart in study.charts:
        assert {chart.x, *chart.panels, chart.series} <= set(COLUMNS)
    assert study.steps == 18
