"""`lakeproof replay`: play a schedule in the simulator, and with `--live` on the real system."""

import difflib
from dataclasses import replace
from pathlib import Path

import click

from checkers.histories.history import History
from lakeproof.errors import AS_EXPECTED, UNKNOWN, VIOLATED, BadInput, UsageProblem, gravest
from lakeproof.failures import render
from lakeproof.inputs import read_schedule
from lakeproof.investigate import play_file
from lakeproof.outcome import tell_live
from lakeproof.protocols import known_properties, renderer_of
from lakeproof.replay_line import replay_command
from lakeproof.scenarios import blaming, find_named
from real_backend.errors import BackendError
from reports.explanation.build import judge_run
from reports.explanation.explain import explain
from reports.explanation.phrases import listed
from reports.pages.text import judged_text, story_lines
from reports.record import Judged
from sim.kernel.schedule import Divergence, Schedule, ScheduleError
from sim.search.run import Run
from sim.world.scenario import Scenario

CODES = {"valid": AS_EXPECTED, "invalid": VIOLATED, "unknown": UNKNOWN}


@click.command(name="replay")
@click.argument("schedule", type=click.Path(path_type=Path))
@click.option("--live", is_flag=True, help="Play it on the live system, too, and compare.")
@click.option(
    "--scenario", "scenario_argument", metavar="FILE.py", help="Where the schedule's scenario is, if it is yours."
)
def replay_verb(schedule: Path, live: bool, scenario_argument: str | None) -> int:
    """Play SCHEDULE, a text file that may be edited by hand, and judge what comes of it.

    Exits 0 if every property holds in this run, 1 if one is violated (or the live system does something else), 2 if it
    cannot be said or the live system is not there, 65 if a step is not on offer.
    """
    steps = read_schedule(schedule)
    found = find_named(steps.scenario, scenario_argument, f"schedule {schedule}")
    broken = _made_to_break(steps, schedule)
    scenario = _judging(_long_enough(found.scenario, steps, schedule), broken)
    if live and scenario.live is None:
        raise UsageProblem(f"--live: expected a scenario with a live counterpart, {scenario.name} is simulated only")
    with blaming(found.file):
        run = play_file(scenario, steps, schedule)
    judged = judge_run(run, History(run.events))
    _tell(steps, run, judged)
    if broken and judged.results[broken] == "valid" and broken not in judged.also_not:
        click.echo(f"This schedule was made to break {broken} (its line `# property:`); as it stands, it does not.")
    codes = [CODES[judged.outcome], *(_live(scenario, steps, run) if live else ())]
    code = VIOLATED if VIOLATED in codes else gravest(codes)  # a failure outranks an unknown
    if code:
        click.echo(replay_command(schedule, found.file) + (" --live" if live else ""))
    return code


def _made_to_break(steps: Schedule, path: Path) -> str:
    """The property that the schedule says it breaks; "" if it does not say. Raises: `BadInput` if it is none."""
    broken = dict(steps.meta).get("property", "")
    if broken and broken not in known_properties():
        close = difflib.get_close_matches(broken, known_properties(), 1)
        hint = f"did you mean {close[0]}?" if close else "`lakeproof list` names them all"
        raise BadInput(f"schedule {path}: # property: expected the name of a property, got {broken!r}; {hint}")
    return broken


def _long_enough(scenario: Scenario, steps: Schedule, path: Path) -> Scenario:
    """The scenario with room for the schedule: `--max-steps` may have been more. Raises: `BadInput` if it is none."""
    bound = dict(steps.meta).get("max-steps", "1")
    if not (bound.isascii() and bound.isdigit() and int(bound)):
        raise BadInput(f"schedule {path}: # max-steps: expected a number of steps from 1, got {bound!r}")
    return replace(scenario, max_steps=max(scenario.max_steps, int(bound)))


def _judging(scenario: Scenario, broken: str) -> Scenario:
    """The scenario, asked for this property, too."""
    if not broken or broken in scenario.properties:
        return scenario
    return replace(scenario, properties=(*scenario.properties, broken))


def _tell(steps: Schedule, run: Run, judged: Judged) -> None:
    explanation = explain(run, renderer_of(run.scenario))
    click.echo(f"{steps.scenario}: {_said(judged)} (simulated)")
    for line in story_lines(explanation):
        click.echo(line)
    for sentence in explanation.therefore:
        click.echo(f"  => {sentence}")
    click.echo(judged_text(judged), nl=False)


def _live(scenario: Scenario, steps: Schedule, run: Run) -> list[int]:
    """Play it live, compare, and tell; the exit codes. A live system that cannot be had must not hide a violation."""
    from lakeproof.live import live_systems  # only who asks for live systems waits for it

    try:
        with live_systems() as systems:
            replayed = systems.replay(scenario, steps, run).live
    except (BackendError, Divergence, ScheduleError) as error:
        return [render(error)]
    tell_live(replayed)
    click.echo(f"live: {_said(replayed.judged)}")
    judged = replayed.judged
    return [CODES[judged.outcome] if judged.results else AS_EXPECTED, AS_EXPECTED if replayed.agrees else VIOLATED]


def _said(judged: Judged) -> str:
    if judged.outcome == "invalid":
        return f"VIOLATED: {listed(f'{finding.property} ({finding.anomaly})' for finding in judged.findings)}"
    if judged.outcome == "unknown":
        return "unknown" if judged.results else "no property can be judged in this run"
    return "every property holds in this run"
