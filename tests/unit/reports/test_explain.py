"""Runs in sentences: what each step did, what each client was told, and why the rows are what they are."""

import pytest

from lakeproof.scenarios import built_in
from model.ports import PortError
from reports.explanation.explain import explain
from sim.iceberg.scenarios import race
from sim.iceberg.workload import AddColumn, Append, SetProperty, Statement
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from sim.world.program import program
from sim.world.scenario import Scenario
from tests.unit.reports.runs import LOST, SERIALIZABLE, SNAPSHOT, explained, played, told


def test_the_row_that_comes_back_is_explained_by_its_files():
    """Planned on s0, moved by the UPDATE, deleted where it no longer stands."""
    sentences, reasons = told(SNAPSHOT, LOST)
    assert sentences == [
        "w1 plans DELETE row 1 on snapshot s0: it loads the table and reads data/101 (row 1 = 'a' and row 2 = 'b').",
        "w1 writes position delete data/201-deletes: position 0 of data/101 (row 1 = 'a').",
        "w1 loads the table again and finds s0 still current, and writes the metadata of its snapshot.",
        "w2 plans UPDATE row 1 = A on snapshot s0: it loads the table and reads data/101 (row 1 = 'a' and row 2 ="
        " 'b').",
        "w2 writes position delete data/301-deletes: position 0 of data/101 (row 1 = 'a') and new data file data/302:"
        " row 1 = 'A'.",
        "w2 loads the table again and finds s0 still current, and writes the metadata of its snapshot.",
        "w2 commits s1 (snapshot 301), labelled overwrite, on top of s0.",
        "w2 is told: UPDATE row 1 = A succeeded.",
        "w1 tries to commit on s0 and is refused (409): the table is at s1 by now.",
        "w1 loads the table again and finds s1 instead of s0; its rules do not refuse what was committed since, so it"
        " writes its metadata on top of s1.",
        "w1 commits s2 (snapshot 201), labelled delete, on top of s1.",
        "w1 deletes what it takes for left-overs: metadata/snap-201-1.",
        "w1 is told: DELETE row 1 succeeded.",
        "The final read sees row 1 = 'A' and row 2 = 'b'.",
    ]
    assert reasons == [
        "In the order of the commits, s2 (delete row 1 by w1) is the last to touch row 1, so it must be absent; the"
        " final read sees 'A'.",
        "Row 1 = 'A' stands in data/302, which s1 added.",
        "Every position delete of row 1 names position 0 of data/101 (row 1 = 'a'); none names data/302.",
        "Therefore row 1 is alive although the last commit that touched it deleted it.",
    ]


def test_another_schedule_is_another_explanation():
    """The same statements one after the other: nothing is refused, nothing has to be explained."""
    sentences, reasons = told(SNAPSHOT, "w2:end w1:end")
    assert "w1 plans DELETE row 1 on snapshot s1: it loads the table and reads" in " ".join(sentences)
    assert "The final read sees row 1 absent and row 2 = 'b'." in sentences
    assert reasons == []


def test_a_refusal_names_what_was_found_and_what_was_cleaned_up():
    """Serializable: the DELETE sees a new data file."""
    sentences, reasons = told(SERIALIZABLE, LOST)
    assert "w1 loads the table again and finds s1 instead of s0." in sentences
    assert any(text.startswith("w1 deletes what it takes for left-overs: ") for text in sentences)
    (refusal,) = [text for text in sentences if text.startswith("w1 is told: DELETE row 1 failed (ValidationFailed: ")]
    assert "db.t/data/302" in refusal
    assert reasons == []


def test_a_misleading_answer_ends_in_an_unreadable_table():
    """Applied, answered 503, sent again, refused by its own commit, cleaned up."""
    sentences, reasons = told("iceberg/update-reply-faults", "w1:commit w1.commit!503-after-retry w1:end")
    assert "w1 sends its commit of s1: it is applied, but the answer is 503 with a time to wait." in sentences
    (again,) = [text for text in sentences if "is refused (409)" in text]
    assert again.endswith("the table already has s1, its own commit, whose answer was misleading.")
    assert any("But the current snapshot s1 needs metadata/snap-201-1" in text for text in sentences)
    assert sentences[-1].startswith("The final read fails: unreadable")
    assert reasons[0].endswith("which w1 deleted. Therefore nobody can read the table.")


def test_a_stored_answer_is_explained_as_one():
    """The same fault under an idempotency key."""
    name = "iceberg/update-reply-faults-idempotent"
    sentences, reasons = told(name, "w1:commit w1.commit!503-after-retry w1:end")
    assert "w1 sends its commit again under the same idempotency key; the stored answer is repeated." in sentences
    assert reasons == []


def test_main_moved_back_is_explained_with_what_is_lost_by_it():
    """An acknowledged INSERT of somebody else vanishes."""
    steps = "w1:commit w1.commit!503-after-retry w2:end w1:end"
    sentences, reasons = told("iceberg/insert-insert-misreported", steps)
    assert "w1 moves main back to s1: snapshot 301 is no longer in the table's history." in sentences
    assert reasons == [
        "w2 was told that insert row 4 = y succeeded, but snapshot 301 is not in the history of main.",
        "w1 had set main from snapshot 301 back to s1, its own commit, which it took for lost. Therefore what was"
        " committed after it is gone.",
        "As its writer was told, row 4 must be 'y'; the final read sees absent.",
        "Row 4 = 'y' was written to data/301 for snapshot 301, which is no longer in the history of main. Therefore it"
        " is gone.",
    ]


