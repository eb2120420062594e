"""Ages of a table's snapshots, and statements that go by them, drawn for a race in which snapshots are managed.

It is the last draw, and a rare one: without it a race is what it was. A writer more does what is drawn. Half of the
clocks before the race were right; ages that count from now are no whole hours, so that no race is exactly as old.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.iceberg import retention
from model.iceberg.clock_rule import HOUR_MS
from model.iceberg.retention import MAX_REF_AGE, MAX_SNAPSHOT_AGE, MIN_TO_KEEP
from sim.generation.draws import Draws
from sim.iceberg.ages import ExpireOlder, OfTimes, Retain, RollBackToTime
from sim.iceberg.aging import snapshots_after
from sim.iceberg.draw.managing import TAG
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import MAIN, AppendTo, CreateRef
from sim.iceberg.statements import SetProperty

KINDS = ("expire by age", "roll back to a time", "set retention")
RARELY = (False, False, False, True)
APART_H = 2
SET_WRONG_H = (0, 0, 0, 0, 7, -5)
"""By how much a clock was wrong; the other way round for the head, which is ahead rarely."""
A_LITTLE_H = 0.01
MAKES = AppendTo | CreateRef
Ages = tuple[float, ...]


def with_ages(draws: Draws, table: Table, writers: Writers) -> tuple[Ages, Writers]:
    """Draw ages, and who goes by them; mostly there are none.

    Args: `writers`: those of the race by name, of which some manage. Returns: ages, and they, and one more.
    """
    if not draws.one_of("has ages", RARELY):
        return (), writers
    ages, oldest = ages_of(draws, table)
    refs = _refs(table)
    todo = draws.list_of("by age", 1, 3, lambda _: _drawn(draws, refs, oldest))
    if draws.flag("retains and expires"):
        todo = [_retained(draws, refs, oldest), *todo, expiry(draws, oldest)]
    if draws.one_of("ages in properties", RARELY):
        table.history.append(_property(draws, oldest))
        todo.append(ExpireOlder(None, None))
    return ages, {**writers, f"w{len(writers) + 1}": list(todo)}


def ages_of(draws: Draws, table: Table) -> tuple[Ages, int]:
    """Draw the ages of a table's snapshots. Returns: them, and how old the oldest one is if all clocks were right."""
    count = snapshots_after(table.history)
    right = [APART_H * (count - place) for place in range(count)]
    ages = [float(age + draws.one_of("clock was wrong", SET_WRONG_H)) for age in right]
    if ages[-1] < 0 and not draws.flag("head ahead"):
        ages[-1] = float(right[-1])
    return tuple(ages), APART_H * count


def a_little_ahead(draws: Draws, ages: Ages) -> Ages:
    """The ages, the head's a little ahead, if that is drawn: what is built on it is allowed to be older. It is a draw
    behind all others."""
    ahead = bool(ages) and ages[-1] >= 0 and draws.one_of("head a little ahead", RARELY)
    return (*ages[:-1], -A_LITTLE_H) if ahead else ages


def _refs(table: Table) -> tuple[str, ...]:
    """The refs that there are before the race; a tag that may not be there."""
    made = [one.branch if isinstance(one, AppendTo) else one.name for one in table.history if isinstance(one, MAKES)]
    return tuple(dict.fromkeys((MAIN, *made, TAG)))


def _drawn(draws: Draws, refs: Sequence[str], oldest: int) -> OfTimes:
    match draws.one_of("goes by age", KINDS):
        case "expire by age":
            return expiry(draws, oldest)
        case "roll back to a time":
            return RollBackToTime(float(draws.number("back to", 1, oldest)))
    return _retained(draws, refs, oldest)


def expiry(draws: Draws, oldest: int) -> ExpireOlder:
    """Draw what expires. Args: `oldest`: how old a snapshot may be, in hours."""
    return ExpireOlder(float(draws.number("older than", 1, oldest)), draws.number("keeps at least", 1, 2))


def _property(draws: Draws, oldest: int) -> SetProperty:
    match draws.one_of("said by a property", (MAX_SNAPSHOT_AGE, MIN_TO_KEEP, MAX_REF_AGE)):
        case retention.MIN_TO_KEEP:
            return SetProperty(MIN_TO_KEEP, str(draws.number("kept by a property", 2, 3)))
        case name:
            return SetProperty(name, str(draws.number("most by a property", 1, oldest) * HOUR_MS + HOUR_MS // 2))


def _retained(draws: Draws, refs: Sequence[str], oldest: int) -> Retain:
    name = draws.one_of("retained", refs)
    most = draws.number("most", 1, oldest) + 0.5
    match draws.one_of("says", ("keep", "snapshots", "itself")):
        case "keep":
            return Retain(name, keep=draws.number("keeps of a ref", 2, 3))
        case "snapshots":
            return Retain(name, max_snapshot_age_h=most)
    return Retain(name, max_ref_age_h=most)
