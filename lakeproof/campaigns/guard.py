"""A campaign as a guard: what was found once is replayed first, what is new is kept as text that can be committed.

Choices: a failure is red at once until it is mended, or known. A file stays when that is done: it guards.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from checkers.histories.storage import placed
from lakeproof.campaigns.asked import Asked
from lakeproof.errors import BadInput, CommandError, UsageProblem
from lakeproof.inputs import read_schedule
from lakeproof.investigate import play_file
from lakeproof.protocols import generator_of, renderer_of
from lakeproof.replay_line import replay_command
from lakeproof.scenarios import find_named
from real_backend.pipeline.campaign import search
from real_backend.pipeline.schema import SmallestRow
from real_backend.pipeline.shrinking import shrink_causes
from real_backend.pipeline.waves import InProcess
from reports.explanation.explain import explain
from reports.pages.text import story_lines
from sim.generation.causes import cause_of
from sim.generation.sweep import sweep
from sim.kernel.schedule import ScheduleError, parse
from sim.search.run import Run
from sim.world.words import counted

SUFFIX = ".schedule"


def guarded_campaign(asked: Asked, kept: Path | None) -> int:
    """Replay what is kept in a folder, search in this process, and keep what is new.

    Returns: how many schedules were run.

    Raises: `AssertionError`, whose last line replays the failure; `UsageProblem` for a budget that cannot be.
    """
    for file in sorted(kept.glob(f"*{SUFFIX}")) if kept is not None else ():
        _replay(file)
    with TemporaryDirectory(prefix="lakeproof-") as place:
        path = Path(place) / "campaign"
        try:
            found = search(path, asked.plan, InProcess(), seconds=asked.seconds)
        except ValueError as error:
            raise UsageProblem(str(error)) from None
        if found.interrupted:
            raise KeyboardInterrupt
        causes = shrink_causes(path, InProcess())
    new = [one for one in causes if not one.known]
    if new:
        raise AssertionError("\n".join(_said(new, kept)))
    return found.schedules


def _said(new: list[SmallestRow], kept: Path | None) -> list[str]:
    """What is new, and how to replay it: the story of the first, the command last."""
    lines = [f"{counted(len(new), 'new cause')} of failures:"]
    lines += [f"  {one.protocol}: {one.property} ({one.anomaly}): {' and '.join(one.operations)}"
              f"{', ' if one.faults else ''}{' and '.join(one.faults)}" for one in new]  # fmt: skip
    first = new[0]
    if not first.schedule:
        return [*lines, first.error, f"scenario {first.scenario}"]
    run = play_file(find_named(first.scenario, None, "campaign").scenario, parse(first.schedule), Path(first.scenario))
    lines += ["", *_story(run)]
    if kept is None:
        return [*lines, "", "its schedule; with folder=... it is kept:", first.schedule.rstrip()]
    files = [_keep(one, kept) for one in new if one.schedule]
    return [*lines, "", *(replay_command(file, None) for file in reversed(files))]


def _story(run: Run) -> list[str]:
    sentences = [text for violation in run.verdict().violations[:1] for text in violation.sentences]
    therefore = explain(run, renderer_of(run.scenario)).therefore or sentences
    return [*story_lines(explain(run, renderer_of(run.scenario))), *(f"  => {text}" for text in therefore)]


def _keep(one: SmallestRow, kept: Path) -> Path:
    """Write the schedule of a failure, unless it is there already."""
    words = re.sub(r"[^a-z0-9]+", "-", f"{one.protocol}-{one.property}-{one.anomaly}".lower())
    file = kept / f"{words}-{blake2b(one.schedule.encode(), digest_size=4).hexdigest()}{SUFFIX}"
    kept.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        with placed(file) as part:
            part.write_text(one.schedule, encoding="utf-8")
    return file


def _replay(file: Path) -> None:
    """Play a failure that is kept; if the code has changed so that it cannot be followed, sweep its scenario.

    Raises: `AssertionError` if it fails still, or its scenario can be made no more.
    """
    try:
        steps = read_schedule(file)
        scenario = find_named(steps.scenario, None, f"schedule {file}").scenario
    except (CommandError, ScheduleError) as error:
        raise AssertionError(f"{error}\nwhat is kept can be made no more; remove {file}, and search anew") from None
    try:
        runs = [play_file(scenario, steps, file)]
    except BadInput:
        runs = list(sweep(scenario).failures.values())
    for run in runs:
        if run.failure is not None and not _is_known(run):
            raise AssertionError(
                "\n".join([f"fails still: {cause_of(run)}", *_story(run), "", replay_command(file, None)])
            )


def _is_known(run: Run) -> bool:
    generator = generator_of(run.scenario.name.partition("/")[0])
    return generator is not None and generator.known_of(run) != ""
