"""Rollbacks that are pending, and writes that have been committed since they were planned."""

from dataclasses import replace

import pytest

from model.hudi import Cleaner, HudiClient, Reader, SavepointClient, coverage
from model.hudi.errors import CommitSaved, MetadataCompacted, StorageFailed
from sim.hudi.build import OPTIMISTIC, TWO_GROUPS
from sim.hudi.built_in.metadata_tables import LISTED_BY
from sim.hudi.table import timeline_of
from tests.mutants.hudi_vectors import COMMIT_STAYS
from tests.unit.hudi.rollback_vectors import ROLLBACKS, Case, name_of, played
from tests.unit.hudi.worlds import Lab


class _Table:
    """A table with a metadata table: one write, its cleaners, and other clients."""

    def __init__(self) -> None:
        self.lab = Lab((*OPTIMISTIC, LISTED_BY), groups=TWO_GROUPS, partitions=("p", "q"))
        self._client = HudiClient(self.lab.world("w1"), self.lab.config, owner="w1")

    def begin(self) -> None:
        self._instant = self._client.start_commit()

    def plan(self) -> None:
        (begun,) = self._seen().pending
        assert self._cleaner()._schedule(self._instant, begun) is not None

    def write(self) -> None:
        self._written = self._client.upsert((("1", "A"),), self._instant, self.lab.workload.where)

    def commit(self) -> None:
        self._client.commit(self._instant, self._written)
        self.lab.wait(10)

    def other(self, compact_after: int = 100) -> None:
        config = replace(self.lab.config, metadata_compact_after=compact_after)
        client = HudiClient(self.lab.world("w2"), config, owner="w2")
        instant = client.start_commit()
        client.commit(instant, client.upsert((("2", "B"),), instant, self.lab.workload.where))
        self.lab.wait(10)

    def compact(self) -> None:
        self.other(1)

    def save(self) -> None:
        SavepointClient(self.lab.world("s"), self.lab.config).savepoint()

    def unsave(self) -> None:
        SavepointClient(self.lab.world("s"), self.lab.config).delete_savepoint()

    def clean(self) -> str:
        try:
            self._cleaner().clean()
        except MetadataCompacted:
            return "compacted"
        except CommitSaved:
            return "saved"
        return "ok"

    def row(self) -> str:
        return dict(Reader(self.lab.world("r"), self.lab.config).read().rows)["1"][0]

    def state(self) -> str:
        return next((each.state for each in self._seen().instants if each.requested == self._instant), "gone")

    def files(self) -> int:
        return len([path for path in self.lab.files.files if path.startswith("p/") and f"{self._instant}." in path])

    def _seen(self):
        return timeline_of(self.lab.simulation, self.lab.config.layout)

    def _cleaner(self) -> Cleaner:
        return Cleaner(self.lab.world("c"), self.lab.config, owner="c")


@pytest.mark.parametrize("case", ROLLBACKS, ids=name_of)
def test_what_a_pending_rollback_comes_to(case: Case) -> None:
    """As on Hudi 1.2.0: `tests/live/hudi/test_pending_rollbacks.py`."""
    table = _Table()
    assert played(table, case) == case
    committed = "commit" in case.calls and case.state != "completed"
    assert (coverage.COMMIT_ROLLED_BACK in table.lab.simulation.kernel.coverage) == committed


def test_the_mutant_that_leaves_the_commit_is_noticed() -> None:
    """An instant stays completed without its files; where the metadata table is compacted, it lists them, too."""
    with COMMIT_STAYS.alive():
        differ = [case for case in ROLLBACKS if not _is_played(case)]
    assert differ == [case for case in ROLLBACKS if "commit" in case.calls]


def _is_played(case: Case) -> bool:
    try:
        return played(_Table(), case) == case
    except StorageFailed:  # nobody can read the table
        return False


def test_a_write_that_completes_beside_the_rollback_of_another_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two that are taken for dead the older one completes meanwhile, and is planned by what its commit names: its
    markers are gone."""
    lab = Lab(OPTIMISTIC, groups=TWO_GROUPS)
    first, second = (HudiClient(lab.world(name), lab.config, owner=name) for name in ("w1", "w2"))
    older = first.start_commit()
    written = first.upsert((("1", "A"),), older)
    newer = second.start_commit()
    second.upsert((("2", "B"),), newer)
    lab.wait(120_001)
    cleaner = Cleaner(lab.world("c"), lab.config, owner="c")
    goes_on = cleaner._delete_markers

    def completes(target: int) -> None:
        goes_on(target)
        if target == newer:
            first.commit(older, written)

    monkeypatch.setattr(first.heartbeats, "own_is_expired", lambda instant: False)  # it looked before, and waited
    monkeypatch.setattr(cleaner, "_delete_markers", completes)
    assert cleaner.rollback_failed_writes() == (newer, older)
    assert [path for path in lab.files.files if path.endswith(".parquet")] == [
        f"p1/{group}_0-0-0_000000.parquet" for group in ("fg1", "fg2")
    ]
    assert coverage.COMMIT_ROLLED_BACK in lab.simulation.kernel.coverage
