"""Merge-on-read tables on the real Hudi 1.2.0, without a gate: the cases that the model plays, and of those in which
somebody overwrites, deletes, restores or clusters each fourth, for each takes seconds. All of these agreed on
2026-11-26."""

import time
from contextlib import suppress

import pytest

from model.hudi.names import COMPACTION, LOG_COMPACTION
from model.hudi.options import parse_options
from real_backend.hudi.client import SplitClient
from real_backend.hudi.exceptions import NothingPlanned, root_cause
from real_backend.hudi.options import table_options, write_options
from real_backend.hudi.table import LiveTable
from tests.unit.hudi.merging_vectors import CASES, INSTEAD, WAIT_MS, Player, changes, told

pytestmark = pytest.mark.live
SOME = [case for case in CASES if any(word in case.calls for word in (INSTEAD, "restore", "cplan"))]
PLAYED = [case for case in CASES if case not in SOME or SOME.index(case) % 4 == 2]
REFUSED = (
    "HoodieWriteConflictException",
    "HoodieLockException",
    "HoodieDeletePartitionPendingTableServiceException",
    "HoodieLogCompactException",
    "since it found an Inflight logcompaction",
    "invalid action name logcompaction",
    "is not the last commit after restoring to savepoint",
    "HoodieClusteringUpdateException",
    "Executor SparkExecuteClusteringCommitActionExecutor is not compatible with table layout HoodieSimpleBucketLayout",
)


class Table(Player):
    """A table with two rows in one file group; every call is a client's of its own, but for those of a name."""

    def __init__(self, session, path, case) -> None:
        config = parse_options(dict(case.options))
        self._session, self._path = session, str(path)
        self._options = write_options(config, path, gated=False)
        self._table = LiveTable(session, path, config)
        self._table.create()
        self._where = case.where
        self._open: dict[str, SplitClient] = {}
        self._refused: dict[str, bool] = {}
        self._clustering = ""
        self.instants: list[int] = []
        first = SplitClient(session, self._path, table_options(config))
        self.action = config.commit_action
        self.instants.append(int(first.start(self.action)))
        first.insert(self._records("1=a,2=b"), 0)
        first.commit()
        first.close()

    def play(self, calls):
        """Make the calls; returns slices and rows."""
        self.carry_out(calls)
        found = [each for name in self._where.names for each in self._table.merged(name)]
        slices = [(int(base), [int(log) for log in logs]) for _, base, logs in found]
        rows, problem = self._table.rows()
        assert rows is not None, problem
        return told(slices, self.instants), " ".join([f"{key}={value}" for key, value in rows])

    def _start(self, name, action):
        self._open[name] = self._client()
        self.instants.append(int(self._open[name].start(action)))

    def _write(self, name, rows):
        client, ordering = self._open[name], len(self.instants)
        if rows[0] != INSTEAD:
            self._refused[name] = not _or_refused(client.upsert, self._records(rows), ordering)
        elif "=" in rows:
            client.overwrite(self._records(rows[1:]), ordering, whole_table=False)
        else:
            self._refused[name] = not _or_refused(client.delete_partition, rows[1:])

    def _records(self, rows):
        return tuple((key, name, value) for name, some in self._where.split(changes(rows)) for key, value in some)

    def _commit(self, name):
        if not self._refused.pop(name, False):
            _or_refused(self._open[name].commit)
        self._open.pop(name).close()

    def _plan(self):
        client = self._client()
        with suppress(NothingPlanned):
            self.instants.append(int(client.schedule_compaction()))
        client.close()

    def _lplan(self):
        client = self._client()
        with suppress(NothingPlanned):
            self.instants.append(int(client.schedule_log_compaction()))
        client.close()

    def _run(self, *, commits=True):
        self._carry(_compact, self._table.timeline().oldest_plan(COMPACTION), commits)

    def _lrun(self, *, commits=True):
        before = len(self._table.rollbacks())
        self._carry(_compact_logs, self._table.timeline().oldest_plan(LOG_COMPACTION), commits)
        self.instants += [0] * (len(self._table.rollbacks()) - before)

    def _carry(self, compact, plan, commits):
        if plan is not None:
            client = self._client()
            _or_refused(compact, client, str(plan), commits)
            client.close()

    def _cplan(self):
        client = self._client()
        with suppress(NothingPlanned):
            self._clustering = client.schedule_clustering()
            self.instants.append(int(self._clustering))
        client.close()

    def _crun(self):
        client = self._client()
        _or_refused(client.cluster, self._clustering)
        client.close()

    def _wait(self):
        for client in self._open.values():
            client.close()
        time.sleep(WAIT_MS / 1000)

    def _save(self):
        client = self._client()
        client.savepoint(str(self._table.timeline().back(0).requested))
        client.close()

    def _restore(self):
        client = self._client()
        _or_refused(client.restore, None)
        client.close()
        self.instants += [0]

    def _clean(self):
        before = len(self._table.rollbacks())
        client = self._client()
        client.clean()
        client.close()
        self.instants += [0] * (len(self._table.rollbacks()) - before)

    def _client(self):
        return SplitClient(self._session, self._path, self._options)


def _compact(client, instant, commits):
    client.compact(instant)
    if commits:
        client.commit_compaction()


def _compact_logs(client, instant, commits):
    client.compact_logs(instant)
    if commits:
        client.commit_log_compaction()


def _or_refused(call, *given):
    """Makes a call that may be refused for what others do; False if it was."""
    try:
        call(*given)
    except Exception as error:
        if not any(name in root_cause(error) for name in REFUSED):
            raise
        return False
    return True


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: f"{case.after}: {case.calls}")
def test_slices_and_rows(spark, tmp_path, case):
    """Which log files a slice has, in which order they are merged, what a plan takes and who carries it out."""
    assert Table(spark[0], tmp_path / "table", case).play(case.calls) == (case.slices, case.rows)
