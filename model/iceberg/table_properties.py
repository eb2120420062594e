"""The table properties that commits obey, as a value of a table's metadata."""

from typing import NamedTuple

from model.iceberg.files import told
from model.iceberg.manifest_bins import ManifestMerging


class TableProperties(NamedTuple):
    """Table properties that commits obey, with Iceberg's defaults (times in milliseconds).

    Source: iceberg/2.2; `core/TableProperties.java`. Each field is one property: `commit_retry_num_retries` is
    `commit.retry.num-retries`, and so on; `delete_after_commit` is `write.metadata.delete-after-commit.enabled`;
    `merging` are three, of how manifests are merged; `further` are those that no commit depends on, by name.
    """

    commit_retry_num_retries: int = 4
    commit_retry_min_wait_ms: int = 100
    commit_retry_max_wait_ms: int = 60_000
    commit_retry_total_timeout_ms: int = 1_800_000
    commit_status_check_num_retries: int = 3
    commit_status_check_min_wait_ms: int = 1_000
    commit_status_check_max_wait_ms: int = 60_000
    commit_status_check_total_timeout_ms: int = 1_800_000
    previous_versions_max: int = 100
    delete_after_commit: bool = False
    further: tuple[tuple[str, str], ...] = ()
    merging: ManifestMerging = ManifestMerging()

    def __repr__(self) -> str:
        return told(self, "merging", empty=(ManifestMerging(),))
