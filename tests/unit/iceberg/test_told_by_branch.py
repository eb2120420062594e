"""Which runs are told by a branch: those whose lineage has what is committed to one, and to no other."""

import pytest

from checkers.histories.recorder import Recorder
from model.iceberg import meanings
from model.iceberg.metadata import MAIN, TableMetadata
from reports.explanation.renderer import Traced
from reports.iceberg.on_branch import branch_of

BEFORE = TableMetadata(1, refs=((MAIN, 4), ("b", 4)))


def commit(*refs):
    """A commit that leaves refs like this."""
    meaning = meanings.Commits(BEFORE, BEFORE._replace(refs=refs), fenced=True)
    return Traced(0, "w1", "commit", "db.t", (), None, "", (meaning,))


@pytest.mark.parametrize(
    ("commits", "lineage", "found"),
    [
        ([commit((MAIN, 4), ("b", 5))], 5, "b"),
        ([commit((MAIN, 4), ("b", 5))], 0, None),
        ([commit((MAIN, 5), ("b", 4))], 5, None),
        ([commit((MAIN, 4), ("b", 5)), commit((MAIN, 6), ("b", 4))], 5, None),
        ([commit((MAIN, 4), ("b", 5)), commit((MAIN, 4), ("b", 4), ("c", 5))], 5, None),
        ([], 5, None),
    ],
)
def test_a_run_is_told_by_the_branch_that_its_lineage_follows(commits, lineage, found):
    """One that writes beside main is told by main."""
    recorder = Recorder()
    recorder.setup((), lineage)
    recorder.version(0, lineage, None, "append", op=0)
    assert branch_of(commits, recorder.history({lineage: 0}).events) == found
