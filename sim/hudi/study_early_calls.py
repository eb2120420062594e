"""What Hudi 1.2.0 asks the storage for where the model asks once: counted on the real one, by what a try has done.

`tests/live/hudi/test_storage_calls.py` counts the calls of Hadoop's file system in writes of some files of one
partition, beside others who have markers there, and are alive or dead. The model's trace says what a try has done; each
thing costs what Hudi pays for it.

Choices: that an open file is closed is no call of its own. Beats are not counted, nor what a refused writer does after
its refusal. With markers of the timeline server the calls depend on its batches, and are not counted; Bloom files were
never shipped.
"""

from __future__ import annotations

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


HUDI = HudiCalls()


def as_hudi(run: Run, actor: str, since_ms: int, until_ms: int, *, committed: bool, commits: bool) -> int:
    """What Hudi would have asked of the storage in an actor's try between two times.

    Args: `committed`: the try was; `commits`: each look is for commits as well.
    """
    rows = [(row[2], row[3]) for row in run.trace if row[1] == actor and since_ms <= row[0] <= until_ms]
    own = {path.rpartition("/")[2].partition(".")[0] for _, path in rows if path.endswith(".requested")}
    files = [path for operation, path in rows if operation == "create" and path.endswith(".parquet")]
    checks = rows.count(("list", TEMP))
    beats = [path for operation, path in rows if operation == "mtime"]
    others = [path for operation, path in rows if operation == "list" and path.startswith(f"{TEMP}/")]
    seen = [path for path in others if path.split("/")[2] not in own]
    looks = (HUDI.check + HUDI.commits * commits) * checks + HUDI.heartbeat * len(beats) + HUDI.markers * len(seen)
    return HUDI.begun + HUDI.file * len(files) + looks + HUDI.committed * committed
