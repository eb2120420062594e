"""Merge-on-read tables: what a slice is, what a compaction takes, who carries it out, and what goes together."""

import pytest

from model.hudi import Cleaner, CompactionClient, HudiClient, parse_options
from model.hudi.errors import ConfigError
from model.hudi.keys import COMPACT_AFTER, INDEX, MERGE_ON_READ, RETAINED, TABLE_TYPE, TABLE_VERSION
from model.hudi.names import COMPACTION, COMPLETED, DELTA_COMMIT, BaseFile, LogFile
from model.hudi.slices import FileSlice
from model.hudi.timeline import Instant, Timeline
from sim.generation.draws import PinError, seeded
from sim.hudi.build import DIRECT, OPTIMISTIC
from sim.hudi.built_in.non_blocking import NON_BLOCKING
from sim.hudi.generate import GENERATOR
from sim.hudi.race import hudi_race
from sim.hudi.statements import Archive, Clean, Compact, Overwrite, Upsert
from sim.hudi.workload import HudiWorkload
from tests.unit.hudi.merging_vectors import BEATS, CASES, GROUPS, WAIT_MS, Model
from tests.unit.hudi.worlds import Lab

MERGED = ((TABLE_TYPE, MERGE_ON_READ), (COMPACT_AFTER, "1"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.after}: {case.calls}")
def test_slices_and_rows(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_merge_on_read.py` plays the same cases."""
    assert Model(case).play(case.calls) == (case.slices, case.rows)


def test_early_detection_leaves_compactions_alone():
    """Neither is a compaction refused for a live writer of its file group, nor a writer for a compaction."""
    lab = Lab((*DIRECT, *MERGED), groups=GROUPS)
    writers = [HudiClient(lab.world(name), lab.config, owner=name) for name in ("w1", "w2", "w3")]
    first, second = writers[0].start_commit(), writers[1].start_commit()
    writers[0].commit(first, writers[0].upsert((("1", "A"),), first))
    compactor = CompactionClient(lab.world("c"), lab.config, owner="c")
    plan = compactor.schedule(("p1",))
    writers[1].upsert((("1", "B"),), second)
    written = compactor.execute(plan)
    third = writers[2].start_commit()
    writers[1].heartbeats.stop(second, delete=True)
    writers[2].upsert((("1", "C"),), third)
    assert compactor.commit(plan, written).requested == plan


def test_a_plan_leaves_out_what_a_clock_that_is_ahead_has_completed():
    """What has a later completion time than the plan's instant belongs to the slice that the plan begins."""
    client = CompactionClient(Lab((*OPTIMISTIC, *MERGED)).world("c"), parse_options(dict((*OPTIMISTIC, *MERGED))))
    early, late = LogFile("fg1", "0-0-0", 1, 1), LogFile("fg1", "0-0-0", 3, 1)
    seen = Timeline(tuple([Instant(at, DELTA_COMMIT, COMPLETED, done) for at, done in ((1, 2), (3, 9))]))
    each = FileSlice(BaseFile("fg1", "0-0-0", 0), (early, late))
    assert client._completed_before(5, each, seen).logs == (early,)


def test_a_cleaner_leaves_the_rollback_of_a_compaction_to_who_carries_that_out():
    """Somebody took it over and died when the rollback was planned; the plan must not go with it."""
    lab = Lab((*OPTIMISTIC, *BEATS, *MERGED), groups=GROUPS)
    writer = HudiClient(lab.world("w"), lab.config, owner="w")
    instant = writer.start_commit()
    writer.commit(instant, writer.upsert((("1", "A"),), instant))
    compactor = CompactionClient(lab.world("c"), lab.config, owner="c")
    plan = compactor.schedule(("p1",))
    compactor.execute(plan)
    compactor.close()
    lab.wait(WAIT_MS)
    cleaner = Cleaner(lab.world("d"), lab.config, owner="d")
    assert cleaner._schedule(plan, action=COMPACTION) is not None
    assert cleaner.rollback_failed_writes() == ()
    assert cleaner._timeline.load().pending_compactions == (plan,)


@pytest.mark.parametrize(
    ("options", "statements", "key"),
    [
        ((), (Compact(),), TABLE_TYPE),
        (NON_BLOCKING, (Overwrite(((1, "A"),)),), INDEX),
        (MERGED, (Archive(),), TABLE_TYPE),
        ((*MERGED, (TABLE_VERSION, "6")), (Compact(),), TABLE_VERSION),
        ((*MERGED, (RETAINED, "2")), (Upsert(((1, "A"),)), Upsert(((1, "B"),)), Clean()), RETAINED),
    ],
)
def test_what_does_not_go_together_is_refused(options, statements, key):
    """In one line that names the option: a first commit counts as one that is retained, too."""
    with pytest.raises(ConfigError) as caught:
        hudi_race(HudiWorkload((("w1", statements),), options=tuple(dict((*OPTIMISTIC, *options)).items())))
    assert (caught.value.key, str(caught.value).count("\n")) == (key, 0)


def test_a_cleaner_has_nothing_to_clean_while_all_commits_are_retained():
    """The first commit, and two more."""
    statements = (Upsert(((1, "A"),)), Upsert(((1, "B"),)), Clean())
    options = (*OPTIMISTIC, *MERGED, (RETAINED, "3"))
    assert hudi_race(HudiWorkload((("w1", statements),), options=options)).config.merge_on_read


def test_an_old_table_cannot_be_drawn_so():
    """One of version 6 has no completion times."""
    settings = {**GENERATOR.configurations["version-6"], TABLE_TYPE: MERGE_ON_READ}
    with pytest.raises(PinError, match="version 6"):
        GENERATOR.make(seeded(1), settings)
