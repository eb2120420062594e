"""`lakeproof report`: write the HTML report of a stored run anew, beside the old one."""

from pathlib import Path

import click

from lakeproof.errors import AS_EXPECTED, UsageProblem
from lakeproof.folder import REPORT
from lakeproof.inputs import read_run
from reports.pages.html import page


@click.command(name="report")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), help="Where to; by default the next free report-N.html in the folder."
)
def report_verb(run: Path, out: Path | None) -> int:
    """Write the report of RUN, a run folder, from what is stored there, and print its path."""
    stored = read_run(run)
    text = page(stored.record, stored.history, stored.live)
    path = out if out is not None else _free_name(run)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageProblem(f"report {path}: expected a name that is free, got one that exists") from None
    except OSError as error:
        raise UsageProblem(f"report {path}: expected a place that can be written, got {error.strerror}") from None
    click.echo(path)
    return AS_EXPECTED


def _free_name(folder: Path) -> Path:
    stem = REPORT.removesuffix(".html")
    names = [folder / REPORT, *(folder / f"{stem}-{number}.html" for number in range(2, 1_000))]
    return next((path for path in names if not path.exists()), names[-1])
