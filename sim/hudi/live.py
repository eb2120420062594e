"""The live counterpart of a Hudi race: whether one JVM on a local file system can be it, and where it is stepped.

A simulated run has a step for every port call. A live one has those that change something, and before a write, a clean
or a read its first look at the timeline; both sets of steps are offered, the smaller one first.

Choices: in a live run time goes on by itself, so a run in which a heartbeat arrives between two steps has no live
schedule: when it would arrive is not ours to say. One that fails has: its timer is blocked at the gate until then. A
live write computes nothing before its files, so no time passes there, and what is simulated to take long has no live
schedule once a heartbeat has ended, nor what stands at its first beat for longer than is tolerated.
Markers of a timeline server are written by its workers while the client waits for their answer: live they are steps of
the client's own. Of the checker's passes a live run has the first one of each write alone, at the moment in which it is
simulated, so what waits between two passes has no live schedule. Nor has a pass that cannot read a file which somebody
writes over (a local disk gives what is there by then), or a request that is never answered.
The locks of single file groups are ZooKeeper's, which has no gate: live a client asks for one at once when it has made
its inflight file, so a run in which somebody else acts between the two has no live schedule.
The metadata table's files are not gated: live a client makes them at once when it has made its step before, so a run in
which somebody else acts in between has no live schedule.
Its looks at the metadata table come at once as well, and a run in which somebody else acts before one is compared all
the same: what others write there meanwhile is of instants that the data table's timeline, which it has looked at or
looks at next, shows as pending or not at all. That is measured, and not proven: of runs in which somebody changes the
metadata table just before a look, 24 of six scenarios did live what they did here.
A deletion that finds nothing is no step of a gate. Where somebody restores, a client that comes to one goes on to look
for restores: a run in which somebody else acts before it, and after what the client did last, has no live schedule.
Of the looks of a restore three are steps: the first one, that by which it knows what is inflight, and the last one. By
the others nobody decides anything, but where there is a metadata table: then it plans by a later look than the first
one, and a run in which somebody acts before that is not left out, and may differ.
Two hosts are played by two JVMs, and more of them, with a lock file, by the threads of one. Real time passes between
two steps, so no two of them draw one instant: a run in which two of them do has no live schedule, either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from model.hudi.bucket_index import several
from model.hudi.config import HudiConfig
from model.hudi.coverage import (
    CHECKER_ENDED,
    CLEAN_FAILED,
    CLEANED_SEEN,
    CLUSTERING_TAKEN_BACK,
    CREATE_REFUSED,
    FIRST_BEAT_SLOW,
    HEARTBEAT_ENDED,
    MARKERS_UNANSWERED,
)
from model.hudi.keys import (
    BLOOM,
    BUCKET_CONFLICTS,
    FILE_SYSTEM,
    IN_PROCESS,
    METASTORE,
    PREFER_WRITER,
    SERVER_MARKERS,
    TRANSACTIONAL_DIRECT,
)
from model.hudi.names import METADATA
from model.hudi.options import parse_options
from model.hudi.partitions import slot
from sim.hudi.planned import finds_clustering
from sim.hudi.statements import (
    HIDING,
    Clean,
    Cluster,
    Compact,
    Overwrite,
    PlanClustering,
    Reading,
    Restore,
    Upsert,
    anybody,
)
from sim.hudi.workload import HudiWorkload
from sim.world.live import Live

SYSTEM = "hudi"
ON_FILES = ("create", "write", "rename", "delete")
ON_MUTEXES = ("try_lock", "unlock")
ON_SERVERS = ("overwrite", "close")
"""What is done to the marker files of a timeline server."""
WATCHED = (*ON_FILES, "close", *ON_MUTEXES)
LIST, SLEEP = "list", "sleep"
FAULTY = ("create", "write", "delete", *ON_SERVERS, *ON_MUTEXES)
"""The steps that Java reports: only there it can inject a fault. A rename is reported as `create`."""
CHANGES = (*[name for name in FAULTY if name not in ON_SERVERS], SLEEP)
YIELD_POINTS = (*FAULTY, LIST, SLEEP)
HEARTBEAT = "heartbeat"
MARKER_WORKER = "markers"
_CRASHES = ("crash", "crash-after")
FAULTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(ON_FILES, ("drop-before", "drop-after", *_CRASHES)),
    **dict.fromkeys(ON_SERVERS, ("drop-before", "drop-after")),
    **dict.fromkeys(ON_MUTEXES, _CRASHES),  # a lock in memory can die with its process, but no answer of it gets lost
}


def live_of(workload: HudiWorkload) -> Live | str:
    """The live counterpart of a race under the rules as shipped; if there is none, what it lacks for one."""
    if found := obstacle(workload):
        return found
    ungated = ungated_of(workload)
    faults = {operation: kinds for operation, kinds in FAULTS.items() if operation not in ungated}
    config = parse_options(dict(workload.options))
    served = config.marker_type == SERVER_MARKERS
    if served:  # a server's threads go on when the process of its client is said to be dead
        faults = {operation: tuple([k for k in kinds if k not in _CRASHES]) for operation, kinds in faults.items()}
    points = (*CHANGES[:-1], *ON_SERVERS, SLEEP) if served else CHANGES
    hidden = served and config.early_detection  # a pass lists as well, at no step
    if config.conflict_strategy == PREFER_WRITER and clusters(workload):
        hidden = True  # clustering looks at what is inflight under the lock, where no live look is a step
    looks = () if hidden else ((*points[:-1], LIST, SLEEP),)
    prompt = [f"try_lock {name}/" for name in dict.fromkeys(workload.placed)] if locks_groups(config) else []
    if config.metadata:
        prompt += [f"{each} {METADATA}/" for each in ON_FILES]
    timed = "somebody waits for heartbeats to expire" if waits(workload) else ""
    return Live(
        SYSTEM,
        workload,
        (points, *looks),
        resources=True,
        faults=faults,
        untimed=(f"-{HEARTBEAT}",),
        prompt=tuple(prompt),
        joined=("unlock",) if shares_plans(workload) else (),  # after it a commit's markers go, one by one
        idle=("delete",) if workload.has(Restore) else (),
        left_out=tuple(_left_out(workload)),
        timed=timed,
    )


def _left_out(workload: HudiWorkload) -> Iterator[str]:
    """The paths on which a live run is none of the simulated one's."""
    if waits(workload):
        yield FIRST_BEAT_SLOW
    yield CLEANED_SEEN  # whether a file was listed before it went: lists of files are no step of the gate
    yield CLUSTERING_TAKEN_BACK  # whether it looked before it was taken back: that look is no step of the gate
    if not workload.one_process:
        yield CREATE_REFUSED
    if works(workload):
        yield HEARTBEAT_ENDED
    if parse_options(dict(workload.options)).lock_provider != FILE_SYSTEM:
        yield CLEAN_FAILED  # it releases a lock that it does not hold: that is a step of the gate, and none of ours
    if parse_options(dict(workload.options)).marker_type == SERVER_MARKERS:
        yield CHECKER_ENDED
        yield MARKERS_UNANSWERED


