"""The metadata table of the real Hudi 1.2.0: races with it, step by step as simulated, and what it loses."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from model.hudi.config import HudiConfig
from model.hudi.keys import SINGLE_WRITER
from real_backend.hudi.client import SplitClient
from real_backend.hudi.options import write_options
from real_backend.hudi.table import LiveTable
from sim.generation.draws import seeded
from sim.hudi.generate import GENERATOR
from sim.search.at_gates import runs_at_gates
from tests.live.hudi.agreement import agreed, both, both_at_random, found

pytestmark = pytest.mark.live
EACH, DRAWN, SEEDS = 1, 3, 3_000


def test_what_a_clean_has_taken_out_is_not_listed_any_more(hudi):
    """Everybody is told that all is well; the row that was inserted later is there for who lists folders alone."""
    live = both(hudi, *found("metadata-partition"), read_alike=False)
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    assert live.rows == (("2", "B"),)
    assert live.again is not None
    assert live.again.rows == (("2", "B"), ("5", "e"))


@pytest.mark.parametrize("name", ["metadata", "metadata-clean"])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random, by either reader."""
    both_at_random(hudi, name, EACH)


def generated():
    """Runs of generated races with a metadata table: (scenario, run), one a scenario."""
    for seed in range(SEEDS):
        scenario: Any = GENERATOR.make(seeded(seed), GENERATOR.configurations["metadata"])
        if scenario.live and not scenario.live.timed:
            yield from ((scenario, played.run) for played in islice(runs_at_gates(scenario, seed), 1))


def test_generated_races_do_the_same_to_the_real_hudi(hudi):
    """Steps, outcomes, completed instants, and rows by either reader."""
    drawn = list(islice(generated(), DRAWN))
    assert len(drawn) == DRAWN
    for scenario, run in drawn:
        live = agreed(hudi, scenario, run)
        assert live.again is not None
        assert live.again.rows == live.rows or live.mislisted, f"{scenario.name}: {live.again}, {live.rows}"


class _Table:
    """A table with Hudi's own defaults for who writes: one writer, no lock, what failed is rolled back by the next."""

    def __init__(self, session: Any, path: Path) -> None:
        self.table = LiveTable(session, path)
        self.table.create()
        self._session = session

    def client(self, **settings: Any) -> SplitClient:
        config = HudiConfig(mode=SINGLE_WRITER, metadata=True, **settings)
        options = write_options(config, self.table.path, gated=False)
        # By default it is compacted after ten delta commits, for which archiving waits: here after each.
        more = {"hoodie.clean.failed.writes.policy": "EAGER", "hoodie.metadata.compact.max.delta.commits": "1"}
        return SplitClient(self._session, str(self.table.path), options | more)

    def delete_metadata_table(self) -> None:
        hudi = self._session.jvm.java.org.apache.hudi
        context = hudi.client.common.HoodieSparkEngineContext(self._session.context._jsc)
        hudi.metadata.HoodieTableMetadataUtil.deleteMetadataTable(str(self.table.path), context)

    def upsert(self, *rows: tuple[str, str, str], ordering: int = 0) -> None:
        client = self.client()
        client.start()
        client.upsert(rows, ordering)
        client.commit()
        client.close()


def test_a_writer_that_goes_on_after_its_rollback_makes_the_table_unreadable(spark, tmp_path):
    """It is refused; later, when the instants of then are archived, the file that its rollback deleted is read."""
    one = _Table(spark[0], tmp_path / "t")
    one.upsert(("1", "p", "a"), ("2", "q", "b"))
    late = one.client()
    late.start()
    late.upsert((("1", "p", "late"),), 1)
    one.upsert(("2", "q", "B"), ordering=2)  # rolls back what the other one has written, as by default
    with pytest.raises(Exception, match="does not exist"):
        late.commit()
    late.close()
    (gone,) = [file for file in one.table.listed() if not (one.table.path / file).is_file()]
    assert late.instant is not None
    assert late.instant in gone
    assert one.table.rows() == ((("1", "a"), ("2", "B")), None)
    for number in range(3):
        one.upsert(("2", "q", f"c{number}"), ordering=10 + number)
    archiver = one.client(keep_min_commits=2, keep_max_commits=3, commits_retained=1)
    archiver.archive()
    archiver.close()
    rows, why = one.table.rows()
    assert rows is None
    assert "does not exist" in str(why)
    assert one.table.rows(listed=True) == ((("1", "a"), ("2", "c2")), None)
    one.delete_metadata_table()  # the next write makes it anew, from the files
    one.upsert(("1", "p", "A"), ordering=20)
    assert one.table.rows() == ((("1", "A"), ("2", "c2")), None)
    assert all((one.table.path / file).is_file() for file in one.table.listed())
