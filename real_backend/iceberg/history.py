"""From a live run to a history that the checkers judge, in the same terms as a simulated one.

Choices: what a DELETE or UPDATE read is the content of the snapshot that its planning load returned, read from the real
table by time travel. What only adds rows depends on no snapshot, and starts from its commit's parent; so does a DELETE
in SQL of whole files, which Spark sends without looking at rows, and which deletes nothing where its row was gone by
then, also if its commit was lost. A refused statement whose snapshot stands in the lineage all the same is named as its
maker.
"""

from collections.abc import Sequence
from functools import partial

from checkers.histories.history import FAIL, INFO, OK, History, Read, Write
from checkers.histories.recorder import Recorder
from checkers.iceberg.inspections import ROW_IDS
from checkers.isolation.invariants import INSPECT
from model.iceberg.metadata import DELETE
from real_backend.gating.histories import joined, record_commands, record_final_read
from real_backend.iceberg import refusals
from real_backend.iceberg.effects import as_left, effects, is_blind, writes_of
from real_backend.iceberg.journal import LOADS_WITHOUT_SCAN
from real_backend.iceberg.live_run import Command, LiveRun, Version
from real_backend.iceberg.refusals import kind_of
from sim.iceberg.ages import RollBackToTime
from sim.iceberg.creating import NO_TABLE, CreateTable, DropTable, OfNames, PutTable, RenameTable
from sim.iceberg.heads import difference
from sim.iceberg.incremental import OfPast, told
from sim.iceberg.inspect import INSPECTOR
from sim.iceberg.managing import ManageSnapshots, Managing, OfRefs, ReplaceTable
from sim.iceberg.workload import Delete, IcebergWorkload, Rows, Truncate, describe


def history_of(run: LiveRun) -> History:
    """The run's history: commands, the final read, and the lineage, whose rows carry Iceberg's operation in `arg`."""
    ordinals = {version.snapshot: version.ordinal for version in run.lineage}
    recorder = Recorder()
    recorder.setup(writes_of(run.workload.content), run.lineage[0].snapshot if run.lineage else None)
    ops = record_commands(recorder, run.commands, describe, partial(_complete, recorder, run, ordinals))
    numbers = {command.commit: ops[command.invoked] for command in run.commands if command.commit is not None}
    numbers |= {one: ops[command.invoked] for command in run.commands for one in command.also}
    drops = {
        command.actor: ops[command.invoked]
        for command in run.commands
        if isinstance(command.statement, DropTable) and command.commit is not None
    }
    head = run.lineage[-1].snapshot if run.lineage else None
    values = joined(run.rows) if run.rows is not None else str(run.unreadable)
    record_final_read(recorder, head, values, _end_ms(run))
    for version in run.lineage:
        maker = numbers.get(version.snapshot, 0 if version.ordinal == 0 else -1)
        if maker < 0 and version.actor and version.operation == NO_TABLE:  # a drop that was sent twice
            maker = drops.get(version.actor, maker)
        recorder.version(
            version.ordinal, version.snapshot, version.parent, version.operation, op=maker, time_ms=_end_ms(run)
        )
    for text in run.unkept:
        recorder.ok(recorder.invoke(INSPECTOR, INSPECT, text, _end_ms(run)), time_ms=_end_ms(run))
    for text in () if run.row_ids is None else run.row_ids or ("",):
        recorder.ok(recorder.invoke(INSPECTOR, ROW_IDS, text, _end_ms(run)), time_ms=_end_ms(run))
    return recorder.history(ordinals)


