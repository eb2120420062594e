"""What writers do to one Iceberg table, as data: the simulator and the live backend interpret the same objects.

The table is `(id int, v string)`; its first data file holds `rows`. Values are unique per row, so that a value read
back names the statement that wrote it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from model.iceberg import TableProperties
from model.iceberg.formats import FORMAT
from model.iceberg.partitioning import Field, Transform
from model.iceberg.spark_target import MAIN_ALONE, Target
from model.iceberg.tables import REPLACING, Catalog
from sim.iceberg.aging import refuse_ages
from sim.iceberg.before import BEFORE
from sim.iceberg.beside_sql import EXPECTED, check_mixed
from sim.iceberg.checked_fields import unlike_rows
from sim.iceberg.checked_layout import check_layout
from sim.iceberg.checked_specs import changes_spec, check_alters, check_buckets, check_specs
from sim.iceberg.checked_tables import check_absence, check_alone, check_pruned, check_swept, check_unlocked
from sim.iceberg.checked_workload import (
    PRUNES,
    TABLE_PROPERTIES,
    check_catalog,
    check_format,
    check_properties,
    check_statement,
    check_writers,
    has_deletes,
    properties_of,
    wrong,
)
from sim.iceberg.contents import content_after, files_after
from sim.iceberg.creating import InSql, OfTables, is_absent
from sim.iceberg.equality import ByEquality, DeleteWhere, Upsert
from sim.iceberg.managing import Expire, Managing, ReplaceTable, is_managed
from sim.iceberg.on_branch import check_target, target_in_words
from sim.iceberg.sql_statements import (
    AlterPartitionField,
    Delete,
    Insert,
    InsertOverwrite,
    Merge,
    RemoveOrphanFiles,
    RewriteDataFiles,
    RewriteManifests,
    RewritePositionDeletes,
    Select,
    Sql,
    Truncate,
    Update,
    named,
    sql_text,
)
from sim.iceberg.statement_words import describe, tried_again
from sim.iceberg.statements import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    Copy,
    DeleteRow,
    JavaApi,
    Operation,
    Overwrite,
    RemoveFile,
    RemoveWhere,
    Replace,
    ReplacePartitions,
    Rows,
    Scan,
    SetProperty,
    Statement,
    Transaction,
    UpdateSpec,
)
from sim.iceberg.table_words import in_words, merging_in_words, partitions_in_words, properties_in_words, sent_in_words
from sim.services.register import Keys

__all__ = [
    "FORMAT", "TABLE_PROPERTIES",
    "AddColumn", "AlterPartitionField", "Append", "ByEquality", "Catalog", "ChangeRow", "Compact", "Copy", "Delete",
    "DeleteRow", "DeleteWhere", "IcebergWorkload", "Insert", "InsertOverwrite", "JavaApi", "Merge", "Operation",
    "Overwrite", "RemoveFile", "RemoveOrphanFiles", "RemoveWhere", "Replace", "ReplacePartitions", "RewriteDataFiles",
    "RewriteManifests", "RewritePositionDeletes", "Rows", "Scan", "Select", "SetProperty", "Sql", "Statement",
    "Transaction", "Truncate", "Update", "UpdateSpec", "Upsert", "describe", "has_deletes", "sql_text", "tried_again",
]  # fmt: skip

CATALOGS: Mapping[str, str] = {
    "rest": "REST catalog",
    "java-api": "Java API",
    "jdbc": "Java API on a JDBC catalog",
    "hadoop": "Java API on a Hadoop catalog",
    REPLACING: "Java API on a Hadoop catalog whose renames replace what is there",
    "hive-lock": "Hive catalog with its lock",
    "hive-no-lock": "Hive catalog without its lock",
}
MANAGED_ON = ("java-api", "rest", "jdbc", "hadoop")
CHOICES: Mapping[str, Collection[str | None]] = {
    "mode": ("merge-on-read", "copy-on-write"),
    "isolation": ("snapshot", "serializable"),
    "update_mode": ("merge-on-read", "copy-on-write", None),
    "update_isolation": ("snapshot", "serializable", None),
    "catalog": tuple(CATALOGS),
    "keys": get_args(Keys),
    "partition_transform": get_args(Transform),
}


@dataclass(frozen=True, slots=True)
class IcebergWorkload:
    """One race on one table.

    Args: `writers`: actor name and its statements, run one after the other; `rows`: the first data file (one a
    partition); `partition_width`: the table is partitioned by `truncate[width](id)`, 0: it is not; in SQL, by what
    `partition_transform` says, too: `bucket[width](id)`; `history`: what was done to the table before, one after the
    other, of the statements in `BEFORE`; `mode`, `isolation`: of DELETE, MERGE and UPDATE, but for UPDATE where
    `update_mode`, `update_isolation` say another thing of it; `keys`: how a catalog that honours idempotency keys keeps
    them (`sim.services.register`); `retries`: from 0; `tries`: how often a SQL statement is sent again that was refused
    for certain (from 0); `table_properties`: further properties of the table, of those in `TABLE_PROPERTIES`; `ages_h`:
    how many hours before the race each snapshot was made, oldest first (`sim.iceberg.aging`), (): the table has no
    times; `cached`: the writers whose REST catalog caches the table once they have loaded it (`cache-enabled`);
    `unlocked`: those whose Hive catalog takes no lock where the others' do (`iceberg.engine.hive.lock-enabled`);
    `target`: the branch that statements of SQL read and write (`sim.iceberg.on_branch`).

    Raises: `ValueError` if that is no workload, naming the argument.
    """

    writers: tuple[tuple[str, tuple[Statement, ...]], ...]
    rows: Rows = ((1, "a"), (2, "b"))
    history: tuple[Statement, ...] = ()
    mode: Literal["merge-on-read", "copy-on-write"] = "merge-on-read"
    isolation: Literal["snapshot", "serializable"] = "snapshot"
    retries: int = 3
    idempotency: bool = False
    keys: Keys = "kept"
    catalog: Catalog = "rest"
    table_properties: tuple[tuple[str, str], ...] = ()
    update_mode: Literal["merge-on-read", "copy-on-write"] | None = None
    update_isolation: Literal["snapshot", "serializable"] | None = None
    tries: int = 0
    partition_width: int = 0
    ages_h: tuple[float, ...] = ()
    cached: tuple[str, ...] = ()
    partition_transform: Transform = "truncate"
    unlocked: tuple[str, ...] = ()
    target: Target = MAIN_ALONE

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise wrong(name, " or ".join([one for one in known if one]), getattr(self, name))
        for name in ("retries", "tries", "partition_width"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise wrong(name, "a number from 0", number)
        if not self.rows or not all(isinstance(row, tuple) and len(row) == 2 for row in self.rows):
            raise wrong("rows", "at least one (id, value)", self.rows)
        if expected := unlike_rows(self.rows):
            raise wrong("rows", expected, self.rows)
        check_writers(self.writers)
        before, names = BEFORE[self.in_sql]
        for one in self.history:
            for step in one.steps if isinstance(one, Transaction) else ():
                if not isinstance(step, before):
                    raise wrong("history: transaction", names, step)
            if not isinstance(one, before):
                raise wrong("history", names, one)
            check_statement("history", one)
        check_absence(self.history, self.writers)
        if self.tries and not self.in_sql:
            raise wrong("tries", "0 for the Java API", self.tries)
        sent = self._sent
        beside = any(isinstance(one, Managing) and not isinstance(one, OfTables | ReplaceTable) for one in sent)
        if self.catalog not in MANAGED_ON and (beside or (is_managed(self.writers) and self.in_sql)):
            raise wrong("catalog", f"{' or '.join(MANAGED_ON)} for statements that manage snapshots", self.catalog)
        check_alone(self.catalog, sent, self.writers)
        check_catalog(self.catalog, sent)
        check_properties(self.table_properties)
        check_pruned(dict(self.table_properties), self.catalog, sent)
        self._check_partitions()
        check_swept(self.catalog, sent)
        if self.cached and not (self.in_sql and self.catalog == "rest" and set(self.cached) <= set(self.actors)):
            raise wrong("cached", "writers of Spark SQL on catalog rest", self.cached)
        check_unlocked(self.unlocked, self.catalog, self.actors)
        check_target(self.target, self.catalog, self.cached, sent, self.history)
        timed = self.catalog == "rest" or (not self.in_sql and self.catalog in MANAGED_ON)
        refuse_ages(self.ages_h, sent, self.history, possible=timed, makes=self.catalog == "java-api")
        on_read = self.in_sql and "merge-on-read" in (self.mode, self.update_mode)
        check_format(self.format_version, sent, self.history, on_read)
        check_mixed(sent, {name: getattr(self, name) for name in EXPECTED})

    def _check_partitions(self) -> None:
        """Raise `ValueError` for partitions where they are not simulated."""
        done = [*self.history, *self._sent]
        check_specs(done, self.format_version)
        check_alters(self.first_field, self.history, self._sent)
        check_layout(done, self.catalog)
        check_buckets(self.partition_transform, self.partition_width, in_sql=self.in_sql)
        if not self.has_partitions:
            return
        if self.catalog not in (*MANAGED_ON, REPLACING):
            raise wrong("partition_width", "0 on a Hive catalog", self.partition_width)
        managed = any(isinstance(one, Managing) and not isinstance(one, Expire) for one in done)
        if managed and self.catalog != "java-api" and not self.target.branch:
            raise wrong("partition_width", "0 where more than expiry manages snapshots", self.partition_width)

    @property
    def first_field(self) -> Field | None:
        """The partition field that the table is made with."""
        return Field(self.partition_transform, self.partition_width) if self.partition_width else None

    @property
    def has_partitions(self) -> bool:
        """Whether the table has partitions, or may come to have some."""
        return bool(self.partition_width) or changes_spec([*self.history, *self._sent])

    def catalog_of(self, actor: str) -> Catalog:
        """The catalog as an actor goes to it."""
        return "hive-no-lock" if actor in self.unlocked else self.catalog

    @property
    def is_absent(self) -> bool:
        """Whether there is no table when the race begins."""
        return is_absent(self.history)

    @property
    def prunes(self) -> bool:
        """Whether old metadata files are deleted: who has loaded one before the race would not get far with it."""
        return PRUNES in dict(self.table_properties)

    @property
    def loads_late(self) -> bool:
        """Whether statements load the table when they are sent, and not before the race."""
        return self.is_absent or self.prunes

    @property
    def actors(self) -> tuple[str, ...]:
        """The writers' names, in order."""
        return tuple(name for name, _ in self.writers)

    @property
    def in_sql(self) -> bool:
        """Whether the writers speak SQL, procedures too; else they call the Java API."""
        return any(isinstance(one, Sql | InSql) for _, statements in self.writers for one in statements)

    @property
    def properties(self) -> TableProperties:
        """The table's properties as the model knows them."""
        return TableProperties(commit_retry_num_retries=self.retries, **properties_of(self.table_properties))

    @property
    def format_version(self) -> int:
        """The table's format."""
        return int(dict(self.table_properties).get(FORMAT, "2"))

    @property
    def files(self) -> tuple[Rows, ...]:
        """The rows of each data file when a race of the Java API begins."""
        return files_after((self.rows,), self.history, self.partition_width, self.format_version)

    @property
    def content(self) -> Rows:
        """The rows of the table when the race begins."""
        if self.in_sql:
            return content_after(self.rows, self.history)
        return tuple(row for rows in self.files for row in rows) if self.history else self.rows

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of all rows that statements of SQL may find."""
        return tuple(dict.fromkeys([*[key for key, _ in self.content], *named(self._sent)]))

    @property
    def overwrites_dynamically(self) -> bool:
        """Whether an INSERT OVERWRITE is of partitions: `spark.sql.sources.partitionOverwriteMode` of the session."""
        return any(isinstance(one, InsertOverwrite) and one.dynamic for one in self._sent)

    @property
    def bounds(self) -> str:
        """What a verdict on this workload is limited to."""
        made = files_after((self.rows,), (), self.partition_width, transform=self.partition_transform)
        files = len(made if self.in_sql else self.files)
        table = in_words(self.writers, files, self.retries, self.format_version)
        table += sent_in_words(len(self.history) if self.in_sql else 0, self.tries)
        table += partitions_in_words(self.first_field)
        table += "; no table" if self.is_absent else ""
        table += f", snapshots made {', '.join([f'{age:g}' for age in self.ages_h])} h before" if self.ages_h else ""
        table += properties_in_words(self.table_properties) + target_in_words(self.target)
        caches = f"{' and '.join(self.cached)} caching the table" if self.cached else "no catalog cache"
        merging = merging_in_words(dict(self.table_properties), changes_spec([*self.history, *self._sent]))
        beside = f", {' and '.join(self.unlocked)} without" if self.unlocked else ""
        return f"{table}, {CATALOGS[self.catalog]}{beside}; {caches}{merging}"

    @property
    def _sent(self) -> list[Statement]:
        return [one for _, statements in self.writers for one in statements]
