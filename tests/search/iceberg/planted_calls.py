"""What was planted in further calls of the Java API, and in tables that are drawn of PyIceberg alone;
and what its catalogs lose of whole tables."""

from collections.abc import Iterator, Mapping

from sim.iceberg.generate import GENERATOR
from tests.mutants.iceberg_ancestry import ANCESTRY
from tests.mutants.iceberg_manage_several import SEVERAL_CHANGES, UNSET
from tests.mutants.iceberg_picked_partitions import PICKED_PARTITIONS
from tests.mutants.iceberg_schema import SCHEMA
from tests.mutants.pyiceberg_tables import OF_PYTHON_TABLES
from tests.search.iceberg.own_catalogs import of_names
from tests.search.planted import Planted

CALLS_WHERE: Mapping[str, str] = {
    **dict.fromkeys([mutant.name for mutant in (*SEVERAL_CHANGES, *PICKED_PARTITIONS)], "Java API, snapshots managed"),
    **dict.fromkeys([mutant.name for mutant in ANCESTRY], "Java API"),
}
"""The configurations of those that are among `tests.mutants.iceberg.MUTANTS`."""
OF_COLUMNS = "a property about columns: no row shows what they are called, or where they are"
OF_PROPERTIES = "a property about a table's properties: no row shows them"
CONFIGURATIONS: Mapping[str, str] = {
    **dict.fromkeys([mutant.name for mutant in SCHEMA], "Java API"),
    **dict.fromkeys([mutant.name for mutant in OF_PYTHON_TABLES], "PyIceberg, other tables"),
    "unset-stays": "Java API",
    "removals-not-sent": "Java API, REST catalog",
}
ABSENT: Mapping[str, str] = {
    **dict.fromkeys([mutant.name for mutant in SCHEMA], OF_COLUMNS),
    **dict.fromkeys([mutant.name for mutant in UNSET], OF_PROPERTIES),
}


def of_calls() -> Iterator[Planted]:
    """Each of them."""
    for mutant in (*SCHEMA, *UNSET, *OF_PYTHON_TABLES):
        missing = ABSENT.get(mutant.name, "")
        yield Planted(mutant.name, GENERATOR, (CONFIGURATIONS[mutant.name],), None, mutant, missing=missing)
    yield from of_names()
