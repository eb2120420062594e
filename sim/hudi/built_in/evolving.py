"""Hudi scenarios: writers that add columns to a table, and what others do to these.

Source: RFC-82; see `model.hudi.schemas`.
"""

from model.hudi import SHIPPED, coverage
from model.hudi.keys import SCHEMA_CONFLICTS
from model.hudi.variants import SCHEMA_BY_COMPLETION
from sim.hudi.build import EVERYTHING, PREFERRING, TWO_GROUPS, WRITES, Writers, race
from sim.hudi.statements import Cluster, Upsert

LOOKS = (*WRITES, "list")
"""A look at the timeline is a step: by it a writer knows the table's columns."""
UNCHECKED = (*PREFERRING, (SCHEMA_CONFLICTS, "false"))
ADDS: Writers = {"w1": [Upsert(((1, "A"),), columns=("b",))], "w2": [Upsert(((2, "B"),))]}
BOTH: Writers = {"w1": [Upsert(((1, "A"),), columns=("b",))], "w2": [Upsert(((2, "B"),), columns=("c",))]}
SAME: Writers = {"w1": [Upsert(((1, "A"),), columns=("b",))], "w2": [Upsert(((2, "B"),), columns=("b",))]}
CLUSTERED: Writers = {"w1": [Upsert(((3, "A"),), columns=("b",))], "w2": [Cluster()]}

EVOLVING = (
    race(
        "schema-older-instant",
        "A write adds a column, and one with a newer instant, which does not, is committed before it: both are "
        "acknowledged, and the column is not in the table.",
        ADDS,
        rules=SHIPPED,
        options=PREFERRING,
        groups=TWO_GROUPS,
        yield_points=LOOKS,
        properties=EVERYTHING,
        broken="table-invariants",
        pair="schema-by-completion",
    ),
    race(
        "schema-by-completion",
        "The same where a table has the columns of the write that was completed last: each column that was "
        "acknowledged is there.",
        ADDS,
        rules=SCHEMA_BY_COMPLETION,
        options=PREFERRING,
        groups=TWO_GROUPS,
        yield_points=LOOKS,
        properties=EVERYTHING,
        counters=(coverage.COLUMNS_TAKEN, coverage.COLUMN_MISSED, coverage.COMMITTED),
        pair="schema-older-instant",
    ),
    race(
        "schema-unchecked",
        "Two writes add a column each, and columns are not compared before a commit: both are acknowledged, and one "
        "of the columns is not in the table.",
        BOTH,
        rules=SHIPPED,
        options=UNCHECKED,
        groups=TWO_GROUPS,
        yield_points=LOOKS,
        properties=EVERYTHING,
        broken="table-invariants",
        pair="schema-checked",
    ),
    race(
        "schema-checked",
        "The same where they are compared, as by default: the second one is refused.",
        BOTH,
        rules=SHIPPED,
        options=PREFERRING,
        groups=TWO_GROUPS,
        yield_points=LOOKS,
        properties=EVERYTHING,
        counters=(coverage.COLUMNS_IN_CONFLICT, coverage.COLUMN_MISSED, coverage.COMMITTED),
        pair="schema-unchecked",
    ),
    race(
        "schema-same",
        "Two writes add the same column: neither is refused, and it is there.",
        SAME,
        rules=SHIPPED,
        options=PREFERRING,
        groups=TWO_GROUPS,
        yield_points=LOOKS,
        properties=(*EVERYTHING, "all-writes-commit"),
        counters=(coverage.NO_CONFLICT, coverage.COMMITTED),
    ),
    race(
        "schema-clustering",
        "A write adds a column, and clustering that began before it was committed is committed after it: the table has "
        "the columns that it had when the clustering began.",
        CLUSTERED,
        rules=SHIPPED,
        options=PREFERRING,
        yield_points=LOOKS,
        properties=EVERYTHING,
        broken="table-invariants",
        pair="schema-clustering-by-completion",
    ),
    race(
        "schema-clustering-by-completion",
        "The same where clustering says nothing of a table's columns: the column is there.",
        CLUSTERED,
        rules=SCHEMA_BY_COMPLETION,
        options=PREFERRING,
        yield_points=LOOKS,
        properties=EVERYTHING,
        counters=(coverage.CLUSTERED, coverage.COMMITTED),
        pair="schema-clustering",
    ),
)
