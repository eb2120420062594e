"""Non-blocking writers: what they write, what a file group without a base file shows, and what goes together."""

import pytest

from model.hudi import SHIPPED, coverage, parse_options
from model.hudi.errors import ConfigError
from model.hudi.keys import EARLY, INDEX, LOCK_PROVIDER, MERGE_MODE, MODE, TABLE_TYPE, TABLE_VERSION
from model.hudi.variants import FIXED, ROLLBACK_AWARE
from sim.hudi.build import OPTIMISTIC, race
from sim.hudi.built_in.non_blocking import BY_EVENT_TIME, NON_BLOCKING
from sim.hudi.race import hudi_race
from sim.hudi.statements import Clean, Insert, Upsert
from sim.hudi.workload import HudiWorkload
from sim.search.explore import by_deviations
from sim.world.scenario import FaultSpace
from tests.unit.hudi.merging_vectors import NON_BLOCKING_CASES, Model

OPTIONS = dict(NON_BLOCKING)


@pytest.mark.parametrize("case", NON_BLOCKING_CASES, ids=lambda case: f"{case.order}: {case.calls}")
def test_slices_and_rows(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_non_blocking.py` plays each fourth."""
    assert Model(case).play(case.calls) == (case.slices, case.rows)


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({**OPTIONS, TABLE_TYPE: "COPY_ON_WRITE"}, TABLE_TYPE),
        ({**OPTIONS, INDEX: "SIMPLE"}, INDEX),
        ({key: value for key, value in OPTIONS.items() if key != LOCK_PROVIDER}, LOCK_PROVIDER),
        ({**OPTIONS, EARLY: "true"}, EARLY),
        ({**OPTIONS, TABLE_VERSION: "6"}, TABLE_VERSION),
        ({**OPTIONS, MODE: "SINGLE_WRITER"}, INDEX),
        (dict((*OPTIMISTIC, *BY_EVENT_TIME)), MERGE_MODE),
    ],
)
def test_settings_that_do_not_go_together_are_refused(options, key):
    """Most as Hudi does (`HoodieWriteConfig.validate`), in one line that names the option."""
    with pytest.raises(ConfigError) as caught:
        parse_options(options)
    assert (caught.value.key, str(caught.value).count("\n")) == (key, 0)


@pytest.mark.parametrize(
    ("statement", "table", "key"),
    [
        (Insert(((5, "E"),)), {}, INDEX),
        (Upsert(((1, "A"),)), {"groups": (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)))}, INDEX),
        (Upsert(((5, "E"), (6, "F"))), {"elsewhere": ((5, "p2"), (6, "p3"))}, "elsewhere"),
    ],
)
def test_what_does_not_fit_into_buckets_is_refused(statement, table, key):
    """A partition is one bucket, and whoever begins one names its file group as everybody does."""
    with pytest.raises(ConfigError) as caught:
        hudi_race(HudiWorkload((("w1", (statement,)),), options=NON_BLOCKING, **table))
    assert (caught.value.key, str(caught.value).count("\n")) == (key, 0)


@pytest.mark.parametrize("rules", [SHIPPED, ROLLBACK_AWARE, FIXED])
def test_a_non_blocking_commit_looks_for_its_own_rollback_where_others_do(rules):
    """A writer stands still until a cleaner has rolled it back: it is refused, though it compares with nobody."""
    scenario = race(
        "stands-still",
        "A writer stands still, and another one cleans.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Clean(after_ms=180_000)]},
        rules=rules,
        options=NON_BLOCKING,
        faults=FaultSpace({"create": ("pause",)}, 1, ("w1",), 241_000),
        properties=("table-invariants", "rollback-is-final"),
    )
    result = by_deviations(scenario, 1, limit=100)
    looks = rules is not SHIPPED
    assert bool(result.failures) == (not looks)
    assert bool(result.coverage.get(coverage.OWN_ROLLBACK_FOUND)) == looks
