"""Mutants of tables with several partitions; see `tests.mutants.hudi`."""

from model.hudi.file_groups import Rows
from model.hudi.marker_port import ServerTableMarkers
from model.hudi.markers import DirectMarkers, marked_files
from model.hudi.names import DataFile
from model.hudi.partitions import Partitions
from model.hudi.variants import NEWER_BASE_REFUSED
from tests.mutants.mutant import Mutant


def all_in_one(where: Partitions, rows: Rows) -> tuple[tuple[str, Rows], ...]:
    """Every row in the partition of new ones."""
    return ((where.default, rows),)


def one_level(markers: DirectMarkers, folder: str) -> list[tuple[str, DataFile]]:
    """The marked files of a folder, without those of the folders in it."""
    return [(folder, file) for file in marked_files(markers.names(folder))]


def up_to_underscore(markers: ServerTableMarkers, instant: int, partition: str) -> tuple[DataFile, ...]:
    """The marked files of the partitions whose names are not the same up to the first underscore."""
    known = partition.split("_", 1)[0]
    return tuple([one.file for one in markers._server.markers(instant) if one.partition == known])


PARTITION_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "rows-in-one-partition", "a row is there twice, in its own partition and in another",
        ((Partitions, "split", all_in_one),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "markers-of-one-level", "a rollback finds no markers of partitions in folders",
        ((DirectMarkers, "_below", one_level),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "server-markers-up-to-underscore", "a reconciliation finds no markers of partitions with an underscore",
        ((ServerTableMarkers, "files", up_to_underscore),), NEWER_BASE_REFUSED,
    ),
)  # fmt: skip
