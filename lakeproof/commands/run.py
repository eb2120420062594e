"""`lakeproof run`: search scenarios, write a run folder for each, say whether the verdict is the expected one."""

import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

import click

from lakeproof.commands.budget import RUNS
from lakeproof.errors import UsageProblem, gravest
from lakeproof.failures import explained
from lakeproof.failures import render as tell_error
from lakeproof.investigate import MODES, Knobs
from lakeproof.live import LiveSystems, live_systems
from lakeproof.outcome import Outcome, carry_out, render
from lakeproof.scenarios import Found, built_in, find
from lakeproof.talk import say
from reports.explanation.build import expectation_of
from reports.pages.junit import junit
from reports.pages.summary import ResultRow, summary
from sim.search.explore import BUDGET
from sim.world.scenario import Scenario

_SEEDS = re.compile(r"(\d+)\.\.(\d+)")


class Failure(NamedTuple):
    """A scenario that could not be carried out, among others that could."""

    scenario: Scenario
    code: int
    text: str

    def exit_code(self, strict: bool) -> int:
        """As an outcome's."""
        return self.code

    def row(self, strict: bool) -> ResultRow:
        """As an outcome's."""
        expected = expectation_of(self.scenario)
        return ResultRow(self.scenario.name, expected, "error", self.code, self.text, 0, 0.0, "", self.text)


class Outputs(NamedTuple):
    """Where results go besides the terminal."""

    folder: Path
    junit: Path | None
    summary: Path | None


@click.command()
@click.argument("scenarios", nargs=-1, metavar="SCENARIO...")
@click.option("--all", "every", is_flag=True, help="Run every built-in scenario.")
@click.option("--mode", type=click.Choice(MODES), default=MODES[0], show_default=True,
              help="plan: few deviations first, then exhaustively, then by seed.")  # fmt: skip
@click.option(
    "--seeds", default="0..999", show_default=True, metavar="A..B", help="Seeds of --mode random, both included."
)
@click.option(
    "--budget",
    type=RUNS,
    default=BUDGET,
    show_default=True,
    metavar="N",
    help="At most N runs in all phases of a search.",
)
@click.option(
    "--yield-points",
    metavar="OPERATIONS",
    help="Only these operations are steps, as in 'load,commit'; '*': all port calls.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("runs"), show_default=True, help="Where run folders go."
)
@click.option("--check-determinism/--no-check-determinism", default=True, show_default=True,
              help="Run one seed twice and once from its tape; exit 4 if they differ.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Exit 1 for every violation, also one that the scenario expects.")
@click.option("--live", is_flag=True, help="Replay what is shown on the live system, where there is one.")
@click.option("--junit", "junit_file", type=click.Path(path_type=Path), help="Write JUnit XML, one case a scenario.")
@click.option(
    "--summary", "summary_file", type=click.Path(path_type=Path), help="Append a Markdown table to this file."
)
def run(
    scenarios: tuple[str, ...], every: bool, mode: str, seeds: str, budget: int, yield_points: str | None, out: Path,
    check_determinism: bool, strict: bool, live: bool, junit_file: Path | None, summary_file: Path | None,
) -> int:  # fmt: skip
    """Search SCENARIOs: built-in names (see `lakeproof list`), or paths of Python files that define their own.

    Exits 0 if every verdict is what its scenario expects ("holds" unless the scenario says otherwise), 1 if one is
    not, 2 if a budget or a counter at zero leaves one open, 4 if a scenario is not deterministic.
    """
    knobs = Knobs(mode, _seeds(seeds), budget, _yield_points(yield_points), check_determinism)
    found = _found(scenarios, every)
    outputs = Outputs(out, _must_be_new(junit_file), _must_have_place(summary_file, "--summary"))
    if live and not any(one.scenario.live is not None for one in found):
        raise UsageProblem("--live: expected a scenario with a live counterpart, got only such as are simulated")
    results: list[Outcome | Failure] = []
    with live_systems() as systems:
        for number, one in enumerate(found, 1):
            if len(found) > 1:
                say(f"[{number}/{len(found)}] {one.scenario.name}")
            wanted = systems if live and one.scenario.live is not None else None
            results.append(_attempt(one, knobs, outputs.folder, wanted, alone=len(found) == 1))
    try:
        _write(results, outputs, strict)
    finally:  # what cannot be written must not lose how to replay what was found
        _failures_last(results, strict)
    return gravest(result.exit_code(strict) for result in results)


def _attempt(found: Found, knobs: Knobs, out: Path, systems: LiveSystems | None, *, alone: bool) -> Outcome | Failure:
    """One scenario; among several, one that fails must not lose the others."""
    try:
        outcome = carry_out(found, knobs, out, systems=systems)
    except Exception as error:
        if alone:
            raise
        return Failure(found.scenario, tell_error(error), explained(error)[1])
    render(outcome, brief=not alone)
    return outcome


def _found(arguments: tuple[str, ...], every: bool) -> list[Found]:
    if every == bool(arguments):
        raise click.UsageError("expected scenarios, or --all" if not every else "expected scenarios or --all, got both")
    if every:
        return [Found(scenario) for scenario in built_in().values()]
    return [found for argument in arguments for found in find(argument)]


def _seeds(text: str) -> range:
    match = _SEEDS.fullmatch(text)
    if match is None or int(match[1]) > int(match[2]):
        raise click.BadParameter(f"expected A..B with A <= B, as in 0..999, got {text!r}", param_hint="--seeds")
    return range(int(match[1]), int(match[2]) + 1)


def _yield_points(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    words = tuple(word for word in re.split(r"[,\s]+", text) if word)
    if not words or not all(word == "*" or re.fullmatch(r"[a-z_]+", word) for word in words):
        raise click.BadParameter(
            f"expected names of operations, as in load,commit, got {text!r}", param_hint="--yield-points"
        )
    return words


def _must_be_new(path: Path | None) -> Path | None:
    if path is not None and path.exists():
        raise UsageProblem(f"--junit {path}: expected a name that is free, got one that exists; nothing is overwritten")
    return _must_have_place(path, "--junit")


def _must_have_place(path: Path | None, option: str) -> Path | None:
    """Found out before the search, not after it."""
    if path is not None and (path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK)):
        got = "a folder" if path.is_dir() else f"none: {path.parent} is no folder that can be written"
        raise UsageProblem(f"{option} {path}: expected a place for a file, got {got}")
    return path


def _write(outcomes: list[Outcome | Failure], outputs: Outputs, strict: bool) -> None:
    rows = [outcome.row(strict) for outcome in outcomes]
    try:
        if outputs.junit is not None:
            with outputs.junit.open("x", encoding="utf-8") as file:
                file.write(junit(rows))
        if outputs.summary is not None:
            with outputs.summary.open("a", encoding="utf-8") as file:
                file.write(summary(rows))
    except OSError as error:
        raise UsageProblem(f"{error.filename}: expected a place that can be written, got {error.strerror}") from None


def _failures_last(outcomes: list[Outcome | Failure], strict: bool) -> None:
    """The last lines are the commands that replay what failed."""
    sys.stdout.flush()
    for outcome in outcomes:
        if isinstance(outcome, Outcome) and (outcome.exit_code(strict) or outcome.record.verdict == "violated"):
            click.echo(outcome.record.command)
