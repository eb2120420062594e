"""A Hudi table in the simulator: its clients' ports, its first instant, and a look at all its files at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from model.hudi import Cleaner, HudiConfig, Reader, Rules
from model.hudi.errors import HudiError
from model.hudi.file_groups import (
    CLUSTER,
    COMPACT,
    INSERT,
    Archived,
    CleanPlan,
    CommitMetadata,
    RestorePlan,
    RollbackPlan,
    WriteStat,
)
from model.hudi.keys import LOCK_PROVIDER, METASTORE, METASTORE_TIMEOUT, SESSION_TIMEOUT, STORAGE_BASED
from model.hudi.metadata_table import MetadataTable
from model.hudi.names import (
    HEARTBEATS,
    LOCK,
    LOG_COMPACTION,
    METADATA,
    RESTORE,
    TEMP,
    BaseFile,
    completed_path,
    inflight_path,
    parse_data_file,
    requested_path,
    text,
    timeline_folder,
)
from model.hudi.observer import UNOBSERVED
from model.hudi.time_generator import LAST_TIME
from model.hudi.timeline import Instant, Timeline, parse_timeline
from model.ports import World
from sim.hudi.files import TableFiles
from sim.hudi.history import happened
from sim.hudi.lock_objects import LockObjects
from sim.hudi.lock_service import MetastoreLocks
from sim.hudi.metadata import make_metadata
from sim.hudi.workload import HudiWorkload
from sim.hudi.writes import records_slices
from sim.services.mutexes import BoundMutexes, MutexTable
from sim.world.simulation import Simulation

JVM = "jvm"
JANITOR, HISTORIAN = "r-janitor", "setup"
MUCH_LATER_MS = 10**9
SETUP_GROUP = "0-0-0_000000"
Content = tuple[list[tuple[str, str]], str]
"""Keys and values, and the name of a version."""


def files_of(simulation: Simulation) -> TableFiles:
    """The run's file system."""
    return simulation.attach("files", TableFiles)


def world_of(simulation: Simulation, workload: HudiWorkload, actor: str) -> World:
    """The ports of an actor: in one process with the others, or on a host of its own with a clock of its own."""
    mutexes = simulation.attach("mutexes", partial(MutexTable, session_ms=_session_ms(workload)))
    host = JVM if workload.one_process else actor
    ports: dict[str, Any] = {}
    provider = dict(workload.options).get(LOCK_PROVIDER, "")
    if provider.endswith(STORAGE_BASED):
        ports["register"] = simulation.attach("lock object", LockObjects)
    elif provider.endswith(METASTORE):
        lease_ms = 1_000 * int(dict(workload.options).get(METASTORE_TIMEOUT, HudiConfig().metastore_timeout_s))
        ports["locks"] = simulation.attach("metastore locks", partial(MetastoreLocks, lease_ms=lease_ms))
    return simulation.world(
        actor,
        dict(workload.clock_offsets_ms).get(actor, 0),
        files=files_of(simulation),
        statics=BoundMutexes(mutexes, host, actor),
        coordinator=BoundMutexes(mutexes, "", actor),
        **ports,
    )


def _session_ms(workload: HudiWorkload) -> int | None:
    """How long a session of ZooKeeper lasts, where it is said."""
    said = dict(workload.options).get(SESSION_TIMEOUT)
    return None if said is None else int(said)


def make_table(simulation: Simulation, workload: HudiWorkload, config: HudiConfig) -> None:
    """Write the first instant, its files and its states, then the history; their times are taken on every host."""
    files, layout, last = files_of(simulation), config.layout, 0
    files.dates_instants = config.consumed and config.reads_by_transition
    stats = []
    for (file_id, rows), partition in zip(workload.groups, workload.placed, strict=True):
        path = f"{partition}/{BaseFile(file_id, '0-0-0', 0).name}"
        files.create(path, tuple((str(key), value) for key, value in rows))
        stats.append(WriteStat(partition, file_id, path, None))
    files.create(requested_path(layout, 0, config.commit_action), None)
    files.create(inflight_path(layout, 0, config.commit_action), ())
    files.create(completed_path(layout, 0, config.commit_action, 0), CommitMetadata(INSERT, tuple(stats)))
    if config.metadata:
        make_metadata(files, tuple(stats))
    if workload.history:
        world = world_of(simulation, workload, HISTORIAN)
        world.statics.advance(LAST_TIME, 0)
        last = happened(world, files, config, workload)
    for actor in workload.actors[:1] if workload.one_process else workload.actors:
        world_of(simulation, workload, actor).statics.advance(LAST_TIME, last)


