"""A table whose partition spec changes: what is left of it, and what a workload may not ask for."""

import pytest

from model.iceberg.buckets import Bucket, bucket_of, hash_of
from model.iceberg.expressions import IdBetween, id_equals
from model.iceberg.files import DataFile, DeleteFile
from model.iceberg.partitioning import UNPARTITIONED, Field, partitioned_by
from sim.generation.draws import Draws
from sim.iceberg.built_in.spec import SPECS
from sim.iceberg.contents import files_after
from sim.iceberg.creating import CreateTable
from sim.iceberg.draw.partitions import with_partitions
from sim.iceberg.draw.writers import Writers
from sim.iceberg.left import in_words
from sim.iceberg.managing import Expire
from sim.iceberg.race import IcebergRace
from sim.iceberg.scenarios import race
from sim.iceberg.statements import Append, Compact, RemoveWhere, Replace, ReplacePartitions, SetProperty, UpdateSpec
from sim.iceberg.workload import FORMAT, DeleteWhere, IcebergWorkload, Upsert
from sim.kernel.schedule import steps_of
from sim.search.explore import default_plan
from sim.search.run import Runner
from tests.mutants.iceberg_specs import BY_NAME as MUTANTS
from tests.unit.iceberg.killing import spared
from tests.unit.iceberg.spec_vectors import BY_NAME, VECTORS, run, scenario_of

LOOKS, PASSED, READ = "new-specs-looked-into", "manifests-not-passed-over", "unknown-specs-read"
KEEPS, STAY = "replacement-keeps-spec", "unused-schemas-stay"
OF_SCHEMAS = "snapshots-of-no-schema-read"
BY_RACES = (LOOKS, PASSED, READ, KEEPS, STAY, OF_SCHEMAS)
"""The mutants that no history shows which is made before a race."""
GONE = race(
    "gone", "", {
        "w1": [Append(((1, "x"),))], "w2": [UpdateSpec(0), Expire(keep=1, cleans_metadata=True), RemoveWhere((3,))],
    }, catalog="java-api", history=(UpdateSpec(4),),
)  # fmt: skip


@pytest.mark.parametrize("name", BY_NAME)
def test_a_table_is_left_as_the_vector_says(name):
    """Rows, specs, and the spec and the sequence number of each file."""
    assert run(BY_NAME[name]) == BY_NAME[name]["expect"]


@pytest.mark.parametrize("name", BY_NAME)
def test_what_a_workload_begins_with_is_what_the_vector_has(name):
    """The rows of each file are told without a run."""
    program = scenario_of(BY_NAME[name]).program
    assert isinstance(program, IcebergRace)
    files = program.workload.files
    assert sorted([key, value] for rows in files for key, value in rows) == BY_NAME[name]["expect"]["rows"]


@pytest.mark.parametrize("name", [name for name in MUTANTS if name not in BY_RACES])
def test_a_vector_kills_each_mutant(name):
    """It is named by the vectors that do."""
    assert spared(MUTANTS[name], VECTORS, run) == []
    assert all(run(vector) == vector["expect"] for vector in VECTORS if name in vector["kills"])


@pytest.mark.parametrize(("row_id", "hashed"), [
    (34, 2017239379), (1, 1392991556), (0, 1669671676), (-1, 1651860712), (2147483647, 1819228606),
    (-2147483648, -2073034792),
])  # fmt: skip
def test_an_id_is_hashed_as_the_specification_says(row_id, hashed):
    """Appendix B: as a long of eight bytes."""
    assert hash_of(row_id) == hashed


@pytest.mark.parametrize(("name", "failures"), [
    ("filters-not-hashed", ["snapshot-isolation/lost-row"]),
    ("filters-not-projected", ["no-needless-refusal/needless-refusal"]),
])  # fmt: skip
def test_a_search_kills_each_mutant_of_projections(name, failures):
    """Of a filter on a bucket: a row is not seen, or a change is refused for one that cannot match."""
    scenario = next(one for one in SPECS if one.name == "iceberg/buckets-change-change")
    with MUTANTS[name].alive():
        assert [*default_plan(scenario).failures] == failures


def test_no_partitions_are_drawn_beside_who_takes_a_row_from_a_file():
    """He puts another row in its place, which has a partition of its own there, and would be doubled."""
    takes: Writers = {"w1": [Replace(2, ((1, "x"),))]}
    empties: Writers = {"w1": [Replace(2, ())]}
    rows, draws = ((1, "a"), (2, "b")), Draws(lambda _, options: options - 1)
    assert with_partitions(draws, takes, rows, ())[0] == 0
    assert with_partitions(draws, empties, rows, ())[0] > 0


def test_a_file_of_another_bucket_matches_no_row():
    """For `=` alone; a range may be in any, and no bucket has nothing else."""
    file = DataFile("f", 2, 0, 4, Bucket.of(0, 2, 1))
    assert (bucket_of(3, 2), file.partition) == (1, Bucket(0, 2, 1))
    assert [id_equals(key).may_match(file) for key in (3, 4)] == [False, True]
    assert [IdBetween(*ids).may_match(file) for ids in ((3, 4), (5, 6))] == [True, False]
    deletes = DeleteFile("d", 1, "f", "g", Bucket.of(0, 2, 1))
    assert [id_equals(key).may_match_delete(deletes) for key in (3, 4)] == [False, True]
    assert not IdBetween(0, 9).must_match_delete(deletes)


