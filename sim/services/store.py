"""The simulated object store: whole objects, strongly consistent, optionally a create-only put.

Only the fault `stale` shows an older state: an object, or a listing, as it was before its newest change.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from model.ports import AlreadyExists, Body, NotFound
from sim.kernel.kernel import Kernel
from sim.kernel.task import CAS, READ, WRITE
from sim.services.base import Interner, Service, require_immutable

_ABSENT = object()


class ObjectStore(Service):
    """Implements `model.ports.ObjectStore`. Every call is one step; resources are paths.

    Args: `may_be_stale` makes the order of all changes part of the state key.
    """

    def __init__(self, kernel: Kernel, interner: Interner | None = None, *, may_be_stale: bool = False) -> None:
        super().__init__(kernel, interner)
        self.objects: dict[str, Any] = {}
        self.buried: dict[str, Any] = {}
        """What went with its folder, for who tells what happened; no part of the state."""
        self.buries = False
        """Whether what is deleted alone is kept so, too."""
        self._undo: list[tuple[str, Any]] = []
        self._changes = 0
        self._may_be_stale = may_be_stale
        kernel.versioned.append(self)

    def put(self, path: str, body: Body) -> None:
        require_immutable(path, body)
        self.kernel.call("put", path, WRITE, self._put, path, body)

    def put_if_absent(self, path: str, body: Body) -> None:
        require_immutable(path, body)
        self.kernel.call("create", path, CAS, self._put_if_absent, path, body)

    def get(self, path: str) -> Any:
        return self.kernel.call("get", path, READ, self._get, path)

    def exists(self, path: str) -> bool:
        found: bool = self.kernel.call("exists", path, READ, self._exists, path)
        return found

    def delete(self, path: str) -> None:
        self.kernel.call("delete", path, WRITE, self._delete, path)

    def list(self, prefix: str) -> tuple[str, ...]:
        paths: tuple[str, ...] = self.kernel.call("list", prefix, READ, self._list, prefix)
        return paths

    def delete_below(self, prefix: str) -> None:
        """Delete all objects whose paths begin so; no step of its own."""
        for path in self._list(prefix):
            self.buried[path] = self.objects[path]
            self._delete(path)

    def remove(self, path: str) -> None:
        """Delete an object; no step of its own."""
        self._delete(path)

    def reads(self) -> tuple[Callable[..., Any], ...]:
        """Returns: what applies the reads that have a stale answer."""
        return self._get, self._exists, self._list

    def stale(self, operation: str, path: str) -> Any:
        """The answer before the newest change of this object, or below this prefix. Raises as the read would."""
        now, self.objects = self.objects, self._before(operation, path)
        try:
            return {"get": self._get, "exists": self._exists, "list": self._list}[operation](path)
        finally:
            self.objects = now

    def state_key(self) -> Hashable:
        return (super().state_key(), self._changes) if self._may_be_stale else super().state_key()

    def _put(self, path: str, body: Body) -> None:
        self._changed(path)
        self.objects[path] = body
        self._wrote(path, body)

    def _put_if_absent(self, path: str, body: Body) -> None:
        if path in self.objects:
            raise AlreadyExists(f"object {path}: expected none, got one")
        self._put(path, body)

    def _get(self, path: str) -> Any:
        try:
            return self.objects[path]
        except KeyError:
            raise NotFound(f"object {path}: expected an object, got none") from None

    def _exists(self, path: str) -> bool:
        return path in self.objects

    def _delete(self, path: str) -> None:
        self._changed(path)
        body = self.objects.pop(path, None)
        if self.buries and body is not None:
            self.buried[path] = body
        self._removed(path)

    def _list(self, prefix: str) -> tuple[str, ...]:
        return tuple(sorted(path for path in self.objects if path.startswith(prefix)))

    def _changed(self, path: str) -> None:
        self._undo.append((path, self.objects.get(path, _ABSENT)))
        if self._may_be_stale and self._interner is not None:
            self._changes = self._interner((self._changes, path, self._numbers.get(path)))

    def _before(self, operation: str, path: str) -> dict[str, Any]:
        for changed, body in reversed(self._undo):
            if changed == path or (operation == "list" and changed.startswith(path)):
                past = {key: value for key, value in self.objects.items() if key != changed}
                return past if body is _ABSENT else {**past, changed: body}
        return self.objects

    def _contents(self) -> tuple[dict[str, Any], tuple[tuple[str, Any], ...]]:
        return dict(self.objects), tuple(self._undo[-1:])

    def _replace(self, contents: tuple[dict[str, Any], tuple[tuple[str, Any], ...]]) -> None:
        self.objects, self._undo = dict(contents[0]), list(contents[1])
