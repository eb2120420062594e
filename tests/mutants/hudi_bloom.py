"""Mutants of the Bloom files of markers; see `tests.mutants.hudi`.

Source: RFC-56, the two Bloom strategies.
"""

from collections.abc import Iterable
from typing import Any

from model.hudi.bloom import BloomFiles
from model.hudi.early import EarlyDetection
from model.hudi.marker_files import compared
from model.hudi.marker_server import MarkerFolder, MarkerServer
from model.hudi.markers import DirectMarkers
from model.hudi.names import BaseFile
from model.hudi.variants import AS_DOCUMENT, BLOOM_FIRST, BLOOM_FIRST_OR_MARKERS
from tests.mutants.mutant import Mutant

ADD, ASK = BloomFiles.add, BloomFiles.may_tell_of


def nothing(*_: Any) -> None:
    """No Bloom file."""


def says_no(*_: Any) -> bool:
    """No markers, whatever there is."""
    return False


def make_first(
    checks: EarlyDetection, markers: DirectMarkers, partition: str, file: BaseFile, kind: str, about: str
) -> None:
    """The marker, and then the Bloom file."""
    span = checks._observer.began("made", about)
    markers.create(partition, file, kind)
    checks._observer.ended(span)
    assert checks._blooms is not None
    checks._blooms.add(markers.instant, partition, (file.file_id,))


def add_alone(blooms: BloomFiles, instant: int, beside: str | int, names: Iterable[str]) -> None:
    """A Bloom file of the new names only."""
    blooms._written.pop((instant, beside), None)
    ADD(blooms, instant, beside, names)


def ask_for_files(blooms: BloomFiles, instant: int, beside: str | int, names: Iterable[str]) -> bool:
    """Ask for other names than those that are written."""
    return ASK(blooms, instant, beside, [f"{name}.parquet" for name in names])


def maybe_is_yes(checks: EarlyDetection, other: int, partition: str, file_id: str) -> bool:
    """Who may have marked a file group has."""
    assert checks._blooms is not None
    return checks._blooms.may_tell_of(other, partition, (file_id,))


def flush_last(server: MarkerServer, folder: MarkerFolder, index: int) -> None:
    """A Bloom file of the last marker of its marker file alone."""
    assert server._blooms is not None
    server._blooms.add(folder.instant, index, [compared(folder.files[index][-1], server._rules)])
    server._flush_markers(folder, index)


BLOOM_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "bloom-file-after-marker", "a marker that is there already is not picked out",
        ((EarlyDetection, "_make", make_first),), BLOOM_FIRST_OR_MARKERS,
    ),
    Mutant(
        "bloom-file-of-last-marker", "the markers before it are not picked out",
        ((BloomFiles, "add", add_alone),), BLOOM_FIRST_OR_MARKERS,
    ),
    Mutant(
        "unreadable-bloom-file-says-no", "who writes one over hides its markers",
        ((BloomFiles, "missing", says_no),), BLOOM_FIRST_OR_MARKERS,
    ),
    Mutant("bloom-file-not-written", "no marker is picked out", ((BloomFiles, "add", nothing),), BLOOM_FIRST),
    Mutant(
        "bloom-file-asked-for-other-names", "no marker is picked out",
        ((BloomFiles, "may_tell_of", ask_for_files),), BLOOM_FIRST,
    ),
    Mutant(
        "bloom-file-decides-alone", "who seems to have marked a file group refuses",
        ((EarlyDetection, "_has_marker", maybe_is_yes),), AS_DOCUMENT,
    ),
    Mutant("server-bloom-file-not-written", "no pass finds anything", ((BloomFiles, "add", nothing),), AS_DOCUMENT),
    Mutant(
        "server-bloom-file-of-last-marker", "a pass does not find the markers before it",
        ((MarkerServer, "_flush", flush_last),), BLOOM_FIRST,
    ),
)  # fmt: skip
