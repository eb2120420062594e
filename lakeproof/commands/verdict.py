"""`lakeproof verdict`: whether a configuration of a protocol breaks what it promises, by generated scenarios."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import process_time

import click

from lakeproof.commands.budget import RUNS, SECONDS
from lakeproof.commands.choice import one_of
from lakeproof.errors import AS_EXPECTED, UNKNOWN, VIOLATED, UsageProblem
from lakeproof.folder import folder_for
from lakeproof.generated import Looked, look
from lakeproof.investigate import of_generated
from lakeproof.outcome import Outcome, finish, store, tell_folder
from lakeproof.protocols import generator_of, with_generator
from lakeproof.scenarios import Found
from lakeproof.settings import Configuration, configuration_of, rules_of
from lakeproof.talk import progress
from reports.pages.text import folded, terminal_lines
from sim.generation.causes import cause_of
from sim.generation.generator import Generator
from sim.generation.shrink import shrink_all
from sim.search.result import Result
from sim.search.run import Run
from sim.world.words import counted

DEFAULT_SECONDS, SHRINK_RUNS = 20.0, 4_000


@click.command(name="verdict")
@click.argument("protocol", metavar="PROTOCOL", callback=one_of(with_generator))
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Set an option; as often as you like.")
@click.option("--properties", "file", type=click.Path(path_type=Path), metavar="FILE",
              help="Options from a file of table properties, lines key=value; --set goes above them.")  # fmt: skip
@click.option("--rules", metavar="NAME", help="The protocol under these rules.  [default: as shipped]")
@click.option("--seconds", type=SECONDS, metavar="SECONDS",
              help=f"CPU time to look for what breaks, and make it small.  [default: {DEFAULT_SECONDS:g}]")  # fmt: skip
@click.option(
    "--seeds", type=RUNS, metavar="N", help="Look at the scenarios of N seeds instead, however long it takes."
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("runs"), show_default=True,
              help="Where the run folder of a failure goes.")  # fmt: skip
@click.option("--options", "listing", is_flag=True, help="List the options that can be set, and exit.")
def verdict_verb(
    protocol: str, pairs: tuple[str, ...], file: Path | None, rules: str | None, seconds: float | None,
    seeds: int | None, out: Path, listing: bool,
) -> int:  # fmt: skip
    """Look for generated scenarios that break what a configuration of PROTOCOL promises.

    Exits 0 if none broke, which is no proof: the bounds are printed; 1 if one did, with the smallest scenario and the
    command that replays it; 2 if nothing can be said.
    """
    generator = generator_of(protocol)
    assert generator is not None
    if listing:
        _list(generator)
        return AS_EXPECTED
    if seconds is not None and seeds is not None:
        raise UsageProblem("--seconds, --seeds: expected one of them, got both")
    configuration = configuration_of(generator, pairs, file)
    variant = rules_of(generator, rules, f"--rules {rules}", UsageProblem)
    begun_with = range(seeds) if seeds is not None else None
    limit = None if seeds is not None else seconds or DEFAULT_SECONDS
    begun = process_time()
    with progress(f"sweeping generated scenarios of {protocol}") as advance:
        looked = look(generator, configuration.settings, variant, seeds=begun_with, seconds=limit, progress=advance)
    if looked.failing is not None:
        until = None if limit is None else begun + limit
        return _broken(generator, configuration, variant, looked, looked.failing, out, until)
    click.echo("\n".join(map(folded, _unbroken(generator, configuration, variant, looked))))
    return UNKNOWN if looked.reasons else AS_EXPECTED


def _list(generator: Generator) -> None:
    for option in generator.options:
        click.echo(f"{option.key}: {option.values[0]} (if not set)" + "".join(f", {one}" for one in option.values[1:]))
        click.echo(f"  {option.source}" + (f"; also {', '.join(option.also)}" if option.also else ""))
    click.echo(f"rules: {', '.join(generator.variants)}")


def _head(word: str, generator: Generator, configuration: Configuration, rules: str) -> str:
    under = "" if rules == next(iter(generator.variants)) else f", rules {rules}"
    return f"{generator.protocol}: {word} ({configuration.words}{under})"


def _unbroken(generator: Generator, configuration: Configuration, rules: str, looked: Looked) -> Iterator[str]:
    """What can be said where nothing broke: the bounds, and what is left."""
    word = "UNKNOWN" if looked.reasons else "NOTHING BROKE, within these bounds"
    yield _head(word, generator, configuration, rules)
    yield from (f"  unknown, because {reason}" for reason in looked.reasons)
    yield (
        f"  looked at: {counted(looked.scenarios, 'generated scenario')}, {counted(looked.schedules, 'schedule')}, "
        f"{looked.seconds:.1f} s of CPU; every schedule of {counted(looked.complete, 'scenario')}; this is no proof"
    )
    left = looked.new_pairs
    yield (f"  left, at 95 %: at most {_share(looked.breaks_at_most)} such scenarios breaks; {_share(left.estimate)} "
           f"would show accesses in an order not seen yet (Good-Turing; at most {_share(left.bound)})")  # fmt: skip
    yield from _bounds(generator, configuration, looked)


def _bounds(generator: Generator, configuration: Configuration, looked: Looked) -> Iterator[str]:
    """What was asked and drawn, and what was not."""
    sources = {one.property: one.source for one in generator.promises}
    yield f"  promised: {', '.join(f'{name} ({sources.get(name, generator.protocol)})' for name in looked.asked)}"
    yield f"  drawn, by scenarios: {_counts(looked.operations)}"
    yield f"  faults, by how often each struck: {_counts(looked.faults) or 'none'}"
    never = [fault for fault in generator.faults if fault not in looked.faults]
    if never:
        yield f"  faults that never struck: {', '.join(never)}"
    if looked.indeterminate:
        yield f"  not judged: {counted(looked.indeterminate, 'run')} whose outcome nobody could know"
    yield f"  never made: {'; '.join(generator.cannot)}"
    if configuration.ignored:
        yield f"  not modelled, so not looked at: {', '.join(configuration.ignored)}"


def _share(chance: float) -> str:
    """A chance for people: "1 in 270"."""
    return "none" if chance <= 0 else f"1 in {1 / chance:,.0f}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in Counter(counts).most_common())


def _broken(
    generator: Generator, configuration: Configuration, rules: str, looked: Looked, failing: Run, out: Path,
    until: float | None,
) -> int:  # fmt: skip
    """Make the failure small, store it, and tell it. Args: `until`: the CPU time at which it is as small as it is
    (None: `SHRINK_RUNS` runs are all that counts)."""

    def is_late() -> bool:
        return until is not None and process_time() >= until

    with progress("making the failure small"):
        settings = configuration.settings
        smallest = shrink_all(generator, failing, budget=SHRINK_RUNS, settings=settings, stop=is_late)
    cut_short = is_late() and not (smallest.settled and smallest.shrunk.proven)
    run = smallest.shrunk.run
    result = _as_result(looked, run)
    chosen = {
        "search": f"{counted(looked.scenarios, 'generated scenario')}, the last of which broke",
        "configuration": configuration.words, "rules": rules,
    }  # fmt: skip
    found = Found(smallest.scenario)
    with folder_for(out, f"{generator.protocol}/verdict") as folder:
        outcome = store(found, of_generated(result, run, smallest.shrunk, chosen), folder, looked.seconds)
    _tell(generator, configuration, rules, looked, run, outcome)
    if cut_short:
        click.echo(folded("  not the smallest: the time was up before it was found; more --seconds make it smaller"))
    finish(outcome)
    tell_folder(outcome)
    click.echo(outcome.record.command)
    return VIOLATED


def _as_result(looked: Looked, run: Run) -> Result:
    """The sweep, as the search of the smallest scenario that breaks."""
    assert run.failure is not None
    result = Result(run.scenario, f"{counted(looked.scenarios, 'generated scenario')}, swept")
    result.schedules, result.coverage, result.failed = looked.schedules, dict(looked.coverage), 1
    result.failures, result.found_at = {run.failure: run}, {run.failure: looked.found_at}
    result.evidence = looked.evidence
    return result


def _tell(
    generator: Generator, configuration: Configuration, rules: str, looked: Looked, run: Run, outcome: Outcome
) -> None:
    known = generator.known_of(run)
    lines = [
        _head("BROKEN", generator, configuration, rules),
        f"  {cause_of(run)}",
        f"  found in scenario {looked.scenarios:,}, after {counted(looked.found_at, 'schedule')}",
        f"  a known finding: {known}" if known else "  new: no known finding is like it",
        "",
        *terminal_lines(outcome.record)[3:],
    ]
    if configuration.ignored:
        lines.append(f"  not modelled, so not looked at: {', '.join(configuration.ignored)}")
    click.echo("\n".join(map(folded, lines)))
