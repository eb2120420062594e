"""Study: RFC-56's test plan, "two concurrent writers; case 1 enabled, case 2 disabled; compare the execution time".

Two writers of one table, in the cases that `study_early_settings` names. Detection is off, direct, direct with check
commit conflict, transactional as in the document and as shipped, direct and repaired ("dead at once": a loser's
heartbeat file is deleted, markers are deleted under the lock, a slice that is not older is refused), asynchronous as
shipped, as in the document and with a pass each second, direct or asynchronous with the Bloom files of the document, or
direct where a writer writes all of its files side by side. Everything is the model's own code in simulated time; what a
call takes and how long a file is computed is stated. The owner of who is refused tries again, until it commits or has
tried often enough.

When B begins, and how long its owner waits before it tries again, are drawn for each seed: with fixed ones it is an
accident whether a try falls into A's last second or just after it, and one such accident is no result.

Source: RFC-56, "Test Plan"; hudi/3; `real_backend.hudi.study` measures the same on a live table.

Choices: latencies are drawn from a range for each kind of call, by seed; rows are means over the seeds, and how the
seconds to both commits are spread. A file is written by one `create`, whose time is that of any other; what takes long
is the computation before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from sim.hudi.study_early_figures import Figures, measure
from sim.hudi.study_early_settings import (
    ANY_MS,
    BESIDE_MS,
    BETWEEN_MS,
    DRAWN,
    EXAMPLE,
    FILE_MB,
    FILES,
    LARGE_FILES,
    LARGE_MB,
    LATENCY_MS,
    SMALL_MB,
    STARTS,
    TRIES,
    WORK_MS,
    Setting,
    scenario,
    settings,
)
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from sim.search.study import SEEDS, Cell, Chart, Progress, Study, Table, estimate, middle, over_seeds

SPREAD = ("least", "lower quartile", "median", "upper quartile", "most")
COLUMNS = (
    "case", "detection", "refusals", "seconds to B's first answer", "seconds to B's commit",
    "seconds to both commits", *SPREAD, "seeds without both commits", "files thrown away", "MB thrown away",
    "task seconds thrown away", "task seconds of both", "seconds from conflict to refusal", "false alarms",
    "storage calls of B's first try", "storage calls of both, as Hudi makes them", "seconds of A",
)  # fmt: skip


def figures_of(setting: Setting, seeds: Iterable[int]) -> list[Figures]:
    """A run for each seed."""
    runs = [Runner(scenario(setting, seed), max_steps=200_000).run(RandomWalk(seed)) for seed in seeds]
    return [measure(run, setting) for run in runs]


def row_of(setting: Setting, seeds: Iterable[int]) -> tuple[Cell, ...]:
    """One row of the table."""
    figures = figures_of(setting, seeds)
    commits, both = [one.commit for one in figures], [one.both for one in figures]
    return (
        setting.case, setting.detection,
        estimate(f.refusals for f in figures), estimate(f.first_answer for f in figures),
        None if None in commits else estimate(commits), None if None in both else estimate(both), *_spread(both),
        both.count(None), estimate(f.files for f in figures), estimate(f.megabytes for f in figures),
        estimate(f.wasted for f in figures), estimate(f.cost for f in figures),
        estimate(f.to_refusal for f in figures), estimate(f.false_alarms for f in figures),
        estimate(f.calls for f in figures), estimate(f.as_hudi for f in figures), estimate(f.other for f in figures),
    )  # fmt: skip


def _spread(commits: list[float | None]) -> tuple[Cell, ...]:
    """The least, the quartiles and the most; a seed without a commit is later than all others, and has no figure."""
    never = float("inf")
    ordered = sorted(never if commit is None else commit for commit in commits)
    quarter = (len(ordered) - 1) // 4
    least, lower, upper, most = (
        None if each == never else round(each, 1)
        for each in (ordered[0], ordered[quarter], ordered[-1 - quarter], ordered[-1])
    )
    return least, lower, middle(ordered), upper, most


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


def _seconds(bounds: tuple[int, int]) -> str:
    return f"{bounds[0] / 1000:g} to {bounds[1] / 1000:g} s"


def _notes(seeds: int) -> tuple[str, ...]:
    calls = ", ".join(f"{name} {least}-{most}" for name, (least, most) in LATENCY_MS.items())
    begins = " or ".join(f"{_seconds(bounds)} ({start})" for start, bounds in STARTS)
    return (
        f"{FILES} files of {FILE_MB} MB a writer, {WORK_MS} ms of computation a file.",
        f"{over_seeds(seeds)}; least, quartiles, median and most are of the seconds to both commits, from the first "
        "call on, the median with an interval of 95 % that asks for no distribution. "
        "Where a seed has no commit there is no mean, and it counts as later than all others.",
        f"Round trips in ms: {calls}.",
        "What Hudi asks of the storage was counted on 1.2.0: more than is asked here, of which the times are. So what "
        "detection costs is a lower bound in seconds, and not in calls.",
        f"B begins {begins} after A; refused, its owner waits {_seconds(BETWEEN_MS)} (both drawn for each seed) and "
        f"tries again, {TRIES} times at most: then there is no commit.",
        "B writes the files that it shares with A last, A writes them first; all at once: files side by side. "
        "Then A ends within 10 s, so that a late B would meet nobody: this is not measured.",
        f"{DRAWN}: a seed gives which files the two share, none to all, whether B comes to them last or first, and "
        f"when B begins, {_seconds(ANY_MS)} after A; A tries again as well.",
        f"{EXAMPLE}: the document's example. B writes {LARGE_FILES} files of {LARGE_MB:,} MB, at the same rate; A "
        f"changes {SMALL_MB} MB of one file group, one of B's, and begins {_seconds(BESIDE_MS)} after B (file group "
        "and time drawn for each seed); A tries again as well.",
        "Task seconds: the time of all tries times their tasks; thrown away are those of tries that were refused.",
        "Transactional: as shipped, the lock is given back before the marker is made. Dead at once: repaired (a "
        "loser's heartbeat file is deleted, markers are deleted under the lock, a slice that is not older is refused).",
        "Asynchronous: markers of the timeline server, a batch each 50 ms; its checker comes at once and each 30 s; as "
        "the document: after 30 s and each 30 s, with check of commits. What a pass has found refuses the next marker.",
        "Bloom, direct and asynchronous: as in the document, for Hudi never shipped it; a Bloom file is written after "
        "its marker, and of 1,000 names at a rate of 0.01.",
        "Heartbeats every 60 s, 2 misses. A false alarm is a refusal by an instant whose writer has given up.",
    )


WASTE = ("MB thrown away", "task seconds thrown away", "task seconds of both")
STUDY = Study(
    name="hudi-early-detection",
    summary="What early conflict detection saves and costs: RFC-56's test plan in simulated time.",
    steps=len(settings()),
    run=run,
    charts=(
        Chart(x="case", panels=("files thrown away", "seconds to B's commit"), series="detection", bars=True),
        *(Chart(x="detection", panels=WASTE, bars=True, where=(("case", case),)) for case in (DRAWN, EXAMPLE)),
        *(
            Chart(x="detection", panels=("seconds to both commits",), boxes=SPREAD, where=(("case", case),))
            for case in (DRAWN, EXAMPLE)
        ),
    ),
    over_seeds=run,
)
