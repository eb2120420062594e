"""The REST catalog by itself, asked over HTTP: what it does not know it refuses, and late requests stay outside."""

import json
import urllib.error
import urllib.request

import pytest

from real_backend.gating.gate import Gate
from real_backend.iceberg.bare_jvm import bare_jvm
from real_backend.iceberg.rest_gate import RestGate

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def catalog(tmp_path_factory):
    """A catalog with a namespace and no table."""
    with bare_jvm() as jvm:
        made = RestGate(jvm, f"file://{tmp_path_factory.mktemp('warehouse')}")
        ask(made, "POST", "namespaces", {"namespace": ["db"], "properties": {}})
        yield made
        made.close()


def ask(catalog, method, path, body=None, actor="w1"):
    """Returns (status, decoded answer)."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{catalog.uri}/v1/{path}", data, {"X-Writer": actor}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read() or b"{}")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())["error"]


def test_configuration_announces_no_idempotency_keys(catalog):
    """They are a variant."""
    assert ask(catalog, "GET", "config") == (200, {"defaults": {}, "overrides": {}})


@pytest.mark.parametrize(
    ("method", "path", "status", "kind"),
    [
        ("GET", "namespaces/db/tables/none", 404, "NoSuchTableException"),
        ("GET", "namespaces/none", 404, "NoSuchNamespaceException"),
        ("GET", "namespaces/db/views/v", 404, "NoSuchViewException"),
        ("DELETE", "namespaces/db", 501, "UnsupportedOperationException"),
    ],
)
def test_what_is_not_there_is_answered_as_the_specification_says(catalog, method, path, status, kind):
    """The client's error handlers go by status and type."""
    answered, error = ask(catalog, method, path)
    assert (answered, error["type"]) == (status, kind)


def test_late_request_of_a_run_that_was_given_up_is_refused_and_takes_no_step(catalog):
    """It names another table than the run's; it must not be taken for a step of this run's w1."""
    gate = catalog.install(Gate(("w1",)), "db.t2")
    status, error = ask(catalog, "GET", "namespaces/db/tables/t1")
    assert status == 400
    assert "expected a request for db.t2, got one for db.t1" in error["message"]
    assert gate.trace == ()
    assert "blocked: nobody" in gate.where()
    catalog.install(Gate(()))


def test_calls_of_setup_are_not_held(catalog):
    """An actor that the gate does not know passes."""
    catalog.install(Gate(("w1",)), "db.t")
    assert ask(catalog, "GET", "namespaces/db/tables/t", actor="setup")[0] == 404
    catalog.install(Gate(()))
