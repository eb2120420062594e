"""The compaction of the metadata table: when it comes, what it holds back, and what it brings back."""

from dataclasses import replace

import pytest

from model.hudi import Cleaner, HudiClient, Reader, coverage
from model.hudi.archiving import TimelineArchiver
from model.hudi.errors import MetadataCompacted, StorageFailed
from model.hudi.file_groups import DELETE_PARTITION
from model.hudi.keys import METADATA_COMPACT_AFTER
from model.hudi.metadata_folder import Below
from model.hudi.metadata_records import FilesRecord
from model.hudi.metadata_table import MetadataTable
from model.hudi.names import COMMIT, COMPACTION, REPLACE_COMMIT, requested_path, timeline_folder
from model.hudi.names import METADATA as FOLDER
from model.hudi.timeline import Timeline, parse_timeline
from sim.generation.draws import PinError, seeded
from sim.hudi.build import OPTIMISTIC, TWO_GROUPS
from sim.hudi.built_in.metadata_compactions import EVERY_FOURTH
from sim.hudi.built_in.metadata_tables import EACH, LISTED_BY
from sim.hudi.generate import GENERATOR
from tests.unit.hudi.worlds import Lab

APART = {"groups": TWO_GROUPS, "partitions": ("p1", "p2")}
OPTIONS = (*OPTIMISTIC, LISTED_BY)


class _Client:
    """One client that writes, and cleans and archives after each write if it is told to."""

    def __init__(self, *options: tuple[str, str], serves: bool = False) -> None:
        self.lab = Lab((*OPTIONS, *options), **APART)  # type: ignore[arg-type]
        self.where = self.lab.workload.where
        world, config = self.lab.world("w1"), self.lab.config
        self._client, self._serves = HudiClient(world, config), serves
        self.cleaner, self.archiver = Cleaner(world, config), TimelineArchiver(world, config)

    def upsert(self, key: str, value: str) -> None:
        """Change a row."""
        instant = self._client.start_commit()
        self._client.commit(instant, self._client.upsert(((key, value),), instant, self.where))
        self._serve()

    def insert(self, key: str) -> None:
        """Insert a row into the first partition."""
        instant = self._client.start_commit()
        self._client.commit(instant, self._client.insert(((key, "new"),), instant, self.where))
        self._serve()

    def delete(self, partition: str) -> None:
        """Delete a partition."""
        instant = self._client.start_commit(REPLACE_COMMIT)
        written = self._client.replace((), instant, self.where, DELETE_PARTITION, (partition,))
        self._client.commit(instant, written)
        self._serve()

    def has(self, partition: str) -> bool:
        """Whether a partition has files."""
        return any(path.startswith(f"{partition}/") for path in self.lab.files.files)

    def rows(self) -> object:
        """What a reader sees."""
        return Reader(self.lab.world("r"), self.lab.config).read().rows

    def own(self) -> Timeline:
        """The metadata table's timeline."""
        return parse_timeline(Below(self.lab.files, FOLDER).list(timeline_folder(2)))

    def _serve(self) -> None:
        self.lab.wait(10)
        if self._serves:
            self.cleaner.clean()
            self.archiver.archive()


def test_it_is_compacted_after_so_many_delta_commits() -> None:
    """That by which Hudi makes the table is one; who begins to write compacts."""
    client, actions = _Client(EVERY_FOURTH), []
    for number in range(7):
        client.upsert("1", str(number))
        actions.append([each.action for each in client.own().instants if each.action == COMMIT])
    assert [len(found) for found in actions] == [0, 0, 1, 1, 1, 1, 2]
    assert client.rows() == (("1", ("6",)), ("2", ("b",)))


@pytest.mark.parametrize(("deletes", "last"), [*[(number, 29) for number in (4, 5, 6, 7, 9)], (10, 40), (12, 40)])
def test_by_default_a_partition_that_is_filled_again_makes_the_table_unreadable(deletes: int, last: int) -> None:
    """All settings are Hudi's own, and so is when services come: the commit after whose archiving the deletion is gone
    is the last. No clean takes out before what is listed again: none looks into a partition for a new file group."""
    client = _Client((METADATA_COMPACT_AFTER, "10"), serves=True)
    emptied = False
    for number in range(last):
        if number == deletes:
            client.delete("p1")
        elif number > deletes and not emptied and not client.has("p1"):
            emptied = True
            client.insert("5")
        else:
            client.upsert("2", str(number))
        assert client.rows() is not None
    client.upsert("2", "last")
    with pytest.raises(StorageFailed, match="expected the file of a visible slice"):
        client.rows()
    by_folders = replace(client.lab.config, metadata=False)
    assert Reader(client.lab.world("r"), by_folders).read().rows == (("2", ("last",)), ("5", ("new",)))


