"""One scenario of a run, whatever becomes of it: a row, and what it has to say on standard output.

A scenario that fails must not lose the others, and a full disk or a reader that goes away must not lose its verdict.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from lakeproof.errors import AS_EXPECTED, UNKNOWN, gravest
from lakeproof.failures import explained
from lakeproof.failures import render as tell_error
from lakeproof.investigate import Knobs
from lakeproof.outcome import Outcome, carry_out, finish, render, tell_folder
from lakeproof.scenarios import Found
from reports.pages.summary import ResultRow
from sim.world.scenario import Scenario

if TYPE_CHECKING:
    from lakeproof.live import LiveSystems

TOO_LATE = "time ran out before it began"
STANDINGS = {
    2: "unknown", 4: "not deterministic", 64: "usage", 65: "bad input", 70: "internal error",
    129: "interrupted", 130: "interrupted", 143: "interrupted",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """How every scenario of a run is to be treated. `brief`: each in a few lines, since there are several;
    `ends_at` is when all of them have to end, by the monotonic clock."""

    knobs: Knobs
    out: Path
    strict: bool = False
    live: bool = False
    brief: bool = False
    ends_at: float | None = None

    def knobs_by_now(self) -> Knobs | None:
        """How to search in the time that is left; None if there is none."""
        if self.ends_at is None:
            return self.knobs
        left = self.ends_at - monotonic()
        return replace(self.knobs, seconds=min(left, self.knobs.seconds or left)) if left > 0 else None


def attempt(found: Found, request: Request, systems: "LiveSystems | None" = None) -> ResultRow:
    """Carry a scenario out, print its verdict, then make the pages for people. An error becomes a row, too."""
    wanted = systems if request.live and found.scenario.live is not None else None
    knobs = request.knobs_by_now()
    if knobs is None:
        click.echo(f"{found.scenario.name}: UNKNOWN, {TOO_LATE}")
        return row_without_verdict(found.scenario, UNKNOWN, TOO_LATE)
    try:
        outcome = carry_out(found, knobs, request.out, systems=wanted)
    except Exception as error:
        return row_without_verdict(found.scenario, tell_error(error), explained(error)[1])
    problem = ""
    try:
        render(outcome, brief=request.brief, strict=request.strict)
    finally:  # also when nobody reads what is printed
        code, problem = _finished(outcome)
    row = outcome.row(request.strict)
    if problem:
        return replace(row, code=gravest((row.code, code)), standing=f"{row.standing}, but {problem}")
    if not request.brief:
        tell_folder(outcome)
    return row


def _finished(outcome: Outcome) -> tuple[int, str]:
    try:
        finish(outcome)
    except OSError as error:
        return tell_error(error), explained(error)[1]
    return AS_EXPECTED, ""


def row_without_verdict(scenario: Scenario, code: int, text: str) -> ResultRow:
    """The row of a scenario that was interrupted or could not be carried out, and why."""
    standing = STANDINGS[code]
    verdict = standing if standing in ("interrupted", "unknown") else "error"
    return ResultRow(scenario.name, scenario.expectation, verdict, code, standing, text, 0, 0.0, "", text)
