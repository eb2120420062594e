"""Study: RFC-56's test plan, "two concurrent writers; case 1 enabled, case 2 disabled; compare the execution time".

A rewrites files of one table. B begins later and rewrites as many, all, half or none of them the same. Detection is
off, direct, direct with check commit conflict, transactional as in the document, direct and repaired ("dead at once": a
loser's heartbeat file is deleted, markers are deleted under the lock, a slice that is not older is refused),
asynchronous as shipped, as in the document and with a pass each second, direct or asynchronous with the Bloom files of
the document, or direct where a writer writes all of its files side by side. Everything is the model's own code in
simulated time; what a call takes and how long a file is computed is stated. B's owner tries again when B is refused,
until it commits or has tried often enough.

When B begins, and how long its owner waits before it tries again, are drawn for each seed: with fixed ones it is an
accident whether a try falls into A's last second or just after it, and one such accident is no result.

Source: RFC-56, "Test Plan"; hudi/3; `real_backend.hudi.study` measures the same on a live table.

Choices: latencies are drawn from a range for each kind of call, by seed; rows are means over the seeds, and how the
seconds to B's commit are spread. A file is written by one `create`, whose time is that of any other; what takes long is
the computation before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from checkers.histories.history import Event
from model.hudi import SHIPPED, Rules
from model.hudi.keys import DETECTOR_DELAY, DETECTOR_PERIOD
from model.hudi.variants import ABORT_IS_DEATH, AS_DOCUMENT
from sim.hudi.build import (
    ASYNC,
    ASYNC_AND_COMMITS,
    BLOOM,
    BLOOM_ASYNC,
    DIRECT,
    DIRECT_AND_COMMITS,
    OPTIMISTIC,
    TRANSACTIONAL,
)
from sim.hudi.race import hudi_race
from sim.hudi.statements import Upsert
from sim.hudi.workload import HudiWorkload, Options
from sim.kernel.choices import Choices
from sim.search.run import Run, Runner
from sim.search.strategies import RandomWalk
from sim.search.study import SEEDS, Cell, Chart, Progress, Study, Table, estimate, over_seeds
from sim.world.scenario import Scenario

FILES, WORK_MS, FILE_MB = 50, 400, 100
BETWEEN_MS, TRIES = (5_000, 15_000), 40
STARTS = (("early", (1_000, 3_000)), ("late", (20_000, 24_000)))
STEP_MS = 10
"""What is drawn for a seed: the wait before another try, and B's start after A's; from, to, and in which steps."""
OVERLAPS = (100, 50, 0)
DETECTIONS: tuple[tuple[str, Options, Rules, int], ...] = (
    ("off", OPTIMISTIC, SHIPPED, 1),
    ("direct", DIRECT, SHIPPED, 1),
    ("direct, check commit", DIRECT_AND_COMMITS, SHIPPED, 1),
    ("transactional", TRANSACTIONAL, AS_DOCUMENT, 1),
    ("direct, dead at once", DIRECT, ABORT_IS_DEATH, 1),
    ("asynchronous", ASYNC, SHIPPED, 1),
    ("asynchronous, as the document", (*ASYNC_AND_COMMITS, (DETECTOR_DELAY, "30000")), AS_DOCUMENT, 1),
    ("asynchronous, each second", (*ASYNC, (DETECTOR_PERIOD, "1000")), SHIPPED, 1),
    ("Bloom", BLOOM, AS_DOCUMENT, 1),
    ("Bloom, asynchronous", BLOOM_ASYNC, AS_DOCUMENT, 1),
    ("direct, all at once", DIRECT, SHIPPED, FILES),
)
LATENCY_MS = {
    "list": (20, 40), "read": (15, 30), "create": (20, 60), "write": (20, 60), "delete": (20, 60), "exists": (5, 15),
    "mtime": (5, 15), "rename": (10, 30), "try_lock": (2, 6), "unlock": (2, 6), "overwrite": (10, 30),
    "close": (10, 30),
}  # fmt: skip
"""Per call and direction pair: the least, and the most, milliseconds of the whole round trip."""

STORAGE_CALLS = frozenset(LATENCY_MS) - {"try_lock", "unlock"}
COLUMNS = (
    "case", "detection", "refusals of B", "seconds to B's first answer", "seconds to B's commit", "least", "median",
    "most", "seeds without a commit", "files thrown away", "seconds from conflict to refusal", "false alarms",
    "storage calls of B's first try", "seconds of A",
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
    calls: int
    other: float


@dataclass(frozen=True, slots=True)
class Setting:
    """B begins between `after_ms`; `overlap` is how many percent of its files A writes, too."""

    start: str
    after_ms: tuple[int, int]
    overlap: int
    detection: str
    options: Options
    rules: Rules
    tasks: int

    @property
    def case(self) -> str:
        """When B begins, and what it shares."""
        return f"{self.start}, {self.overlap} % shared"


def settings() -> tuple[Setting, ...]:
    """All that is measured: not where files are written side by side and B is late, for then A has ended."""
    return tuple(
        Setting(start, after_ms, overlap, *detection)
        for start, after_ms in STARTS
        for overlap in OVERLAPS
        for detection in DETECTIONS
        if detection[-1] == 1 or start == "early"
    )


def drawn_ms(seed: int, name: str, bounds: tuple[int, int]) -> int:
    """What a seed gives for a time of this name, in steps of `STEP_MS`."""
    least, most = bounds
    return least + STEP_MS * Choices(RandomWalk(seed)).choose(name, (most - least) // STEP_MS + 1)


def scenario(setting: Setting, seed: int) -> Scenario:
    """The race of A and B, with the times that the seed gives."""
    overlap, tasks = setting.overlap, setting.tasks
    after_ms = drawn_ms(2 * seed, "start", setting.after_ms)
    between_ms = drawn_ms(2 * seed + 1, "wait", BETWEEN_MS)
    shared = FILES * overlap // 100
    keys_a = range(FILES + 1, 2 * FILES + 1)
    keys_b = range(shared + 1, shared + FILES + 1)  # its own files first, then the shared ones
    workload = HudiWorkload(
        (
            ("A", (Upsert(tuple((key, f"A{key}") for key in keys_a), WORK_MS, tasks=tasks),)),
            ("B", (Upsert(tuple((key, f"B{key}") for key in keys_b), WORK_MS, 1, after_ms, TRIES, between_ms, tasks),)),
        ),
        groups=tuple((f"fg{key:03d}", ((key, f"v{key}"),)) for key in range(1, 2 * FILES + 1)),
        options=setting.options,
    )
    properties = ("sound-early-aborts",)
    return Scenario(
        "study/hudi-early-detection", hudi_race(workload, setting.rules, properties), properties, latency=latency
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
        _calls(run, *tries[0]),
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
    marked = marked or next((row[0] for row in run.trace if row[1].startswith("A-") and row[2] == "close"), None)
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


def _calls(run: Run, begun: Event, done: Event) -> int:
    """What B, its timeline server among it, asked of the storage in a try; its heartbeats are not counted."""
    rows = [row for row in run.trace if begun.time_ms <= row[0] <= done.time_ms and row[2] in STORAGE_CALLS]
    return sum(row[1] == "B" or (row[1].startswith("B-") and row[1] != "B-heartbeat") for row in rows)


def row_of(setting: Setting, seeds: Iterable[int]) -> tuple[Cell, ...]:
    """One row of the table: a run for each seed."""
    figures = [measure(Runner(scenario(setting, seed), max_steps=200_000).run(RandomWalk(seed))) for seed in seeds]
    commits = [one.commit for one in figures]
    never = commits.count(None)
    return (
        setting.case, setting.detection,
        estimate(f.refusals for f in figures), estimate(f.first_answer for f in figures),
        None if never else estimate(commits), *_spread(commits), never, estimate(f.files for f in figures),
        estimate(f.to_refusal for f in figures), estimate(f.false_alarms for f in figures),
        estimate(f.calls for f in figures), estimate(f.other for f in figures),
    )  # fmt: skip


def _spread(commits: list[float | None]) -> tuple[float | None, ...]:
    """The least, the median and the most; a seed without a commit is later than all others, and has no figure."""
    ordered = sorted(float("inf") if commit is None else commit for commit in commits)
    return tuple(
        None if each == float("inf") else round(each, 1) for each in (ordered[0], median(ordered), ordered[-1])
    )


def table_of(plan: Iterable[Setting], seeds: Iterable[int], progress: Progress | None = None) -> Table:
    """Measure the settings with the seeds."""
    rows, chosen = [], tuple(seeds)
    for setting in plan:
        rows.append(row_of(setting, chosen))
        if progress is not None:
            progress(1)
    return Table("RFC-56 test plan, two writers", COLUMNS, tuple(rows), _notes(len(chosen)))


def run(progress: Progress | None = None, seeds: int = SEEDS) -> Table:
    """All settings, each over this many seeds."""
    return table_of(settings(), range(seeds), progress)


def _notes(seeds: int) -> tuple[str, ...]:
    calls = ", ".join(f"{name} {least}-{most}" for name, (least, most) in LATENCY_MS.items())
    begins = " or ".join(f"{least / 1000:g} to {most / 1000:g} s ({start})" for start, (least, most) in STARTS)
    wait = f"{BETWEEN_MS[0] / 1000:g} to {BETWEEN_MS[1] / 1000:g} s"
    return (
        f"{FILES} files of {FILE_MB} MB a writer, {WORK_MS} ms of computation a file.",
        f"{over_seeds(seeds)}; least, median and most are of the seconds to B's commit. "
        "Where a seed has no commit there is no mean, and it counts as later than all others.",
        f"Round trips in ms: {calls}.",
        "For each other instant that has markers Hudi asks the storage about twice as often as it is asked here: what "
        "detection costs is a lower bound.",
        f"B begins {begins} after A; refused, its owner waits {wait} (both drawn for each seed) and tries again, "
        f"{TRIES} times at most: then there is no commit.",
        "B writes the files that it shares with A last, A writes them first; all at once: files side by side. "
        "Then A ends within 10 s, so that a late B would meet nobody: this is not measured.",
        "Transactional: as in the document, not as shipped. Dead at once: repaired (a loser's heartbeat file is "
        "deleted, markers are deleted under the lock, a slice that is not older is refused).",
        "Asynchronous: markers of the timeline server, a batch each 50 ms; its checker comes at once and each 30 s; as "
        "the document: after 30 s and each 30 s, with check of commits. What a pass has found refuses the next marker.",
        "Bloom, direct and asynchronous: as in the document, for Hudi never shipped it; a Bloom file is written after "
        "its marker, and of 1,000 names at a rate of 0.01.",
        "Heartbeats every 60 s, 2 misses. A false alarm is a refusal by an instant whose writer has given up.",
    )


STUDY = Study(
    name="hudi-early-detection",
    summary="What early conflict detection saves and costs: RFC-56's test plan in simulated time.",
    steps=len(settings()),
    run=run,
    charts=(Chart(x="case", panels=("files thrown away", "seconds to B's commit"), series="detection", bars=True),),
    over_seeds=run,
)
