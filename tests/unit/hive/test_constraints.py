"""Constraints: upstream's test as data, what the database refuses, and what a run says of a key."""

import pytest

from checkers.histories.recorder import Recorder
from model.hive import FIXED
from model.hive.errors import KeyExists, NoSuchTable
from model.hive.rows import constraint_key
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.hive.constraint_statements import AddKey, DropKey
from sim.hive.makers import asks_for
from sim.hive.present import Present
from tests.unit.hive.constraint_script import RULES, SCENARIOS, ModelConstraints, told
from tests.unit.hive.lab import E, Lab, T


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"])
def test_scenario(scenario, rules):
    """Each question is answered as the row says."""
    assert told(ModelConstraints(RULES[rules]), scenario["steps"]) == scenario["told"][rules]


def test_a_table_has_one_primary_key_and_only_that_can_be_dropped():
    """Others are refused, and leave no event."""
    session = Lab(UNCACHED).session()
    session.add_key(E, "k1")
    with pytest.raises(KeyExists):
        session.add_key(E, "k2")
    with pytest.raises(NoSuchTable):
        session.drop_key(E, "k2")
    assert session.get_key(E).value == "k1"
    session.drop_key(E, "k1")
    assert session.get_key(E).value is None


def test_a_key_stays_with_its_table_and_goes_with_it():
    """Under another name, whatever else changes; a table that is made anew has none."""
    lab = Lab(UNCACHED)
    session = lab.session()
    session.add_key(E, "k1")
    session.alter_table(E, (("v", "e1"),))
    session.rename_table(E, "default.w")
    assert session.get_key("default.w").value == "k1"
    session.drop_table("default.w")
    session.create_table("default.w", (("v", "w0"),), managed=False)
    assert session.get_key("default.w").value is None


@pytest.mark.parametrize(("rules", "source"), [(SHIPPED, "database"), (SHIPPED_REFRESH, "cache"), (FIXED, "cache")])
def test_who_is_asked_for_the_key_of_a_table_that_was_made_beside_a_cache(rules, source):
    """In event mode the database: an event of it says nothing of keys. By default who made it knows of none."""
    lab = Lab(rules)
    lab.session().create_table("default.w", (("v", "w0"),), managed=False)
    lab.catch_up("h1")
    assert lab.session().get_key("default.w").source == source


def test_the_reference_serves_a_key_to_who_may_know_of_it():
    """A session whose list has the write is not answered by a cache that has not."""
    lab = Lab(FIXED)
    session = lab.session()
    session.begin((T,))
    session.add_key(T, "k1")
    assert [session.get_key(T, at=name).source for name in ("h1", "h2")] == ["database", "database"]
    session.commit()
    lab.catch_up()
    session.begin((T,), read_only=True)
    assert session.get_key(T, at="h2") == session.get_key(T)._replace(source=session.get_key(T, at="h2").source)


def test_what_an_event_of_a_key_says():
    """Its maker, its key in histories, and that a drop of the table takes it."""
    lab = Lab(SHIPPED)
    session = lab.session()
    event, present = session.add_key(E, "k1"), Present(Recorder())
    assert event.table is not None
    table = event.table.id
    assert asks_for(AddKey(E, "k1"), event)
    assert not asks_for(DropKey(E, "k1"), event)
    assert present.after(event) == [(constraint_key(table), "k1")]
    gone = present.after(session.drop_table(E))
    assert (constraint_key(table), None) in gone
