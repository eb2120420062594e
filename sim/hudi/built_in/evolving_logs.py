"""Hudi scenarios: writers that add columns to a merge-on-read table, or to one whose metadata table lists its files.

A log file has the columns of its writer. A compaction says that the table has those that it had when its files were
begun, as clustering does, and is compared with nobody for it.

Source: RFC-82; see `model.hudi.schemas`; `HoodieCompactor.compact` (1.2.0).
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import SCHEMA_BY_COMPLETION
from sim.hudi.build import EVERYTHING, PREFERRING, TWO_GROUPS, Writers, race
from sim.hudi.built_in.evolving import ADDS, BOTH, LOOKS
from sim.hudi.built_in.merge_on_read import MERGED
from sim.hudi.built_in.metadata_tables import LISTED_BY
from sim.hudi.listed import LISTING
from sim.hudi.statements import Compact, Upsert

OF_LOGS: dict[str, Any] = {"options": (*PREFERRING, *MERGED), "groups": TWO_GROUPS, "properties": EVERYTHING}
COMPACTED: Writers = {"w1": [Upsert(((2, "B"),)), Upsert(((1, "A"),), columns=("b",))], "w2": [Compact()]}

EVOLVING_LOGS = (
    race(
        "schema-logs-older-instant",
        "A write adds a column by a log file, and one with a newer instant, which does not, is committed before it: "
        "both are acknowledged, and the column is not in the table.",
        ADDS,
        rules=SHIPPED,
        yield_points=LOOKS,
        **OF_LOGS,
        broken="table-invariants",
        pair="schema-logs-checked",
    ),
    race(
        "schema-logs-checked",
        "Two writes of log files add a column each: the second one is refused.",
        BOTH,
        rules=SHIPPED,
        yield_points=LOOKS,
        **OF_LOGS,
        counters=(coverage.COLUMNS_IN_CONFLICT, coverage.COLUMN_MISSED, coverage.COMMITTED, coverage.LOG_WRITTEN),
        pair="schema-logs-older-instant",
    ),
    race(
        "schema-compaction",
        "A write adds a column, and a compaction that began before it was committed is committed after it: the table "
        "has the columns that it had when the compaction began.",
        COMPACTED,
        rules=SHIPPED,
        yield_points=LOOKS,
        **OF_LOGS,
        broken="table-invariants",
        pair="schema-compaction-by-completion",
    ),
    race(
        "schema-compaction-by-completion",
        "The same where a compaction says nothing of a table's columns: the column is there.",
        COMPACTED,
        rules=SCHEMA_BY_COMPLETION,
        yield_points=("create", "write", "try_lock"),
        **OF_LOGS,
        counters=(coverage.COMPACTED, coverage.COMMITTED),
        pair="schema-compaction",
    ),
    race(
        "schema-metadata",
        "A write adds a column, one with a newer instant is committed before it, and a metadata table lists the files: "
        "the column is not in the table.",
        ADDS,
        rules=SHIPPED,
        options=(*PREFERRING, LISTED_BY),
        groups=TWO_GROUPS,
        yield_points=LOOKS,
        properties=(*EVERYTHING, *LISTING),
        broken="table-invariants",
        pair="schema-by-completion",
    ),
)
