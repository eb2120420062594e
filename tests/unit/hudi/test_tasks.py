"""Tasks of a write that run side by side: what is marked, and what is written, when one of them is refused."""

import pytest

from model.hudi import HudiClient
from model.hudi.errors import EarlyConflict
from tests.unit.hudi.worlds import Lab

THREE = (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)), ("fg3", ((3, "c"),)))
ROWS = (("1", "A"), ("2", "B"), ("3", "C"))


def _refused(tasks):
    """A write of all three files while another one has marked the second: the markers and files that it leaves."""
    lab = Lab("direct", THREE)
    other = HudiClient(lab.world("w1"), lab.config, owner="w1")
    other.upsert((("2", "x"),), other.start_commit())
    client = HudiClient(lab.world("w2"), lab.config, owner="w2")
    instant = client.start_commit()
    with pytest.raises(EarlyConflict, match="p1/fg2"):
        client.upsert(ROWS, instant, tasks=tasks)
    marked = [name[:3] for name in lab.files.list(f".hoodie/.temp/{instant:06}/p1")]
    written = [name[:3] for name in lab.files.list("p1") if name.endswith(f"_{instant:06}.parquet")]
    return marked, written


@pytest.mark.parametrize(
    ("tasks", "left"),
    [
        (1, (["fg1"], ["fg1"])),
        (2, (["fg1"], [])),
        (3, (["fg1", "fg3"], [])),
    ],
)
def test_a_refusal_ends_the_tasks_beside_it_when_they_have_made_their_markers(tasks, left):
    """And no task after them begins."""
    assert _refused(tasks) == left


def test_the_number_of_tasks_changes_nothing_for_who_is_not_refused():
    """The same files, in the same order, and the rows of all."""
    stats = []
    for tasks in (1, 2, 5):
        lab = Lab("direct", THREE)
        client = HudiClient(lab.world("w1"), lab.config, owner="w1")
        instant = client.start_commit()
        written = client.upsert(ROWS, instant, tasks=tasks)
        client.commit(instant, written)
        stats.append(written.stats)
    assert stats[0] == stats[1] == stats[2]
    assert [stat.file_id for stat in stats[0]] == ["fg1", "fg2", "fg3"]