def _table(lab: Lab) -> MetadataTable:
    return MetadataTable(lab.world("w1"), replace(lab.config, metadata_compact_after=1))


def test_what_is_compacted_is_not_rolled_back() -> None:
    """A rollback of it fails, as in `validateRollback`, and each later one will."""
    lab, times = Lab(), iter(range(100, 200))
    table = _table(lab)
    table.update(1, FilesRecord((("p1", "a"),)), times.__next__)
    table.perform_services(times.__next__)
    with pytest.raises(MetadataCompacted, match="000001"):
        table.take_back(1, times.__next__)
    table.update(150, FilesRecord((("p1", "b"),)), times.__next__)
    table.take_back(150, times.__next__)
    assert table.listing().list("p1") == ("a",)


def test_a_pending_write_that_it_knows_comes_after_a_compaction() -> None:
    """So it can be rolled back."""
    lab, times = Lab(), iter(range(100, 200))
    table = _table(lab)
    table.update(1, FilesRecord((("p1", "a"),)), times.__next__)
    lab.files.create(requested_path(2, 101, COMMIT), None)
    table.update(101, FilesRecord((("p1", "b"),)), times.__next__)
    table.perform_services(times.__next__)
    assert coverage.METADATA_BEFORE_PENDING in lab.simulation.kernel.coverage
    table.take_back(101, times.__next__)
    assert table.listing().list("p1") == ("a",)


def test_who_comes_next_carries_out_a_compaction_that_was_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has written is deleted, and written anew."""
    lab, times = Lab(), iter(range(100, 200))
    table = _table(lab)
    table.update(1, FilesRecord((("p1", "a"),)), times.__next__)
    with monkeypatch.context() as patched:
        patched.setattr("model.hudi.active_timeline.ActiveTimeline.complete", _dies)
        with pytest.raises(RuntimeError):
            table.perform_services(times.__next__)
    below = Below(lab.files, FOLDER)
    assert parse_timeline(below.list(timeline_folder(2))).pending[0].action == COMPACTION
    before = below.list("files")
    _table(lab).perform_services(times.__next__)
    after = below.list("files")
    assert (len(before), len(after), set(before) == set(after)) == (2, 2, False)
    assert coverage.METADATA_COMPACTION_RESUMED in lab.simulation.kernel.coverage
    assert table.listing().list("p1") == ("a",)


def _dies(*_: object) -> None:
    raise RuntimeError("dies")


def test_nobody_archives_before_a_compaction() -> None:
    """Nor what was completed after it."""
    client = _Client(("hoodie.keep.min.commits", "1"), ("hoodie.keep.max.commits", "2"), EVERY_FOURTH)
    kept = []
    for number in range(8):
        client.upsert("1", str(number))
        client.archiver.archive()
        done = parse_timeline(client.lab.files.list(timeline_folder(2))).completed
        kept.append(len(done))
    assert kept == [2, 3, 1, 2, 3, 4, 1, 2]


def test_it_is_compacted_after_ten_delta_commits_by_default() -> None:
    """The tables begin with two: that by which it is made, and the first write's."""
    client, compactions = _Client(), []
    for number in range(9):
        client.upsert("1", str(number))
        compactions.append(sum(each.action == COMMIT for each in client.own().instants))
    assert compactions == [0] * 8 + [1]


def test_it_is_drawn_with_a_metadata_table_alone() -> None:
    """Whoever pins it needs one."""
    compacted = GENERATOR.configurations["metadata-compacted"]
    assert dict(GENERATOR.make(seeded(1), compacted).parameters)[METADATA_COMPACT_AFTER] == "4"
    with pytest.raises(PinError, match="without a metadata table"):
        GENERATOR.make(seeded(1), {**GENERATOR.configurations["default"], **dict([EACH])})
