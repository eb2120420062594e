"""Where a table is: from a folder, a metadata file or a catalog to its files and the version that it stands at.

Choices:
* A folder knows its current version only in a Hadoop table (`version-hint.text`, then as many versions as follow it).
  Elsewhere the newest readable one is taken for it, and called a guess.
* A catalog refuses to load metadata that PyIceberg refuses. What it had tried to open is then what it points at.
"""

import os
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

from pyiceberg.io import FileIO, load_file_io

from checkers.iceberg.autopsy.records import Stored
from checkers.text import plain
from real_backend.errors import NoTable, NothingThere
from real_backend.iceberg.autopsy.store import Store, normal
from real_backend.iceberg.autopsy.versions import is_metadata, number_of, parse

HINT = "version-hint.text"
METADATA = "metadata"


class Place(NamedTuple):
    """Args: `folder` is that of the metadata files; `files` its files, None if it cannot be listed; `stands_at` the
    current version as far as `pointer` knows it; `told` a word about a hint that leads nowhere."""

    store: Store
    folder: str
    files: Mapping[str, Stored] | None
    stands_at: str | None
    pointer: str
    bad_hint: str = ""


def at_path(path: str, properties: Mapping[str, str]) -> Place:
    """A table by its folder or one of its metadata files. Raises: NothingThere, NoTable."""
    if not path:
        raise NothingThere("table '': expected a folder or a metadata file, got no name")
    location = normal(path) if "://" in path or path.startswith("file:") else os.path.abspath(path)
    try:
        io = _file_io(properties, location)
        is_there = io.new_input(location).exists()
        is_file = is_there and Store(io, location).files(deep=False) is None
    except Exception as error:  # an address that no file system has, a library that is missing, no network
        raise NothingThere(f"table {plain(path)}: expected a place that can be read, got {error}") from None
    if not is_there:
        raise NothingThere(f"table {plain(path)}: expected a folder or a metadata file, got no such place")
    return _at_file(io, location, "user") if is_file else _in_folder(io, location)


def _file_io(properties: Mapping[str, str], location: str) -> FileIO:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what PyIceberg warns of here is an error in the next call
        return load_file_io(dict(properties), location)


def _at_file(io: FileIO, location: str, pointer: str) -> Place:
    folder, _, name = location.rpartition("/")
    above, _, last = folder.rpartition("/")
    if last == METADATA and above:
        store = Store(io, above)
        return Place(store, METADATA, store.files(METADATA, deep=False), f"{METADATA}/{name}", pointer)
    store = Store(io, folder)
    place = Place(store, "", store.files(deep=False), name, pointer)
    if not is_metadata(name):
        _must_be_metadata(store, name)
    return place


def _must_be_metadata(store: Store, key: str) -> None:
    """Refuse a file that is neither called like a metadata file nor is one."""
    try:
        version, defects = parse(store.read(key), key, store)
    except (OSError, ValueError) as error:
        raise NoTable(f"table {plain(store.address(key))}: expected a metadata file, got {error}") from None
    if version is None:
        why = f"{defects[0].expected}, got {defects[0].got}" if defects else "a format-version"
        raise NoTable(f"table {plain(store.address(key))}: expected a metadata file, {plain(why)}")


def _in_folder(io: FileIO, location: str) -> Place:
    above, _, name = location.rpartition("/")
    store = Store(io, above if name == METADATA and above else location)
    for folder in (METADATA, ""):
        files = store.files(folder, deep=False) or {}
        found = [key for key in files if is_metadata(key)]
        if found:
            return _pointed(store, folder, files, found)
    raise NoTable(f"table {plain(location)}: expected metadata files in {METADATA}/, got none")


def _pointed(store: Store, folder: str, files: Mapping[str, Stored], found: list[str]) -> Place:
    """The version that a Hadoop table stands at; in another, nobody in the folder knows."""
    numbered = {number_of(key): key for key in sorted(found) if key.rpartition("/")[2].startswith("v")}
    hint = next((key for key in files if key.rpartition("/")[2] == HINT), None)
    if not numbered or None in numbered:
        return Place(store, folder, files, None, "guess")
    number = max(one for one in numbered if one is not None)
    bad = ""
    if hint is not None:
        hinted = _hinted(store, hint)
        if hinted in numbered:
            number = hinted
            while number + 1 in numbered:
                number += 1
        else:
            bad = hint
    return Place(store, folder, files, numbered[number], "hint", bad)


def _hinted(store: Store, hint: str) -> int:
    try:
        return int(store.read(hint)[:20].split()[0])
    except (OSError, ValueError, IndexError):
        return -1


def in_catalog(name: str, identifier: str, properties: Mapping[str, str]) -> Place:
    """A table by its name in a catalog that PyIceberg's configuration has. Raises: NothingThere."""
    from pyiceberg.catalog import load_catalog
    from pyiceberg.exceptions import NoSuchNamespaceError, NoSuchTableError

    asked: list[str] = []
    where = f"table {plain(identifier)} in catalog {plain(name)}"
    try:
        catalog = load_catalog(name, **properties)
    except Exception as error:  # unknown catalogs, missing libraries and services that do not answer
        raise NothingThere(f"{where}: expected a catalog that PyIceberg can load, got {error}") from None
    _watch(catalog, asked)
    try:
        table = catalog.load_table(identifier)
    except (NoSuchTableError, NoSuchNamespaceError) as error:
        raise NothingThere(f"{where}: expected a table of the catalog, got {error}") from None
    except Exception as error:  # PyIceberg's own, pydantic's, a database's: whatever it met in what is damaged
        if not asked:
            raise NothingThere(
                f"{where}: expected a table that it can load, got {error}; name its metadata file instead"
            ) from None
        return _at_file(_file_io({**catalog.properties, **properties}, asked[-1]), normal(asked[-1]), "catalog")
    return _at_file(table.io, normal(table.metadata_location), "catalog")


def _watch(catalog: Any, asked: list[str]) -> None:
    """Note which files the catalog opens, through the `FileIO` that it makes for a table."""
    make = catalog._load_file_io

    def watched(*arguments: Any, **named: Any) -> FileIO:
        io: FileIO = make(*arguments, **named)
        opened = io.new_input

        def new_input(location: str) -> Any:
            asked.append(location)
            return opened(location)

        io.new_input = new_input  # type: ignore[method-assign]
        return io

    catalog._load_file_io = watched