def obstacle(workload: HudiWorkload) -> str:
    """Why one JVM on a local file system cannot run the workload: other hosts, other storage; "" if it can."""
    if found := _unlike(workload):
        return found
    config = parse_options(dict(workload.options))
    if workload.clock_offsets_ms or not (workload.one_process or config.lock_provider in (FILE_SYSTEM, IN_PROCESS)):
        return "expected actors of one process and one clock, got several hosts"
    if config.lock_provider == IN_PROCESS and not workload.one_process and len(workload.actors) != 2:
        return f"expected two processes with a lock of their own, got {len(workload.actors)}"
    if config.lock_provider == METASTORE:
        return "expected a lock whose service runs in the session, got the metastore's"
    if workload.storage != "atomic" or config.scheme != "file":
        return f"expected atomic storage `file`, got {workload.storage} {config.scheme}"
    if config.detection in BLOOM:
        return f"expected a strategy that Hudi ships, got {config.detection} of RFC-56, which it never did"
    if config.marker_type == SERVER_MARKERS and (waits(workload) or works(workload) or config.detector_delay_ms):
        return "expected with markers of a timeline server no other waits, for a live checker makes no later pass"
    if config.lock_expire_minutes:
        return f"expected a lock without expiry, got one of {config.lock_expire_minutes} min"
    if config.lock_provider == FILE_SYSTEM and config.lock_retries:
        return (
            f"expected a lock file that is tried once, for it is polled at no step, got {config.lock_retries} retries"
        )
    if config.conflict_strategy == BUCKET_CONFLICTS and not config.bucketed:
        return "expected a conflict strategy for names of Hudi's own, got the one that reads a bucket's number off them"
    upserts = [statement for statement in workload.statements if isinstance(statement, Upsert)]
    if any(upsert.attempts > 1 for upsert in upserts):
        return "expected one attempt of each task, for Spark repeats none on one machine"
    if any(upsert.tasks > 1 for upsert in upserts):
        return "expected one task at a time, for an actor makes one call at a time at the gate"
    if any(upsert.after_ms or upsert.tries > 1 for upsert in upserts):
        return "expected writes that are tried once and do not wait, got others"
    return ""


