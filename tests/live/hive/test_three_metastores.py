"""Three metastores over one database: one that is written at, and two whose caches hear of it each at its own time."""

import pytest

from model.hive.rules import FIXED, SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.hive.build import EVENTUAL, EXTERNAL, MANAGED, RO, B, E, Sessions, T, metastore
from sim.hive.workload import Alter, Commit, Get, ListPartitions, PutPartition
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both_generated

pytestmark = pytest.mark.live
THREE = ("h1", "h2", "h3")
PARTED: Sessions = {
    "w1": ("h1", (Alter(E, "e1"), PutPartition(E, "d=1", "p1"))),
    "r1": ("h2", (Get(E), ListPartitions(E, "h3"))),
    "w2": ("h3", (Alter(E, "e2"), Get(E, "h2"))),
}
IN_TRANSACTIONS: Sessions = {
    "w1": ("h1", (B, Alter(T, "v1"), Commit(), RO, Get(T, "h2"))),
    "r1": ("h2", (RO, Get(T), Get(T, "h3"))),
    "r2": ("h3", (RO, Get(T), Get(T, "h2"))),
}
EACH = 3


@pytest.mark.parametrize(
    ("rules", "sessions", "tables"),
    [
        (SHIPPED, PARTED, EXTERNAL),
        (SHIPPED_REFRESH, PARTED, EXTERNAL),
        (UNCACHED, PARTED, EXTERNAL),
        (FIXED, IN_TRANSACTIONS, MANAGED),
    ],
    ids=["event mode", "by default", "no cache", "reference"],
)
def test_three_metastores_do_the_same_as_three_replicas(hive, rules, sessions, tables):
    """Step by step, in what everybody is told, and in what each cache and the database have at the end."""
    pollers = ("h2", "h3") if rules is not UNCACHED else ()
    scenario = metastore(
        "three", "", sessions, rules=rules, tables=tables, properties=EVENTUAL, replicas=THREE, pollers=pollers
    )
    runs = [run for seed in range(EACH) for run in runs_at_gates(scenario, seed, 1)]
    assert len(runs) == EACH
    for run in runs:
        both_generated(hive, scenario, run)
