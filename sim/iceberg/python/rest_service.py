"""The REST service that PyIceberg's `RestCatalog` talks to in a simulation: one table, and its name.

It checks the requirements of a commit and applies its updates with PyIceberg's own classes, on the newest metadata, as
one step. A table's metadata file is named by a register, which nobody else asks.

Source: `core/rest/CatalogHandlers.java` of 1.11.0 (`createTable`, `stageTableCreate`, `updateTable`, `dropTable`,
`renameTable`, `registerTable`: 404 where there is no table, 409 where there is one).

Choices: the service applies what it can apply, and so never loses a swap of its own: `CatalogHandlers` tries again by
itself. What PyIceberg's classes say of updates that do not fit (`ValueError`) is answered with 400. Tables are staged
before they are made; nobody makes one at once but the set-up. Files of a table that is dropped stay.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from pyiceberg.exceptions import CommitFailedException, NoSuchTableError
from pyiceberg.schema import Schema
from pyiceberg.table import CommitTableRequest
from pyiceberg.table.update import AssertCreate

from model.ports import Absent, AlreadyExists, NotFound
from sim.iceberg.python.ports import location_of, place_of, whole
from sim.world import substitutes
from sim.world.simulation import Simulation

SERVICE = "catalog"
Answer = tuple[int, str]
"""A status and a body."""
Note = Callable[[str], None]
"""Told the metadata file that a request has made the table's, or the drop."""


class _Drop(NamedTuple):
    """A request to take a table away, whichever it is by then."""

    by: int

    def applied_to(self, found: Any) -> Absent:
        """No table. Raises: `NotFound` if there was none."""
        if isinstance(found, Absent):
            raise NotFound("Table does not exist")
        return Absent(self.by)


class _Register(NamedTuple):
    """A request to name a metadata file as a table's, where there is none."""

    location: str

    def applied_to(self, found: Any) -> str:
        """Where its metadata is. Raises: `AlreadyExists` if there is a table."""
        if isinstance(found, Absent):
            return self.location
        raise AlreadyExists("Table already exists")


class _Make(NamedTuple):
    """A request to make a table, where there is none."""

    location: str

    def applied_to(self, _: Any) -> str:
        """Where its metadata is."""
        return self.location


class RestService:
    """The service. Tables are named as registers are: "db.t"."""

    def __init__(self, simulation: Simulation) -> None:
        self._world = simulation.world(SERVICE)
        self._tables = whole(self._world)

    def load(self, name: str) -> Answer:
        """GET of a table."""
        with substitutes.acting_as(self._world):
            try:
                return _told(self._tables.load_table(name))
            except NoSuchTableError as error:
                return refusal(404, error)

    def stage(self, namespace: str, body: str) -> Answer:
        """POST of a table that is staged: it is not made yet."""
        request = json.loads(body)  # the library's own class wants a location, which its client does not send
        name = f"{namespace}.{request['name']}"
        with substitutes.acting_as(self._world):
            if self._current(name) is not None:
                return refusal(409, AlreadyExists(f"Table already exists: {name}"))
            schema = Schema.model_validate(request["schema"])
            staged = self._tables._create_staged_table(
                name, schema, location_of(name), properties=request["properties"]
            )
            return _told(staged, is_staged=True)

    def commit(self, name: str, body: str, note: Note) -> Answer:
        """POST of a commit, which may make the table."""
        request = CommitTableRequest.model_validate_json(body)
        makes = any(isinstance(one, AssertCreate) for one in request.requirements)
        self._tables.sent = []
        with substitutes.acting_as(self._world):
            try:
                if makes:
                    made = self._made(name, request)
                else:
                    table = self._tables.load_table(name)
                    made = self._tables.commit_table(table, request.requirements, request.updates)
            except NoSuchTableError as error:
                return refusal(404, error)
            except CommitFailedException as error:
                return refusal(409, error)
            except ValueError as error:
                return refusal(400, error)
        note(made.metadata_location)
        return _told(made)

    def _current(self, name: str) -> Any:
        """The table; None if there is none."""
        try:
            return self._tables.load_table(name)
        except NoSuchTableError:
            return None

    def _made(self, name: str, request: CommitTableRequest) -> Any:
        """The table that a request has made. Raises: `CommitFailedException` if there is one."""
        what = (tuple(name.split(".")), request.requirements, request.updates)
        staged = self._tables._update_and_stage_table(self._current(name), *what)
        self._tables._write_metadata(staged.metadata, staged.io, staged.metadata_location)
        self._world.register.update(name, _Make(staged.metadata_location))
        return staged

    def drop(self, name: str, note: Note) -> Answer:
        """DELETE of a table."""
        try:
            left = self._world.register.update(name, _Drop(self._world.chance.fresh("drop")))
        except NotFound as error:
            return refusal(404, error)
        note(place_of(left.value))
        return 204, ""

    def register(self, namespace: str, body: str, note: Note) -> Answer:
        """POST of a metadata file that is to be a table."""
        request = json.loads(body)
        name, location = f"{namespace}.{request['name']}", request["metadata-location"]
        try:
            self._world.register.update(name, _Register(location))
        except AlreadyExists as error:
            return refusal(409, error)
        note(location)
        with substitutes.acting_as(self._world):
            return _told(self._tables.load_table(name))

    def rename(self, body: str, note: Note) -> Answer:
        """POST of another name."""
        request = json.loads(body)
        name, to = [".".join([*one["namespace"], one["name"]]) for one in (request["source"], request["destination"])]
        try:
            self._world.register.rename(name, to)
        except NotFound as error:
            return refusal(404, error)
        except AlreadyExists as error:
            return refusal(409, error)
        note(str(self._world.register.load(to).value))
        return 204, ""


def _told(table: Any, *, is_staged: bool = False) -> Answer:
    answer = {
        "metadata-location": None if is_staged else table.metadata_location,
        "metadata": json.loads(table.metadata.model_dump_json()),
    }
    return 200, json.dumps(answer)


def refusal(code: int, error: Exception) -> Answer:
    """An answer that says why not."""
    return code, json.dumps({"error": {"message": str(error), "type": type(error).__name__, "code": code}})
