"""`lakeproof check`: judge stored histories, one or many. Nothing is simulated, nothing of a history is executed."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from checkers.errors import HistoryError
from checkers.histories.history import History
from checkers.jepsen.judge import OWN
from checkers.properties import PROPERTIES
from checkers.text import plain
from checkers.verdict import Verdict
from lakeproof.commands.budget import SECONDS
from lakeproof.commands.choice import one_of
from lakeproof.commands.replay import CODES
from lakeproof.errors import BAD_INPUT, UNKNOWN, CommandError, UsageProblem, gravest, one_line
from lakeproof.protocols import known_properties
from lakeproof.replay_line import program
from lakeproof.stored import Found, Names, Stored, find, is_many
from lakeproof.time_limit import TimeUp, limited
from reports.errors import RecordError
from reports.explanation.judging import told
from reports.pages.text import judged_text
from sim.world.words import counted

ALL = "all"
LIMIT_S = 600.0


def _names() -> list[str]:
    return [*known_properties(), *OWN, ALL]


@click.command(name="check")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--property", "properties", multiple=True, metavar="NAME", callback=one_of(_names),
              help="Check this property (may be repeated; `lakeproof list` names them; `all`: those of any history, "
              "and what its run was judged for). Default: what its run was judged for; for a file, "
              "every property of any history that it has something to say about.")  # fmt: skip
@click.option("--timeout", type=SECONDS, default=LIMIT_S, show_default=True,
              help="Seconds for each history; what takes longer is unknown.")  # fmt: skip
@click.option("--graph", type=click.Path(path_type=Path), metavar="FILE",
              help="Also write the witness of the weakest broken property to a new FILE: a picture (.svg), or a graph "
              "(.graphml, .dot, .json).")  # fmt: skip
def check_verb(path: Path, properties: tuple[str, ...], timeout: float, graph: Path | None) -> int:
    """Judge the histories at PATH: a file (Parquet, Arrow, JSON lines, Jepsen's EDN or JSON), a run folder, a data
    set, or a folder of such.

    Exits 0 if all properties hold, 1 if one is violated, 2 if that cannot be said, 65 if it is no history. Of several
    histories the gravest code wins, and those that can be read are judged.
    """
    found = find(path)
    if graph is not None:
        _check_graph(graph, path)
    first = next(found)
    second = next(found, None)
    if second is None and not is_many(path):
        code = _one(first, properties, timeout, graph)
    elif graph is not None:
        raise UsageProblem(f"--graph {graph}: expected one history to draw, got several in {path}")
    else:
        code = _many([first, *([second] if second else []), *found], properties, timeout)
    if code in (1, 2):
        again = [word for name in properties for word in ("--property", name)]
        again += ["--timeout", f"{timeout:g}"] if timeout != LIMIT_S else []
        click.echo(shlex.join([program(), "check", str(path), *again]))
    return code


def _one(found: Found, properties: tuple[str, ...], timeout: float, graph: Path | None) -> int:
    """Judge one history and say all about it."""
    try:
        with limited(timeout):
            stored = found.read()
            verdict, history = _judged(found, stored, properties)
            judged = told(history, verdict)
    except TimeUp:
        click.echo(f"{plain(found.name, 400)}: unknown")
        click.echo(f"Unknown, because {_time_up(timeout)}.")
        return UNKNOWN
    click.echo(f"{found.name}: {verdict.outcome} ({counted(stored.events, 'event')})")
    for name, outcome in verdict.results.items():
        click.echo(f"  {outcome:8} {name}")
    click.echo(judged_text(judged), nl=False)
    if graph is not None:
        _write_graph(graph, history, verdict)
    return _code(verdict, properties)


def _time_up(timeout: float) -> str:
    return f"the time was over after {timeout:g} s; --timeout SECONDS gives it more"


def _judged(found: Found, stored: Stored, properties: tuple[str, ...]) -> tuple[Verdict, History]:
    with naming(found.name):
        return stored.judge(_chosen(stored, properties))


def _chosen(stored: Stored, properties: tuple[str, ...]) -> Names:
    names: Sequence[str] = properties or stored.asked or ()
    if ALL in properties:
        names = (*PROPERTIES, *(stored.asked or ()), *(name for name in properties if name != ALL))
    return names or None


def _code(verdict: Verdict, properties: tuple[str, ...]) -> int:
    named = [verdict.results.get(name) for name in properties if name != ALL]
    return UNKNOWN if verdict.outcome == "valid" and "unknown" in named else CODES[verdict.outcome]


def _many(found: Iterable[Found], properties: tuple[str, ...], timeout: float) -> int:
    """Judge histories one by one, a row each, and count them at the end."""
    codes: list[int] = []
    outcomes: Counter[str] = Counter()
    for one in found:
        outcome, words, code = _row(one, properties, timeout)
        click.echo(f"{outcome:10} {words}")
        codes.append(code)
        outcomes[outcome] += 1
    kinds = [word for word in ("valid", "invalid", "unknown", "unreadable") if outcomes[word]]
    counts = ", ".join(f"{outcomes[word]:,} {word}" for word in kinds)
    click.echo(f"{'1 history' if len(codes) == 1 else f'{len(codes):,} histories'}: {counts}")
    return gravest(codes)


def _row(found: Found, properties: tuple[str, ...], timeout: float) -> tuple[str, str, int]:
    """The outcome of a history, what its row says of it, and its code."""
    name = plain(found.name, 400)
    try:
        with limited(timeout):
            stored = found.read()
            verdict, _ = _judged(found, stored, properties)
    except TimeUp:
        return "unknown", f"{name}: {_time_up(timeout)}", UNKNOWN
    except (HistoryError, RecordError, CommandError) as error:
        return "unreadable", one_line(error), BAD_INPUT
    why = [f"{one.property} ({one.anomaly})" for one in verdict.violations[:1]] or list(verdict.reasons[:1])
    if verdict.outcome == "valid":
        why = []
    return verdict.outcome, ": ".join([f"{name} ({counted(stored.events, 'event')})", *why]), _code(verdict, properties)


def _check_graph(graph: Path, path: Path) -> None:
    """Refuse a name before any work is done. Raises: GraphError, UsageProblem."""
    from reports.graphs.witness import check_name  # with networkx: only who asks for a graph waits for it

    check_name(graph)
    if is_many(path):
        raise UsageProblem(f"--graph {graph}: expected one history to draw, got the folder {path}")


def _write_graph(path: Path, history: History, verdict: Verdict) -> None:
    from reports.graphs.witness import write_witness

    if not verdict.violations:
        click.echo(f"\nno graph: nothing is broken, so there is no witness to draw in {path}")
        return
    write_witness(path, history, verdict.violations[0])
    click.echo(f"\ngraph: {path} ({verdict.violations[0].property})")


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Name the file in what is wrong with its history, which is found out when it is judged."""
    try:
        yield
    except HistoryError as error:
        raise error.within(name) from None
