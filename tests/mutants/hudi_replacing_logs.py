"""Mutants of overwrites and deletions on merge-on-read tables; see `tests.mutants.hudi`."""

from typing import Any

from model.hudi import views
from model.hudi.names import REPLACE_COMMIT, parse_base_file
from model.hudi.rules import SHIPPED
from model.hudi.slices import FileSlice, file_slices
from model.hudi.timeline import Timeline
from model.hudi.variants import REPLACED_COMPARED
from tests.mutants.mutant import Mutant

Names = tuple[str, ...]


def based_alone(names: Names, timeline: Timeline, replaced: frozenset[str], *rest: Any, **more: Any) -> Any:
    """Of what is taken out, file groups with a base file alone are hidden."""
    every: tuple[FileSlice, ...] = file_slices(names, timeline, frozenset(), *rest, **more)
    return tuple([each for each in every if each.base is None or each.file_id not in replaced])


def older_alone(names: Names, timeline: Timeline, replaced: frozenset[str], *rest: Any, **more: Any) -> Any:
    """A slice that is newer than the last replacement is seen, though its file group was taken out."""
    last = max([each.requested for each in timeline.completed if each.action == REPLACE_COMMIT], default=-1)
    bases = [file for file in map(parse_base_file, names) if file is not None and file.instant > last]
    newer = {file.file_id for file in bases if timeline.has_completed(file.instant)}
    return file_slices(names, timeline, replaced - newer, *rest, **more)


REPLACING_LOGS_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "hides-based-groups-alone", "what is deleted, and was never compacted, is read again",
        ((views, "file_slices", based_alone),), SHIPPED,
    ),
    Mutant(
        "hides-older-slices-alone", "what a compaction makes of what is overwritten is read again",
        ((views, "file_slices", older_alone),), REPLACED_COMPARED,
    ),
)  # fmt: skip
