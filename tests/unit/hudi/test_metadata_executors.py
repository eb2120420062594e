"""Two that carry out one plan beside a metadata table: what each makes there, and what readers are told."""

from pathlib import Path

import pytest

from model.hudi import ClusteringClient, Reader
from model.hudi.errors import HudiError, StorageFailed
from model.hudi.metadata_folder import Below
from model.hudi.metadata_records import FilesRecord
from model.hudi.metadata_table import MetadataTable
from model.hudi.names import METADATA, timeline_folder
from model.hudi.partitions import ONE_PARTITION
from model.hudi.timeline import parse_timeline
from sim.hudi.build import PREFERRING, SCHEME
from sim.hudi.built_in.metadata_tables import LISTED_BY
from sim.hudi.listed import wrong_of_listing
from tests.mutants.hudi_vectors import FINDS_NO_EXECUTOR, ONE_LOG_FOR_ALL
from tests.unit.hudi.worlds import Lab

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hudi_metadata_executors.txt"
CASES = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
INSTANT, PARTITION = 7, "p9"


def _played(line: str) -> tuple[str, str, str]:
    """What a case comes to: who was told what, what is listed, how often the instant is completed."""
    scheme, script, *_ = [part.strip() for part in line.split("|")]
    lab, told, now = Lab((*PREFERRING, LISTED_BY, (SCHEME, scheme))), dict[str, str](), [100]
    tables: dict[str, MetadataTable] = {}

    def later() -> int:
        now[0] += 1
        return now[0]

    for word in script.split():
        name, call = word.split(".")
        table = tables.setdefault(name, MetadataTable(lab.world(name), lab.config))
        try:
            if call == "announce":
                table.announce_service(INSTANT, later)
            elif call == "update":
                table.update(INSTANT, FilesRecord(added=((PARTITION, name),)), later)
            else:
                table.take_back(INSTANT, later)
        except HudiError as error:
            told[name] = type(error).__name__
    listed = " ".join(MetadataTable(lab.world("r"), lab.config).listing().list(PARTITION)) or "-"
    own = parse_timeline(Below(lab.files, METADATA).list(timeline_folder(2)))
    done = [each for each in own.completed if each.requested == INSTANT]
    return " ".join([f"{name}={error}" for name, error in told.items()]) or "-", listed, str(len(done))


@pytest.mark.parametrize("line", CASES)
def test_executors_of_one_instant(line: str) -> None:
    """As the vectors say."""
    assert list(_played(line)) == [part.strip() for part in line.split("|")][2:]


@pytest.mark.parametrize("mutant", [FINDS_NO_EXECUTOR, ONE_LOG_FOR_ALL], ids=lambda mutant: mutant.name)
def test_vectors_kill_mutants(mutant) -> None:
    """Some vector does not come out."""
    with mutant.alive():
        assert any(list(_played(line)) != [part.strip() for part in line.split("|")][2:] for line in CASES)


def test_who_commits_what_another_one_has_deleted_leaves_a_table_that_nobody_can_read() -> None:
    """Each has deleted the other one's file, by its rollback and by its markers, and both are listed; without a
    metadata table they would not be found, and no row be seen."""
    lab = Lab((*PREFERRING, LISTED_BY))
    one, other = (ClusteringClient(lab.world(name), lab.config, owner=name) for name in ("c1", "w1"))
    instant = one.schedule(ONE_PARTITION.names)
    written, again = one.execute(instant), other.execute(instant)
    one.commit(instant, written)
    other.commit(instant, again)
    with pytest.raises(StorageFailed, match="it is gone"):
        Reader(lab.world("r"), lab.config).read()
    wrong = list(wrong_of_listing(lab.simulation, lab.workload, lab.config))
    assert [text.partition(":")[0] for text in wrong] == ["file-gone", "file-gone"]


def test_a_plan_is_announced_before_its_files_are_written() -> None:
    """Where another one finds it."""
    lab = Lab((*PREFERRING, LISTED_BY))
    client = ClusteringClient(lab.world("c1"), lab.config)
    instant = client.schedule(ONE_PARTITION.names)
    written = client.execute(instant)
    own = parse_timeline(Below(lab.files, METADATA).list(timeline_folder(2)))
    assert [each.requested for each in own.pending] == [instant]
    client.commit(instant, written)
