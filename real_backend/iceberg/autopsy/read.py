"""All that is left of a table, read into `Remains`.

Choices:
* Of metadata files the newest are read, as many as asked for; those that the current one logs go first.
* Manifest lists are read of the current snapshots and of those that may be lost, each manifest once.
* Whether files are there is looked up in one listing of the table's folder, if there is one, else one by one.
* Of a copy without data files nobody is told that they are gone.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager

from checkers.iceberg.autopsy.lineage import Lineage, age
from checkers.iceberg.autopsy.moves import move
from checkers.iceberg.autopsy.records import Attempt, Defect, Entry, ManifestRow, Remains, Snapshot, Version
from real_backend.iceberg.autopsy.contents import Unreadable, read_attempt, read_list, read_manifest
from real_backend.iceberg.autopsy.find import METADATA, Place
from real_backend.iceberg.autopsy.store import Store, normal
from real_backend.iceberg.autopsy.versions import Known, is_metadata, number_of, parse

Advance = Callable[[int], None]
Progress = Callable[[str, int], AbstractContextManager[Advance]]
NEWEST_READ = 3
"""The newest format whose manifests are Avro files for sure."""
MAX_ATTEMPTS = 1_000
"""Manifest lists that nothing leads to, of which so many are opened."""


class Reader:
    """Reads one table. Args: `newest` is how many metadata files are read at most; `progress` shows how far it is."""

    def __init__(self, place: Place, newest: int, progress: Progress) -> None:
        self._place, self._store = place, place.store
        self._newest, self._progress = newest, progress
        self._defects: list[Defect] = []
        self._absent: set[str] = set()
        self._notes: list[str] = []
        self._lists: dict[int, tuple[ManifestRow, ...]] = {}
        self._manifests: dict[str, tuple[Entry, ...]] = {}
        self._known: Known = {}
        self._rows: dict[ManifestRow, ManifestRow] = {}  # lists of a thousand snapshots share most of their rows

    def read(self) -> Remains:
        """Everything. The metadata that it starts from may be an older version, if the current one cannot be read."""
        self._recognize_copy()
        versions, unread = self._versions()
        files = self._store.files()
        broken = self._place.stands_at if self._place.stands_at not in versions else None
        current = self._place.stands_at if broken is None else None
        current = current or max(versions, key=lambda file: age(versions[file]), default="")
        if self._place.bad_hint:
            self._wrong(self._place.bad_hint, "the number of a version that is there", "another")
        remains = Remains(current, self._place.pointer, versions, unread, files=files, broken=broken)
        attempts = self._attempts(remains)
        if versions and remains.version.header.format_version > NEWEST_READ:
            self._notes.append(f"manifests of format {remains.version.header.format_version} are not read, nor orphans")
            files = None
        elif versions:
            self._contents(remains, attempts)
        return Remains(
            current, self._place.pointer, versions, unread, self._lists, self._manifests, tuple(self._defects),
            frozenset(self._absent), files, attempts, broken, tuple(self._notes),
        )  # fmt: skip

    def _wrong(self, file: str, expected: str, got: str) -> None:
        self._defects.append(Defect(file, "", expected, got))

    def _recognize_copy(self) -> None:
        """See whether the table's own paths lead elsewhere, and then take them for paths in this folder."""
        inside = [key for key in self._place.files or () if is_metadata(key)]
        for key in filter(None, (self._place.stands_at, *sorted(inside, reverse=True))):
            version = self._version(key, quietly=True)
            if version is not None:
                folder = _folder_of_metadata(version, self._store)
                name = self._place.folder or METADATA
                here = normal(self._store.address(self._place.folder)) if self._place.folder else self._store.root
                if folder not in (None, here) and folder is not None and folder.endswith(f"/{name}"):
                    self._store.also_called(folder.removesuffix(f"/{name}"))
                return

    def _version(self, key: str, quietly: bool = False) -> Version | None:
        try:
            body = self._store.read(key)
        except FileNotFoundError:
            self._absent.add(key)
            return None
        except Exception as error:  # a file system of somebody else's: refused, no network, too large
            self._wrong(key, "a file that can be read", f"{type(error).__name__}: {error}")
            return None
        version, defects = parse(body, key, self._store, None if quietly else self._known)
        if not quietly:
            self._defects += defects
        return version

    def _versions(self) -> tuple[dict[str, Version], int]:
        """The versions that can be read, and how many files were left out."""
        known = [key for key in self._place.files or () if is_metadata(key)]
        todo = sorted(known, key=lambda key: (number_of(key) or 0, key))
        if self._place.stands_at is not None:
            todo = [*(key for key in todo if key != self._place.stands_at), self._place.stands_at]
        found: dict[str, Version] = {}
        seen: set[str] = set()
        with self._progress("reading metadata files", min(len(todo), self._newest)) as advance:
            while todo and len(seen) < self._newest:
                key = todo.pop()
                if key in seen:
                    continue
                seen.add(key)
                version = self._version(key)
                advance(1)
                if version is not None:
                    found[key] = version
                    if key == self._place.stands_at or self._place.files is None:
                        logged = [entry.metadata_file for entry in version.metadata_log]
                        todo += [one for one in logged if one not in seen]
        return found, len(set(todo) - seen)

    def _contents(self, remains: Remains, attempts: Iterable[Attempt]) -> None:
        """Manifest lists, manifests, and whether the files are there that they lead to."""
        current = remains.version.snapshots
        tried = [Snapshot(one.snapshot_id, 0, manifest_list=one.file) for one in attempts]
        snapshots = [
            *current.values(),
            *_perhaps_lost(remains),
            *(one for one in tried if one.snapshot_id not in current),
        ]
        rows: dict[str, ManifestRow] = {}
        with self._progress("reading manifest lists", len(snapshots)) as advance:
            for snapshot in snapshots:
                self._list(snapshot)
                rows.update(
                    (row.path, row) for row in self._lists.get(snapshot.snapshot_id, ()) if row.path not in rows
                )
                advance(1)
        with self._progress("reading manifests", len(rows)) as advance:
            for row in rows.values():
                self._manifest(row)
                advance(1)
        self._look_up(remains)

    def _list(self, snapshot: Snapshot) -> None:
        if snapshot.manifest_list is None:
            return
        try:
            rows = read_list(self._store, snapshot.manifest_list)
            self._lists[snapshot.snapshot_id] = tuple([self._rows.setdefault(row, row) for row in rows])
        except FileNotFoundError:
            self._absent.add(snapshot.manifest_list)
        except Unreadable as error:
            self._wrong(snapshot.manifest_list, "a manifest list", str(error))

    def _manifest(self, row: ManifestRow) -> None:
        try:
            self._manifests[row.path] = read_manifest(self._store, row)
        except FileNotFoundError:
            self._absent.add(row.path)
        except Unreadable as error:
            self._wrong(row.path, "a manifest", str(error))

    def _look_up(self, remains: Remains) -> None:
        """Which files are there, of those that somebody needs."""
        needed = dict.fromkeys(entry.path for rows in self._manifests.values() for entry in rows if entry.is_live)
        needed.update(dict.fromkeys(one.statistics_path for one in remains.version.statistics))
        files = remains.files
        if self._store.was_copied and files is not None and not any(key in files for key in needed):
            self._notes.append("this is a copy without data files, so nobody looked whether they are there")
            return
        unknown = [key for key in needed if files is None or (key not in files and _is_outside(key))]
        self._absent.update(key for key in needed if files is not None and key not in files and not _is_outside(key))
        unsure = 0
        with self._progress("looking for files", len(unknown)) as advance:
            for key in unknown:
                there = self._store.exists(key)
                unsure += there is None
                self._absent.update([key] if there is False else [])
                advance(1)
        if unsure:
            self._notes.append(f"of {unsure:,} files nobody could say whether they are there")

    def _attempts(self, remains: Remains) -> tuple[Attempt, ...]:
        """Manifest lists that no metadata file names, and whose snapshots are not merely removed."""
        named = {s.manifest_list for version in remains.versions.values() for s in version.snapshots.values()}
        inside = [
            key
            for key in self._place.files or ()
            if key.rpartition("/")[2].startswith("snap-") and key.endswith(".avro") and key not in named
        ]
        found = [read_attempt(self._store, key) for key in sorted(inside)[:MAX_ATTEMPTS]]
        old = {id_ for version in remains.versions.values() for id_ in version.snapshots}
        old -= set(remains.version.snapshots) if remains.versions else set()
        return tuple([one for one in found if one is not None and one.snapshot_id not in old])


def _is_outside(key: str) -> bool:
    return key.startswith("/") or "://" in key


def _folder_of_metadata(version: Version, store: Store) -> str | None:
    """The folder that a version says its metadata is in; None if it says none."""
    lists = (one.manifest_list for one in version.snapshots.values() if one.manifest_list)
    logged = (entry.metadata_file for entry in reversed(version.metadata_log))
    key = next(iter(logged), None) or next(lists, None)
    return None if key is None else normal(store.address(key)).rpartition("/")[0]


def _perhaps_lost(remains: Remains) -> Iterable[Snapshot]:
    """Snapshots that the table has no more, and not by an expiry that can be seen."""
    lineage = Lineage(remains)
    lost = [snapshot for stray in lineage.strays for snapshot in stray.lost]
    for before, after in lineage.pairs():
        lost += move(before, after).lost
    found: Mapping[int, Snapshot] = {one.snapshot_id: one for one in lost}
    return [one for id_, one in found.items() if id_ not in remains.version.snapshots]


def read_table(place: Place, newest: int, progress: Progress) -> Remains:
    """Read a table. Args: `newest` is how many metadata files are read at most, from 1."""
    return Reader(place, newest, progress).read()
