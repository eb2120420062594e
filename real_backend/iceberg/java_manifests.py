"""Rewrites of manifests, and appends of them, as updates of Iceberg's Java API: by clusters, or by manifests that are
written here.

Source: `api/RewriteManifests.java`, `AppendFiles.appendManifest`; `spark/actions/RewriteManifestsSparkAction.java` and
`spark/SparkTableUtil.java` of 1.11.0, whose clean-up of what they have written is followed.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.iceberg.java_files import JavaFiles, iterate
from real_backend.jvm.jvm import Jvm
from sim.iceberg.by_hand import ReplaceManifests
from sim.iceberg.manifests import AppendManifest, ClusterManifests
from sim.iceberg.workload import Rows

CLEANABLE = "org.apache.iceberg.exceptions.CleanableFailure"


class Key:
    """A Java function from data files to keys."""

    class Java:
        """Read by py4j."""

        implements = ("java.util.function.Function",)

    def __init__(self, by_file: bool) -> None:
        self._by_file = by_file

    def apply(self, file: Any) -> str:
        """The key of a file."""
        return str(file.location()) if self._by_file else "all"


class Small:
    """A Java predicate: whether a manifest has one live file at most."""

    class Java:
        """Read by py4j."""

        implements = ("java.util.function.Predicate",)

    def test(self, manifest: Any) -> bool:
        """Look at its counts."""
        return int(manifest.addedFilesCount()) + int(manifest.existingFilesCount()) < 2


class _Giving:
    """An update with manifests that were written for it, which are deleted where that is safe, or after any error."""

    def __init__(
        self, jvm: Jvm, io: Any, update: Any, written: Sequence[str], copied: bool, after_any_error: bool = False
    ) -> None:
        self._jvm, self._io, self._update, self._written, self._copied = jvm, io, update, written, copied
        self._after_any_error = after_any_error

    def commit(self) -> None:
        """Commit it."""
        try:
            self._update.commit()
        except Py4JJavaError as error:
            if self._after_any_error or self._jvm.java_class(CLEANABLE).isInstance(error.java_exception):
                self._delete()
            raise
        if self._copied:
            self._delete()

    def _delete(self) -> None:
        for path in self._written:
            self._io.deleteFile(path)


def rewrite_manifests(
    jvm: Jvm, maker: Any, table: Any, name: str, statement: ClusterManifests | ReplaceManifests
) -> Any:  # fmt: skip
    """The update, ready to be committed.

    Args: `maker`: the table or a transaction of it; `table`: as it is there; `name` begins names of files.
    """
    update = maker.rewriteManifests()
    if isinstance(statement, ClusterManifests):
        update = update.clusterBy(Key(statement.by == "file"))
        return update.rewriteIf(Small()) if statement.small else update
    if statement.gives == "the table's own":
        for manifest in table.currentSnapshot().dataManifests(table.io()):
            update = update.addManifest(manifest).deleteManifest(manifest)
        return _Giving(jvm, table.io(), update, (), copied=False)
    by_spec: dict[int, list[Any]] = {}
    for manifest in table.currentSnapshot().dataManifests(table.io()):
        by_spec.setdefault(int(manifest.partitionSpecId()), []).append(manifest)
    written = []
    for spec_id, manifests in by_spec.items():
        entries = [entry for manifest in manifests for entry in live_entries(jvm, table, manifest)]
        if entries := entries[:-1] if statement.but_one else entries:
            adds = statement.gives == "added files"
            made = write_manifest(jvm, table, f"{name}-{spec_id}-given.avro", entries, adds=adds)
            written.append(str(made.path()))
            update = update.addManifest(made)
        for manifest in manifests:
            update = update.deleteManifest(manifest)
    return _Giving(jvm, table.io(), update, written, _version(table) == 1)


def append_manifest(
    jvm: Jvm, maker: Any, table: Any, name: str, files: Iterable[Any], statement: AppendManifest
) -> Any:  # fmt: skip
    """The update that appends a manifest of each of these new files. Args: as `rewrite_manifests`."""
    update = maker.newAppend() if statement.merge else maker.newFastAppend()
    written = []
    for place, file in enumerate(files):
        made = write_added(jvm, table, f"{name}-{place}-given.avro", [file])
        written.append(str(made.path()))
        update = update.appendManifest(made)
    if maker is not table:  # a step of a transaction
        return update
    return _Giving(
        jvm, table.io(), update, written, _version(table) == 1, after_any_error=statement.cleans != "where safe"
    )


def write_added(jvm: Jvm, table: Any, name: str, files: Sequence[Any]) -> Any:
    """A manifest that adds these files of one spec; it is in no snapshot. Args: `name`: that of its file."""
    output = table.io().newOutputFile(str(table.operations().metadataFileLocation(name)))
    writer = jvm.iceberg.ManifestFiles.write(_version(table), table.specs().get(files[0].specId()), output, None)
    for file in files:
        writer.add(file)
    writer.close()
    return writer.toManifestFile()


def write_existing(jvm: Jvm, table: Any, name: str, file: Any) -> Any:
    """A manifest that says that this new file exists; it is in no snapshot. Args: as `write_added`."""
    output = table.io().newOutputFile(str(table.operations().metadataFileLocation(name)))
    writer = jvm.iceberg.ManifestFiles.write(_version(table), table.specs().get(file.specId()), output, None)
    writer.existing(file, 1, 0, 0)
    writer.close()
    return writer.toManifestFile()


def live_entries(jvm: Jvm, table: Any, manifest: Any) -> list[Any]:
    """The entries of a data manifest that are not deleted."""
    reader = jvm.iceberg.ManifestFiles.read(manifest, table.io(), table.specs())
    try:
        return [entry.copy() for entry in iterate(reader.liveEntries())]
    finally:
        reader.close()


def write_manifest(jvm: Jvm, table: Any, name: str, entries: Sequence[Any], *, adds: bool = False) -> Any:
    """A manifest of these entries of one spec, as ones that exist, or are added; it is in no snapshot.

    Args: `name`: that of its file.
    """
    output = table.io().newOutputFile(str(table.operations().metadataFileLocation(name)))
    spec = table.specs().get(entries[0].file().specId())
    writer = jvm.iceberg.ManifestFiles.write(_version(table), spec, output, None)
    for entry in entries:
        if adds:
            writer.add(entry.file())
        else:
            writer.existing(entry.file(), entry.snapshotId(), entry.dataSequenceNumber(), entry.fileSequenceNumber())
    writer.close()
    return writer.toManifestFile()


def _version(table: Any) -> int:
    return int(table.operations().current().formatVersion())


def by_manifests(table: Any, made: JavaFiles, files: Iterable[Any], rows: Rows) -> tuple[list[Any], Rows]:
    """Data files and rows of a table in the order of its manifests, which a scan plans in the order of their paths'
    hashes; rows that are in no file come last."""
    current = table.currentSnapshot()
    manifests = current.dataManifests(table.io()) if current is not None else ()
    listed = [str(manifest.path()) for manifest in manifests]

    def place(file: Any) -> tuple[int, int]:
        return listed.index(file.manifestLocation()), file.pos()

    ordered = sorted(files, key=place)
    places = {row: at for at, row in enumerate(row for file in ordered for row in made.rows_in(file))}
    return ordered, tuple(sorted(rows, key=lambda row: places.get(row, len(places))))
