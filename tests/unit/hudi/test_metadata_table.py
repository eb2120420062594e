"""The metadata table: what it lists, what a write and its rollback leave in it, and who waits for the lock."""

from dataclasses import replace

import pytest

from model.hudi import Cleaner, HudiClient, Reader
from model.hudi.errors import ConfigError, InstantGone
from model.hudi.file_groups import DELETE_PARTITION
from model.hudi.keys import METADATA
from model.hudi.metadata_folder import Below
from model.hudi.metadata_records import FilesRecord
from model.hudi.metadata_table import MetadataTable
from model.hudi.names import METADATA as FOLDER
from model.hudi.names import REPLACE_COMMIT, requested_path
from model.hudi.options import parse_options
from sim.hudi.build import OPTIMISTIC, TWO_GROUPS
from sim.hudi.built_in.cleaning import ONE_RETAINED
from sim.hudi.built_in.metadata_tables import LISTED_BY
from tests.unit.hudi.metadata_vectors import VECTORS, record_of
from tests.unit.hudi.worlds import Lab

OPTIONS = (*OPTIMISTIC, LISTED_BY)
APART = {"groups": TWO_GROUPS, "partitions": ("p1", "p2")}


def _listed(table: MetadataTable) -> str:
    listing = table.listing()
    return " ".join([f"{folder}/{name}" for folder in listing.folders() for name in listing.list(folder)]) or "-"


@pytest.mark.parametrize("line", VECTORS)
def test_what_is_listed(line: str) -> None:
    """As the vectors say."""
    deltas, pending, expected = [part.strip() for part in line.split("|")]
    lab = Lab()  # a table without one: what is told here is all that there is
    world = lab.world("w1")
    table = MetadataTable(world, replace(lab.config, metadata_compact_after=1))
    now = [100]

    def later() -> int:
        now[0] += 1
        return now[0]

    for instant in [] if pending == "-" else pending.split():
        lab.files.create(requested_path(2, int(instant), "commit"), None)
    for delta in deltas.split(";"):
        instant, *words = delta.split()
        if instant == "=":
            table.perform_services(later)
        else:
            now[0] = max(now[0], int(instant))
            table.update(int(instant), record_of(words), later)
    assert _listed(table) == expected


def _lab(*options: tuple[str, str]) -> Lab:
    return Lab((*OPTIONS, *options), **APART)  # type: ignore[arg-type]


def test_a_reader_is_told_of_what_is_committed() -> None:
    """Its files are listed with the commit, and not before."""
    lab = _lab()
    client = HudiClient(lab.world("w1"), lab.config)
    instant = client.start_commit()
    written = client.upsert((("1", "A"),), instant, lab.workload.where)
    assert Reader(lab.world("r"), lab.config).read().rows == (("1", ("a",)), ("2", ("b",)))
    client.commit(instant, written)
    assert Reader(lab.world("r"), lab.config).read().rows == (("1", ("A",)), ("2", ("b",)))


def test_a_rollback_takes_back_what_was_announced() -> None:
    """Who goes on after it finds nothing to begin."""
    lab = _lab()
    client = HudiClient(lab.world("w1"), lab.config)
    instant = client.start_commit()
    written = client.upsert((("1", "A"),), instant, lab.workload.where)
    client.metadata.announce(instant, lambda: 99)
    _roll_back(lab, client)
    with pytest.raises(InstantGone):
        client.metadata.update(instant, FilesRecord(), lambda: 99)
    assert written.stats


def test_a_commit_after_its_rollback_leaves_a_file_that_is_gone() -> None:
    """What was not announced when the write was rolled back is written, although the commit fails after it."""
    lab = _lab()
    client = HudiClient(lab.world("w1"), lab.config)
    instant = client.start_commit()
    written = client.upsert((("1", "A"),), instant, lab.workload.where)
    (path,) = [stat.path for stat in written.stats]
    _roll_back(lab, client)
    client.heartbeats.start(instant)
    with pytest.raises(InstantGone, match="inflight"):
        client.commit(instant, written)
    assert path in _listed(MetadataTable(lab.world("r"), lab.config)).split()
    assert not lab.files.exists(path)


def _roll_back(lab: Lab, client: HudiClient) -> None:
    """Another client rolls back what is pending, whose heartbeat has stopped."""
    client.heartbeats.stop_timers()
    for path in [path for path in lab.files.files if path.startswith(".hoodie/.heartbeat/")]:
        lab.files.delete(path)
    Cleaner(lab.world("w2"), lab.config).rollback_failed_writes()


def test_what_a_clean_takes_out_stays_out_for_writes_of_smaller_instants() -> None:
    """A partition is emptied and cleaned while a write is under way: its rows are acknowledged, and never seen."""
    lab = _lab(ONE_RETAINED)
    where = lab.workload.where
    one = HudiClient(lab.world("w1"), lab.config)
    instant = one.start_commit(REPLACE_COMMIT)
    one.commit(instant, one.replace((), instant, where, DELETE_PARTITION, ("p1",)))
    instant = one.start_commit()
    one.commit(instant, one.upsert((("2", "B"),), instant, where))
    slow = HudiClient(lab.world("w2"), lab.config)
    begun = slow.start_commit()
    Cleaner(lab.world("w3"), lab.config).clean()
    slow.commit(begun, slow.insert((("5", "e"),), begun, where))
    assert Reader(lab.world("r"), lab.config).read().rows == (("2", ("B",)),)
    by_folders = replace(lab.config, metadata=False)
    assert Reader(lab.world("r"), by_folders).read().rows == (("2", ("B",)), ("5", ("e",)))


def test_it_is_below_a_folder_of_its_own() -> None:
    """A file is renamed there, too."""
    lab = _lab()
    below = Below(lab.files, FOLDER)
    below.create("x", 1)
    assert below.rename("x", "y")
    assert lab.files.read(f"{FOLDER}/y") == 1


def test_there_is_none_in_tables_of_version_6() -> None:
    """The model has none."""
    config = parse_options(dict((*OPTIONS, ("hoodie.write.table.version", "6"))))
    with pytest.raises(ConfigError, match=METADATA):
        HudiClient(Lab().world("w1"), config)
