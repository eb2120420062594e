"""A write of a workload, made by the model's client, and what the history says of it.

What an overwrite or a deletion takes out is what was in its file groups when it named them: each of these rows is
written as gone. Hudi does not read them; a history says what it hides, so that a check can miss it. On a merge-on-read
table they are said to be read as well, for there no slice tells that a file group has been changed; but where writers
are not kept apart, for there it may have been.

What clustering takes out is hidden as slices, not as rows: it is to change none. Nor does compaction, which makes a new
slice of its file group; a log file makes none.

Choices: the rows of hidden slices are looked up in the files themselves, in no step. Where somebody overwrites or
deletes on a merge-on-read table rows alone are recorded, and no slices: a compaction may write one more of a file
group that is hidden by then, and changes nothing by it. What a compaction began with is not said where somebody
restores: a restore that it saw may have been to take it back, and counts as a later version then.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from model.hudi import (
    ClusteringClient,
    CompactionClient,
    EagerClient,
    ExecutingClient,
    HudiClient,
    HudiConfig,
    LogCompactionClient,
    Rules,
    SpecifiedClient,
    Written,
)
from model.hudi.file_groups import CLUSTER, COMPACT, LOG_COMPACT, Changes
from model.hudi.jobs import Places
from model.hudi.keys import EAGER
from model.hudi.names import REPLACE_COMMIT, parse_base_file
from model.hudi.observer import Observer
from model.hudi.partitions import Partitions
from model.hudi.slices import merged
from model.hudi.timeline import Timeline
from model.ports import World
from sim.hudi.files import TableFiles
from sim.hudi.planned import finds_plan
from sim.hudi.statements import (
    HIDING,
    Cluster,
    Compact,
    Delete,
    DeletePartition,
    Replacing,
    Upsert,
    Write,
    operation_of,
)
from sim.hudi.workload import HudiWorkload

Read = tuple[str, str | None, int | None]
Pair = tuple[str, str | None]


class Effect(NamedTuple):
    """What a write began with, read and would write, as a history has it."""

    start: Timeline | None
    reads: list[Read]
    writes: list[Pair]


def client_of(
    statement: Write, world: World, config: HudiConfig, rules: Rules, *, owner: str, observer: Observer
) -> HudiClient:  # fmt: skip
    """The client of one statement."""
    kinds = {Cluster: ClusteringClient, Compact: CompactionClient}
    if isinstance(statement, Upsert) and statement.columns:
        config = replace(config, columns=statement.columns)
    usual = SpecifiedClient if rules.locks_file_groups or rules.indexes_new_keys else HudiClient
    usual = EagerClient if config.clean_policy == EAGER else usual
    kind: type[HudiClient] = kinds.get(type(statement), usual)
    if isinstance(statement, Compact) and statement.logs:
        kind = LogCompactionClient
    return kind(world, config, rules, owner=owner, observer=observer)


def begin(client: HudiClient, statement: Write, where: Partitions) -> int:
    """Announce a write, or plan it; returns its instant. Raises: as the client."""
    if isinstance(client, ExecutingClient) and finds_plan(statement):
        return client.oldest_plan()
    if isinstance(client, ClusteringClient | CompactionClient):
        return client.schedule(where.names)
    return client.start_commit(action_of(statement, client.config))


def action_of(statement: Write, config: HudiConfig) -> str:
    """The action of its instant."""
    return REPLACE_COMMIT if isinstance(statement, Replacing) else config.commit_action


def write_data(
    client: HudiClient, statement: Write, instant: int, where: Partitions, places: Places | None = None
) -> Written:
    """Make a write, up to its commit. Args: `places`: where the rows are that it has read; None: it has read none.
    Raises: as the client."""
    if isinstance(client, ExecutingClient):
        return client.execute(instant)
    if isinstance(statement, Upsert | Delete):
        return _change(client, statement, instant, where, places)
    rows = tuple([(str(key), value) for key, value in statement.rows])
    if isinstance(statement, Replacing):
        return client.replace(rows, instant, where, operation_of(statement), replaced_by(statement, where))
    return client.insert(rows, instant, where, operation_of(statement))


def _change(
    client: HudiClient, statement: Upsert | Delete, instant: int, where: Partitions, places: Places | None
) -> Written:
    """Change rows; of those that were to be read first those that were found."""
    if isinstance(statement, Delete):
        rows: Changes = tuple([(str(key), None) for key in statement.ids])
        effort: dict[str, int] = {}
    else:
        rows = tuple([(str(key), value) for key, value in statement.rows])
        effort = {"work_ms": statement.work_ms, "attempts": statement.attempts, "tasks": statement.tasks}
    found = rows if places is None else tuple([(key, value) for key, value in rows if key in dict(places)])
    located = places if client.config.prepped and not client.config.bucketed else None
    return client.upsert(found, instant, where, **effort, places=located)


def ids_of(statement: Write) -> tuple[int, ...]:
    """The ids of the rows that it names."""
    return statement.ids if isinstance(statement, Delete) else tuple([key for key, _ in statement.rows])


def replaced_by(statement: Replacing | Cluster, where: Partitions) -> tuple[str, ...]:
    """The partitions all of which a write takes the place of."""
    if isinstance(statement, DeletePartition):
        return (statement.partition,)
    if isinstance(statement, Cluster) or statement.whole_table:
        return where.names
    return tuple([name for name, _ in where.split(tuple([(str(key), value) for key, value in statement.rows]))])


def effect_of(written: Written, files: TableFiles, config: HudiConfig, *, slices: bool) -> Effect:
    """What a write reads and writes, as rows, and as `slices` of file groups."""
    reads: list[Read] = [(f"row:{key}", value, None) for key, value in written.before]
    reads += [(f"group:{file_id}", base, None) for file_id, base in written.bases]
    hidden = {f"group:{each.file_id}": None for _, each in written.replaced}
    held = _held(written, files, config) if written.operation != CLUSTER else {}
    gone: dict[str, str | None] = dict.fromkeys(held)
    reads += [(key, value, None) for key, value in held.items() if reads_hidden(config)]
    bases = [file for stat in written.stats if (file := parse_base_file(stat.path.rpartition("/")[2]))]
    groups = {f"group:{file.file_id}": file.version for file in bases}
    rows: dict[str, str | None] = {f"row:{key}": value for key, value in written.rows}
    pairs = {**gone, **rows, **groups, **hidden}
    if not slices:
        pairs = {**gone, **rows}
        reads = [(key, value, at) for key, value, at in reads if key.startswith("row:")]
    unsaid = config.restored and written.operation in (COMPACT, LOG_COMPACT)
    return Effect(None if unsaid else written.start, reads, list(pairs.items()))


def reads_hidden(config: HudiConfig) -> bool:
    """Whether what an overwrite or a deletion hides counts as read by it."""
    return config.merge_on_read and config.resolves_conflicts


def records_slices(workload: HudiWorkload, config: HudiConfig) -> bool:
    """Whether a history tells of slices, and not of rows alone."""
    return not (config.restored or (config.merge_on_read and workload.has(*HIDING)))


def _held(written: Written, files: TableFiles, config: HudiConfig) -> dict[str, str]:
    """The rows of the slices that a write hides, by key as a history has it; of several slices all their values."""
    found: dict[str, str] = {}
    for partition, each in written.replaced:
        bodies = {file: files.files.get(f"{partition}/{file.name}", ((), 0))[0] for file in each.files}
        for key, value in merged(each, bodies.__getitem__, by_event_time=config.by_event_time).items():
            found[f"row:{key}"] = "|".join([*([found[f"row:{key}"]] if f"row:{key}" in found else []), value])
    return found
