"""CachedStore in its default mode takes the cache's word for a table: what live metastores answered, as data."""

import json
from pathlib import Path

import pytest

from checkers.histories.recorder import Recorder
from model.hive.cached_objects import EVERYTHING
from model.hive.errors import CacheAlone, NoSuchTable, PartitionsLeft
from model.hive.rows import Event, Table
from model.hive.rules import SHIPPED, SHIPPED_REFRESH
from sim.hive.present import Present
from tests.mutants.hive_believed import MUTANTS
from tests.unit.hive.lab import E, Lab
from tests.unit.hive.scenarios import Script

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_believed.json"
SCENARIOS = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]


def differs(scenario):
    """The first step that answers something else than the row says; "" if none does."""
    script = Script(SHIPPED_REFRESH)
    for step in scenario["steps"]:
        command, _, expected = step.partition(" -> ")
        if (got := script.run(command)) != expected:
            return f"{command} -> {got}"
    return ""


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["case"].split(",")[0].split(";")[0])
def test_what_live_metastores_answered(scenario):
    """Each step answers what the row says."""
    assert differs(scenario) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_each_rule_is_noticed(mutant):
    """By a row that answers something else."""
    with mutant.alive():
        assert any(map(differs, SCENARIOS))


def test_the_event_mode_asks_the_database():
    """It drops a table with partitions that its cache lacks, and not what is gone."""
    lab = Lab(SHIPPED)
    lab.session("h1").put_partition(E, "d=1", "p1")
    lab.session("h2").drop_table(E)
    with pytest.raises(NoSuchTable):
        lab.session("h2").drop_table(E)


def test_a_refresh_mends_what_could_not_be_changed():
    """What was refused for what the cache had, or had not, is done after it."""
    lab = Lab(SHIPPED_REFRESH)
    first, other = lab.session("h2"), lab.session("h1")
    other.put_partition(E, "d=1", "p1")
    with pytest.raises(PartitionsLeft):
        first.drop_table(E)
    for _ in range(2):
        lab.replica("h2").poller.poll()
    other.drop_partition(E, "d=1")
    with pytest.raises(CacheAlone):
        first.put_partition(E, "d=1", "p2")
    for _ in range(2):
        lab.replica("h2").poller.poll()
    first.put_partition(E, "d=1", "p2")
    first.drop_table(E)
    assert lab.log()[-2:] == ["ADD_PARTITION", "DROP_TABLE"]


def test_of_a_table_that_is_not_to_be_cached_the_database_is_asked():
    """There is nothing to believe."""
    lab = Lab(SHIPPED_REFRESH)
    cache = lab.replica("h2").cache
    cache.objects = EVERYTHING._replace(denied=r"hive\.default\.e")
    del cache.entries[E]
    first, other = lab.session("h2"), lab.session("h1")
    other.put_partition(E, "d=1", "p1")
    first.put_partition(E, "d=1", "p2")
    first.drop_partition(E, "d=1")
    first.put_partition(E, "d=1", "p3")
    first.drop_table(E)
    with pytest.raises(NoSuchTable):
        first.drop_table(E)
    assert E not in cache.entries


def test_what_a_believed_change_wrote_is_told_of_the_table_that_has_the_name():
    """Its event names the table that the cache has; one of a name that nobody has wrote nothing."""
    record = Recorder(lambda: 0)
    record.setup([("table:1", "e0"), ("partition:1/d=1", "p1")], 0)
    present = Present(record, [E])
    old = Table(1, E, False, (("v", "e0"),))
    renamed = Event(1, 1, "ALTER_TABLE", name=E, table=old._replace(name="default.u"))
    assert present.after(renamed) == [("table:1", "e0")]
    assert present.after(Event(2, 2, "DROP_PARTITION", name=E, table=old, partition=("d=1", None))) == []
    assert present.after(Event(3, 3, "DROP_TABLE", name=E, table=old)) == []
    made = Event(4, 4, "CREATE_TABLE", name=E, table=old._replace(id=2))
    assert present.after(made) == [("table:2", "e0")]
    assert present.after(Event(5, 5, "DROP_TABLE", name=E, table=old)) == [("table:2", None)]
