"""The files that Spark's procedures take for those of snapshots: what is not live in any of their manifests is none.

Source: `spark/actions/BaseSparkAction.java` (`contentFileDS`, `manifestDS`, `manifestListDS`, `ReadManifest`),
`core/ManifestReader.java` (`iterator`: live entries) of 1.11.0 for Spark 3.5.
"""

from collections.abc import Sequence

from model.iceberg.metadata import Snapshot, TableMetadata
from model.iceberg.storage import TableFiles


def needed_by(files: TableFiles, snapshots: Sequence[Snapshot]) -> tuple[str, ...]:
    """What these snapshots need: files that are live in their manifests, the manifests, and the lists.

    Raises: as reading them.
    """
    found: dict[str, None] = {}
    for snapshot in snapshots:
        for manifest in files.manifests(snapshot):
            if manifest.path not in found:
                found |= dict.fromkeys([manifest.path, *[one.location for one in files.live_entries(manifest)]])
        found[snapshot.manifest_list] = None
    return tuple(found)


def all_needed(files: TableFiles, metadata: TableMetadata) -> tuple[str, ...]:
    """What a table needs: what its snapshots do, and the statistics files that it names. Raises: as reading them."""
    return (*needed_by(files, metadata.snapshots), *[each.path for each in metadata.statistics])
