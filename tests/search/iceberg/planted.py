"""Planted defects: what it takes the generator to find each mutant and each known finding, without its own scenario.

    python -m tests.search.iceberg.planted           the whole table, with median and 95th percentile
    python -m tests.search.iceberg.planted no-retry  the rows of these names

Pinned is the configuration, if any: no statement, no fault, no schedule. A mutant is found when a scenario fails in a
way in which it does not fail under the rules that the mutant damages, in a sweep of the same plan. A known finding is
found when a failure of the shipped rules is explained by it. Each row is looked for with three sources of draws.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from statistics import median, quantiles
from typing import NamedTuple

from lakeproof.protocols import known_properties
from model.iceberg.rules import IDEMPOTENT
from sim.generation.causes import cause_of
from sim.generation.draws import seeded
from sim.generation.sweep import Plan, Swept, sweep
from sim.iceberg.generate import GENERATOR
from sim.iceberg.known import KNOWN
from sim.world.scenario import Scenario
from tests.mutants.iceberg import BY_NAME

PLAN = Plan(first=16, most=64)
"""Many scenarios, each for a short time."""
SOURCES = range(3)
JAVA, HIVE, NO_LOCK = "Java API", "Hive catalog", "Hive catalog without lock"
MERGING, COPYING = "merge-on-read, snapshot", "copy-on-write, snapshot"
WHERE: Mapping[str, str] = {
    "no-added-data-files-check": "merge-on-read",
    "no-data-files-exist-check": JAVA,
    "data-files-exist-ignores-deletes": MERGING,
    "no-deleted-data-files-check": JAVA,
    "no-new-delete-files-check": MERGING,
    "no-new-deletes-for-data-files-check": JAVA,
    "no-missing-paths-check": COPYING,
    "no-partial-match-check": "default",
    "start-taken-too-late": "merge-on-read",
    "validates-first-attempt-only": "merge-on-read",
    "first-result-recommitted": JAVA,
    "new-manifest-per-attempt": JAVA,
    "new-id-per-attempt": "default",
    "no-self-recognition": "default",
    "no-cleanup-after-failure": MERGING,
    "cleanup-not-strict": "default",
    "cleans-after-unknown": JAVA,
    "keeps-unused-manifests": JAVA,
    "keeps-unused-manifest-lists": JAVA,
    "cleans-against-last-attempt": "default",
    "cleans-without-snapshot": JAVA,
    "cleanup-error-is-failure": "default",
    "abort-deletes-always": "default",
    "server-errors-are-failures": "default",
    "gateway-errors-resent": "default",
    "idempotency-key-unused": "default",
    "location-not-compared": HIVE,
    "no-expected-location": NO_LOCK,
    "no-heartbeat": HIVE,
    "no-status-check": HIVE,
    "status-check-says-failure": HIVE,
    "no-strict-status-check": NO_LOCK,
    "keeps-json-after-failure": HIVE,
    "lock-not-checked-before-alter": HIVE,
    "lock-not-checked-after-alter": HIVE,
    "J07-lost-lock-is-failure": HIVE,
    "no-retry": "default",
    "retries-unknown": "default",
    "one-manifest-list-name": "default",
}
"""The configuration of each mutant."""
OUT_OF_REACH: Mapping[str, str] = {
    "duplicate-ids-allowed": "a snapshot id that is drawn twice",
    "stale-sequence-allowed": "a commit with an old sequence number, which the register refuses first",
    "no-history-check": "a statement that expires snapshots",
    "no-ancestor-check": "a statement that rolls back",
    "no-referenced-file-check": "a commit that removes a data file and adds deletes for it",
    "rewrite-of-nothing-allowed": "a compaction",
    "rewrite-to-more-records-allowed": "a compaction",
    "last-filter-only": "a commit with two row filters",
    "no-resend": "a property that says how long a commit may take: waiting loses nothing",
    "no-reconcile": "the same: an outcome that stays unknown is no harm",
    "never-unlocks": "the same: the lock ends with its lease",
}
"""Mutants that no generated race can show, and what would have to be drawn for it."""
FINDINGS: Mapping[str, str] = {
    "iceberg/delete-update-snapshot": MERGING,
    "iceberg/update-reply-faults": "default",
    "iceberg/insert-insert-misreported": "default",
    "iceberg/hive-lock-pause": HIVE,
    "iceberg/replace-replace-old-delete": JAVA,
    "pyiceberg/append-resent": "PyIceberg, no retries",
}
"""The configuration of each known finding."""
UNMET: Mapping[str, str] = {
    "iceberg/overwrite-overwrite": "it is drawn, and nothing is promised: an engine that asks for no validation",
    "hive/iceberg-shipped-lock-two": "replicas of the metastore with caches",
}
"""Findings that no generated race is about, and why."""


class Found(NamedTuple):
    """How a planted defect was found: after how many scenarios and schedules, in what CPU time, and as what."""

    scenarios: int
    schedules: int
    cpu_s: float
    failure: str


def alive(name: str) -> AbstractContextManager[None]:
    """The mutant of this name while the block lasts; nothing for a known finding."""
    return BY_NAME[name].alive() if name in BY_NAME else nullcontext()


def search(name: str, source: int, *, most: int = 100_000) -> Found | None:
    """Look for a planted defect until it is found, or `most` schedules have been run."""
    known_properties()
    mutant = BY_NAME.get(name)
    settings = GENERATOR.configurations[WHERE[name] if mutant else FINDINGS[name]]
    rules = "idempotent" if mutant is not None and mutant.base is IDEMPOTENT else None
    begun, schedules = time.process_time(), 0
    for number in count():
        scenario = GENERATOR.make(seeded(source * 1_000_000 + number), settings, rules)
        with alive(name):
            swept = sweep(scenario, PLAN)
        shown = _shown(name, scenario, swept)
        if shown:
            schedules += swept.found_at[shown]
            return Found(number + 1, schedules, time.process_time() - begun, shown)
        schedules += swept.schedules
        if schedules >= most:
            return None
    return None


def _shown(name: str, scenario: Scenario, swept: Swept) -> str | None:
    """The first failure that is this defect's."""
    if name in BY_NAME:
        usual = sweep(scenario, PLAN).failures if swept.failures else {}
        return next((key for key in swept.failures if key not in usual), None)
    known = next(one for one in KNOWN if one.scenario == name)
    return next((key for key, run in swept.failures.items() if known.explains(cause_of(run))), None)


