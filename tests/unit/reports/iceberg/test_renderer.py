"""Iceberg runs in sentences: what each call to the catalog was for, and what came of it."""

from dataclasses import replace

import pytest

from lakeproof.scenarios import built_in
from model.iceberg.meanings import Commits, Loads, Renames, Sees
from reports.explanation.renderer import traced
from sim.iceberg.over_metastores import POLLED_LATE
from sim.kernel.schedule import steps_of
from sim.search.run import Run, Runner
from sim.search.strategies import FirstCome
from sim.world.scenario import FaultSpace
from tests.unit.reports.runs import explained


def played(name: str, steps: str, yield_points: tuple[str, ...] | None = None) -> tuple[list[str], list[str]]:
    """(sentences, reasons) of a built-in scenario's run by its switches."""
    explanation = explained(Runner(built_in()[name], yield_points=yield_points, annotated=True).play(steps_of(steps)))
    return [sentence.text for sentence in explanation.sentences], list(explanation.therefore)


def first_come(name: str) -> Run:
    """A built-in scenario's run in the default order."""
    return Runner(built_in()[name], annotated=True).run(FirstCome())


def test_a_scan_is_told_apart_from_the_plan_that_it_is_for():
    """Copy-on-write loads the table a second time, and the plan must be of that version still."""
    name, points = "iceberg/delete-update-copy-on-write", ("load", "commit")
    sentences, _ = played(name, "w1:load w1.load w2:end w1:end", points)
    assert "w1 plans DELETE row 1 on snapshot s0." in sentences
    (outdated,) = [text for text in sentences if text.startswith("w1 loads the table again to scan it")]
    assert outdated.endswith("and finds s1 instead of s0, of which its plan is.")
    sentences, _ = played(name, "w1:end w2:end", points)
    (scan,) = [text for text in sentences if text.startswith("w1 loads the table again to scan it")]
    assert scan.endswith("finds s0 still current: it reads data/101 (row 1 = 'a' and row 2 = 'b').")
    sentences, _ = played("iceberg/merge-missing-serializable", "w1:end w2:end", points)
    assert any(text.startswith("w2 loads the table again to read it, and finds s1 still current") for text in sentences)


def test_an_unclear_answer_is_followed_by_what_the_client_finds_out():
    """Reconciled, or as unclear as before."""
    name = "iceberg/insert-reply-faults"
    found, _ = played(name, "w1:commit w1.commit!503-after w1:end")
    assert "w1 looks what became of its commit: the table is at s1, and has it." in found
    lost, _ = played(name, "w1:commit w1.commit!500-before w1:end")
    assert "w1 looks what became of its commit: the table is at s0, and does not have it." in lost


def test_a_client_that_recognises_its_commit_below_the_head_says_so():
    """The repair of the loop."""
    steps = "w1:commit w1.commit!503-after-retry w2:end w1:end"
    sentences, _ = played("iceberg/insert-insert-misreported-fixed", steps)
    assert "w1 loads the table again and finds s2 instead of s0, and recognises that it has committed." in sentences


def test_a_commit_over_what_a_stale_cache_hid_is_blamed():
    """Locked, nobody compares at the alter, and the check before it is answered by the other replica's cache."""
    sentences, reasons = played("hive/iceberg-cas-lock-two", "w1:end w2:end h2:end")
    assert "w2 asks which metadata file is current: it is still that of s0." in sentences
    assert (
        "w2 commits s1 (snapshot 301), labelled append, on top of s0, over snapshot 202, which it does not know of and"
        " which is gone by that."
    ) in sentences
    assert "w2 committed s1 over snapshot 202, which it did not know of. Therefore snapshot 202 is gone." in reasons


def test_a_transaction_tells_what_it_commits_beside_its_last_snapshot():
    """The snapshots inside it are told with it, and it is on top of what was there before all of them."""
    sentences, _ = played("iceberg/transaction-retried", "w1:end w2:end", ("load", "commit"))
    (commit,) = [text for text in sentences if text.startswith("w1 commits")]
    assert commit.endswith("labelled overwrite, on top of s0, and with it snapshot 201 of its transaction.")


