"""The simulated file system: paths, folders, modification times, and how atomic its create-only write is.

| atomicity | a `create` is | what a file system with it does |
| --- | --- | --- |
| `atomic` | one step that refuses an existing file | HDFS, an object store with conditional put |
| `check-then-put` | two steps, `create` (looks) and `open-w` (writes) | Hadoop's local file system |
| `overwrite` | one step that never refuses | a plain put |

A rename refuses an existing target by returning False, as HDFS does; what its caller makes of that is the caller's.

Source: hudi/1.2 (`createImmutableFileInPath`), hudi/9; traced live (`open-w` lies between look and open).

Choices: files are whole, but that the fault `torn` leaves an empty one, which has the body None; so does a process that
dies, or is told of a failure, between `overwrite` and `close`. Who reads between them gets an error, as where data and
checksum are two files; who would find nothing there sees what a reader before the first writing sees. Folders exist as
long as they hold something. Times are the kernel's: the storage is a host of its own. Reads are of the present: a stale
listing is an object store's fault, and this is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from model.ports import AlreadyExists, Body, NotFound, PortError, Refused
from sim.kernel.kernel import Kernel
from sim.kernel.task import CAS, READ, WRITE
from sim.services.base import Interner, Service

Atomicity = Literal["atomic", "check-then-put", "overwrite"]


class Open(NamedTuple):
    """The body of a file that a process is writing over."""

    process: str


class FileSystem(Service):
    """Implements `model.ports.FileSystem`. Steps are named as Hadoop's operations; resources are paths."""

    def __init__(self, kernel: Kernel, interner: Interner | None = None) -> None:
        super().__init__(kernel, interner)
        self.files: dict[str, tuple[Any, int]] = {}
        self._folders: dict[str, dict[str, None]] = {}  # names directly below
        self.atomicity: Atomicity = "atomic"
        kernel.tearable.append(self)

    def create(self, path: str, body: Body) -> None:
        if self.atomicity == "atomic":
            self.kernel.call("create", path, CAS, self._create, path, body)
            return
        if self.atomicity == "check-then-put":
            self.kernel.call("create", path, READ, self._refuse_existing, path)
            self.kernel.call("open-w", path, WRITE, self._put, path, body)
            return
        self.kernel.call("create", path, WRITE, self._put, path, body)

    def write(self, path: str, body: Body) -> None:
        self.kernel.call("write", path, WRITE, self._put, path, body)

    def overwrite(self, path: str) -> None:
        task = self.kernel.current
        body = Open("" if task is None else task.process)
        try:
            self.kernel.call("overwrite", path, WRITE, self._put, path, body)
        except PortError:
            self._give_up(path)
            raise

    def close(self, path: str, body: Body) -> None:
        try:
            self.kernel.call("close", path, WRITE, self._put, path, body)
        except PortError:
            self._give_up(path)
            raise

    def crashed(self, process: str) -> None:
        for path in [path for path, (body, _) in self.files.items() if body.__class__ is Open]:
            if self.files[path][0].process == process:
                self._put(path, None)

    def _give_up(self, path: str) -> None:
        """Leave a file empty that was to be written over, and nobody will."""
        if path in self.files and self.files[path][0].__class__ is Open:
            self._put(path, None)

    def read(self, path: str) -> Any:
        return self.kernel.call("read", path, READ, self._get, path)

    def exists(self, path: str) -> bool:
        found: bool = self.kernel.call("exists", path, READ, self._exists, path)
        return found

    def list(self, folder: str) -> tuple[str, ...]:
        names: tuple[str, ...] = self.kernel.call("list", folder, READ, self._list, folder)
        return names

    def rename(self, source: str, target: str) -> bool:
        done: bool = self.kernel.call("rename", target, CAS, self._rename, source, target)
        return done

    def delete(self, path: str) -> bool:
        existed: bool = self.kernel.call("delete", path, WRITE, self._delete, path)
        return existed

    def mtime_ms(self, path: str) -> int:
        time_ms: int = self.kernel.call("mtime", path, READ, self._mtime, path)
        return time_ms

    def tears(self) -> tuple[Callable[..., Any], ...]:
        """Returns: what applies the writes of a file, the look before one among them."""
        return self._put, self._create, self._refuse_existing

    def _refuse_existing(self, path: str) -> None:
        if path in self.files:
            raise AlreadyExists(f"file {path}: expected none, got one")

    def _create(self, path: str, body: Body) -> None:
        self._refuse_existing(path)
        self._put(path, body)

    def _put(self, path: str, body: Body) -> None:
        if path not in self.files:
            self._entered(path)
        file = self.files[path] = (body, int(self.kernel.now))
        self._wrote(path, file)

    def _exists(self, path: str) -> bool:
        return path in self.files or path in self._folders

    def _get(self, path: str) -> Any:
        try:
            body = self.files[path][0]
        except KeyError:
            raise NotFound(f"file {path}: expected a file, got none") from None
        if body.__class__ is Open:
            raise Refused(f"file {path}: expected its content, got its end, for {body.process} writes it anew")
        return body

    def _mtime(self, path: str) -> int:
        try:
            return self.files[path][1]
        except KeyError:
            raise NotFound(f"file {path}: expected a file, got none") from None

    def _list(self, folder: str) -> tuple[str, ...]:
        return tuple(sorted(self._folders.get(folder, ())))

    def _rename(self, source: str, target: str) -> bool:
        if source not in self.files or target in self.files:
            return False
        self._put(target, self.files[source][0])
        self._drop(source)
        return True

    def _delete(self, path: str) -> bool:
        if path in self.files:
            self._drop(path)
            return True
        if path not in self._folders:
            return False
        below = [name for name in self.files if name.startswith(f"{path}/")]
        for name in below:
            self._drop(name)
        return bool(below)

    def _entered(self, path: str) -> None:
        """Note a new name in its folder, and a new folder in the one above."""
        while path:
            path, _, name = path.rpartition("/")
            names = self._folders.get(path)
            if names is not None:
                names[name] = None
                return
            self._folders[path] = {name: None}

    def _left(self, path: str) -> None:
        """Forget a name, and a folder that holds nothing any more."""
        while path:
            path, _, name = path.rpartition("/")
            names = self._folders[path]
            del names[name]
            if names:
                return
            del self._folders[path]

    def _drop(self, path: str) -> None:
        del self.files[path]
        self._left(path)
        self._removed(path)

    def _contents(self) -> Any:
        return dict(self.files), {folder: dict(names) for folder, names in self._folders.items()}

    def _replace(self, contents: Any) -> None:
        self.files = dict(contents[0])
        self._folders = {folder: dict(names) for folder, names in contents[1].items()}
