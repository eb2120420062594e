"""`lakeproof replay`: play a schedule in the simulator, and with `--live` on the real system."""

from pathlib import Path

import click

from checkers.history import History
from lakeproof.errors import AS_EXPECTED, UNKNOWN, VIOLATED, gravest
from lakeproof.inputs import read_schedule
from lakeproof.investigate import play_file
from lakeproof.live import live_systems
from lakeproof.outcome import replay_command, tell_live
from lakeproof.scenarios import blaming, find_named
from reports.build import judge_run
from reports.narrate import narrate
from reports.phrases import listed
from reports.record import Judged
from reports.text import judged_text, story_lines

CODES = {"valid": AS_EXPECTED, "invalid": VIOLATED, "unknown": UNKNOWN}


@click.command()
@click.argument("schedule", type=click.Path(path_type=Path))
@click.option("--live", is_flag=True, help="Play it on the live system, too, and compare.")
@click.option(
    "--scenario", "scenario_argument", metavar="FILE.py", help="Where the schedule's scenario is, if it is yours."
)
def replay(schedule: Path, live: bool, scenario_argument: str | None) -> int:
    """Play SCHEDULE, a text file that may be edited by hand, and judge what comes of it.

    Exits 0 if every property holds in this run, 1 if one is violated (or the live system does something else), 2 if it
    cannot be said or the live system is not there, 65 if a step is not on offer.
    """
    steps = read_schedule(schedule)
    found = find_named(steps.scenario, scenario_argument, f"schedule {schedule}")
    with blaming(found.file):
        run = play_file(found.scenario, steps, schedule)
    judged = judge_run(run, History(run.events))
    story = narrate(run)
    click.echo(f"{steps.scenario}: {_said(judged)} (simulated)")
    for line in story_lines(story):
        click.echo(line)
    for sentence in story.therefore:
        click.echo(f"  => {sentence}")
    click.echo(judged_text(judged), nl=False)
    codes = [CODES[judged.outcome]]
    if live:
        with live_systems() as systems:
            replayed = systems.replay(found.scenario, steps, run).live
        tell_live(replayed)
        click.echo(f"live: {_said(replayed.judged)}")
        codes += [CODES[replayed.judged.outcome], AS_EXPECTED if replayed.agrees else VIOLATED]
    code = gravest(codes)
    if code:
        click.echo(replay_command(schedule, found.file) + (" --live" if live else ""))
    return code


def _said(judged: Judged) -> str:
    if judged.outcome == "invalid":
        return f"VIOLATED: {listed(f'{finding.property} ({finding.shape})' for finding in judged.findings)}"
    return "every property holds in this run" if judged.outcome == "valid" else "unknown"
