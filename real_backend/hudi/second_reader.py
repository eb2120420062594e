"""What is read besides, when a run is over: the rows by another reader, and what a metadata table says.

Choices: where there is a metadata table, the other reader is Spark again, which lists folders then; elsewhere hudi-rs,
also of merge-on-read tables, whose log files it merges by itself.
"""

from model.hudi.config import HudiConfig
from real_backend.hudi.read_back import Completed
from real_backend.hudi.rust_reader import ReadTwice, read_again
from real_backend.hudi.table import LiveTable
from sim.hudi.listed import wrong_of

BY_FOLDERS = "Spark by listing folders"


def read_otherwise(table: LiveTable, config: HudiConfig) -> ReadTwice | None:
    """What a second reader reads, if there is one."""
    if config.metadata:
        return ReadTwice(*table.rows(listed=True), BY_FOLDERS)
    return read_again(table.path)


def wrong_of_listing(table: LiveTable, instants: tuple[Completed, ...], config: HudiConfig) -> tuple[str, ...] | None:
    """What is wrong with the metadata table, as `sim.hudi.listed` says it; None if there is none."""
    if not config.metadata:
        return None
    named = [(int(each.requested), file) for each in instants for file in each.files]
    cleaned = table.cleaned()
    return tuple(
        wrong_of(
            table.listed(),
            named,
            lambda path: (table.path / path).is_file(),
            lambda path: path.rpartition("/")[2] in cleaned,
        )
    )
