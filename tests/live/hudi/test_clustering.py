"""Clustering on the real Hudi 1.2.0 beside other writes: what it brings back, and who is refused.

The simulation does not cluster: these are the calls of two clients in one thread, without a gate.
"""

from itertools import count
from pathlib import Path

import pytest

from model.hudi.config import parse_options
from model.hudi.names import REPLACE_COMMIT
from real_backend.hudi.client import SplitClient
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.options import write_options
from real_backend.hudi.table import LiveTable
from sim.hudi.build import OPTIMISTIC, PREFERRING

pytestmark = pytest.mark.live
PLANS = "hoodie.clustering.plan.strategy"
CLUSTERING = {f"{PLANS}.small.file.limit": "100000000", f"{PLANS}.single.group.clustering.enabled": "true"}
STRATEGIES = {"simple": OPTIMISTIC, "prefer-writer": PREFERRING}
CONFLICT, UPDATED = "HoodieWriteConflictException", "HoodieClusteringUpdateException"
PENDING = "HoodieDeletePartitionPendingTableServiceException"
OLD = (("1", "a"),)


class Clients:
    """A table with one row, and clients of it by name; each word of a script is a call of one of them."""

    def __init__(self, session, path: Path, options) -> None:
        self._session = session
        self.table = LiveTable(session, path)
        self.table.create()
        self._options = write_options(parse_options(dict(options)), path, gated=False) | CLUSTERING
        self._clients: dict[str, SplitClient] = {}
        self._orders = count(1)
        self._plan = ""
        self.play("s.start s.upsert s.commit", "a")

    def play(self, script, value="B"):
        """Make the calls; the first error of a client is what it was told, and ends it."""
        told = {}
        for word in script.split():
            name, what = word.split(".")
            if name not in self._clients:
                self._clients[name] = SplitClient(self._session, str(self.table.path), self._options)
            try:
                if name not in told:
                    self._call(self._clients[name], what, value)
            except Exception as error:
                told[name] = root_cause(error).partition(":")[0]
        return told

    def _call(self, client, what, value):
        rows = (("1", "p1", value),)
        calls = {
            "start": client.start,
            "replace": lambda: client.start(REPLACE_COMMIT),
            "upsert": lambda: client.upsert(rows, next(self._orders)),
            "overwrite": lambda: client.overwrite(rows, next(self._orders), whole_table=False),
            "delete": lambda: client.delete_partition("p1"),
            "cluster": lambda: client.cluster(self._plan),
            "commit": client.commit,
        }
        if what == "plan":
            self._plan = client.schedule_clustering()
        else:
            calls[what]()

    def close(self):
        """Stop the timers of every client."""
        for client in self._clients.values():
            client.close()


@pytest.fixture
def on(spark, tmp_path):
    """Makes the clients of a table under a strategy."""
    made = []

    def clients(strategy):
        made.append(Clients(spark[0], tmp_path / "table", STRATEGIES[strategy]))
        return made[-1]

    yield clients
    for each in made:
        each.close()


CASES = [
    # A deletion compares nothing when it commits, and clustering does not look again: what was deleted is back.
    ("simple", "d.replace d.delete c.plan d.commit c.cluster", {}, OLD),
    ("prefer-writer", "d.replace d.delete c.plan d.commit c.cluster", {"c": CONFLICT}, ()),
    ("simple", "c.plan d.replace d.delete c.cluster", {"d": PENDING}, OLD),
    # An overwrite compares what it takes out with the plan.
    ("simple", "d.replace d.overwrite c.plan d.commit c.cluster", {"d": CONFLICT}, OLD),
    ("prefer-writer", "d.replace d.overwrite c.plan d.commit c.cluster", {"c": CONFLICT}, (("1", "B"),)),
    # The older instant again: an upsert that began before the plan writes below what clustering wrote, and is not seen.
    ("simple", "w.start c.plan c.cluster w.upsert w.commit", {}, OLD),
    ("prefer-writer", "w.start w.upsert c.plan c.cluster w.commit", {"c": CONFLICT}, (("1", "B"),)),
    ("simple", "w.start w.upsert c.plan c.cluster w.commit", {"w": CONFLICT}, OLD),
    ("simple", "c.plan w.start w.upsert c.cluster", {"w": UPDATED}, OLD),
]


@pytest.mark.parametrize(("strategy", "script", "told", "rows"), CASES)
def test_clustering_beside_another_write(on, strategy, script, told, rows):
    """Who is refused, and with what; and what a reader sees in the end."""
    clients = on(strategy)
    assert clients.play(script) == told
    assert clients.table.rows() == (rows, None)
