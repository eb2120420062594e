"""From a live run to a history, and the comparison of two sides: every kind of difference is found and named."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from checkers.histories.history import FINAL
from real_backend.gating.gate import Gate
from real_backend.gating.histories import joined
from real_backend.gating.observed import Ancestor, Observed, compare, observed
from real_backend.iceberg.conformance import observed_live
from real_backend.iceberg.effects import effects, is_blind
from real_backend.iceberg.history import history_of
from real_backend.iceberg.journal import Journal, Sending
from real_backend.iceberg.live_run import Command, LiveRun, Version, lineage_of
from real_backend.iceberg.refusals import kind_of
from sim.iceberg.workload import (
    Append,
    ChangeRow,
    Copy,
    Delete,
    DeleteRow,
    IcebergWorkload,
    Insert,
    Overwrite,
    RemoveFile,
    Replace,
    Scan,
    Select,
    Transaction,
    Update,
)

BASE = ((1, "a"), (2, "b"))
AFTER = ((1, "A"), (2, "b"))
WORK = IcebergWorkload((("w1", (Delete(1),)), ("w2", (Update(1, "A"),))))


def command(actor, outcome, commit, invoked, completed):
    statement = dict(WORK.writers)[actor][0]
    return Command(actor, statement, outcome, invoked, completed, invoked, completed, 70, commit, loads=3)


def resurrection():
    """The live run of a DELETE that commits after an UPDATE moved its row."""
    return LiveRun(
        workload=WORK,
        outcomes=(("w1", "ok"), ("w2", "ok")),
        trace=("w1.load", "w2.load", "w2.commit=applied", "w1.commit=refused", "w1.load", "w1.commit=applied"),
        lineage=(
            Version(0, 70, None, "append", "setup"),
            Version(1, 72, 70, "overwrite", "w2"),
            Version(2, 71, 72, "delete", "w1"),
        ),
        rows=AFTER,
        unreadable=None,
        seconds=1.5,
        commands=(command("w1", "ok", 71, 1, 4), command("w2", "ok", 72, 2, 3)),
        contents=(BASE, AFTER, AFTER),
    )


def unreadable():
    """The live run of an UPDATE that was applied, reported as refused, and cleaned up."""
    run = resurrection()
    refused = replace(run.commands[1], outcome="ValidationException: conflicting files")
    return replace(run, lineage=run.lineage[:2], rows=None, unreadable="NotFoundException: gone", commands=(refused,))


def test_history_has_each_command_with_its_versions_and_effects():
    """Start and commit as ordinals; what was read is the content of the start version."""
    ops = {op.process: op for op in history_of(resurrection()).ops}
    delete, update = ops["w1"], ops["w2"]
    assert (delete.f, delete.start, delete.commit, delete.snapshot, delete.parent) == ("delete", 0, 2, "71", "72")
    assert (update.f, update.start, update.commit) == ("update", 0, 1)
    assert [(read.key, read.value) for read in delete.reads] == [("row:1", "a")]
    assert [(write.key, write.value) for write in update.writes] == [("row:1", "A")]
    assert ops["setup"].commit == 0


@pytest.mark.parametrize(
    ("loads", "by_rows", "start", "reads"), [(2, False, 1, []), (2, True, 0, ["row:1"]), (3, False, 0, ["row:1"])]
)
def test_a_delete_of_whole_files_starts_at_its_commit(loads, by_rows, start, reads):
    """Spark drops files by metadata alone if it can; who looks at rows scans once more, or adds a delete file."""
    run = resurrection()
    delete = replace(run.commands[0], loads=loads)
    lineage = (*run.lineage[:2], run.lineage[2]._replace(adds_deletes=by_rows))
    found = next(op for op in history_of(replace(run, commands=(delete,), lineage=lineage)).ops if op.process == "w1")
    assert (found.start, [read.key for read in found.reads]) == (start, reads)
    assert [(write.key, write.value) for write in found.writes] == [("row:1", None)]


@pytest.mark.parametrize("statement", [RemoveFile(1), Transaction((RemoveFile(1), ChangeRow(2, "B")))])
def test_whoever_removes_a_file_has_removed_all_its_rows(statement):
    """Rows 1 and 2 share a file; what comes after finds no row 2."""
    run = resurrection()
    removal = replace(run.commands[0], statement=statement)
    found = history_of(replace(run, commands=(removal,), contents=(BASE, AFTER, ()), rows=())).ops
    writes = next(op for op in found if op.process == "w1").writes
    assert [(write.key, write.value) for write in writes] == [("row:1", None), ("row:2", None)]


def test_history_keeps_the_order_in_which_clients_called_and_were_answered():
    """w1 called first and was answered last."""
    events = [(event.process, event.type) for event in history_of(resurrection()).events if event.process[0] == "w"]
    assert events == [("w1", "invoke"), ("w2", "invoke"), ("w2", "ok"), ("w1", "ok")]


def test_final_read_lists_every_key_and_joins_duplicates():
    """A row that is there twice is seen as such; one that is gone is seen as absent."""
    run = replace(resurrection(), rows=((2, "b"), (2, "B")))
    final = next(op for op in history_of(run).ops if op.process == FINAL)
    assert {read.key: read.value for read in final.reads} == {"row:1": None, "row:2": "B|b"}


def test_unreadable_table_is_a_failed_read_and_its_maker_is_known():
    """The refused command's snapshot stands in the lineage, so the lineage names the command."""
    history = history_of(unreadable())
    final = next(op for op in history.ops if op.process == FINAL)
    assert (final.type, final.error) == ("fail", "unreadable: NotFoundException: gone")
    update = next(op for op in history.ops if op.process == "w2")
    assert (update.type, update.commit) == ("fail", None)
    assert history.versions[1].op == update.id


