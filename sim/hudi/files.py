"""The file system of a Hudi table, on which a timer is on time: what it writes, it writes when it is due.

A scheduler that is free to keep a heartbeat waiting finds that a writer can always be taken for dead, which says
nothing of Hudi. Here a beat is late, or fails, only by a fault: of its own write (it fails, arrives late or never), or
of its process, which stands still or dies. Writers and cleaners may be as slow as they like between two steps.

Choices: in timed mode a beat takes its time as every call does.
"""

from __future__ import annotations

from greenlet import getcurrent

from model.ports import Body
from sim.kernel.task import WRITE, Call
from sim.services.file_system import FileSystem


class TableFiles(FileSystem):
    """As its base, but for the writes of helper tasks."""

    def write(self, path: str, body: Body) -> None:
        kernel = self.kernel
        task = kernel.current
        if task is None or not task.daemon or getcurrent() is not task or not self._is_step():
            super().write(path, body)
            return
        call = Call(task, "write", path, WRITE, self._put, (path, body))
        kernel.at(int(kernel.now), lambda: kernel.execute(call), call.name)
        kernel.hub.switch()

    def date(self, path: str, time_ms: int) -> None:
        """Say when a file was last written; no step of anybody."""
        file = self.files[path] = (self.files[path][0], time_ms)
        self._wrote(path, file)

    def _is_step(self) -> bool:
        kernel = self.kernel
        return kernel.latency is None and (kernel.yield_points is None or "write" in kernel.yield_points)
