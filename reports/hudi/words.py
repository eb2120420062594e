"""One step of a Hudi run as a clause: what the protocol says that it is for, whose it is, what it found or did."""

from typing import NamedTuple

from model.hudi import meanings as means
from model.hudi.file_groups import CommitMetadata, RollbackPlan
from model.hudi.locks import TABLE
from model.hudi.metadata_slices import OfMetadata
from model.hudi.names import COMPLETED, INFLIGHT, REQUESTED, ROLLBACK, BaseFile, LogFile, text
from model.hudi.timeline import Timeline
from reports.explanation.phrases import listed
from reports.explanation.renderer import Traced, file_name
from reports.hudi.state import LOOKS, PLANNED, HudiState

TAKE, GIVE, STEAL, BEGIN, LOOK, WORK, SURVEY, CHECK, AGE, COMMIT, CLEAN, WAIT = (
    "take give steal begin look work survey check age commit clean wait".split()
)
ATTEMPTS = {
    "create": "makes", "write": "writes", "open-w": "makes", "rename": "renames a file to", "read": "reads",
    "exists": "looks for", "list": "lists", "delete": "deletes", "mtime": "looks at the time of",
    "overwrite": "opens", "close": "writes", "load": "reads", "commit": "writes",
}  # fmt: skip
LOCK_CALLS = {"try_lock": "asks for", "lock": "asks for", "heartbeat": "beats for", "unlock": "gives back"}
PRESENT = {INFLIGHT: REQUESTED, COMPLETED: INFLIGHT}
"""The state whose file has to be there when the next one's is made."""


class Clause(NamedTuple):
    """A verb and its object, without the actor. Clauses of one stage make a sentence."""

    stage: str
    verb: str
    what: str


def noun(row: Traced, state: HudiState) -> str:
    """What the file or folder of a step is."""
    meaning = state.meaning(row)
    if isinstance(meaning, means.LockObjectMeaning):
        return "the lock object"
    if isinstance(meaning, means.LockMeaning):
        return "the lock file"
    if isinstance(meaning, means.HeartbeatMeaning):
        own = state.is_own(row, meaning.instant)
        return "its heartbeat file" if own else f"the heartbeat file of {text(meaning.instant)}"
    match meaning:
        case means.Enters(instant, action, following):
            return state_file(instant, action, PRESENT[following] if row.call in LOOKS else following)
        case means.Reads(instant, action, present) | means.TakesBack(instant, action, present):
            return state_file(instant, action, present)
        case means.LooksForMarkers(instant) | means.SeesMarked(instant) | means.DeletesMarkers(instant):
            return "its markers" if state.is_own(row, instant) else f"the markers of {text(instant)}"
        case means.SaysMarkerType(instant):
            return f"the file of {text(instant)}'s type of markers"
        case means.OpensMarkers(instant, number) | means.WritesMarkers(instant, number):
            return f"marker file {number} of {text(instant)}"
        case means.OpensBloom(of) | means.WritesBloom(of) | means.AsksBloom(of) | means.BloomSays(of):
            return _bloom(row, state, of)
        case means.EndsChecker():
            return file_name(row.resource)
        case means.SurveysMarkers() | means.SeesMarkersOf():
            return "the markers of all instants"
        case means.Marks(file):
            return f"the marker of {group(file)} by {text(file.instant)}"
        case means.Writes(file) | means.ReadsSlice(file) | means.DeletesData(BaseFile() | LogFile() as file):
            return f"{group(file)}'s {_kind(file)} of {text(file.instant)}"
        case means.SeesTimeline():
            return "the timeline"
        case means.HandlesTemporary():
            return "a temporary file"
    return f"the folder {file_name(row.resource)}" if row.call == "list" else file_name(row.resource)


def _bloom(row: Traced, state: HudiState, instant: int) -> str:
    return "its Bloom file" if state.is_own(row, instant) else f"the Bloom file of {text(instant)}"


