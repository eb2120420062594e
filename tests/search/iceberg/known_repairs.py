"""What would mend findings of the page of known defects that no rules of the model mend: patches of the model, of its
services, and of PyIceberg.

Each is what another system does, or a neighbour in the same one: the Hive catalog without a lock compares the
location; HDFS refuses to rename to what is there; a folder can be listed; MERGE with `WHEN MATCHED` validates what it
has read; a server may commit several tables at once, as REST specifies it.

Choices: a patch is for the scenario that shows the defect, and the page says for how many schedules it has held.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyiceberg.catalog.hive import HiveCatalog
from pyiceberg.exceptions import CommitFailedException, ValidationException
from pyiceberg.table import Transaction
from pyiceberg.table.update.snapshot import _FastAppendFiles

from model.iceberg.errors import ValidationFailed
from model.iceberg.files import Rows
from model.iceberg.metastore import LOCATION, HiveOperations
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.plans import Planned, any_of, as_reads
from model.iceberg.replace_table import ReplaceTransaction
from model.iceberg.result import CommandResult
from model.iceberg.scan import read_rows
from model.iceberg.several_servers import SERVERS, at_once
from model.iceberg.spark import SparkSql
from model.iceberg.spark_changes import merge
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_data_files
from model.ports import CasLost, NumberedVersion
from sim.iceberg import several_race
from sim.iceberg.python.metastore import Connection
from sim.services.folder_tables import FolderTables
from tests.mutants.damage import replaced
from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant

_commit = FolderTables._commit
_load = FolderTables._load
_upsert = Transaction.upsert


def _compares_under_the_lock(self: HiveOperations, base: str | None, _: object) -> tuple[str, str] | None:
    return None if base is None else (LOCATION, base)


def _renames_to_what_is_free(
    self: FolderTables, name: str, number: int, value: Any, hints: bool, made: int | None
) -> int:
    if number in dict(self._folder(name).versions):
        raise CasLost(f"table {name}: expected no version {number}, there is one")
    return _commit(self, name, number, value, hints, made)


def _lists_the_folder(self: FolderTables, name: str, known: int | None) -> NumberedVersion:
    """What a hint misses is looked for among all files."""
    folder = self._folders.get(name)
    if known is None and folder is not None and folder.versions and folder.hint not in dict(folder.versions):
        return _load(self, name, max(number for number, _ in folder.versions))
    return _load(self, name, known)


def _replaces_what_it_has_seen(self: ReplaceTransaction) -> None:
    self._intend()
    self._base = self._table.ops.refresh()
    if self._base.current_snapshot_id != self._begun.current_snapshot_id:
        raise ValidationFailed(f"replace table: expected {self._begun.current_snapshot_id} to be current still")
    self._table.ops.commit(self._current, replaces=self._begun)


def _validates_what_is_missing(self: SparkSql, table: IcebergTable, rows: Rows) -> CommandResult:
    """As MERGE does that has `WHEN MATCHED`: nobody may have added what it has not found."""
    metadata = self._scan_again(table)
    change = merge(rows, "nothing", inserts=True)
    found = tuple([row for row in read_rows(table.files, metadata) if row[0] in change.ids])
    missing = change.missing(found)
    start = metadata.current_snapshot_id
    update = OverwriteFiles(table)
    for file in write_data_files(table, missing) if missing else ():
        update.add_file(file)
    update.validate_from_snapshot(start)
    update.conflict_detection_filter(any_of(change.ids))
    update.validate_no_conflicting_data()
    return self._run(table, Planned(update, CommandResult(start, reads=as_reads(found, *change.ids), writes=missing)))


def _notes_that_it_has_read(self: Transaction, *arguments: Any, **options: Any) -> Any:
    self._has_upserted = True  # type: ignore[attr-defined]
    return _upsert(self, *arguments, **options)


def _refuses_what_an_upsert_has_not_seen(self: Any) -> None:
    window = self._commit_window
    if getattr(self._transaction, "_has_upserted", False) and window is not None and not window.is_empty():
        raise ValidationException("Found commits that the upsert has not seen")


def _alters_if_it_is_as_expected(
    self: Connection, dbname: str, tbl_name: str, new_tbl: Any, environment_context: Any
) -> None:
    """As metastores from 4.0 on do. Source: HIVE-26882."""
    expected = environment_context.properties
    pair = (expected["expected_parameter_key"], expected["expected_parameter_value"])
    try:
        self._asked(self._world.metastore.alter_table, f"{dbname}.{tbl_name}", new_tbl.parameters, pair)
    except CasLost as error:
        raise CommitFailedException(str(error)) from error


_EXPECTS = edited(
    "", "", (HiveCatalog, "commit_table", (
        "properties={DO_NOT_UPDATE_STATS: DO_NOT_UPDATE_STATS_DEFAULT}", """properties={
                            DO_NOT_UPDATE_STATS: DO_NOT_UPDATE_STATS_DEFAULT,
                            "expected_parameter_key": "metadata_location",
                            "expected_parameter_value": current_table.metadata_location,
                        }""",
    )),
)  # fmt: skip
KNOWN_REPAIRS: Mapping[str, Mutant] = {
    "iceberg/hive-lock-pause": replaced(
        "locked-alters-compare", HiveOperations, "_expected", _compares_under_the_lock, "the location decides, too",
    ),
    "iceberg/hadoop-replacing-append-append": replaced(
        "renames-refuse", FolderTables, "_commit", _renames_to_what_is_free, "a number is taken once",
    ),
    "iceberg/hadoop-pruned-hint": replaced(
        "folders-are-listed", FolderTables, "_load", _lists_the_folder, "a hint is only one",
    ),
    "iceberg/replace-table-append": replaced(
        "replaces-what-it-has-seen", ReplaceTransaction, "_attempt", _replaces_what_it_has_seen, "others are seen",
    ),
    "iceberg/together-one-by-one-append": replaced(
        "server-commits-at-once", several_race, "SERVERS", {**SERVERS, "one by one": at_once}, "all of it, or none",
    ),
    "iceberg/merge-missing-serializable": replaced(
        "missing-is-validated", SparkSql, "_insert_missing", _validates_what_is_missing, "who inserts has read, too",
    ),
    "pyiceberg/upsert-upsert": Mutant(
        "upserts-are-validated", "an upsert that is retried has to have seen what is there",
        ((Transaction, "upsert", _notes_that_it_has_read),
         (_FastAppendFiles, "_validate_concurrency", _refuses_what_an_upsert_has_not_seen)),
    ),
    "pyiceberg/hive-append-slow": Mutant(
        "pyiceberg-alters-compare", "the metastore compares the location",
        (*_EXPECTS.patches, (Connection, "alter_table_with_environment_context", _alters_if_it_is_as_expected)),
    ),
}  # fmt: skip
"""By the known finding that each is of."""
