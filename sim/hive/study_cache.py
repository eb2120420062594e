"""What a metastore's cache saves and what it costs: eventual, shipped and synchronized caches, and set inclusion.

Two replicas with eight tables, or another number of either; `sim.hive.study_run` has what runs.

A read falls through if the database had to answer it. It is behind by the changes that were committed when it was
answered and are missing in the answer, and stale by the time since the first of them was committed. Anomalies: a read
that lacks a write which its own list calls committed; one that goes backwards for its session; one by a writer that
lacks the change which that writer has just committed.

Source: hive/2.2, hive/4.8; latencies are round numbers for one data centre; shares and ratios are what to look at.

Choices:
* One axis at a time: poll interval, write rate, how long a transaction stays open after its change, tables and how
  evenly they are read and written, replicas, and how long the database takes for a call.
* A seed's readers start after one poll interval and go on for one more, at least ten seconds, so that every age of a
  cache is met as often as it is in the long run; a run is short, and figures are over all seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sim.hive.study_run import CACHES, LEAST_MS, READS, Run, Setting
from sim.search.study import SEEDS, Cell, Chart, Progress, Study, Table, estimate, over_seeds, share

BASE = (1_000, 10)
"""The poll interval in ms, and the writes per second, where another axis is walked."""


def settings() -> tuple[Setting, ...]:
    """Every cache along each axis; what two axes share is measured once."""
    found = [Setting(cache, interval_ms, 1) for cache in CACHES for interval_ms in (100, 1_000, 10_000, 60_000)]
    found += [Setting(cache, 1_000, writes_per_s) for cache in CACHES for writes_per_s in (10, 50)]
    for cache in CACHES:
        found += [Setting(cache, *BASE, open_ms) for open_ms in (100, 500)]
        found += [Setting(cache, *BASE, tables=tables) for tables in (1, 64)]
        found += [Setting(cache, *BASE, tables=tables, skew="skewed") for tables in (8, 64)]
        found += [Setting(cache, *BASE, replicas=replicas) for replicas in (1, 4)]
        found += [Setting(cache, *BASE, service_ms=service_ms) for service_ms in (1, 2, 4)]
    return tuple(found)


def measure(setting: Setting, seeds: Iterable[int]) -> tuple[Cell, ...]:
    """One row of the study's table."""
    runs = [Run(setting, seed).run() for seed in seeds]
    reads, own = [run.reads for run in runs], [run.own_reads for run in runs]
    return (
        setting.cache, setting.interval_ms, setting.writes_per_s, setting.open_ms, setting.tables, setting.skew,
        setting.replicas, setting.service_ms, sum(reads),
        share([run.reads - run.hits for run in runs], reads),
        estimate(sum(run.stale_ms) / run.reads for run in runs),
        estimate(sorted(run.stale_ms)[run.reads * 99 // 100] for run in runs),
        estimate(sum(run.behind) / run.reads for run in runs),
        share([run.missed for run in runs], reads), share([run.backwards for run in runs], reads),
        share([run.own_missed for run in runs], own), estimate(run.read_ms / run.reads for run in runs),
    )  # fmt: skip


INTERVAL, RATE, OPEN = "poll interval, ms", "write rate, per s", "open after the change, ms"
FELL, STALE, MISSED = "fell through, % of reads", "staleness mean, ms", "write of its list missed, % of reads"
BACKWARDS, OWN = "backwards, % of reads", "own write missed, % of own reads"
TABLES, SKEW, REPLICAS = "tables", "reads and writes", "replicas"
SERVICE, READ_TIME = "database, ms a call", "a read takes, ms"
COLUMNS = (
    "cache", INTERVAL, RATE, OPEN, TABLES, SKEW, REPLICAS, SERVICE, "reads", FELL, STALE, "staleness p99, ms",
    "behind mean, versions", MISSED, BACKWARDS, OWN, READ_TIME,
)  # fmt: skip
PANELS = (FELL, STALE, MISSED, OWN)


def notes_of(seeds: int) -> tuple[str, ...]:
    """What was assumed, and measured over how many seeds."""
    intervals = " (Student's t over seeds; where none or all was seen, the rule of three over all reads)"
    return (
        "Four readers, every call to any replica; simulated time. A database that takes time for a call serves one "
        "after the other.",
        f"{over_seeds(seeds)}{intervals if seeds > 1 else ''}.",
        f"A seed has {READS} reads, after one poll interval and over one more, at least {LEAST_MS // 1_000} s: short "
        "runs of many seeds instead of one long one.",
        "Own reads are the writers', each right after the change that it should show; all other figures are the "
        "readers'.",
        "Shipped 4.0 follows the log after its own changes; its replays' writes to the database are left out, since "
        "they undo changes and no staleness could be told.",
        "A synchronized cache can be behind what is committed now, never behind its reader's snapshot. Set inclusion "
        "compares the same lists, and differs where one has what the other lacks.",
        "Before a read come four calls of its transaction, cache or not: of a read's own time they are no part.",
    )


def table_of(plan: Iterable[Setting], seeds: Iterable[int], progress: Progress | None = None) -> Table:
    """Measure the settings with the seeds."""
    rows, chosen = [], tuple(seeds)
    for setting in plan:
        rows.append(measure(setting, chosen))
        if progress is not None:
            progress(1)
    return Table("Staleness and anomalies of a metastore cache", COLUMNS, tuple(rows), notes_of(len(chosen)))


def _run(progress: Progress | None = None, seeds: int = SEEDS) -> Table:
    return table_of(settings(), range(seeds), progress)


def _along(axis: str, panels: tuple[str, ...], where: Mapping[str, Cell] = {}) -> Chart:
    """A chart of one axis, all others at their defaults but those named."""
    usual: dict[str, Cell] = {INTERVAL: BASE[0], RATE: 10, OPEN: 0, TABLES: 8, SKEW: "even", REPLICAS: 2, SERVICE: 0}
    fixed = {name: value for name, value in {**usual, **where}.items() if name != axis}
    return Chart(axis, panels, "cache", where=tuple(fixed.items()))


STUDY = Study(
    "hive-cache",
    "Reads that fall through, staleness and anomalies of a metastore's cache: eventual, shipped, synchronized by two "
    "rules.",
    len(settings()),
    _run,
    (
        _along(INTERVAL, PANELS, {RATE: 1}),
        _along(RATE, PANELS),
        _along(OPEN, (FELL, BACKWARDS, MISSED, OWN)),
        _along(TABLES, PANELS),
        _along(TABLES, PANELS, {SKEW: "skewed"}),
        _along(REPLICAS, (FELL, STALE, BACKWARDS, OWN)),
        _along(SERVICE, (FELL, STALE, MISSED, READ_TIME)),
    ),
    _run,
)
