"""What a write finds on the real table when it starts, as the files show it, and where a workload's rows are there."""

from collections.abc import Iterable, Mapping

import pyarrow.parquet as parquet

from model.hudi.bucket_index import bucket_named, bucket_of
from model.hudi.config import HudiConfig
from model.hudi.names import BaseFile
from real_backend.errors import BackendError
from real_backend.gating.histories import joined
from real_backend.hudi.client import Located, Record
from real_backend.hudi.live_run import Seen
from real_backend.hudi.table import LiveTable
from real_backend.hudi.taken_back import newest_of
from sim.hudi.statements import Cluster, ReadingFirst, Replacing, Restore, Write
from sim.hudi.workload import HudiWorkload
from sim.hudi.writes import ids_of, replaced_by

ELSE = ""


def seen_by(
    statement: Write, table: LiveTable, workload: HudiWorkload, config: HudiConfig, instant: str | None
) -> Seen:  # fmt: skip
    """What a write that starts now finds. Args: `instant`: its own; the plan of a clustering says what it takes."""
    newest = newest_of(table, restored=workload.has(Restore))
    if isinstance(statement, Replacing) and config.merge_on_read:
        return _replaced(statement, newest, table, workload)
    rows, replaces = statement.rows, isinstance(statement, Replacing | Cluster)
    bases, values, keys = [], dict[str, str](), {str(key) for key, _ in rows}
    asked = records(partitions_of(workload), rows)
    partitions = [partition for _, partition, _ in asked]
    if config.appends_to_buckets:  # it looks at no row
        rows, partitions = (), []
    if isinstance(statement, Replacing | Cluster):
        partitions = list(replaced_by(statement, workload.where))
    planned = table.planned(instant) if isinstance(statement, Cluster) and instant else None
    for partition in dict.fromkeys(partitions):
        for file in table.visible(partition):
            if planned is not None and file.file_id not in planned:
                continue
            content = parquet.read_table(table.path / partition / file.name, columns=["id", "v"])
            held = dict(zip(content["id"].to_pylist(), content["v"].to_pylist(), strict=True))
            values |= held
            merges = not config.merge_on_read and (
                bool(keys & set(held)) or _is_written(partition, file, asked, config)
            )
            bases += [(file.file_id, str(file.instant))] if replaces or merges else []
    blind = values if config.merge_on_read else {}  # a row that a file holds is changed unread
    told = tuple((str(key), values.get(str(key))) for key, _ in rows if str(key) not in blind)
    return Seen(newest, tuple(bases), told, tuple(values) if isinstance(statement, Replacing) else ())


def read_by(
    statement: ReadingFirst, table: LiveTable, workload: HudiWorkload, config: HudiConfig
) -> tuple[Seen, tuple[Located, ...]]:
    """What an UPDATE or a DELETE that begins now reads of its rows, with what log files hold, and in which file groups
    that is: a row is where a base file has it."""
    asked = [str(key) for key in ids_of(statement)]
    rows, unreadable = table.rows()
    if rows is None:
        raise BackendError(f"expected rows, got: {unreadable}")
    values = {key.removeprefix("row:"): value for key, value in joined(rows).items()}
    told = tuple([(key, values[key]) for key in asked if key in values])
    found, places = partitions_of(workload), list[Located]()
    for partition in dict.fromkeys([found[key] for key in asked if key in values]):
        for file in table.visible(partition):
            held = parquet.read_table(table.path / partition / file.name, columns=["id"])["id"].to_pylist()
            own = [key for key in asked if key in held and key in values]
            places += [(key, partition, file.file_id, str(file.instant)) for key in own]
    return Seen(newest_of(table, restored=False), (), told, ()), tuple(places)


def _is_written(partition: str, file: BaseFile, asked: Iterable[Record], config: HudiConfig) -> bool:
    """Whether a file is of a bucket to which some of these records are written."""
    if not config.bucketed:
        return False
    own = bucket_named(partition, file.file_id, config)
    return any(bucket_of(where, ((key, value),), config) == own for key, where, value in asked)


def _replaced(statement: Replacing, newest: str | None, table: LiveTable, workload: HudiWorkload) -> Seen:
    """What an overwrite or a deletion takes the place of, with what log files hold."""
    rows, unreadable = table.rows(partitions=replaced_by(statement, workload.where))
    if rows is None:
        raise BackendError(f"expected rows, got: {unreadable}")
    told = tuple([(key.removeprefix("row:"), value) for key, value in joined(rows).items()])
    return Seen(newest, (), told, tuple(dict(rows)))


def partitions_of(workload: HudiWorkload) -> dict[str, str]:
    """The partition of each initial key: one for each file group; of new ones that have their own; of every
    other key under `ELSE`."""
    pairs = zip(workload.groups, workload.apart, strict=True)
    new = {str(key): name for key, name in workload.elsewhere}
    return {ELSE: workload.apart[0], **new} | {str(key): name for (_, rows), name in pairs for key, _ in rows}


def records(partitions: Mapping[str, str], rows: tuple[tuple[int, str], ...]) -> tuple[Record, ...]:
    """Rows as Hudi's records: a new key goes where the workload's first group is."""
    return tuple((str(key), partitions.get(str(key), partitions[ELSE]), value) for key, value in rows)
