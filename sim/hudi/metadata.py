"""The metadata table of a simulated Hudi table, as it is when a race begins."""

from model.hudi.file_groups import INSERT, CommitMetadata, WriteStat
from model.hudi.metadata_records import of_commit
from model.hudi.metadata_table import Below, first_files
from model.hudi.names import METADATA
from sim.hudi.files import TableFiles


def make_metadata(files: TableFiles, stats: tuple[WriteStat, ...]) -> None:
    """Write what the first commit says into it, in no step of anybody."""
    below = Below(files, METADATA)
    for path, body in first_files(of_commit(CommitMetadata(INSERT, stats))):
        below.create(path, body)
