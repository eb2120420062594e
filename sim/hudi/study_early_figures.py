"""What a run of the study of early detection came to: its refusals, times, files thrown away, and what it all cost.

Task seconds are the time of a writer's tries times its tasks; what its owner waits between tries costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from checkers.histories.history import Event
from model.hudi.keys import BLOOM, CHECK_COMMIT, EARLY_STRATEGY, MARKERS, SERVER_MARKERS
from sim.hudi.study_early_calls import as_hudi, as_hudi_served
from sim.hudi.study_early_settings import LATENCY_MS, Setting
from sim.search.run import Run

STORAGE_CALLS = frozenset(LATENCY_MS) - {"try_lock", "unlock"}
ACTORS = ("A", "B")
_NAMED = re.compile(r"early conflict: .* by (\d+)")


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run came to; times in seconds, None where there is nothing to measure."""

    refusals: int
    first_answer: float
    commit: float | None
    both: float | None
    files: int
    megabytes: int
    wasted: float
    cost: float
    to_refusal: float | None
    false_alarms: int
    calls: int
    as_hudi: int | None
    other: float


@dataclass(frozen=True, slots=True)
class Try:
    """One try of a writer, from its call to its answer."""

    actor: str
    begun: Event
    done: Event

    @property
    def seconds(self) -> float:
        """How long it took."""
        return (self.done.time_ms - self.begun.time_ms) / 1000

    @property
    def refused(self) -> bool:
        """Whether it was."""
        return self.done.type == "fail"


def measure(run: Run, setting: Setting) -> Figures:
    """A run's figures, from its history and its trace."""
    tries = [each for actor in ACTORS for each in _writes(run.events, actor)]
    of_a, of_b = ([each for each in tries if each.actor == actor] for actor in ACTORS)
    refused = [each for each in tries if each.refused]
    files = {actor: sum(_files(run, each) for each in refused if each.actor == actor) for actor in ACTORS}
    committed = {each.actor: each.done.time_ms for each in tries if each.done.type == "ok"}
    begun_ms = of_b[0].begun.time_ms
    since_ms = min(each.begun.time_ms for each in tries)
    refusals_of_b = [each for each in of_b if each.refused]
    return Figures(
        len(refused),
        of_b[0].seconds,
        (committed["B"] - begun_ms) / 1000 if "B" in committed else None,
        (max(committed.values()) - since_ms) / 1000 if len(committed) == len(ACTORS) else None,
        sum(files.values()),
        sum(files[actor] * setting.file_mb[actor] for actor in ACTORS),
        setting.tasks * sum(each.seconds for each in refused),
        setting.tasks * sum(each.seconds for each in tries),
        _to_refusal(run, refusals_of_b[0]) if refusals_of_b and setting.overlap is not None else None,
        _false_alarms(run, refused),
        _calls(run, of_b[0]),
        _as_hudi(run, tries, setting),
        of_a[0].seconds,
    )


def _writes(events: Iterable[Event], actor: str) -> list[Try]:
    tries, begun = [], None
    for event in events:
        if event.process == actor and event.f == "upsert":
            if event.type == "invoke":
                begun = event
            elif begun is not None:
                tries.append(Try(actor, begun, event))
    return tries


def _files(run: Run, one: Try) -> int:
    """How many data files it has written."""
    return sum(
        row[1] == one.actor and row[2] == "create" and row[3].startswith("p1/")
        and one.begun.time_ms <= row[0] <= one.done.time_ms
        for row in run.trace
    )  # fmt: skip


def _to_refusal(run: Run, one: Try) -> float | None:
    """From the moment when both had begun what they share, which is what A begins with, to B's refusal."""
    marked = next((row[0] for row in run.trace if row[1] == "A" and ".marker." in row[3]), None)
    marked = marked or next((row[0] for row in run.trace if row[1].startswith("A-") and row[2] == "close"), None)
    return None if marked is None else (one.done.time_ms - max(marked, one.begun.time_ms)) / 1000


def _false_alarms(run: Run, refused: Iterable[Try]) -> int:
    """Early refusals by an instant whose writer had given up before the try began."""
    begun_as = {event.op: event.arg for event in run.events if event.f == "instant" and event.type == "invoke"}
    given_up = {begun_as[e.op]: e.index for e in run.events if e.f == "instant" and e.type == "fail"}
    count = 0
    for each in refused:
        named = _NAMED.search(each.done.error or "")
        if named is not None and given_up.get(named[1], each.begun.index) < each.begun.index:
            count += 1
    return count


def _calls(run: Run, one: Try) -> int:
    """What B, its timeline server among it, asked of the storage in a try; its heartbeats are not counted."""
    since_ms, until_ms = one.begun.time_ms, one.done.time_ms
    rows = [row for row in run.trace if since_ms <= row[0] <= until_ms and row[2] in STORAGE_CALLS]
    return sum(row[1] == "B" or (row[1].startswith("B-") and row[1] != "B-heartbeat") for row in rows)


def _as_hudi(run: Run, tries: Iterable[Try], setting: Setting) -> int | None:
    """What Hudi would have asked of the storage in all tries; None where that was not counted."""
    options = dict(setting.options)
    if options.get(EARLY_STRATEGY) in BLOOM:
        return None
    counted = as_hudi_served if options.get(MARKERS) == SERVER_MARKERS else as_hudi
    return sum(
        counted(run, each.actor, each.begun.time_ms, each.done.time_ms, committed=not each.refused,
                commits=options.get(CHECK_COMMIT) == "true")
        for each in tries
    )  # fmt: skip
