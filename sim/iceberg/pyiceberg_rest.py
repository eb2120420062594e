"""PyIceberg's own `RestCatalog`, unmodified, whose HTTP requests reach a REST service of the simulation.

The requests' session has an adapter of ours; a load and a commit are steps. The service checks the requirements of a
commit and applies its updates with PyIceberg's own classes, on the newest metadata, as one step.

Source: `pyiceberg/catalog/rest/__init__.py` (`RestCatalog.commit_table`: 409 is `CommitFailedException`, 500, 502 and
504 are `CommitStateUnknownException`, 503 is not), `rest/response.py`; Iceberg's `CatalogHandlers.updateTable`.

Choices: the service applies what it can apply, and so never loses a swap of its own: `CatalogHandlers` tries again by
itself. What PyIceberg's classes say of updates that do not fit (`ValueError`) is answered with 400. Nobody has to log
in, and what a machine says of proxies and passwords (`trust_env`) is not asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.exceptions import CommitFailedException, NoSuchTableError
from pyiceberg.table import CommitTableRequest
from requests import PreparedRequest, Response, Session
from requests.adapters import BaseAdapter
from requests.exceptions import ConnectionError, RequestException

from model.ports import CasLost, ConnectionLost, Status
from sim.iceberg import pyiceberg_ports
from sim.iceberg.pyiceberg_ports import FILE_IO, NAME, Sending, Sent, whole
from sim.kernel.task import CAS, READ
from sim.world import substitutes
from sim.world.simulation import Simulation

ADDRESS = "http://rest.simulated"
SERVICE = "catalog"
Answer = tuple[int, str]
"""A status and a body."""


class RestService:
    """The service: the table's metadata file is named by a register, which nobody else asks."""

    def __init__(self, simulation: Simulation) -> None:
        self._world = simulation.world(SERVICE)
        self.tables = whole(self._world)

    def load(self) -> Answer:
        """GET of the table."""
        with substitutes.acting_as(self._world):
            return self._told(self.tables.load_table(NAME))

    def commit(self, body: str, note: Callable[[str], None]) -> Answer:
        """POST of a commit. `note` is told the metadata file that it made."""
        request = CommitTableRequest.model_validate_json(body)
        self.tables.sent = []
        with substitutes.acting_as(self._world):
            try:
                table = self.tables.load_table(NAME)
                made = self.tables.commit_table(table, request.requirements, request.updates)
            except NoSuchTableError as error:
                return _error(404, error)
            except CommitFailedException as error:
                return _error(409, error)
            except ValueError as error:
                return _error(400, error)
        note(made.metadata_location)
        return self._told(made)

    def _told(self, table: Any) -> Answer:
        answer = {
            "metadata-location": table.metadata_location,
            "metadata": json.loads(table.metadata.model_dump_json()),
        }
        return 200, json.dumps(answer)


class Transport(BaseAdapter):
    """Sends the requests of one client to the service. Args: `client` is told which files its commits have made."""

    def __init__(self, simulation: Simulation, client: Any) -> None:
        super().__init__()
        self._kernel = simulation.kernel
        self._service = RestService(simulation)
        self._client = client

    def send(self, request: PreparedRequest, *_: Any, **__: Any) -> Response:
        """A request. Raises: `requests.exceptions.ConnectionError`."""
        try:
            return _response(request, *self._sent(request))
        except Status as status:
            return _response(request, *_error(status.code, status))
        except CasLost as lost:
            return _response(request, *_error(409, lost))
        except ConnectionLost as lost:
            raise ConnectionError(str(lost), request=request) from lost

    def close(self) -> None:
        """Nothing is open."""

    def _sent(self, request: PreparedRequest) -> Answer:
        if request.path_url == "/v1/config":
            return 200, '{"defaults": {}, "overrides": {}}'
        if request.method == "GET":
            return self._kernel.call("load", NAME, READ, self._service.load)  # type: ignore[no-any-return]
        assert isinstance(request.body, bytes)
        body, sent = request.body.decode(), self._client.sent
        number = len(sent) - 1

        def note(location: str) -> None:
            sent[number] = Sent(sent[number].snapshots, location)

        return self._kernel.call("commit", NAME, CAS, lambda: self._service.commit(body, note))  # type: ignore[no-any-return]


def _error(code: int, error: Exception) -> Answer:
    return code, json.dumps({"error": {"message": str(error), "type": type(error).__name__, "code": code}})


def _response(request: PreparedRequest, code: int, body: str) -> Response:
    made = Response()
    made.status_code, made.request, made.url = code, request, str(request.url)
    made._content, made.encoding = body.encode(), "utf-8"
    return made


class OwnRestCatalog(Sending, RestCatalog):
    """The catalog of one process, with a transport of ours."""

    def __init__(self, simulation: Simulation) -> None:
        self.sent = []
        self._transport = Transport(simulation, self)
        super().__init__("simulated", uri=ADDRESS, **FILE_IO)

    def _create_session(self) -> Session:
        session = super()._create_session()
        session.trust_env = False
        session.mount(ADDRESS, self._transport)
        return session


class InRest:
    """The table behind a REST catalog. Implements `pyiceberg_catalogs.Catalogs`."""

    errors = (RequestException,)
    manifest = (
        ("requests.sessions", "preferred_clock", substitutes.TIME.monotonic),
        ("http.cookiejar", "time", substitutes.TIME),
        ("tenacity", "time", substitutes.TIME),
    )

    def client(self, simulation: Simulation, process: str) -> OwnRestCatalog:
        """The catalog of a process."""
        return OwnRestCatalog(simulation)

    def create(self, simulation: Simulation, process: str, *what: Any, **properties: Any) -> Any:
        """Set-up only: make the table, behind the service; it is what its clients then load."""
        pyiceberg_ports.CATALOGS.create(simulation, SERVICE, *what, **properties)
        return self.client(simulation, process).load_table(NAME)

    def locations(self, simulation: Simulation) -> Sequence[str]:
        """The metadata files that the table has had since the race began."""
        return pyiceberg_ports.CATALOGS.locations(simulation)

    def forget(self, simulation: Simulation) -> None:
        """The race begins with the table as it is."""
        pyiceberg_ports.CATALOGS.forget(simulation)


CATALOGS = InRest()
