"""Branches and compactions in several commits in drawn races of Spark SQL: they are there where they are asked for, and
a race's name makes it again."""

from collections import Counter

import pytest

from sim.generation.draws import PinError, seeded
from sim.iceberg.generate import GENERATOR
from sim.iceberg.race import IcebergRace

ON_BRANCH = ("on a branch", "on a branch, snapshot", "on a branch, merge-on-read")
IN_COMMITS = ("compactions in commits", "compactions in commits, merge-on-read")


def drawn(configuration):
    """The workloads of a hundred seeds, and whether live gates can play each."""
    for seed in range(100):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
        assert isinstance(scenario.program, IcebergRace)
        assert GENERATOR.again(scenario.name).program == scenario.program
        yield scenario.program.workload, scenario.live is not None


@pytest.mark.parametrize("configuration", ON_BRANCH)
def test_most_races_are_on_a_branch_where_that_is_asked_for(configuration):
    """One that statements name, or sessions have, be it there or not."""
    found = Counter[str]()
    for work, _ in drawn(configuration):
        there = "there" if work.history and work.target.branch else "made"
        found[f"{'of the session' if work.target.by_session else work.target.branch}, {there}"] += 1
        found["on it"] += bool(work.target.branch)
    assert found["on it"] >= 60
    assert [kind for kind in ("b, there", "of the session, there", "of the session, made") if found[kind] < 5] == []


@pytest.mark.parametrize("configuration", IN_COMMITS)
def test_most_races_have_a_compaction_in_commits_where_that_is_asked_for(configuration):
    """Half of them can be played live: of the others, groups come in any order there."""
    found = Counter[str]()
    for work, is_live in drawn(configuration):
        kinds = {type(one).__name__ for _, todo in work.writers for one in todo}
        found.update(kinds)
        found["live"] += is_live and "RewriteInCommits" in kinds
        found["parted"] += "RewriteInCommits" in kinds and work.has_partitions
    assert found["RewriteInCommits"] == found["parted"] >= 80
    assert [kind for kind, least in (("live", 40), ("Expire", 20), ("Update", 20)) if found[kind] < least] == []


@pytest.mark.parametrize("calls", ["on a branch", "compactions in commits"])
@pytest.mark.parametrize("settings", [{"client": "spark-sql", "type": "jdbc"}, {"client": "java-api", "type": "rest"}])
def test_they_are_refused_where_they_are_not_followed(calls, settings):
    """Spark SQL over REST has them."""
    with pytest.raises(PinError, match=f"calls: expected usual with client={settings['client']}"):
        GENERATOR.make(seeded(1), {"calls": calls, **settings})
