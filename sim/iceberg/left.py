"""What a run leaves of a table that its history does not tell: refs and what they say of ages, columns, properties,
sequence numbers and files.

The model's table and a real one are put in the same words; a snapshot is named by its place in the lineage, a file by
its rows, whose order in it is the writer's own affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from checkers.histories.recorder import Name
from model.iceberg.files import DATA, DELETED, DataFile, EqualityDeleteFile, ManifestEntry, Rows
from model.iceberg.manifest_bins import ManifestMerging
from model.iceberg.metadata import TableMetadata
from model.iceberg.partitioning import PartitionSpec
from model.iceberg.row_ids import inherited
from model.iceberg.sort_orders import Fields
from sim.iceberg.ages import retention_words
from sim.iceberg.creating import NO_TABLE
from sim.iceberg.heads import rows_of_refs
from sim.iceberg.kept_ids import Taken, identified, identified_words

Words = tuple[str, ...]


class Left(NamedTuple):
    """The model's table at the end of a run.

    Args: `metadata`: None if there is no table; `objects` are all files; `ordinals` the places of snapshots; `of_refs`:
    the rows of each ref are told, too.
    """

    metadata: TableMetadata | None
    objects: Mapping[str, Any]
    ordinals: Mapping[Name, int]
    of_refs: bool = False


def in_words(left: Left | None) -> Words | None:
    """The words for the model's table; None if it cannot be read."""
    if left is None:
        return None
    metadata = left.metadata
    if metadata is None:
        return (NO_TABLE,)
    try:
        files = list(_files(left.objects, metadata))
    except KeyError:  # a file is missing: what the reader of the table is told
        return None
    if left.of_refs:
        files += rows_of_refs(dict(left.objects), metadata)
    files += [f"{each.name} says: {retention_words(each)}" for each in metadata.retentions]
    numbers = {each.snapshot_id: each.sequence_number for each in metadata.snapshots}
    files.append(f"format {metadata.format_version}")
    if metadata.format_version > 2:
        files += row_ids_words(metadata.next_row_id, taken_by(metadata))
    files += _specs(metadata)
    orders = {order.order_id: order.fields for order in metadata.sort_orders.orders}
    files += orders_words(orders, metadata.sort_orders.default_id)
    moved = {
        each.sequence_number: each.manifest_list.startswith(f"{metadata.location}/") for each in metadata.snapshots
    }
    files += location_words(metadata.location, moved)
    files += [
        statistics_words(numbers.get(snapshot), file_name(path), of_partitions, path in left.objects)
        for snapshot, path, of_partitions in metadata.statistics
    ]
    files += last_column_words(metadata.last_column_id, len(metadata.columns))
    files += types_words(metadata.types)
    compared = len(metadata.partitioning.specs) > 1 or metadata.properties.merging != ManifestMerging()
    files += _manifests(left.objects, metadata) if compared else ()
    return words(
        dict(metadata.refs), numbers, left.ordinals, metadata.columns, dict(metadata.properties.further), files
    )


def sql_in_words(left: Left | None) -> Words | None:
    """The words for the specs and the manifests of the model's table, and in format 3 for the rows with their ids; None
    if it cannot be read."""
    if left is None or left.metadata is None:
        return None
    try:
        found = sorted(_manifests(left.objects, left.metadata))
        current = left.metadata.current if left.metadata.format_version > 2 else None
        rows = identified(left.objects, current) if current is not None else []
    except KeyError:
        return None
    return (*found, *_specs(left.metadata), *identified_words(rows, taken_by(left.metadata)))


def taken_by(metadata: TableMetadata) -> list[Taken]:
    """The row ids that each snapshot took."""
    return [(each.sequence_number, each.first_row_id, each.added_rows) for each in metadata.snapshots]


def _specs(metadata: TableMetadata) -> list[str]:
    known = metadata.partitioning
    return specs_words({spec.spec_id: _fields(spec) for spec in known.specs}, known.default_id, known.last_field_id)


def words(
    refs: Mapping[str, int], numbers: Mapping[int, int], ordinals: Mapping[Any, int], columns: tuple[str, ...],
    properties: Mapping[str, str], files: list[str],
) -> Words:  # fmt: skip
    """The words for a table. Args: `refs` and `numbers` (sequence numbers) are by snapshot."""
    return (
        *sorted(f"{name} is at {_place(snapshot, ordinals)}" for name, snapshot in refs.items()),
        f"snapshots have numbers {', '.join(map(str, sorted(numbers.values())))}",
        *(f"s{place} has number {numbers[one]}" for one, place in ordinals.items() if one in numbers),
        f"columns {', '.join(columns)}",
        *(f"property {name} = {properties[name]}" for name in sorted(properties)),
        *sorted(files),
    )


def _place(snapshot: int, ordinals: Mapping[Any, int]) -> str:
    return f"s{ordinals[snapshot]}" if snapshot in ordinals else "no version of the race"


def specs_words(specs: Mapping[int, Sequence[str]], default: int, last: int) -> list[str]:
    """The partition specs of a table that has several, as transforms of `id`. Args: `last`: the last field id."""
    if len(specs) < 2:
        return []
    told = [f"spec {number}: {', '.join(fields) or 'no fields'}" for number, fields in specs.items()]
    return [*told, f"default spec {default}", f"last partition field {last}"]


