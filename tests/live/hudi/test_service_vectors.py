"""Hudi's tests of table services beside writers, and of which markers a client has, on the real Hudi 1.2.0: rows of
`tests/vectors/hudi.txt` that the model plays as well. A table on hdfs is none of a local disk's."""

from contextlib import closing

import pytest

from model.hudi.keys import MARKERS
from model.hudi.names import COMPACTION, requested_path
from model.hudi.options import parse_options
from real_backend.hudi.client import SplitClient
from real_backend.hudi.error_names import error_of
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.options import write_options
from real_backend.hudi.table import LiveTable
from sim.hudi.build import OPTIMISTIC
from tests.live.hudi.test_clustering import Clients
from tests.live.hudi.test_merge_on_read import Table
from tests.unit.hudi.clustering_vectors import STRATEGIES
from tests.unit.hudi.merging_vectors import Case
from tests.unit.hudi.playing import play
from tests.unit.hudi.vectors import VECTORS

pytestmark = pytest.mark.live
WRITERS = {"direct": "DirectWriteMarkers", "server": "TimelineServerBasedWriteMarkers"}


def of_kind(kind, *without):
    """The vectors of a kind."""
    found = [each for each in VECTORS if each.kind == kind and not any(word in each.given for word in without)]
    return pytest.mark.parametrize("vector", found, ids=lambda each: each.upstream)


@of_kind("merging")
def test_what_a_write_makes_of_a_plan(spark, tmp_path, vector):
    """Slices and rows."""
    calls, wanted = vector.script.split(" -> ")
    slices, rows = [part.strip() for part in wanted.split(";")]
    case = Case(vector.given, calls, slices, rows)
    assert Table(spark[0], tmp_path / "t", case).play(calls) == (slices, rows)


@of_kind("clustering")
def test_who_is_refused_beside_clustering(spark, tmp_path, vector):
    """And the rows in the end."""
    script, wanted = vector.script.split(" -> ")
    told, rows = [part.strip() for part in wanted.split(";")]
    clients = Clients(spark[0], tmp_path / "t", STRATEGIES[vector.given])
    with closing(clients):
        assert clients.play(script) == told
        found, unreadable = clients.table.rows()
        assert found is not None, unreadable
        assert " ".join([f"{key}={value}" for key, value in found]) == rows


@of_kind("executors")
def test_who_carries_out_a_plan_of_compaction(spark, tmp_path, vector):
    """Clients that carry out one, and whether it is completed in the end."""
    path = tmp_path / "t"
    table = Table(spark[0], path, Case("2", "", "", ""))
    table.carry_out("1=A 1=B plan")
    instant = table.instants[-1]
    clients = {}

    def do(who, what, argument):
        if what == "lose":
            (path / requested_path(2, instant, COMPACTION)).unlink()
            return True
        if who not in clients:
            clients[who] = table._client()
        try:
            clients[who].compact(str(instant)) if what == "execute" else clients[who].commit_compaction()
        except Exception as error:
            return error_of(root_cause(error)).partition(":")[0]
        return None

    script, wanted = vector.script.split(" -> ")
    assert play(script, do) == []
    done = any(each.requested == instant for each in table._table.timeline().completed)
    assert ("completed" if done else "-") == wanted
    for each in clients.values():
        each.close()


@of_kind("factory", "hdfs")
def test_whose_markers_a_client_has(spark, tmp_path, vector):
    """By their class."""
    kind, _ = vector.given.split()
    options = write_options(parse_options(dict((*OPTIMISTIC, (MARKERS, kind)))), tmp_path / "t", gated=False)
    LiveTable(spark[0], tmp_path / "t").create()
    hudi = spark[0].jvm.java.org.apache.hudi
    with closing(SplitClient(spark[0], str(tmp_path / "t"), options)) as client:
        table = hudi.table.HoodieSparkTable.create(client._client.getConfig(), client._client.getEngineContext())
        made = hudi.table.marker.WriteMarkersFactory.get(client._client.getConfig().getMarkersType(), table, "001")
        assert made.getClass().getSimpleName() == WRITERS[vector.script]
