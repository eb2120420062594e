"""A compaction in several commits (`partial-progress.enabled`) in a race of Spark SQL that was drawn without.

Choices: it is drawn last, where it is asked for. The table has partitions then, or comes to have some, and more files
in some than in others, so that groups have an order, but where an INSERT OVERWRITE would have to write what they hold;
where procedures manage snapshots, or tables are dropped by SQL, a race is as usual. Now and then somebody expires
snapshots beside it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from sim.generation.draws import Draws
from sim.iceberg.checked_specs import changes_spec
from sim.iceberg.creating import InSql
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers, with_more
from sim.iceberg.managing import Expire, Managing
from sim.iceberg.sql_statements import RewriteInCommits
from sim.iceberg.workload import Insert, InsertOverwrite, Statement

WIDTHS = (2, 1, 3, 4)
COMMITS, FAILED, SOMETIMES = (10, 3, 2, 1), (None, 0, 1), (False, False, True)


def in_commits(draws: Draws, table: Table, writers: Writers, usual: dict[str, Any]) -> tuple[Writers, dict[str, Any]]:
    """Draw who compacts. What gives the table its files is put into the history. Args and returns: as `asked_last`."""
    done = [one for todo in (*writers.values(), table.history) for one in todo]
    if any(isinstance(one, InSql) or (isinstance(one, Managing) and not isinstance(one, Expire)) for one in done):
        return writers, usual
    if not any(isinstance(one, InsertOverwrite) for one in done):
        table.history += draws.list_of("files before", 1, 3, lambda _: Insert(table.new_row()))
    commits, failed = draws.one_of("commits", COMMITS), draws.one_of("may fail", FAILED)
    more: list[list[Statement]] = [[RewriteInCommits(commits, failed)]]
    if draws.one_of("expired beside it", SOMETIMES):
        more.append([Expire(1)])
    parted = usual["partition_width"] or changes_spec(done)
    further = usual if parted else {**usual, "partition_width": _width(table)}
    return with_more(writers, more), further


def _width(table: Table) -> int:
    """How many ids a partition has: so many that each has another number of files, if that can be."""
    written = [table.rows, *[one.rows for one in table.history if isinstance(one, Insert)]]

    def ordered(width: int) -> bool:
        counts = Counter([part for rows in written for part in dict.fromkeys([key // width for key, _ in rows])])
        return len(counts) > 1 and len(set(counts.values())) == len(counts)

    return next((width for width in WIDTHS if ordered(width)), WIDTHS[0])
