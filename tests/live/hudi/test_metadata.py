"""The metadata table of the real Hudi 1.2.0: races with it, step by step as simulated, and what it loses."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from model.hudi.config import HudiConfig
from model.hudi.keys import SINGLE_WRITER
from model.hudi.metadata_records import FilesRecord
from model.hudi.names import COMMIT, REPLACE_COMMIT, timeline_folder
from model.hudi.names import METADATA as METADATA_FOLDER
from real_backend.hudi.client import SplitClient
from real_backend.hudi.options import write_options
from real_backend.hudi.table import LiveTable
from sim.hudi.generate import GENERATOR
from tests.live.hudi.agreement import agreed, both, both_at_random, found, left_unreadable
from tests.live.hudi.test_generated import playable
from tests.unit.hudi.metadata_vectors import VECTORS, deltas_of

pytestmark = pytest.mark.live
EACH, DRAWN, MANY = 1, 3, 1_000


def test_what_a_clean_has_taken_out_is_not_listed_any_more(hudi):
    """Everybody is told that all is well; the row that was inserted later is there for who lists folders alone."""
    live = both(hudi, *found("metadata-partition"), read_alike=False)
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    assert live.rows == (("2", "B"),)
    assert live.again is not None
    assert live.again.rows == (("2", "B"), ("5", "e"))


def test_a_partition_that_is_filled_again_makes_the_table_unreadable(hudi):
    """One client, and nobody else: what the partition had before it was deleted is listed again, and read in the end,
    when its deletion is archived; who lists folders reads all."""
    live = left_unreadable(hudi, "metadata-compacted", "does not exist")
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    assert live.again is not None
    assert live.again.rows == (("2", "D"), ("5", "e"))


@pytest.mark.parametrize("line", [line for line in VECTORS if line.split("|")[1].strip() == "-"])
def test_records_are_merged_as_the_vectors_say(spark, line):
    """Asked of the real `HoodieMetadataPayload`: first those since the last compaction, then with what it has."""
    deltas, _, expected = [part.strip() for part in line.split("|")]
    payloads = _Payloads(spark[0])
    for part in deltas.split("="):
        payloads.merge(deltas_of(part))
    assert payloads.listed() == ("" if expected == "-" else expected)


@pytest.mark.parametrize("name", ["metadata", "metadata-clean", "metadata-compacting"])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random, by either reader; where nobody
    comes between two steps on the metadata table."""
    both_at_random(hudi, name, EACH, tries=MANY)


def test_generated_races_do_the_same_to_the_real_hudi(hudi):
    """Steps, outcomes, completed instants, and rows by either reader."""
    drawn = list(islice(playable(GENERATOR.configurations["metadata"]), DRAWN))
    assert len(drawn) == DRAWN
    for scenario, run in drawn:
        live = agreed(hudi, scenario, run)
        assert live.again is not None
        assert live.again.rows == live.rows or live.mislisted, f"{scenario.name}: {live.again}, {live.rows}"


class _Payloads:
    """Records of the `files` partition, by Hudi's class: of each partition what a base file has."""

    def __init__(self, session: Any) -> None:
        self._java = session.jvm.java
        self._schema = self._java.org.apache.hudi.avro.model.HoodieMetadataRecord.getClassSchema()
        self._base: dict[str, Any] = {}

    def merge(self, deltas: list[tuple[int, FilesRecord]]) -> None:
        """Merge log files in the order of their instants, then with the base file, into one."""
        newer: dict[str, Any] = {}
        for _, record in sorted(deltas, key=lambda delta: delta[0]):
            for partition in dict.fromkeys([name for name, _ in (*record.added, *record.removed)] + [*record.deleted]):
                payload = self._payload(record, partition)
                newer[partition] = payload.preCombine(newer[partition]) if partition in newer else payload
        for partition, payload in newer.items():
            old = self._base.pop(partition, None)
            found = payload.getInsertValue(self._schema) if old is None else self._combined(payload, old)
            if found.isPresent():
                self._base[partition] = found.get()

    def listed(self) -> str:
        """What is listed, as the vectors write it."""
        hudi = self._java.org.apache.hudi
        made = hudi.metadata.HoodieMetadataPayload
        names = {
            partition: made(hudi.common.util.Option.of(found)).getFilenames() for partition, found in self._base.items()
        }
        return " ".join([f"{partition}/{name}" for partition in sorted(names) for name in sorted(names[partition])])

    def _combined(self, payload: Any, old: Any) -> Any:
        return payload.combineAndGetUpdateValue(old, self._schema)

    def _payload(self, record: FilesRecord, partition: str) -> Any:
        added, removed = self._java.java.util.HashMap(), self._java.java.util.ArrayList()
        for folder, name in record.added:
            if folder == partition:
                added.put(name, 1 << 40)  # a size; a small one would be no long number
        for folder, name in record.removed:
            if folder == partition:
                removed.add(name)
        made = self._java.org.apache.hudi.metadata.HoodieMetadataPayload
        deleted = partition in record.deleted
        return made.createPartitionFilesRecord(partition, added, removed, deleted).getData()


