"""Marker files that vanish, or whose type does or is cut, on the real Hudi 1.2.0: what a rollback makes of it."""

import pytest

from model.hudi.keys import USING_MARKERS
from tests.live.hudi.agreement import both, found, walked
from tests.live.hudi.test_marker_names import SERVER, SERVICES, Table

pytestmark = pytest.mark.live
LISTED = {USING_MARKERS: "false"}


def one_refused(run):
    """One writer commits, the other one is refused when it has written its file; a marker file is damaged before."""
    losers = [actor for actor, _ in run.outcomes if run.error(actor) == "HoodieWriteConflictException"]
    return len(losers) == 1 and any("hand.delete(markers)" in step for step in run.steps)


@pytest.mark.parametrize(
    ("name", "find"), [("marker-vanished", found), ("marker-vanished-server", walked), ("marker-type-cut", walked)]
)
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name, find):
    """Steps, outcomes, completed instants and rows agree, and somebody is refused whose marker is not as it was."""
    scenario, schedule, run = find(name)
    assert one_refused(both(hudi, scenario, schedule, run))


def rolled_back(spark, path, options, vanishes):
    """A writer dies, the first file with such a name vanishes, and another one begins, which rolls back first.

    Returns: the data files that there are then in the partition of the first one.
    """
    made = Table(spark, path, options)
    made.write("1", "p", "a", 0)
    made.write("1", "p", "dead", 1, dies=True)
    min(made.table.path.glob(f".hoodie/.temp/**/{vanishes}")).unlink()
    made.write("2", "q", "b", 2)
    assert made.table.rows() == ((("1", "a"), ("2", "b")), None)
    return len(list((made.table.path / "p").glob("*.parquet")))


@pytest.mark.parametrize(
    ("options", "vanishes", "files"),
    [
        ({}, "*.marker.*", 2),
        (LISTED, "*.marker.*", 1),
        (SERVER, "MARKERS0", 2),
        ({**SERVER, **LISTED}, "MARKERS0", 1),
        (SERVER, "MARKERS.type", 1),
    ],
    ids=["direct", "direct, listed", "server", "server, listed", "type"],
)
def test_the_file_stays_whose_marker_vanished(spark, tmp_path, options, vanishes, files):
    """Unless rollbacks list files; without the type alone nothing stays."""
    assert rolled_back(spark, tmp_path / "t", options, vanishes) == files


def test_what_stayed_is_read_when_it_is_archived(spark, tmp_path):
    """One writer, the default clean-up: the write that was rolled back is taken for committed."""
    made = Table(spark, tmp_path / "t", SERVICES)
    made.write("1", "p", "a", 0)
    made.write("1", "p", "dead", 1, dies=True)
    min(made.table.path.glob(".hoodie/.temp/**/*.marker.*")).unlink()
    for number in range(2, 8):
        made.write("2", "q", f"b{number}", number)
    assert made.table.rows() == ((("1", "dead"), ("2", "b7")), None)
