"""Where rows belong, in which order partitions are written, and what is done in each."""

import pytest

from model.hudi import Cleaner, HudiClient, Reader
from model.hudi.errors import WriteConflict
from model.hudi.names import TEMP
from model.hudi.partitions import Partitions, slot
from tests.unit.hudi.worlds import Lab

WHERE = Partitions("p", (("1", "p"), ("2", "2026/11"), ("3", "p_1")))
GROUPS = (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)), ("fg3", ((3, "c"),)))
PLACED = ("p", "2026/11", "p_1")
JAVA = {
    "p": 0, "p_1": 3, "q_1": 2, "p_2": 2, "2026/1": 10, "2026/11": 7, "2026/1_1": 1, "event_date=1": 11, "p1": 1,
    "p2": 2, "p3": 3,
}  # fmt: skip
"""Slots of Java 17's `HashMap`, printed by it."""


def test_partitions_come_in_the_order_of_a_java_map():
    """As `UpsertPartitioner` makes its buckets; a key that nobody placed belongs to the default."""
    assert {name: slot(name) for name in JAVA} == JAVA
    rows = (("1", "A"), ("2", "B"), ("3", "C"), ("9", "N"))
    names = [name for name, _ in WHERE.split(rows)]
    assert names == sorted(PLACED, key=slot)
    assert dict(WHERE.split(rows))["p"] == (("1", "A"), ("9", "N"))
    assert Partitions("p").split(rows) == (("p", rows),)
    assert WHERE.names == ("p", "2026/11", "p_1")


def test_a_write_changes_the_groups_of_every_partition_and_then_begins_new_ones():
    """One instant, one stat for each file; a new key goes where it belongs."""
    lab = Lab(groups=GROUPS, partitions=PLACED)
    client = HudiClient(lab.world("w1"), lab.config, owner="w1")
    instant = client.start_commit()
    written = client.upsert((("9", "N"), ("1", "A"), ("2", "B")), instant, WHERE)
    client.commit(instant, written)
    expected = [("p", "fg1"), ("2026/11", "fg2")]
    assert [stat.group for stat in written.stats[:2]] == sorted(expected, key=lambda group: slot(group[0]))
    assert (written.stats[2].partition, written.stats[2].previous) == ("p", None)
    assert dict(written.before) == {"1": "a", "2": "b", "9": None}
    view = Reader(lab.world("r"), lab.config).read(PLACED)
    assert view.rows == (("1", ("A",)), ("2", ("B",)), ("3", ("c",)), ("9", ("N",)))


def test_a_rollback_finds_what_a_loser_left_in_every_partition():
    """Of one level and of two: markers and data are gone, the winner's stay."""
    lab = Lab("prefer-writer", groups=GROUPS, partitions=PLACED)
    clients = [HudiClient(lab.world(name), lab.config, owner=name) for name in ("w1", "w2")]
    instants = [client.start_commit() for client in clients]
    values = zip(clients, instants, ("A", "B"), strict=True)
    written = [client.upsert((("2", value), ("3", value)), at, WHERE) for client, at, value in values]
    clients[0].commit(instants[0], written[0])
    with pytest.raises(WriteConflict, match="write conflict"):
        clients[1].commit(instants[1], written[1])
    Cleaner(lab.world("c"), lab.config).rollback_failed_writes()
    left = [stat.path for one in written for stat in one.stats if lab.files.exists(stat.path)]
    assert left == [stat.path for stat in written[0].stats]
    assert lab.files.list(TEMP) == ()
