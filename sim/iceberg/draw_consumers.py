"""Consumers beside a race of the Java API that was drawn without: one or two, each of whom reads what came since, or
what was; now and then beside somebody who puts manifests together, and removes one of the files.

Choices: drawn last, where it is asked for, on one table that is there; else the race is as usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sim.generation.draws import Draws
from sim.iceberg.draw_statements import Table
from sim.iceberg.draw_writers import Writers
from sim.iceberg.incremental import ReadAt, ReadSince
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.options import CALLS, INCREMENTAL
from sim.iceberg.workload import Append, RemoveWhere, Statement

KINDS = ("what came", "what came", "what was", "a ref")
REFS = ("b", "t", "main")
"""Those that are drawn where snapshots are managed, and main."""
WAYS: tuple[Literal["appends", "changes"], ...] = ("appends", "appends", "changes")


def with_consumers(draws: Draws, table: Table, writers: Writers, ages_h: Sequence[float], *, plain: bool) -> Writers:
    """Draw them. Args: `ages_h`: of the table's snapshots; `plain`: it is a race in which there may be any.

    Where other calls are asked for nothing is written down: draws before this one are left out there, which a replay
    makes.
    """
    if not plain or draws.pinned(CALLS.key) not in (None, INCREMENTAL):
        return writers
    if draws.told(CALLS.key, CALLS.values) != INCREMENTAL:
        return writers
    found = {name: list(todo) for name, todo in writers.items()}
    if draws.flag("clusters manifests"):
        first, second = table.new_row(), table.new_row()
        tidies: list[Statement] = [Append(first), Append(second), ClusterManifests("all"), RemoveWhere((first[0][0],))]
        found[draws.one_of("who clusters", list(found))] += tidies
    reads = draws.list_of("consumers", 1, 2, lambda _: draws.list_of("reads", 1, 2, lambda _: _one(draws, ages_h)))
    return found | {f"c{number}": todo for number, todo in enumerate(reads, 1)}


def _one(draws: Draws, ages_h: Sequence[float]) -> Statement:
    match draws.one_of("what is read", KINDS):
        case "what was" if ages_h and draws.flag("as of a time"):
            return ReadAt(age_h=float(draws.number("hours ago", 1, int(max(ages_h)) + 1)))
        case "what was":
            return ReadAt(back=draws.number("how far back", 0, 2))
        case "a ref":
            return ReadAt(draws.one_of("which ref", REFS))
    return ReadSince(draws.one_of("what came", WAYS))
