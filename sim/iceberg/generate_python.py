"""Generated races of PyIceberg."""

from __future__ import annotations

from collections.abc import Sequence

from sim.generation.draws import Draws
from sim.generation.generator import Settings, promised
from sim.iceberg import pyiceberg
from sim.iceberg.draw import pyiceberg as draw_pyiceberg
from sim.iceberg.draw.python_alone import of_python_alone
from sim.iceberg.draw.python_branches import of_python_branches
from sim.iceberg.draw.python_names import of_python_names
from sim.iceberg.draw.python_own_rows import of_own_rows
from sim.iceberg.draw.python_specs import of_python_specs
from sim.iceberg.draw.python_tables import of_python_tables
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import words_of, writers_of
from sim.iceberg.facts import facts_of
from sim.iceberg.options import DELETE_LEVEL, RETRIES, UPDATE_LEVEL
from sim.iceberg.promises import PROMISES
from sim.world.scenario import FaultSpace, Scenario

OF_TABLES = ("readable", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update", "snapshot-isolation")
"""What is asked where whole tables are made and dropped: a catalog says by itself what it finds."""
IN_BRANCHES = ("no-lost-update", "snapshot-isolation")
"""What is asked of branches, too: whoever moves, removes or publishes one asserts that it is as it was."""


def in_python(draws: Draws, table: Table, settings: Settings, faults: FaultSpace) -> Scenario:
    """Draw the rest of a race. Args: `settings`: what was drawn of its user's; `faults`: what may fail."""
    kinds = draw_pyiceberg.kinds_of(draws)
    history = draw_pyiceberg.history_of(draws, table, kinds)
    writers = writers_of(draws, faults, lambda _: draw_pyiceberg.statement(draws, table, kinds))
    own = draw_pyiceberg.beneath(draws, faults)
    alone = of_python_alone(draws, table)
    if alone is not None:
        (writers, history), own = alone, draw_pyiceberg.Beneath(own.catalog, FaultSpace())
    specs = of_python_specs(draws, table)
    if specs is not None:
        writers, history, own = specs.writers, [], draw_pyiceberg.Beneath(own.catalog, FaultSpace())
    branches = of_python_branches(draws, table)
    if branches is not None:
        (writers, history), specs, own = branches, None, draw_pyiceberg.Beneath(own.catalog, FaultSpace())
    start = None if alone or specs or branches else of_python_tables(draws, table)
    if start is not None:
        writers, history = start.writers, start.history
        own = draw_pyiceberg.Beneath(own.catalog, FaultSpace())
    rows = of_own_rows(draws, table)
    if rows is not None:
        (writers, history), specs, start, own = rows, None, None, draw_pyiceberg.Beneath(own.catalog, FaultSpace())
    names = of_python_names(draws, table)
    if names is not None:
        writers, history, own = names.writers, names.history, draw_pyiceberg.Beneath(names.catalog, FaultSpace())
        specs = start = rows = branches = None
    facts = facts_of(tuple(writers.values()), (), settings, own.faults)
    promises = promised(PROMISES, {**settings, **facts})
    promises = (*promises, *IN_BRANCHES) if branches or rows else promises
    asked = pyiceberg.known_of(own.catalog, promises, tuple(writers.values()))
    asked = OF_TABLES if names else asked
    levels = [(one.key, settings[one.key]) for one in (DELETE_LEVEL, UPDATE_LEVEL)]
    return pyiceberg.race(
        "generated", words_of(writers), writers, retries=int(settings[RETRIES.key]), faults=own.faults,
        properties=asked, history=tuple(history), catalog=own.catalog, steps=own.steps,
        table_properties=(*([*start.properties] if start else []), *_told(levels)),
        rows=() if start and start.empty else pyiceberg.INITIAL,
        loaded=specs is not None, partitioned=specs.partitioned if specs else "",
    )  # fmt: skip


def _told(levels: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The levels that a table's properties have to say."""
    return [(key, level) for key, level in levels if level != DELETE_LEVEL.values[0]]
