"""`lakeproof demo`: the whole path in four steps. Everything that it prints was computed, or came from the live system.

1. simulate a DELETE and an UPDATE of one row under snapshot isolation, find the violation, explain the smallest one;
2. replay exactly that schedule on live Spark SQL;
3. the same two statements under serializable isolation, exhaustively; one conflicting schedule live;
4. run folders, reports, and the command that replays the failure.
"""

from pathlib import Path

import click

from lakeproof import folder as files
from lakeproof.errors import AS_EXPECTED, gravest
from lakeproof.investigate import EXHAUSTIVE, Knobs
from lakeproof.live import LiveSystems, live_systems
from lakeproof.outcome import Outcome, finish, simulate, tell_live, with_live
from lakeproof.scenarios import find
from reports.explanation.phrases import key_text
from reports.pages.text import terminal_lines

BROKEN, HOLDS = "iceberg/delete-update-snapshot", "iceberg/delete-update-serializable"
STEPS = 4


@click.command(name="demo")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("runs"), show_default=True, help="Where run folders go."
)
def demo_verb(out: Path) -> int:
    """Show it: find a lost delete, explain it, replay it on live Spark SQL, and the setting that prevents it.

    Exits 0 if simulation and live system do what they should, 2 if the live system cannot be had (the simulation runs
    all the same), 1 if anything else comes out.
    """
    with live_systems() as systems:
        first = _violation(out, systems)
        second = _refusal(out, systems)
    _heading(4, "what is left")
    for outcome in (first, second):
        click.echo(f"run folder: {outcome.folder.path}\nreport:     {outcome.folder / files.REPORT}")
    code = gravest([first.exit_code(), second.exit_code()])
    if first.live_problem:
        click.echo(f"\nThe live part is missing: {first.live_problem}")
    elif code != AS_EXPECTED:
        click.echo("\nThis is not what should have come out; the reports say what differs.")
    click.echo("\nReplay the failure (edit the schedule first, if you like; --live for the real system):")
    click.echo(first.record.command)
    return code


def _violation(out: Path, systems: LiveSystems) -> Outcome:
    (found,) = find(BROKEN)
    _heading(1, f"simulated: {found.scenario.summary}")
    outcome = simulate(found, Knobs(), out, f"step 1 of {STEPS}: simulating")
    click.echo("\n".join(terminal_lines(outcome.record)[1:]))
    click.echo(f"\nThe schedule ({outcome.record.search.shrunk}):\n{_indented(outcome.record.schedule)}")
    _heading(2, "live: exactly this schedule on the real system")
    outcome = with_live(outcome, systems, f"step 2 of {STEPS}: replaying live")
    _tell_live(outcome)
    finish(outcome)
    return outcome


def _refusal(out: Path, systems: LiveSystems) -> Outcome:
    (found,) = find(HOLDS)
    _heading(3, f"simulated, then live: {found.scenario.summary}")
    outcome = simulate(found, Knobs(EXHAUSTIVE), out, f"step 3 of {STEPS}: simulating every schedule")
    click.echo("\n".join(terminal_lines(outcome.record)[1:]))
    click.echo(f"\nIts schedule:\n{_indented(outcome.record.schedule)}")
    outcome = with_live(outcome, systems, f"step 3 of {STEPS}: replaying one schedule live")
    _tell_live(outcome)
    finish(outcome)
    return outcome


def _tell_live(outcome: Outcome) -> None:
    """What the live system did, and what that means for the rows."""
    live = outcome.live
    if live is None:
        click.echo(f"\nNot replayed live: {outcome.live_problem}")
        return
    tell_live(live)
    for row in live.judged.rows:
        if not row.agrees:
            must = f"by its own commits it must be {row.expected}"
            click.echo(f"  In the real table, {key_text(row.key)} is {row.got}; {must}.")
    for said in live.compared:
        if said.live.startswith("refused"):
            click.echo(f"  The real system refused {said.what}: {said.live}.")
    click.echo(f"  Simulation and live system {'agree' if live.agrees else 'DO NOT agree'}.")


def _heading(step: int, text: str) -> None:
    click.echo(f"\n[{step}/{STEPS}] {text}")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.rstrip().splitlines())
