"""A campaign for people: one page, rows for JUnit, a Markdown summary.

Choices: the page says "nothing found" and never "holds": what was not drawn was not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from reports.campaign import CampaignRecord, Cluster, Searched
from reports.pages.html import MAX_ROWS, diagram_of, style, template, told
from reports.pages.summary import ResultRow
from reports.pages.text import explanation, live_remarks
from reports.pictures.chart import draw, inline_svg
from sim.search.study import Chart, Table
from sim.world.words import counted

BADGES = {"violated": "violated", "unknown": "unknown", "nothing found": "holds"}
KINDS, CAUSES = "kinds of pairs of accesses", "causes of failures"
MAX_CLUSTERS = 60


def campaign_page(record: CampaignRecord) -> str:
    """The page: self-contained, without script or network."""
    return template("campaign.html.j2").render(
        record=record, css=style(), headline=headline(record), growth=growth(record), badges=BADGES,
        clusters=[_shown(one) for one in record.clusters[:MAX_CLUSTERS]],
        more=max(0, len(record.clusters) - MAX_CLUSTERS), chance=chance, counted=counted, rows=MAX_ROWS,
        never={name: kinds for name, kinds in record.faults_never.items() if kinds},
    )  # fmt: skip


def headline(record: CampaignRecord) -> str:
    """What came of it, in one line."""
    size = f"{counted(record.scenarios, 'generated scenario')}, {counted(record.schedules, 'schedule')}"
    known = len(record.clusters) - len(record.new)
    found = [f"{counted(len(record.new), 'new cause')} of failures"] if record.new else []
    found += [f"{known} known"] if known else []
    found += [f"{counted(len(record.differing), 'live replay')} that differ"] if record.differing else []
    return f"{size}: {', '.join(found) if found else 'nothing broke'}"


def chance(value: float) -> str:
    """A chance for people: "1 in 270"."""
    return "0" if value <= 0 else f"1 in {1 / value:,.0f}" if value < 0.5 else f"{value:.0%}"


def growth(record: CampaignRecord) -> Markup:
    """How coverage and causes grew with the schedules, as a picture; nothing if there is nothing to draw."""
    rows = tuple([(one.protocol, one.schedules, one.kinds, one.causes) for one in record.grown])
    if len(rows) < 2:
        return Markup("")
    table = Table("How coverage grew", ("protocol", "schedules", KINDS, CAUSES), rows)
    return Markup(inline_svg(draw(table, Chart("schedules", (KINDS, CAUSES), "protocol")).svg))


def _shown(cluster: Cluster) -> dict[str, Any]:
    """A cluster with its picture and its sentences, in their colours."""
    found, live = cluster.record, cluster.live
    if found is None:
        return {"cluster": cluster, "diagram": Markup(""), "least": 0, "sentences": [], "remarks": ()}
    diagram, least = diagram_of(found)
    return {
        "cluster": cluster, "diagram": diagram, "least": least, "sentences": told(found),
        "remarks": live_remarks(live) if live else (),
    }  # fmt: skip


def rows_of(record: CampaignRecord) -> list[ResultRow]:
    """The rows of JUnit: one a configuration, then one a cause of failures, then one a live replay that differs.

    A configuration fails if it met a new cause; a known one is no failure.
    """
    return [*(_row(record, one) for one in record.searched), *map(_cluster_row, record.clusters), *_differing(record)]


def _row(record: CampaignRecord, one: Searched) -> ResultRow:
    new = [each for each in record.new if each.protocol == one.protocol and one.name in each.configurations]
    code = 1 if new else 2 if one.verdict == "unknown" else 0
    standing = f"{counted(len(new), 'new cause')}" if new else "only known causes" if one.failed else one.verdict
    said = f"{standing} ({counted(one.scenarios, 'scenario')}, {counted(one.schedules, 'schedule')})"
    return ResultRow(
        f"{one.protocol} {one.name}", "nothing new", one.verdict, code, standing, said, one.schedules, one.cpu_s,
        new[0].command if new else record.command, one.missing or said,
    )  # fmt: skip


def _cluster_row(one: Cluster) -> ResultRow:
    standing = f"known: {one.known}" if one.known else "new"
    text = explanation(one.record, one.live) if one.record is not None else one.error
    schedules = one.record.search.schedules if one.record is not None else 0
    return ResultRow(
        f"{one.protocol}: {one.cause}", "nothing new", "violated", 0 if one.known else 1, standing,
        f"{standing}: {counted(one.failures, 'failure')} in {', '.join(one.configurations)}", schedules, 0.0,
        one.command, text,
    )  # fmt: skip


def _differing(record: CampaignRecord) -> Iterator[ResultRow]:
    for one in record.differing:
        text = "\n".join(one.differences)
        said = f"the live system DIFFERS: {one.differences[0] if one.differences else ''}"
        yield ResultRow(f"live: {one.scenario}", "agrees", "violated", 1, "DIFFERS", said, 1, 0.0, one.command, text)


def campaign_summary(record: CampaignRecord) -> str:
    """The campaign as Markdown, for a CI job's page."""
    return "\n".join([f"# Campaign {_cell(record.name)}", "", f"**{headline(record)}**", "", *_tables(record)]) + "\n"


def _tables(record: CampaignRecord) -> Iterator[str]:
    yield (
        "| configuration | verdict | scenarios | schedules | every schedule of | fail | next one breaks (95 %) "
        "| shows something new |"
    )
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for one in record.searched:
        bound = "" if one.breaks_bound is None else f"at most {chance(one.breaks_bound)}"
        cells = [
            f"{one.protocol} {one.name}", one.verdict, f"{one.scenarios:,}", f"{one.schedules:,}",
            f"{one.complete:,}", f"{one.failed:,}", bound, chance(one.new),
        ]  # fmt: skip
        yield f"| {' | '.join(map(_cell, cells))} |"
    if record.clusters:
        yield from ("", "| cause | | failures | live | replay |", "| --- | --- | ---: | --- | --- |")
    for each in record.clusters:
        known = f"known: {each.known}" if each.known else "**new**"
        live = "" if each.live is None else "agrees" if each.live.agrees else "DIFFERS"
        cells = [f"{each.protocol}: {each.cause}", known, f"{each.failures:,}", live, f"`{each.command}`"]
        yield f"| {' | '.join(map(_cell, cells))} |"
    if record.replays is not None:
        skipped = sum((record.replays.skipped or {}).values())
        yield f"\nLive: {record.replays.replayed:,} replayed, {len(record.differing)} differ, {skipped:,} not replayed."
        yield from (f"* DIFFERS: `{one.command}`: {_cell('; '.join(one.differences))}" for one in record.differing)


def _cell(text: str) -> str:
    return text.replace("<", "&lt;").replace("|", "\\|").replace("\n", " ")
