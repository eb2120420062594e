"""Known findings belong to the rules that have them: a failure of rules that are to hold is news."""

from dataclasses import replace

import pytest

from lakeproof.protocols import generator_of, with_generator
from model.hudi.keys import (
    CONFLICTS,
    COPY_ON_WRITE,
    LOCK_PROVIDER,
    MERGE_ON_READ,
    METADATA,
    METADATA_COMPACT_AFTER,
    MODE,
    OCC,
    PREFER_WRITER,
    SIMPLE_CONFLICTS,
    TABLE_TYPE,
    TABLE_VERSION,
    ZOOKEEPER,
)
from sim.generation.causes import Cause, Known
from sim.generation.draws import seeded
from sim.generation.generator import Generator
from sim.hive.known import MADE_AGAIN
from sim.hudi.known_rows import NEW_IDS
from sim.hudi.setting_names import UNSET
from sim.hudi.settings import VALUES

HOLDS = {
    "iceberg": ("delete-validates-deletes", "iceberg/delete-update-snapshot"),
    "hudi": ("fixed", "hudi/zombie-completed"),
    "hive": ("reference", "hive/shipped-drop-freezes"),
}
"""Rules that repair a finding, which the shipped ones have."""


def _generator(protocol: str) -> Generator:
    found = generator_of(protocol)
    assert found is not None
    return found


FENCED = (
    (MODE, OCC), (CONFLICTS, PREFER_WRITER), (LOCK_PROVIDER, ZOOKEEPER), (NEW_IDS, "no"), (TABLE_VERSION, "9"),
)  # fmt: skip
"""Parameters of Hudi that leave the finding of late files alone."""


def _cause(one: Known) -> Cause:
    """A cause that a finding explains."""
    return Cause(one.property, one.anomaly, one.operations, tuple(one.faults[:1]))


@pytest.mark.parametrize("protocol", HOLDS)
def test_a_failure_of_rules_that_repair_a_finding_is_news(protocol):
    """However much like the finding it looks."""
    generator, (repaired, name) = _generator(protocol), HOLDS[protocol]
    rows = [one for one in generator.known if one.scenario == name]
    assert rows
    for one in rows:
        assert generator.known_as(_cause(one), next(iter(generator.variants))) != ""
        assert generator.known_as(_cause(one), repaired) != name


def test_no_finding_excuses_the_metastore_of_the_reference():
    """Every failure of it is ours, but for what Hive's own client does, whatever the metastore."""
    generator = _generator("hive")
    excused = {generator.known_as(_cause(one), "reference") for one in generator.known} - {""}
    assert excused
    assert excused <= {one.scenario for one in MADE_AGAIN}


def test_what_the_repaired_hudi_is_known_for_is_what_nothing_repairs():
    """A new key that two insert at once, a client that died, a flag that stays, a late write, a check that is none, a
    lock that was not answered or has expired, an order that goes by the beginning, as in version 6 for all, a deletion
    that compares nothing, an executor that stands still, columns that are not compared, a session that has expired."""
    generator = _generator("hudi")
    found = set()
    for one in generator.known:
        told = {MODE: OCC} | {name: values[0] for name, values in one.where}
        found.add(generator.known_as(_cause(one), "fixed", told.items()))
    expected = {
        "same-new-key",
        "file-lock-expired",
        "dead-marker",
        "finished-marker",
        "async-flag-stays",
        "check-commit-older",
        "retry-too-soon",
        "late-completion",
        "mor-executor-outlived",
        "cluster-executors",
        "mor-marker-vanished",
        "nbcc-older-instant",
        "nbcc-delete-beside",
        "older-instant",
        "storage-lock-unanswered",
        "schema-unchecked",
        "zookeeper-session",
    }
    assert found - {""} == {f"hudi/{name}" for name in expected}


