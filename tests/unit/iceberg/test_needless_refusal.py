"""Refusals on a table with a file for each row: who was refused shares a row with a commit in his window."""

import pytest

from checkers.histories.notation import history
from checkers.iceberg.properties import ICEBERG_CHECKS
from checkers.verdict import quick

NAME = "no-needless-refusal"


@pytest.mark.parametrize(("line", "broken"), [
    ("w1:upd(row1=A)@0->1 w2:upd(row2=B)@0! ; final:read(row1=A)@1", True),
    ("w1:upd(row1=A)@0->1 w2:upd(row1=B)@0! ; final:read(row1=A)@1", False),
    ("w1:upd(row1=A)@0->1 ; w2:upd(row1=B)@1! ; final:read(row1=A)@1", True),
    ("w1:upd(row1=A)@0->1 w2:upd(row2=B)@0!notfound ; final:read(row1=A)@1", False),
    ("w2:upd(row2=B)@0! ; final:read(row2=0)@0", True),
    ("w1:upd(row1=A)@1->2 w2:upd(row2=B)@0! ; final:read(row1=A)@2", False),
    ("w1:upd(row1=A)@0->1 w2:upd(row2=B)@0!CommitFailed:timed-out ; final:read(row1=A)@1", False),
    ("w1:upd(row1=A)@0->1 ; w2:upd(row2=B)@1!CommitFailed:timed-out ; final:read(row1=A)@1", True),
])  # fmt: skip
def test_a_refusal_needs_a_rival_for_one_of_its_rows(line, broken):
    """Another row, a commit before the start and nobody at all are no reasons; a commit of unknown maker may be one."""
    assert list(ICEBERG_CHECKS) == [NAME]
    assert quick(history(line), (NAME,)) == (f"{NAME}/needless-refusal" if broken else None)
