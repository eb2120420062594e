"""What became of one scenario: searched, judged as stored, written to its run folder, told to a person."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from checkers.histories.history import History
from lakeproof import __version__
from lakeproof import folder as files
from lakeproof.errors import AS_EXPECTED, UNKNOWN, VIOLATED, Mismatch, UsageProblem, gravest, one_line
from lakeproof.folder import RunFolder, folder_for
from lakeproof.investigate import Investigation, Knobs, investigate
from lakeproof.protocols import renderer_of
from lakeproof.replay_line import replay_command
from lakeproof.scenarios import Found
from lakeproof.talk import progress
from real_backend.errors import BackendError
from reports.explanation.build import judge_run, record_of
from reports.pages.summary import ResultRow
from reports.pages.text import (
    FAILED_STRICT,
    LIVE_DIFFERS,
    STANDINGS,
    explanation,
    live_remarks,
    terminal_lines,
)
from reports.record import Live, Record, dump
from sim.kernel.schedule import Divergence, ScheduleError

if TYPE_CHECKING:
    from lakeproof.live import LiveSystems


@dataclass(frozen=True, slots=True)
class Outcome:
    """`searched` and `history` are behind the record; `live_problem` says why there is no live replay."""

    found: Found
    searched: Investigation
    history: History
    record: Record
    folder: RunFolder
    seconds: float
    live: Live | None = None
    live_problem: str = ""

    def exit_code(self, strict: bool = False) -> int:
        """The exit code. `strict`: every violation counts, also an expected one.

        A live replay that differs from the simulation makes it 1, one that could not be made at least 2.
        """
        if self.live is not None and not self.live.agrees:
            return VIOLATED
        code = VIOLATED if strict and self.record.verdict == "violated" else self.searched.code
        return gravest((code, UNKNOWN)) if self.live_problem else code

    def standing(self, strict: bool = False) -> str:
        """The outcome against what the scenario expects, in the words that the terminal and every table have for it."""
        if self.live is not None and not self.live.agrees:
            return LIVE_DIFFERS
        word = self.searched.result.nothing_found or STANDINGS[self.searched.code]
        if strict and self.searched.code == AS_EXPECTED and self.exit_code(strict) == VIOLATED:
            word = FAILED_STRICT
        return f"{word}, but not replayed live" if self.live_problem else word

    def row(self, strict: bool = False) -> ResultRow:
        """The outcome as a row of a table."""
        record, standing = self.record, self.standing(strict)
        return ResultRow(
            record.scenario, record.expect, record.verdict, self.exit_code(strict), standing, record.headline,
            record.search.schedules, self.seconds, record.command, explanation(record, self.live, standing),
        )  # fmt: skip


def carry_out(found: Found, knobs: Knobs, out: Path, *, systems: "LiveSystems | None" = None) -> Outcome:
    """Search a scenario, replay what is shown on the live `systems` if given, and store what was found.

    Raises: `CommandError`s. A live system that cannot be had is part of the outcome.
    """
    outcome = simulate(found, knobs, out, f"simulating {found.scenario.name}")
    if systems is None:
        return outcome
    return with_live(outcome, systems, f"replaying {found.scenario.name}")


def simulate(found: Found, knobs: Knobs, out: Path, title: str) -> Outcome:
    """Search a scenario under a progress bar, and store what was found."""
    with folder_for(out, found.scenario.name) as folder:
        begun = time.monotonic()
        with progress(title) as advance:
            searched = investigate(found.scenario, knobs, file=found.file, progress=advance)
        seconds = time.monotonic() - begun
        try:
            return store(found, searched, folder, seconds)
        except OSError:  # the disk is full: what was found must not be lost with it
            result = searched.result
            click.echo(f"{found.scenario.name}: {result.verdict.upper()} ({result.bounds}), shown by this schedule:")
            click.echo(str(searched.schedule))
            raise


def store(found: Found, searched: Investigation, folder: RunFolder, seconds: float) -> Outcome:
    """Fill a run folder: first the history, then its verdict as judged from the file."""
    from reports.pages.html import pictures  # templates are for commands that make pages

    history = folder.write_history(History(searched.run.events))
    folder.write(files.SCHEDULE, str(searched.schedule))
    record = _record(searched, found, folder, history)
    folder.write(files.RECORD, dump(record))
    folder.write(files.VERDICT, dump(record.judged))
    for number, text in enumerate(pictures(record, history), 1):
        folder.write(f"cycle-{number}.svg", text)
    return Outcome(found, searched, history, record, folder, seconds)


def with_live(outcome: Outcome, systems: "LiveSystems", title: str) -> Outcome:
    """The outcome with the live replay, or with the reason why there is none."""
    searched = outcome.searched
    try:
        with progress(title):
            replayed = systems.replay(searched.scenario, searched.schedule, searched.run)
    except (BackendError, UsageProblem, Divergence, ScheduleError) as error:
        return replace(outcome, live_problem=one_line(error))
    outcome.folder.write(files.LIVE, dump(replayed.live))
    outcome.folder.write_history(replayed.history, files.LIVE_HISTORY, None)
    return replace(outcome, live=replayed.live)


def _record(searched: Investigation, found: Found, folder: RunFolder, history: History) -> Record:
    judged = judge_run(searched.run, history)
    if [finding.sentences for finding in judged.findings] != [v.sentences for v in searched.run.verdict().violations]:
        raise Mismatch(f"history {folder / files.HISTORY}: expected the verdict of the run, got another from the file")
    command = replay_command(folder / files.SCHEDULE, found.file)
    return record_of(
        searched.result, searched.shown, judged, renderer=renderer_of(searched.scenario), knobs=searched.shown_knobs,
        command=command, tool=__version__,
    )  # fmt: skip


def finish(outcome: Outcome, *, latest: bool = True) -> None:
    """The outputs for people, which need everything else, and the link `latest` (unless it is not wanted)."""
    from reports.pages.html import page

    folder, record, searched = outcome.folder, outcome.record, outcome.searched
    folder.write(files.EXPLANATION, explanation(record, outcome.live))
    folder.write(files.REPORT, page(record, outcome.history, outcome.live))
    folder.write_json(files.METRICS, {
        "ended_utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "search_seconds": round(outcome.seconds, 3),
        "schedules_per_second": round(record.search.schedules / max(outcome.seconds, 1e-9), 1),
        "port_calls_of_shown_run": len(searched.run.trace),
        "simulated_ms_of_shown_run": searched.run.time_ms,
        "shrink_executions": searched.shown.shrunk.executions if searched.shown.shrunk else 0,
    })  # fmt: skip
    if latest:
        folder.point_latest()


def render(outcome: Outcome, *, brief: bool = False, strict: bool = False) -> None:
    """Print the outcome; the commands that replay failures come last, from whoever calls this."""
    lines = terminal_lines(outcome.record, outcome.standing(strict))
    if brief:
        click.echo("\n".join([*lines[:2], *_live_in_brief(outcome)]))
        return
    click.echo("\n".join(lines))
    if outcome.live is not None:
        tell_live(outcome.live)
    if outcome.live_problem:
        click.echo(f"\nNot replayed live: {outcome.live_problem}")


def tell_folder(outcome: Outcome) -> None:
    """Where everything is."""
    click.echo(f"\nrun folder: {outcome.folder.path}\nreport:     {outcome.folder / files.REPORT}")


def _live_in_brief(outcome: Outcome) -> list[str]:
    if outcome.live_problem:
        return [f"  not replayed live: {outcome.live_problem}"]
    if outcome.live is None:
        return []
    return [f"  live: {'agrees' if outcome.live.agrees else 'DIFFERS'} ({outcome.live.system})"]


def tell_live(live: Live) -> None:
    """Simulated beside live, line by line."""
    click.echo(f"\nThe same schedule live, on {live.system}:")
    for row in live.compared:
        if row.simulated == row.live:
            click.echo(f"  same     {row.what}: {row.live}")
        else:
            click.echo(
                f"  {'same' if row.agrees else 'DIFFERS':8} {row.what}: simulated {row.simulated}; live {row.live}"
            )
    for remark in live_remarks(live):
        click.echo(f"  {remark}")
