"""The checks of spans and refusals, each on a history that keeps the property and on one that breaks it."""

import pytest

from checkers.histories.history import Event, History, Read, Write
from checkers.hudi.properties import HUDI_CHECKS
from checkers.verdict import check

# One word an event: process[/span]:+f(argument) begins, process[/span]:f ends well, process[/span]:f!error ends badly;
# process:f=A ends well, and wrote A to row 1, or saw it.
MARK_1, MARK_2 = "w1/mark:+mark(1 p1/f)", "w2/mark:+mark(2 p1/f)"
AGAIN_2 = "w2/mark:+mark(2 p1/g)"
MADE_1 = "w1/made:+made(1 p1/f)"
LIFE_1, LIFE_2 = "w1/instant:+instant(1)", "w2/instant:+instant(2)"
EARLY = "!early conflict: p1/f is being written by "
MEANWHILE = "!early conflict: p1/f was changed by 1 since the write began"
LATE = "!WriteConflict: write conflict: p1/f was changed by 1 (upsert)"


def history(*words: str) -> History:
    """A history from words."""
    events: list[Event] = []
    ops: dict[str, int] = {}
    for index, word in enumerate(words):
        process, rest = word.split(":", 1)
        if rest.startswith("+"):
            f, _, arg = rest[1:].partition("(")
            ops[process] = len(ops) + 100 * index
            events.append(Event(index, index, process, "invoke", ops[process], f, arg.removesuffix(")")))
            continue
        f, _, error = rest.partition("!")
        kind = "fail" if error else "ok"
        f, _, value = f.partition("=")
        reads = (Read("row:1", value or None),) if f == "read" and not error else ()
        writes = (Write("row:1", value),) if value and f != "read" else ()
        version = sum(bool(one.writes) for one in events) + 1 if writes else None
        end = Event(index, index, process, kind, ops[process], f, commit=version, reads=reads, writes=writes)
        events.append(end._replace(error=error or None))
    return History(events)


