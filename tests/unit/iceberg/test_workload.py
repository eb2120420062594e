"""Workloads: what is no workload is refused by name, and bounds say what was simulated."""

import pytest

from model.iceberg.rules import SHIPPED
from sim.iceberg.ages import ExpireOlder
from sim.iceberg.by_hand import AddPartitions
from sim.iceberg.incremental import ReadAt
from sim.iceberg.layout import SortBy
from sim.iceberg.managing import AppendTo, RollBack
from sim.iceberg.over_metastores import COMPOSITE
from sim.iceberg.race import READER, IcebergRace
from sim.iceberg.scenarios import ICEBERG, race
from sim.iceberg.workload import (
    AddColumn,
    AlterPartitionField,
    Append,
    Compact,
    Delete,
    DeleteRow,
    IcebergWorkload,
    Insert,
    InsertOverwrite,
    Merge,
    Overwrite,
    RemoveWhere,
    Replace,
    Scan,
    SetProperty,
    Transaction,
    Truncate,
    Update,
    Upsert,
)
from sim.search.run import Runner

ONE = (("w1", (Delete(1),)),)
BESIDE = (*ONE, ("w2", (Append(((3, "x"),)),)))


@pytest.mark.parametrize(("wrong", "message"), [
    ({"mode": "merge-on-reed"}, "mode: expected merge-on-read or copy-on-write, got 'merge-on-reed'"),
    ({"isolation": "snapshott"}, "isolation: expected snapshot or serializable, got 'snapshott'"),
    ({"catalog": "glue"}, "or jdbc or hadoop or hadoop-replacing or hive-lock or hive-no-lock, got 'glue'"),
    ({"retries": -4}, "retries: expected a number from 0, got -4"),
    ({"retries": "3"}, "retries: expected a number from 0, got '3'"),
    ({"retries": True}, "retries: expected a number from 0, got True"),
    ({"rows": ()}, "rows: expected at least one (id, value), got ()"),
    ({"rows": ((1,),)}, "rows: expected at least one (id, value), got ((1,),)"),
    ({"writers": ()}, "writers: expected at least one, got none"),
    ({"writers": (("w1", ()),)}, "writers: w1: expected statements such as Delete(1), got ()"),
    ({"writers": (("w1", "DELETE"),)}, "writers: w1: expected statements such as Delete(1), got 'DELETE'"),
    ({"writers": (("w1", ("DELETE",)),)}, "writers: w1: expected a statement such as Delete(1), got 'DELETE'"),
    ({"writers": (("w1", (Delete(1),)), ("w1", (Delete(2),)))}, "writers: expected names that differ, got w1, w1"),
    ({"writers": (("w1", (Delete(1), Compact())),)}, "of the Java API only, got Delete and Compact"),
    ({"writers": BESIDE, "catalog": "jdbc"}, "catalog: expected 'rest' for the Java API beside Spark SQL, got 'jdbc'"),
    ({"writers": BESIDE, "tries": 1}, "tries: expected 0 for the Java API beside Spark SQL, got 1"),
    ({"writers": BESIDE, "mode": "copy-on-write", "table_properties": (("format-version", "1"),)},
     "format_version: expected 2 or 3 for the Java API beside Spark SQL, got 1"),
    (
        {"writers": (("w1", (Delete(1),)), ("w2", (Upsert(1, "A", "snapshot"),)))},
        "writers: expected level none beside Spark SQL, got Upsert",
    ),
    (
        {"writers": (*BESIDE, ("w3", (ReadAt(back=1),)))},
        "SQL and procedures alone beside Append, DeleteWhere, Upsert, AppendTo and SetProperty, got ReadAt",
    ),
    ({"writers": (("w1", (DeleteRow(1),)),), "history": (Delete(1),)}, "before the Java API, got Delete(id=1)"),
    ({"history": (DeleteRow(1),)}, "AppendTo, CreateRef or Stage before SQL, got DeleteRow(id=1"),
    ({"writers": (("w1", (Transaction((1,)),)),)}, "w1: transaction: expected operations such as Append, got 1"),  # type: ignore[arg-type]
    ({"writers": (("w1", (Scan(3),)),)}, "w1: read: expected 1 or 2 times, got 3"),
    ({"writers": (("w1", (Merge(()),)),)}, "w1: Merge: rows: expected at least one row as ((3, 'x'),), got ()"),
    ({"writers": (("w1", (Merge(((1, "x"),), "nothing", inserts=False),)),)}, "expected MERGE that updates, deletes"),
    ({"writers": (("w1", (InsertOverwrite(()),)),)}, "w1: InsertOverwrite: rows: expected at least one row"),
    ({"writers": (("w1", (Truncate("DROP"),)),)}, "by: expected 'TRUNCATE TABLE' or 'DELETE FROM', got 'DROP'"),  # type: ignore[arg-type]
    ({"writers": (("w1", (InsertOverwrite(((1, "x"),)), InsertOverwrite(((1, "y"),), dynamic=True))),)},
     "expected INSERT OVERWRITE all static or all dynamic, got both"),
    ({"tries": -1}, "tries: expected a number from 0, got -1"),
    ({"table_properties": (("format-version", "4"),)}, "format-version: expected 1 or 2 or 3, got '4'"),
    ({"table_properties": (("format-version", "1"),)}, "format-version: expected 2 or 3 for merge-on-read, got '1'"),
    ({"table_properties": (("format-version", "1"),), "writers": (("w1", (Append(((3, "x"),)),)),),
      "history": (DeleteRow(1),), "catalog": "java-api"},
     "format-version: expected 2 or 3 for DeleteRow, DeleteWhere and Upsert, got '1'"),
    ({"table_properties": (("commit.manifest.max-count-to-merge", "2"),)}, "got commit.manifest.max-count-to-merge"),
    ({"table_properties": (("commit.manifest.min-count-to-merge", "few"),)}, "expected a number from 0, got 'few'"),
    ({"table_properties": (("commit.manifest.target-size-bytes", "9000"),)},
     "target-size-bytes: expected 8388608 or 17000 or 1, got '9000'"),
    ({"table_properties": (("commit.manifest-merge.enabled", "no"),)}, "expected true or false, got 'no'"),
    ({"history": (SetProperty("commit.manifest.min-count-to-merge", "2"),), "catalog": "java-api",
      "writers": (("w1", (DeleteRow(1),)),)}, "or a name of your own, got 'commit.manifest.min-count-to-merge'"),
    ({"table_properties": (("commit.retry.min-wait-ms", "soon"),)}, "expected a number from 0, got 'soon'"),
    ({"table_properties": (("write.metadata.delete-after-commit.enabled", "true"),)},
     "delete-after-commit.enabled: expected catalog hadoop, got 'rest'"),
    ({"table_properties": (("write.metadata.previous-versions-max", "1"),)},
     "expected write.metadata.delete-after-commit.enabled beside it, got '1'"),
    ({"table_properties": (("write.metadata.delete-after-commit.enabled", "true"),), "catalog": "hadoop",
      "writers": (("w1", (DeleteRow(1),)),)}, "expected Append alone where write.metadata.delete-after-commit"),
    ({"table_properties": "x"}, "table_properties: expected pairs of a name and a value, got 'x'"),
])  # fmt: skip
def test_what_is_no_workload_is_refused_by_its_argument(wrong, message):
    """One line that names the argument, what was expected and what was given."""
    with pytest.raises(ValueError, match=r"^workload: ") as refused:
        IcebergWorkload(**{"writers": ONE} | wrong)
    assert message in str(refused.value)


