"""From a live run of Hudi to a history: rows and file groups, what each write did to them, and the final read."""

from dataclasses import replace

from checkers.histories.history import FINAL, SETUP, VERSION
from checkers.hudi.properties import HUDI_CHECKS, SPANS
from checkers.verdict import check
from model.hudi.keys import TABLE_VERSION
from real_backend.hudi.history import history_of
from real_backend.hudi.live import heartbeat_notes
from real_backend.hudi.live_run import Command, HudiLiveRun, Seen
from real_backend.hudi.read_back import Completed, Left
from real_backend.hudi.system import HUDI
from sim.hudi.build import OPTIMISTIC, SAFETY, SHORT_BEATS, TWO_GROUPS
from sim.hudi.statements import Clean, Insert, Upsert
from sim.hudi.workload import HudiWorkload

INSERTED = Insert(((3, "z"),))
FIRST, OLD, NEW = "20260101000000000", "20260101000000001", "20260101000000002"


def writes(actor, row, instant, group, place):
    """An acknowledged upsert of one row, which merged with the first slice of its group."""
    seen = Seen(f"{FIRST}_{FIRST}", ((group, FIRST),), ((str(row[0]), "ab"[row[0] - 1]),))
    return Command(actor, Upsert((row,)), "ok", place, 9 - place, place, 9 - place, instant, seen, place, None)


def disjoint():
    """w1 and w2 write one file group each; w2 is done first."""
    workload = HudiWorkload((("w1", (Upsert(((1, "A"),)),)), ("w2", (Upsert(((2, "B"),)),))), TWO_GROUPS)
    files = {name: f"p{number}/{name}_0-1-2_" for number, name in ((1, "aa-0"), (2, "bb-0"))}
    return HudiLiveRun(
        workload=workload,
        outcomes=(("w1", "ok"), ("w2", "ok")),
        trace=(),
        instants=(
            Completed(FIRST, FIRST, "commit", tuple(f"{file}{FIRST}.parquet" for file in files.values()), None),
            Completed(NEW, f"{NEW}9", "commit", (f"{files['bb-0']}{NEW}.parquet",), "w2"),
            Completed(OLD, f"{NEW}99", "commit", (f"{files['aa-0']}{OLD}.parquet",), "w1"),
        ),
        rows=(("1", "A"), ("2", "B")),
        unreadable=None,
        again=None,
        slices=(("aa-0", OLD), ("bb-0", NEW)),
        missing=(),
        rollbacks=(),
        left=Left((), (), (), False),
        written=(),
        seconds=1.0,
        commands=(writes("w1", (1, "A"), OLD, "aa-0", 1), writes("w2", (2, "B"), NEW, "bb-0", 2)),
    )


def test_final_read_tells_of_each_file_group_by_the_workloads_name():
    """So a run that holds is valid, with nothing indeterminate."""
    history = history_of(disjoint())
    read = next(op for op in history.ops if op.process == FINAL)
    assert dict(read[:2] for read in read.reads) == {"row:1": "A", "row:2": "B", "group:fg1": OLD, "group:fg2": NEW}
    verdict = check(history, SAFETY)
    assert (verdict.outcome, verdict.reasons) == ("valid", ())


def test_group_that_the_final_read_finds_at_an_old_slice_is_a_lost_write():
    """An acknowledged slice that no reader sees, although its row happens to be right."""
    verdict = check(history_of(replace(disjoint(), slices=(("aa-0", FIRST), ("bb-0", NEW)))), SAFETY)
    assert verdict.results["acknowledged-writes-survive"] == "invalid"


def test_new_file_group_has_a_name_of_its_own():
    """An insert writes no old group, whatever else its partition holds."""
    run = disjoint()
    inserted = replace(run.commands[0], statement=INSERTED, seen=Seen(f"{FIRST}_{FIRST}", (), (("3", None),)))
    made = run.instants[2]._replace(files=(f"p1/cc-0_0-1-2_{OLD}.parquet",))
    run = replace(
        run, instants=(*run.instants[:2], made), commands=(inserted, run.commands[1]),
        rows=(("1", "a"), ("2", "B"), ("3", "z")), slices=(("aa-0", FIRST), ("bb-0", NEW), ("cc-0", OLD)),
    )  # fmt: skip
    history = history_of(run)
    op = next(op for op in history.ops if op.process == "w1")
    assert [write[:2] for write in op.writes] == [("row:3", "z"), ("group:new1", OLD)]
    assert check(history, SAFETY).outcome == "valid"


def test_refused_write_would_have_written_the_groups_that_it_merged_with():
    """Nobody may see them."""
    run = disjoint()
    refused = replace(run.commands[0], outcome="HoodieWriteConflictException: overlapping")
    run = replace(run, instants=run.instants[:2], commands=(refused, run.commands[1]))
    op = next(op for op in history_of(run).ops if op.process == "w1")
    assert (op.type, [write[:2] for write in op.writes]) == ("fail", [("row:1", "A"), ("group:fg1", OLD)])
    assert check(history_of(run), SAFETY).results["no-aborted-reads"] == "invalid"


def test_heartbeats_that_are_not_the_workloads_are_said():
    """Where real time has to pass they beat every second, elsewhere so seldom that none expires while others go."""
    options = (*OPTIMISTIC, *SHORT_BEATS)
    waiting = HudiWorkload((("w1", (Upsert(((1, "A"),)),)), ("c1", (Clean(5_000),))), options=options)
    note = "live heartbeats: every 1000 ms, 3 misses (the schedule's: 1000 ms, 1 miss)"
    assert heartbeat_notes(waiting) == (note,)
    note = "live heartbeats: every 60000 ms, 1 miss (the schedule's: 1000 ms, 1 miss)"
    assert heartbeat_notes(HudiWorkload(waiting.writers[:1], options=options)) == (note,)
    assert heartbeat_notes(HudiWorkload(waiting.writers[:1], options=OPTIMISTIC)) == ()


def test_versions_before_layout_2_have_no_completion_time():
    """They are in the order of requests, and nobody says which of them he saw, as in the simulation."""
    run = disjoint()
    workload = replace(run.workload, options=((TABLE_VERSION, "6"),))
    instants = tuple(sorted(instant._replace(completed="") for instant in run.instants))
    history = history_of(replace(run, workload=workload, instants=instants))
    versions = [event for event in history.events if event.type == VERSION]
    assert [event.snapshot for event in versions] == [FIRST, OLD, NEW]
    assert [op.process for op in history.ops for event in versions if op.id == event.op] == ["setup", "w1", "w2"]
    assert {op.start for op in history.ops if op.process != SETUP} == {None}


def test_what_spans_tell_is_not_judged_live():
    """A live history has no spans: each property of them would hold of nothing."""
    assert [op.process for op in history_of(disjoint()).ops if "/" in op.process] == []
    assert set(SPANS) <= set(HUDI.unseen) <= set(HUDI_CHECKS)
