"""CachedStore 4.0.1 in its default mode, its timer held part by part: it does what the simulation says at each of them.

All generated races of these rules that can be played are compared by `make agreement` (`default, shipped-refresh`).
"""

import json
from itertools import islice
from pathlib import Path

import pytest
from hive_metastore import ttypes as wire
from hive_metastore.ttypes import Database

from model.hive.errors import NoSuchTable, TableExists
from real_backend.hive.client import CAPABILITIES, new_table
from real_backend.hive.exceptions import translated
from sim.generation.draws import seeded
from sim.hive.generate import GENERATOR
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both_generated, scenario_of

pytestmark = pytest.mark.live
FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_believed.json"
SCENARIOS = json.loads(FILE.read_text(encoding="utf-8"))["scenarios"]
TRIES = 600
EACH = 3


@pytest.mark.parametrize(
    "name",
    [
        "refresh-undoes-own-change",
        "refresh-first-partition",
        "refresh-one-entry-two-names",
        "refresh-drop-refused",
        "refresh-drop-twice",
    ],
)
def test_built_in_scenarios_break_as_in_the_simulation(hive, name):
    """Part by part: what a refresh undoes, and what it can never mend."""
    scenario = scenario_of(name)
    found = next(one for one in runs_at_gates(scenario, 0, TRIES) if one.run.failure)
    both_generated(hive, scenario, found)


def test_generated_races_do_the_same_to_live_metastores(hive):
    """A sample, with partitions and drops."""
    configuration = GENERATOR.configurations["external"]
    made = (GENERATOR.make(seeded(seed), configuration, "shipped-refresh") for seed in range(2_000))
    found = list(islice(((each, one) for each in made for one in runs_at_gates(each, 0, 1)), EACH))
    assert len(found) == EACH
    for scenario, run in found:
        both_generated(hive, scenario, run)


class Live:
    """The commands of the vectors on two metastores whose timers are held; each table has a name of its own."""

    def __init__(self, replicas, number) -> None:
        self._replicas, self._number = replicas, number
        self._h1, self._h2 = (replicas.metastores[name] for name in ("h1", "h2"))
        self.at = self._h1
        self.do_create("e", "e0")
        self.table("e", self._h2)
        self._began = replicas.backing.last_event()

    def run(self, line):
        """Do one command; returns its answer, or the name of the error."""
        name, *words = line.split()
        try:
            return getattr(self, "do_" + name.replace("-", "_"))(*words) or ""
        except wire.TException as error:
            return type(translated(error)).__name__

    def name(self, table):
        return f"{table}{self._number}"

    def table(self, table, at):
        with at.connect() as calls:
            asked = wire.GetTableRequest(dbName="believed", tblName=self.name(table), capabilities=CAPABILITIES)
            return calls.get_table_req(asked).table

    def do_own(self, *words):
        self.at = self._h2
        try:
            return self.run(" ".join(words))
        finally:
            self.at = self._h1

    def do_create_managed(self, table, content):
        self.do_create(table, content, managed=True)

    def do_create(self, table, content, *, managed=False):
        name = f"believed.{self.name(table)}"
        made = new_table(name, f"file:{self._replicas.folder}/{name}", managed=managed, value=content, partitioned=True)
        with self.at.connect() as calls:
            calls.create_table(made)

    def do_drop(self, table):
        with self.at.connect() as calls:
            calls.drop_table("believed", self.name(table), True)

    def do_part(self, table, partition, content):
        name = self.name(table)
        descriptor = self._descriptor(name, partition)
        made = wire.Partition(
            values=[partition], dbName="believed", tableName=name, createTime=0, lastAccessTime=0, sd=descriptor,
            parameters={"v": content},
        )  # fmt: skip
        with self.at.connect() as calls:
            try:
                calls.add_partition(made)
            except wire.TException as error:
                if not isinstance(translated(error), TableExists):
                    raise
                calls.alter_partition("believed", name, made)

    def _descriptor(self, name, partition):
        """A folder of its own: of a managed table it is deleted with the table."""
        place = f"file:{self._replicas.folder}/believed.{name}/{partition}"
        return new_table(f"believed.{name}", place, managed=False, value="").sd

    def do_drop_part(self, table, partition):
        with self.at.connect() as calls:
            calls.drop_partition("believed", self.name(table), [partition], False)

    def do_rename_part(self, table, old, partition, content):
        like = self._descriptor(self.name(table), partition)
        made = wire.Partition(
            values=[partition], dbName="believed", tableName=self.name(table), createTime=0, lastAccessTime=0, sd=like,
            parameters={"v": content},
        )  # fmt: skip
        with self.at.connect() as calls:
            calls.rename_partition("believed", self.name(table), [old], made)

    def do_cached(self, table):
        """What h2 answers without the database; asked last, for it may keep an answer of the database."""
        before = self._h2.control.ask().reads
        found = self.table(table, self._h2)
        if self._h2.control.ask().reads != before:
            return "none"
        with self._h2.connect() as calls:
            parts = calls.get_partitions("believed", self.name(table), -1)
        return " ".join([found.parameters["v"], *sorted(f"{each.values[0]}={each.parameters['v']}" for each in parts)])

    def do_database(self, table):
        row = self._replicas.backing.table(f"believed.{self.name(table)}")
        return NoSuchTable.__name__ if row is None else row.parameters["v"]

    def do_log(self):
        return " ".join(event.kind for event in self._replicas.backing.content_events(["believed"], self._began))


def test_what_the_cache_has_stands_for_what_there_is(metastores):
    """Every row of the vectors, on real metastores that do not refresh."""
    replicas = metastores.replicas(timed=True)
    replicas.make_ready()
    first = replicas.metastores["h1"]
    with first.connect() as calls:
        calls.create_database(Database(name="believed", locationUri=f"file:{first.folder.parent}/believed.db"))
    replicas.settle()
    replicas.close_watermarks()
    for number, scenario in enumerate(SCENARIOS):
        live = Live(replicas, number)
        for step in scenario["steps"]:
            command, _, expected = step.partition(" -> ")
            assert (scenario["case"], command, live.run(command)) == (scenario["case"], command, expected)