def sent(*statements, **table):
    """A race of one writer on the Java API."""
    return {"writers": (("w1", statements),), "catalog": "java-api"} | table


@pytest.mark.parametrize(("wrong", "message"), [
    (sent(Append(())), "writers: w1: Append: rows: expected at least one row as ((3, 'x'),), got ()"),
    (sent(Append("abc")), "Append: rows: expected at least one row as ((3, 'x'),), got 'abc'"),  # type: ignore[arg-type]
    (sent(Append(((3, 5),))), "rows: expected at least one row as ((3, 'x'),), got ((3, 5),)"),  # type: ignore[arg-type]
    (sent(Append((("3", "x"),))), "as ((3, 'x'),), got (('3', 'x'),)"),  # type: ignore[arg-type]
    (sent(Append(((3, "x"), (3, "y")))), "Append: rows: expected rows whose ids differ, got"),
    ({"rows": ((1, "a"), (1, "b"))}, "rows: expected rows whose ids differ, got ((1, 'a'), (1, 'b'))"),
    ({"writers": (("w 1", (Delete(1),)),)}, "writers: expected a name that a schedule can spell"),
    ({"writers": ((7, (Delete(1),)),)}, "writers: expected a name that a schedule can spell"),
    (sent(Replace(1, ((1, "z"),), "repeatable")),  # type: ignore[arg-type]
     "w1: Replace: level: expected 'none' or 'snapshot' or 'serializable', got 'repeatable'"),
    (sent(Transaction((DeleteRow(1, "foo"),))), "w1: DeleteRow: level: expected"),  # type: ignore[arg-type]
    (sent(Append(((3, "x"),)), history=(Compact("never"),)), "history: Compact: number: expected 'own' or"),  # type: ignore[arg-type]
    (sent(Overwrite((), by="nothing")), "Overwrite: by: expected 'filter' or 'file', got 'nothing'"),  # type: ignore[arg-type]
    (sent(Transaction((), start="later")), "Transaction: start: expected 'begin' or 'own', got 'later'"),  # type: ignore[arg-type]
    (sent(DeleteRow("1")), "DeleteRow: id: expected a whole number, got '1'"),  # type: ignore[arg-type]
    (sent(RemoveWhere(())), "RemoveWhere: ids: expected at least one, each a whole number, got ()"),
    (sent(Append(((3, "x"),), merge=1)), "Append: merge: expected True or False, got 1"),  # type: ignore[arg-type]
    (sent(AppendTo("", ((3, "x"),))), "AppendTo: branch: expected some text, got ''"),
    (sent(RollBack(-1)), "RollBack: back: expected a whole number from 0, got -1"),
    (sent(ExpireOlder(-1), ages_h=(1.0,)), "ExpireOlder: age_h: expected a number from 0, got -1"),
    (sent(SetProperty("", "")), "SetProperty: name: expected some text, got ''"),
    (sent(AddColumn(None)), "AddColumn: name: expected some text, got None"),  # type: ignore[arg-type]
    ({"writers": (("w1", (AlterPartitionField(added="x"),)),)}, "added: expected a Field, got 'x'"),  # type: ignore[arg-type]
    ({"catalog": "hadoop"}, "catalog: expected another one than hadoop for Spark SQL, got 'hadoop'"),
    ({"catalog": "hadoop-replacing"}, "for Spark SQL, got 'hadoop-replacing'"),
    ({"table_properties": (("format-version", "2"), ("format-version", "3"))}, "expected each name once, got"),
    ({"unlocked": ("w1",)}, "unlocked: expected writers on catalog hive-lock, got ('w1',)"),
    ({"unlocked": ("w9",), "catalog": "hive-lock"}, "unlocked: expected writers on catalog hive-lock, got ('w9',)"),
])  # fmt: skip
def test_a_statement_says_what_its_class_can_say(wrong, message):
    """Choices, numbers, texts and rows are those of its types, in a transaction and before the race, too."""
    with pytest.raises(ValueError, match=r"^workload: ") as refused:
        IcebergWorkload(**{"writers": ONE} | wrong)
    assert message in str(refused.value)


