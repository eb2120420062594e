"""The REST catalog by itself, asked over HTTP: what it does not know it refuses, and late requests stay outside."""

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

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


def test_a_commit_to_a_table_that_is_not_there_is_a_refused_step(catalog):
    """Nothing was looked up before that: its client made the step, and is told 404."""
    gate = catalog.install(Gate(("w1",)), "db.gone")
    body = {"requirements": [], "updates": [{"action": "set-properties", "updates": {"k": "1"}}]}

    def commit():
        try:
            return ask(catalog, "POST", "namespaces/db/tables/gone", body)
        finally:
            gate.finish("w1")

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(commit)
        gate.await_blocked("w1")
        gate.release("w1")
        answered, error = asked.result(30)
    assert (answered, error["type"]) == (404, "NoSuchTableException")
    catalog.install(Gate(()))
    assert [str(passed) for passed in gate.trace] == ["w1.commit=refused"]


def test_a_table_that_was_staged_is_created_by_its_commit(catalog):
    """As `CREATE TABLE AS SELECT` does."""
    schema = {"type": "struct", "fields": [{"id": 1, "name": "id", "required": False, "type": "int"}]}
    asked = {"name": "staged", "schema": schema, "stage-create": True}
    status, staged = ask(catalog, "POST", "namespaces/db/tables", asked)
    assert status == 200
    told = staged["metadata"]
    updates = [
        {"action": "assign-uuid", "uuid": told["table-uuid"]},
        {"action": "upgrade-format-version", "format-version": told["format-version"]},
        {"action": "add-schema", "schema": told["schemas"][0], "last-column-id": 1},
        {"action": "set-current-schema", "schema-id": -1},
        {"action": "add-spec", "spec": told["partition-specs"][0]},
        {"action": "set-default-spec", "spec-id": -1},
        {"action": "add-sort-order", "sort-order": told["sort-orders"][0]},
        {"action": "set-default-sort-order", "sort-order-id": -1},
        {"action": "set-location", "location": told["location"]},
    ]
    made = ask(
        catalog,
        "POST",
        "namespaces/db/tables/staged",
        {"requirements": [{"type": "assert-create"}], "updates": updates},
    )
    assert made[0] == 200, made
    assert ask(catalog, "GET", "namespaces/db/tables/staged")[0] == 200
