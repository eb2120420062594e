"""The simulated object store: whole objects, strongly consistent, optionally a create-only put."""

from __future__ import annotations

from typing import Any

from model.ports import AlreadyExists, Body, NotFound
from sim.kernel import Kernel
from sim.services.base import Interner, Service
from sim.task import CAS, READ, WRITE


class ObjectStore(Service):
    """Implements `model.ports.ObjectStore`. Every call is one step; resources are paths."""

    def __init__(self, kernel: Kernel, interner: Interner | None = None) -> None:
        super().__init__(kernel, interner)
        self.objects: dict[str, Any] = {}

    def put(self, path: str, body: Body) -> None:
        self.kernel.call("put", path, WRITE, self._put, path, body)

    def put_if_absent(self, path: str, body: Body) -> None:
        self.kernel.call("create", path, CAS, self._put_if_absent, path, body)

    def get(self, path: str) -> Any:
        return self.kernel.call("get", path, READ, self._get, path)

    def exists(self, path: str) -> bool:
        found: bool = self.kernel.call("exists", path, READ, self.objects.__contains__, path)
        return found

    def delete(self, path: str) -> None:
        self.kernel.call("delete", path, WRITE, self._delete, path)

    def list(self, prefix: str) -> tuple[str, ...]:
        paths: tuple[str, ...] = self.kernel.call("list", prefix, READ, self._list, prefix)
        return paths

    def _put(self, path: str, body: Body) -> None:
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

    def _delete(self, path: str) -> None:
        self.objects.pop(path, None)
        self._removed(path)

    def _list(self, prefix: str) -> tuple[str, ...]:
        return tuple(sorted(path for path in self.objects if path.startswith(prefix)))

    def image(self) -> dict[str, Any]:
        return dict(self.objects)

    def restore(self, image: dict[str, Any]) -> None:
        self.objects = dict(image)
        for path, body in image.items():
            self._wrote(path, body)
