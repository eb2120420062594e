"""Clustering on the real Hudi 1.2.0 beside other writes: what it brings back, and who is refused.

These are the calls of two clients in one thread, without a gate, and the cases that the model plays.
"""

from itertools import count
from pathlib import Path

import pytest

from model.hudi.names import CLUSTERING, REPLACE_COMMIT
from model.hudi.options import parse_options
from real_backend.hudi.client import SplitClient
from real_backend.hudi.error_names import error_of
from real_backend.hudi.exceptions import NothingPlanned, root_cause
from real_backend.hudi.options import write_options
from real_backend.hudi.table import LiveTable
from tests.unit.hudi.clustering_vectors import CASES, STRATEGIES, VALUE

pytestmark = pytest.mark.live


class Clients:
    """A table with one row, and clients of it by name; each word of a script is a call of one of them."""

    def __init__(self, session, path: Path, options) -> None:
        self._session = session
        self.table = LiveTable(session, path)
        self.table.create()
        self._options = write_options(parse_options(dict(options)), path, gated=False)
        self._clients: dict[str, SplitClient] = {}
        self._orders = count(1)
        self.play("s.start s.upsert s.commit", "a")

    def play(self, script, value=VALUE):
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
                told[name] = error_of(root_cause(error)).partition(":")[0]
        return " ".join([f"{name}={error}" for name, error in told.items()]) or "-"

    def _call(self, client, what, value):
        rows = (("1", "p1", value),)
        calls = {
            "start": client.start,
            "replace": lambda: client.start(REPLACE_COMMIT),
            "upsert": lambda: client.upsert(rows, next(self._orders)),
            "overwrite": lambda: client.overwrite(rows, next(self._orders), whole_table=False),
            "delete": lambda: client.delete_partition("p1"),
            "cluster": lambda: client.cluster(str(client.instant)),
            "plan": client.schedule_clustering,
            "take": lambda: client.cluster(self._oldest()),
            "commit": client.commit,
        }
        calls[what]()

    def _oldest(self):
        plan = self.table.timeline().oldest_plan(CLUSTERING)
        if plan is None:
            raise NothingPlanned("clustering: expected a plan that is pending, got none")
        return str(plan)

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


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.strategy}: {case.script}")
def test_clustering_beside_another_write(on, case):
    """Who is refused, and with what; and what a reader sees in the end: as the model says."""
    clients = on(case.strategy)
    assert clients.play(case.script) == case.told
    rows, unreadable = clients.table.rows()
    assert unreadable is None
    assert " ".join([f"{key}={value}" for key, value in rows]) == case.rows.replace("-", "")