def timeline_of(simulation: Simulation, layout: int) -> Timeline:
    """The timeline as it is."""
    return parse_timeline(files_of(simulation).list(timeline_folder(layout)))


def archived_of(simulation: Simulation) -> tuple[tuple[Instant, object], ...]:
    """The instants of the history, and what each says."""
    bodies = [files[0] for path, files in sorted(files_of(simulation).files.items()) if path.endswith(".archived")]
    return tuple([each for body in bodies if isinstance(body, Archived) for each in body.instants])


def whole_of(simulation: Simulation, layout: int) -> Timeline:
    """The timeline as it would be if nobody had archived."""
    archived = [instant for instant, _ in archived_of(simulation)]
    return Timeline(tuple(sorted({*archived, *timeline_of(simulation, layout).instants}, key=lambda i: i.requested)))


def broken_invariants(simulation: Simulation, layout: int) -> Iterator[str]:
    """What must not be, as "kind: text": missing files, an instant completed twice, or completed and rolled back, and
    a restore that cannot be ended.

    Who carries out a compaction or clustering that somebody left inflight rolls it back first, and completes it later.
    """
    files, timeline = files_of(simulation).files, timeline_of(simulation, layout)
    plans = [_body(simulation, layout, rollback.requested, rollback.action) for rollback in timeline.rollbacks]
    rolled_back = {
        plan.target: rollback.visible_at if rollback.is_completed else MUCH_LATER_MS
        for plan, rollback in zip(plans, timeline.rollbacks, strict=True)
        if isinstance(plan, RollbackPlan)
    }
    for restore in timeline.restores:  # whose rollbacks are never completed
        for target in [] if restore.is_completed else targets_of(simulation, layout, restore.requested):
            rolled_back.pop(target, None)
    cleaned = _cleaned(simulation, layout, timeline)
    seen: set[int] = set()
    for instant in timeline.completed:
        name = text(instant.requested)
        metadata = files[completed_path(layout, instant.requested, instant.action, instant.completed or 0)][0]
        for stat in metadata.stats if isinstance(metadata, CommitMetadata) else ():
            if stat.path not in files and stat.path not in cleaned:
                yield f"missing-file: completed instant {name} names {stat.path}, which does not exist"
        anew = isinstance(metadata, CommitMetadata) and metadata.operation in (CLUSTER, COMPACT)
        if instant.requested in rolled_back and not anew:
            yield f"completed-and-rolled-back: instant {name} is completed, and is the target of a rollback"
            if rolled_back[instant.requested] < instant.visible_at:
                yield f"completed-after-rollback: instant {name} was completed after its rollback"
        if instant.requested in seen:
            yield f"completed-twice: instant {name} has two completed files"
        seen.add(instant.requested)
    for restore in [each for each in timeline.restores if not each.is_completed]:
        for target in targets_of(simulation, layout, restore.requested):
            if any(each.requested == target and each.action == LOG_COMPACTION for each in timeline.pending):
                yield f"stuck-restore: {text(restore.requested)} is to roll back log compaction {text(target)}"


def stuck_restores(simulation: Simulation, workload: HudiWorkload, config: HudiConfig) -> Iterator[str]:
    """Restores that the metadata table lets nobody end, as they are shipped, as "kind: text"."""
    for restore in timeline_of(simulation, config.layout).restores if config.metadata else ():
        plan = _body(simulation, config.layout, restore.requested, RESTORE)
        if isinstance(plan, RestorePlan) and not restore.is_completed:
            missing = MetadataTable(world_of(simulation, workload, JANITOR), config).obstacle(plan.savepoint)
            if missing:
                yield f"stuck-restore: {text(restore.requested)} needs {missing}"


