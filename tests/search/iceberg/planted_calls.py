"""What was planted in further calls of the Java API, in tables that are drawn of PyIceberg alone, and in branches of
Spark SQL; and what PyIceberg's catalogs lose of whole tables."""

from collections.abc import Iterator, Mapping

from sim.iceberg.generate import GENERATOR
from tests.mutants.iceberg_ancestry import ANCESTRY
from tests.mutants.iceberg_manage_several import SEVERAL_CHANGES, UNSET
from tests.mutants.iceberg_partial_progress import PARTIAL_PROGRESS
from tests.mutants.iceberg_picked_partitions import PICKED_PARTITIONS
from tests.mutants.iceberg_schema import SCHEMA
from tests.mutants.pyiceberg_tables import OF_PYTHON_TABLES
from tests.search.iceberg.own_catalogs import of_names
from tests.search.planted import Planted, explained_by

CALLS_WHERE: Mapping[str, str] = {
    **dict.fromkeys([mutant.name for mutant in (*SEVERAL_CHANGES, *PICKED_PARTITIONS)], "Java API, snapshots managed"),
    **dict.fromkeys([mutant.name for mutant in ANCESTRY], "Java API"),
    **dict.fromkeys([mutant.name for mutant in PARTIAL_PROGRESS], "compactions in commits"),
    **dict.fromkeys(("branch-scan-is-of-main", "branch-change-goes-to-main", "pinned-scan-is-of-main"), "on a branch"),
    "added-beside-the-filter": "Java API, overwrites by filter",
    "set-and-unset": "Java API, refused calls",
}
"""The configurations of those that are among `tests.mutants.iceberg.MUTANTS`."""
KINDER = "a property that tells who is kinder: the mutant refuses less than what is shipped"
CALLS_MISSING: Mapping[str, str] = {
    "renamed-to-a-taken-name": "a promise about tags and branches: whose name is taken is asked of none",
    "refs-never-committed": "a promise about tags and branches: what is told of them is asked of none",
    "replacement-needs-forward": "a property that says whom a table refuses: to be refused loses nothing",
    "replaced-files-may-be-gone": "a file that an ancestor of the staged snapshot has and main has not, in partitions"
    " that did not change: the check of these refuses alone",
    **dict.fromkeys(("replacement-of-another-line", "set-and-unset", "added-beside-the-filter"), KINDER),
}
"""What is missing for a promise to tell some of these."""
LOST_ON_BRANCH = "iceberg/wap-branch-update-update"
OF_COLUMNS = "a property about columns: no row shows what they are called, or where they are"
OF_PROPERTIES = "a property about a table's properties: no row shows them"
CONFIGURATIONS: Mapping[str, str] = {
    **dict.fromkeys([mutant.name for mutant in SCHEMA], "Java API"),
    **dict.fromkeys([mutant.name for mutant in OF_PYTHON_TABLES], "PyIceberg, other tables"),
    "columns-of-one-name": "Java API, refused calls",
    **dict.fromkeys(("any-type-is-wider", "digits-are-lost", "scales-are-alike"), "Java API, types changed"),
    "types-keep-their-name": "Java API, REST catalog, specs given up",
    "types-not-asserted": "Java API, REST catalog, types changed",
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
    shows = explained_by(GENERATOR, LOST_ON_BRANCH, "shipped")
    yield Planted(LOST_ON_BRANCH, GENERATOR, ("on a branch, snapshot",), "shipped", shows=shows)
    yield from of_names()
