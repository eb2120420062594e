"""One step of a Hudi run as a clause: what a file is for, whose it is, and what the step found or did."""

from typing import NamedTuple

from model.hudi.file_groups import CommitMetadata, RollbackPlan
from model.hudi.markers import marked_file
from model.hudi.names import ROLLBACK, TEMP, BaseFile, parse_base_file, text
from model.hudi.timeline import Timeline, parse_timeline
from reports.explanation.phrases import listed
from reports.explanation.renderer import Traced
from reports.hudi.state import HudiState, action, role

TAKE, GIVE, BEGIN, LOOK, WORK, SURVEY, CHECK, AGE, COMMIT, CLEAN, WAIT = (
    "take give begin look work survey check age commit clean wait".split()
)
ATTEMPTS = {
    "create": "makes", "write": "writes", "open-w": "makes", "rename": "renames a file to", "read": "reads",
    "exists": "looks for", "list": "lists", "delete": "deletes", "mtime": "looks at the time of",
}  # fmt: skip


class Clause(NamedTuple):
    """A verb and its object, without the actor. Clauses of one stage make a sentence."""

    stage: str
    verb: str
    what: str


def noun(row: Traced, state: HudiState) -> str:
    """What the file or folder of a step is."""
    kind, instant = role(row)
    of = "" if instant is None else text(instant)
    file = data_file(row.resource)
    if action(row) == ROLLBACK:
        return f"the {kind} file of rollback {of}"
    match kind:
        case "requested" | "inflight" | "completed":
            return f"the {kind} file of {of}"
        case "heartbeat":
            return "its heartbeat file" if state.is_own(row, instant) else f"the heartbeat file of {of}"
        case "markers":
            return "its markers" if state.is_own(row, instant) else f"the markers of {of}"
        case "marker" if file is not None:
            return f"the marker of {group(file)} by {of}"
        case "data" if file is not None:
            return f"{group(file)}'s file of {of}"
        case "lock":
            return "the lock file"
        case "timeline":
            return "the timeline"
    return "the markers of all instants" if row.resource == TEMP else row.resource.rpartition("/")[2]


def data_file(path: str) -> BaseFile | None:
    """The data file that a path is, or marks."""
    name = path.rpartition("/")[2]
    return marked_file(name) if ".marker." in name else parse_base_file(name)


def group(file: BaseFile) -> str:
    """A file group, with the attempt that wrote the file if it is not the first."""
    attempt = file.token.rpartition("-")[2]
    return file.file_id if attempt in ("0", "") else f"{file.file_id} (attempt {attempt})"


def attempt(row: Traced, state: HudiState) -> str:
    """A step by what it is to do, whatever comes of it."""
    if row.is_reply:
        return f"gets the answer to {row.point} of {noun(row, state)}"
    if row.point in ("try_lock", "unlock"):
        return f"{'asks for' if row.point == 'try_lock' else 'gives back'} {lock_name(row)}"
    if row.point == "sleep":
        return "waits"
    made = _made(row, state, "") if state.creates(row) else None
    return f"{made.verb} {made.what}" if made else f"{ATTEMPTS.get(row.point, row.point)} {noun(row, state)}"


def lock_name(row: Traced) -> str:
    """A lock of a lock service: the table's, or that of a file group's markers."""
    return f"the {row.resource} lock" if "/" not in row.resource else f"the marker lock of {row.resource}"


def clause(row: Traced, state: HudiState) -> Clause | None:
    """What a step did or found; None if nobody needs to know."""
    if row.point == "sleep":
        return Clause(WAIT, "waits", f"until {row.time_ms:,} ms")
    if row.point == "try_lock":
        return Clause(TAKE, "takes" if row.value else "waits in vain for", lock_name(row))
    if row.point == "unlock":
        return Clause(GIVE, "gives", "the lock back" if "/" not in row.resource else f"{lock_name(row)} back")
    if role(row).kind == "lock":
        return _lock_file(row, state)
    if row.point == "delete":
        return _deleted(row, state)
    if state.creates(row):
        return _made(row, state, _over(row, state))
    return _looked(row, state)


def _made(row: Traced, state: HudiState, over: str) -> Clause:
    kind, instant = role(row)
    of, file = "" if instant is None else text(instant), data_file(row.resource)
    if action(row) == ROLLBACK:
        return _rollback_made(row, state)
    match kind:
        case "requested":
            return Clause(BEGIN, "announces", f"instant {of}{over}")
        case "inflight":
            return Clause(WORK, "turns", f"instant {of} inflight{over}")
        case "completed":
            return Clause(COMMIT, "finishes", f"instant {of}{over}")
        case "heartbeat":
            return Clause(BEGIN, "writes", "its heartbeat")
        case "marker" if file is not None:
            return Clause(WORK, "marks", f"{group(file)}{over}")
        case "data" if file is not None:
            return Clause(WORK, "writes", f"{file.file_id}'s new file{group(file)[len(file.file_id) :]}{over}")
        case "lock":
            return Clause(TAKE, "makes", f"the lock file{over}")
    return Clause(WORK, "writes", "a temporary file" if kind == "folder" else noun(row, state))


def _over(row: Traced, state: HudiState) -> str:
    maker = state.makers.get(row.resource)
    return f" (over {maker}'s file)" if maker is not None and maker != state.process(row.actor) else ""