def state_file(instant: int, action: str, state: str) -> str:
    """The file of an instant's state."""
    if action in PLANNED and state == REQUESTED:
        return f"the plan of {text(instant)}"
    return f"the {state} file of {'rollback ' if action == ROLLBACK else ''}{text(instant)}"


def group(file: BaseFile | LogFile) -> str:
    """A file group, with the attempt that wrote the file if it is not the first."""
    return f"{file.file_id} (attempt {file.attempt})" if file.attempt else file.file_id


def _kind(file: BaseFile | LogFile) -> str:
    return "log file" if isinstance(file, LogFile) else "file"


def attempt(row: Traced, state: HudiState) -> str:
    """A step by what it is to do, whatever comes of it."""
    if row.is_reply:
        return f"gets the answer to {row.call} of {noun(row, state)}"
    if row.call in LOCK_CALLS:
        return f"{LOCK_CALLS[row.call]} {lock_name(row)}"
    if row.call == "sleep":
        return "waits"
    made = _made(row, state, "") if state.creates(row) else None
    return f"{made.verb} {made.what}" if made else f"{ATTEMPTS.get(row.call, row.call)} {noun(row, state)}"


def lock_name(row: Traced) -> str:
    """A lock of a lock service: the table's, or that of a file group's markers."""
    return "the table lock" if row.resource == TABLE else f"the marker lock of {row.resource}"


def clause(row: Traced, state: HudiState) -> Clause | None:
    """What a step did or found; None if nobody needs to know."""
    if row.call == "sleep":
        return Clause(WAIT, "waits", f"until {row.time_ms:,} ms")
    if row.call == "try_lock":
        return Clause(TAKE, "takes" if row.value else "waits in vain for", lock_name(row))
    if row.call == "lock":
        held = isinstance(row.value, tuple) and row.value[1]
        return Clause(TAKE, "takes" if held else "asks in vain for", lock_name(row))
    if row.call == "heartbeat":
        return Clause(TAKE, "beats for", lock_name(row))
    if row.call == "unlock":
        return Clause(GIVE, "gives", "the lock back" if row.resource == TABLE else f"{lock_name(row)} back")
    if isinstance(state.meaning(row), means.LockObjectMeaning):
        return _lock_object(row, state)
    if state.creates(row):
        return _made(row, state, _over(row, state))
    if row.call == "delete":
        return _deleted(row, state)
    return _looked(row, state)


def _lock_object(row: Traced, state: HudiState) -> Clause:
    match state.meaning(row):
        case means.TakesLockObject():
            return Clause(TAKE, "takes", "the lock by writing its object")
        case means.RenewsLockObject():
            return Clause(TAKE, "renews", "the lock object")
        case means.ExpiresLockObject():
            return Clause(GIVE, "gives", "the lock back in its object")
    return Clause(TAKE, "finds", "no lock object" if row.value == "NotFound" else "a lock object")