@pytest.mark.parametrize(
    ("outcome", "kind", "event"),
    [
        ("ok", "ok", "ok"),
        ("ValidationException: x", "refused", "fail"),
        ("CommitFailedException: x", "lost the race", "fail"),
        ("CommitFailedException: Timed out while waiting for lock on t", "lost the lock", "fail"),
        ("IllegalStateException: x", "invalid", "fail"),
        ("CommitStateUnknownException: x", "state unknown", "info"),
        ("RESTException: x", "no answer", "info"),
        ("Whatever: x", "unknown", "info"),
    ],
)
def test_what_an_exception_tells_the_client(outcome, kind, event):
    """An exception that nobody has classified leaves the outcome open."""
    assert kind_of(outcome) == kind
    run = replace(resurrection(), commands=(command("w1", outcome, 71, 1, 2),))
    assert next(op for op in history_of(run).ops if op.process == "w1").type == event
    assert observed_live(run).outcomes == (("w1", kind),)


@pytest.mark.parametrize(
    ("ours", "javas", "agree"),
    [
        ("ValidationFailed: x", "ValidationException: y", True),
        ("CommitFailed: x", "CommitFailedException: y", True),
        ("CommitFailed: x", "ValidationException: y", False),
        ("CommitFailed: expected to hold the lock; x", "CommitFailedException: y", False),
        ("ValidationFailed: x", "IllegalArgumentException: y", False),
        ("RestError: x", "CommitStateUnknownException: y", False),
    ],
)
def test_errors_of_different_kinds_differ(ours, javas, agree):
    """Neither side committed, but after one error the client may try again and after the other it may not."""
    runs = [replace(resurrection(), commands=(command("w1", error, 71, 1, 2),)) for error in (ours, javas)]
    assert compare(*map(observed_live, runs)).agrees is agree


def test_effects_of_each_statement():
    """A statement that finds no row writes nothing; an unreadable start says nothing about what was read."""
    assert effects(Insert(((3, "x"),)), BASE) == ((), (("row:3", "x"),))
    assert effects(Append(((3, "x"),)), BASE) == ((), (("row:3", "x"),))
    assert effects(Overwrite(((1, "B"),)), BASE) == ((), (("row:1", "B"), ("row:2", None)))
    assert effects(Delete(1), BASE) == ((("row:1", "a", None),), (("row:1", None),))
    assert effects(Update(9, "z"), BASE) == ((("row:9", None, None),), ())
    assert effects(Update(1, "A"), None) == ((), (("row:1", "A"),))


def test_effects_of_a_transaction_are_those_of_its_last_state():
    """What it reads of its own is no read; what it writes twice it has written once."""
    steps = (Append(((3, "x"),)), Copy(3, 1), DeleteRow(2), Replace(3, ((3, "y"),)))
    reads, writes = effects(Transaction(steps), BASE)
    assert reads == (("row:1", "a", None), ("row:2", "b", None))
    assert writes == (("row:3", "y"), ("row:1", "x"), ("row:2", None))
    assert is_blind(Transaction(steps[:1]))
    assert not is_blind(Transaction(steps))


def test_snapshots_inside_a_transaction_are_no_versions():
    """The table's history lacks them; who commits the last one has committed on what was there before the first."""
    snapshots = [(7, None, "append"), (8, 7, "append"), (9, 8, "delete"), (10, 9, "append")]
    versions = lineage_of(snapshots, 10, {9: "w1", 10: "w2"}, inside=[8])
    assert [(version.snapshot, version.parent, version.actor) for version in versions] == [
        (7, None, None), (9, 7, "w1"), (10, 9, "w2"),
    ]  # fmt: skip


def test_a_row_that_a_reader_saw_once_of_twice_was_absent_the_other_time():
    """Both readings are reads of the operation, and rows that neither had are absent."""
    scan = Command("r1", Scan(2, "current"), "ok", 1, 2, 1, 2, 70, None, 1, (BASE, AFTER[:1]))
    (op,) = [op for op in history_of(replace(resurrection(), commands=(scan,))).ops if op.process == "r1"]
    assert [(read.key, read.value) for read in op.reads] == [
        ("row:1", "a"), ("row:2", "b"), ("row:1", "A"), ("row:2", None),
    ]  # fmt: skip


