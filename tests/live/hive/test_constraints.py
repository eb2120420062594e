"""Constraints of tables on live metastores 4.0.1: what a cache takes a table to have, and what the database has."""

import pytest
from hive_metastore import ttypes as wire

from model.hive.rules import SHIPPED
from real_backend.hive.client import new_table
from real_backend.hive.metastore import NEVER_REFRESHED, REFRESH_MS
from sim.hive.build import EVENTUAL, STEPS, E, Sessions, metastore
from sim.hive.constraint_statements import AddKey, GetKey
from sim.hive.live import KEYS
from sim.hive.workload import HiveTable
from sim.search.projection import Played
from tests.live.hive.agreement import both, both_generated, found, played, scenario_of
from tests.live.hive.started import location_of
from tests.live.hive.test_refresh import over, two
from tests.unit.hive.constraint_script import SCENARIOS, told

pytestmark = pytest.mark.live
PLAIN = {"metastore.rawstore.impl": "org.apache.hadoop.hive.metastore.ObjectStore"}
EVENTS = NEVER_REFRESHED | {
    "metastore.cache.can.use.event": "true",
    "metastore.cached.rawstore.cache.update.frequency": f"{REFRESH_MS}ms",
}
PARENT, RELIES = "parent", (False, False, False)
HIVE, DATABASE, COLUMN = "hive", "default", "id"


class SixKinds:
    """A table with no constraint, or one of each kind, whose names begin with one word.

    Foreign keys are asked for with their parent: of whom does not name it, no cache answers.
    """

    def __init__(self, calls, name) -> None:
        self.calls, self.name = calls, name

    def add(self, key):
        calls, table = self.calls, (HIVE, DATABASE, self.name, COLUMN)
        primary = wire.SQLPrimaryKey(DATABASE, self.name, COLUMN, 1, f"{key}.{self.name}.p", *RELIES, HIVE)
        calls.add_primary_key(wire.AddPrimaryKeyRequest([primary]))
        foreign = wire.SQLForeignKey(
            DATABASE, PARENT, COLUMN, DATABASE, self.name, COLUMN, 1, 0, 0, f"{key}.{self.name}.f", "pp", *RELIES, HIVE
        )
        calls.add_foreign_key(wire.AddForeignKeyRequest([foreign]))
        unique = wire.SQLUniqueConstraint(*table, 1, f"{key}.{self.name}.u", *RELIES)
        calls.add_unique_constraint(wire.AddUniqueConstraintRequest([unique]))
        filled = wire.SQLNotNullConstraint(*table, f"{key}.{self.name}.n", *RELIES)
        calls.add_not_null_constraint(wire.AddNotNullConstraintRequest([filled]))
        default = wire.SQLDefaultConstraint(*table, "7", f"{key}.{self.name}.d", *RELIES)
        calls.add_default_constraint(wire.AddDefaultConstraintRequest([default]))
        check = wire.SQLCheckConstraint(*table, "id > 1", f"{key}.{self.name}.c", *RELIES)
        calls.add_check_constraint(wire.AddCheckConstraintRequest([check]))

    def drop(self, key):
        for kind in "pfundc":
            named = f"{key}.{self.name}.{kind}"  # a name may not be that of another key of the same parent
            self.calls.drop_constraint(wire.DropConstraintRequest(DATABASE, self.name, named, HIVE))

    def told(self):
        """The word, or None; all kinds have the same, alone and together."""
        calls, table = self.calls, (HIVE, DATABASE, self.name)
        asked = wire.PrimaryKeysRequest(DATABASE, self.name, HIVE)
        names = [one.pk_name for one in calls.get_primary_keys(asked).primaryKeys]
        of_child = wire.ForeignKeysRequest(DATABASE, PARENT, DATABASE, self.name, HIVE)
        names += [one.fk_name for one in calls.get_foreign_keys(of_child).foreignKeys]
        asked = wire.UniqueConstraintsRequest(*table)
        names += [one.uk_name for one in calls.get_unique_constraints(asked).uniqueConstraints]
        asked = wire.NotNullConstraintsRequest(*table)
        names += [one.nn_name for one in calls.get_not_null_constraints(asked).notNullConstraints]
        asked = wire.DefaultConstraintsRequest(*table)
        names += [one.dc_name for one in calls.get_default_constraints(asked).defaultConstraints]
        names += [
            one.dc_name for one in calls.get_check_constraints(wire.CheckConstraintsRequest(*table)).checkConstraints
        ]
        asked = wire.AllTableConstraintsRequest(DATABASE, self.name, HIVE)
        whole = calls.get_all_table_constraints(asked).allTableConstraints
        assert sorted(name for name in names if name[-1] == "p") == sorted(one.pk_name for one in whole.primaryKeys)
        words = [name.partition(".")[0] for name in names]
        assert words == words[:1] * (6 if words else 0), words
        return words[0] if words else None