@pytest.mark.parametrize(("name", "value"), [
    ("commit.retry.num-retries", "0"), ("write.delete.isolation-level", "serializable"),
    ("write.delete.mode", "copy-on-write"), ("write.metadata.delete-after-commit.enabled", "true"),
    ("write.metadata.previous-versions-max", "1"), ("engine.hive.enabled", "false"), ("uuid", "1"),
    ("engine.hive.lock-enabled", "no"),
    ("read.split.target-size", "1"), ("format-version", "4"), ("gc.enabled", "no"),
    ("history.expire.min-snapshots-to-keep", "few"), ("history.expire.max-snapshot-age-ms", "0"),
])  # fmt: skip
def test_a_property_that_is_not_followed_cannot_be_set(name, value):
    """Iceberg would go by it; neither by a writer, nor in a transaction, nor before the race."""
    one, appends = SetProperty(name, value), Append(((3, "x"),))
    for given in (sent(one), sent(Transaction((one, appends))), sent(appends, history=(one,))):
        with pytest.raises(ValueError, match=r"^workload: SetProperty") as refused:
            IcebergWorkload(**given)
        assert value in str(refused.value) or name in str(refused.value)


@pytest.mark.parametrize(("name", "value"), [
    ("k", "1"), ("writer", "ann"), ("comment", "ours"), ("format-version", "3"), ("gc.enabled", "false"),
    ("history.expire.min-snapshots-to-keep", "2"),
])  # fmt: skip
def test_a_property_that_is_followed_or_means_nothing_can_be_set(name, value):
    """Of a name of one's own, or as the simulation has it."""
    assert IcebergWorkload(**sent(SetProperty(name, value))).actors == ("w1",)


