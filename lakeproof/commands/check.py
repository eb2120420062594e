"""`lakeproof check`: judge stored histories, one or many. Nothing is simulated, nothing of a history is executed."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
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
from lakeproof.errors import BAD_INPUT, UNKNOWN, VIOLATED, CommandError, UsageProblem, gravest, one_line
from lakeproof.protocols import known_properties
from lakeproof.replay_line import program
from lakeproof.stored import Found, Names, Stored, find, is_many
from lakeproof.talk import progress
from lakeproof.time_limit import TimeUp, limited
from reports.errors import RecordError
from reports.explanation.judging import stated, told
from reports.pages.text import judged_text
from reports.record import Judged
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
@click.option("--spark", is_flag=True,
              help="Check Parquet that is larger than memory on a Spark of its own.")  # fmt: skip
def check_verb(path: Path, properties: tuple[str, ...], timeout: float, graph: Path | None, spark: bool) -> int:
    """Judge the histories at PATH: a file (Parquet, Arrow, JSON lines, Jepsen's EDN or JSON), a run folder, a data
    set, or a folder of such.

    Exits 0 if all properties hold, 1 if one is violated, 2 if that cannot be said, 65 if it is no history. Of several
    histories the gravest code wins, and those that can be read are judged.
    """
    if spark:
        if graph is not None:
            raise UsageProblem("--spark: expected no --graph, which is drawn from a history in memory")
        return _again(_on_spark(path, properties, timeout), ("--spark",), path, properties, timeout)
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
        every = chain((first,) if second is None else (first, second), found)
        code = _listed(_row(one, properties, timeout) for one in every)
    return _again(code, (), path, properties, timeout)


def _again(code: int, options: Sequence[str], path: Path, properties: tuple[str, ...], timeout: float) -> int:
    """Say the command that does this again, if something is broken or unknown."""
    if code in (VIOLATED, UNKNOWN):
        again = [*options, *(word for name in properties for word in ("--property", name))]
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
    _tell(found.name, stored.events, judged)
    if graph is not None:
        _write_graph(graph, history, verdict)
    return _code(verdict, properties)


def _tell(name: str, events: int, judged: Judged) -> None:
    click.echo(f"{name}: {judged.outcome} ({counted(events, 'event')})")
    for one, outcome in judged.results.items():
        click.echo(f"  {outcome:8} {one}")
    click.echo(judged_text(judged), nl=False)


def _on_spark(path: Path, properties: tuple[str, ...], timeout: float) -> int:
    """Judge a data set with a Spark of its own, on this machine."""
    from real_backend.pipeline.check_job import PROPERTIES as THERE
    from real_backend.pipeline.check_job import check_data_set
    from real_backend.pipeline.check_session import check_context

    names = THERE if ALL in properties else properties
    try:
        with limited(timeout), progress(f"checking {path} on Spark"), check_context() as context:
            found = check_data_set(context, path, names)
    except TimeUp:
        click.echo(f"{path}: unknown")
        click.echo(f"Unknown, because {_time_up(timeout)}.")
        return UNKNOWN
    if len(found) == 1 and isinstance(found[0].verdict, Verdict):
        one = found[0]
        _tell(one.name, one.events, stated(found[0].verdict))
        return _code(found[0].verdict, properties)
    if len(found) == 1 and isinstance(found[0].verdict, HistoryError):
        raise found[0].verdict
    return _listed(_row_of(one.name, one.events, one.verdict, properties) for one in found)


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


_Row = tuple[str, str, int]


def _listed(rows: Iterable[_Row]) -> int:
    """A row for each history as it is judged, and their number at the end. The gravest code."""
    codes: list[int] = []
    outcomes: Counter[str] = Counter()
    for outcome, words, code in rows:
        click.echo(f"{outcome:10} {words}")
        codes.append(code)
        outcomes[outcome] += 1
    kinds = [word for word in ("valid", "invalid", "unknown", "unreadable") if outcomes[word]]
    counts = ", ".join(f"{outcomes[word]:,} {word}" for word in kinds)
    click.echo(f"{'1 history' if len(codes) == 1 else f'{len(codes):,} histories'}: {counts}")
    return gravest(codes)


def _row(found: Found, properties: tuple[str, ...], timeout: float) -> _Row:
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
    return _row_of(name, stored.events, verdict, properties)


def _row_of(name: str, events: int, verdict: Verdict | HistoryError, properties: tuple[str, ...]) -> _Row:
    if isinstance(verdict, HistoryError):
        return "unreadable", one_line(verdict), BAD_INPUT
    why = [f"{one.property} ({one.anomaly})" for one in verdict.violations[:1]] or list(verdict.reasons[:1])
    if verdict.outcome == "valid":
        why = []
    return verdict.outcome, ": ".join([f"{name} ({counted(events, 'event')})", *why]), _code(verdict, properties)


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
