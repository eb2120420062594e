"""What becomes of failed writes where there is one writer."""

from typing import Any

import pytest

from model.hudi import Cleaner, EagerClient, HudiClient, HudiConfig
from model.hudi.errors import ConfigError
from model.hudi.keys import CLEAN_POLICY, EAGER, LAZY, METADATA, MODE, NEVER, OCC, TABLE_VERSION
from model.hudi.names import HEARTBEATS
from sim.generation.draws import PinError, seeded
from sim.hudi.build import NO_CONTROL, OPTIMISTIC, race
from sim.hudi.built_in.eager import EAGERLY
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import Archive, Cluster, Read, Restore, Savepoint, Upsert
from sim.hudi.table_types import WITHOUT_HEARTBEATS
from tests.unit.hudi.worlds import Lab

ROW = (("1", "A"),)
SEEDS = 30


def _lab(policy: str) -> Lab:
    lab = Lab("in-process")
    lab.config = HudiConfig(clean_policy=policy)
    return lab


@pytest.mark.parametrize("policy", [EAGER, NEVER])
def test_nobody_beats_and_no_cleaner_takes_back(policy):
    """Whatever was begun stays until a writer begins, or for good."""
    lab = _lab(policy)
    client = HudiClient(lab.world("w1"), lab.config)
    client.upsert(ROW, client.start_commit())
    assert lab.files.list(HEARTBEATS) == ()
    assert Cleaner(lab.world("c1"), lab.config).rollback_failed_writes() == ()


def test_who_begins_takes_back_all_that_is_pending_the_newest_first():
    """Also what its own client has begun."""
    lab = _lab(EAGER)
    dead = HudiClient(lab.world("w1"), lab.config)
    first, second = dead.start_commit(), dead.start_commit()
    dead.upsert(ROW, first)
    assert Cleaner(lab.world("c1"), lab.config).rollback_pending() == (second, first)
    client = EagerClient(lab.world("w2"), lab.config)
    third = client.start_commit()
    assert client.timeline.load().pending_times(without=third) == frozenset()


@pytest.mark.parametrize("other", [Cluster(), Savepoint(), Restore(), Archive()])
def test_services_that_tell_by_heartbeats_are_refused(other):
    """One line names the option."""
    with pytest.raises(ConfigError, match=CLEAN_POLICY):
        race("x", "", {"w1": [Upsert(((1, "A"),))], "w2": [other]}, options=EAGERLY)


@pytest.mark.parametrize(
    "options", [(*OPTIMISTIC, (CLEAN_POLICY, EAGER)), (*EAGERLY, (TABLE_VERSION, "6")), (*EAGERLY, (METADATA, "true"))]
)
def test_tables_on_which_it_is_not_modelled_are_refused(options):
    """And several writers have one policy alone."""
    with pytest.raises(ConfigError, match=CLEAN_POLICY):
        race("x", "", {"w1": [Upsert(((1, "A"),))]}, options=options)


def test_bounds_name_the_policy():
    """That of nobody who is asked for none is Hudi's of several writers."""
    writers = {"w1": [Upsert(((1, "A"),))]}
    assert "failed writes cleaned eagerly;" in race("x", "", writers, options=EAGERLY).bounds
    assert "cleaned lazily (default here: eagerly)" in race("x", "", writers, options=NO_CONTROL).bounds


@pytest.mark.parametrize("name", ["single-writer-eager", "single-writer-never"])
def test_it_is_drawn_where_it_is_asked_for(name):
    """And a name makes its race again; without it, it is the same race, but for services."""
    settings = CONFIGURATIONS[name]
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(seeded(seed), settings)
        theirs: Any = GENERATOR.make(seeded(seed), {**settings, CLEAN_POLICY: LAZY})
        assert mine.program.config.clean_policy == settings[CLEAN_POLICY]
        assert GENERATOR.again(mine.name).program.workload == mine.program.workload  # type: ignore[attr-defined]
        pairs = zip(mine.program.workload.statements, theirs.program.workload.statements, strict=True)
        assert all(one == other or (isinstance(one, Read) and not isinstance(other, WITHOUT_HEARTBEATS))
                   for one, other in pairs)  # fmt: skip


def test_it_cannot_be_asked_for_with_several_writers():
    """One line says so."""
    with pytest.raises(PinError, match=CLEAN_POLICY):
        GENERATOR.make(seeded(0), {MODE: OCC, CLEAN_POLICY: EAGER})
