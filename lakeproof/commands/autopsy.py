"""`lakeproof autopsy`: what went wrong with a real Iceberg table, by its files. Nothing is written."""

import json

import click

from checkers.iceberg.autopsy.judge import Autopsy
from checkers.text import plain
from lakeproof.errors import AS_EXPECTED, VIOLATED, BadInput, UsageProblem, one_line
from lakeproof.tables import terminal_width, wrapped
from lakeproof.talk import progress

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
def autopsy_verb(
    table: str, catalog: str | None, pairs: tuple[str, ...], versions: int, whole: bool, as_json: bool
) -> int:
    """Read what is left of a damaged Iceberg TABLE: commits that vanished, who overwrote whom, files that are gone or
    that nobody needs, numbers out of order. TABLE is a folder, a metadata file, or a name with --catalog.

    Exits 0 if nothing is found, 1 if something is, 65 if it is no Iceberg table.
    """
    found = _examined(table, catalog, _given(pairs), versions)
    if as_json:
        from reports.iceberg.autopsy import as_data

        click.echo(json.dumps(as_data(table, found), indent=1))
    else:
        _tell(table, found, whole)
    return VIOLATED if found.findings else AS_EXPECTED


def _given(pairs: tuple[str, ...]) -> dict[str, str]:
    given: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key or key in given:
            raise UsageProblem(f"--set {plain(pair)}: expected KEY=VALUE, each key once")
        given[key] = value
    return given


def _examined(table: str, catalog: str | None, properties: dict[str, str], versions: int) -> Autopsy:
    """Find, read and judge the table. Raises: UsageProblem, BadInput."""
    from checkers.iceberg.autopsy.judge import autopsy
    from real_backend.iceberg.autopsy.errors import NoTable, NothingThere
    from real_backend.iceberg.autopsy.find import at_path, in_catalog
    from real_backend.iceberg.autopsy.read import read_table

    try:
        place = at_path(table, properties) if catalog is None else in_catalog(catalog, table, properties)
        return autopsy(read_table(place, versions, progress))
    except NothingThere as error:
        raise UsageProblem(one_line(error)) from None
    except NoTable as error:
        raise BadInput(one_line(error)) from None


def _tell(table: str, found: Autopsy, whole: bool) -> None:
    from reports.iceberg.autopsy import LONGEST_HISTORY, counts, finding_lines, history_lines

    width = terminal_width()
    lines = [f"{plain(table, 400)}: {counts(found.findings) or 'nothing found'}", ""]
    lines += [wrapped(line, width, following=HANGING) for line in finding_lines(found.findings)]
    if found.findings:
        lines.append("")
    if found.rows:
        lines += ["history, oldest first:", *history_lines(found.rows, None if whole else LONGEST_HISTORY)]
    lines += [wrapped(f"note: {note}", width, following="  ") for note in found.notes]
    click.echo("\n".join(lines))