def _rollback_made(row: Traced, state: HudiState) -> Clause:
    kind, instant = role(row)
    body = state.body(row)
    target = body.target if isinstance(body, RollbackPlan) else state.targets.get(instant or 0)
    of = "a write" if target is None else text(target)
    if kind == "requested":
        though = f", though {of} is committed" if target in state.completed else ""
        return Clause(BEGIN, "schedules", f"the rollback of {of} (instant {text(instant or 0)}{though})")
    return Clause(CLEAN, "begins" if kind == "inflight" else "completes", f"the rollback of {of}")


def _lock_file(row: Traced, state: HudiState) -> Clause | None:
    holder = state.makers.get(row.resource)
    own = holder == state.process(row.actor)
    whose = "its" if own else f"{holder}'s" if holder else "the"
    process = state.process(row.actor)
    if row.point == "delete" and row.value:
        return Clause(GIVE, "deletes", f"{whose} lock file")
    if row.point == "delete":
        return None if process in state.let_go else Clause(GIVE, "finds", "no lock file to delete")
    if state.creates(row):
        return _made(row, state, _over(row, state))
    if row.point == "mtime" and isinstance(row.value, int):
        return Clause(TAKE, "sees", f"that it is {row.time_ms - row.value:,} ms old")
    if row.value is False and process in state.locking:
        return Clause(GIVE, "finds", "no lock file to delete")
    if row.value is False or row.value == "NotFound":
        return Clause(TAKE, "finds", "no lock file")
    return None if own or row.point != "exists" else Clause(TAKE, "finds", f"{whose} lock file")


def _deleted(row: Traced, state: HudiState) -> Clause | None:
    kind, instant = role(row)
    what = noun(row, state)
    if kind == "folder":
        return None  # a temporary file
    if row.value is False:
        return Clause(CLEAN, "finds", f"{what.replace('the ', 'no ', 1).replace('its ', 'no ', 1)} to delete")
    if kind == "data":
        maker = state.makers.get(row.resource, "")
        foreign = f" (which {maker} wrote)" if maker not in ("", state.process(row.actor)) else ""
        what += " (which is committed)" if instant in state.completed else foreign
    return Clause(CLEAN, "deletes", what)


def _looked(row: Traced, state: HudiState) -> Clause | None:
    kind, instant = role(row)
    of, file = "" if instant is None else text(instant), data_file(row.resource)
    if row.point == "create":  # the first of two steps
        return Clause(LOOK, "looks", f"for {noun(row, state)} (there is none) to make it")
    if kind == "heartbeat" and row.point == "mtime":
        return Clause(AGE, "looks", _age(row, state))
    if row.value is False or row.value == "NotFound":
        return Clause(LOOK, "finds", f"no {noun(row, state).removeprefix('the ')}")
    if kind == "timeline":
        return Clause(LOOK, "looks", f"at the timeline ({_timeline(row, state)})")
    if kind == "data" and row.point == "read" and file is not None:
        return Clause(LOOK, "reads", f"{file.file_id}'s slice of {of}")
    if kind == "completed" and isinstance(row.value, CommitMetadata):
        changed = listed(sorted(name for _, name in row.value.groups))
        return Clause(LOOK, "reads", f"the commit of {of} (it changed {changed})")
    if kind in ("requested", "inflight") and row.point == "read":
        return Clause(LOOK, "reads", noun(row, state))
    return _markers_seen(row, state)


def _markers_seen(row: Traced, state: HudiState) -> Clause | None:
    instant, names = role(row).instant, row.value
    if row.resource == TEMP:
        others = [name for name in names if not state.is_own(row, int(name))]
        if not others:
            return Clause(WORK, "finds", "no markers of other instants")
        return Clause(SURVEY, "finds", f"markers of {listed(others)}")
    if instant is None or state.is_own(row, instant) or not isinstance(names, tuple):
        return None
    if not names:
        return Clause(CHECK, "finds", f"no markers of {text(instant)}")
    groups = [group(file) for file in map(marked_file, names) if file is not None]
    return Clause(CHECK, "finds", f"that {text(instant)} marked {listed(groups)}") if groups else None


def _age(row: Traced, state: HudiState) -> str:
    instant = role(row).instant or 0
    judged, actor = state.judgement(row), state.process(row.actor)
    writer = state.writer(instant)
    whom = f"its own earlier try {text(instant)}" if writer == actor else writer
    counts = f", so {actor} takes {whom} for {judged}" if judged else ""
    if row.value == "NotFound":
        return f"for the heartbeat of {text(instant)}: there is none{counts}"
    how = f"it is {row.time_ms - row.value:,} ms old"
    return f"at the heartbeat of {text(instant)}: {how}{counts}"


def _timeline(row: Traced, state: HudiState) -> str:
    seen: Timeline = parse_timeline(row.value)
    newest = f"newest commit {text(seen.newest.requested)}" if seen.newest else "no commit"
    pending = [text(one.requested) for one in seen.pending if not state.is_own(row, one.requested)]
    pending += [f"rollback {text(one.requested)}" for one in seen.rollbacks if not one.is_completed]
    return f"{newest}; {listed(pending)} pending" if pending else newest
