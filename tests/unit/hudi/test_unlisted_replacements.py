"""Which rollbacks by listing cannot be planned; held against the real Hudi in tests/live."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from model.hudi import SHIPPED
from model.hudi.config import HudiConfig
from model.hudi.errors import RollbackUnplanned
from model.hudi.names import CLUSTERING, COMMIT, DELTA_COMMIT, INFLIGHT, REPLACE_COMMIT, REQUESTED
from model.hudi.plans import refuse_unlisted
from model.hudi.timeline import Instant


class Counts:
    """Counts what is hit."""

    def __init__(self) -> None:
        self.hits = 0

    def hit(self, name):
        self.hits += 1


UNREAD = replace(SHIPPED, unlisted_replacements_stop_rollbacks=False)


@pytest.mark.parametrize(
    ("action", "state", "version", "rules", "fails"),
    [
        (REPLACE_COMMIT, INFLIGHT, 9, SHIPPED, True),
        (REPLACE_COMMIT, INFLIGHT, 8, SHIPPED, True),
        (REPLACE_COMMIT, INFLIGHT, 6, SHIPPED, False),
        (REPLACE_COMMIT, INFLIGHT, 9, UNREAD, False),
        (REPLACE_COMMIT, REQUESTED, 9, SHIPPED, False),
        (COMMIT, INFLIGHT, 9, SHIPPED, False),
        (DELTA_COMMIT, INFLIGHT, 9, SHIPPED, False),
        (CLUSTERING, INFLIGHT, 9, SHIPPED, False),
    ],
)
def test_what_an_inflight_replacement_says_cannot_be_read(action, state, version, rules, fails):
    """From table version 8 on; of one that is only requested nothing is listed."""
    counts = Counts()
    raised = pytest.raises(RollbackUnplanned) if fails else nullcontext()
    with raised:
        refuse_unlisted(Instant(1, action, state), HudiConfig(table_version=version), rules, counts)
    assert counts.hits == fails
