"""Operations of vectors that rewrite manifests, or append some (`tests.unit.iceberg.manifest_vectors`), on the real
Iceberg."""

from collections.abc import Callable
from typing import Any

from real_backend.iceberg.java_manifests import Key, Small, live_entries, write_added, write_manifest
from real_backend.jvm.jvm import Jvm

Op = dict[str, Any]


def of_manifests(jvm: Jvm, update: Any, maker: Any, op: Op, file_of: Callable[[str], Any]) -> Any:
    """The update with what the operation's keys name of manifests.

    Args: `maker`: the table or a transaction of it; `file_of` gives the data file of a name.
    """
    table = maker.table() if "Transaction" in str(maker.getClass().getSimpleName()) else maker
    if op["op"] == "rewrite-manifests":
        return rewriting(jvm, update, table, op)
    if "again" in op:
        update = update.appendManifest(table.currentSnapshot().allManifests(table.io())[op["again"]])
    if "manifest" not in op:
        return update
    made = _appended(jvm, table, [file_of(name) for name in op["manifest"]], op)
    for _ in range(op.get("times", 1)):
        update = update.appendManifest(made)
    return update


def _appended(jvm: Jvm, table: Any, files: list[Any], op: Op) -> Any:
    if op.get("as") != "existing":
        return write_added(jvm, table, "given.avro", files)
    output = table.io().newOutputFile(str(table.operations().metadataFileLocation("given.avro")))
    version = int(table.operations().current().formatVersion())
    writer = jvm.iceberg.ManifestFiles.write(version, table.spec(), output, None)
    for file in files:
        writer.existing(file, 1, 1, 1)
    writer.close()
    return writer.toManifestFile()


def rewriting(jvm: Jvm, update: Any, table: Any, op: Op) -> Any:
    """The update with what the operation's keys name."""
    known = list(table.currentSnapshot().dataManifests(table.io()))
    if "cluster" in op:
        update = update.clusterBy(Key(op["cluster"] == "file"))
    if op.get("small"):
        update = update.rewriteIf(Small())
    for place in op.get("out", ()):
        update = update.deleteManifest(known[place])
    if "again" in op:
        update = update.addManifest(known[op["again"]])
    if "give" in op:
        entries = [entry for manifest in known for entry in live_entries(jvm, table, manifest)]
        of_name = {str(entry.file().location()).rsplit("/", 1)[-1]: entry for entry in entries}
        named = [of_name[name] for name in op["give"]]
        update = update.addManifest(write_manifest(jvm, table, "given.avro", named, adds=op.get("as") == "added"))
    return update
