"""A campaign from the question to the report: searched, made small, replayed live where asked for, told.

A report is a folder of its own below the campaign's, so one that is made anew overwrites none:

    FOLDER/reports/UTC-N/report.html junit.xml summary.md metrics.json
    FOLDER/reports/UTC-N/01-iceberg-readable-gone/   the run folder of the first cause
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lakeproof.campaigns.asked import Asked
from lakeproof.campaigns.clusters import clusters_of
from lakeproof.campaigns.gather import gather
from lakeproof.campaigns.line import Line
from lakeproof.campaigns.replays import differing, finish_all, replayed_clusters, sample
from lakeproof.errors import UsageProblem, one_line
from lakeproof.folder import RunFolder, new_folder
from lakeproof.live import live_systems
from lakeproof.replay_line import program
from lakeproof.talk import progress, say
from real_backend.pipeline.campaign import search
from real_backend.pipeline.folder import Folder, opened
from real_backend.pipeline.schema import SmallestRow
from real_backend.pipeline.shrinking import BUDGET, shrink_causes, smallest
from real_backend.pipeline.waves import Engine, InProcess
from reports.campaign import CampaignRecord, Replays
from reports.pages.campaign import campaign_page, campaign_summary, rows_of
from reports.pages.junit import junit
from reports.record import dump

IN_PROCESS = "process"
LEAST_RUNS, ALL_RUNS = 500, 400_000
"""How many runs making a failure small takes at the least, and all of them together, if they are not so many."""
PAGE, JUNIT, SUMMARY, METRICS, REPORTS = "report.html", "junit.xml", "summary.md", "metrics.json", "reports"


@dataclass(frozen=True, slots=True)
class Done:
    """A campaign that was carried out: its `record`, and the folder of its report."""

    record: CampaignRecord
    report: RunFolder


def carry_out(asked: Asked, path: Path, *, master: str, resume: bool, live: int | None = None) -> Done | None:
    """Search what is asked for into the folder `path`, and report it. Returns: None if Ctrl-C ended the search.

    Raises: `UsageProblem` for a folder that cannot be; `BackendUnavailable` if there is no Spark.
    """
    line = Line()
    with engine_of(master) as engine:
        try:
            found = search(path.absolute(), asked.plan, engine, seconds=asked.seconds, resume=resume, tell=line.tell)
        except ValueError as error:
            raise UsageProblem(one_line(error)) from None
        finally:
            line.end()
        if found.interrupted:
            return None
        made_small(opened(path), engine)
    return report_on(opened(path), asked.live if live is None else live)


def made_small(folder: Folder, engine: Engine) -> list[SmallestRow]:
    """One small failure of each cause: those that are kept, if they are of all failures, else made anew."""
    kept = smallest(folder.path)
    failures = folder.read("failures", ("protocol", "property", "anomaly", "operations", "faults")).to_pylist()
    if sum(one.failures for one in kept) == len(failures):
        return kept
    rough = len({str(row) for row in failures})
    budget = max(LEAST_RUNS, min(BUDGET, ALL_RUNS // rough))
    with progress("making failures small") as advance:
        return shrink_causes(folder.path, engine, budget=budget, tell=lambda done, of: advance(1))


def report_on(folder: Folder, live: int = 0) -> Done:
    """Make the report of a campaign from what is kept of it, with a live sample of so many scenarios."""
    causes = made_small(folder, InProcess())
    report = new_folder(folder.path, REPORTS)
    with progress("telling what failed"):
        clusters = clusters_of(causes, report.path)
    replays = None
    if live:
        with live_systems() as systems:
            clusters = replayed_clusters(clusters, systems, live)
            done = sum(one.live is not None for one, _ in clusters)
            with progress("replaying live", live - done) as advance:
                more = sample(folder, systems, live - done, report.path, advance)
        replays = Replays(live, done + more.replayed, (*differing(clusters), *more.differing), more.skipped)
    finish_all(clusters)
    command = shlex.join([program(), "campaign", "report", str(folder.path)])
    record = gather(folder, tuple([one for one, _ in clusters]), replays, command)
    report.write(PAGE, campaign_page(record))
    report.write(JUNIT, junit(rows_of(record)))
    report.write(SUMMARY, campaign_summary(record))
    report.write(METRICS, dump(record))
    report.point_latest()
    return Done(record, report)


@contextmanager
def engine_of(master: str) -> Iterator[Engine]:
    """What runs slices: Spark at `master`, or this process."""
    if master == IN_PROCESS:
        yield InProcess()
        return
    from real_backend.pipeline.spark import on_spark  # only who asks for Spark waits for it

    say(f"starting Spark at {master} ...")
    with on_spark(master) as engine:
        yield engine


def opened_campaign(path: Path) -> Folder:
    """The campaign in a folder. Raises: `UsageProblem` if there is none."""
    try:
        return opened(path)
    except ValueError as error:
        raise UsageProblem(one_line(error)) from None
