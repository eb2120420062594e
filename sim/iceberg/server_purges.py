"""The server of a REST catalog that is asked to purge a table: what it drops, it deletes the files of, in one step.

Source: `core/rest/CatalogHandlers.java` (`purgeTable`), `core/inmemory/InMemoryCatalog.java` (`dropTable`) of 1.11.0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from model.iceberg.existence import Drop
from model.iceberg.metadata import TableMetadata
from model.iceberg.purge import data_and_manifests, delete_quietly
from model.iceberg.storage import TableFiles
from model.ports import ABSENT, Meaning, NotFound, Request, World
from sim.iceberg.creating import purges
from sim.services.register import Served
from sim.world.simulation import Simulation


def prepare_purges(simulation: Simulation, sent: Sequence[object], catalog: str) -> None:
    """Over REST the server deletes the files, if any of these statements purges."""
    store = simulation.services.store
    if purges(sent) and catalog == "rest":
        simulation.services.register.served = purging(lambda: store.objects, store.remove)


def purging(objects: Callable[[], Mapping[str, Any]], remove: Callable[[str], None]) -> Served:
    """What a server does beside of a request that is applied: it deletes the files of what it purges.

    Args: `objects` are those that there are by then; `remove` deletes one, without a step.
    """
    beside: Any = _Beside(objects, remove)
    world = World(beside, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, notes=beside)
    files = TableFiles(world, "")

    def serve(request: Request, found: Any) -> None:
        if isinstance(request, Drop) and request.purges and isinstance(found, TableMetadata):
            delete_quietly(files, lambda: data_and_manifests(files, found))

    return serve


class _Beside:
    """The object store and the notes of who needs no step of his own."""

    def __init__(self, objects: Callable[[], Mapping[str, Any]], remove: Callable[[str], None]) -> None:
        self._objects, self._remove = objects, remove

    def get(self, path: str) -> Any:
        """An object. Raises: `NotFound`."""
        if path not in self._objects():
            raise NotFound(f"object {path}: expected an object, got none")
        return self._objects()[path]

    def delete(self, path: str) -> None:
        """Delete it; one that is gone already is fine."""
        self._remove(path)

    def intend(self, _: Meaning) -> None:
        """Nobody tells of it."""
