"""Rollbacks of the real Hudi 1.2.0 that somebody has planned, of writes that have been committed since."""

import pytest

from model.hudi.config import HudiConfig
from model.hudi.keys import IN_PROCESS, OCC
from real_backend.hudi.client import SplitClient
from real_backend.hudi.options import write_options
from real_backend.hudi.table import LiveTable
from tests.unit.hudi.rollback_vectors import ROLLBACKS, name_of, played

pytestmark = pytest.mark.live
FAILURES = {
    "is earlier than the latest compaction": "compacted",
    "Could not rollback a savepointed commit": "saved",
}


class _Table:
    """As the model's table of the same vectors, in clients of one process."""

    def __init__(self, session, path) -> None:
        self.table, self._session, self._number = LiveTable(session, path), session, 0
        self.table.create()
        client = self._client()
        client.start()
        client.upsert((("1", "p", "a"), ("2", "q", "b")), 0)
        client.commit()
        client.close()
        self._writer = self._client()

    def begin(self):
        self._writer.start()

    def plan(self):
        client = self._client()
        table, context = self._opened(client)
        (target,) = [
            each
            for each in table.getActiveTimeline().filterInflightsAndRequested().getInstants()
            if str(each.requestedTime()) == self._writer.instant
        ]
        table.scheduleRollback(context, client._client.createNewInstantTime(True), target, False, True, False)
        client.close()

    def write(self):
        self._writer.upsert((("1", "p", "A"),), 1)

    def commit(self):
        self._writer.commit()
        self._writer.close()

    def other(self, compact_after=100):
        self._number += 1
        client = self._client(compact_after)
        client.start()
        client.upsert((("2", "q", f"B{self._number}"),), self._number)
        client.commit()
        client.close()

    def compact(self):
        self.other(1)

    def save(self):
        client = self._client()
        client.savepoint(self._writer.instant)
        client.close()

    def unsave(self):
        client = self._client()
        client.delete_savepoint()
        client.close()

    def clean(self):
        client, said = self._client(), "ok"
        try:
            client.clean()
        except Exception as error:  # whatever Java throws
            said = next((what for words, what in FAILURES.items() if words in str(error)), str(error))
        client.close()
        return said

    def row(self):
        rows, why = self.table.rows()
        assert why is None
        assert rows is not None
        assert self.table.rows(listed=True)[0] == rows
        return dict(rows)["1"]

    def state(self):
        client = self._client()
        table, _ = self._opened(client)
        states = [
            str(each.getState().name()).lower()
            for each in table.getActiveTimeline().getCommitsTimeline().getInstants()
            if str(each.requestedTime()) == self._writer.instant
        ]
        client.close()
        return states[0] if states else "gone"

    def files(self):
        return len(list((self.table.path / "p").glob(f"*_{self._writer.instant}.parquet")))

    def _opened(self, client):
        context = client._client.getEngineContext()
        hudi = self._session.jvm.java.org.apache.hudi
        return hudi.table.HoodieSparkTable.create(client._client.getConfig(), context), context

    def _client(self, compact_after=100):
        config = HudiConfig(mode=OCC, lock_provider=IN_PROCESS, metadata=True, metadata_compact_after=compact_after)
        options = write_options(config, self.table.path, gated=False)
        return SplitClient(self._session, str(self.table.path), options)


@pytest.mark.parametrize("case", ROLLBACKS, ids=name_of)
def test_what_a_pending_rollback_comes_to(spark, tmp_path, case):
    """As the model: `tests/unit/hudi/test_pending_rollbacks.py`; by either way of listing."""
    assert played(_Table(spark[0], tmp_path / "t"), case) == case
