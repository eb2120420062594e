"""Columns that clients of a live table add, and those that are not there in the end."""

import json

from real_backend.hudi.read_back import Completed
from real_backend.hudi.table import LiveTable
from sim.hudi.columns import evolves, gone
from sim.hudi.rows import FIRST_COLUMNS
from sim.hudi.statements import Upsert, Write
from sim.hudi.workload import HudiWorkload


def columns_of(statement: Write) -> tuple[str, ...]:
    """Those of the schema of a statement's client, beside the table's first ones."""
    return statement.columns if isinstance(statement, Upsert) else ()


def gone_columns(table: LiveTable, instants: tuple[Completed, ...], workload: HudiWorkload) -> tuple[str, ...]:
    """The columns that a completed write has and that Spark does not find, as `sim.hudi.columns` says it."""
    if not evolves(workload):
        return ()
    return tuple(gone([(one.requested, columns_in(one)) for one in instants], table.columns()))


def columns_in(one: Completed) -> tuple[str, ...]:
    """The columns of a completed instant's schema beside the table's first ones."""
    names = [str(field["name"]) for field in json.loads(one.schema)["fields"]] if one.schema else []
    return tuple([name for name in names if name not in FIRST_COLUMNS and not name.startswith("_hoodie")])
