"""Manifest lists and manifests, read by PyIceberg's Avro reader.

Choices: files are read under their own schema, so that nothing in one that nobody asks for makes it unreadable.
PyIceberg takes an Avro file that ends in the middle of a block for one that ends there. Here it is cut off.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyiceberg.avro.decoder import StreamingBinaryDecoder
from pyiceberg.avro.file import SYNC_SIZE, AvroFile, Block
from pyiceberg.avro.resolver import resolve_reader
from pyiceberg.io import InputFile

from checkers.iceberg.autopsy.records import ADDED, POSITION_DELETES, Attempt, Entry, ManifestRow
from real_backend.iceberg.autopsy.store import MAX_BYTES, Store

DELETED_PATH = 2147483546
"""The column of a position delete file that names the data file."""

_LIST = (500, 501, 502, 515, 516, 503, 504, 505, 506)
"""Path, length, partition spec, sequence number, lowest one, snapshot, files added, existing, deleted."""
_ENTRY = (0, 1, 3, 4, 2)
"""Status, snapshot, data and file sequence number, data file."""
_FILE = (134, 100, 101, 103, 104, 143, 125, 128)
"""Content, path, format, records, bytes, data file that it is about, lower and upper bounds."""
_NEEDED = {500: "manifest_path", 501: "manifest_length", 502: "partition_spec_id", 0: "status", 2: "data_file",
           100: "file_path", 101: "file_format", 103: "record_count", 104: "file_size_in_bytes"}  # fmt: skip


Columns = tuple[int | None, ...]


class Unreadable(Exception):
    """An Avro file is there and cannot be read. The message says why."""


def read_list(store: Store, key: str) -> tuple[ManifestRow, ...]:
    """The rows of a manifest list. Raises: Unreadable, FileNotFoundError."""
    rows = []
    with _opened(store, key) as file:
        columns = _columns(file.schema.as_struct(), _LIST)
        for one in file:
            path, length, spec, number, lowest, snapshot, *counts = _values(one, columns)
            rows.append(ManifestRow(store.key(path), length, spec, number or 0, lowest or 0, snapshot, *counts))
    return tuple(rows)


def read_manifest(store: Store, row: ManifestRow) -> tuple[Entry, ...]:
    """The files of a manifest, with what they inherit from its row. Raises: Unreadable, FileNotFoundError."""
    with _opened(store, row.path) as file:
        struct = file.schema.as_struct()
        columns = _columns(struct, _ENTRY)
        inside = _columns(struct.field(2).field_type, _FILE)
        return tuple([_entry(store, row, _values(one, columns), inside) for one in file])


def _entry(store: Store, row: ManifestRow, values: list[Any], inside: Columns) -> Entry:
    status, snapshot, number, made, file = values
    content, path, format_, records, size, referenced, lower, upper = _values(file, inside)
    inherits = status == ADDED or row.sequence_number == 0
    content = content or 0
    if content == POSITION_DELETES and referenced is None:
        referenced = _only(lower, upper)
    return Entry(
        status, row.added_snapshot_id if snapshot is None else snapshot,
        row.sequence_number if number is None and inherits else number,
        row.sequence_number if made is None and inherits else made,
        content, store.key(path), format_.upper(), records, size,
        None if referenced is None else store.key(referenced),
    )  # fmt: skip


def _only(lower: dict[int, bytes] | None, upper: dict[int, bytes] | None) -> str | None:
    """The one data file that a position delete file is about; None if there are several, or nobody can say."""
    low, high = (lower or {}).get(DELETED_PATH), (upper or {}).get(DELETED_PATH)
    if low is None or low != high:
        return None
    return low.decode("utf-8", "replace")


def read_attempt(store: Store, key: str) -> Attempt | None:
    """What a manifest list says of its snapshot; None if it is no manifest list."""
    try:
        with AvroFile[Any](store.open(key)) as file:
            meta = file.header.meta
        parent = meta.get("parent-snapshot-id", "null")
        number = meta.get("sequence-number")
        return Attempt(
            key, int(meta["snapshot-id"]), None if parent in ("null", "None") else int(parent),
            None if number is None else int(number),
        )  # fmt: skip
    except Exception:  # as in `_records`; a file that says nothing is an orphan like others
        return None


def _columns(struct: Any, ids: tuple[int, ...]) -> Columns:
    """Where the fields of these ids stand in a record of the file's own schema; None for those it has not."""
    places = {field.field_id: place for place, field in enumerate(struct.fields)}
    for id_ in ids:
        if id_ in _NEEDED and id_ not in places:
            raise Unreadable(f"Avro without the field {_NEEDED[id_]} ({id_})")
    return tuple([places.get(id_) for id_ in ids])


def _values(record: Any, columns: Columns) -> list[Any]:
    data = record._data
    return [None if place is None else data[place] for place in columns]


class _Guarded(AvroFile[Any]):
    """Read by PyIceberg's decoder in Python: the compiled one of 0.12.0 reads past the end of a damaged file, and the
    process dies.
    """

    __slots__ = ("size",)

    def __enter__(self) -> "_Guarded":
        with self.input_file.open() as file:
            body = file.read()
        self.size, self.decoder = len(body), StreamingBinaryDecoder(body)
        self.header = self._read_header()
        self.schema = self.read_schema = self.header.get_schema()
        self.reader = resolve_reader(self.schema, self.schema)
        return self

    def _read_block(self) -> int:
        begin = self.decoder.tell()
        try:
            if self.block and self.decoder.read(SYNC_SIZE) != self.header.sync:
                raise Unreadable("a block that does not end where it says")
            if (begin := self.decoder.tell()) == self.size:
                raise StopIteration
            count, body = self.decoder.read_int(), self.decoder.read_bytes()
        except EOFError:
            raise _cut_off(self.size, begin) from None
        if codec := self.header.compression_codec():
            body = codec.decompress(body)
        self.block = Block(reader=self.reader, block_records=count, block_decoder=StreamingBinaryDecoder(body))
        return count


@contextmanager
def _opened(store: Store, key: str) -> Iterator[Any]:
    """An Avro file under its own schema, which has to be read to its end in the block."""
    try:
        input_file = store.open(key)
        length = _checked(input_file)
        with _Guarded(input_file) as file:
            yield file
            if file.decoder.tell() != length:
                raise _cut_off(length, file.decoder.tell())
    except (FileNotFoundError, Unreadable):
        raise
    except MemoryError:
        raise Unreadable("lengths that no memory can hold") from None
    except Exception as error:  # PyIceberg's reader meets bytes of all kinds here, and its errors are as manifold
        raise Unreadable(f"{type(error).__name__}: {error}") from None


def _cut_off(length: int, read: int) -> Unreadable:
    return Unreadable(f"{length:,} bytes, of which {read:,} can be read: it is cut off")


def _checked(input_file: InputFile) -> int:
    length = len(input_file)
    if length > MAX_BYTES:
        raise Unreadable(f"{length:,} bytes, more than {MAX_BYTES:,}")
    return length
