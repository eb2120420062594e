"""Services in place of writers, and savepoints that are made later, in drawn races."""

from typing import Any

from model.hudi.keys import MODE, NON_BLOCKING
from sim.generation.draws import seeded
from sim.generation.generator import promised
from sim.hudi.build import NO_FAULTS
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.draw.clustering_faults import STRUCK
from sim.hudi.draw.restores import SAVED_LATER
from sim.hudi.draw.services import MOST, SHAPE
from sim.hudi.generate import GENERATOR
from sim.hudi.promises import BACK, DEAD, PROMISES, WRITERS
from sim.hudi.statements import Cluster, Compact, Overwrite, Read, Restore, Savepoint, Upsert
from tests.unit.hudi.drawn_last import without

SEEDS = 150


def test_one_writer_is_left_beside_services_now_and_then():
    """Nothing fails there but beside who clusters, and who restores alone has readers beside him; without them a seed
    gives the same race but for the actors, and without log files always."""
    settings, changed = CONFIGURATIONS["merge-on-read"], 0
    kinds: set[type] = set()
    for seed in range(SEEDS):
        mine, usual = (
            GENERATOR.make(without(seeded(seed), SAVED_LATER, STRUCK, *more), settings) for more in ((), (SHAPE,))
        )
        work: Any = mine.program
        theirs: Any = usual.program
        work, theirs = work.workload, theirs.workload
        assert (work.groups, work.history) == (theirs.groups, theirs.history)
        if work.writers == theirs.writers:
            continue
        changed += 1
        assert mine.faults == NO_FAULTS
        (_, todo), *others = work.writers
        if not any(isinstance(one, Compact) for _, more in others for one in more):
            assert all(isinstance(one, Read) for _, more in others for one in more)
            assert [isinstance(one, Savepoint | Restore) for one in todo].count(True) == len(("saves", "restores"))
            kinds.add(Read)
            continue
        beside = [kind for kind in (Overwrite, Cluster, Restore) if work.has(kind)]
        kinds |= set(beside)
        assert beside
        assert len(work.writers[0][1]) <= MOST + 1
    assert SEEDS / 8 < changed < SEEDS / 2
    assert kinds == {Overwrite, Cluster, Restore, Read}


def test_non_blocking_writers_and_copy_on_write_tables_have_none():
    """A seed gives the same race."""
    for name in ("non-blocking", "prefer-writer"):
        settings = CONFIGURATIONS[name]
        for seed in range(30):
            mine: Any = GENERATOR.make(seeded(seed), settings).program
            usual: Any = GENERATOR.make(without(seeded(seed), SHAPE), settings).program
            assert mine.workload == usual.workload
    assert CONFIGURATIONS["non-blocking"][MODE] == NON_BLOCKING


def test_who_restores_may_have_written_before_the_savepoint():
    """A row more, now and then; else the savepoint comes first."""
    settings, first = CONFIGURATIONS["prefer-writer"], []
    for seed in range(4 * SEEDS):
        work: Any = GENERATOR.make(seeded(seed), settings).program
        for _, todo in work.workload.writers:
            if any(isinstance(one, Restore) for one in todo):
                first.append(type(todo[0]))
                assert isinstance(todo[todo[0].__class__ is Upsert], Savepoint)
    assert set(first) == {Upsert, Savepoint}
    assert first.count(Upsert) < first.count(Savepoint)


def test_nothing_is_left_by_one_writer_who_takes_back_what_is_his_own():
    """Who works beside him leaves what it writes then, and of who died before the heartbeat stays."""
    settings = {**CONFIGURATIONS["merge-on-read"], BACK: "yes"}
    asked = [
        promised(PROMISES, {**settings, WRITERS: n, DEAD: dead}) for n, dead in (("1", "no"), ("2", "no"), ("1", "yes"))
    ]
    assert ["clean-at-quiescence" in each for each in asked] == [True, False, False]