# Where nobody succeeded, nothing holds: a write of somebody else's, over before the rest begins.
DONE = ("w9:+upsert()", "w9:upsert")
KEPT = {
    "one-lock-holder": ("w1/hold:+hold(t)", "w1/hold:hold", "w2/hold:+hold(t)", "w2/hold:hold"),
    "somebody-finishes": ("w1:+upsert()", "w2:+upsert()", "w1:upsert" + LATE, "w2:upsert"),
    "sound-early-aborts": (LIFE_1, MARK_1, "w1/mark:mark", LIFE_2, MARK_2, f"w2/mark:mark{EARLY}1"),
    "tries-do-not-stop-each-other": (
        "w2:+upsert()", "w1:+upsert()", LIFE_1, MARK_1, "w1/mark:mark", "w2:upsert", "w1/instant:instant!EarlyConflict",
        "w1:upsert!no", "w1:+upsert()", "w1/instant:+instant(2)", MARK_2.replace("w2", "w1"), f"w1/mark:mark{EARLY}1",
    ),
    "marker-checks-exclusive": (MARK_1, "w1/mark:mark", MARK_2, "w2/mark:mark"),
    "early-conflicts-noticed": (
        LIFE_1, MARK_1, "w1/mark:mark", "w1/instant:instant", LIFE_2, MARK_2, "w2/mark:mark",
    ),
    "made-markers-noticed": (LIFE_1, MARK_1, MADE_1, LIFE_2, MARK_2, "w1/made:made", "w2/mark:mark"),
    "visible-conflicts-found-early": (
        "w2:+upsert()", LIFE_1, LIFE_2, MARK_2, "w2/mark:mark", "w1/instant:instant", "w2:upsert" + LATE,
    ),
    "prompt-early-aborts": (
        LIFE_1, MARK_1, "w1/mark:mark", LIFE_2, "w2/watch:+watch(2 0 9 commits)", MARK_2, "w2/mark:mark", AGAIN_2,
        "w2/mark:mark",
    ),
    "clean-at-quiescence": ("i:+leftover()", "i:leftover"),
    "savepoint-kept": ("i:+kept()", "i:kept"),
    "committed-files-listed": ("i:+listed(file-gone: it lists p1/x)", "i:listed"),
    "listed-files-exist": ("i:+listed(file-unlisted: 1 names p1/x)", "i:listed"),
    "rollback-is-final": ("i:+inspect(completed-and-rolled-back: instant 1)", "i:inspect"),
    "events-in-order": (
        "w1:+upsert()", "w2:+upsert()", "w1:upsert=B", "w2:upsert=A", "w1:+read()", "w3:+upsert()", "w3:upsert=C",
        "w1:read=B",
    ),
    "all-writes-commit": ("w1:+upsert()", "w1:upsert", "w2:+read()", "w2:read!unreadable: no"),
    "no-early-refusals": ("w1:+upsert()", "w1:upsert" + LATE),
    "no-late-refusals": ("w1:+upsert()", f"w1:upsert{EARLY}2"),
}  # fmt: skip
BROKEN = {
    "two-lock-holders": (
        "one-lock-holder", ("w1/hold:+hold(t)", "w2/hold:+hold(t)", "w1/hold:hold", "w2/hold:hold"),
    ),
    "nobody-finished": (
        "somebody-finishes", ("w1:+upsert()", "w2:+upsert()", "w1:upsert" + LATE, f"w2:upsert{EARLY}1"),
    ),
    "aborted-by-dead-instant": (
        "sound-early-aborts",
        (LIFE_1, MARK_1, "w1/mark:mark", "w1/instant:instant!WriteConflict", LIFE_2, MARK_2, f"w2/mark:mark{EARLY}1"),
    ),
    "aborted-by-finished-instant": (
        "sound-early-aborts",
        (LIFE_1, MARK_1, "w1/mark:mark", "w1/instant:instant", "w2:+upsert()", LIFE_2, MARK_2, f"w2/mark:mark{EARLY}1"),
    ),
    "aborted-without-marker": ("sound-early-aborts", (LIFE_1, LIFE_2, MARK_2, f"w2/mark:mark{EARLY}1")),
    "aborted-by-larger-instant": (
        "sound-early-aborts", (LIFE_1, LIFE_2, MARK_2, "w2/mark:mark", MARK_1, f"w1/mark:mark{EARLY}2"),
    ),
    "refused-by-lonely-try": (
        "tries-do-not-stop-each-other",
        (
            "w2:+upsert()", "w2:upsert", "w1:+upsert()", LIFE_1, MARK_1, "w1/mark:mark",
            "w1/instant:instant!EarlyConflict", "w1:upsert!no", "w1:+upsert()", "w1/instant:+instant(2)",
            MARK_2.replace("w2", "w1"), f"w1/mark:mark{EARLY}1",
        ),
    ),
    "two-in-marker-check": ("marker-checks-exclusive", (MARK_1, MARK_2, "w1/mark:mark", "w2/mark:mark")),
    "missed-in-race": ("early-conflicts-noticed", (LIFE_1, LIFE_2, MARK_1, MARK_2, "w1/mark:mark", "w2/mark:mark")),
    "missed": ("early-conflicts-noticed", (LIFE_1, LIFE_2, MARK_1, "w1/mark:mark", MARK_2, "w2/mark:mark")),
    "missed-larger-instant": (
        "early-conflicts-noticed", (LIFE_1, LIFE_2, MARK_2, "w2/mark:mark", MARK_1, "w1/mark:mark"),
    ),
    "unnoticed-marker": (
        "made-markers-noticed", (LIFE_1, MARK_1, MADE_1, "w1/made:made", LIFE_2, MARK_2, "w2/mark:mark"),
    ),
    "visible-conflict-found-late": (
        "visible-conflicts-found-early",
        ("w2:+upsert()", LIFE_1, LIFE_2, "w1/instant:instant", MARK_2, "w2/mark:mark", "w2:upsert" + LATE),
    ),
    "marker-overlooked": (
        "prompt-early-aborts",
        (
            LIFE_1, MARK_1, "w1/mark:mark", LIFE_2, "w2/watch:+watch(2 0 1 )", MARK_2, "w2/mark:mark",
            "w9:+upsert()", AGAIN_2,
            "w2/mark:mark",
        ),
    ),
    "commit-overlooked": (
        "prompt-early-aborts",
        (
            LIFE_2, "w2/watch:+watch(2 0 1 commits)", MARK_2, "w2/mark:mark", LIFE_1, MARK_1, "w1/mark:mark",
            "w1/instant:instant", "w9:+upsert()", AGAIN_2, "w2/mark:mark",
        ),
    ),
    "leftover-data": ("clean-at-quiescence", ("i:+leftover(data: p1/x)", "i:leftover")),
    "savepoint-file-gone": ("savepoint-kept", ("i:+kept(file-gone: savepoint 1 names p1/x)", "i:kept")),
    "metadata-file-unlisted": ("committed-files-listed", ("i:+listed(file-unlisted: 1 names p1/x)", "i:listed")),
    "metadata-file-gone": ("listed-files-exist", ("i:+listed(file-gone: it lists p1/x)", "i:listed")),
    "older-event-read": (
        "events-in-order", ("w1:+upsert()", "w1:upsert=B", "w2:+upsert()", "w2:upsert=A", "w3:+read()", "w3:read=A"),
    ),
    "row-twice": ("events-in-order", ("w1:+upsert()", "w1:upsert=B", "w3:+read()", "w3:read=A|B")),
    "completed-after-rollback": (
        "rollback-is-final", ("i:+inspect(completed-after-rollback: instant 1)", "i:inspect"),
    ),
    "refused-LockFailed": ("all-writes-commit", ("w1:+upsert()", "w1:upsert!LockFailed: busy")),
    "refused-early": ("no-early-refusals", ("w1:+upsert()", f"w1:upsert{EARLY}2")),
    "refused-at-commit": ("no-late-refusals", ("w1:+upsert()", "w1:upsert" + LATE)),
}  # fmt: skip


