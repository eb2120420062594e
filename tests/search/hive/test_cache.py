"""The study of the metastore's cache: what the figures must show, whatever the latencies."""

from typing import Any

import pytest

from lakeproof.protocols import studies, study_at
from sim.hive.study_cache import (
    BACKWARDS,
    COLUMNS,
    FELL,
    INTERVAL,
    MISSED,
    OPEN,
    OWN,
    RATE,
    READ_TIME,
    REPLICAS,
    SERVICE,
    SKEW,
    STALE,
    TABLES,
    measure,
    settings,
    table_of,
)
from sim.hive.study_run import CACHES, Setting
from sim.search.study import SEEDS, Chart, Estimate

pytestmark = pytest.mark.search

SOME = range(4)


def figures(cache: str, interval_ms: int, writes_per_s: int, open_ms: int = 0, **further: Any) -> dict[str, Estimate]:
    """One setting's estimates by column, over a few seeds."""
    row = measure(Setting(cache, interval_ms, writes_per_s, open_ms, **further), SOME)
    assert len(row) == len(COLUMNS)
    return {name: cell for name, cell in zip(COLUMNS, row, strict=True) if isinstance(cell, Estimate)}


def test_an_eventual_cache_always_hits_and_is_the_staler_the_later_it_polls() -> None:
    """It misses what its readers' lists have, and its writers' own changes."""
    often, seldom = figures("eventual", 1_000, 10), figures("eventual", 10_000, 10)
    for row in (often, seldom):
        assert row[FELL].mean == 0
        assert min(row[name].mean for name in (MISSED, OWN)) > 0
    assert seldom[STALE].low > 5 * often[STALE].high


def test_the_shipped_cache_is_not_the_eventual_one() -> None:
    """A replica that follows the log after its own changes is far less stale, and misses own writes half as often."""
    eventual, shipped = figures("eventual", 10_000, 10), figures("shipped 4.0", 10_000, 10)
    assert shipped[STALE].high * 10 < eventual[STALE].low
    assert shipped[MISSED].high < eventual[MISSED].low
    assert shipped[OWN].high < eventual[OWN].low


def test_a_synchronized_cache_breaks_none_and_pays_with_reads_of_the_database() -> None:
    """The more, the later it polls and the more is written; at Hive's own interval of 60 s most reads fall through."""
    fell = []
    for interval_ms, writes_per_s in ((1_000, 1), (1_000, 10), (10_000, 10), (60_000, 1)):
        row = figures("synchronized", interval_ms, writes_per_s)
        assert [row[name].mean for name in (MISSED, BACKWARDS, OWN)] == [0, 0, 0]
        assert row[MISSED].high > 0  # none seen is not none
        fell.append(row[FELL])
    assert fell[0].high < fell[1].low
    assert fell[1].high < fell[2].low
    assert fell[3].low > 50


def test_reads_go_backwards_where_a_change_waits_for_its_commit() -> None:
    """Replicas poll at different times, and an eventual cache serves what is not committed."""
    assert figures("eventual", 1_000, 10, 500)[BACKWARDS].mean > 0


def test_every_axis_has_every_cache_and_no_setting_is_measured_twice() -> None:
    """Each chart's lines have all their points."""
    plan = settings()
    assert len(set(plan)) == len(plan)
    assert {one.interval_ms for one in plan} == {100, 1_000, 10_000, 60_000}
    assert {one.open_ms for one in plan} == {0, 100, 500}
    for cache in CACHES:
        assert sum(one.cache == cache for one in plan) == len(plan) // len(CACHES)
    assert SEEDS >= 20


def test_the_study_repeats_and_is_drawn_from_its_own_columns() -> None:
    """Equal figures for equal seeds; charts name columns that exist."""
    plan = (Setting("synchronized", 1_000, 1),)
    assert table_of(plan, SOME) == table_of(plan, SOME)
    assert table_of(plan, SOME).rows != table_of(plan, range(4, 8)).rows
    assert table_of(plan, SOME).notes[1].startswith(f"Means over {len(SOME)} seeds with intervals of 95 %")
    study = study_at(studies()["hive-cache"])
    for chart in study.charts:
        assert {chart.x, *chart.panels, chart.series, *dict(chart.where)} <= set(COLUMNS)
        assert {INTERVAL, RATE, OPEN, TABLES, SKEW, REPLICAS, SERVICE} >= {chart.x, *dict(chart.where)}
        values = {one for one in (_axes(setting) for setting in settings()) if _is_in(one, chart)}
        assert len({dict(one)[chart.x] for one in values}) > 1, chart.x
    assert study.steps == len(settings())


AXES = {
    "cache": "cache", INTERVAL: "interval_ms", RATE: "writes_per_s", OPEN: "open_ms", TABLES: "tables", SKEW: "skew",
    REPLICAS: "replicas", SERVICE: "service_ms",
}  # fmt: skip


def _axes(setting: Setting) -> tuple[tuple[str, object], ...]:
    return tuple([(column, getattr(setting, name)) for column, name in AXES.items()])


def _is_in(axes: tuple[tuple[str, object], ...], chart: Chart) -> bool:
    return all(dict(axes)[column] == value for column, value in chart.where)


def test_with_one_replica_the_shipped_cache_misses_nothing() -> None:
    """It follows the log after its own changes, and there is nobody else's; with four it misses more than with two."""
    one, two, four = (figures("shipped 4.0", 1_000, 10, replicas=count) for count in (1, 2, 4))
    assert [one[name].mean for name in (STALE, MISSED, BACKWARDS, OWN)] == [0, 0, 0, 0]
    assert two[MISSED].high < four[MISSED].low


def test_a_synchronized_cache_is_worth_more_the_more_tables_and_the_more_evenly_they_are_read() -> None:
    """What falls through is what has just been written: of one table nearly all, of 64 a tenth, of skewed ones more."""
    one, many = (figures("synchronized", 1_000, 10, tables=tables)[FELL] for tables in (1, 64))
    skewed = figures("synchronized", 1_000, 10, tables=64, skew="skewed")[FELL]
    assert many.high < skewed.low
    assert skewed.high < one.low


def test_who_reads_from_memory_does_not_wait_for_a_database_that_queues() -> None:
    """A read that falls through does: the longer, the longer the database takes for a call."""
    eventual = [figures("eventual", 1_000, 10, service_ms=service_ms)[READ_TIME].mean for service_ms in (0, 4)]
    assert eventual[0] == eventual[1]
    calm, busy = (figures("synchronized", 1_000, 10, service_ms=service_ms)[READ_TIME] for service_ms in (0, 4))
    assert calm.high < busy.low


def test_of_lists_of_one_history_the_two_comparisons_say_the_same() -> None:
    """Upstream's, which is lexicographic, and inclusion (hive/2.1): they differ where lists cannot be compared."""
    lexicographic, inclusion = (
        measure(Setting(cache, 1_000, 10), SOME)[1:] for cache in ("synchronized", "set inclusion")
    )
    assert lexicographic == inclusion
