"""Truncates on live metastores 4.0.1: what they take back, which partitions they do not reach, and whose rows stay; and
which are refused when all rows are gone."""

import pytest
from hive_metastore import ttypes as wire

from model.hive.rules import SHIPPED, UNCACHED
from real_backend.hive.backing import Backing
from real_backend.hive.client import new_table
from real_backend.hive.logged import truncates
from real_backend.hive.metastore import NEVER_REFRESHED
from sim.hive.build import EVENTUAL, EXTERNAL, STEPS, STOPPING, E, Sessions, metastore
from sim.hive.live import TRUNCATE
from sim.hive.truncate_statements import Truncate
from sim.hive.workload import Drop, ListPartitions
from sim.search.projection import Played
from tests.live.hive.agreement import both, both_generated, found, played, scenario_of
from tests.live.hive.started import alone
from tests.live.hive.test_refresh import alter, create, read, two

pytestmark = pytest.mark.live
EVENTS = NEVER_REFRESHED | {"metastore.cache.can.use.event": "true"}


def partition(like, value, folder):
    """A partition with one row, in a folder of this name."""
    place = folder / value
    place.mkdir(parents=True)
    (place / "rows").write_text("1")
    sd = wire.StorageDescriptor(**{**vars(like), "location": f"file:{place}"})
    return wire.Partition(values=[value], dbName="default", tableName="p", sd=sd, parameters={"v": "p0"})


@pytest.mark.parametrize("mode", [NEVER_REFRESHED, EVENTS], ids=["by default", "event mode"])
def test_a_truncate_is_made_of_what_the_cache_has(metastores, tmp_path, mode):
    """h1 alters a table, and h2, which has not heard of it, truncates it; then the same of partitions, of which h1 adds
    one and moves another one. h2 is told that it did. Both metastores are unmodified, and nobody holds them; h2 reads
    no event but when it changes something itself."""
    name = f"truncates_{len(mode['metastore.cache.can.use.event'])}"
    with two(metastores, name, mode, mode) as (h1, h2):
        backing = Backing(metastores.postgres, name)
        create(h1, "e", "e0")
        assert read(h2, "e") == ("e0", "e")
        alter(h1, "e", "e1")
        logged = truncated(backing, h2, "e")
        kept = row_of(backing, "e").parameters["v"]
        table = new_table("default.p", f"file:{tmp_path}/table", managed=False, value="v0", partitioned=True)
        h2.create_table(table)
        h2.add_partition(partition(table.sd, "1", tmp_path))
        h1.add_partition(partition(table.sd, "2", tmp_path))
        moved = partition(table.sd, "moved", tmp_path)
        moved.values, moved.parameters = ["1"], {"v": "p1"}
        h1.alter_partition("default", "p", moved)
        logged += truncated(backing, h2, "p")
        left = sorted(place.parent.name for place in tmp_path.rglob("rows"))
        parts = dict(backing.partitions(row_of(backing, "p").live_id))
        backing.close()
    assert logged == [
        ("ALTER_TABLE", True), ("ALTER_TABLE", False), ("ALTER_PARTITION", True), ("ALTER_PARTITION", False)
    ]  # fmt: skip
    assert left == ["2", "moved"]
    assert (kept, parts) == ("e0", {"1": "p0", "2": "p0"})


def test_in_event_mode_a_truncate_of_several_partitions_deletes_all_rows_and_is_refused(metastores, tmp_path):
    """One unmodified metastore. What it says of the rows that are gone stays, however often it is tried; partition by
    partition it is done."""
    with alone(metastores, "refused", EVENTS) as one, one.connect() as calls:
        backing = Backing(metastores.postgres, "refused")
        table = new_table("default.p", f"file:{tmp_path}/table", managed=False, value="v0", partitioned=True)
        calls.create_table(table)
        made = [partition(table.sd, value, tmp_path) for value in "123"]
        calls.add_partitions(made)
        for each in made:
            each.parameters |= {"numRows": "1"}
            counted = wire.EnvironmentContext({"STATS_GENERATED": "TASK"})  # as a query says of what it has written
            calls.alter_partition_with_environment_context("default", "p", each, counted)
        for known in ("011", "001", "001"):
            before = backing.last_event()
            with pytest.raises(wire.MetaException, match="Should execute startTimer"):
                calls.truncate_table("default", "p", None)
            rows = calls.get_partitions("default", "p", -1)
            assert "".join([each.parameters["numRows"] for each in rows]) == known
            assert [truncates(row) for row in backing.events_after(before)] == [True, False, True]
            assert not list(tmp_path.rglob("rows"))
        assert '"BASIC_STATS":"true"' in rows[2].parameters["COLUMN_STATS_ACCURATE"]
        calls.truncate_table("default", "p", ["p=3"])
        assert {each.parameters["numRows"] for each in calls.get_partitions("default", "p", -1)} == {"0"}
        backing.close()


def row_of(backing, name):
    """A table as the database has it."""
    row = backing.table(f"default.{name}")
    assert row is not None
    return row


def truncated(backing, calls, name):
    """Truncate a table; the events of that, and which has the mark."""
    before = backing.last_event()
    calls.truncate_table("default", name, None)
    return [(row.kind, truncates(row)) for row in backing.events_after(before)]


@pytest.mark.parametrize(
    "name", ["refresh-truncate-reverts", "refresh-truncate-partitions", "evicted-truncate", "shipped-truncate-refused"]
)
def test_what_the_search_finds_happens_live(hive, name):
    """The smallest failing schedule, and the property that it breaks."""
    both_generated(hive, scenario_of(name), Played(*found(name)))


@pytest.mark.parametrize(("rules", "pollers"), [(UNCACHED, ()), (SHIPPED, ("h1",))], ids=["no-cache", "event-mode"])
def test_a_truncate_of_what_is_not_there_is_refused_in_its_step(hive, rules, pollers):
    """When it reads, which is no step of its own live."""
    sessions: Sessions = {"w1": ("h1", (Drop(E),)), "w2": ("h1", (Truncate(E), ListPartitions(E)))}
    steps = (*STEPS, TRUNCATE)
    scenario = metastore(
        "truncate-of-nothing", "Nothing is left.", sessions, rules=rules, tables=EXTERNAL, pollers=pollers, steps=steps,
        properties=EVENTUAL, but=STOPPING, broken="acknowledged-writes-survive",
    )  # fmt: skip
    live = both(hive, scenario, *played(scenario, "w1.drop_table w2.truncate_table w2.get_partitions"))
    assert live.errors("w2") == ("NoSuchTable",)
