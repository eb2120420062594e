"""`lakeproof explain`: tell a stored run, or what is wrong with a history, in sentences."""

from pathlib import Path

import click

from lakeproof.commands.check import read_for_check
from lakeproof.errors import AS_EXPECTED
from lakeproof.inputs import read_run
from reports.explanation.judging import judge
from reports.pages.text import explanation, judged_text


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
def explain(run: Path) -> int:
    """Explain RUN, a run folder or a history file. Exits 0 whatever the verdict is: the question was why."""
    if run.is_dir():
        stored = read_run(run)
        click.echo(explanation(stored.record, stored.live), nl=False)
        return AS_EXPECTED
    history, properties = read_for_check(run)
    judged = judge(history, properties)
    click.echo(f"{run}: {judged.outcome}")
    click.echo(judged_text(judged) or f"Nothing is wrong as far as {', '.join(properties)} go.\n", nl=False)
    return AS_EXPECTED