@pytest.mark.parametrize(
    ("protocol", "cause", "name"),
    [
        ("hudi", Cause("no-lost-update", "lost-update", ("upsert",), ("drop-before", "late")), "hudi/late-completion"),
        (
            "hudi",
            Cause("acknowledged-writes-survive", "lost-write", ("upsert",), ("crash", "late")),
            "hudi/late-completion",
        ),
        (
            "hudi",
            Cause("acknowledged-writes-survive", "lost-row", ("archive", "insert_overwrite", "upsert"), ("late",)),
            "hudi/late-completion",
        ),
        (
            "iceberg",
            Cause("readable", "unreadable-table", ("insert",), ("429-after", "stale")),
            "iceberg/update-reply-faults",
        ),
        (
            "iceberg",
            Cause("no-aborted-reads", "refused-commit-visible", ("overwrite", "replace partitions"), ("409-after",)),
            "iceberg/update-reply-faults",
        ),
        (
            "iceberg",
            Cause("no-aborted-reads", "vanished-write-read", ("insert", "read"), ("stale",)),
            "hive/iceberg-shipped-lock-two",
        ),
        (
            "iceberg",
            Cause("snapshot-isolation", "write-overlap@stated", ("overwrite", "upsert")),
            "pyiceberg/upsert-upsert",
        ),
        (
            "iceberg",
            Cause("acknowledged-writes-survive", "resurrected-row", ("tag and roll back",)),
            "pyiceberg/tag-roll-back-append",
        ),
        (
            "iceberg",
            Cause("snapshot-isolation", "future-read@stated", ("upsert in branch",)),
            "pyiceberg/branch-upsert-absent",
        ),
    ],
)
def test_a_second_fault_or_a_second_property_makes_no_news_of_a_finding(protocol, cause, name):
    """A roll-back behind a tag that undoes another one, an upsert that has found nothing and says that all is there; a
    lost answer before the late file, a late file that takes out what others changed, a stale load before the
    retry, a read before the acknowledged write goes, an overwrite that takes the first of two rows of a key away; a
    replacement of partitions is validated as others are."""
    assert _generator(protocol).known_as(cause, "shipped", FENCED) == name


@pytest.mark.parametrize("catalog", ["register", "sql", "rest", "hive"])
def test_what_is_known_of_java_is_news_of_pyiceberg(catalog):
    """Its scenarios name no catalog of Java's, and so what is known of one would excuse them all."""
    cause = Cause("acknowledged-writes-survive", "lost-row", ("expire", "roll back"), ("drop-after",))
    known = _generator("iceberg").known_as
    assert known(cause, "shipped", (("catalog", "hadoop"),)) == "iceberg/hadoop-append-unanswered"
    assert known(cause, "shipped", (("PyIceberg's catalog", catalog),)) == ""


@pytest.mark.parametrize("protocol", with_generator())
def test_a_finding_is_of_rules_that_there_are(protocol):
    """A rule that is called otherwise would make news of it."""
    generator = _generator(protocol)
    assert {name for one in generator.known for name in one.rules} <= set(generator.variants)


def test_a_finding_that_names_no_rules_is_of_the_shipped_ones():
    """The first ones of the generator."""
    one = Known("iceberg/x", "readable", "gone", ("update",))
    generator = replace(_generator("iceberg"), known=(one,))
    assert [name for name in generator.variants if generator.known_as(_cause(one), name)] == ["shipped"]
    generator = replace(generator, known=(replace(one, rules=("idempotent",)),))
    assert [name for name in generator.variants if generator.known_as(_cause(one), name)] == ["idempotent"]


def test_every_option_that_a_finding_about_hudi_asks_for_is_told_of_a_drawn_race():
    """Also where it is left alone: what is not told may be anything, and a finding about tables with it would excuse
    those without."""
    generator = _generator("hudi")
    asked = {key for one in generator.known for key, _ in one.where if key in VALUES}
    assert {TABLE_TYPE, METADATA} <= asked
    for seed in range(30):
        assert asked - set(dict(generator.make(seeded(seed)).parameters)) == set()


@pytest.mark.parametrize(
    ("operations", "strategy", "rules", "name"),
    [
        (("log_compact", "upsert"), SIMPLE_CONFLICTS, "shipped", "hudi/mor-logs-older"),
        (("upsert",), SIMPLE_CONFLICTS, "shipped", "hudi/older-instant"),
        (("log_compact", "upsert"), PREFER_WRITER, "shipped", ""),
        (("log_compact", "upsert"), SIMPLE_CONFLICTS, "newer-base-refused", ""),
    ],
)
def test_what_a_log_compaction_changes_back_is_told_from_other_older_instants(operations, strategy, rules, name):
    """By whether the smallest failing run has one; who prefers writers, or refuses a newer base, has neither."""
    cause = Cause("acknowledged-writes-survive", "lost-write", operations)
    told = ((MODE, OCC), (CONFLICTS, strategy), (NEW_IDS, "no"), (LOCK_PROVIDER, ZOOKEEPER))
    assert _generator("hudi").known_as(cause, rules, told) == name


