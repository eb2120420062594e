"""Study: RFC-56's test plan, "two concurrent writers; case 1 enabled, case 2 disabled; compare the execution time".

A rewrites files of one table. B begins later and rewrites as many, all, half or none of them the same. Detection is
off, direct, direct with check commit conflict, transactional as in the document, direct and repaired ("dead at once":
a loser's heartbeat file is deleted, markers are deleted under the lock, a slice that is not older is refused), or
direct where a writer writes all of its files side by side. Everything is the model's own code in simulated time; what a
call takes and how long a file is computed is stated. B's owner tries again when B is refused, until it commits or has
tried often enough.

Source: RFC-56, "Test Plan"; hudi/3; `real_backend.hudi.study` measures the same on a live table.

Choices: latencies are drawn from a range for each kind of call, by seed; rows are means over the seeds. A file is
written by one `create`, whose time is that of any other; what takes long is the computation before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import mean

from checkers.histories.history import Event
from model.hudi import SHIPPED, Rules
from model.hudi.rules import ABORT_IS_DEATH, AS_DOCUMENT
from sim.hudi.build import DIRECT, DIRECT_AND_COMMITS, OPTIMISTIC, TRANSACTIONAL
from sim.hudi.race import hudi_race
from sim.hudi.workload import HudiWorkload, Options, Upsert
from sim.kernel.choices import Choices
from sim.search.run import Run, Runner
from sim.search.strategies import RandomWalk
from sim.search.study import Cell, Chart, Progress, Study, Table
from sim.world.scenario import Scenario

FILES, WORK_MS, FILE_MB = 50, 400, 100
BETWEEN_MS, TRIES = 10_000, 40
SEEDS = range(3)
STARTS = (("early", 2_000), ("late", 22_000))
OVERLAPS = (100, 50, 0)
DETECTIONS: tuple[tuple[str, Options, Rules, int], ...] = (
    ("off", OPTIMISTIC, SHIPPED, 1),
    ("direct", DIRECT, SHIPPED, 1),
    ("direct, check commit", DIRECT_AND_COMMITS, SHIPPED, 1),
    ("transactional", TRANSACTIONAL, AS_DOCUMENT, 1),
    ("direct, dead at once", DIRECT, ABORT_IS_DEATH, 1),
    ("direct, all at once", DIRECT, SHIPPED, FILES),
)
LATENCY_MS = {
    "list": (20, 40), "read": (15, 30), "create": (20, 60), "write": (20, 60), "delete": (20, 60), "exists": (5, 15),
    "mtime": (5, 15), "rename": (10, 30), "try_lock": (2, 6), "unlock": (2, 6),
}  # fmt: skip
"""Per call and direction pair: the least, and the most, milliseconds of the whole round trip."""

COLUMNS = (
    "case", "detection", "refusals of B", "seconds to B's first answer", "seconds to B's commit",
    "files thrown away", "MB thrown away", "seconds from conflict to refusal", "false alarms", "seconds of A",
)  # fmt: skip


def latency(choices: Choices, operation: str) -> tuple[int, int]:
    """What a call takes before and after it is applied."""
    least, most = LATENCY_MS[operation]
    whole = least + choices.choose(f"latency:{operation}", most - least + 1)
    return whole // 2, whole - whole // 2


_NAMED = re.compile(r"early conflict: .* by (\d+)")


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run came to; times in seconds, None where there is nothing to measure."""

    refusals: int
    first_answer: float
    commit: float | None
    files: int
    to_refusal: float | None
    false_alarms: int
    other: float


def scenario(after_ms: int, overlap: int, options: Options, rules: Rules, tasks: int = 1) -> Scenario:
    """The race of A and B, each with `tasks` files side by side."""
    shared = FILES * overlap // 100
    keys_a = range(FILES + 1, 2 * FILES + 1)
    keys_b = range(shared + 1, shared + FILES + 1)  # its own files first, then the shared ones
    workload = HudiWorkload(
        (
            ("A", (Upsert(tuple((key, f"A{key}") for key in keys_a), WORK_MS, tasks=tasks),)),
            ("B", (Upsert(tuple((key, f"B{key}") for key in keys_b), WORK_MS, 1, after_ms, TRIES, BETWEEN_MS, tasks),)),
        ),
        groups=tuple((f"fg{key:03d}", ((key, f"v{key}"),)) for key in range(1, 2 * FILES + 1)),
        options=options,
    )
    properties = ("sound-early-aborts",)
    return Scenario(
        "study/hudi-early-detection", hudi_race(workload, rules, properties), properties, latency=latency
    )  # fmt: skip


