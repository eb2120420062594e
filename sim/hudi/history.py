"""What happened to a Hudi table before a race: writes that were committed, and writers and cleaners that died.

Each is written by the model's own client, before the race begins and without a step. Their instants follow the first
one's; no host draws one of them again.

Choices: markers of a timeline server are written at once, without waiting for a batch. The dead died at one moment:
when the race begins, or so long before that nobody takes them for alive.
"""

from __future__ import annotations

from dataclasses import replace

from model.hudi import HudiClient, HudiConfig
from model.hudi.file_groups import RollbackPlan
from model.hudi.marker_files import CUT
from model.hudi.names import (
    HEARTBEATS,
    MARKER_FILE,
    MARKER_TYPE,
    ROLLBACK,
    TEMP,
    heartbeat_path,
    marker_folder,
    requested_path,
)
from model.hudi.partitions import Partitions
from model.hudi.time_generator import LAST_TIME
from model.ports import World
from sim.hudi.files import TableFiles
from sim.hudi.workload import HudiWorkload, Past

LONG_AGO_MS = -(10**9)


def happened(world: World, files: TableFiles, config: HudiConfig, workload: HudiWorkload) -> int:
    """Write the history of a table through `world`. Returns: the last time that was given out."""
    alone = replace(config, early_detection=False, early_strategy=None, check_commit_conflict=False, marker_batch_ms=0)
    for past in workload.history:
        client = HudiClient(world, alone, owner="setup")
        instant = client.start_commit()
        if past.ending != "requested":
            _write(client, files, instant, past, workload.where)
        client.close()
        if not past.recent and heartbeat_path(instant) in files.files:
            files.date(heartbeat_path(instant), LONG_AGO_MS)
    return world.statics.advance(LAST_TIME, 0)


def _write(client: HudiClient, files: TableFiles, instant: int, past: Past, where: Partitions) -> None:
    written = client.upsert(tuple([(str(key), value) for key, value in past.rows]), instant, where)
    if past.ending == "cut":
        _cut(files, instant)
    if past.ending == "rolling back":
        layout = client.config.layout
        plan = RollbackPlan(instant, client.markers.paths(instant))
        files.create(requested_path(layout, client.times.time_ms(), ROLLBACK), plan)
    if past.ending not in ("committed", "left behind"):
        return
    before = {path: body for path, (body, _) in files.files.items() if path.startswith((f"{TEMP}/", f"{HEARTBEATS}/"))}
    client.commit(instant, written)
    if past.ending == "left behind":
        for path in [path for path in before if path not in files.files]:
            files.create(path, before[path])


def _cut(files: TableFiles, instant: int) -> None:
    """Let the marker files of an instant end within their last lines."""
    for name in files.list(marker_folder(instant)):
        if name.startswith(MARKER_FILE) and name != MARKER_TYPE:
            path = f"{marker_folder(instant)}/{name}"
            *markers, last = files.files[path][0]
            files.write(path, (*markers, last._replace(kind=CUT)))
