"""`lakeproof check`: judge a stored history. Nothing is simulated, nothing is executed."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from checkers.errors import HistoryError
from checkers.histories.history import History
from checkers.properties import PROPERTIES
from lakeproof.commands.choice import one_of
from lakeproof.commands.replay import CODES
from lakeproof.errors import UNKNOWN
from lakeproof.folder import HISTORY
from lakeproof.inputs import read_history, read_run
from lakeproof.outcome import program
from lakeproof.protocols import known_properties
from reports.explanation.judging import judge
from reports.pages.text import judged_text

ALL = "all"


def _names() -> list[str]:
    return [*known_properties(), ALL]


@click.command(name="check")
@click.argument("history", type=click.Path(path_type=Path))
@click.option("--property", "properties", multiple=True, metavar="NAME", callback=one_of(_names),
              help="Check this property (may be repeated; `lakeproof list` names them; `all`: those of any history, "
              "and what its run was judged for). Default: what its run was judged for; for a file, "
              "every property of any history that it has something to say about.")  # fmt: skip
def check_verb(history: Path, properties: tuple[str, ...]) -> int:
    """Judge HISTORY, a file (Parquet, or JSON lines) or a run folder.

    Exits 0 if all properties hold, 1 if one is violated, 2 if that cannot be said, 65 if it is no history.
    """
    found, asked = read_for_check(history)
    names = (*PROPERTIES, *(asked or ()), *properties) if ALL in properties else properties or asked
    with naming(history):
        judged = judge(found, names and [name for name in names if name != ALL])
    click.echo(f"{history}: {judged.outcome} ({len(found)} events)")
    for name, outcome in judged.results.items():
        click.echo(f"  {outcome:8} {name}")
    click.echo(judged_text(judged), nl=False)
    named = [judged.results[name] for name in properties if name != ALL]
    code = UNKNOWN if judged.outcome == "valid" and "unknown" in named else CODES[judged.outcome]
    if code:
        again = [word for name in properties for word in ("--property", name)]
        click.echo(shlex.join([program(), "check", str(history), *again]))
    return code


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name the file in what is wrong with its history, which is found out when it is judged."""
    try:
        yield
    except HistoryError as error:
        raise error.within(str(path)) from None


def read_for_check(path: Path) -> tuple[History, tuple[str, ...] | None]:
    """The history, and what to check of it (None: all that it has something to say about)."""
    if path.is_dir() and (path / HISTORY).exists():
        stored = read_run(path)
        return stored.history, tuple(stored.record.judged.results)
    return read_history(path), None
