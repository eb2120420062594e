"""`lakeproof run`: search scenarios, write a run folder for each, say whether the verdict is the expected one."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from lakeproof.attempt import Request, attempt, row_without_verdict
from lakeproof.commands.budget import RUNS, SECONDS, STEPS
from lakeproof.commands.choice import one_of
from lakeproof.errors import INTERNAL, INTERRUPTED, UsageProblem, gravest
from lakeproof.investigate import MODES, RANDOM, Knobs
from lakeproof.protocols import protocol_names
from lakeproof.results import Results
from lakeproof.scenarios import Found
from lakeproof.selection import selected
from lakeproof.signals import Ended
from lakeproof.talk import say
from reports.pages.summary import ResultRow
from sim.search.explore import BUDGET

if TYPE_CHECKING:
    from lakeproof.live import LiveSystems

_SEEDS = re.compile(r"(\d+)\.\.(\d+)")
_NAMES = re.compile(r"(\*|[a-z_]+)((, *| +)(\*|[a-z_]+))*")


@click.command(name="run")
@click.argument("scenarios", nargs=-1, metavar="SCENARIO...")
@click.option("--all", "every", is_flag=True, help="Run every built-in scenario.")
@click.option("--protocol", metavar="NAME", callback=one_of(protocol_names),
              help="Run the built-in scenarios of this protocol.")  # fmt: skip
@click.option("--mode", type=click.Choice(MODES), default=MODES[0], show_default=True,
              help="plan: few deviations first, then exhaustively, then by seed.")  # fmt: skip
@click.option("--seeds", metavar="A..B", help="Seeds of --mode random, both included.  [default: 0..999]")
@click.option("--budget", type=RUNS, default=BUDGET, show_default=True, metavar="N",
              help="At most N runs a scenario, over all phases of its search.")  # fmt: skip
@click.option("--timeout", type=SECONDS, metavar="SECONDS",
              help="End the search of a scenario after this time; what was found by then counts.")  # fmt: skip
@click.option("--total-timeout", type=SECONDS, metavar="SECONDS",
              help="The same for all scenarios together; those that have not begun by then are unknown.")  # fmt: skip
@click.option("--max-steps", type=STEPS, metavar="N",
              help="End a run that makes more than N steps.  [default: as the scenario says]")  # fmt: skip
@click.option("--yield-points", metavar="OPERATIONS",
              help="Only these operations are steps, as in 'load,commit'; '*': all port calls.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1, 1_000), default=1, show_default=True, metavar="N",
              help="Search N scenarios at once, each in a process of its own.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), default=Path("runs"), show_default=True,
              help="Where run folders go.")  # fmt: skip
@click.option("--check-determinism/--no-check-determinism", default=True, show_default=True,
              help="Run one seed twice and once from its tape; exit 4 if they differ.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Exit 1 for every violation, also one that the scenario expects.")
@click.option("--live", is_flag=True, help="Replay what is shown on the live system, where there is one.")
@click.option("--junit", "junit_file", type=click.Path(path_type=Path),
              help="Write JUnit XML, one case a scenario, made anew as each ends.")  # fmt: skip
@click.option("--summary", "summary_file", type=click.Path(path_type=Path),
              help="Append a Markdown table to this file, line by line.")  # fmt: skip
def run_verb(
    scenarios: tuple[str, ...], every: bool, protocol: str | None, mode: str, seeds: str | None, budget: int,
    timeout: float | None, total_timeout: float | None, max_steps: int | None, yield_points: str | None, jobs: int,
    out: Path, check_determinism: bool, strict: bool, live: bool, junit_file: Path | None, summary_file: Path | None,
) -> int:  # fmt: skip
    """Search SCENARIOs: built-in names (see `lakeproof list`), patterns of them such as 'hudi/*', or paths of Python
    files that define their own.

    Exits 0 if every verdict is what its scenario expects ("holds" unless the scenario says otherwise), 1 if one is
    not, 2 if a budget or a counter at zero leaves one open, 4 if a scenario is not deterministic.
    """
    knobs = Knobs(mode, _seeds(seeds, mode), budget, _yield_points(yield_points), check_determinism, timeout, max_steps)
    found = _found(scenarios, protocol, every)
    if live and not any(one.scenario.live is not None for one in found):
        raise UsageProblem("--live: expected a scenario with a live counterpart, got only such as are simulated")
    if live and jobs > 1:
        raise UsageProblem(f"--jobs {jobs}: expected 1 beside --live, since there is one live system for all")
    results = Results(_must_be_new(junit_file), _must_have_place(summary_file, "--summary"))
    ends_at = None if total_timeout is None else monotonic() + total_timeout
    request = Request(knobs, out, strict, live, brief=len(found) > 1, ends_at=ends_at)
    try:
        if min(jobs, len(found)) > 1:
            _at_once(found, request, results, jobs)
        else:
            _one_by_one(found, request, results)
    finally:  # whatever ends this early must not lose how to replay what was found
        unwritten = results.end()
        _failures_last(results.rows)
    return gravest([unwritten, *(row.code for row in results.rows)])


@contextmanager
def _live_systems(wanted: bool) -> Iterator["LiveSystems | None"]:
    """Live systems for the block, if they are wanted: who wants none imports nothing of them."""
    if not wanted:
        yield None
        return
    from lakeproof.live import live_systems

    with live_systems() as systems:
        yield systems


def _one_by_one(found: list[Found], request: Request, results: Results) -> None:
    with _live_systems(request.live) as systems:
        for number, one in enumerate(found):
            _say_begun(found, number)
            try:
                results.add(number, attempt(one, request, systems))
            except (Ended, KeyboardInterrupt) as ended:
                _interrupted(found, [number], ended, results)
                raise


def _at_once(found: list[Found], request: Request, results: Results, jobs: int) -> None:
    """As many as `jobs` at once; what they print comes in the order of the scenarios."""
    from lakeproof.workers import Done, in_processes  # only who wants several processes waits for it

    begun: list[int] = []
    held: dict[int, Done[ResultRow]] = {}
    told = 0

    def begins(number: int) -> None:
        begun.append(number)
        _say_begun(found, number)

    try:
        with closing(in_processes([partial(attempt, one, request) for one in found], jobs, begins)) as ending:
            for done in ending:
                row = done.result or row_without_verdict(found[done.number].scenario, INTERNAL, "its process died")
                results.add(done.number, row)
                held[done.number] = done
                while told in held:
                    click.echo(held[told].err, err=True, nl=False)
                    click.echo(held.pop(told).out, nl=False)
                    told += 1
    except (Ended, KeyboardInterrupt) as ended:
        _interrupted(found, begun, ended, results)
        raise


def _say_begun(found: list[Found], number: int) -> None:
    if len(found) > 1:
        say(f"[{number + 1}/{len(found)}] {found[number].scenario.name}")


def _interrupted(found: list[Found], begun: list[int], ended: BaseException, results: Results) -> None:
    """Those that were being searched are results, too; those that never began are counted."""
    code = ended.code if isinstance(ended, Ended) else INTERRUPTED
    never = len(found) - 1 - max(begun, default=-1)
    text = f"ended by {ended}" if isinstance(ended, Ended) else "interrupted"
    text += f"; {never} more never began" if never else ""
    for number in begun:
        if not results.has(number):
            results.add(number, row_without_verdict(found[number].scenario, code, text))


def _found(arguments: tuple[str, ...], protocol: str | None, every: bool) -> list[Found]:
    if every and arguments:
        raise click.UsageError("expected scenarios or --all, got both")
    if not (every or arguments or protocol):
        raise click.UsageError("expected scenarios, --protocol, or --all")
    return selected(arguments, protocol)


def _seeds(text: str | None, mode: str) -> range:
    if text is None:
        return Knobs().seeds
    if mode != RANDOM:
        raise click.UsageError(f"--seeds {text}: expected --mode {RANDOM} beside it, got --mode {mode}")
    match = _SEEDS.fullmatch(text)
    if match is None or int(match[1]) > int(match[2]):
        raise click.BadParameter(f"expected A..B with A <= B, as in 0..999, got {text!r}", param_hint="--seeds")
    return range(int(match[1]), int(match[2]) + 1)


def _yield_points(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    words = tuple(re.split(r"[, ]+", text))
    if not _NAMES.fullmatch(text) or len(set(words)) < len(words):
        raise click.BadParameter(
            f"expected names of operations, each once, as in load,commit, got {text!r}", param_hint="--yield-points"
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


def _failures_last(rows: list[ResultRow]) -> None:
    """The last lines are the commands that replay what failed."""
    sys.stdout.flush()
    for row in rows:
        if row.to_replay:
            click.echo(row.command)