def _made(row: Traced, state: HudiState, over: str) -> Clause | None:
    match state.meaning(row):
        case means.Enters(instant, action, following, body) if action == ROLLBACK:
            return _rollback(instant, following, body, state)
        case means.Enters(instant, action, following) if action in PLANNED and following == REQUESTED:
            return Clause(BEGIN, "plans", f"{PLANNED[action]} (instant {text(instant)})")
        case means.Enters(instant, "savepoint", following):
            verb = "begins" if following == INFLIGHT else "makes"
            return Clause(COMMIT, verb, f"a savepoint of instant {text(instant)}{over}")
        case means.Enters(instant, _, following):
            stage, verb, what = {
                REQUESTED: (BEGIN, "announces", f"instant {text(instant)}"),
                INFLIGHT: (WORK, "turns", f"instant {text(instant)} inflight"),
                COMPLETED: (COMMIT, "finishes", f"instant {text(instant)}"),
            }[following]
            return Clause(stage, verb, f"{what}{over}")
        case OfMetadata(instant, action, "completed"):
            verb, before = ("compacts", "at") if action == "commit" else ("tells", "of")
            return Clause(WORK, verb, f"the metadata table {before} {text(instant)}")
        case means.StartsHeartbeat() | means.Beats() | means.EndsTimer():
            return Clause(BEGIN, "writes", "its heartbeat")
        case means.Marks(file):
            return Clause(WORK, "marks", f"{group(file)}{over}")
        case means.SaysMarkerType():
            return Clause(WORK, "says", "that its markers are a timeline server's")
        case means.OpensMarkers(_, number):
            return Clause(WORK, "opens", f"its marker file {number}")
        case means.WritesMarkers(_, _, files):
            return Clause(WORK, "writes", f"that it marks {listed(map(group, files))}")
        case means.OpensBloom():
            return Clause(WORK, "opens", "its Bloom file")
        case means.WritesBloom():
            return Clause(WORK, "writes", "its Bloom file")
        case means.Writes(file):
            return Clause(WORK, "writes", f"{file.file_id}'s new {_kind(file)}{group(file)[len(file.file_id) :]}{over}")
        case means.MakesLock():
            return Clause(TAKE, "makes", f"the lock file{over}")
        case means.HandlesTemporary():
            return Clause(WORK, "writes", "the history" if "/history/" in row.resource else "a temporary file")
    return None


def _over(row: Traced, state: HudiState) -> str:
    maker = state.makers.get(row.resource)
    return f" (over {maker}'s file)" if maker is not None and maker != state.process(row.actor) else ""


def _rollback(instant: int, following: str, body: object, state: HudiState) -> Clause:
    target = body.target if isinstance(body, RollbackPlan) else state.targets.get(instant)
    of = "a write" if target is None else text(target)
    if following == REQUESTED:
        though = f", though {of} is committed" if target in state.completed else ""
        return Clause(BEGIN, "schedules", f"the rollback of {of} (instant {text(instant)}{though})")
    return Clause(CLEAN, "begins" if following == INFLIGHT else "completes", f"the rollback of {of}")


def _deleted(row: Traced, state: HudiState) -> Clause | None:
    meaning, process, maker = state.meaning(row), state.process(row.actor), state.makers.get(row.resource)
    if isinstance(meaning, means.HandlesTemporary):
        return None
    if isinstance(meaning, means.LockMeaning):
        if row.value:
            steals = isinstance(meaning, means.DeletesLock) and maker not in (None, process)
            return Clause(STEAL if steals else GIVE, "deletes", f"{_whose(maker, process)} lock file")
        return None if process in state.let_go else Clause(GIVE, "finds", "no lock file to delete")
    what = noun(row, state)
    if row.value is False:
        return Clause(CLEAN, "finds", f"{what.replace('the ', 'no ', 1).replace('its ', 'no ', 1)} to delete")
    match meaning:
        case means.DeletesData(BaseFile(instant=instant) | LogFile(instant=instant)) if instant in state.completed:
            what += " (which is committed)"
        case means.DeletesData() if maker not in (None, process):
            what += f" (which {maker} wrote)"
    return Clause(CLEAN, "deletes", what)


def _whose(maker: str | None, process: str) -> str:
    return "its" if maker == process else f"{maker}'s" if maker else "the"


