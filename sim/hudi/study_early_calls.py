"""What Hudi 1.2.0 asks the storage for where the model asks once: counted on the real one, by what a try has done.

`tests/live/hudi/test_storage_calls.py` counts the calls of Hadoop's file system in writes of some files of one
partition, beside others who have markers there, and are alive or dead. The model's trace says what a try has done; each
thing costs what Hudi pays for it.

With markers of the timeline server, which is part of its writer's process, its calls are counted as well: the markers
of a batch are one rewriting of one file, as those of one marker are, and a commit deletes each of these files.

Choices: that an open file is closed is no call of its own. Beats are not counted, nor what a refused writer does after
its refusal, nor what a pass reads of commits that were completed since. Bloom files were never shipped.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from model.hudi.names import TEMP
from sim.search.run import Run


class HudiCalls(NamedTuple):
    """Calls of a write with direct markers: up to its first file, of a file, of its commit; of a look who else has
    markers, at a heartbeat, at another's markers, and for commits since."""

    begun: int = 23
    file: int = 12
    committed: int = 24
    check: int = 1
    heartbeat: int = 2
    markers: int = 2
    commits: int = 1


class ServerCalls(NamedTuple):
    """Calls of a write with markers of a timeline server: up to its first file, of a file, of its commit, and there of
    each file of markers; of a pass of its checker that finds nothing to do, of one that looks who else has markers more
    than that, at a heartbeat, at another's markers, at each file of these, and for commits since."""

    begun: int = 29
    file: int = 12
    committed: int = 22
    marker_file: int = 2
    checker_pass: int = 1
    look: int = 3
    heartbeat: int = 2
    markers: int = 2
    read: int = 1
    commits: int = 1


HUDI = HudiCalls()
SERVER = ServerCalls()


def as_hudi(run: Run, actor: str, since_ms: int, until_ms: int, *, committed: bool, commits: bool) -> int:
    """What Hudi would have asked of the storage in an actor's try between two times.

    Args: `committed`: the try was; `commits`: each look is for commits as well.
    """
    rows = [(row[2], row[3]) for row in run.trace if row[1] == actor and since_ms <= row[0] <= until_ms]
    own, files = _own(rows), _files(rows)
    checks = rows.count(("list", TEMP))
    beats = [path for operation, path in rows if operation == "mtime"]
    others = [path for operation, path in rows if operation == "list" and path.startswith(f"{TEMP}/")]
    seen = [path for path in others if path.split("/")[2] not in own]
    looks = (HUDI.check + HUDI.commits * commits) * checks + HUDI.heartbeat * len(beats) + HUDI.markers * len(seen)
    return HUDI.begun + HUDI.file * len(files) + looks + HUDI.committed * committed


def as_hudi_served(run: Run, actor: str, since_ms: int, until_ms: int, *, committed: bool, commits: bool) -> int:
    """The same with markers of a timeline server, and early detection by its checker or none."""
    rows = [(row[1], row[2], row[3]) for row in run.trace if since_ms <= row[0] <= until_ms]
    mine = [(operation, path) for who, operation, path in rows if who == actor]
    own, files = _own(mine), _files(mine)
    written = {path for who, operation, path in rows if operation == "overwrite" and who.startswith(f"{actor}-markers")}
    checker = [(operation, path) for who, operation, path in rows if who.startswith(f"{actor}-checker")]
    others = [(each, path) for each, path in checker if path.startswith(f"{TEMP}/") and path.split("/")[2] not in own]
    looks = checker.count(("list", TEMP))
    of_checker = SERVER.checker_pass * len([path for operation, path in checker if operation == "exists"])
    of_checker += (SERVER.look + SERVER.commits * commits) * looks
    of_checker += SERVER.heartbeat * len([path for operation, path in checker if operation == "mtime"])
    of_checker += SERVER.markers * len([path for operation, path in others if operation == "list"])
    of_checker += SERVER.read * len([path for operation, path in others if operation == "read"])
    done = (SERVER.committed + SERVER.marker_file * len(written)) * committed
    return SERVER.begun + SERVER.file * len(files) + of_checker + done


def _own(calls: Iterable[tuple[str, str]]) -> set[str]:
    """The instants that a try has announced."""
    return {path.rpartition("/")[2].partition(".")[0] for _, path in calls if path.endswith(".requested")}


def _files(calls: Iterable[tuple[str, str]]) -> list[str]:
    """The data files that it has written."""
    return [path for operation, path in calls if operation == "create" and path.endswith(".parquet")]
