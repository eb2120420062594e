"""Consumers in drawn races: behind all else, where they are asked for, beside nobody that is not modelled with them."""

from contextlib import suppress
from typing import Any

import pytest

from checkers.hudi.news import NEWS_CHECKS
from checkers.verdict import check
from model.hudi.keys import ANY_COMMIT, AS_OF, HOLES, INCREMENTAL, KEEP_MAX, METADATA, QUERY_TYPE, TRANSITION_TIME
from model.hudi.variants import CLEANS_FENCED
from sim.generation.draws import PinError, seeded
from sim.hudi.build import OPTIMISTIC, race
from sim.hudi.built_in.cleaning import ONE_RETAINED
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.draw.archived_reads import FORGOTTEN
from sim.hudi.draw.rewriting import REWRITTEN
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import Archive, Clean, ReadFirst, ReadNews, Restore, Savepoint, Statement, Upsert
from sim.search.explore import by_deviations
from tests.unit.hudi.drawn_last import without
from tests.unit.hudi.test_news import judged_history

SEEDS = 60
NEWS = [name for name in CONFIGURATIONS if name.startswith("incremental")]
UPDATED: list[Statement] = [Upsert(((1, "A"),)), Upsert(((1, "B"),)), Clean()]


@pytest.mark.parametrize("name", NEWS)
def test_they_are_beside_what_was_drawn(name):
    """Each seed has some; without them it gives the same race, but for who archives or restores."""
    settings = CONFIGURATIONS[name]
    usual = {**settings, QUERY_TYPE: "unset", HOLES: "unset", AS_OF: "unset"}
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(without(seeded(seed), REWRITTEN, FORGOTTEN), settings)
        theirs: Any = GENERATOR.make(seeded(seed), usual)
        work = mine.program.workload
        assert mine.program.config.consumed
        if settings[KEEP_MAX] == "unset":
            assert not work.has(Archive, Restore)
        assert 1 <= sum(actor.startswith("c") for actor in work.actors) <= 2
        assert not theirs.program.workload.has(ReadNews, ReadFirst)
        if not theirs.program.workload.has(Archive, Restore):
            assert [each for each in work.writers if each[0][0] == "w"] == list(theirs.program.workload.writers)
            assert set(theirs.properties) == set(mine.properties) - {*NEWS_CHECKS, "first-stays", "instants-stay"}
        assert GENERATOR.again(mine.name).program.workload == work  # type: ignore[attr-defined]


def test_a_file_is_rewritten_and_cleaned_beside_a_consumer():
    """Now and then, where commits are asked for as of which somebody reads: he is never told of a row that is there."""
    found = set[str]()
    for seed in range(12):
        drawn: Any = GENERATOR.make(seeded(seed), CONFIGURATIONS["incremental-as-of"])
        work = dict(drawn.program.workload.writers)
        if work.get("c1") == (ReadNews(), ReadNews()) and len(work) == 2 and not drawn.faults.limit:
            assert [type(one) for one in work["w1"]] == [Upsert, Upsert, Clean]
            assert GENERATOR.again(drawn.name).program.workload == drawn.program.workload  # type: ignore[attr-defined]
            found.update(by_deviations(drawn, 3).failures)
    assert found == {"no-news-missed/missed-news"}


def test_a_clean_is_archived_beside_a_consumer():
    """Now and then, where few commits are kept: who reads what was before it is told nothing."""
    found = set[str]()
    for seed in range(20):
        drawn: Any = GENERATOR.make(seeded(seed), CONFIGURATIONS["incremental-archiving"])
        work = dict(drawn.program.workload.writers)
        if work.get("c1") == (ReadNews(), ReadFirst()) and work["w1"][2:3] == (Clean(),) and not drawn.faults.limit:
            assert work["w1"][-1] == Archive()
            assert GENERATOR.again(drawn.name).program.workload == drawn.program.workload  # type: ignore[attr-defined]
            found.update(by_deviations(drawn, 1).failures)
    assert found == {"first-stays/past-changed"}


def test_who_archives_and_restores_is_beside_consumers_where_few_commits_are_kept():
    """All of them."""
    kinds = set[type]()
    for seed in range(SEEDS):
        drawn: Any = GENERATOR.make(seeded(seed), CONFIGURATIONS["incremental-archiving"])
        kinds |= {type(one) for one in drawn.program.workload.statements}
    assert kinds >= {Archive, Savepoint, Restore, ReadNews, ReadFirst}


def test_how_holes_are_met_is_what_was_asked_for():
    """And what cannot be is refused."""
    drawn: Any = GENERATOR.make(seeded(0), CONFIGURATIONS["incremental-transition"])
    assert dict(drawn.program.workload.options)[HOLES] == TRANSITION_TIME
    for settings in ({HOLES: TRANSITION_TIME}, {METADATA: "true"}):
        with pytest.raises(PinError, match="hoodie"):
            GENERATOR.make(seeded(0), {**CONFIGURATIONS["incremental"], **settings})


def test_what_is_written_again_may_be_told_again():
    """As one who tries again writes it."""
    words = ("w1+", "w1=1A", "c1+", "c1=1A", "w2+", "w2=1A", "c1+", "c1=1A")
    assert check(judged_history(*words), ("news-told-once",)).outcome == "valid"


@pytest.mark.parametrize(("rules", "failures"), [({}, {"first-stays/past-changed"}), ({"rules": CLEANS_FENCED}, set())])
def test_who_reads_the_past_beside_a_clean_looks_for_it_where_rules_say_so(rules, failures):
    """As shipped he is not told that rows are missing."""
    scenario = race(
        "travel", "", {"w1": UPDATED, "r1": [ReadFirst()]}, options=(*OPTIMISTIC, ONE_RETAINED),
        properties=("first-stays",), yield_points=("list", "delete"), **rules,
    )  # fmt: skip
    found = by_deviations(scenario, 3).failures
    assert set(found) == failures


def test_clocks_are_of_who_is_there_in_the_end():
    """A file that is rewritten beside a consumer is so in the place of all others, some of whom had clocks."""
    asked = {QUERY_TYPE: INCREMENTAL, AS_OF: ANY_COMMIT}
    offsets = set[str]()
    for seed in range(SEEDS):
        with suppress(PinError):
            drawn: Any = GENERATOR.make(seeded(seed), asked)
            offsets |= {actor for actor, _ in drawn.program.workload.clock_offsets_ms}
    assert offsets >= {"w1", "w2"}
