"""What the study of early detection measures: detections, and who writes what, and when.

* early, late: A writes some files, B begins later and writes as many, all, half or none of them the same. B writes the
  files that it shares last, A writes them first. A is not refused, for it is first.
* drawn: the same where a seed gives which files they share, how many, whether B comes to these last or first, and how
  far A is when B begins; both try again.
* 10 MB beside 100 GB: the document's example. B has 100 GB to write; while it is at it A begins, and changes one file
  group that B changes as well: which one, and when, a seed gives. Both try again.

Source: RFC-56, "Background" (its example) and "Test Plan".

Choices: what 100 GB are written to are files of 1 GB, a hundred of them, at the same rate as the others' files.
"""

from __future__ import annotations

from dataclasses import dataclass

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
from sim.search.strategies import RandomWalk
from sim.world.scenario import Scenario

FILES, WORK_MS, FILE_MB = 50, 400, 100
BETWEEN_MS, TRIES = (5_000, 15_000), 40
STARTS = (("early", (1_000, 3_000)), ("late", (20_000, 24_000)))
STEP_MS = 10
"""What is drawn for a seed: the wait before another try, and B's start after A's; from, to, and in which steps."""
OVERLAPS = (100, 50, 0)
DRAWN, EXAMPLE = "drawn", "10 MB beside 100 GB"
ANY_MS = (10, 25_000)
"""When B begins after A where it is drawn: while A is at work."""
LARGE_FILES, LARGE_MB, SMALL_MB = 100, 1_000, 10
LARGE_MS, SMALL_MS = WORK_MS * LARGE_MB // FILE_MB, WORK_MS * SMALL_MB // FILE_MB
BESIDE_MS = (5_000, 400_000)
"""When A begins after B in the document's example: while B is at work."""
DETECTIONS: tuple[tuple[str, Options, Rules, int], ...] = (
    ("off", OPTIMISTIC, SHIPPED, 1),
    ("direct", DIRECT, SHIPPED, 1),
    ("direct, check commit", DIRECT_AND_COMMITS, SHIPPED, 1),
    ("transactional, as the document", TRANSACTIONAL, AS_DOCUMENT, 1),
    ("transactional", TRANSACTIONAL, SHIPPED, 1),
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


def latency(choices: Choices, operation: str) -> tuple[int, int]:
    """What a call takes before and after it is applied."""
    least, most = LATENCY_MS[operation]
    whole = least + choices.choose(f"latency:{operation}", most - least + 1)
    return whole // 2, whole - whole // 2


@dataclass(frozen=True, slots=True)
class Setting:
    """A detection in a case. `start`: which; `after_ms`: between which times B begins after A, in the document's
    example A after B; `overlap` is how many percent of its files A writes, too, None where a seed gives it."""

    start: str
    after_ms: tuple[int, int]
    overlap: int | None
    detection: str
    options: Options
    rules: Rules
    tasks: int

    @property
    def case(self) -> str:
        """When B begins, and what it shares."""
        return self.start if self.overlap is None else f"{self.start}, {self.overlap} % shared"

    @property
    def file_mb(self) -> dict[str, int]:
        """How large the files of each writer are."""
        if self.start == EXAMPLE:
            return {"A": SMALL_MB, "B": LARGE_MB}
        return {"A": FILE_MB, "B": FILE_MB}


def settings() -> tuple[Setting, ...]:
    """All that is measured: files are written side by side only where B is early, for else A has ended; and in the
    document's example one after the other."""
    fixed = tuple(
        Setting(start, after_ms, overlap, *detection)
        for start, after_ms in STARTS
        for overlap in OVERLAPS
        for detection in DETECTIONS
        if detection[-1] == 1 or start == "early"
    )
    drawn = tuple(
        Setting(case, after_ms, None, *detection)
        for case, after_ms in ((DRAWN, ANY_MS), (EXAMPLE, BESIDE_MS))
        for detection in DETECTIONS
        if detection[-1] == 1
    )
    return (*fixed, *drawn)


def drawn_ms(seed: int, name: str, bounds: tuple[int, int]) -> int:
    """What a seed gives for a time of this name, in steps of `STEP_MS`."""
    least, most = bounds
    return least + STEP_MS * drawn_number(seed, name, (most - least) // STEP_MS + 1)


def drawn_number(seed: int, name: str, below: int) -> int:
    """What a seed gives for a number of this name, from 0 on."""
    return Choices(RandomWalk(seed)).choose(name, below)


Race = tuple[Upsert, Upsert, int]
"""A's write, B's, and how many file groups there are."""


def scenario(setting: Setting, seed: int) -> Scenario:
    """The race of A and B, with the times that the seed gives."""
    make = {DRAWN: _drawn, EXAMPLE: _example}.get(setting.start, _fixed)
    after_ms = drawn_ms(2 * seed, "start", setting.after_ms)
    between_ms = drawn_ms(2 * seed + 1, "wait", BETWEEN_MS)
    a, b, groups = make(setting, seed, after_ms, between_ms)
    workload = HudiWorkload(
        (("A", (a,)), ("B", (b,))),
        groups=tuple((f"fg{key:03d}", ((key, f"v{key}"),)) for key in range(1, groups + 1)),
        options=setting.options,
    )
    properties = ("sound-early-aborts",)
    return Scenario(
        "study/hudi-early-detection", hudi_race(workload, setting.rules, properties), properties, latency=latency
    )


def _fixed(setting: Setting, seed: int, after_ms: int, between_ms: int) -> Race:
    """B shares the last of its files with A, which writes them first."""
    shared = FILES * (setting.overlap or 0) // 100
    keys_a = range(FILES + 1, 2 * FILES + 1)
    keys_b = range(shared + 1, shared + FILES + 1)
    a = Upsert(_rows("A", keys_a), WORK_MS, tasks=setting.tasks)
    return a, Upsert(_rows("B", keys_b), WORK_MS, 1, after_ms, TRIES, between_ms, setting.tasks), 2 * FILES


def _drawn(setting: Setting, seed: int, after_ms: int, between_ms: int) -> Race:
    """B's files lie before A's, within them or behind them."""
    first = 1 + drawn_number(4 * seed, "place", 2 * FILES + 1)
    other_ms = drawn_ms(4 * seed + 1, "wait of A", BETWEEN_MS)
    a = Upsert(_rows("A", range(FILES + 1, 2 * FILES + 1)), WORK_MS, 1, 0, TRIES, other_ms)
    b = Upsert(_rows("B", range(first, first + FILES)), WORK_MS, 1, after_ms, TRIES, between_ms)
    return a, b, 3 * FILES


def _example(setting: Setting, seed: int, after_ms: int, between_ms: int) -> Race:
    """A's one file group is one of B's."""
    key = 1 + drawn_number(4 * seed, "file group", LARGE_FILES)
    other_ms = drawn_ms(4 * seed + 1, "wait of A", BETWEEN_MS)
    a = Upsert(_rows("A", range(key, key + 1)), SMALL_MS, 1, after_ms, TRIES, other_ms)
    b = Upsert(_rows("B", range(1, LARGE_FILES + 1)), LARGE_MS, 1, 0, TRIES, between_ms)
    return a, b, LARGE_FILES


def _rows(actor: str, keys: range) -> tuple[tuple[int, str], ...]:
    return tuple((key, f"{actor}{key}") for key in keys)
