"""Metastore runs in sentences: what the reader of a verdict must find there."""

import pytest

from checkers.hive.words import in_words, short_form
from model.hive import meanings
from reports.hive.renderer import CLAUSES
from sim.hive.scenarios import HIVE
from sim.kernel.schedule import steps_of
from sim.search.run import Run, Runner
from tests.unit.reports.runs import explained

BY_NAME = {scenario.name: scenario for scenario in HIVE}


def played(name: str, steps: str) -> Run:
    """A scenario's run by its switches."""
    return Runner(BY_NAME[f"hive/{name}"], annotated=True).play(steps_of(steps))


def sentences(run: Run) -> list[str]:
    """The explanation, without numbers."""
    return [sentence.text for sentence in explained(run).sentences]


def test_a_stale_read():
    """Who may see what, what was changed under which id, and what the cache has."""
    told = sentences(played("shipped-stale-read", "w1:end r1:end"))
    for sentence in (
        "r1 begins transaction 2.",
        "r1 sees transactions up to 2 and takes the list [1:] of default.t (table 1).",
        "w1 is given write id 1 for default.t and changes default.t (v = v1) through h1: event 4.",
        "w1 commits its transaction.",
        "r1 asks h2 for a table: the cache has default.t (table 1) with v = v0.",
    ):
        assert sentence in told


def test_a_read_from_a_cache_with_tags():
    """The tag is told beside what was served."""
    told = sentences(played("read-after-commit", "r1:end w1:end"))
    assert "r1 asks h2 for a table: the cache, tagged [0:], has default.t (table 1) with v = v0." in told


def test_a_read_of_a_table_that_is_not_to_be_cached():
    """Nothing is said to be kept."""
    told = sentences(played("denied", "w1:end"))
    [read] = [
        text for text in told if "with v = e1, d=1 = p0 and d=2 = p2" in text and "(it is not to have this" in text
    ][:1]
    assert "kept" not in read


def test_a_replay_that_writes_the_database():
    """R1 is seen where it happens."""
    steps = "w1:alter_table w1.alter_table h2.poll w1:end h2.apply r1:end"
    told = sentences(played("shipped-replay-writes-back", steps))
    assert "h2 reads the log from event 2 to 2." in told
    assert "h2 applies event 2 (ALTER_TABLE) and writes the database back to its state." in told


def test_a_prewarm_and_a_read_of_the_database():
    """What was loaded under which tag, and what was asked in vain."""
    told = sentences(played("prewarm", "h2:prewarm_tag w1:get_table h2:poll w1:end"))
    assert "h2 tags default.t [2:] and loads default.t." in told
    told = sentences(played("own-writes", "w1:end"))
    missed = "the cache cannot answer (its tag is behind the list) and the database has default.t (table 1) with v = v1"
    assert any(missed in text for text in told)


def test_what_the_log_cannot_give():
    """A gap is noticed and the cache filled anew; an event that cannot be applied is said to be none."""
    told = sentences(played("log-gap", "w1:end h2:end"))
    assert "h2 misses events that are no longer in the log." in told
    assert "h2 fills its cache from event 3 on, tags default.e [0:] and loads default.e." in told
    told = sentences(played("shipped-rename-freezes", "w1:end h2:end"))
    assert "h2 reads the log from event 2 to 3 and cannot apply an event." in told


def test_a_refused_call_is_called_refused():
    """Also by an error of the metastore's own."""
    told = sentences(played("old-client", "w1:end r1:end"))
    assert "r1 reads table h2: refused (NullList)." in told


def test_every_meaning_has_a_clause():
    """What the model says can be told."""
    own = [kind for kind in vars(meanings).values() if getattr(kind, "__module__", "") == meanings.__name__]
    assert {*CLAUSES} == {*own}


def test_a_verdict_calls_operations_by_words():
    """No internal notation in the sentences of a verdict."""
    run = played("shipped-stale-read", "w1:end r1:end")
    assert run.verdict().violations[0].sentences[1] == (
        "r1: get-table default.t at h2 (transaction 2, list [1:], from the cache)."
    )


@pytest.mark.parametrize(
    ("arg", "words"),
    [
        ("row 1 = a", "row 1 = a"),
        ("at=h1 table=t txn=1 id=1 wid=2 name=u", "t to u at h1 (transaction 1, write id 2)"),
        ("at=h1 txn=3", "at h1 (transaction 3)"),
    ],
)
def test_words(arg, words):
    """What is not a metastore's stays as it is."""
    assert in_words(arg) == words
    assert short_form("default.t:12:7:7,12:8") == "[12:7,8,12]"
