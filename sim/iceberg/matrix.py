"""Iceberg's operations against each other, on the Java API as it is modelled, and on PyIceberg."""

from sim.iceberg.java_matrix import LEVELS, OPERATIONS, TABLES, cell
from sim.iceberg.matrix_reasons import why
from sim.iceberg.python.matrix import BESIDE
from sim.search.matrix import Matrix

MATRIX = Matrix(
    "iceberg",
    {name: words for name, (words, _) in OPERATIONS.items()},
    LEVELS,
    {name: table.words for name, table in TABLES.items()},
    ("2", "3", "1"),
    cell,
    why,
    (BESIDE,),
)
