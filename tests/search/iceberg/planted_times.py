"""What was planted in ages of snapshots, and in what consumers are told: where each is looked for."""

from collections.abc import Mapping

from tests.mutants.iceberg_incremental import BY_NAME as INCREMENTAL
from tests.mutants.iceberg_specs import IN_SQL
from tests.mutants.iceberg_sql_reads import BY_NAME as SQL_READS

OF_PROPERTIES = ("properties-of-ages-ignored", "properties-go-first", "older-than-an-hour", "gc-not-asked")
OF_AGES = (
    "named-beside-nothing-old", "refs-never-too-old", "no-tolerance", "walk-goes-on", "pasts-unreferenced",
    "unreferenced-stay", "tags-keep-their-past", "time-itself-is-older", *OF_PROPERTIES,
)  # fmt: skip
TIMES_WHERE: Mapping[str, str] = {
    **dict.fromkeys(OF_AGES, "Java API, snapshots managed"), **dict.fromkeys(INCREMENTAL, "Java API, consumers"),
    **dict.fromkeys(SQL_READS, "consumers"), "tags-are-not-pinned": "JDBC catalog, consumers",
    **dict.fromkeys(("equal-rows-are-one", "rows-of-one-id-allowed"), "consumers of rows alike"),
    **dict.fromkeys([mutant.name for mutant in IN_SQL], "default"),
}  # fmt: skip
