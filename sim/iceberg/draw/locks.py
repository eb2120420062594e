"""A Hive catalog whose lock not everybody takes, or that a table's property switches, drawn for a race of the Java API
that has been drawn already: what is drawn last, where it is asked for.

| what the table says | who takes no lock | who switches |
| --- | --- | --- |
| nothing | one client, by its catalog; or nobody | nobody; or one writer more |
| that all lock, or that nobody does | one client's catalog says so, or nobody's | one writer more, or nobody |

Choices: what was drawn of faults is left; now and then requests for the lock are not answered.
"""

from __future__ import annotations

from model.iceberg.metastore import LOCK_ENABLED
from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers, with_more
from sim.iceberg.in_hive import LOCK_FAULTS
from sim.iceberg.options import CALLS, CATALOG, HIVE_LOCK, OF_LOCKS, is_cached
from sim.iceberg.statements import Append, SetProperty, Statement, Transaction
from sim.world.scenario import FaultSpace

SAYS = ("nothing", "true", "false")
WHOSE_LOCK = "whose lock"
"""A parameter of a race where not everybody's catalog locks: what decides."""


def with_locks(
    draws: Draws, table: Table, writers: Writers, settings: Settings, faults: FaultSpace, plain: bool
) -> tuple[Writers, FaultSpace]:
    """Draw who locks, and what fails then, where it is asked for; it is noted at the table.

    Args: `plain`: by the Java API, and nobody makes tables or manages snapshots.
    """
    if not plain or settings[CATALOG.key] != "hive" or is_cached(settings):
        return writers, faults
    if draws.told(CALLS.key, CALLS.values) != OF_LOCKS:
        return writers, faults
    table.locks_drawn = True
    says = draws.one_of("the table says of its lock", SAYS)
    if says != "nothing":
        table.history.append(SetProperty(LOCK_ENABLED, says))
    switched = draws.flag("and it is switched")
    if settings[HIVE_LOCK.key] == "true" and not (switched and says == "nothing"):
        table.unlocked = (draws.one_of("who takes no lock", tuple(writers)),)
    if switched:
        writers = with_more(writers, [[_switch(draws, table, says)]])
    return writers, FaultSpace(LOCK_FAULTS, 1) if draws.flag("locks are not answered") else FaultSpace()


def _switch(draws: Draws, table: Table, says: str) -> Statement:
    value = draws.one_of("switched to", [value for value in SAYS[:0:-1] if value != says])
    switch = SetProperty(LOCK_ENABLED, value)
    return Transaction((switch, Append(table.new_row()))) if draws.one_of("and appends", (True, False)) else switch


def whose_lock(unlocked: tuple[str, ...], history: tuple[Statement, ...]) -> tuple[tuple[str, str], ...]:
    """The parameter, where not everybody's catalog locks."""
    says = any(isinstance(one, SetProperty) and one.name == LOCK_ENABLED for one in history)
    return ((WHOSE_LOCK, "the table's" if says else "each client's"),) if unlocked else ()