def test_a_change_of_metadata_alone_is_no_move_of_main():
    """A property and a column; whoever has lost the race to them is told that the table has changed."""
    columns, row, option = (AddColumn("c"), AddColumn("d")), (Append(((3, "x"),)),), (SetProperty("k", "1"),)
    writers: dict[str, tuple[Statement, ...]] = {"w1": columns, "w2": row, "w3": option}
    runner = Runner(race("x", "", writers, catalog="java-api"), yield_points=("load", "commit"), annotated=True)
    sentences = [one.text for one in explained(runner.play(steps_of("w2:commit w1:end w3:end w2:end"))).sentences]
    assert "w3 commits a change of the table's properties, and leaves it at s0." in sentences
    assert "w1 commits a change of the table's columns, and leaves it at s0." in sentences
    for lost in ("w1", "w2"):
        assert (
            f"{lost} tries to commit on s0 and is refused (409): the table has changed, and is at s0 still."
            in sentences
        )


def test_a_change_of_the_partition_spec_is_told_as_one():
    """And so is the removal of one that nothing is of."""
    runner = Runner(built_in()["iceberg/expire-spec-append"], yield_points=("load", "commit"), annotated=True)
    sentences = [one.text for one in explained(runner.play(steps_of("w1:commit w2:end w1:end"))).sentences]
    for what in ("partition spec", "older partition specs"):
        assert f"w2 commits a change of the table's {what}, and leaves it at snapshot 101." in sentences


def test_a_lease_that_runs_out_is_explained_with_the_commit_that_it_cost():
    """A writer stands still with the lock in its hand; its alter is not fenced."""
    runner = Runner(built_in()["iceberg/hive-lock-pause"], annotated=True)
    explanation = explained(runner.play(steps_of("w1:alter_table w1.alter_table!pause w2:end w1:end")))
    sentences = [one.text for one in explanation.sentences]
    assert "w1 is about to commit s1, and stands still." in sentences
    (waited,) = [text for text in sentences if text.startswith("w2 asks for the lock on db.t and gets the lock after ")]
    assert waited.endswith("at 300,840 ms.")
    assert (
        "w1 commits s1 (snapshot 201), labelled append, on top of s0, over snapshot 301, which it does not know of and"
        " which is gone by that."
    ) in sentences
    assert "w1 finds that it no longer holds the lock (unlock: NotLocked)." in sentences
    assert "w1 committed s1 over snapshot 301, which it did not know of. Therefore snapshot 301 is gone." in (
        explanation.therefore
    )


@pytest.mark.parametrize("name", list(built_in()))
def test_every_step_belongs_to_a_sentence_of_its_actor(name):
    """No step is left untold, and numbers run from 1."""
    explanation = explained(played(name))
    assert [sentence.number for sentence in explanation.sentences] == list(range(1, len(explanation.sentences) + 1))
    actors = {sentence.number: sentence.actor for sentence in explanation.sentences}
    assert explanation.steps
    for step in explanation.steps:
        assert actors[step.sentence] == step.actor, step


def test_two_tellings_of_one_run_are_equal():
    """No set order, no identity in the words."""
    assert explained(played(SNAPSHOT, LOST)) == explained(played(SNAPSHOT, LOST))


def register_client():
    """A client of a register and of a file: nothing of Iceberg."""

    def start(simulation):
        world = simulation.world("a")

        def body():
            op = simulation.record.invoke("a", "set", "n")
            try:
                world.store.put("files/a", b"x" * 2000)
                seen = world.register.load("n")
                version = world.register.commit("n", seen.version, seen.value + 1)
            except PortError as error:
                simulation.record.info(op, str(error))
            else:
                simulation.record.ok(op, commit=version - 1, writes=[("n", str(seen.value + 1))])

        simulation.record.setup([("n", "0")])
        simulation.actor("a", body)

    def prepare(simulation):
        simulation.services.register.commit("n", 0, 0)

    return Runner(Scenario("t", program(start, prepare=prepare), ("no-lost-update",)))


def test_a_scenario_without_iceberg_is_explained_step_by_step():
    """In the words of the ports, with large values kept out."""
    explanation = explain(register_client().run(FirstCome()))
    assert [sentence.text for sentence in explanation.sentences] == [
        "a writes a.",
        "a loads n: 0, version 1.",
        "a commits n = 1 on version 1: accepted as version 2.",
        "a is told: set n succeeded.",
    ]


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ("a:put a.put!500-before", "a writes a: the answer is 500, and it is not applied."),
        ("a:load a.load!drop-before", "a loads n: the connection closes before it is applied."),
        (
            "a:commit a.commit!drop-after",
            "a commits n = 1 on version 1: it is applied, but the connection closes before",
        ),
        ("a:commit a.commit!429-after", "a commits n = 1 on version 1: it is applied, but the answer is 429"),
        ("a:commit a.commit!crash", "a commits n = 1 on version 1: the process dies before it is applied."),
    ],
)
def test_faults_of_any_port_are_explained(step, sentence):
    """What was applied, and what the caller got instead of an answer."""
    explanation = explain(register_client().play(steps_of(step)))
    (told_so,) = [one for one in explanation.sentences if one.tone == "fault" and "is told" not in one.text]
    assert told_so.text.startswith(sentence)
    assert any("has an unknown outcome" in one.text for one in explanation.sentences)
