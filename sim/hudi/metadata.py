"""The metadata table of a simulated Hudi table, as it is when a race begins."""

from model.hudi.file_groups import INSERT, CommitMetadata, WriteStat
from model.hudi.metadata_folder import Below
from model.hudi.metadata_records import of_commit
from model.hudi.metadata_slices import log_path
from model.hudi.names import DELTA_COMMIT, METADATA, completed_path, inflight_path, requested_path
from sim.hudi.files import TableFiles


def make_metadata(files: TableFiles, stats: tuple[WriteStat, ...]) -> None:
    """Write what the first commit says into it, in no step of anybody."""
    below, delta = Below(files, METADATA), (2, 0, DELTA_COMMIT)
    below.create(requested_path(*delta), None)
    below.create(inflight_path(*delta), None)
    below.create(log_path(0), of_commit(CommitMetadata(INSERT, stats)))
    below.create(completed_path(*delta, 0), None)
