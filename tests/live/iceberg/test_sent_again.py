"""What becomes of a staged append over REST that is applied and sent again, on the real client and server."""

import pytest

from model.iceberg import coverage
from real_backend.iceberg.conformance import conform
from sim.iceberg.built_in.rest import REST
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import RandomWalk

pytestmark = pytest.mark.live
STAGED = next(each for each in REST if each.name == "iceberg/rest-stage-resent")


def refused():
    """The first random run in which it is refused for what it has done itself."""
    runner = Runner(STAGED)
    runs = (runner.run(RandomWalk(seed, 0.2)) for seed in range(2_000))
    run = next(one for one in runs if one.coverage.get(coverage.NOT_APPLICABLE) and one.coverage.get(coverage.RESENT))
    return projection(run)


def test_a_staged_append_that_is_sent_again_is_refused_though_it_stands(java):
    """400, after which its files are deleted; the table has its snapshot beside the two that were there, and another
    writer's."""
    found = refused()
    assert found is not None
    assert STAGED.live is not None
    live = java.run(STAGED.live.workload, found.schedule)
    assert str(conform(found.run, live)).startswith("simulation and live system agree")
    assert "BadRequestException" in live.outcome("w1")
    assert any("snapshots have numbers 1, 2, 3, 4" in one for one in live.left)
