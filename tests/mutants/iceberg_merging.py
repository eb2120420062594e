"""Mutants of how manifests are merged. Source: `model.iceberg.manifest_merge`, `model.iceberg.manifest_bins`."""

from collections.abc import Container, Sequence

from model.iceberg.append import FastAppend
from model.iceberg.files import ADDED, DELETED, EXISTING, ManifestEntry, ManifestFile
from model.iceberg.manifest_bins import ManifestMerging
from model.iceberg.manifest_merge import ManifestMerger
from model.iceberg.merging import MergingProducer
from model.iceberg.metadata import Snapshot, TableMetadata
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant

Manifests = Sequence[ManifestFile]


def fast_merged(self: FastAppend, base: TableMetadata, parent: Snapshot | None) -> Manifests:
    """A fast append merges as others do."""
    return ManifestMerger(self.context, "data").merge(_fast(self, base, parent))


def where_disabled(self: ManifestMerger, manifests: Manifests) -> list[ManifestFile]:
    """The table is not asked."""
    self._settings = self._settings._replace(enabled=True)
    return _merge(self, manifests)


def data_alone(self: ManifestMerger, manifests: Manifests) -> list[ManifestFile]:
    """Manifests of deletes are as they are."""
    return _merge(self, manifests) if self._content == "data" else list(manifests)


def from_two_on(_: ManifestMerger, packed: Manifests, __: ManifestFile) -> bool:
    """No bin waits."""
    return len(packed) < 2


def never_the_newest(_: ManifestMerger, packed: Manifests, first: ManifestFile) -> bool:
    """The bin with the newest manifest waits for good."""
    return len(packed) < 2 or packed[0].path == first.path


def all_wait(self: ManifestMerger, packed: Manifests, _: ManifestFile) -> bool:
    """Older bins wait, too."""
    return len(packed) < self._settings.min_count


def one_bin(_: ManifestMerging, manifests: Manifests) -> list[Manifests]:
    """Whatever their size, they are one."""
    return [manifests]


def from_the_front(self: ManifestMerging, manifests: Manifests) -> list[Manifests]:
    """The newest manifests fill a bin first."""
    return [packed[::-1] for packed in _bins(self, manifests[::-1])][::-1]


def each_time(self: ManifestMerger, manifests: Manifests) -> ManifestFile:
    """What an earlier attempt has merged is forgotten."""
    self._merged.clear()
    return _into_one(self, manifests)


def own_deletes_go(self: ManifestMerger, manifest: ManifestFile) -> list[ManifestEntry]:
    """What the commit removes is not written."""
    return [entry for entry in _entries(self, manifest) if entry.status != DELETED]


def deletes_stay(self: ManifestMerger, manifest: ManifestFile) -> list[ManifestEntry]:
    """What others have removed stays said."""
    entries = self._commit.files.entries(manifest)
    return [*_entries(self, manifest), *[one for one in entries if one.status == DELETED]]


def with_the_commits_number(self: ManifestMerger, manifest: ManifestFile) -> list[ManifestEntry]:
    """What exists gets the number of the commit, behind that of its deletes."""
    return [
        entry._replace(sequence_number=None) if entry.status == EXISTING else entry
        for entry in _entries(self, manifest)
    ]


def pinned_number_lost(self: ManifestMerger, manifest: ManifestFile) -> list[ManifestEntry]:
    """What is added gets the number of the commit, whatever its manifest said."""
    return [
        entry._replace(sequence_number=None) if entry.status == ADDED else entry for entry in _entries(self, manifest)
    ]


def all_added(self: ManifestMerger, manifest: ManifestFile) -> list[ManifestEntry]:
    """What is there is added by the commit once more."""
    own = self._commit.snapshot_id
    return [
        entry._replace(status=ADDED, snapshot_id=own) if entry.status == EXISTING else entry
        for entry in _entries(self, manifest)
    ]


def none_added(self: ManifestMerger, manifest: ManifestFile) -> list[ManifestEntry]:
    """What the commit adds is there already."""
    return [entry._replace(status=EXISTING) if entry.status == ADDED else entry for entry in _entries(self, manifest)]


def all_or_none(self: ManifestMerger, manifests: Manifests) -> tuple[ManifestEntry, ...]:
    """A bin that cannot be read leaves nothing."""
    return tuple([entry for manifest in manifests for entry in self._entries(manifest)])


def not_forgotten(self: MergingProducer, written: list[ManifestFile], committed: Container[str]) -> None:
    """What goes is listed by the next attempt all the same."""
    for manifest in written:
        if manifest.path not in committed:
            self.context.delete_manifest(manifest.path)


# The shipped rules that some mutants bend, taken while no mutant is alive.
_fast, _merge, _into_one = FastAppend.apply, ManifestMerger.merge, ManifestMerger._into_one
_entries, _bins = ManifestMerger._entries, ManifestMerging.bins

MERGING: tuple[Mutant, ...] = (
    replaced("fast-append-merges", FastAppend, "apply", fast_merged, "its commit is no faster, and leaves a manifest"),
    replaced("merges-where-disabled", ManifestMerger, "merge", where_disabled, "the table says no"),
    replaced("delete-manifests-not-merged", ManifestMerger, "merge", data_alone, "manifests pile up"),
    replaced("min-count-ignored", ManifestMerger, "_stays", from_two_on, "each commit writes all entries anew"),
    replaced("newest-bin-never-merged", ManifestMerger, "_stays", never_the_newest, "manifests pile up"),
    replaced("older-bins-wait", ManifestMerger, "_stays", all_wait, "manifests pile up"),
    replaced("sizes-ignored", ManifestMerging, "bins", one_bin, "manifests without bound"),
    replaced("bins-packed-from-the-front", ManifestMerging, "bins", from_the_front, "the full bins change each time"),
    replaced("merged-each-time", ManifestMerger, "_into_one", each_time, "written for nothing, and stays"),
    replaced("own-deletes-suppressed", ManifestMerger, "_entries", own_deletes_go, "nobody learns of what was removed"),
    replaced("deletes-of-others-kept", ManifestMerger, "_entries", deletes_stay, "manifests without bound"),
    replaced("merged-number-lost", ManifestMerger, "_entries", with_the_commits_number, "deleted rows come back"),
    replaced(
        "J15-pinned-number-lost", ManifestMerger, "_entries", pinned_number_lost,
        "compacted rows are newer than the equality deletes that were committed meanwhile",
    ),
    replaced("merged-files-added", ManifestMerger, "_entries", all_added, "what is there conflicts as if it were new"),
    replaced("added-files-merged-as-existing", ManifestMerger, "_entries", none_added, "nobody learns of new files"),
    replaced("half-merged-not-written", ManifestMerger, "_entries_of", all_or_none, "leaves less than upstream"),
    left_out("merged-manifests-stay", ManifestMerger, "clean_uncommitted", "manifests of lost attempts stay"),
    left_out("merged-parts-stay", MergingProducer, "_clean_new", "manifests of lost attempts stay"),
    replaced(
        "merged-parts-listed-again", MergingProducer, "_clean_new", not_forgotten,
        "a transaction that is applied again lists a manifest that is deleted",
    ),
)  # fmt: skip