def test_what_a_select_saw_is_what_it_was_told_whichever_snapshot_that_is_of():
    """Here of one that is in no version of the table; whoever was refused has seen nothing."""
    told = Command("r1", Select(), "ok", 1, 2, 1, 2, 99, None, 1, (((1, "a"), (3, "x")),))
    refused = Command("r2", Select(), "NoSuchTableException: t", 3, 4, 3, 4, 70, None, 1)
    ops = {op.process: op for op in history_of(replace(resurrection(), commands=(told, refused))).ops}
    assert [(read.key, read.value) for read in ops["r1"].reads] == [("row:1", "a"), ("row:3", "x"), ("row:2", None)]
    assert ops["r2"].reads == ()


def test_a_journal_keeps_the_rows_that_a_select_was_answered_with():
    """In order, whatever order Spark has them in."""
    journal = Journal(IcebergWorkload((("r1", (Select(), Delete(1))),)))
    journal.act(
        Gate(()), "r1", lambda _, statement: Sending(lambda: [SimpleNamespace(id=key, v="a") for key in (2, 1)])
    )
    assert [command.seen for command in journal.commands] == [(((1, "a"), (2, "a")),), ()]


def test_lineage_is_the_chain_below_the_current_snapshot():
    """A snapshot beside the chain is no version; makers that are not known stay unknown."""
    snapshots = [(7, None, "append"), (8, 7, "append"), (9, 7, "overwrite")]
    oldest, newest = lineage_of(snapshots, 9, {9: "w1"})
    assert oldest == Version(0, 7, None, "append", None)
    assert newest == Version(1, 9, 7, "overwrite", "w1")
    assert lineage_of(snapshots, None, {}) == ()


def test_two_observations_of_one_run_agree_and_say_in_what():
    """Counts of what was compared, so that agreement over nothing is seen."""
    one = observed_live(resurrection())
    result = compare(one, one)
    assert result.agrees
    assert str(result) == "simulation and live system agree in 6 steps, 2 outcomes, 3 versions, 2 rows"


def test_agreement_over_nothing_is_no_agreement():
    """Two empty observations prove nothing."""
    nothing = Observed((), (), ())
    assert not compare(nothing, nothing).agrees


@pytest.mark.parametrize(
    ("change", "first"),
    [
        ({"steps": ("w1.load", "w2.commit")}, "step 2: simulated w2.commit, live w2.load"),
        ({"outcomes": (("w1", "ok"), ("w2", "refused"))}, "outcome 2: simulated w2 refused, live w2 ok"),
        ({"answers": (("r1", (("row:1", "a"),)),)}, "answer 1: simulated r1 row:1=a, live none"),
        ({"rows": (("row:2", "b"),)}, "row 1: simulated row:2 b, live row:1 A"),
        ({"rows": None, "unreadable": "gone"}, "the table read back: simulated is unreadable (gone), live has 2 rows"),
        ({"lineage": ()}, "the lineage: simulated has 0 versions, live has 3"),
    ],
)
def test_each_kind_of_difference_is_found_and_named(change, first):
    """The first difference in words, with both sides."""
    live = observed_live(resurrection())
    result = compare(replace(live, **change), live)
    assert not result.agrees
    assert str(result.differences[0]) == first
    assert first in str(result)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("parent", 0, "version 2, parent: simulated 0, live 1"),
        ("operation", "append", "version 2, operation: simulated append, live delete"),
        ("actor", "w2", "version 2, actor: simulated w2, live w1"),
    ],
)
def test_lineages_are_compared_by_parent_operation_and_maker(field, value, words):
    """What one side does not know is not held against the other."""
    live = observed_live(resurrection())
    changed = (*live.lineage[:2], live.lineage[2]._replace(**{field: value}))
    assert [str(each) for each in compare(replace(live, lineage=changed), live).differences] == [words]
    unknown = tuple(Ancestor(each.ordinal, each.parent, None, None) for each in live.lineage)
    assert compare(replace(live, lineage=unknown), live).agrees


def test_unreadable_agrees_with_unreadable_whatever_each_says():
    """Messages name files, whose names differ."""
    live = observed_live(unreadable())
    assert live.rows is None
    assert compare(replace(live, unreadable="another file"), live).agrees


def test_steps_can_be_left_out_of_the_comparison():
    """A side without steps is compared in the rest."""
    events = history_of(resurrection()).events
    assert compare(observed(events, WORK.actors), observed_live(resurrection())).agrees


def test_values_of_duplicates_are_joined_in_order():
    """The order of rows in files is no observation."""
    assert joined(((1, "b"), (1, "a"), (2, "x"))) == {"row:1": "a|b", "row:2": "x"}
