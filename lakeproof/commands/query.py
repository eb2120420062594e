"""`lakeproof query`: a named question to a campaign's Parquet, or one's own, in Spark SQL."""

import csv
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from lakeproof.errors import AS_EXPECTED, BadInput, UsageProblem, one_line
from lakeproof.pairs import values_of
from lakeproof.replay_line import program
from lakeproof.tables import print_grid, terminal_width
from lakeproof.talk import say
from real_backend.pipeline.queries import QUERIES, Answer, run_query, run_sql

PIPED_WIDTH = 200
OUTPUTS = ("table", "csv", "json")


@click.command(name="query")
@click.argument("name", required=False, metavar="[NAME]")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[FOLDER]")
@click.option("--sql", metavar="TEXT", help="Ask in Spark SQL of your own; the one argument is the folder.")
@click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="Set a parameter of the query.")
@click.option("--output", type=click.Choice(OUTPUTS), default=OUTPUTS[0], show_default=True, help="How to print it.")
@click.option("--master", default="local[*]", show_default=True, metavar="MASTER", help="Spark's master.")
def query_verb(
    name: str | None, folder: Path | None, sql: str | None, pairs: tuple[str, ...], output: str, master: str
) -> int:
    """Ask the campaign in FOLDER the question NAME; without arguments, list the questions.

    The tables are slices, runs, failures, coverage, causes, events and operations: docs/campaigns.md has their columns.
    """
    if name is None:
        _list()
        return AS_EXPECTED
    if sql is not None:
        if folder is not None:
            raise UsageProblem(f"query --sql: expected a campaign's folder beside it, got {name} and {folder}")
        answer = _asked(lambda: run_sql(Path(name), sql, values_of(pairs, "name"), master=master), BadInput)
    else:
        if folder is None:
            raise UsageProblem(f"query {name}: expected a campaign's folder, got none")
        answer = _asked(lambda: run_query(folder, name, values_of(pairs, "name"), master=master), UsageProblem)
    _print(answer, output)
    if output == OUTPUTS[0] and "scenario" in answer.columns and answer.rows:
        scenario = answer.rows[0][answer.columns.index("scenario")]
        say(f"search a scenario of these: {shlex.join([program(), 'run', str(scenario)])}")
    return AS_EXPECTED


def _asked(ask: Any, error: type[UsageProblem] | type[BadInput]) -> Answer:
    say("starting Spark ...")
    try:
        found: Answer = ask()
    except ValueError as problem:
        raise error(one_line(problem)) from None
    return found


def _list() -> None:
    for name, query in QUERIES.items():
        given = ", ".join(f"{key}={value}" for key, value in query.parameters.items())
        click.echo(f"{name}{f' ({given})' if given else ''}\n  {query.about}")


def _print(answer: Answer, output: str) -> None:
    if output == "json":
        for row in answer.rows:
            click.echo(json.dumps(dict(zip(answer.columns, row, strict=True)), ensure_ascii=False, default=str))
    elif output == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(answer.columns)
        writer.writerows(answer.rows)
    else:
        _print_table(answer)


def _print_table(answer: Answer) -> None:
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    grid = Table(*answer.columns, box=SIMPLE, pad_edge=False)
    for row in answer.rows:
        grid.add_row(*(Text("" if value is None else one_line(value)) for value in row))
    print_grid(grid, terminal_width() or PIPED_WIDTH)
    if not answer.rows:
        click.echo("nothing")
