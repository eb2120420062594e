"""Operations of vectors that rewrite manifests, on the real Iceberg (`tests.unit.iceberg.manifest_vectors`)."""

from typing import Any

from real_backend.iceberg.java_manifests import Key, Small, live_entries, write_manifest
from real_backend.jvm.jvm import Jvm

Op = dict[str, Any]


def rewriting(jvm: Jvm, update: Any, maker: Any, op: Op) -> Any:
    """The update with what the operation's keys name. Args: `maker`: the table or a transaction of it."""
    table = maker.table() if "Transaction" in str(maker.getClass().getSimpleName()) else maker
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
