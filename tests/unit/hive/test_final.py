"""The look at the end of a race on a metastore: tables that are there, then names that only a cache still has."""

from types import SimpleNamespace
from typing import Any

from checkers.histories.recorder import Recorder
from model.hive.rows import Table
from sim.hive.final import read_back
from sim.hive.workload import HiveSession, HiveWorkload


def test_names_that_only_a_cache_has_are_told_in_their_order():
    """Not in the order in which they were cached, which a live metastore does not tell."""
    entries = {
        name: SimpleNamespace(table=Table(number, name, managed=False), partitions={}, tag=None)
        for number, name in enumerate(("default.t", "default.f"), 1)
    }
    replica: Any = SimpleNamespace(name="h1", cache=SimpleNamespace(entries=entries))
    simulation: Any = SimpleNamespace(record=Recorder(lambda: 0))
    database: Any = SimpleNamespace(transact=lambda *_: {})
    read_back(simulation, database, [replica], HiveWorkload((HiveSession("w1", "h1", ()),)))
    told = [row[4].split()[1] for row in simulation.record.rows if row[1] == "ok" and row[3] == "cached"]
    assert told == ["table=default.f", "table=default.t"]
