"""A Hudi race that is ended before its actors have: what they leave is not left by anybody."""

import pytest

from model.hudi import SHIPPED
from sim.hudi.build import PREFERRING, race
from sim.hudi.statements import Upsert
from sim.search.run import Runner
from sim.search.strategies import Deviations

ONE = race(
    "cut-off", "", {"w1": [Upsert(((1, "A"),))]}, rules=SHIPPED, options=PREFERRING,
    properties=("clean-at-quiescence",),
)  # fmt: skip


@pytest.mark.parametrize("most", [2, 6, 10])
def test_nothing_is_left_over_while_somebody_is_at_work(most):
    """Nobody has looked at the files when all had ended, for they have not."""
    run = Runner(ONE, max_steps=most).run(Deviations())
    assert (run.complete, run.failure, run.indeterminate) == (False, None, True)


def test_at_its_end_somebody_looks():
    """And finds nothing."""
    run = Runner(ONE).run(Deviations())
    assert (run.complete, run.failure, run.indeterminate) == (True, None, False)
