"""Calls of the Java API that contradict themselves: each is refused, for a reason of its own, and has words."""

import pytest

from sim.iceberg.by_hand import AddPartitions, CompactWith, DeleteAndRemove, ReplaceManifests
from sim.iceberg.left import in_words
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append, DeleteRow, SetProperty, Transaction, describe
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from tests.mutants.iceberg_manifests import MANIFESTS
from tests.unit.iceberg import vectors

BY_NAME = {mutant.name: mutant for mutant in MANIFESTS}
ADDED, MORE = Append(((3, "c"),)), ((4, "d"),)


def told(*statements, **further):
    """What a writer alone is told of each: "ok", or the error's name."""
    run = Runner(race("by-hand", "", {"w1": list(statements)}, catalog="java-api", **further)).run(FirstCome())
    answers = [event for event in run.events if event.process == "w1" and event.type != "invoke"]
    return [(event.error or "ok").partition(":")[0] for event in answers]


@pytest.mark.parametrize(("call", "words", "error"), [
    (DeleteAndRemove(1), ("delete and remove", "row 1, and its file"), "ValidationFailed"),
    (CompactWith(MORE), ("compact with", "row 4 = d"), "InvalidOperation"),
    (CompactWith(MORE, "none"), ("compact with", "row 4 = d in place of nothing"), "InvalidOperation"),
    (AddPartitions(MORE), ("add partitions", "row 4 = d"), "ValidationFailed"),
    (AddPartitions(), ("add partitions", "none"), "InvalidOperation"),
    (Transaction((ADDED, Append(MORE)), left_open=True),
     ("transaction", "append row 3 = c; append row 4 = d, left open"), "InvalidOperation"),
    (ReplaceManifests(but_one=True), ("replace manifests", "but for one file"), "ValidationFailed"),
    (ReplaceManifests(gives="added files"), ("replace manifests", "all by added files"), "InvalidOperation"),
    (ReplaceManifests(gives="the table's own"), ("replace manifests", "all by the table's own"), "InvalidOperation"),
    (SetProperty("format-version", "1"), ("set", "format-version = 1"), "InvalidOperation"),
])  # fmt: skip
def test_what_contradicts_itself_is_refused(call, words, error):
    """Whoever comes later is not."""
    assert describe(call) == words
    assert told(call, ADDED) == [error, "ok"]


def test_partitions_that_are_empty_are_added_to():
    """And those that are not are left alone."""
    assert told(AddPartitions(MORE), rows=((1, "a"),), partition_width=1) == ["ok"]
    assert told(AddPartitions(((1, "b"),)), rows=((1, "a"),), partition_width=1) == ["ValidationFailed"]


def test_a_rewrite_may_add_as_many_rows_as_were_deleted():
    """The records of a file count, and not its live rows."""
    assert told(CompactWith(MORE), history=(DeleteRow(1),)) == ["ok"]


@pytest.mark.parametrize(("call", "words"), [
    (ReplaceManifests(), ("replace manifests", "all")),
    (ClusterManifests(), ("cluster manifests", "all files together")),
    (ClusterManifests("file", small=True), ("cluster manifests", "each file apart, small manifests")),
])  # fmt: skip
def test_manifests_are_rewritten_and_change_no_row(call, words):
    """In every format; who gives manifests that he has written deletes them where copies are committed."""
    assert describe(call) == words
    for version in "123":
        assert told(call, ADDED, history=(Append(MORE),), table_properties=(("format-version", version),)) == ["ok"] * 2


@pytest.mark.parametrize(("target", "manifests"), [("1", 2), ("17000", 1)])
def test_a_manifest_whose_header_is_as_large_as_is_wanted_takes_one_file(target, manifests):
    """Of two that are clustered together."""
    scenario = race(
        "sized", "", {"w1": [ClusterManifests()]}, catalog="java-api", history=(Append(MORE),),
        table_properties=(("commit.manifest.target-size-bytes", target),),
    )  # fmt: skip

    def listed() -> int:
        left = in_words(Runner(scenario).run(FirstCome()).left) or ()
        return sum(one.startswith("manifest of data") for one in left)

    assert listed() == manifests
    with BY_NAME["manifests-of-any-size"].alive():
        assert listed() == 1


def test_a_manifest_of_the_table_is_not_given_again_though_it_adds_nothing():
    """It is in a snapshot: the counts alone would let it through."""
    given = ReplaceManifests(gives="the table's own")
    once = {"history": (Append(MORE), ClusterManifests())}
    assert told(given, **once) == ["InvalidOperation"]
    with BY_NAME["manifests-given-again"].alive():
        assert told(given, **once) == ["ok"]


def test_a_manifest_that_adds_files_is_not_given():
    """Though they are as many as it stands for."""
    given = ReplaceManifests(gives="added files")
    with BY_NAME["added-manifests-given"].alive():
        assert told(given) == ["ok"]
    assert told(given) == ["InvalidOperation"]


def test_a_table_without_snapshots_has_no_manifests_to_be_rewritten():
    """As Java's NullPointerException says."""
    found = vectors.run({"setup": [], "given": {"op": "rewrite-manifests", "cluster": "all"}})
    assert (found["error"], found["leftover"]) == ("InvalidOperation", [])