def test_what_goes_may_be_replaced_by_nothing():
    """An overwrite, a replaced file, partitions that are added to, a transaction of nothing."""
    for one in (Overwrite(()), Replace(1, ()), AddPartitions(()), Transaction(()), SortBy(())):
        assert IcebergWorkload(**sent(one)).actors == ("w1",)


def test_a_row_may_have_an_id_below_0():
    """As buckets are asked of such."""
    assert IcebergWorkload(**sent(DeleteRow(-1), rows=((-1, "a"),))).content == ((-1, "a"),)


def test_bounds_are_those_of_the_workload():
    """Writers, statements, files, retries and the catalog are counted; what is left out is named."""
    writers = (("w1", (Insert(((3, "x"),)), Update(3, "y"))), ("w2", (Delete(1),)))
    assert IcebergWorkload(writers, retries=1).bounds == (
        "2 writers, 2 and 1 statements; format 2, 1 file, 1 retry, REST catalog; no catalog cache, no manifest merging"
    )
    further = (("commit.retry.min-wait-ms", "7"),)
    made = race("x", "", {"w1": [Append(((3, "x"),))]}, catalog="java-api", retries=0, table_properties=further,
                history=(Append(((9, "z"),)),))  # fmt: skip
    merges = (("commit.manifest.min-count-to-merge", "2"),)
    assert "Java API; no catalog cache;" in race("x", "", {"w1": [DeleteRow(1)]}, catalog="java-api",
                                                 table_properties=merges).bounds  # fmt: skip
    assert made.bounds == (
        "1 writer, 1 statement; format 2, 2 files, 0 retries, commit.retry.min-wait-ms=7, Java API;"
        " no catalog cache, no manifest merging;"
        " no faults: a misreported commit breaks any such race, see iceberg/insert-insert-misreported"
    )


def test_every_built_in_scenario_says_its_format_and_what_is_left_out():
    """Also those over metastores."""
    for scenario in (*ICEBERG, *COMPOSITE):
        assert "; format 2, " in scenario.bounds
        assert "no catalog cache, no manifest merging" in scenario.bounds


def test_history_is_done_before_the_race_and_is_its_first_version():
    """Files and rows are those that the table has when the race begins."""
    history = (DeleteRow(1), Replace(2, ((2, "B"),)), Append(((3, "c"),)))
    workload = IcebergWorkload((("w1", (Append(((4, "d"),)),)),), history=history, catalog="java-api")
    assert workload.files == (((2, "B"),), ((3, "c"),))
    run = Runner(race("x", "", dict(workload.writers), history=history, catalog="java-api")).play(())
    versions = [event for event in run.events if event.type == "version"]
    assert [(event.commit, event.arg) for event in versions] == [(0, "append"), (1, "append")]
    final = next(event for event in run.events if event.process == READER and event.type == "ok")
    assert [(key, value) for key, value, _ in final.reads if value is not None] == [
        ("row:2", "B"), ("row:3", "c"), ("row:4", "d"),
    ]  # fmt: skip


def test_a_table_property_reaches_the_simulated_table():
    """The loop waits as long as the property says."""
    workload = IcebergWorkload(ONE, table_properties=(("commit.retry.min-wait-ms", "7"), ("format-version", "2")))
    assert workload.properties.commit_retry_min_wait_ms == 7
    assert IcebergRace(workload, SHIPPED).workload.properties.commit_retry_num_retries == 3
