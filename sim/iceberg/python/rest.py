"""PyIceberg's own `RestCatalog`, unmodified, whose HTTP requests reach a REST service of the simulation.

The requests' session has an adapter of ours. What asks for a table, or stages one, is a `load`; a commit, a drop, a
rename and a registration are each a `commit`.

Source: `pyiceberg/catalog/rest/__init__.py` (`RestCatalog.commit_table`: 409 is `CommitFailedException`, 500, 502 and
504 are `CommitStateUnknownException`, 503 is not; 404 is what `rest/response.py` makes of it: `RESTError`).

Choices: nobody has to log in, and what a machine says of proxies and passwords (`trust_env`) is not asked. The one
namespace is there, which is asked for without a step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyiceberg.catalog.rest import RestCatalog
from requests import PreparedRequest, Response, Session
from requests.adapters import BaseAdapter
from requests.exceptions import ConnectionError, RequestException

from model.ports import CasLost, ConnectionLost, Status
from sim.iceberg.python import ports as pyiceberg_ports
from sim.iceberg.python.ports import FILE_IO, NAME, Sent
from sim.iceberg.python.rest_service import SERVICE, Answer, RestService, refusal
from sim.iceberg.python.sending import SendingTables
from sim.iceberg.renaming import name_at_end
from sim.kernel.task import CAS, READ
from sim.world import substitutes
from sim.world.simulation import Simulation

ADDRESS = "http://rest.simulated"
NAMESPACE = f"/v1/namespaces/{NAME.partition('.')[0]}"


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
            return _response(request, *refusal(status.code, status))
        except CasLost as lost:
            return _response(request, *refusal(409, lost))
        except ConnectionLost as lost:
            raise ConnectionError(str(lost), request=request) from lost

    def close(self) -> None:
        """Nothing is open."""

    def _sent(self, request: PreparedRequest) -> Answer:
        path = request.path_url.partition("?")[0]
        if path == "/v1/config":
            return 200, '{"defaults": {}, "overrides": {}}'
        if path == NAMESPACE:
            return 200, '{"namespace": ["db"], "properties": {}}'
        body = request.body.decode() if isinstance(request.body, bytes) else ""
        named = path.rpartition("/")[2]
        name = f"{NAME.partition('.')[0]}.{named}"
        service = self._service
        if request.method == "GET":
            return self._asked("load", name, READ, lambda: service.load(name))
        if named == "tables":
            return self._asked("load", NAME, READ, lambda: service.stage(NAME.partition(".")[0], body))
        note = self._note()
        if request.method == "DELETE":
            return self._asked("commit", name, CAS, lambda: service.drop(name, note))
        if named == "register":
            return self._asked("commit", NAME, CAS, lambda: service.register(NAME.partition(".")[0], body, note))
        if named == "rename":
            return self._asked("commit", NAME, CAS, lambda: service.rename(body, note))
        return self._asked("commit", name, CAS, lambda: service.commit(name, body, note))

    def _asked(self, operation: str, name: str, mode: str, apply: Callable[[], Answer]) -> Answer:
        return self._kernel.call(operation, name, mode, apply)  # type: ignore[no-any-return]

    def _note(self) -> Callable[[str], None]:
        """Where the client's last request notes what it has made."""
        sent = self._client.sent
        number = len(sent) - 1

        def note(location: str) -> None:
            sent[number] = Sent(sent[number].snapshots, location)

        return note


def _response(request: PreparedRequest, code: int, body: str) -> Response:
    made = Response()
    made.status_code, made.request, made.url = code, request, str(request.url)
    made._content, made.encoding = body.encode(), "utf-8"
    return made


class OwnRestCatalog(SendingTables, RestCatalog):
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
    """The table behind a REST catalog. Implements `python.catalogs.Catalogs`."""

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
        return self.client(simulation, process).load_table(what[0])

    def locations(self, simulation: Simulation) -> Sequence[str]:
        """The metadata files that the table has had since the race began."""
        return pyiceberg_ports.CATALOGS.locations(simulation)

    def name(self, simulation: Simulation) -> str:
        """What the race's table is called by now."""
        return name_at_end(simulation)

    def forget(self, simulation: Simulation) -> None:
        """The race begins with the table as it is."""
        pyiceberg_ports.CATALOGS.forget(simulation)


CATALOGS = InRest()