def _looked(row: Traced, state: HudiState) -> Clause | None:
    nothing = row.value is False or row.value == "NotFound"
    match state.meaning(row):
        case means.Judges(instant, is_dead):
            return Clause(AGE, "looks", _age(row, state, instant, f"{'dead' if is_dead else 'alive'}"))
        case means.LooksAtHeartbeat(instant):
            return Clause(AGE, "looks", _age(row, state, instant, ""))
        case means.LooksForLockToRelease() | means.LooksWhoseLockToRelease() if nothing:
            return Clause(GIVE, "finds", "no lock file to delete")
        case means.LooksForLockToRelease():
            return None
        case means.LooksWhoseLockToRelease():
            maker, process = state.makers.get(row.resource), state.process(row.actor)
            return None if maker in (None, process) else Clause(GIVE, "leaves", f"{maker}'s lock file")
        case means.LooksForLock() | means.ConfirmsLock() | means.AsksAgeOfLock() if nothing:
            return Clause(TAKE, "finds", "no lock file")
        case means.LooksForLock():
            whose = _whose(state.makers.get(row.resource), state.process(row.actor))
            return Clause(TAKE, "finds", f"{whose} lock file")
        case means.AsksAgeOfLock() if isinstance(row.value, int):
            return Clause(TAKE, "sees", f"that it is {row.time_ms - row.value:,} ms old")
        case means.ConfirmsLock():
            return None
        case means.BloomSays(instant, maybe) if nothing or row.call == "list":
            told = "so its markers are read" if maybe else "so it counts as having no markers"
            return Clause(CHECK, "finds", f"no Bloom file of {text(instant)}, {told}")
        case _ if row.call == "create":  # the first of two steps
            return Clause(LOOK, "looks", f"for {noun(row, state)} (there is none) to make it")
        case _ if nothing:
            what = noun(row, state).removeprefix("the ")
            return Clause(LOOK, "finds", f"no {f'{what[4:]} of its own' if what.startswith('its ') else what}")
    return _read(row, state)


def _read(row: Traced, state: HudiState) -> Clause | None:
    match state.meaning(row):
        case means.SeesTimeline(timeline):
            return Clause(LOOK, "looks", f"at the timeline ({_timeline(row, state, timeline)})")
        case means.ReadsSlice(file):
            return Clause(LOOK, "reads", f"{file.file_id}'s slice of {text(file.instant)}")
        case means.Reads(instant, _, present) if present == COMPLETED and isinstance(row.value, CommitMetadata):
            changed = listed(sorted(name for _, name in row.value.groups))
            return Clause(LOOK, "reads", f"the commit of {text(instant)} (it changed {changed})")
        case means.Reads(_, _, present) if present != COMPLETED:
            return Clause(LOOK, "reads", noun(row, state))
        case means.SeesMarkersOf(instants) if instants:
            return Clause(SURVEY, "finds", f"markers of {listed(map(text, instants))}")
        case means.SeesMarkersOf():
            return Clause(WORK, "finds", "no markers of other instants")
        case means.BloomSays(instant, maybe):
            told = "that it may be in the way" if maybe else "that it is not in the way"
            return Clause(CHECK, "reads", f"in the Bloom file of {text(instant)} {told}")
        case means.SeesMarked(instant) if state.is_own(row, instant):
            return None
        case means.SeesMarked(instant, files) if files:
            return Clause(CHECK, "finds", f"that {text(instant)} marked {listed(map(group, files))}")
        case means.SeesMarked(instant):
            return Clause(CHECK, "finds", f"no markers of {text(instant)}")
    return None


def _age(row: Traced, state: HudiState, instant: int, judged: str) -> str:
    actor, writer = state.process(row.actor), state.writer(instant)
    whom = f"its own earlier try {text(instant)}" if writer == actor else writer
    counts = f", so {actor} takes {whom} for {judged}" if judged else ""
    if judged and instant in state.plans:
        counts = f", so {'nobody' if judged == 'dead' else 'somebody'} is at it"
    if row.value == "NotFound":
        return f"for the heartbeat of {text(instant)}: there is none{counts}"
    return f"at the heartbeat of {text(instant)}: it is {row.time_ms - row.value:,} ms old{counts}"


def _timeline(row: Traced, state: HudiState, seen: Timeline) -> str:
    newest = f"newest commit {text(seen.newest.requested)}" if seen.newest else "no commit"
    pending = [text(one.requested) for one in seen.pending if not state.is_own(row, one.requested)]
    pending += [f"rollback {text(one.requested)}" for one in seen.rollbacks if not one.is_completed]
    return f"{newest}; {listed(pending)} pending" if pending else newest