class _Table:
    """A table with Hudi's own defaults for who writes: one writer, no lock, what failed is rolled back by the next."""

    def __init__(self, session: Any, path: Path) -> None:
        self.table = LiveTable(session, path)
        self.table.create()
        self._session = session

    def client(self, **settings: Any) -> SplitClient:
        # By default it is compacted after ten delta commits, for which archiving waits: here after each.
        config = HudiConfig(mode=SINGLE_WRITER, **{"metadata": True, "metadata_compact_after": 1, **settings})
        options = write_options(config, self.table.path, gated=False)
        return SplitClient(
            self._session, str(self.table.path), options | {"hoodie.clean.failed.writes.policy": "EAGER"}
        )

    def by_default(self) -> SplitClient:
        """A client without a setting of cleaning, archiving and the metadata table: all three come by themselves."""
        options = write_options(HudiConfig(mode=SINGLE_WRITER, metadata=True), self.table.path, gated=False)
        ours = ("hoodie.clean", "hoodie.keep", "hoodie.archive", "hoodie.metadata")
        free = {key: value for key, value in options.items() if not key.startswith(ours)}
        return SplitClient(self._session, str(self.table.path), free)

    def compactions(self) -> int:
        """How many compactions of the metadata table are completed."""
        names = (self.table.path / METADATA_FOLDER / timeline_folder(2)).glob("*.commit")
        return len(list(names))

    def delete_metadata_table(self) -> None:
        hudi = self._session.jvm.java.org.apache.hudi
        context = hudi.client.common.HoodieSparkEngineContext(self._session.context._jsc)
        hudi.metadata.HoodieTableMetadataUtil.deleteMetadataTable(str(self.table.path), context)

    def upsert(self, *rows: tuple[str, str, str], ordering: int = 0, **settings: Any) -> None:
        client = self.client(**settings)
        client.start()
        client.upsert(rows, ordering)
        client.commit()
        client.close()


def test_it_is_compacted_after_as_many_delta_commits_as_in_the_model(spark, tmp_path):
    """By who begins a write, before anything else: `test_it_is_compacted_after_so_many_delta_commits` has the same."""
    one, found = _Table(spark[0], tmp_path / "t"), []
    for number in range(5):
        one.upsert(("1", "p", str(number)), ordering=number, metadata_compact_after=4)
        found.append(one.compactions())
    assert found == [0, 0, 0, 1, 1]


@pytest.mark.parametrize("deletes", [9, 6])
def test_with_default_settings_a_partition_that_is_filled_again_makes_the_table_unreadable(spark, tmp_path, deletes):
    """When archiving takes away the deletion, whichever commit made it: in the model, and when it was measured,
    the thirtieth after the first. What archiving waits for is not ours to say, so a few more may do."""
    one = _Table(spark[0], tmp_path / "t")
    one.upsert(("1", "p", "a"), ("2", "q", "b"))
    emptied = False
    for number in range(36):
        client = one.by_default()
        is_there = bool(list((one.table.path / "p").glob("*.parquet")))
        fills = number > deletes and not emptied and not is_there
        client.start(REPLACE_COMMIT if number == deletes else COMMIT)
        if number == deletes:
            client.delete_partition("p")
        elif fills:
            emptied = client.insert((("5", "p", "new"),), number) > 0
        else:
            client.upsert((("2", "q", str(number)),), number)
        client.commit()
        client.close()
        rows, why = one.table.rows() if number >= 28 else (None, None)
        if why is not None:
            break
        assert number < 28 or rows == (("2", str(number)), ("5", "new"))
    assert "does not exist" in str(why)
    assert one.table.rows(listed=True) == ((("2", str(number)), ("5", "new")), None)


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
