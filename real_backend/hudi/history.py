"""From a live run to a history that the checkers judge, in the same terms as a simulated one.

Rows are keys `row:<id>`; file groups are keys `group:<file id>` with the workload's file ids, whose value is the
instant of the base file; a new file group is `group:new<number>`, in the order of completion. What a write read is what
the files showed when it began. The final read is Spark's for rows, and the visible files' for groups.

Choices: a client that died gets no answer, and one that was told neither yes nor no does not know.
"""

from collections import Counter
from functools import partial
from typing import Any

from checkers.histories.history import History, Read, Write
from checkers.histories.recorder import Recorder
from checkers.hudi.properties import KEPT, LISTED
from checkers.isolation.invariants import INSPECT
from model.hudi import HudiConfig
from model.hudi.bucket_index import bucket_named
from model.hudi.names import COMMIT, COMPLETED, parse_base_file
from model.hudi.options import parse_options
from model.hudi.timeline import Instant, Timeline
from real_backend.gating.histories import joined, record_commands, record_final_read
from real_backend.gating.journal import OK
from real_backend.hudi.error_names import DEFINITE, error_of
from real_backend.hudi.live_run import CRASHED, Command, HudiLiveRun, Seen
from real_backend.hudi.read_back import Completed
from sim.hudi.consuming import told
from sim.hudi.restored import undone
from sim.hudi.statements import (
    Cluster,
    Compact,
    Delete,
    OfConsumers,
    ReadingFirst,
    Replacing,
    Restore,
    Upsert,
    describe,
)
from sim.hudi.statements import Write as Writing
from sim.hudi.writes import ids_of, reads_hidden, records_slices


def history_of(run: HudiLiveRun) -> History:
    """The run's history: commands, lineage, final read."""
    recorder = Recorder()
    first = run.instants[0]
    named = () if _rows_alone(run) else run.workload.groups
    groups = tuple(Write(f"group:{name}", first.requested) for name, _ in named)
    rows = tuple(Write(f"row:{key}", value) for key, value in run.workload.rows)
    recorder.setup(rows + groups, first.name)
    numbers = _commands(recorder, run)
    ordinals: dict[str, int] = {}
    parent = None
    for ordinal, (name, made) in enumerate(_versions(run, recorder)):
        maker = 0 if ordinal == 0 else recorder.op_of(name) if made is None else numbers.get(made, -1)
        recorder.version(ordinal, name, parent, op=maker, time_ms=_end_ms(run))
        ordinals[name] = ordinal
        parent = name
    record_final_read(recorder, parent if _is_ordered(run) else None, _found(run), _end_ms(run))
    if run.unkept is not None:
        for text in run.unkept or [""]:
            recorder.ok(recorder.invoke("r-inspect", KEPT, text, _end_ms(run)), time_ms=_end_ms(run))
    for text in [] if run.mislisted is None else run.mislisted or [""]:
        recorder.ok(recorder.invoke("r-inspect", LISTED, text, _end_ms(run)), time_ms=_end_ms(run))
    for text in _broken_invariants(run) or [""]:
        op = recorder.invoke("r-inspect", INSPECT, text, _end_ms(run))
        recorder.ok(op, time_ms=_end_ms(run))
    return recorder.history(ordinals)


def _versions(run: HudiLiveRun, recorder: Recorder) -> list[tuple[str, tuple[str, str | None] | None]]:
    """The names of all versions in their order, with instant and actor; restores have none."""
    if not run.restores:
        return [(one.name, (one.requested, one.actor)) for one in run.instants]
    found = [(int(one.completed), one.name, (one.requested, one.actor)) for one in (*run.instants, *run.taken_back)]
    restores = [(int(one.requested), one.requested, None) for one in run.restores if recorder.op_of(one.requested) > 0]
    return [(name, made) for _, name, made in sorted([*found, *restores])]


def _commands(recorder: Recorder, run: HudiLiveRun) -> dict[tuple[str, str | None], int]:
    """Record invocations and completions in their order. Returns the operation of each instant of an actor."""
    ops = record_commands(recorder, run.commands, describe, partial(_complete, recorder, run))
    for command in run.commands:
        if command.outcome == CRASHED:
            recorder.info(ops[command.invoked], "process died", **_effect(run, command))
    return {(one.instant, one.actor): ops[one.invoked] for one in run.commands if one.instant is not None}


