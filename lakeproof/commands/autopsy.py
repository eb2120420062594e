"""`lakeproof autopsy`: what went wrong with a real Iceberg table, by its files. Nothing is written."""

import json
from pathlib import Path

import click

from checkers.text import plain
from lakeproof.errors import AS_EXPECTED, VIOLATED
from lakeproof.pairs import values_of
from lakeproof.protocols import examiner
from lakeproof.tables import terminal_width, wrapped
from lakeproof.talk import progress, say
from reports.autopsy import Told

NEWEST = 500
HANGING = " " * 12
"""Where the second line of a finding's part begins: under its text."""


@click.command(name="autopsy")
@click.argument("table", metavar="TABLE")
@click.option("--catalog", metavar="NAME", help="TABLE is a name in this catalog of PyIceberg's configuration.")
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE",
              help="A property of the catalog or the file system, such as s3.endpoint.")  # fmt: skip
@click.option("--versions", type=click.IntRange(1), default=NEWEST, show_default=True, metavar="N",
              help="How many metadata files are read at most, the newest first.")  # fmt: skip
@click.option("--history", "whole", is_flag=True, help="Show all versions, and not the newest only.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: all findings, the whole history, notes.")
@click.option("--graph", type=click.Path(path_type=Path), metavar="FILE",
              help="Also write versions and snapshots as a graph to a new FILE: .graphml, .dot or .json.")  # fmt: skip
def autopsy_verb(
    table: str, catalog: str | None, pairs: tuple[str, ...], versions: int, whole: bool, as_json: bool,
    graph: Path | None,
) -> int:  # fmt: skip
    """Read what is left of a damaged Iceberg TABLE: commits that vanished, who overwrote whom, files that are gone or
    that nobody needs, numbers out of order. TABLE is a folder, a metadata file, or a name with --catalog.

    Exits 0 if nothing is found, 1 if something is, 65 if it is no Iceberg table.
    """
    if graph is not None:
        from reports.graphs.files import check_name  # with networkx: only who asks for a graph waits for it

        check_name(graph)
    found: Told = examiner()(table, catalog, values_of(pairs, "key"), versions, whole, progress)
    if as_json:
        click.echo(json.dumps(found.data, indent=1))
    else:
        _tell(table, found)
    if graph is not None:
        _write(graph, found)
    return VIOLATED if found.counts else AS_EXPECTED


def _write(path: Path, found: Told) -> None:
    from reports.graphs.files import write_graph

    drawn = found.graph()
    write_graph(drawn, path)
    say(f"graph: {path} ({drawn.number_of_nodes()} nodes, {drawn.number_of_edges()} edges)")


def _tell(table: str, found: Told) -> None:
    width = terminal_width()
    lines = [f"{plain(table, 400)}: {found.counts or 'nothing found'}", ""]
    lines += [wrapped(line, width, following=HANGING) for line in found.findings]
    if found.findings:
        lines.append("")
    if found.history:
        lines += ["history, oldest first:", *found.history]
    lines += [wrapped(f"note: {note}", width, following="  ") for note in found.notes]
    click.echo("\n".join(lines))