def orders_words(orders: Mapping[int, Fields], default: int) -> list[str]:
    """The sort orders of a table that has had one."""
    told = [f"sort order {number}: {_sorted_by(fields)}" for number, fields in orders.items()]
    return [*told, f"default sort order {default}"] if len(orders) > 1 else []


def _sorted_by(fields: Fields) -> str:
    return ", ".join([f"{name}{' descending' if down else ''}" for name, down in fields]) or "none"


def last_column_words(last: int, columns: int) -> list[str]:
    """The last field id of a table that has lost columns."""
    return [f"last column id {last}"] if last != columns else []


def types_words(types: Iterable[tuple[str, str]]) -> list[str]:
    """The types of columns that are numbers, and no `int`."""
    return [f"column {name} is a {of}" for name, of in types]


def location_words(folder: str, lists: Mapping[int, bool]) -> list[str]:
    """Where a table is that has been moved. Args: `lists`: whether the manifest list of each number is there."""
    there = [f"the list of number {number} is there" for number, moved in lists.items() if moved]
    return [f"location {folder}", *there] if folder else []


def statistics_words(number: int | None, name: str, of_partitions: bool, there: bool) -> str:
    """A statistics file. Args: `number`: that of its snapshot (None: the table has it not); `name`: the file's."""
    of = "a snapshot that is gone" if number is None else f"number {number}"
    return f"{'partition ' if of_partitions else ''}statistics of {of}: {name}{'' if there else ', whose file is gone'}"


def file_name(path: str) -> str:
    """The name that a statement has given to a statistics file."""
    return path.rpartition("/")[2].removesuffix(".stats")


def manifest_words(content: str, spec_id: int, added: int, existing: int, deleted: int) -> str:
    """A manifest of a table that has several specs, or merges manifests. Args: `content`: of data, or of deletes."""
    return f"manifest of {content} of spec {spec_id}: {added} added, {existing} existing, {deleted} deleted"


def of_spec(spec_id: int) -> str:
    """Words to add for a file that was written by a later spec than the table's first."""
    return f", of spec {spec_id}" if spec_id else ""


def row_ids_words(next_id: int, taken: Sequence[Taken]) -> list[str]:
    """The row ids of a table of format 3."""
    told = [f"number {number} took {rows} row ids from {first}" for number, first, rows in taken if first is not None]
    return [f"next row id {next_id}", *told]


def data_words(rows: Rows, number: int, first_row_id: int | None = None) -> str:
    """A data file. Args: `number`: its data sequence number; `first_row_id`: in format 3, if it has one."""
    of_rows = "" if first_row_id is None else f", row ids from {first_row_id}"
    return f"file {_rows(rows)}, number {number}{of_rows}"


def deletes_words(rows: Rows, positions: tuple[int, ...], number: int) -> str:
    """A delete file, or what it deletes of one data file, which has these `rows`."""
    gone = ", ".join(map(str, sorted(rows[position][0] for position in positions)))
    return f"delete of {gone} in file {_rows(rows)}, number {number}"


def equality_words(row_id: int, number: int) -> str:
    """An equality delete file, or what it deletes of one id."""
    return f"delete where id = {row_id}, number {number}"


def _rows(rows: Rows) -> str:
    return "(" + ", ".join(f"{key} = {value}" for key, value in sorted(rows)) + ")"


def _files(objects: Mapping[str, Any], metadata: TableMetadata) -> Iterator[str]:
    """The live files of the current snapshot. Raises: `KeyError` if one is missing."""
    current = metadata.current
    for manifest in objects[current.manifest_list] if current is not None else ():
        entries: tuple[ManifestEntry, ...] = objects[manifest.path]
        for entry in inherited(entries, manifest.first_row_id) if manifest.content == DATA else entries:
            if entry.status == DELETED:
                continue
            body = objects[entry.location]
            number = manifest.sequence_number if entry.sequence_number is None else entry.sequence_number
            if isinstance(entry.file, DataFile):
                yield data_words(body, number, entry.file.first_row_id) + of_spec(manifest.spec_id)
            elif isinstance(entry.file, EqualityDeleteFile):
                yield from [equality_words(row_id, number) + of_spec(manifest.spec_id) for row_id in body]
            else:
                of_vector = (entry.file.lower,) if entry.file.is_vector else None
                for path in of_vector or dict.fromkeys([path for path, _ in body]):
                    positions = tuple([position for of, position in body if of == path])
                    yield deletes_words(objects[path], positions, number) + of_spec(manifest.spec_id)


def _manifests(objects: Mapping[str, Any], metadata: TableMetadata) -> Iterator[str]:
    for each in objects[metadata.current.manifest_list] if metadata.current is not None else ():
        yield manifest_words(each.content, each.spec_id, each.added_files, each.existing_files, each.deleted_files)


def _fields(spec: PartitionSpec) -> tuple[str, ...]:
    return tuple([f"{field.transform}[{field.width}]" if field.width else field.transform for field in spec.fields])
