"""Which manifests of one spec are merged into one: a table's settings, and the bins that are packed by them.

Bins are packed from the end, where the oldest manifests are, so that the bin that is filled least has the newest ones
and gets more of them with the next commit.

Source: `core/TableProperties.java`, `core/ManifestMergeManager.java` of 1.11.0 (`mergeGroup`);
`core/util/BinPacking.java` (`ListPacker.packEnd`, which looks back at one bin).

Choices: every manifest has the same size, as each has a few entries in a race and is mostly its header; so a target
says how many fit into one. One that no manifest fits into has each in a bin of its own.
"""

from collections.abc import Sequence
from typing import NamedTuple

from model.iceberg.files import ManifestFile

MANIFEST_BYTES = 7_500
"""The size of a manifest of a few entries; those of 1.11.0 have 5.9 to 8.1 kB, by format and content."""


class ManifestMerging(NamedTuple):
    """Whether manifests are merged (`commit.manifest-merge.enabled`), from how many on if the newest is among them
    (`commit.manifest.min-count-to-merge`), and how large they get (`commit.manifest.target-size-bytes`)."""

    enabled: bool = True
    min_count: int = 100
    target_bytes: int = 8_388_608

    def bins(self, manifests: Sequence[ManifestFile]) -> list[Sequence[ManifestFile]]:
        """The manifests in their order, as many to a bin as fit into it but for the first one, which has what is left.

        Args: `manifests`: of one spec, at least one.
        """
        fit = max(1, self.target_bytes // MANIFEST_BYTES)
        left = len(manifests) % fit or fit
        starts = [0, *range(left, len(manifests), fit)]
        return [manifests[start:end] for start, end in zip(starts, [*starts[1:], len(manifests)], strict=True)]