def targets_of(simulation: Simulation, layout: int, restore: int) -> tuple[int, ...]:
    """The instants that a restore was to roll back."""
    plan = _body(simulation, layout, restore, RESTORE)
    return tuple([instant for instant, _ in plan.targets]) if isinstance(plan, RestorePlan) else ()


def _cleaned(simulation: Simulation, layout: int, timeline: Timeline) -> frozenset[str]:
    """The files that cleans were to delete."""
    plans = [_body(simulation, layout, clean.requested, clean.action) for clean in timeline.cleans]
    return frozenset([path for plan in plans if isinstance(plan, CleanPlan) for path in plan.paths])


def _body(simulation: Simulation, layout: int, instant: int, action: str) -> object:
    file = files_of(simulation).files.get(requested_path(layout, instant, action))
    return file[0] if file else None


def leftovers(simulation: Simulation, workload: HudiWorkload, config: HudiConfig, rules: Rules) -> Iterator[str]:
    """What is still there after a cleaner has run much later: "kind: path" of each file that nothing needs."""
    world = replace(world_of(simulation, workload, JANITOR), clock=_LaterClock())
    patient = replace(config, lock_retries=0, lock_retry_wait_ms=0)
    cleaner = Cleaner(world, patient, rules, owner=JANITOR, observer=UNOBSERVED)
    try:
        cleaner.rollback_failed_writes()
    except HudiError as error:
        yield f"failed-clean: {error}"
    files, timeline = files_of(simulation).files, timeline_of(simulation, config.layout)
    paths = [completed_path(config.layout, i.requested, i.action, i.completed or 0) for i in timeline.completed]
    completed = [*[files[path][0] for path in paths], *[body for _, body in archived_of(simulation)]]
    needed = [stat.path for each in completed if isinstance(each, CommitMetadata) for stat in each.stats]
    for path in sorted(files):
        if path.startswith(f"{TEMP}/"):
            yield f"marker: {path}"
        elif path.startswith(f"{HEARTBEATS}/"):
            yield f"heartbeat: {path}"
        elif path == LOCK:
            yield f"lock: {path}"
        elif path.startswith(f"{METADATA}/"):
            continue  # a table of its own, which is never done with what it holds
        elif parse_data_file(path.rpartition("/")[2]) is not None and path not in needed:
            yield f"data: {path}"
    for instant in timeline.pending:
        yield f"instant: {text(instant.requested)} is {instant.state}"


class _LaterClock:
    """A clock by which every heartbeat of the run is expired."""

    def now_ms(self) -> int:
        return MUCH_LATER_MS

    def sleep_ms(self, duration_ms: int) -> None:
        return None


def content_of(simulation: Simulation, workload: HudiWorkload, config: HudiConfig, rules: Rules) -> Content:
    """What the race begins with: rows, slices of file groups and the newest version."""
    if workload.history:
        view = reader_of(simulation, workload, config, rules, HISTORIAN).read(workload.where.names)
        rows = [(f"row:{key}", "|".join(values)) for key, values in view.rows]
        groups = [(f"group:{file.file_id}", file.version) for _, file in view.slices]
        assert view.newest is not None
        return [*rows, *(groups if records_slices(workload, config) else [])], view.newest.name
    rows = [(f"row:{key}", value) for key, value in workload.rows]
    groups = [(f"group:{file_id}", SETUP_GROUP) for file_id, _ in workload.groups if records_slices(workload, config)]
    return [*rows, *groups], timeline_of(simulation, config.layout).completed[0].name


def reader_of(simulation: Simulation, workload: HudiWorkload, config: HudiConfig, rules: Rules, actor: str) -> Reader:
    """A reader of the table."""
    return Reader(world_of(simulation, workload, actor), config, rules)
