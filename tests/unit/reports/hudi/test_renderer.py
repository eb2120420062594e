"""Hudi runs in sentences and pictures: what the reader of a verdict must find there."""

import xml.etree.ElementTree as ET
from functools import cache

import pytest

from checkers.histories.history import History
from lakeproof.scenarios import built_in
from model.hudi.file_groups import CommitMetadata, RollbackPlan, WriteStat
from model.hudi.meanings import (
    Beats,
    DeletesData,
    DeletesLock,
    DeletesMarkers,
    EndsChecker,
    Enters,
    HandlesTemporary,
    Judges,
    LooksAtHeartbeat,
    LooksForLock,
    LooksForMarkers,
    LooksWhoseLockToRelease,
    MakesLock,
    OpensMarkers,
    Reads,
    StartsHeartbeat,
    Writes,
    WritesMarkers,
)
from model.hudi.names import HEARTBEATS, LOCK, TEMP, TIMELINE, BaseFile
from reports.explanation.judging import judge
from reports.explanation.phrases import seen_text
from reports.explanation.renderer import Traced
from reports.hudi.renderer import STEP, Hudi
from reports.pictures.cycle import picture
from reports.pictures.spacetime import spacetime
from reports.record import Row, Step
from sim.kernel.schedule import steps_of
from sim.search.run import Run, Runner
from tests.unit.reports.runs import explained

WRITES = ("create", "write", "delete", "try_lock", "unlock", "sleep")
ZOMBIE = (
    f"w1.try_lock(table) w1:try_lock(table) w1-heartbeat.write({HEARTBEATS}/000001)!drop-before cleaner.sleep(clock) "
    f"cleaner:create({TIMELINE}/003000.rollback.inflight) w1:end cleaner:end"
)
STOLEN_LOCK = (
    f"w1:write({HEARTBEATS}/000001) w2:end w3:sleep(clock) w1:sleep(clock) w3.sleep(clock) w3:sleep(clock) "
    "w1:end w3:end"
)
LOSER_BEHIND = f"w1:create({TIMELINE}/000001.inflight) w2:end w1:end"
REQUESTED, INFLIGHT = f"{TIMELINE}/000001.commit.requested", f"{TIMELINE}/000001.inflight"
COMPLETED = f"{TIMELINE}/000001_000002.commit"
DATA = "p1/fg1_0-0-0_000001.parquet"
FILE = BaseFile("fg1", "0-0-0", 1)
CHANGES = CommitMetadata("upsert", (WriteStat("p1", "fg1", DATA, 0),))
ANNOUNCES = Enters(1, "commit", "requested", None)
BEGINS = Enters(1, "commit", "inflight", None)
COMPLETES = Enters(1, "commit", "completed", CHANGES)
PLANS = Enters(5, "rollback", "requested", RollbackPlan(1, ()))


@cache
def played(name: str, steps: str) -> Run:
    """A scenario's run by its switches."""
    return Runner(built_in()[f"hudi/{name}"], yield_points=WRITES, annotated=True).play(steps_of(steps))


def sentences(name: str, steps: str) -> list[str]:
    """The explanation, without numbers."""
    return [sentence.text for sentence in explained(played(name, steps)).sentences]


def drawn(name: str, steps: str, operation: str, path: str) -> list[Step]:
    """The steps of one operation on one path, as pictures have them."""
    explanation = explained(played(name, steps))
    return [step for step in explanation.steps if (step.operation, step.resource) == (operation, path)]


def step(operation, path, *meanings, value=None, actor="w1", at=0, fault=""):
    """A row of a trace with its annotations."""
    return Traced(at, actor, operation, path, (path, None), value, fault, meanings=meanings)


def told(*rows):
    """The sentences about rows of one actor after the other."""
    renderer, texts = Hudi(rows), []
    for actor in dict.fromkeys(row.actor for row in rows):
        texts += [one.text for one in renderer.render(STEP, [row for row in rows if row.actor == actor], "")]
    return texts


def test_a_zombie_is_explained_by_its_heartbeat():
    """Announced, beaten, taken for dead, rolled back though it commits: what the scenario's title says."""
    explanation = sentences("zombie", ZOMBIE)
    expected = [
        "w1 takes the table lock, writes its heartbeat, announces instant 000001 and gives the lock back.",
        "w1 turns instant 000001 inflight, marks fg1 and writes fg1's new file.",
        "w1-heartbeat writes its heartbeat file: the connection closes before it is applied, "
        "and its timer ends for good.",
        "cleaner looks at the heartbeat of 000001: it is 3,000 ms old, so cleaner takes w1 for dead.",
        "cleaner schedules the rollback of 000001 (instant 003000) and gives the lock back.",
        "w1 finishes instant 000001: its commit is visible, though its rollback is scheduled.",
        "w1 gives the lock back and deletes its heartbeat file and its markers.",
        "cleaner begins the rollback of 000001 and deletes fg1's file of 000001 (which is committed).",
        "cleaner finds no markers of 000001 and no heartbeat file of 000001 to delete.",
        "The final read sees row 1 = 'a', row 2 = 'b' and file group fg1 is the slice of instant 000000.",
    ]
    assert [text for text in explanation if text in expected] == expected