def _complete(recorder: Recorder, run: HudiLiveRun, command: Command, op: int) -> None:
    if isinstance(command.statement, Restore):
        _complete_restore(recorder, run, command, op)
    elif command.outcome != OK:
        known = _effect(run, command)
        error = error_of(command.outcome)
        if command.asked is not None and not error.startswith(DEFINITE):
            recorder.info(op, f"OutcomeUnknown: {error}", time_ms=command.completed_ms, **known)
            return
        known.pop("commit", None)
        recorder.fail(op, error, time_ms=command.completed_ms, **known)
    elif isinstance(command.statement, OfConsumers):
        blocked = command.seen.newest if command.seen else None
        recorder.ok(op, start=blocked, arg=told(command.rows or ()), time_ms=command.completed_ms)
    elif command.rows is not None:
        absent = {f"row:{key}": None for key in run.workload.keys} if _may_be_gone(run) else {}
        reads = tuple([Read(*row) for row in {**absent, **joined(command.rows)}.items()])
        recorder.ok(op, reads=reads, time_ms=command.completed_ms)
    else:
        recorder.ok(op, time_ms=command.completed_ms, **_effect(run, command))


def _complete_restore(recorder: Recorder, run: HudiLiveRun, command: Command, op: int) -> None:
    """The end of a restore, with what it has taken back as a version of its own."""
    known = _undone(recorder, run, command)
    if command.outcome == OK:
        recorder.ok(op, time_ms=command.completed_ms, **known)
    elif known:
        recorder.info(op, error_of(command.outcome), time_ms=command.completed_ms, **known)
    else:
        recorder.fail(op, error_of(command.outcome), time_ms=command.completed_ms)


def _undone(recorder: Recorder, run: HudiLiveRun, command: Command) -> dict[str, Any]:
    """What a restore has taken back, as a version; nothing if it took nothing, or made no plan.

    What one that failed was to take back, and a later one took back, was still there when it failed.
    """
    tries = [one for one in run.commands if isinstance(one.statement, Restore)]
    planned = run.restores[tries.index(command) :]
    if not planned:
        return {}
    restore, *others = planned
    end = command.completed or 0
    later = [one for one in run.commands if one.asked is not None and one.asked < end < (one.completed or 0)]
    asked = {int(str(one.instant)): _effect(run, one)["writes"] for one in later if _writes_rows(run, one)}
    seen = Timeline(tuple([Instant(int(i.requested), i.action, COMPLETED, int(i.completed)) for i in run.instants]))
    taken_later = {target for one in others for target in one.targets}
    targets = [int(one) for one in restore.targets if command.outcome == OK or one not in taken_later]
    writes = undone(recorder.rows, asked, seen, int(restore.requested), targets)
    return {} if writes is None else {"commit": restore.requested, "writes": writes}


def _writes_rows(run: HudiLiveRun, command: Command) -> bool:
    """Whether a write would be a version that a restore takes back: a log compaction would bring none of its own."""
    logs = isinstance(command.statement, Compact) and command.statement.logs
    return not logs and bool(_effect(run, command))


def _effect(run: HudiLiveRun, command: Command) -> dict[str, Any]:
    """What a write saw and would do."""
    if command.seen is None or not isinstance(command.statement, Writing):
        return {}
    made = next(
        (i for i in (*run.instants, *run.taken_back) if (i.requested, i.actor) == (command.instant, command.actor)),
        None,
    )
    names = _group_names(run)
    replaces = isinstance(command.statement, Replacing | Cluster)
    merged = command.seen.bases if replaces or isinstance(command.statement, Upsert) else ()
    bases = [(names[file_id], instant) for file_id, instant in merged]
    written = [names[file_id] for _, file_id in _groups_of(made)] if made else [name for name, _ in bases]
    rows = [Write(f"row:{key}", value) for key, value in _changes(command.statement, command.seen)]
    if replaces:  # what it takes the place of is gone, with its rows
        kept = dict(command.statement.rows)
        rows += [Write(f"row:{key}", None) for key in command.seen.hidden if int(key) not in kept]
        rows += [Write(f"group:{name}", None) for name, _ in bases]
        written = [name for name in written if name not in dict(bases)]
    told = () if replaces and not reads_hidden(_config(run)) else command.seen.rows
    reads = [Read(f"row:{key}", value) for key, value in told]
    if not _rows_alone(run):
        reads += [Read(f"group:{name}", instant) for name, instant in bases]
        rows += [Write(f"group:{name}", command.instant) for name in written]
    return {
        "start": command.seen.newest if _is_ordered(run) else None,
        "commit": made.name if made else None,
        "reads": tuple(reads),
        "writes": tuple([row for row in rows if row.key.startswith("row:")] if _rows_alone(run) else rows),
    }


