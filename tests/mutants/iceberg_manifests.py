"""Mutants of rewrites of manifests. Source: `model.iceberg.rewrite_manifests`."""

from collections.abc import Sequence

from model.iceberg import rewrite_manifests
from model.iceberg.errors import InvalidOperation
from model.iceberg.files import EXISTING, ManifestEntry, ManifestFile
from model.iceberg.rewrite_manifests import RewriteManifests
from tests.mutants.damage import left_out, never, replaced
from tests.mutants.mutant import Mutant


def once(self: RewriteManifests, _: Sequence[ManifestFile]) -> bool:
    """What has been rewritten is not looked for again."""
    return not self._rewritten


def each_time(_: RewriteManifests, __: Sequence[ManifestFile]) -> bool:
    """Nothing of an earlier attempt is of use."""
    return True


def renumbered(entry: ManifestEntry) -> ManifestEntry:
    """Files get the number of the commit, behind that of their deletes."""
    return entry._replace(status=EXISTING, sequence_number=None)


def forgets(self: RewriteManifests) -> None:
    """What an attempt has written is forgotten, and stays."""
    self._written, self._rewritten, self._processed = [], {}, 0


def takes_all(self: RewriteManifests, _: object) -> RewriteManifests:
    """No predicate is asked."""
    return self


def takes_own(_: RewriteManifests, manifest: ManifestFile) -> None:
    """A manifest of a snapshot is as good as a new one."""
    if manifest.added_files or manifest.deleted_files:
        raise InvalidOperation("added files")


def takes_added(_: RewriteManifests, manifest: ManifestFile) -> None:
    """A manifest may add files."""
    if manifest.sequence_number is not None:
        raise InvalidOperation("a snapshot's")


def in_one(_: RewriteManifests, entries: Sequence[ManifestEntry]) -> list[tuple[ManifestEntry, ...]]:
    """Whatever size is wanted."""
    return [tuple(entries)]


MANIFESTS: tuple[Mutant, ...] = (
    replaced("clustered-once", RewriteManifests, "_is_outdated", once, "what was removed meanwhile is there again"),
    replaced("clustered-each-time", RewriteManifests, "_is_outdated", each_time, "a manifest is written for nothing"),
    replaced("clustered-manifests-stay", RewriteManifests, "_reset", forgets, "manifests of lost attempts stay"),
    replaced("clustered-entries-renumbered", rewrite_manifests, "as_existing", renumbered, "deleted rows come back"),
    replaced("predicate-ignored", RewriteManifests, "rewrite_if", takes_all, "more is rewritten than was asked for"),
    replaced("manifests-given-again", RewriteManifests, "_refuse_to_add", takes_own, "files are listed twice"),
    replaced("added-manifests-given", RewriteManifests, "_refuse_to_add", takes_added, "files are listed twice"),
    replaced("given-manifests-not-copied", RewriteManifests, "copies", property(never), "format 1 has no inheritance"),
    replaced("manifests-of-any-size", RewriteManifests, "_rolled", in_one, "manifests are larger than is wanted"),
    left_out("file-counts-not-compared", RewriteManifests, "_refuse_other_counts", "files go, or are listed twice"),
)
