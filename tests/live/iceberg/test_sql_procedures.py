"""Spark's procedures that manage snapshots and manifests, beside other statements, on the real Iceberg."""

from itertools import count, islice

import pytest

from real_backend.iceberg.conformance import conform
from sim.generation.draws import seeded
from sim.generation.focus import Focus, Focused
from sim.iceberg.built_in.procedure import PROCEDURES
from sim.iceberg.focuses import FEW, SQL_OVER_REST, YES
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import CherryPick, Expire, MoveBranch, Procedures, RollBack, Stage
from sim.iceberg.workload import Insert, RewriteManifests, Select
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.live.iceberg.agreement import both, failure_of, kinds, operations, scenario_of

pytestmark = pytest.mark.live
HELD = [scenario for scenario in PROCEDURES if scenario.broken is None and scenario.live is not None]
CALLED = Focus(
    "procedures", {**FEW, "calls procedures": YES, "more of SQL": ("False",), "purges": ("False",)}, SQL_OVER_REST
)
SETTINGS = {key: texts[0] for key, texts in SQL_OVER_REST.items()}
BATCHES, EACH, FAILING = 16, 2, 6


@pytest.mark.parametrize("schedule", ["w2:end w1:end", "w1.load w1:load w2:end w1:end"], ids=["after", "between"])
@pytest.mark.parametrize("scenario", HELD, ids=[scenario.name for scenario in HELD])
def test_what_holds_beside_a_procedure_ends_alike(sql, scenario, schedule):
    """The other one before the procedure, or between its first load and all others."""
    both(sql, scenario, schedule)


def drawn(batch):
    """Generated races that nothing befalls, with somebody who calls procedures."""
    found = 0
    for number in count():
        seed = number * BATCHES + batch
        scenario = GENERATOR.make(Focused(seed, CALLED), SETTINGS)
        assert scenario.live is not None
        sent = [one for _, todo in scenario.live.workload.writers for one in todo]
        if scenario.live.timed or not any(isinstance(one, Procedures | RewriteManifests) for one in sent):
            continue
        yield seed, scenario
        found += 1
        if found == EACH:
            return


@pytest.mark.parametrize("batch", range(BATCHES))
def test_generated_races_with_procedures_agree(sql, batch):
    """Step by step, in outcomes, places of main and rows."""
    for seed, scenario in drawn(batch):
        found = projection(Runner(scenario).run(RandomWalk(seed)))
        assert found is not None
        live = sql.run(scenario.live.workload, found.schedule)
        assert str(conform(found.run, live)).startswith("simulation and live system agree"), scenario.name
        assert failure_of(live, scenario) == found.run.failure


def test_each_procedure_asks_the_catalog_as_the_model_says(sql):
    """Loads and commits of all of them, one after the other, by a session that caches the table; a stage before."""
    calls = (Select(), CherryPick(), RewriteManifests(), MoveBranch("b", "main"), RollBack(1), Expire(2))
    before = (Insert(((3, "c"),)), Stage(((4, "s"),), 7))
    _, run = both(sql, scenario_of({"w1": calls}, history=before, cached=("w1",), properties=("readable",)), "w1:end")
    assert kinds(run)["w1"] == "ok"
    assert [operation for operation, _ in operations(run)[1:]] == ["append", "replace", "append"]


@pytest.mark.parametrize("caches", [False, True], ids=["loads", "caches"])
def test_a_snapshot_that_was_made_since_the_table_was_loaded_leaves_its_list(spark, caches):
    """It expires with the others, but is none of those that the session knew: nobody deletes its list any more."""
    session = spark[0]
    for name in ("writer", "expiring"):
        cached = str(caches and name == "expiring").lower()
        settings = {"type": "hadoop", "warehouse": str(session.location(f"expired-{caches}")), "cache-enabled": cached}
        session.add_catalog(f"{name}_{caches}".lower(), settings)
    mine, other = f"expiring_{caches}".lower(), f"writer_{caches}".lower()
    session.sql(f"CREATE TABLE {other}.db.t (id INT) USING iceberg")
    session.sql(f"INSERT INTO {other}.db.t VALUES (1)")
    assert len(session.sql(f"SELECT * FROM {mine}.db.t")) == 1
    for row in (2, 3):
        session.sql(f"INSERT INTO {other}.db.t VALUES ({row})")
    session.sql(
        f"CALL {mine}.system.expire_snapshots(table => 'db.t', older_than => TIMESTAMP '2099-01-01', retain_last => 1)"
    )
    lists = list((session.location(f"expired-{caches}") / "db" / "t" / "metadata").glob("snap-*.avro"))
    assert len(session.sql(f"SELECT * FROM {other}.db.t.snapshots")) == 1
    assert len(lists) == (2 if caches else 1)


def struck(number, most):
    """Generated races with procedures in which something fails, as the live gate can commit it: those of every
    `most`-th seed from this number on."""
    for seed in count(number, most):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations["default"])
        live = scenario.live
        if live is None or live.timed or not scenario.faults.limit:
            continue
        if any(isinstance(one, Procedures | RewriteManifests) for _, todo in live.workload.writers for one in todo):
            found = projection(Runner(scenario).run(RandomWalk(seed)))
            if found is not None and found.run.injected:
                yield scenario, found


@pytest.mark.parametrize("batch", range(FAILING))
def test_generated_races_with_procedures_where_something_fails_agree(sql, batch):
    """A commit is answered wrongly, or not at all: a procedure's, or another one's beside it."""
    for scenario, found in islice(struck(batch, FAILING), 2):
        live = sql.run(scenario.live.workload, found.schedule)
        assert str(conform(found.run, live)).startswith("simulation and live system agree"), scenario.name
        assert failure_of(live, scenario) == found.run.failure