def test_a_lock_file_is_explained_with_its_owner():
    """A client that never had the lock deletes the holder's; one whose file is gone deletes none."""
    explanation = sentences("file-lock-failed-client", STOLEN_LOCK)
    assert "w2 makes the lock file: refused (there is one already)." in explanation
    assert "w2 deletes w1's lock file." in explanation
    assert "w1 deletes w3's lock file." in explanation
    assert "w3 finds no lock file to delete and deletes its heartbeat file and its markers." in explanation


def test_a_commit_that_readers_never_see_says_so():
    """Without control an older instant completes last, and its slice is not the newest."""
    assert (
        "w1 finishes instant 000001: its commit is visible, but what readers see is fg1's slice of 000002."
        in sentences("no-control", LOSER_BEHIND)
    )


def test_the_commit_stands_on_the_timelines_lane():
    """The completed file is the commit; a rollback's is none; a look at the timeline loads a version."""
    (commit,) = drawn("zombie", ZOMBIE, "create", f"{TIMELINE}/000001_003001.commit")
    assert (commit.kind, commit.lane, commit.version) == ("commit", "timeline", "000001")
    (rollback,) = drawn("zombie", ZOMBIE, "create", f"{TIMELINE}/003000_003002.rollback")
    assert (rollback.kind, rollback.lane, rollback.version) == ("write", "timeline", "")
    looks = drawn("zombie", ZOMBIE, "list", TIMELINE)
    assert {(look.kind, look.version) for look in looks} == {("load", "000000")}


def test_a_delete_that_found_nothing_is_drawn_as_a_look():
    """The writer deleted its heartbeat file, so the cleaner finds none."""
    kinds = [one.kind for one in drawn("zombie", ZOMBIE, "delete", f"{HEARTBEATS}/000001")]
    assert kinds == ["delete", "read"]


def test_the_picture_says_what_is_what():
    """Lanes by their use, and the final read's values whole."""
    run = played("zombie", ZOMBIE)
    drawing = spacetime(explained(run), judge(History(run.events), run.scenario.properties).rows)
    words = [element.text or "" for element in ET.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")]
    assert {"timeline", "heartbeats", "table lock", "000001", "sees 000000"} <= set(words)
    assert drawing.count("<polygon") == 1
    assert "✗ file group fg1: the slice of instant 000000" in " ".join(words)
    assert "table" not in words
    assert not any("0-0-0" in text for text in words)


def test_a_long_value_widens_the_picture():
    """Nothing of the final read is cut off."""
    explanation = explained(played("zombie", ZOMBIE))
    narrow = spacetime(explanation, [Row("row:1", "'a'", "'a'", True)])
    wide = spacetime(explanation, [Row("group:fg1", "'0-0-0_000001'", "'0-0-0_000000'", False)])
    assert float(ET.fromstring(wide).get("width", 0)) > float(ET.fromstring(narrow).get("width", 0))


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([step("create", REQUESTED, ANNOUNCES)], "w1 announces instant 000001."),
        ([step("exists", REQUESTED, BEGINS, value=False)], "w1 finds no requested file of 000001."),
        ([step("create", COMPLETED, COMPLETES)], "w1 finishes instant 000001: its commit is visible."),
        ([step("mtime", f"{HEARTBEATS}/000001", LooksAtHeartbeat(1), value=5, at=9)],
         "w1 looks at the heartbeat of 000001: it is 4 ms old."),
        ([step("mtime", f"{HEARTBEATS}/000001", LooksAtHeartbeat(1), Judges(1, False), value=5, at=9)],
         "w1 looks at the heartbeat of 000001: it is 4 ms old, so w1 takes its writer for alive."),
        ([step("exists", LOCK, LooksForLock(), value=False)], "w1 finds no lock file."),
        ([step("delete", LOCK, DeletesLock(), value=False)], "w1 finds no lock file to delete."),
        ([step("read", LOCK, LooksWhoseLockToRelease(), value="NotFound")], "w1 finds no lock file to delete."),
        ([step("delete", f"{TEMP}/000001", DeletesMarkers(1), value=False)],
         "w1 finds no markers of 000001 to delete."),
        ([step("create", DATA, Writes(FILE)), step("delete", DATA, DeletesData(FILE), value=True)],
         "w1 writes fg1's new file."),
        ([step("create", f"{TIMELINE}/000005.rollback.requested", PLANS)],
         "w1 schedules the rollback of 000001 (instant 000005)."),
        ([step("read", COMPLETED, Reads(1, "commit", "completed"), value=CHANGES)],
         "w1 reads the commit of 000001 (it changed fg1)."),
        ([step("create", REQUESTED, ANNOUNCES, value="not applied", fault="crash")],
         "w1 announces instant 000001: the process dies before it is applied."),
        ([step("exists", REQUESTED, BEGINS, value="not applied", fault="drop-before")],
         "w1 looks for the requested file of 000001: the connection closes before it is applied."),
        ([step("list", "p1", value="not applied", fault="drop-before")],
         "w1 lists the folder p1: the connection closes before it is applied."),
    ],
)  # fmt: skip
def test_words_of_a_step(rows, sentence):
    """Each in its own words."""
    assert told(*rows)[0] == sentence