def test_upstreams_test_and_what_a_load_makes_of_constraints(metastores):
    """As data, all six kinds, on unmodified metastores: one without a cache, one in each mode of CachedStore.

    What is there when a metastore starts it takes to be nothing, in both modes. It takes two starts to see that.
    """
    asked = [one for one in SCENARIOS if "follow" not in one["steps"]]
    modes = ("by default", "event mode")
    with two(metastores, "constraints", PLAIN, PLAIN) as (plain, _):
        made = new_table(f"default.{PARENT}", location_of(plain, PARENT), managed=False, value="v0")
        plain.create_table(made)
        key = wire.SQLPrimaryKey(DATABASE, PARENT, COLUMN, 1, "pp", *RELIES, HIVE)
        plain.add_primary_key(wire.AddPrimaryKeyRequest([key]))
        for place, scenario in enumerate(asked):
            for mode in (*modes, "no cache"):
                name = f"c{place}{mode[0]}"
                plain.create_table(new_table(f"default.{name}", location_of(plain, name), managed=False, value="v0"))
                first, rest = _parts(scenario["steps"])
                answers = told(SixKinds(plain, name), first if mode in modes else [*first, *rest])
                assert answers == ([] if mode in modes else scenario["told"][mode])
    with over(metastores, "constraints", NEVER_REFRESHED, EVENTS) as connected:
        for mode, calls in zip(modes, connected, strict=True):
            for place, scenario in enumerate(asked):
                rest = _parts(scenario["steps"])[1]
                assert told(SixKinds(calls, f"c{place}{mode[0]}"), rest) == scenario["told"][mode], (mode, scenario)


def _parts(steps):
    """What is done before the metastore that is asked starts, and after that."""
    start = steps.index("start") if "start" in steps else -1
    return steps[: max(0, start)], steps[start + 1 :]


@pytest.mark.parametrize("name", ["refresh-constraints", "shipped-constraints"])
def test_what_the_search_finds_happens_live(hive, name):
    """The smallest failing schedule, and the property that it breaks."""
    both_generated(hive, scenario_of(name), Played(*found(name)))


def test_a_cache_knows_no_key_of_a_table_that_it_has_loaded(hive):
    """Until it is told of one it says so itself: of this key it has not heard."""
    sessions: Sessions = {"w1": ("h1", (AddKey(E, "k1"),)), "w2": ("h2", (GetKey(E), GetKey(E)))}
    tables = (HiveTable(E, "e0", managed=False),)
    scenario = metastore("key", "", sessions, rules=SHIPPED, tables=tables, properties=EVENTUAL, steps=(*STEPS, *KEYS))
    live = both(hive, scenario, *played(scenario, "w2.get_key w1:end w2:end"))
    assert [read.value for event in live.events if event.f == "get-key" for read in event.reads] == [None, None]


def test_a_cache_that_is_told_of_a_key_asks_the_database(hive):
    """Of its drop, too."""
    scenario = scenario_of("shipped-constraints-followed")
    text = "w1.add_key h2.poll h2.apply r1.get_key w1.drop_key h2.poll h2.apply r1.get_key w1:end"
    both(hive, scenario, *played(scenario, text))
