"""What is not there of what savepoints are to keep, looked up in the files themselves when a race is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from model.hudi.file_groups import CommitMetadata, SavepointMetadata
from model.hudi.names import completed_path, parse_base_file, text
from model.hudi.savepoints import slices_as_of
from model.hudi.timeline import Instant
from sim.hudi.files import TableFiles
from sim.hudi.table import files_of, timeline_of
from sim.world.simulation import Simulation

Commits = Iterable[tuple[Instant, CommitMetadata]]


def lost_of_savepoints(simulation: Simulation, layout: int) -> Iterator[str]:
    """What is wrong with a simulated table's savepoints, as `lost_of`."""
    files, timeline = files_of(simulation), timeline_of(simulation, layout)
    bodies = [(instant, _body(files, layout, instant)) for instant in timeline.completed]
    commits = [(instant, body) for instant, body in bodies if isinstance(body, CommitMetadata)]
    for savepoint in timeline.savepoints:
        metadata = _body(files, layout, savepoint)
        named = metadata.paths if isinstance(metadata, SavepointMetadata) else ()
        yield from lost_of(savepoint.requested, named, commits, files.files.__contains__)


def lost_of(savepoint: int, named: tuple[str, ...], commits: Commits, exists: Callable[[str], bool]) -> Iterator[str]:
    """What is wrong with a savepoint, as "kind: text": a file that it names is gone, it lacks one of its commit's, or
    that commit has left the active timeline, so that nobody can restore to it.

    A file group is lacked where the savepoint names no slice of it from those that the commit could see and not later.
    """
    name, commits = text(savepoint), list(commits)
    for path in named:
        if not exists(path):
            yield f"file-gone: savepoint {name} names {path}, which does not exist"
    held = [(path.rpartition("/")[0], file) for path in named if (file := parse_base_file(path.rpartition("/")[2]))]
    own = [each for each in commits if each[0].requested == savepoint]
    if not own:
        yield f"commit-gone: savepoint {name} is of a commit that is not on the active timeline"
    for (partition, file_id), file in slices_as_of(own[0][0], commits).items() if own else ():
        slices = [each.instant for folder, each in held if (folder, each.file_id) == (partition, file_id)]
        if not any(file.instant <= instant <= savepoint for instant in slices):
            yield f"incomplete: savepoint {name} names no slice of {partition}/{file_id} as of its commit"


def _body(files: TableFiles, layout: int, instant: Instant) -> object:
    path = completed_path(layout, instant.requested, instant.action, instant.completed or 0)
    return files.files[path][0]