def measure(run: Run) -> Figures:
    """A run's figures, from its history and its trace."""
    tries = list(_writes(run.events, "B"))
    refused = [(begun, done) for begun, done in tries if done.type == "fail"]
    committed = [done.time_ms for _, done in tries if done.type == "ok"]
    thrown = sum(len(_files(run, "B", begun.time_ms, done.time_ms)) for begun, done in refused)
    begun_ms = tries[0][0].time_ms
    (a_begun, a_done), *_ = _writes(run.events, "A")
    return Figures(
        len(refused),
        (tries[0][1].time_ms - begun_ms) / 1000,
        (committed[0] - begun_ms) / 1000 if committed else None,
        thrown,
        _to_refusal(run, *refused[0]) if refused else None,
        _false_alarms(run, refused),
        (a_done.time_ms - a_begun.time_ms) / 1000,
    )


def _writes(events: Iterable[Event], actor: str) -> Iterator[tuple[Event, Event]]:
    begun = None
    for event in events:
        if event.process == actor and event.f == "upsert":
            if event.type == "invoke":
                begun = event
            elif begun is not None:
                yield begun, event


def _files(run: Run, actor: str, since_ms: int, until_ms: int) -> list[tuple[int, str]]:
    return [
        (row[0], row[3].split("/")[1].split("_")[0])
        for row in run.trace
        if row[1] == actor and row[2] == "create" and row[3].startswith("p1/") and since_ms <= row[0] <= until_ms
    ]


def _to_refusal(run: Run, begun: Event, done: Event) -> float | None:
    """From the moment when both had begun what they share, which is what A begins with, to B's refusal."""
    marked = next((row[0] for row in run.trace if row[1] == "A" and ".marker." in row[3]), None)
    return None if marked is None else (done.time_ms - max(marked, begun.time_ms)) / 1000


def _false_alarms(run: Run, refused: list[tuple[Event, Event]]) -> int:
    """Early refusals by an instant whose writer had given up before the try began."""
    begun_as = {event.op: event.arg for event in run.events if event.f == "instant" and event.type == "invoke"}
    given_up = {begun_as[e.op]: e.index for e in run.events if e.f == "instant" and e.type == "fail"}
    count = 0
    for begun, done in refused:
        named = _NAMED.search(done.error or "")
        if named is not None and given_up.get(named[1], begun.index) < begun.index:
            count += 1
    return count


def run(progress: Progress | None = None) -> Table:
    """All settings, each over all seeds."""
    rows: list[tuple[Cell, ...]] = []
    for start, after_ms in STARTS:
        for overlap in OVERLAPS:
            for detection, options, rules, tasks in DETECTIONS:
                runner = Runner(scenario(after_ms, overlap, options, rules, tasks), max_steps=200_000)
                figures = [measure(runner.run(RandomWalk(seed))) for seed in SEEDS]
                rows.append((f"{start}, {overlap} % shared", detection, *_means(figures)))
                if progress is not None:
                    progress(1)
    return Table("RFC-56 test plan, two writers", COLUMNS, tuple(rows), _notes())


def _means(figures: list[Figures]) -> tuple[Cell, ...]:
    def of(values: Iterable[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return round(mean(known), 1) if known else None

    files = of(f.files for f in figures)
    return (
        of(f.refusals for f in figures), of(f.first_answer for f in figures), of(f.commit for f in figures), files,
        None if files is None else round(files * FILE_MB), of(f.to_refusal for f in figures),
        of(f.false_alarms for f in figures), of(f.other for f in figures),
    )  # fmt: skip


def _notes() -> tuple[str, ...]:
    calls = ", ".join(f"{name} {least}-{most}" for name, (least, most) in LATENCY_MS.items())
    begins = " or ".join(f"{after_ms / 1000:g} s ({start})" for start, after_ms in STARTS)
    return (
        f"{FILES} files of {FILE_MB} MB a writer, {WORK_MS} ms of computation a file; means of {len(SEEDS)} seeds.",
        f"Round trips in ms: {calls}.",
        f"B begins {begins} after A; refused, its owner waits {BETWEEN_MS / 1000:g} s and tries again, "
        f"{TRIES} times at most: then there is no commit.",
        "B writes the files that it shares with A last, A writes them first; all at once: files side by side.",
        "Transactional: as in the document, not as shipped. Dead at once: repaired (a loser's heartbeat file is "
        "deleted, markers are deleted under the lock, a slice that is not older is refused).",
        "Heartbeats every 60 s, 2 misses. A false alarm is a refusal by an instant whose writer has given up.",
    )


STUDY = Study(
    name="hudi-early-detection",
    summary="What early conflict detection saves and costs: RFC-56's test plan in simulated time.",
    steps=len(STARTS) * len(OVERLAPS) * len(DETECTIONS),
    run=run,
    charts=(Chart(x="case", panels=("files thrown away", "seconds to B's commit"), series="detection", bars=True),),
)
