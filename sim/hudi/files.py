"""The file system of a Hudi table, on which a timer is on time: what it writes, it writes when it is due.

A scheduler that is free to keep a heartbeat waiting finds that a writer can always be taken for dead, which says
nothing of Hudi. Here a beat is late, or fails, only by a fault: of its own write (it fails, arrives late or never), or
of its process, which stands still or dies. Writers and cleaners may be as slow as they like between two steps.

Nobody but `damage` loses a file, or cuts one.

Choices: in timed mode a beat takes its time as every call does.
"""

from __future__ import annotations

from greenlet import getcurrent

from model.hudi.marker_files import CUT_TYPE
from model.hudi.markers import MARKED
from model.hudi.names import MARKER_FILE, MARKER_TYPE, META, TEMP
from model.ports import Body
from sim.hudi.statements import Damage
from sim.kernel.task import WRITE
from sim.services.file_system import FileSystem, Open

NOTHING = "nothing"
"""What is damaged where there is no such file."""


class TableFiles(FileSystem):
    """As its base, but for the writes of helper tasks."""

    def write(self, path: str, body: Body) -> None:
        task = self.kernel.current
        if task is None or not task.daemon or getcurrent() is not task or not self._is_step():
            super().write(path, body)
        else:
            self.kernel.call_on_time("write", path, WRITE, self._put, path, body)

    dates_instants = False
    """Whether no two files of instants are of one moment: an incremental reader may go by their ages."""

    def _put(self, path: str, body: Body) -> None:
        super()._put(path, body)
        if self.dates_instants and path.rpartition("/")[0] == META:
            others = [self.files[f"{META}/{name}"][1] for name in self._list(META) if f"{META}/{name}" in self.files]
            del others[others.index(self.files[path][1])]
            self.date(path, max(self.files[path][1], 1 + max(others, default=-1)))

    def date(self, path: str, time_ms: int) -> None:
        """Say when a file was last written; no step of anybody."""
        file = self.files[path] = (self.files[path][0], time_ms)
        self._wrote(path, file)

    def damage(self, place: str, what: Damage) -> str:
        """Let a marker file vanish, or the type of markers vanish or end within its word: of the newest instant that
        has such a file, the first one.

        It is one step, on `place`; a file that is being written over is none yet. Returns: the path, or `NOTHING`.
        """
        struck: str = self.kernel.call("delete", place, WRITE, self._damage, what)
        return struck

    def _damage(self, what: Damage) -> str:
        for path in sorted([path for path in self.files if path.startswith(f"{TEMP}/")], key=_newest_first):
            if is_meant(path.rpartition("/")[2], what) and self.files[path][0].__class__ is not Open:
                if what == "type cut":
                    self._put(path, CUT_TYPE)
                else:
                    self._drop(path)
                return path
        return NOTHING

    def _is_step(self) -> bool:
        kernel = self.kernel
        return kernel.latency is None and (kernel.yield_points is None or "write" in kernel.yield_points)


def _newest_first(path: str) -> tuple[int, str]:
    instant = path[len(TEMP) + 1 :].split("/", 1)[0]
    return (-int(instant) if instant.isdigit() else 0), path


def is_meant(name: str, what: Damage) -> bool:
    """Whether a file below the folder of markers, of this name, is one that this damage is done to."""
    if what != "vanished":
        return name == MARKER_TYPE
    return MARKED in name or (name.startswith(MARKER_FILE) and name != MARKER_TYPE)
