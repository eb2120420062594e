"""Overwrites and deletions on merge-on-read tables: what is drawn, and the names of buckets that were deleted."""

from dataclasses import replace
from typing import Any

from model.hudi import HudiClient, coverage
from model.hudi.bucket_index import begun_alike
from model.hudi.names import REPLACE_COMMIT
from model.hudi.variants import BUCKETS_BEGUN_ANEW
from sim.generation.draws import seeded
from sim.hudi.built_in.non_blocking import NON_BLOCKING
from sim.hudi.generate import GENERATOR
from tests.unit.hudi.drawn_last import earlier
from tests.unit.hudi.merging_vectors import ELSEWHERE
from tests.unit.hudi.test_generate_hours import unserved
from tests.unit.hudi.worlds import Lab

SEEDS = 100


def test_overwrites_and_deletions_of_log_files_are_drawn_last():
    """Without them a seed gives the same race, but for the upserts that they took the place of: on merge-on-read tables
    alone, and of non-blocking writers deletions alone."""
    changed, pinned = 0, GENERATOR.configurations["merge-on-read"]
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(earlier(seeded(seed)), pinned)
        usual: Any = GENERATOR.make(unserved(earlier(seeded(seed))), pinned)
        mine, theirs = mine.program.workload, usual.program.workload
        assert replace(mine, writers=theirs.writers) == theirs
        changed += mine != theirs
    assert 0 < changed < SEEDS / 2


def test_a_bucket_is_begun_anew_under_the_next_name_each_time():
    """Where that is repaired: whoever knows of as many deletions calls it the same."""
    lab = Lab(NON_BLOCKING)
    client = HudiClient(lab.world("w"), lab.config, BUCKETS_BEGUN_ANEW, owner="w")
    names = []
    for value in "ABC":
        instant = client.start_commit()
        written = client.upsert((("5", value),), instant, ELSEWHERE)
        names += [stat.file_id for stat in written.stats]
        client.commit(instant, written)
        deletion = client.start_commit(REPLACE_COMMIT)
        client.commit(deletion, client.replace((), deletion, ELSEWHERE, "delete_partition", ("p2",)))
    assert names == [begun_alike()[:-1] + number for number in "012"]
    assert lab.simulation.kernel.coverage[coverage.BUCKET_BEGUN_ANEW] == 2
