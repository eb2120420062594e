"""`lakeproof report`: write the HTML report of a stored run anew, beside the old one, or one page over many runs."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import click

from checkers.histories.storage import placed
from lakeproof.errors import AS_EXPECTED, UsageProblem
from lakeproof.folder import LATEST, LIVE, RECORD, REPORT
from lakeproof.inputs import read_run
from reports.errors import RecordError
from reports.pages.html import page
from reports.record import Live, parse, read_record

INDEX, CAMPAIGN = "index.html", "campaign.json"


@click.command(name="report")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path),
              help="Where to; by default the next free report-N.html or index-N.html in the folder.")  # fmt: skip
def report_verb(runs: tuple[Path, ...], out: Path | None) -> int:
    """Write the report of RUN, a run folder, from what is stored there, and print its path; of several run folders, or
    of folders that have some below them, one page that leads to all reports. A campaign's folder: as `campaign report`.
    """
    if len(runs) == 1 and (runs[0] / CAMPAIGN).is_file():
        return _campaign(runs[0], out)
    if len(runs) == 1 and not _has_runs_below(runs[0]):
        stored = read_run(runs[0])
        text, path = page(stored.record, stored.history, stored.live), out or _free_name(runs[0], REPORT)
    else:
        path = out or _free_name(runs[0], INDEX)
        text = _index(runs, path)
    try:
        with placed(path) as part:
            part.write_text(text, encoding="utf-8")
    except FileExistsError:
        raise UsageProblem(f"report {path}: expected a name that is free, got one that exists") from None
    except OSError as error:
        raise UsageProblem(f"report {path}: expected a place that can be written, got {error.strerror}") from None
    click.echo(path)
    return AS_EXPECTED


def _campaign(folder: Path, out: Path | None) -> int:
    if out is not None:
        raise UsageProblem(f"report {folder}: expected no --out for a campaign, whose reports are in its folder")
    from lakeproof.campaigns.carry_out import opened_campaign, report_on
    from lakeproof.campaigns.tell import tell_campaign

    return tell_campaign(report_on(opened_campaign(folder)))


def _has_runs_below(folder: Path) -> bool:
    return folder.is_dir() and not (folder / RECORD).exists() and next(_folders(folder), None) is not None


def _folders(folder: Path) -> Iterator[Path]:
    """The run folders in this one, it included, by name; `latest` is no other one."""
    for place, below, files in os.walk(folder):
        below[:] = sorted(name for name in below if name != LATEST)
        if RECORD in files:
            yield Path(place)


def _index(folders: tuple[Path, ...], path: Path) -> str:
    """The page over all runs in these folders. Raises: `UsageProblem` if one has none."""
    from reports.pages.index import StoredRun, index_page

    found, unreadable = [], []
    for folder in folders:
        below = list(_folders(folder))
        if not below:
            raise UsageProblem(f"run {folder}: expected a run folder, or a folder that has some below it, got neither")
        for run in below:
            try:
                record = read_record(run / RECORD)
                live = parse(run / LIVE, Live) if (run / LIVE).is_file() else None
            except RecordError as error:
                unreadable.append(str(error))
                continue
            report = run / REPORT
            link = quote(os.path.relpath(report, path.parent)) if report.is_file() else ""
            found.append(StoredRun(run.name, link, record, live))
    newest_first = sorted(found, key=lambda run: run.folder, reverse=True)
    return index_page(sorted(newest_first, key=lambda run: run.record.scenario), unreadable)


def _free_name(folder: Path, name: str) -> Path:
    stem = name.removesuffix(".html")
    names = [folder / name, *(folder / f"{stem}-{number}.html" for number in range(2, 1_000))]
    return next((path for path in names if not path.exists()), names[-1])
