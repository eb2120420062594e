"""Generated races on the real Iceberg: history before the race, readers, second tries, and all statements."""

import pytest

from model.iceberg import coverage
from model.iceberg.retention import GC_ENABLED
from sim.generation.draws import seeded
from sim.generation.focus import Focused
from sim.iceberg.by_hand import ReplaceManifests
from sim.iceberg.focuses import FOCUSES
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import Expire
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.scenarios import SAFETY, race
from sim.iceberg.workload import (
    Append,
    ChangeRow,
    Compact,
    Delete,
    DeleteRow,
    Insert,
    InsertOverwrite,
    Merge,
    RemoveFile,
    RemoveWhere,
    RewriteDataFiles,
    Select,
    SetProperty,
    Transaction,
    Truncate,
    Update,
)
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import FirstCome, RandomWalk
from sim.world.scenario import FaultSpace
from tests.live.iceberg.agreement import agree, both, kinds, scenario_of

pytestmark = pytest.mark.live
IN_SQL = ("default", "copy-on-write, snapshot", "merge-on-read, snapshot", "merge-on-read updates, snapshot")
SEEDS_IN_SQL, SEEDS_CACHED, SEEDS_IN_JAVA, FILTERED, CLUSTERED, BY_HAND, MERGED = 2, 1, 25, 10, 6, 5, 12
CACHED = next(one for one in FOCUSES if one.name == "cached tables")
FURTHER_SQL = (Merge, InsertOverwrite, Truncate, RewriteDataFiles)
TWICE = (ChangeRow(1, "x", "none"), ChangeRow(1, "y", "none"))
"""The second one finds the file gone, and adds its own all the same."""
IN_JAVA = ("Java API", "Java API, format 3")


def played(configuration, seed, having=()):
    """A run of the first scenario from this seed on that nothing befalls, as the live gates can hold its writers.

    Args: `having`: kinds of statements, of which it must have one (none: any).
    """
    settings = GENERATOR.configurations[configuration]
    while True:
        scenario = GENERATOR.make(seeded(seed), settings)
        held = scenario.live is not None and not scenario.faults.limit
        if held and (not having or any(isinstance(one, having) for one in sent(scenario))):
            found = projection(Runner(scenario).run(RandomWalk(seed)))
            assert found is not None
            return found
        seed += 1_000


def sent(scenario):
    """All statements of a scenario of Spark SQL or the Java API."""
    writers = getattr(getattr(scenario.program, "workload", None), "writers", ())
    return [one for _, statements in writers for one in statements]


def test_a_table_with_a_history_and_modes_of_its_own_for_each_command(sql):
    """Two rows are inserted as one file, DELETE is merge-on-read, UPDATE copy-on-write, and somebody reads."""
    scenario = scenario_of(
        {"w1": [Delete(3)], "w2": [Update(4, "x"), Select()]}, history=(Insert(((3, "c"), (4, "d"))), Delete(1)),
        update_mode="copy-on-write",
    )  # fmt: skip
    _, run = both(sql, scenario, "w1:commit w2:commit w1:end w2:end")
    assert len(run.lineage) == 1 + sum(kind == "ok" for kind in kinds(run).values())


def test_a_refused_statement_is_tried_again(sql):
    """An UPDATE that another one has overtaken is refused, and its second try is not."""
    scenario = scenario_of({"w1": [Update(1, "x")], "w2": [Update(1, "y")]}, tries=1)
    run, seen = both(sql, scenario, "w1:commit w2:end w1:end")
    assert [event.type for event in run.events if event.process == "w1" and event.type != "invoke"] == ["fail", "ok"]
    assert seen.rows == ((1, "x-1"), (2, "b"))


@pytest.mark.parametrize("statements", [
    (Append(((3, "x"),)), SetProperty("k", "1"), SetProperty("k", "2")),
    (Transaction((Append(((3, "x"),)), DeleteRow(3))),),
    (Transaction((Append(((3, "x"), (4, "y"))), Compact())),),
    (Transaction((RemoveFile(1), ChangeRow(2, "x"))),),
    (RemoveWhere((1,)), RemoveWhere((1, 2))),
    (RemoveFile(1), Append(((3, "c"),)), Append(((4, "d"),)), RemoveWhere((3, 4))),
    (*TWICE, Transaction((ChangeRow(1, "z", "none"), Append(((3, "c"),))))),
])  # fmt: skip
def test_what_generated_writers_do_agrees(java, statements):
    """Properties after a row, a transaction's own rows, a file that goes with all its rows, rows that stand twice, row
    filters that match a file in part, and some that match files whole."""
    scenario = scenario_of({"w1": statements}, catalog="java-api", properties=SAFETY)
    found = projection(Runner(scenario).run(FirstCome()))
    assert found is not None
    agree(java, found)


