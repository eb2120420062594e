"""A campaign on the terminal: what was searched, what failed, and how to replay it."""

from __future__ import annotations

import click

from lakeproof.campaigns.carry_out import PAGE, Done
from lakeproof.errors import AS_EXPECTED, UNKNOWN, VIOLATED
from reports.campaign import CampaignRecord, Cluster
from reports.pages.campaign import chance, headline
from reports.pages.text import folded
from sim.world.words import counted

MOST = 20


def code_of(record: CampaignRecord) -> int:
    """The exit code of a campaign: 1 if anything is new or differs, 2 if nothing can be said of a configuration, or if
    a live sample was asked for and nothing was replayed."""
    if record.new or record.differing:
        return VIOLATED
    nothing_live = record.replays is not None and not record.replays.replayed
    return UNKNOWN if record.missing or not record.scenarios or nothing_live else AS_EXPECTED


def tell_campaign(done: Done) -> int:
    """Print what came of a campaign; the commands that replay what is new come last. Returns: its exit code."""
    record = done.record
    lines = [f"campaign {record.name}: {headline(record)}; this is no proof"]
    for one in record.searched:
        bound = f"; the next one breaks: at most {chance(one.breaks_bound)}" if one.breaks_bound is not None else ""
        size = f"{counted(one.scenarios, 'scenario')}, {counted(one.schedules, 'schedule')}"
        lines.append(f"  {one.protocol} {one.name}: {one.verdict} ({size}{bound})")
    lines += [f"  nothing can be said of {reason}" for reason in record.missing]
    lines += [text for one in record.clusters[:MOST] for text in _cluster_lines(one)]
    if len(record.clusters) > MOST:
        lines.append(f"  and {counted(len(record.clusters) - MOST, 'more cause')}, see the report")
    if record.replays is not None:
        lines.append(f"  live: {record.replays.replayed:,} replayed, {len(record.differing)} DIFFER")
        lines += [f"  not replayed, {number}: {reason}" for reason, number in (record.replays.skipped or {}).items()]
    click.echo("\n".join(map(folded, lines)))
    click.echo(f"report: {done.report / PAGE}")
    for command in [*(one.command for one in record.new), *(one.command for one in record.differing)]:
        click.echo(command)
    return code_of(record)


def _cluster_lines(one: Cluster) -> list[str]:
    known = f"known: {one.known}" if one.known else "NEW"
    live = "" if one.live is None else f"; live on {one.live.system}: {'agrees' if one.live.agrees else 'DIFFERS'}"
    lines = [f"  {known}: {one.protocol}: {one.cause} ({counted(one.failures, 'failure')}{live})"]
    if one.error:
        lines.append(f"    {one.error.splitlines()[0]}")
    return lines
