"""More for services to do: drawn after all else, and so that known findings are told from others."""

from dataclasses import replace
from typing import Any

from sim.generation.draws import Draws, seeded
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.draw.more import (
    BEFORE,
    CLEANS,
    CLUSTERS_TOO,
    EMPTY,
    NOTHING,
    OVERWRITTEN,
    THERE,
    WRITES,
    draw_more,
    draw_overwritten,
)
from sim.hudi.draw.said import said_of_race
from sim.hudi.generate import GENERATOR
from sim.hudi.known_rows import SEVERAL
from sim.hudi.settings import config_of
from sim.hudi.statements import Archive, Clean, Cluster, Compact, Insert, Overwrite, Read, Statement, Upsert
from tests.unit.hudi.test_generate import SEEDS
from tests.unit.hudi.test_generate_hours import unserved

DEFAULT = CONFIGURATIONS["default"]
GROUPS = (("fg1", ((1, "a1"),)), ("fg2", ((2, "a2"),)))


def test_it_is_drawn_after_all_else():
    """Without it a seed gives the same race, with less for services to do; few races have it."""
    changed = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(seeded(seed), DEFAULT).program.workload  # type: ignore[attr-defined]  # as all Hudi races
        theirs: Any = GENERATOR.make(unserved(seeded(seed)), DEFAULT).program.workload  # type: ignore[attr-defined]
        assert replace(mine, writers=theirs.writers, elsewhere=theirs.elsewhere) == theirs
        changed += mine.writers != theirs.writers
    assert 0 < changed < SEEDS / 2


def _drawn(actors, **pinned):
    draws = Draws(seeded(3), {"written before": "2", "writes before": "1", **pinned})
    return draw_more(draws, actors, GROUPS, config_of(DEFAULT))


def test_one_more_may_cluster_beside_who_clusters():
    """And nobody does where nobody clusters."""
    assert _drawn([[Cluster()]], **{CLUSTERS_TOO: "yes"}) == [[Cluster()], [Cluster()]]
    assert _drawn([[Read()]], **{CLUSTERS_TOO: "yes"}) == [[Read()]]


def test_who_archives_may_have_cleaned_and_written():
    """Before it archives for the first time; others do what they did."""
    actors = [[Read()], [Insert(((5, "E"),)), Archive(), Archive()]]
    one = Upsert(((2, "before 1"),))
    assert _drawn(actors, **{BEFORE: NOTHING}) == actors
    assert _drawn(actors, **{BEFORE: WRITES})[1] == [Insert(((5, "E"),)), one, Archive(), Archive()]
    cleaned = _drawn(actors, **{BEFORE: CLEANS, "wait before it": "0"})
    assert cleaned == [[Read()], [Insert(((5, "E"),)), Clean(), one, Archive(), Archive()]]


def test_two_may_overwrite_a_partition_that_is_empty():
    """Whoever overwrites one, and one more; who overwrites the whole table does what it did."""
    whole = Overwrite(((2, "W"),), whole_table=True)
    actors = [[Read(), Overwrite(((1, "A"),))], [whole]]

    def drawn(pinned, actors=actors, elsewhere=()):
        return draw_overwritten(Draws(seeded(3), {OVERWRITTEN: pinned}), actors, elsewhere)

    assert drawn(THERE) == (actors, ())
    assert drawn(EMPTY, [[whole]]) == ([[whole]], ())
    assert drawn(EMPTY, elsewhere=((9, "q"),)) == (actors, ((9, "q"),))
    empty = [[Read(), Overwrite(((99, "A"),))], [whole], [Overwrite(((99, "more"),))]]
    assert drawn(EMPTY) == (empty, ((99, "q"),))


def test_whether_a_write_marks_several_file_groups_is_said():
    """Of two ids of one file group it does not, unless an overwrite may have moved one of them."""
    asked: dict[str, Statement] = {
        "one": Upsert(((1, "A"),)), "two": Upsert(((1, "A"), (2, "A"))), "new": Upsert(((1, "A"), (9, "A"))),
        "moved": Overwrite(((1, "A"),)),
    }  # fmt: skip
    said = {
        name: said_of_race([[one]], GROUPS, DEFAULT, new=False, elsewhere=False)[SEVERAL] for name, one in asked.items()
    }
    assert said == {"one": "no", "two": "yes", "new": "yes", "moved": "yes"}


def test_nobody_cleans_where_compactions_of_log_files_are_commits_too_many():
    """On merge-on-read tables no slices are cleaned here."""
    scenario: Any = GENERATOR.make(seeded(9_010), CONFIGURATIONS["log-compaction"])
    statements = scenario.program.workload.statements
    assert any(isinstance(one, Compact) and one.logs for one in statements)
    assert not any(isinstance(one, Clean) for one in statements)
