"""What a live run's restores have taken back: commits that were completed, of which no file is left.

Their completed files were seen when they were made, and their data files when they were written; both are in the record
of the run's storage operations, among those of the metadata table.
"""

from collections.abc import Mapping

from model.hudi.names import HISTORY, METADATA, parse_data_file, parse_instant_file
from model.hudi.timeline import WRITES, Instant
from real_backend.hudi.read_back import Completed
from real_backend.hudi.storage import Operation
from real_backend.hudi.table import LiveTable
from sim.hudi.restored import restore_seen


def taken_back(
    record: tuple[Operation, ...], completed_by: Mapping[str, str], there: tuple[Completed, ...]
) -> tuple[Completed, ...]:  # fmt: skip
    """The commits of a run that are not `there` any more. Args: `completed_by`: who completed a version, by name."""
    known, found = {one.name for one in there}, []
    for each in [each for each in record if METADATA not in each.path]:
        file = parse_instant_file(each.path.rpartition("/")[2]) if each.name == "rename" else None
        instant = Instant(*file) if file is not None and file.action in WRITES and file.completed is not None else None
        if instant is None or instant.name in known:
            continue
        known.add(instant.name)
        requested, completed = str(instant.requested), str(instant.completed)
        files = _written(record, instant.requested)
        found.append(Completed(requested, completed, instant.action, files, completed_by.get(instant.name)))
    return tuple(found)


def _written(record: tuple[Operation, ...], instant: int) -> tuple[str, ...]:
    """The data files of an instant."""
    paths = [each.path.strip("/") for each in record if each.name == "written" and METADATA not in each.path]
    files = [(path, parse_data_file(path.rpartition("/")[2])) for path in paths]
    return tuple(sorted({path for path, file in files if file is not None and file.instant == instant}))


def newest_of(table: LiveTable, *, restored: bool) -> str | None:
    """The name of the newest version that a table shows, be it a restore's where somebody restores; None if something
    was archived, for it may be among that."""
    if any((table.path / HISTORY).glob("*.parquet")):
        return None
    timeline = table.timeline()
    newest = timeline.newest.name if timeline.newest else None
    if not restored:
        return newest
    targets = {int(each.requested): map(int, each.targets) for each in table.restores()}
    return restore_seen(timeline, targets) or newest
