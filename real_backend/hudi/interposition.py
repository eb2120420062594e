"""The one place that says which storage operations are steps, and what they are called: as in the simulator.

A step's operation is the simulator's (`create`, `write`, `delete`, `try_lock`, ...), its resource is the role of the
path in the protocol (`requested`, `inflight`, `completed`, `marker`, `markers`, `data`, `heartbeat`, `lock`): instants
and file names differ between the two sides by nature, and within one actor's run the order says which file is meant.

Choices: reads are no steps, for what an actor sees is settled by the changes that others have made by then; but where a
write, a clean or a read of the table begins, before its first look at the timeline, is one: `list(timeline)`. Hudi
writes a file of the timeline under a temporary name and renames it: the step is the rename, called `create`. Hudi 1.2.0
claims a rollback with a heartbeat under the lock before it executes it, which the model leaves out: those are steps on
a resource of their own, `claim`, which no simulated schedule names. The metadata table's own files are made unseen,
before the next step of who makes them: who is held there holds a lock of the whole process.
"""

import re
from typing import NamedTuple

from model.hudi.names import ROLLBACK, TEMP, role_of
from sim.hudi.live import HEARTBEAT, LIST, MARKER_WORKER, ON_FILES, ON_MUTEXES, ON_SERVERS

LOCK_FILE = "lock"
ROLES = ("requested", "inflight", "completed", "marker", "markers", "data", "heartbeat", LOCK_FILE)
MUTEX = "table"
TIMELINE_ROLE = "timeline"
CLAIM = "claim"


class Named(NamedTuple):
    """A step without its actor."""

    operation: str
    resource: str


class Namer:
    """Names the operations of one live run."""

    def __init__(self) -> None:
        self._rollbacks: set[int] = set()

    def step(self, operation: str, path: str) -> Named | None:
        """As `step_of`; what belongs to the claim of a rollback instant is on the resource `claim`."""
        if path.endswith(f"/{CLAIM}"):
            return Named(operation, CLAIM)
        role = role_of(path.strip("/"))
        if role.kind == "requested" and f".{ROLLBACK}." in path and role.instant is not None:
            self._rollbacks.add(role.instant)
        if role.kind == HEARTBEAT and role.instant in self._rollbacks:
            return Named(operation, CLAIM) if operation in ON_FILES else None
        return step_of(operation, path)


def step_of(operation: str, path: str) -> Named | None:
    """The step that an operation is: its operation and resource. None if it is none.

    Args: `path` is relative to the table's base path.
    """
    if operation in ON_MUTEXES:
        return Named(operation, MUTEX)
    role = role_of(path.strip("/"))
    if operation not in (*ON_FILES, *ON_SERVERS) or role.kind not in ROLES:
        return None
    if operation == "delete" and _is_part(path):
        return None
    if operation == "write" and role.kind == "markers":
        return Named("overwrite", role.kind)
    return Named("create" if operation == "rename" else operation, role.kind)


def _is_part(path: str) -> bool:
    """Whether this is a folder, or a file of several, of an instant's markers: these go first, then their folder."""
    return path.startswith(f"/{TEMP}/") and path.count("/") > 3 and ".marker." not in path


def resource_of(operation: str, resource: str) -> str | None:
    """The live name of a simulated step's resource; None if the step has no live counterpart."""
    if operation in ON_MUTEXES:
        return MUTEX
    if operation == LIST:
        return TIMELINE_ROLE if role_of(resource).kind == TIMELINE_ROLE else None
    step = step_of(operation, f"/{resource}")
    return None if step is None else step.resource


def client_of(task: str) -> str:
    """The live actor of a simulated task: a worker of the timeline server acts while its client waits for it, and the
    timers of an actor's statements, of which one lives at a time, have one name."""
    return re.sub(rf"(-{HEARTBEAT})-\d+$", r"\1", re.sub(rf"-{MARKER_WORKER}(-\d+)?$", "", task))


def actor_of(actor: str, resource: str, helper: bool) -> str:
    """The simulator's name of who acts: a writer's timer is a task of its own."""
    return f"{actor}-{HEARTBEAT}" if helper and resource == HEARTBEAT else actor
