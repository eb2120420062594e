"""`lakeproof check`: judge a stored history. Nothing is simulated, nothing is executed."""

import shlex
from pathlib import Path

import click

from checkers.histories.history import FINAL, History
from checkers.properties import PROPERTIES
from lakeproof.commands.choice import one_of
from lakeproof.commands.replay import CODES
from lakeproof.folder import HISTORY
from lakeproof.inputs import read_history, read_run
from lakeproof.outcome import program
from lakeproof.protocols import known_properties
from reports.explanation.judging import judge
from reports.pages.text import judged_text

SAFETY = ("no-aborted-reads", "no-lost-update", "snapshot-isolation")
ALL = "all"
WITH_FINAL_READ = ("readable", "acknowledged-writes-survive")


def _names() -> list[str]:
    return [*known_properties(), ALL]


@click.command(name="check")
@click.argument("history", type=click.Path(path_type=Path))
@click.option("--property", "properties", multiple=True, metavar="NAME", callback=one_of(_names),
              help="Check this property (may be repeated; `lakeproof list` names them; `all`: those of any history, "
              "and what its run was judged for). Default: what its run was judged for; for a file, "
              f"{', '.join(SAFETY)}, and {', '.join(WITH_FINAL_READ)} if it ends with a final read.")  # fmt: skip
def check_verb(history: Path, properties: tuple[str, ...]) -> int:
    """Judge HISTORY, a Parquet file or a run folder.

    Exits 0 if all properties hold, 1 if one is violated, 2 if that cannot be said.
    """
    found, asked = read_for_check(history)
    names = (*PROPERTIES, *asked, *properties) if ALL in properties else properties or asked
    judged = judge(found, [name for name in names if name != ALL])
    click.echo(f"{history}: {judged.outcome} ({len(found)} events)")
    for name, outcome in judged.results.items():
        click.echo(f"  {outcome:8} {name}")
    click.echo(judged_text(judged), nl=False)
    code = CODES[judged.outcome]
    if code:
        again = [word for name in properties for word in ("--property", name)]
        click.echo(shlex.join([program(), "check", str(history), *again]))
    return code


def read_for_check(path: Path) -> tuple[History, tuple[str, ...]]:
    """The history, and what to check of it."""
    if path.is_dir() and (path / HISTORY).exists():
        stored = read_run(path)
        return stored.history, tuple(stored.record.judged.results)
    history = read_history(path)
    final = any(event.process == FINAL for event in history.events)
    return history, (*SAFETY, *(WITH_FINAL_READ if final else ()))