def _changes(statement: Writing, seen: Seen) -> list[tuple[str, str | None]]:
    """The rows that a write changes; None: it deletes them. Of those that it was to read first, what it has found."""
    if not isinstance(statement, ReadingFirst):
        return [(str(key), value) for key, value in statement.rows]
    values = {str(key): value for key, value in statement.rows}  # a DELETE has none
    return [(str(key), values.get(str(key))) for key in ids_of(statement) if str(key) in dict(seen.rows)]


def _is_ordered(run: HudiLiveRun) -> bool:
    """Whether versions are in the order in which they could be seen: before layout 2 it is that of requests."""
    return _config(run).layout == 2


def _may_be_gone(run: HudiLiveRun) -> bool:
    return _config(run).bucketed or run.workload.has(Delete)


def _rows_alone(run: HudiLiveRun) -> bool:
    return run.workload.has(Restore) or not records_slices(run.workload, _config(run))


def _config(run: HudiLiveRun) -> HudiConfig:
    return parse_options(dict(run.workload.options))


def _group_names(run: HudiLiveRun) -> dict[str, str]:
    """The name of each file id: the workload's, which are one in each partition, or bucket, at first, or a new one."""
    config, pairs = _config(run), zip(run.workload.apart, run.workload.groups, strict=True)
    names = {bucket_named(partition, name, config): name for partition, (name, _) in pairs}
    first, *later = [_groups_of(instant) for instant in _in_order(run)]
    found = {file_id: names[bucket_named(partition, file_id, config)] for partition, file_id in first}
    new = dict.fromkeys(file_id for groups in later for _, file_id in groups if file_id not in found)
    return found | {file_id: f"new{number}" for number, file_id in enumerate(new, 1)}


def _in_order(run: HudiLiveRun) -> list[Completed]:
    """The completed writes, with those that were taken back."""
    every = [*run.instants, *run.taken_back]
    return sorted(every, key=lambda one: (one.completed, one.requested)) if run.taken_back else every


def _groups_of(instant: Completed) -> list[tuple[str, str]]:
    """Partition and file id of each data file that an instant says it wrote."""
    paths = [file.rpartition("/") for file in instant.files]
    return [(partition, file.file_id) for partition, _, name in paths if (file := parse_base_file(name)) is not None]


def _found(run: HudiLiveRun) -> dict[str, str | None] | str:
    """What the final read found, by key; or why it found nothing."""
    if run.rows is None:
        return str(run.unreadable)
    if _rows_alone(run):
        return dict(joined(run.rows))
    names = _group_names(run)
    return {**joined(run.rows), **{f"group:{names[file_id]}": instant for file_id, instant in run.slices}}


def _broken_invariants(run: HudiLiveRun) -> list[str]:
    found = [f"missing-file: a completed instant names {file}, which does not exist" for file in run.missing]
    times = Counter([instant.requested for instant in run.instants])
    found += [f"completed-twice: instant {name} has two completed files" for name in times if times[name] > 1]
    merges = _config(run).merge_on_read
    clustered = {one.instant for one in run.commands if isinstance(one.statement, Cluster)}
    for instant in run.instants:
        name = instant.requested
        if name in clustered or (instant.action == COMMIT and merges):
            continue  # who carries out what somebody left inflight, of these, rolls it back first
        ends = [rollback.completed for rollback in run.rollbacks if rollback.target == name]
        found += [f"completed-and-rolled-back: instant {name} is completed, and rolled back" for _ in ends[:1]]
        late = [end for end in ends if end < instant.completed]
        found += [f"completed-after-rollback: instant {name} was completed after its rollback" for _ in late[:1]]
    stuck = [(restore.requested, target) for restore in run.restores for target in restore.stuck_at]
    found += [f"stuck-restore: {restore} is to roll back log compaction {target}" for restore, target in stuck]
    unlisted = [restore.requested for restore in run.restores if restore.unlisted]
    found += [f"stuck-restore: {restore} needs a slice of the metadata table that is not later" for restore in unlisted]
    return [*found, *run.gone]


def _end_ms(run: HudiLiveRun) -> int:
    return int(run.seconds * 1000)