def test_who_was_begun_before_a_spec_came_to_be_looks_into_none_of_its_manifests():
    """An overwrite by filter is refused for good, and what it has written stays; one by name of file is not."""
    by_filter, by_name = [one for one in SPECS if one.name.startswith("iceberg/spec-change-")]
    assert [*default_plan(by_filter).failures] == ["no-leaks/leak"]
    assert default_plan(by_name).verdict == "holds"
    with MUTANTS[LOOKS].alive():
        assert default_plan(by_filter).verdict == "holds"


@pytest.mark.parametrize(("width", "other"), [(4, 9), (0, 3)])
def test_a_filter_looks_into_no_manifest_of_other_partitions(width, other):
    """So an old delete there stays that no file needs any more. Of two buckets, one has 0, 4 and 12, the other 3."""
    buckets = () if width else (UpdateSpec(2, "bucket"),)
    upserts = Upsert(other, "b"), Upsert(0, "c"), Append(((4, "d"),)), Compact()
    scenario = race(
        "filtered", "", {"w1": [RemoveWhere((12,))]}, catalog="java-api", rows=((0, "a"),),
        history=(*buckets, *upserts), partition_width=width,
    )  # fmt: skip
    stays = f"delete where id = {other}, number 2" + (", of spec 1" if buckets else "")
    assert stays in (in_words(Runner(scenario).play(()).left) or ())
    with MUTANTS[PASSED].alive():
        assert stays not in (in_words(Runner(scenario).play(()).left) or ())


def test_a_manifest_of_a_spec_that_is_gone_is_not_read():
    """Whoever looks for rows in it is told: its spec was taken from the table since it was loaded."""

    def told() -> list[str]:
        steps = steps_of("w2.commit w2:commit w1:commit w2:load w1:end w2:end")
        events = Runner(GONE, yield_points=frozenset({"load", "commit"})).play(steps).events
        return [str(event.error).split(":")[0] for event in events if event.process == "w2" and event.type == "fail"]

    assert told() == ["InvalidOperation"]
    with MUTANTS[READ].alive():
        assert told() == []


def test_a_table_that_is_put_in_the_place_of_another_one_has_no_partitions():
    """Where the one before had some; in format 1 its field stays, as a void one. Source: `buildReplacement`."""

    def spec(version: str) -> str:
        scenario = race(
            "put", "", {"w1": [CreateTable(((3, "x"),), replaces=True)], "w2": [UpdateSpec(2)]}, catalog="java-api",
            table_properties=((FORMAT, version),),
        )  # fmt: skip
        run = Runner(scenario, yield_points=frozenset({"load", "commit"})).play(steps_of("w2:end w1:end"))
        return next(line for line in in_words(run.left) or () if line.startswith("default spec"))

    assert (spec("2"), spec("1")) == ("default spec 0", "default spec 2")
    with MUTANTS[KEEPS].alive():
        assert spec("2") == "default spec 1"


@pytest.mark.parametrize(("first", "then", "version", "specs", "default", "last"), [
    (0, (2,), 2, 2, 1, 1000),
    (2, (4, 2), 2, 2, 0, 1001),
    (2, (0, 2, 0), 2, 2, 1, 1000),
    (2, (0, 2), 1, 3, 2, 1001),
    (2, (2,), 2, 1, 0, 1000),
])  # fmt: skip
def test_specs_are_numbered_and_taken_up_again(first, then, version, specs, default, last):
    """A spec keeps its id, a field its own, from format 2 on."""
    table = partitioned_by(first)
    for width in then:
        table = table.evolved(Field("truncate", width) if width else None, version)
    assert (len(table.specs), table.default_id, table.last_field_id) == (specs, default, last)


def test_a_change_to_what_there_is_changes_nothing():
    """It is the very same."""
    assert UNPARTITIONED.evolved(None, 2) == UNPARTITIONED
    assert partitioned_by(3).evolved(Field("truncate", 3), 1) == partitioned_by(3)


def test_an_equality_delete_before_a_race_is_of_one_spec():
    """The files of the older one keep their rows."""
    before = (UpdateSpec(2), Append(((2, "B"),)), DeleteWhere(2))
    assert files_after((((1, "a"), (2, "b")),), before) == (((1, "a"), (2, "b")), ())


@pytest.mark.parametrize(("given", "message"), [
    ({"history": (UpdateSpec(-1),)}, "history: UpdateSpec: width: expected a whole number from 0, got -1"),
    ({"history": (UpdateSpec(2),), "catalog": "hive-lock"}, "partition_width: expected 0 on a Hive catalog"),
    ({"history": (UpdateSpec(2), SetProperty(FORMAT, "2")), "table_properties": ((FORMAT, "1"),)},
     "expected no change of format beside it in format 1"),
    ({"history": (UpdateSpec(0, "bucket"),)}, "UpdateSpec: expected a number of buckets from 1, got 0"),
])  # fmt: skip
def test_what_is_not_simulated_is_refused(given, message):
    """One line that names the argument."""
    writers = (("w1", (ReplacePartitions(((1, "A"),)),)),)
    with pytest.raises(ValueError, match=r"^workload: ") as refused:
        IcebergWorkload(writers, **{"catalog": "java-api"} | given)
    assert message in str(refused.value)