def test_every_check_has_both_histories() -> None:
    """None is left without a witness."""
    assert set(KEPT) == set(HUDI_CHECKS) == {name for name, _ in BROKEN.values()}


@pytest.mark.parametrize("name", KEPT)
def test_property_is_kept(name: str) -> None:
    """Valid, and not for want of looking."""
    assert check(history(*DONE, *KEPT[name]), (name,)).outcome == "valid"


@pytest.mark.parametrize("anomaly", BROKEN)
def test_property_is_broken(anomaly: str) -> None:
    """Invalid, with this anomaly, and a sentence that names the witness."""
    name, words = BROKEN[anomaly]
    verdict = check(history(*words), (name,))
    assert [violation.anomaly for violation in verdict.violations] == [anomaly]
    (violation,) = verdict.violations
    told = " ".join(violation.sentences[len(violation.ops) :])
    assert violation.sentences[0].split(":")[0].lower() in told.lower()
    assert told.isprintable()


def test_a_commit_since_the_write_began_is_a_sound_reason() -> None:
    """Check commit conflict names an instant that completed after the write began."""
    words = (
        "w2:+upsert()",
        LIFE_1,
        MARK_1,
        "w1/mark:mark",
        LIFE_2,
        "w1/instant:instant",
        MARK_2,
        f"w2/mark:mark{MEANWHILE}",
    )
    assert check(history(*DONE, *words), ("sound-early-aborts",)).outcome == "valid"


def test_a_late_refusal_is_not_blamed_on_a_group_whose_name_begins_like_it() -> None:
    """Another group's marker was made after the commit; the refused one's was not."""
    late = LATE.replace("p1/f was", "p1/f10, p1/f2 was")
    words = ("w2:+upsert()", LIFE_1, LIFE_2, "w1/instant:instant", MARK_2, "w2/mark:mark", "w2:upsert" + late)
    assert check(history(*DONE, *words), ("visible-conflicts-found-early",)).outcome == "valid"
    words = (*words[:-1], "w2:upsert" + LATE.replace("p1/f was", "p1/f10, p1/f was"))
    assert check(history(*words), ("visible-conflicts-found-early",)).outcome == "invalid"


def test_who_died_holds_nothing() -> None:
    """A span without an end belongs to a process that is gone."""
    words = ("w1/hold:+hold(t)", "w2/hold:+hold(t)", "w2/hold:hold")
    assert check(history(*DONE, *words), ("one-lock-holder",)).outcome == "valid"


@pytest.mark.parametrize("name", ["clean-at-quiescence", "rollback-is-final", "savepoint-kept"])
def test_without_an_inspection_there_is_unknown(name: str) -> None:
    """Nobody looked: neither kept nor broken."""
    assert check(history("w1:+upsert()", "w1:upsert"), (name,)).outcome == "unknown"


RESTORED = ("w1:+upsert()", "w1:upsert=E", "w3:+restore()", "w3:restore=B", "w2:+upsert()", "w2:upsert=C")


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ((*RESTORED, "w4:+read()", "w4:read=C"), "valid"),
        ((*RESTORED, "w4:+read()", "w4:read=B"), "invalid"),
        ((*RESTORED[:4], "w4:+read()", "w4:read=B"), "valid"),
        ((*RESTORED[:4], "w4:+read()", "w4:read="), "invalid"),
        (("w1:+upsert()", "w1:upsert=E", "w4:+read()", "w4:read=B", *RESTORED[2:]), "invalid"),
        ((*RESTORED[:3], "w4:+read()", "w4:read=B", *RESTORED[3:]), "valid"),
    ],
)
def test_an_event_that_a_restore_has_taken_back_counts_no_more(words: tuple[str, ...], outcome: str) -> None:
    """What is put back counts, and what comes after; from when the restore begins on."""
    assert check(history(*DONE, *words), ("events-in-order",)).outcome == outcome
