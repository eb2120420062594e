"""What restores have taken back of a simulated race: a restore is a version that writes over what it took back.

It stands where its instant was drawn. Commits that completed before and are not on the timeline any more stay versions,
which somebody may have seen; of each row and slice that these wrote, the restore writes what would be there without
them. So a write that goes by a commit that is taken back, and is committed later, has missed a version, and what it
brings back is not what the last version wrote.

Choices: rows alone are recorded where somebody restores, and no slices: which slice a write merges with is settled when
it writes, and may be the one that is gone back to. What has been taken back is looked up when a restore ends, whatever
it ends with. The name of a restore's version is its instant, for it may stay without a completion time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from checkers.histories.history import FAIL
from checkers.histories.recorder import Name, Row
from model.hudi import RestoreClient
from model.hudi.names import text
from model.hudi.timeline import Instant, Timeline
from sim.hudi.table import targets_of, timeline_of, whole_of
from sim.world.simulation import Simulation

Pair = tuple[str, str | None]


class Wrote(NamedTuple):
    """A version that somebody has made, or may have: its instant, when it is seen, and what it wrote."""

    requested: int
    visible_at: int
    writes: Iterable[Pair]


def versions_of(rows: Iterable[Row]) -> list[tuple[str, Wrote]]:
    """What a recorder's rows say of versions, by name; the first one is the table's initial content."""
    found = []
    for row in rows:
        name = row[7]
        if row[1] != FAIL and isinstance(name, str) and name:
            requested, _, completed = name.partition("_")
            found.append((name, Wrote(int(requested), int(completed or requested), row[10])))
    return found


def undone(
    rows: Iterable[Row], asked: Mapping[int, Iterable[Pair]], seen: Timeline, restore: int, targets: Iterable[int]
) -> list[Pair] | None:  # fmt: skip
    """What a restore writes that has just ended, or been ended; None if no version has gone.

    Args: `rows`: a recorder's; `asked`: what writes would write that have asked for their commit and were not told, by
    instant; `seen`: all that is completed now, archived or not; `restore`: its instant; `targets`: what it was to take
    back, and was committed.
    """
    known = [wrote for _, wrote in versions_of(rows)]
    times = {each.requested: each.visible_at for each in seen.completed}
    known += [Wrote(instant, times.get(instant, instant), writes) for instant, writes in asked.items()]
    gone = frozenset(targets) - seen.completed_times
    if gone.isdisjoint([wrote.requested for wrote in known]):
        return None
    written: dict[str, str | None] = dict.fromkeys(
        [key for wrote in known if wrote.requested in gone for key, _ in wrote.writes]
    )
    end = max(restore, *[wrote.visible_at for wrote in known if wrote.requested in gone])
    for wrote in sorted(known, key=lambda each: each.visible_at):
        if wrote.requested in seen.completed_times and wrote.visible_at < end:
            written |= {key: value for key, value in wrote.writes if key in written}
    return list(written.items())


def with_undone(
    lineage: Iterable[Instant], rows: Iterable[Row], targets: Mapping[int, Iterable[int]]
) -> list[Name]:  # fmt: skip
    """The names of all versions in their order: those on the timeline, those that were taken back, and restores.

    A restore that was gone on with may have taken back what was committed since its instant; of two the later one has
    taken back what both were to. Args: `rows`: a recorder's; `targets`: what each restore was to take back.
    """
    order = {each.name: (each.visible_at, each.requested) for each in lineage}
    every = versions_of(rows)
    for name, wrote in every:
        if any(wrote.requested in each for each in targets.values()):
            order.setdefault(name, (wrote.visible_at, wrote.requested))
    there = {each.requested for each in lineage}
    taken_by = {target: restore for restore in sorted(targets) for target in targets[restore] if target not in there}
    for name, wrote in every:
        if name == text(wrote.requested):
            own = {target for target, restore in taken_by.items() if restore == wrote.requested}
            end = max([wrote.visible_at, *[each.visible_at for _, each in every if each.requested in own]])
            order[name] = end, wrote.requested
    return [*sorted(order, key=order.__getitem__)]


def restore_seen(seen: Timeline, targets: Mapping[int, Iterable[int]]) -> str | None:
    """The version of the last restore that a timeline shows as completed, if it shows no later commit.

    Args: `targets`: of each restore that took anything back.
    """
    newest = seen.newest
    for restore in reversed(seen.restores):
        taken = frozenset(targets.get(restore.requested, ()))
        later = newest is not None and newest.visible_at > restore.requested
        if restore.is_completed and taken and not later and not taken & seen.completed_times:
            return text(restore.requested)
    return None


# -- of a simulated race ---------------------------------------------------------------------------------------------

Taken = dict[int, list[int]]
"""What clients have taken back, by the restore that they went on with."""


def goes_on_from(client: object, taken: Taken) -> None:
    """Let a client that has restored know what those before it have taken back of the same restore, and add its own."""
    if isinstance(client, RestoreClient) and client.instant is not None:
        before = taken.setdefault(client.instant, [])
        before += client.taken
        client.taken = [*before]


def effect_of_restore(
    simulation: Simulation, layout: int, client: object, *, goes_on: bool = False
) -> dict[str, Any]:  # fmt: skip
    """What a restore that has ended has taken back, as a version of its own; nothing for another client, nor for one
    that another one `goes_on` with, whose version it will be."""
    if not isinstance(client, RestoreClient) or client.instant is None:
        return {}
    restores = timeline_of(simulation, layout).restores
    if goes_on and any(each.requested == client.instant and not each.is_completed for each in restores):
        return {}
    asked = {each[0]: each[1].writes for each in simulation.prepared.values() if isinstance(each, tuple)}
    rows, seen = simulation.record.rows, whole_of(simulation, layout)
    targets = {wrote.requested for _, wrote in versions_of(rows)}.intersection(
        targets_of(simulation, layout, client.instant)
    ).union(client.taken)
    writes = undone(rows, asked, seen, client.instant, targets)
    return {} if writes is None else {"commit": text(client.instant), "writes": writes}


def seen_of_restores(simulation: Simulation, layout: int, seen: Timeline) -> str | None:
    """As `restore_seen`."""
    targets = {each.requested: targets_of(simulation, layout, each.requested) for each in seen.restores}
    made = {wrote.requested for _, wrote in versions_of(simulation.record.rows)}
    for each in simulation.prepared.values():
        made.update(each.taken if isinstance(each, RestoreClient) else ())
    made -= whole_of(simulation, layout).completed_times
    return restore_seen(seen, {restore: made.intersection(each) for restore, each in targets.items()})


def targets_of_all(simulation: Simulation, layout: int) -> dict[int, tuple[int, ...]]:
    """What each restore was to take back."""
    restores = timeline_of(simulation, layout).restores
    return {each.requested: targets_of(simulation, layout, each.requested) for each in restores}
