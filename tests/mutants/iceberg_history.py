"""Mutants of Iceberg that put one issue's bug back, and nothing else, where the broader ones stand for several.

Source: iceberg/7 (J.. ids).
"""

from collections.abc import Sequence
from typing import Any

from model.iceberg.errors import CommitStateUnknown, IcebergError, ServiceUnavailable
from model.iceberg.files import ManifestFile
from model.iceberg.manifest_filter import ManifestFilter
from model.iceberg.merging import RewriteFiles
from model.iceberg.metastore import HiveOperations, Loaded, Outcome
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.rest_client import RestClient
from model.ports import PortError, Status
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant


def failure_until_checked(self: HiveOperations, made: Loaded, error: PortError) -> Outcome:
    """A status that begins as failure, and stays it if the look at the table ends with an error."""
    unknown = CommitStateUnknown(f"alter to {made.location}: {error}")
    try:
        there = made.location in (*self.refresh().metadata_log, self.seen.location)
    except IcebergError:
        return "failure", unknown
    return ("success", None) if there else ("unknown", unknown)


def filtered_once(self: ManifestFilter, manifests: list[ManifestFile]) -> Sequence[ManifestFile]:
    """What the first attempt has made of its manifests, for every attempt."""
    first: Sequence[ManifestFile]
    if not hasattr(self, "first_filtered"):
        self.first_filtered = _filter(self, manifests)  # type: ignore[attr-defined]
    first = self.first_filtered  # type: ignore[attr-defined]
    return first


def refused_by(*codes: int) -> Any:
    """Make the rule by which these answers count as refusals, after which files are deleted, and no others."""

    def counted(self: RestClient, error: PortError) -> IcebergError:
        found = _commit_error(self, error)
        if not (isinstance(error, Status) and error.code in codes):
            return found
        return ServiceUnavailable(str(found))

    return counted


# The shipped rules that some mutants bend, taken while no mutant is alive.
_filter = ManifestFilter.filter
_commit_error = RestClient.commit_error

HISTORY: tuple[Mutant, ...] = (
    replaced(
        "J05-failure-until-checked", HiveOperations, "_unanswered", failure_until_checked,
        "a look at the table that fails deletes the current metadata",
    ),
    left_out("J16-rewrite-validates-nothing", RewriteFiles, "validate", "a compaction undoes deletes"),
    replaced(
        "J22-gateway-errors-are-failures", RestClient, "commit_error", refused_by(500, 502, 504),
        "500, 502 and 504 delete committed files",
    ),
    replaced(
        "J24-busy-is-failure", RestClient, "commit_error", refused_by(503), "503 deletes committed files"
    ),
    left_out("J35-overwrite-validates-nothing", OverwriteFiles, "validate", "an overwrite undoes deletes and appends"),
    replaced(
        "J45c-filtered-once", ManifestFilter, "filter", filtered_once,
        "a retry commits the manifests of its first attempt",
    ),
)  # fmt: skip