@pytest.mark.parametrize(
    ("table_type", "metadata", "rules", "name"),
    [
        (COPY_ON_WRITE, "true", "shipped", "hudi/restore-beside"),
        (MERGE_ON_READ, "true", "shipped", "hudi/mor-restore-overlap"),
        (COPY_ON_WRITE, "false", "shipped", ""),
        (COPY_ON_WRITE, "true", "restore-fenced", ""),
        (MERGE_ON_READ, "true", "metadata-remade", ""),
    ],
)
def test_what_is_listed_beside_a_restore_is_known_where_nothing_fences_it(table_type, metadata, rules, name):
    """The metadata table is told of a file that the restore has taken back; where nobody compacts it, too."""
    cause = Cause("listed-files-exist", "metadata-file-gone", ("restore", "savepoint", "upsert"))
    told = ((TABLE_TYPE, table_type), (METADATA, metadata), (METADATA_COMPACT_AFTER, UNSET))
    assert _generator("hudi").known_as(cause, rules, told) == name


@pytest.mark.parametrize(
    ("failure", "operations", "rules", "is_known"),
    [
        ("acknowledged-writes-survive/duplicated-row", ("clean", "insert_overwrite", "upsert"), "shipped", True),
        ("snapshot-isolation/lost-row", ("clean", "delete_partition", "upsert"), "shipped", True),
        ("snapshot-isolation/lost-row", ("clean", "delete_partition", "upsert"), "replaced-compared", True),
        ("snapshot-isolation/lost-row", ("clean", "delete_partition", "upsert"), "pending-minded", False),
        ("snapshot-isolation/lost-row", ("clean", "delete_partition", "upsert"), "fixed", False),
        ("snapshot-isolation/lost-row", ("delete_partition", "upsert"), "shipped", False),
        ("acknowledged-writes-survive/duplicated-row", ("clean", "delete_partition", "upsert"), "fixed", False),
    ],
)
def test_what_a_clean_takes_of_what_was_taken_out_is_known_where_it_does_not_mind_who_is_pending(
    failure, operations, rules, is_known
):
    """A row that is not seen after a deletion, or is there twice after an overwrite."""
    broken, _, anomaly = failure.partition("/")
    cause = Cause(broken, anomaly, operations, ("pause",))
    told = ((MODE, OCC), (NEW_IDS, "no"), (LOCK_PROVIDER, ZOOKEEPER), (METADATA, "false"))
    assert _generator("hudi").known_as(cause, rules, told) == ("hudi/clean-overwritten" if is_known else "")


@pytest.mark.parametrize(
    ("operations", "faults", "rules", "name"),
    [
        (("compact",), ("drop-before",), "shipped", "hudi/mor-executor-outlived"),
        (("compact",), ("pause",), "fixed", "hudi/mor-executor-outlived"),
        (("log_compact",), ("pause",), "log-compactions-beat", "hudi/mor-executor-outlived"),
        (("compact",), ("drop-before",), "fixed", ""),
        (("compact",), ("pause",), "leased", ""),
        (("log_compact",), (), "fixed", ""),
    ],
)
def test_an_executor_that_stands_still_is_outlived_where_only_failed_beats_are_mended(operations, faults, rules, name):
    """A beat that fails is tried again under `fixed`; who stands still has none, and looks at none when he commits."""
    cause = Cause("table-invariants", "completed-twice", operations, faults)
    assert _generator("hudi").known_as(cause, rules, FENCED) == name


def test_a_finding_of_sessions_with_a_branch_is_news_elsewhere():
    """What it says that a scenario must have is not there, though nothing that is there speaks against it."""
    one = next(one for one in _generator("iceberg").known if one.has)
    assert one.explains(_cause(one), one.has)
    assert not one.explains(_cause(one), ())