def test_a_transaction_that_is_applied_twice_leaves_its_inner_snapshots_in_the_history(java):
    """It is told that it has lost the race that it has won: what only its commit keeps out is a commit's own now."""
    added = Transaction((Append(((3, "x"),)), Append(((4, "y"),))))
    faults = FaultSpace({"commit": ("409-after",)}, 1)
    scenario = scenario_of({"w1": [added]}, catalog="java-api", properties=("readable",), faults=faults)
    _, seen = both(java, scenario, "w1:commit w1.commit!409-after w1:end")
    assert [version.operation for version in seen.lineage] == ["append", "append", "append"]


@pytest.mark.parametrize("configuration", IN_SQL)
@pytest.mark.parametrize("seed", range(SEEDS_IN_SQL))
def test_generated_races_in_sql_agree(sql, configuration, seed):
    """Step by step, in outcomes, lineage and rows."""
    agree(sql, played(configuration, seed))


@pytest.mark.parametrize("configuration", IN_SQL)
def test_generated_races_with_merges_and_overwrites_agree(sql, configuration):
    """The same of what is drawn rarely in SQL, on tables with partitions and without."""
    agree(sql, played(configuration, 7, FURTHER_SQL))


@pytest.mark.parametrize("configuration", IN_SQL)
@pytest.mark.parametrize("seed", range(SEEDS_CACHED))
def test_generated_races_of_sessions_that_cache_the_table_agree(sql, configuration, seed):
    """What each plans on, and what it asks the catalog; those that have read before, and orphans."""
    settings, found = GENERATOR.configurations[configuration], None
    while found is None:
        found = projection(Runner(GENERATOR.make(Focused(seed, CACHED), settings)).run(RandomWalk(seed)))
        seed += 1_000
    agree(sql, found)


@pytest.mark.parametrize("configuration", IN_JAVA)
@pytest.mark.parametrize("seed", range(SEEDS_IN_JAVA))
def test_generated_races_of_the_java_api_agree(java, configuration, seed):
    """The same on the bare commit loop."""
    agree(java, played(configuration, seed))


def test_generated_races_with_row_filters_agree(java):
    """What matches when the commit is tried goes, or refuses it."""
    for seed in range(FILTERED):
        agree(java, played(IN_JAVA[seed % 2], seed, (RemoveWhere,)))


def test_generated_races_with_rewrites_of_manifests_agree(java):
    """By clusters, alone and in transactions, beside whatever is drawn."""
    for seed in range(CLUSTERED):
        agree(java, played(IN_JAVA[seed % 2], seed, (ClusterManifests,)))


def test_generated_races_whose_manifests_are_merged_agree(java):
    """By number and by size, in transactions and beside who manages snapshots, manifest by manifest."""
    merged = 0
    for seed in range(MERGED):
        found = played("Java API, manifests merged", seed)
        merged += coverage.MANIFESTS_MERGED in found.run.coverage
        agree(java, found)
    assert merged > MERGED // 4


def test_generated_races_with_calls_that_no_engine_makes_agree(java):
    """What contradicts itself is refused alike, and leaves the same."""
    for seed in range(BY_HAND):
        agree(java, played("Java API, by hand", seed))


@pytest.mark.parametrize(("call", "before"), [
    (ReplaceManifests(gives="added files"), ClusterManifests()),
    (ReplaceManifests(gives="the table's own"), ClusterManifests()),
    (Expire(1), SetProperty(GC_ENABLED, "false")),
])  # fmt: skip
def test_calls_that_are_refused_whatever_is_there_agree(java, call, before):
    """Manifests that add files or are in a snapshot already are not given; files that others may have stay.

    A manifest that was refused stays, too: that is promised to nobody who contradicts himself.
    """
    writers = {"w1": [call], "w2": [Append(((4, "y"),))]}
    kept = ("readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive")
    history = (Append(((3, "x"),)), before)
    scenario = race("refused", "", writers, catalog="java-api", history=history, properties=kept)
    found = projection(Runner(scenario).run(RandomWalk(1)))
    assert found is not None
    assert [event.type for event in found.run.events if event.process == "w1"] == ["invoke", "fail"]
    agree(java, found)


@pytest.mark.parametrize("catalog", ["JDBC", "Hadoop"])
def test_generated_races_agree_on_a_catalog_of_each_writer(java, catalog):
    """Whatever is drawn: what the real catalog asks its database, statement by statement, and what folders hold."""
    for seed in range(10):
        agree(java, played(f"Java API, {catalog} catalog", seed))