def table(names: Sequence[str]) -> None:
    """Print a row for each planted defect, and what is not looked for."""
    cpu: list[float] = []
    _say("| planted defect | configuration | scenarios | schedules | CPU-s | shown as |")
    _say("| --- | --- | --- | --- | --- | --- |")
    for name in names:
        found = [search(name, source) for source in SOURCES]
        rows = [one for one in found if one is not None]
        cpu += [one.cpu_s for one in rows]
        _say(_row(name, rows, len(found) - len(rows)))
    if len(cpu) > 1:
        _say(f"\nCPU-seconds: median {median(cpu):.2f}, 95th percentile {quantiles(cpu, n=20)[-1]:.2f}")
    for name, missing in {**OUT_OF_REACH, **UNMET}.items():
        _say(f"not looked for: {name}: {missing}")


def _row(name: str, rows: Sequence[Found], missed: int) -> str:
    """Medians over the sources that found it."""
    where = {**WHERE, **FINDINGS}[name]
    if not rows:
        return f"| {name} | {where} | not found | | | |"
    scenarios = median([row.scenarios for row in rows])
    schedules = median([row.schedules for row in rows])
    note = f" (missed by {missed} of {missed + len(rows)} sources)" if missed else ""
    shown = ", ".join(sorted({row.failure for row in rows}))
    cpu_s = median([row.cpu_s for row in rows])
    return f"| {name}{note} | {where} | {scenarios:.0f} | {schedules:.0f} | {cpu_s:.2f} | {shown} |"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    table(sys.argv[1:] or [*WHERE, *FINDINGS])
