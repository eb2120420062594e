"""Early detection is a matter of time: with each of RFC-56's strategies the commit decides as it does without."""

from dataclasses import replace

import pytest

from model.hudi import coverage
from model.hudi.keys import CONFLICTS, FAMILIES, PREFER_WRITER
from model.hudi.options import parse_options
from model.hudi.variants import AS_DOCUMENT
from sim.hudi.build import ASYNC, BLOOM, BLOOM_ASYNC, DIRECT, ONE_GROUP, OPTIMISTIC, SAFETY, TRANSACTIONAL, race
from sim.hudi.built_in.locks import ZOOKEEPER_LOCK
from sim.hudi.workload import Options
from sim.search.explore import exhaustive
from sim.search.result import Result

pytestmark = pytest.mark.search
STRATEGIES: dict[str, tuple[Options, Options]] = {
    "simple": (DIRECT, OPTIMISTIC),
    "transactional": (TRANSACTIONAL, ZOOKEEPER_LOCK),
    "asynchronous": (ASYNC, OPTIMISTIC),
    "Bloom": (BLOOM, OPTIMISTIC),
    "asynchronous Bloom": (BLOOM_ASYNC, OPTIMISTIC),
}
"""Each with the options without detection that are the same otherwise."""
PREFERRING: Options = ((CONFLICTS, PREFER_WRITER),)


def every_schedule(options: Options, *steps: str) -> Result:
    """Two writers of one file group, in every order of these steps."""
    scenario = race("detection", "", ONE_GROUP, rules=AS_DOCUMENT, options=options, properties=SAFETY)
    result = exhaustive(replace(scenario, yield_points=steps))
    assert result.complete
    return result


def test_every_strategy_of_the_document_is_asked() -> None:
    """None is left out."""
    asked = {parse_options(dict(options)).detection for options, _ in STRATEGIES.values()}
    assert asked == {name for family in FAMILIES.values() for name in family}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_detection_finds_conflicts_early_and_loses_none(strategy: str) -> None:
    """Where writers are preferred nothing is broken; some conflicts are found early, others at the commit."""
    found = every_schedule((*STRATEGIES[strategy][0], *PREFERRING), "create", "close", "delete", "sleep")
    assert not found.failures
    assert found.coverage[coverage.EARLY_CONFLICT_BY_MARKER]
    assert found.coverage[coverage.CONFLICT_FOUND]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_detection_breaks_and_repairs_nothing(strategy: str) -> None:
    """Under the default strategy the same is broken with it as without it: the loss of an older instant."""
    on, off = (every_schedule(options, "create", "list", "close") for options in STRATEGIES[strategy])
    assert set(on.failures) == set(off.failures) == {"acknowledged-writes-survive/lost-write"}