def _unlike(workload: HudiWorkload) -> str:
    """Why a live table cannot begin as this one does; "" if it can."""
    names, more = [name for name, _ in workload.groups], several(parse_options(dict(workload.options)))
    if not more and any(one != other and (one in other or one[:8] == other[:8]) for one in names for other in names):
        return "expected names of file groups that have nothing in common, as Hudi's own, got others"
    if workload.partitions and len(set(workload.partitions)) < len(names) and not more:
        return "expected file groups in partitions of their own, for Hudi draws the order of those in one, got others"
    named = dict.fromkeys(
        [*(workload.apart if workload.elsewhere else workload.partitions), *dict(workload.elsewhere).values()]
    )
    if len({slot(name) for name in named}) < len(named):
        return "expected partitions in slots of their own of a Java map, which give their order, got others"
    if any(f"{name}.marker" in workload.partitions for name in workload.partitions):
        return "expected partitions to which the first commit can write, got one called as another and .marker"
    statements = workload.statements
    if not workload.partitions and len(names) > 1 and (workload.has(*HIDING) or clusters(workload)):
        return "expected partitions that have names where one is overwritten or deleted, got file groups of one"
    overwrites = [one for one in statements if isinstance(one, Overwrite)]
    if any(len(workload.where.split(tuple([(str(key), v) for key, v in one.rows]))) > 1 for one in overwrites):
        return "expected overwrites of one partition, for Hudi writes those of several side by side, got one of more"
    if clusters(workload) and len(workload.where.names) > 1:
        return "expected clustering of one partition, for Hudi writes those of several side by side, got one of more"
    if sum(isinstance(one, Restore) for one in statements) > 1:
        return "expected one restore, got more"
    reads = [name for name, todo in workload.writers if anybody([todo], *get_args(Reading))]
    cleans = [name for name, todo in workload.writers if anybody([todo], Clean)]
    if any(reader != cleaner for reader in reads for cleaner in cleans):
        return "expected no reader beside another one's clean, for lists of files are no step of the gate, got one"
    if workload.has(Restore) and parse_options(dict(workload.options)).lock_provider == FILE_SYSTEM:
        return "expected restores under a lock that is waited for, got one that is tried once"
    if workload.has(Restore) and len(names) > 1:
        return "expected restores of one file group, for Hudi deletes the files of several side by side, got more"
    if workload.history:
        return "expected a table without a history, for a live one begins with one instant"
    return ""


def waits(workload: HudiWorkload) -> bool:
    """Whether somebody waits for heartbeats to expire."""
    return any(isinstance(statement, Clean | Compact) and statement.after_ms for statement in workload.statements)


def clusters(workload: HudiWorkload) -> bool:
    """Whether anybody clusters."""
    return workload.has(Cluster, PlanClustering)


def shares_plans(workload: HudiWorkload) -> bool:
    """Whether somebody carries out clustering that others have planned."""
    return any(finds_clustering(statement) for statement in workload.statements)


def works(workload: HudiWorkload) -> bool:
    """Whether a write computes for a while."""
    return any(isinstance(statement, Upsert) and statement.work_ms for statement in workload.statements)


def locks_groups(config: HudiConfig) -> bool:
    """Whether clients lock single file groups, which only ZooKeeper can do for them."""
    return config.early_detection and config.detection == TRANSACTIONAL_DIRECT


def ungated_of(workload: HudiWorkload) -> tuple[str, ...]:
    """The operations of a workload's clients that the gate in Java does not see: ZooKeeper's locks are not gated."""
    return ON_MUTEXES if locks_groups(parse_options(dict(workload.options))) else ()
