"""Manifests that a caller has written, in the place of others: Spark's `rewrite_manifests`, and who does as it does.

Spark reads the manifests of the snapshot that its session knows, writes one new manifest of the data files and one of
the delete files, and names both sides. What it has written it deletes where that is safe; in format 1 in any case, as
copies are committed.

As shipped, Spark's entries have no first row id: the commit's list gives new ones to all rows of the manifest, in
format 3. `manifests_carry_row_ids` is the repair, as upstream has it behind 1.11.0 (#16699, #16761).

Source: `spark/actions/RewriteManifestsSparkAction.java` (`doExecute`, `replaceManifests`, `shouldStageManifests`,
`writeManifests`), `spark/SparkContentFile.java` of 1.11.0 for Spark 3.5.

Choices: files stay in the order in which their manifests list them; Spark sorts them by partition.
"""

from typing import Literal

from model.iceberg.api import run_commit
from model.iceberg.errors import IcebergError
from model.iceberg.files import ADDED, DATA, DELETES, DataFile, ManifestEntry, ManifestFile
from model.iceberg.result import CommandResult
from model.iceberg.rewrite_manifests import RewriteManifests
from model.iceberg.table import IcebergTable

Given = Literal["existing files", "added files", "the table's own"]
"""What a manifest that is given is of: files that are there, files that it adds, or it is in a snapshot."""


def rewrite_manifests(table: IcebergTable) -> CommandResult:
    """`CALL system.rewrite_manifests(t)`: replace the manifests of the default spec that the client knows; one alone of
    its kind stays.

    Raises: any `IcebergError`; the new manifests are deleted where that is safe.
    """
    producer, spec_id = RewriteManifests(table), table.metadata.partitioning.default_id
    command, known = CommandResult(table.metadata.current_snapshot_id), _known(table)
    for content in (DATA, DELETES):
        matching = [manifest for manifest in known if (manifest.content, manifest.spec_id) == (content, spec_id)]
        if len(matching) > 1:
            producer.replace(matching, _as_spark_writes(producer, matching))
    return _commit(producer, command) if producer.given else command


def replace_manifests(table: IcebergTable, *, but_one: bool = False, gives: Given = "existing files") -> CommandResult:
    """`rewriteManifests` of the Java API: all data manifests that the client knows by one for each spec of the same
    files, or by themselves; `but_one`: of all but the last one. Raises: as `rewrite_manifests`.
    """
    command = CommandResult(table.metadata.current_snapshot_id)
    by_spec: dict[int, list[ManifestFile]] = {}
    for manifest in _known(table):
        if manifest.content == DATA:
            by_spec.setdefault(manifest.spec_id, []).append(manifest)
    producer = RewriteManifests(table)
    try:
        for manifests in by_spec.values():
            if gives == "the table's own":
                producer.give_again(manifests)
            else:
                entries = producer.existing(manifests)
                if gives == "added files":
                    entries = [entry._replace(status=ADDED) for entry in entries]
                producer.replace(manifests, entries[:-1] if but_one else entries)
    except IcebergError as error:
        error.result = command
        raise
    return _commit(producer, command)


def _as_spark_writes(producer: RewriteManifests, manifests: list[ManifestFile]) -> list[ManifestEntry]:
    """What is live in these, as Spark writes it again."""
    entries = producer.existing(manifests)
    return entries if producer.rules.manifests_carry_row_ids else [_without_row_id(entry) for entry in entries]


def _without_row_id(entry: ManifestEntry) -> ManifestEntry:
    """Source: `SparkContentFile`, which leaves `ContentFile.firstRowId` as it is there: null."""
    file = entry.file
    return entry._replace(file=file._replace(first_row_id=None)) if isinstance(file, DataFile) else entry


def _known(table: IcebergTable) -> tuple[ManifestFile, ...]:
    return table.files.manifests(table.metadata.current)


def _commit(producer: RewriteManifests, command: CommandResult) -> CommandResult:
    """Commit, and delete what was written for it if it is not in the table."""
    files, written = producer.files, [manifest.path for manifest in producer.given]
    try:
        done = run_commit(producer, command)
    except IcebergError as error:
        if error.cleanable:
            files.delete_quietly(written)
        raise
    if producer.copies:
        files.delete_quietly(written)
    return done