def test_a_rollback_of_a_committed_instant_says_so():
    """The cleaner decided before the commit and schedules after it."""
    plan = step("create", f"{TIMELINE}/000005.rollback.requested", PLANS, actor="cleaner")
    assert told(step("create", COMPLETED, COMPLETES), plan)[1] == (
        "cleaner schedules the rollback of 000001 (instant 000005, though 000001 is committed)."
    )


def test_a_heartbeat_that_is_gone_counts_as_dead():
    """So does its writer."""
    gone = step("mtime", f"{HEARTBEATS}/000001", LooksAtHeartbeat(1), Judges(1, True), value="NotFound", actor="w2")
    assert told(step("write", f"{HEARTBEATS}/000001", StartsHeartbeat(1)), gone)[1] == (
        "w2 looks for the heartbeat of 000001: there is none, so w2 takes w1 for dead."
    )


def test_who_leaves_anothers_lock_file_says_so():
    """A release that is tried again: the lock has been let go, and taken."""
    looks = step("read", LOCK, LooksWhoseLockToRelease(), value="w2")
    assert told(step("create", LOCK, MakesLock(), actor="w2"), looks)[1] == "w1 leaves w2's lock file."


def test_a_timer_beats():
    """The timer is a task of its process."""
    beat = step("write", f"{HEARTBEATS}/000001", Beats(1), actor="w1-heartbeat")
    assert told(step("create", REQUESTED, ANNOUNCES), beat)[1] == "w1's heartbeat timer beats."


def test_an_announcement_over_anothers_file_says_so():
    """Where the storage refuses nothing."""
    assert told(step("create", REQUESTED, ANNOUNCES), step("create", REQUESTED, ANNOUNCES, actor="w2"))[1] == (
        "w2 announces instant 000001 (over w1's file)."
    )


def test_a_create_in_two_steps_is_explained_once():
    """Its look is told only if somebody else comes between."""
    look, made = step("create", INFLIGHT, BEGINS), step("open-w", INFLIGHT, BEGINS)
    assert told(look, made) == ["w1 turns instant 000001 inflight."]
    between = step("exists", LOCK, LooksForLock(), value=False, actor="w2")
    renderer = Hudi([look, between, made])
    assert renderer.render(STEP, [look], "")[0].text == (
        "w1 looks for the inflight file of 000001 (there is none) to make it."
    )
    assert renderer.drawn(look).kind == "read"


def test_a_rename_onto_a_file_that_is_there_is_silent():
    """The loser is not told, and nothing is committed."""
    temporary = f"{COMPLETED}.7"
    wrote = step("write", temporary, HandlesTemporary())
    lost = Traced(0, "w1", "rename", COMPLETED, (temporary, COMPLETED), False, "", meanings=(COMPLETES,))
    won = lost._replace(value=True)
    assert told(wrote, lost) == ["w1 finishes instant 000001: there is one already, and w1 is not told."]
    assert told(wrote, won) == ["w1 finishes instant 000001: its commit is visible."]
    assert Hudi([wrote, lost]).drawn(lost).outcome == "not applied"
    assert Hudi([wrote, won]).drawn(won).kind == "commit"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0-0-0_000001", "file group fg1 is the slice of instant 000001"),
        ("0-0-1_000001", "file group fg1 is the slice of instant 000001 (written as 0-0-1)"),
        ("a|b", "file group fg1 = 'a|b'"),
        (None, "file group fg1 absent"),
    ],
)
def test_a_file_groups_value_is_its_slice(value, text):
    """Write token and instant are told apart."""
    assert seen_text("group:fg1", value) == text


def test_the_verdicts_picture_calls_a_slice_by_its_instant():
    """Short, since it stands below a bar."""
    run = played("zombie", ZOMBIE)
    drawing = picture(run.verdict().violations[0], History(run.events))
    assert "row:1 = A, fg1 of 000001" in drawing
    assert "0-0-0" not in drawing


def test_equal_runs_have_equal_explanations():
    """A renderer of its own for each."""
    again = Runner(built_in()["hudi/zombie"], yield_points=WRITES, annotated=True).play(steps_of(ZOMBIE))
    assert explained(again) == explained(played("zombie", ZOMBIE))


def test_a_checker_that_meets_a_half_written_file_is_over_and_the_explanation_says_so():
    """F-9: what the reader of the verdict must find; the worker's writing is told as its own."""
    path = f"{TEMP}/000001/MARKERS0"
    assert told(step("overwrite", path, OpensMarkers(1, 0)), step("close", path, WritesMarkers(1, 0, (FILE,)))) == [
        "w1 opens its marker file 0 and writes that it marks fg1."
    ]
    ends = step("read", path, LooksForMarkers(1), EndsChecker(2), value="Refused", actor="w2-checker")
    (sentence,) = told(ends)
    assert sentence == "w2-checker reads MARKERS0: refused (somebody is writing it), and the checker ends for good."
