"""Mutants of what marker files that vanished come to; see `tests.mutants.hudi`."""

from typing import Any

from model.hudi.marker_files import read_marker_files
from model.hudi.marker_port import ServerTableMarkers
from model.hudi.names import DataFile
from model.hudi.rollback import Cleaner
from model.hudi.rules import SHIPPED
from tests.mutants.mutant import Mutant


def no_files(*_: Any) -> bool:
    """There is no marker file that its type does not tell of."""
    return False


def marked(cleaner: Cleaner, target: int, begun: object) -> tuple[str, ...]:
    """The marked files, whatever is set, or has begun."""
    return cleaner._client.markers.paths(target)


def stored(markers: ServerTableMarkers, instant: int, partition: str) -> tuple[DataFile, ...]:
    """What is in the files now."""
    every = [marker for of_file in read_marker_files(markers._storage, instant).values() for marker in of_file]
    return tuple([marker.file for marker in every if marker.partition == partition])


DAMAGE_MUTANTS: tuple[Mutant, ...] = (
    Mutant("markers-need-their-type", "up to 0.12 (HUDI-4517)", (
        (ServerTableMarkers, "_may_have_files", no_files),
    ), SHIPPED),
    Mutant("rollback-never-lists", "a marker that vanished is not found", (
        (Cleaner, "_paths", marked),
    ), SHIPPED),
    Mutant("server-reconciles-by-files", "a marker file that vanished has none", (
        (ServerTableMarkers, "files", stored),
    ), SHIPPED),
)  # fmt: skip
