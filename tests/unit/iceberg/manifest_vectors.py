"""Operations of vectors that rewrite manifests: `{"op": "rewrite-manifests", ...}`, and those that append some.

`"cluster": "all"` or `"file"`, with `"small": true` those of one file at most; `"out": [0]`, the data manifests at
these places among those of the snapshot that was loaded, the newest first, and `"give": ["A"]`, one manifest of these
files that is written before, as ones that exist, or `"as": "added"`; `"again": 0`, one that the table has.

An append, `"append"` or `"merge-append"`, has `"manifest": ["C"]`, one manifest of these files that is written before,
as ones that are added, or `"as": "existing"`; `"times": 2`, it is given twice; `"again": 0` as above.
"""

from typing import Any

from model.iceberg.append import FastAppend
from model.iceberg.files import ADDED, DATA, EXISTING
from model.iceberg.manifest_appends import write_manifest_of
from model.iceberg.merging import MergeAppend
from model.iceberg.rewrite_manifests import RewriteManifests, live_files_of
from tests.unit.iceberg.vector_files import data

Op = dict[str, Any]


def of_manifests(producer: Any, op: Op) -> None:
    """Call the builder methods of manifests that the operation's keys name."""
    if isinstance(producer, RewriteManifests):
        rewriting(producer, op)
    elif isinstance(producer, FastAppend | MergeAppend):
        appending(producer, op)


def appending(producer: FastAppend | MergeAppend, op: Op) -> None:
    """Give it manifests."""
    if "manifest" in op:
        status = EXISTING if op.get("as") == "existing" else ADDED
        made = write_manifest_of(producer.table, [data(name) for name in op["manifest"]], status)
        for _ in range(op.get("times", 1)):
            producer.append_manifest(made)
    if "again" in op:
        producer.append_manifest(producer.files.manifests(producer.table.metadata.current)[op["again"]])


def rewriting(producer: RewriteManifests, op: Op) -> None:
    """Call the builder methods that the operation's keys name."""
    if "cluster" in op:
        producer.cluster_by(lambda file: file.path if op["cluster"] == "file" else "all")
    if op.get("small"):
        producer.rewrite_if(lambda manifest: live_files_of([manifest]) < 2)
    there = producer.files.manifests(producer.table.metadata.current)
    known = [manifest for manifest in there if manifest.content == DATA]
    for place in op.get("out", ()):
        producer.delete_manifest(known[place])
    if "again" in op:
        producer.add_manifest(known[op["again"]])
    if "give" in op:
        status = ADDED if op.get("as") == "added" else EXISTING
        entries = [entry for manifest in known for entry in producer.files.live_entries(manifest)]
        of_name = {entry.file.path.removeprefix("t/data/"): entry._replace(status=status) for entry in entries}
        named = tuple([of_name[name] for name in op["give"]])
        producer.add_manifest(producer.context.write_manifest(DATA, named))
