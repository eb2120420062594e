"""Writes that are tried again, and updates that read before they write."""

from collections.abc import Callable
from typing import Any

import pytest

from model.hudi import SHIPPED, retries
from model.hudi.config import HudiConfig
from model.hudi.errors import ConfigError, HudiError
from model.hudi.keys import CONFLICT_RETRIES, MODE, NON_BLOCKING, OCC, SINGLE_WRITER
from model.ports import Coverage
from sim.generation.draws import PinError, seeded
from sim.hudi.build import OPTIMISTIC, race
from sim.hudi.built_in.non_blocking import NON_BLOCKING as NON_BLOCKING_OPTIONS
from sim.hudi.built_in.updates import RETRIED
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import HIDING, DeletePartition, Overwrite, Restore, Savepoint, Update, Upsert
from tests.mutants.mutant import Mutant
from tests.unit.hudi.drawn_last import OF_UPDATES, without
from tests.unit.hudi.vectors import tried

SEEDS = 120


def whatever(config: HudiConfig, counts: Coverage, attempt: Callable[[], Any]) -> Any:
    """Every error is tried again."""
    for _ in range(config.conflict_retries):
        try:
            return attempt()
        except HudiError:
            continue
    return attempt()


ANY_ERROR = Mutant(
    "any-error-tried-again", "who is refused early is tried again", ((retries, "retried", whatever),), SHIPPED
)


@pytest.mark.parametrize("error", ["EarlyConflict", "LockFailed", "HeartbeatExpired", "StorageFailed"])
def test_only_a_conflict_at_the_commit_is_tried_again(error):
    """Early conflicts come as a failed Spark job; a mutant that tries anything again is found."""
    config = HudiConfig(mode=OCC, conflict_retries=2)
    assert tried([error, "ok"], config) == f"{error} tries=1"
    with ANY_ERROR.alive():
        assert tried([error, "ok"], config) == "ok tries=2"


def test_it_is_tried_as_often_as_the_option_says_and_only_with_several_writers():
    """Then the last conflict is the write's."""
    lost = ["WriteConflict"] * 4
    assert tried(lost, HudiConfig(mode=OCC, conflict_retries=3)) == "WriteConflict tries=4"
    assert tried(["WriteConflict", "ok"], HudiConfig(mode=NON_BLOCKING, conflict_retries=1)) == "ok tries=2"
    assert tried(lost, HudiConfig(mode=SINGLE_WRITER, conflict_retries=3)) == "WriteConflict tries=1"


@pytest.mark.parametrize(
    ("writers", "options"),
    [
        ({"w1": [Update(((9, "A"),))]}, OPTIMISTIC),
        ({"w1": [Update(((1, "A"),))]}, NON_BLOCKING_OPTIONS),
        ({"w1": [Update(((1, "A"),))], "w2": [Overwrite(((1, "B"),))]}, OPTIMISTIC),
        ({"w1": [Update(((1, "A"),))], "w2": [DeletePartition()]}, OPTIMISTIC),
        ({"w1": [Update(((1, "A"),))], "w2": [Savepoint(), Restore()]}, OPTIMISTIC),
    ],
    ids=["no such row", "not compared", "overwritten", "deleted", "restored"],
)
def test_an_update_of_what_may_not_be_there_is_refused(writers, options):
    """Its rows are there at all times, and its writer is compared."""
    with pytest.raises(ConfigError, match=r"writers"):
        race("x", "x", writers, options=options)


@pytest.mark.parametrize("value", ["-1", "1001", "x"])
def test_a_number_of_retries_that_cannot_be_is_refused(value):
    """One line names the option."""
    with pytest.raises(ConfigError, match=CONFLICT_RETRIES):
        race("x", "x", {"w1": [Upsert(((1, "A"),))]}, options=(*OPTIMISTIC, (CONFLICT_RETRIES, value)))


def test_bounds_name_the_retries():
    """As often as the option says."""
    assert "1 retry after a conflict" in race("x", "x", {"w1": [Upsert(((1, "A"),))]}, options=RETRIED).bounds


def test_they_are_drawn_last_and_where_rows_are_there():
    """Without them a seed gives the same race, but that it upserts, and tries once."""
    changed = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(seeded(seed), CONFIGURATIONS["prefer-writer"]).program
        usual: Any = GENERATOR.make(without(seeded(seed), *OF_UPDATES), CONFIGURATIONS["prefer-writer"]).program
        pairs = zip(mine.workload.statements, usual.workload.statements, strict=True)
        assert all(one == other or isinstance(one, Update) for one, other in pairs)
        if mine.workload.has(Update):
            changed += 1
            assert not mine.workload.has(Restore, *HIDING)
    assert SEEDS / 30 < changed < SEEDS / 4


def test_retries_are_drawn_where_there_are_several_writers():
    """A draw has what it was pinned to, or is none."""
    for seed in range(20):
        drawn: Any = GENERATOR.make(seeded(seed), CONFIGURATIONS["tried-again"]).program
        assert drawn.config.conflict_retries == 2
    with pytest.raises(PinError, match=CONFLICT_RETRIES):
        GENERATOR.make(seeded(0), {CONFLICT_RETRIES: "2", MODE: SINGLE_WRITER})


def test_those_of_log_files_are_drawn_where_retries_are_asked_for():
    """On merge-on-read tables, where nobody overwrites, deletes or restores; else nobody draws them there."""
    settings, changed = CONFIGURATIONS["merge-on-read-tried-again"], 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(seeded(seed), settings).program
        usual: Any = GENERATOR.make(seeded(seed), CONFIGURATIONS["merge-on-read"]).program
        assert not usual.workload.has(Update)
        assert not (mine.workload.has(Update) and mine.workload.has(Restore, *HIDING))
        changed += mine.workload.has(Update)
    assert SEEDS / 8 < changed < SEEDS / 2
