"""Drawn calls that are refused whatever is there, and specs and schemas that a table has no more, on the real Java
API."""

import pytest

from real_backend.iceberg.conformance import conform
from sim.iceberg.by_hand import AppendGiven, DeleteElsewhere, SetAndUnset
from sim.iceberg.draw.refused import TAKES
from tests.live.iceberg.agreement import agree, breaks_alike, workload_of
from tests.live.iceberg.drawn_races import done_in, drawn

pytestmark = pytest.mark.live
EACH = 4


def _is_asked(work, kind):
    return any(isinstance(one, kind) for one in done_in(work))


@pytest.mark.parametrize(
    "kind", [AppendGiven, SetAndUnset, DeleteElsewhere, type(TAKES)], ids=lambda kind: kind.__name__
)
def test_who_is_refused_is_told_so_by_both(java, kind):
    """Step by step, in outcomes, lineage, rows and files."""
    configuration = f"Java API, {'format 3, ' if kind is DeleteElsewhere else ''}refused calls"
    for _, played in drawn(configuration, lambda work: _is_asked(work, kind), EACH):
        agree(java, played)


@pytest.mark.parametrize("configuration", ["Java API, specs given up", "Java API, REST catalog, specs given up"])
def test_what_is_given_up_ends_alike(java, configuration):
    """Whoever has appended by it."""
    for seed, (schedule, run) in drawn(configuration, lambda _: True, 2 * EACH):
        seen = java.run(workload_of(run.scenario), schedule)
        result = conform(run, seen)
        assert result.agrees, f"{seed}: {result}"
        assert breaks_alike(seen, run), seed