def test_a_commit_that_brings_back_what_was_lost_says_so():
    """Its own cache has the commit of before, which the other writer's commit has put away: no transaction."""
    sentences, _ = played("hive/iceberg-shipped-lock-two", "w1:unlock w1.unlock w2:end w1:end h1:end h2:end")
    (commit,) = [text for text in sentences if text.startswith("w1 commits s2")]
    assert "on top of s0, and brings back s1, which the table had lost, over snapshot 301" in commit


def test_a_table_that_was_set_back_between_two_commits_is_noticed():
    """A fenced commit is accepted on an older version: a replica has written the database back (R1)."""
    sentences, reasons = played("hive/iceberg-cas-no-lock-two", POLLED_LATE)
    (commit,) = [text for text in sentences if text.startswith("w2 commits")]
    assert commit.endswith("on top of s1, to which the table had been set back from snapshot 202.")
    assert "The table had been set back from snapshot 202 to s1. Therefore snapshot 202 is gone." in reasons


def test_a_refusal_that_is_no_lost_race_is_told_as_what_it_is():
    """CachedStore does not pass the expected location on."""
    sentences, _ = played("hive/iceberg-shipped-no-lock-two", "w1:end w2:end")
    assert "w1 tries to commit on s0 and is refused: Unsupported." in sentences


def test_a_commit_that_arrives_late_is_told_as_one():
    """The steps of one call share its meaning, whoever performs them."""
    scenario = replace(
        built_in()["iceberg/hive-no-lock-pause"], faults=FaultSpace({"alter_table": ("late",)}, 1, ("w1",))
    )
    steps = "w1:alter_table w1.alter_table!late w1-late:end w1:end w2:end"
    run = Runner(scenario, annotated=True).play(steps_of(steps))
    sentences = [one.text for one in explained(run).sentences]
    assert "w1 sends its commit of s1: the connection closes; it may be applied later." in sentences
    assert "w1-late commits s1 (snapshot 201), labelled append, on top of s0." in sentences


@pytest.mark.parametrize("name", [name for name in built_in() if name.startswith(("iceberg/", "hive/iceberg-"))])
def test_every_load_and_commit_of_a_table_has_a_meaning(name):
    """What the catalog is asked, the model has said why."""
    run = first_come(name)
    writers = {event.process for event in run.events}
    asked = [
        row
        for row in traced(run.trace, run.notes)
        if row.actor in writers and row.call in ("load", "commit", "get_table", "alter_table")
    ]
    assert asked
    for row in asked:
        assert row.meanings, row
        if row.kind == "commit":
            assert any(isinstance(meaning, Commits | Renames) for meaning in row.meanings)
        if row.call == "load" and row.value != "NotFound":
            assert {type(meaning) for meaning in row.meanings} >= {Loads, Sees}


@pytest.mark.parametrize("name", [name for name in built_in() if name.startswith("pyiceberg/")])
def test_pyiceberg_is_told_in_the_words_of_the_ports(name):
    """It says nothing of its own about its calls."""
    run = first_come(name)
    assert not run.notes
    own = {"pyiceberg/sql": "reads catalog", "pyiceberg/hive": "reads table db.t"}
    loads = own.get(name.partition("-")[0], "loads db.t")
    assert any(text.text.startswith(f"w1 {loads}") for text in explained(run).sentences)


def test_a_roll_back_that_lost_a_race_is_not_told_that_its_commit_is_there():
    """The snapshot that it goes back to was there before."""
    sentences, _ = played("iceberg/roll-back-append", "w1:commit w2:end w1:end", ("load", "commit"))
    (lost,) = [text for text in sentences if "is refused (409)" in text]
    assert lost.endswith("the table is at snapshot 301 by now.")
