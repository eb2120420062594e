"""Specs and schemas that a table has no more, in the place of a race of the Java API that has been drawn already: who
appends by one beside an expiry that cleans it away, and who then looks into what is left; or who replaces a table whose
spec has been changed.

Choices: drawn where it is asked for, but not beside a change of the format; a schema that goes over REST alone, where
an append may be committed under one that the table has not; a replacement in memory alone, as no other catalog has one
of a table with partitions here.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.columns import AddTyped, RenameColumn
from sim.iceberg.creating import CreateTable
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import Expire
from sim.iceberg.options import CATALOG, FORMAT
from sim.iceberg.statements import AddColumn, Append, RemoveWhere, Scan, SetProperty, Statement, UpdateSpec, steps_of

SPEC, SCHEMA, REPLACED = "a spec", "a schema", "by a new table"
OLDER, NEWER = 16, 32
"""How many ids a partition has by a spec that goes, and by the next one: more than any that is drawn else."""
CLEANS = Expire(1, cleans_metadata=True)


def with_given_up(draws: Draws, table: Table, writers: Writers, settings: Settings) -> Writers:
    """Other writers; what is given up is put into the history."""
    done = steps_of(*[one for todo in (*writers.values(), table.history) for one in todo])
    if any(isinstance(one, SetProperty) and one.name == FORMAT.key for one in done):
        return writers
    schemas = (SCHEMA, SCHEMA) if settings[CATALOG.key] == "rest" else ()
    replaced = (REPLACED,) if settings[CATALOG.key] == "in-memory" else ()
    kind = draws.one_of("given up", (SPEC, SPEC, *replaced, *schemas))
    appends: list[Statement] = [Append(table.new_row(), merge=draws.flag("given up beside a merge append"))]
    if kind == SCHEMA:
        table.history.append(AddTyped("x", "long"))
        changes: tuple[Statement, ...] = (AddColumn("y"), RenameColumn("x", "y"))
        changed = draws.one_of("schema changed by", changes)
        return {"w1": [*appends, Scan(draws.one_of("scanned", (2, 1)))], "w2": [changed, CLEANS]}
    table.history.append(UpdateSpec(OLDER))
    if kind == REPLACED:
        return {"w1": appends, "w2": [CreateTable(table.new_row(), replaces=True)]}
    there = table.rows[0][0] if draws.flag("looks for a row") else table.new_row()[0][0]
    return {"w1": appends, "w2": [UpdateSpec(NEWER), CLEANS, RemoveWhere((there,))]}