def _complete(recorder: Recorder, run: LiveRun, ordinals: dict[int, int], command: Command, op: int) -> None:
    answer = kind_of(command.outcome)
    open_ = answer == refusals.UNAVAILABLE and isinstance(command.statement, OfNames)
    kind = OK if answer == refusals.OK else FAIL if answer in refusals.DEFINITE and not open_ else INFO
    commit = command.commit if kind != FAIL else None
    made = next((version for version in run.lineage if version.snapshot == commit), None)
    there = made or next((version for version in run.beside if version.snapshot == commit), None)
    parent, whole = None if made is None else made.parent, _is_of_whole_files(command, there, run.workload)
    began = command.start
    if there is not None and there.parent is not None and (whole or (made and is_blind(command.statement))):
        began = there.parent
    start = None if began is None else ordinals.get(began)
    content = run.contents[start] if start is not None else None
    reads, writes = effects(command.statement, None if whole else content)
    if made is not None and made.ordinal:
        writes = as_left(command.statement, writes, content, *run.contents[made.ordinal - 1 : made.ordinal + 1])
    before = _before(run, there, ordinals)
    if isinstance(command.statement, Truncate):
        writes = writes_of([(key, None) for key in (run.workload.ids if before is None else dict(before))])
    elif whole and before is not None:
        old = joined(before)
        writes = tuple([write for write in writes if write.key in old])
    if isinstance(command.statement, Managing):
        writes = _moved(run, command, content)
    since = isinstance(command.statement, OfPast) and kind == OK
    if command.seen and not since:
        reads = _readings(recorder, command.seen)
    error, said = None if kind == OK else command.outcome, told(command.seen[0]) if since else None
    recorder.complete(
        op, kind, began, commit, parent, reads, writes, error, said, time_ms=command.completed_ms
    )  # fmt: skip


def _before(run: LiveRun, version: Version | None, ordinals: dict[int, int]) -> Rows | None:
    """The rows that a commit was made on, also one that was lost; None if nobody knows."""
    if version is None or version.ordinal == 0:
        return None
    place = version.ordinal - 1 if version.ordinal > 0 else ordinals.get(version.parent or 0)
    return None if place is None else run.contents[place]


def _moved(run: LiveRun, command: Command, content: Rows | None) -> tuple[Write, ...]:
    """What a statement that manages snapshots has done to main. Source: `sim.iceberg.heads.Heads.done`."""
    if command.commit is None:
        return ()
    after = command.versions[-1] if command.versions else None
    before = command.versions[0] if len(command.versions) == 2 else content
    if isinstance(command.statement, RollBackToTime):
        after = run.contents[command.commit]
    if isinstance(command.statement, RenameTable):
        return ()
    if isinstance(command.statement, PutTable):
        before = ()  # it is refused where anything is
    if isinstance(command.statement, ReplaceTable | CreateTable | PutTable):
        after = command.statement.rows
    if isinstance(command.statement, DropTable):
        after = ()
    if isinstance(command.statement, OfRefs | ManageSnapshots):
        before, after = run.contents[command.commit - 1], run.contents[command.commit]
    return writes_of(difference(before, after))


def _readings(recorder: Recorder, seen: Sequence[Rows]) -> tuple[Read, ...]:
    """What a read of the whole table has seen each time; a row that it never saw is absent."""
    readings = [joined(rows) for rows in seen]
    keys = dict.fromkeys([key for reading in readings for key in reading])
    known = recorder.keys()
    absent = [Read(key, None) for key in known if key not in keys]
    once = readings[:1] if all(reading == readings[0] for reading in readings) else readings
    return (*[Read(key, reading.get(key)) for reading in once for key in keys], *absent)


def _is_of_whole_files(command: Command, made: Version | None, work: IcebergWorkload) -> bool:
    """Whether a DELETE dropped files by metadata alone: copy-on-write scans them again, merge-on-read adds deletes. A
    session that caches the table scans without a load: what is told of it is that an overwrite is no delete."""
    if not isinstance(command.statement, Delete) or made is None or made.adds_deletes:
        return False
    if command.actor in work.cached:
        return made.operation == DELETE
    return command.loads % 2 == 1 if work.catalog == "jdbc" else command.loads == LOADS_WITHOUT_SCAN


def _end_ms(run: LiveRun) -> int:
    return int(run.seconds * 1000)
