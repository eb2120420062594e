"""What a Hudi run has come to, as far as it has been told: whose instant, lock file and file is whose, what is visible.

Choices: a beat that finds its file gone makes it again, and it is still its writer's. What was there before the run is
nobody's. Whether a look at a heartbeat found its writer alive is read off what the looker did next; it is not in the
trace, since every client decides by its own settings.
"""

from collections.abc import Sequence
from typing import Any

from model.hudi.file_groups import CommitMetadata, Group, RollbackPlan, WriteStat
from model.hudi.names import (
    HEARTBEATS,
    META,
    TEMP,
    BaseFile,
    Role,
    parse_base_file,
    parse_instant_file,
    role_of,
)
from reports.explanation.renderer import NOT_APPLIED, Traced

CREATES = ("create", "write", "rename", "open-w")
DEAD, ALIVE = "dead", "alive"


def role(row: Traced) -> Role:
    """What the path of a step is for; kind "" if the step is on no file."""
    return role_of(row.resource) if row.resource in row.args[:2] else Role("", None)


def action(row: Traced) -> str:
    """The action of a timeline file: commit, rollback, ...; "" for any other path."""
    found = parse_instant_file(row.resource.rpartition("/")[2]) if row.resource.startswith(META) else None
    return found.action if found is not None else ""


def is_applied(row: Traced) -> bool:
    """Whether the step did what it says."""
    return not row.is_reply and row.outcome == "ok" and row.value not in (NOT_APPLIED, False)


class HudiState:
    """Facts of the run before the step that is told next."""

    def __init__(self, rows: Sequence[Traced]) -> None:
        self._actors = frozenset(row.actor for row in rows)
        self.two_step = any(row.point == "open-w" for row in rows)
        self.writers: dict[int, str] = {}
        self.makers: dict[str, str] = {}
        self.current: dict[str, int] = {}
        self.completed: set[int] = set()
        self.temporary: dict[str, Any] = {}
        self.slices: dict[str, BaseFile] = {}
        self.locking: set[str] = set()
        self.let_go: set[str] = set()
        self.targets: dict[int, int] = {}
        self._judgements = _judgements(rows)

    def process(self, actor: str) -> str:
        """The process of a task, which is named after it."""
        while (before := actor.rpartition("-")[0]) in self._actors:
            actor = before
        return actor

    def writer(self, instant: int) -> str:
        """Who writes an instant."""
        return self.writers.get(instant, "its writer")

    def is_own(self, row: Traced, instant: int | None) -> bool:
        """Whether the instant is the one that the actor is at work on; those of its earlier tries are others."""
        process = self.process(row.actor)
        return instant is not None and self.writers.get(instant) == process and self.current.get(process) == instant

    def is_rolled_back(self, instant: int) -> bool:
        """Whether a rollback of it has been scheduled."""
        return instant in self.targets.values()

    def judgement(self, row: Traced) -> str:
        """What the actor made of its next look at a heartbeat: dead, alive, or "" if its steps do not say."""
        waiting = self._judgements.get(row.actor)
        return waiting.pop(0) if waiting else ""

    def creates(self, row: Traced) -> bool:
        """Whether the step makes a file; a create in two steps is a look first."""
        return row.point in CREATES and not (self.two_step and row.point == "create")

    def body(self, row: Traced) -> Any:
        """What the step puts into a file; for a rename, what is in the temporary file."""
        if row.point == "rename":
            return self.temporary.get(row.args[0])
        return row.args[1] if len(row.args) > 1 else None

    def learn(self, row: Traced) -> None:
        """Take note of a step that has been told."""
        kind, instant = role(row)
        if kind == "lock" and not row.is_reply:
            self._learn_lock(row)
        if not kind or not is_applied(row):
            return
        if row.point == "delete":
            self.makers.pop(row.resource, None)
            self.slices.pop(row.resource, None)
        if not self.creates(row):
            return
        self.makers[row.resource] = self.process(row.actor)
        if instant is not None and kind in ("heartbeat", "requested"):
            self.writers.setdefault(instant, self.process(row.actor))
            self.current[self.process(row.actor)] = instant
        if instant is not None and kind == "completed":
            self.completed.add(instant)
        body = self.body(row)
        if kind == "folder":
            self.temporary[row.resource] = body
        if instant is not None and isinstance(body, RollbackPlan):
            self.targets[instant] = body.target
        if isinstance(body, CommitMetadata) and kind == "completed":
            files = {stat.path: parse_base_file(stat.path.rpartition("/")[2]) for stat in body.stats}
            self.slices |= {path: file for path, file in files.items() if file is not None}

    def hidden_by(self, body: CommitMetadata) -> tuple[BaseFile, ...]:
        """The committed slices that are of larger instants than a commit's own, and so what readers see."""
        found = []
        for stat in body.stats:
            own, newest = parse_base_file(stat.path.rpartition("/")[2]), self._newest(stat)
            if own is not None and newest is not None and newest.instant > own.instant:
                found.append(newest)
        return tuple(found)

    def _newest(self, stat: WriteStat) -> BaseFile | None:
        of_group = [file for path, file in self.slices.items() if _group_of(path, file) == stat.group]
        return max(of_group, key=lambda file: file.instant, default=None)

    def _learn_lock(self, row: Traced) -> None:
        """Who believes to have the lock file, and who has given it back (or found that there is none to give)."""
        process = self.process(row.actor)
        if self.creates(row) and is_applied(row):
            self.locking.add(process)
            self.let_go.discard(process)
        elif row.point == "delete" or (row.point == "exists" and row.value is False and process in self.locking):
            self.locking.discard(process)
            self.let_go.add(process)


def _group_of(path: str, file: BaseFile) -> Group:
    return path.rpartition("/")[0], file.file_id


def _judgements(rows: Sequence[Traced]) -> dict[str, list[str]]:
    of: dict[str, list[Traced]] = {}
    for row in rows:
        of.setdefault(row.actor, []).append(row)
    return {
        actor: [_judged(own[:at], own[at:]) for at, row in enumerate(own) if is_heartbeat_look(row)]
        for actor, own in of.items()
    }


def is_heartbeat_look(row: Traced) -> bool:
    """Whether the step asks how old a heartbeat is."""
    return row.point == "mtime" and row.resource.startswith(f"{HEARTBEATS}/") and not row.is_reply


def _judged(before: Sequence[Traced], rest: Sequence[Traced]) -> str:
    """What an actor made of the look at the head of `rest`: it rolls the instant back, or reads its markers, or not."""
    look, after = rest[0], rest[1:]
    instant = role(look).instant
    bodies = [row.args[1] for row in after if len(row.args) > 1]
    if look.value == "NotFound" or any(isinstance(body, RollbackPlan) and body.target == instant for body in bodies):
        return DEAD
    if not after:
        return ""
    if role(after[0]) == Role("markers", instant):
        return ALIVE
    return DEAD if _in_early_check(before) else ""


def _in_early_check(before: Sequence[Traced]) -> bool:
    """Whether an actor is going through others' markers: its last steps began with a look at all of them."""
    for row in reversed(before):
        if row.resource == TEMP:
            return True
        if not is_heartbeat_look(row) and role(row).kind != "markers":
            return False
    return False
