"""Races through Iceberg's Java API on the real commit loop: what gets lost, what is refused, what is retried."""

import pytest

from sim.iceberg.workload import Append, DeleteRow, DeleteWhere, Overwrite, Replace, ReplacePartitions
from sim.kernel.schedule import Divergence
from tests.live.iceberg.agreement import both, kinds, operations, scenario_of, workload_of

pytestmark = pytest.mark.live
A, B = ((1, "A"), (2, "a2")), ((1, "B"), (2, "b2"))
W1_FIRST = "w1.load w2.load w1.commit w1.load w2.commit w2:end"
W2_FIRST = "w1.load w2.load w2.commit w2.load w1.commit w1:end"


def overwrites(**options):
    writers = {"w1": [Overwrite(A, **options)], "w2": [Overwrite(B, **options)]}
    return scenario_of(writers, catalog="java-api")


def appends():
    return scenario_of({"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]}, catalog="java-api")


@pytest.mark.parametrize(("schedule", "rows"), [(W1_FIRST, B), (W2_FIRST, A)])
def test_overwrite_without_validation_loses_the_other_one(java, schedule, rows):
    """Both succeed, and the one whose commit comes second survives: the schedule decides which."""
    run, live = both(java, overwrites(), schedule)
    assert kinds(live) == {"w1": "ok", "w2": "ok"}
    assert live.rows == rows
    assert run.failure is not None


@pytest.mark.parametrize(("schedule", "refused", "rows"), [(W1_FIRST, "w2", A), (W2_FIRST, "w1", B)])
def test_validated_overwrite_that_comes_second_is_refused(java, schedule, refused, rows):
    """With the validation the first one survives."""
    run, live = both(java, overwrites(validate=True), schedule)
    assert live.outcome(refused).startswith("ValidationException: ")
    assert live.rows == rows
    assert run.failure is None


def test_overwrite_by_file_without_validation_keeps_both_contents(java):
    """Two writers replace the same file: every row is there twice."""
    _, live = both(java, overwrites(by="file"), W1_FIRST)
    assert live.rows == tuple(sorted(A + B))


def test_a_commit_that_is_refused_and_whose_answer_is_lost_is_not_retried(java):
    """The client is told 503, and not that it has lost the race."""
    _, live = both(java, appends(), "w2:commit w1:end w2.commit!503-after w2:end")
    assert kinds(live) == {"w1": "ok", "w2": "state unknown"}
    assert live.rows == ((1, "a"), (2, "b"), (3, "x"))


def test_a_delete_in_one_file_refuses_no_replacement_of_another(java):
    """A delete file that names one data file is no conflict elsewhere, as with the files that engines write."""
    writers = {"w1": [DeleteRow(1)], "w2": [Replace(4, ((4, "y"),))]}
    scenario = scenario_of(writers, catalog="java-api", history=(Append(((4, "x"),)),))
    _, live = both(java, scenario, "w1.load w1.commit w1:end w2:end")
    assert kinds(live) == {"w1": "ok", "w2": "ok"}
    assert live.rows == ((2, "b"), (4, "y"))


@pytest.mark.parametrize(("schedule", "order"), [(W1_FIRST, ["w1", "w2"]), (W2_FIRST, ["w2", "w1"])])
def test_append_that_loses_the_race_is_retried(java, schedule, order):
    """`commit` refused, `load`, `commit`: both files stay, in the schedule's order."""
    _, live = both(java, appends(), schedule)
    late = order[1]
    assert [step for step in live.trace if step.startswith(late)] == [
        f"{late}.load", f"{late}.commit=refused", f"{late}.load", f"{late}.commit=applied", f"{late}.load",
    ]  # fmt: skip
    assert [actor for _, actor in operations(live)] == ["setup", *order]
    assert live.rows == ((1, "a"), (2, "b"), (3, "x"), (4, "y"))


@pytest.mark.parametrize(
    ("fault", "kind", "readable"),
    [("409-after", "refused", False), ("409-before", "ok", True), ("500-after", "state unknown", True)],
)
def test_false_conflict_makes_a_validated_overwrite_remove_itself(java, fault, kind, readable):
    """Applied and called lost: the table cannot be read; the same answer told truly does no harm."""
    scenario = scenario_of({"w1": [Overwrite(A, validate=True)]}, catalog="java-api")
    _, live = both(java, scenario, f"w1:commit w1.commit!{fault} w1:end")
    assert kinds(live) == {"w1": kind}
    assert (live.rows is not None) is readable


def test_false_conflict_makes_a_replacement_of_partitions_refuse_itself(java):
    """It finds the file that it has added itself; an overwrite behind it hides that the table could not be read."""
    writers = {"w1": [ReplacePartitions(((1, "A"),), "serializable")], "w2": [Overwrite(((1, "B"),))]}
    scenario = scenario_of(writers, catalog="java-api", partition_width=1)
    _, live = both(java, scenario, "w1:commit w1.commit!409-after w1:load w2:end w1:end")
    assert kinds(live) == {"w1": "refused", "w2": "ok"}
    assert [operation for operation, _ in operations(live)] == ["append", "overwrite", "overwrite"]
    assert live.rows == ((1, "B"),)


def test_false_conflict_is_seen_through_by_an_append(java):
    """It finds its own snapshot when it looks again."""
    scenario = scenario_of({"w1": [Append(((3, "x"),))]}, catalog="java-api")
    _, live = both(java, scenario, "w1:commit w1.commit!409-after w1:end")
    assert kinds(live) == {"w1": "ok"}
    assert live.rows == ((1, "a"), (2, "b"), (3, "x"))


def test_lineage_repeats_to_the_last_id(java):
    """Snapshot ids are ours to choose: the same schedule gives the same lineage, another one another."""
    one, same, other = (java.run(workload_of(appends()), schedule) for schedule in (W1_FIRST, W1_FIRST, W2_FIRST))
    assert one.lineage == same.lineage != other.lineage


def test_fault_below_table_operations_is_no_step_of_this_gate(java):
    """The HTTP client's resend does not exist here, and the message says so."""
    with pytest.raises(Divergence, match="cannot commit the fault 503-after-retry at commit"):
        java.run(workload_of(appends()), "w1:commit w1.commit!503-after-retry")


def test_runs_leave_nothing_in_memory_but_files_that_are_used_again(java):
    """Thousands of them in one JVM do not fill it: the same race written twice takes no more than once."""
    scenario = scenario_of({"w1": [Append(((3, "x"),))], "w2": [DeleteRow(1)]}, catalog="java-api")
    held = []
    for _ in range(2):
        java.run(workload_of(scenario), "w1:end w2:end")
        held.append(java.files_in_memory)
    assert held[0] == held[1]


def test_an_equality_delete_of_another_row_refuses_a_replacement(java):
    """Files as a scan hands them out have no bounds: the delete may be of any of them, as far as anybody knows."""
    writers = {"w1": [Replace(2, ((2, "B"),))], "w2": [DeleteWhere(1)]}
    table = {"rows": ((1, "a"),), "history": (Append(((2, "b"),)),), "catalog": "java-api"}
    run, live = both(java, scenario_of(writers, **table), "w2:end w1:end")
    assert kinds(live) == {"w1": "refused", "w2": "ok"}
    assert run.failure is None


@pytest.mark.parametrize(("level", "told"), [("serializable", "ok"), ("snapshot", "refused")])
def test_a_conflict_filter_hides_an_equality_delete_of_another_row_of_the_file(java, level, told):
    """The stricter level sets the filter, and so takes what the other one refuses (`iceberg/change-upsert`)."""
    writers = {"w1": [DeleteWhere(1, "none")], "w2": [Replace(2, ((1, "x"), (2, "y")), level)]}
    run, live = both(java, scenario_of(writers, catalog="java-api"), "w1.load w1.commit w1:end w2:end")
    assert kinds(live) == {"w1": "ok", "w2": told}
    assert run.failure == ("snapshot-isolation/write-overlap@stated" if told == "ok" else None)


@pytest.mark.parametrize(("schedule", "broken"), [("w1:end w2:end", False), ("w2:end w1:end", True)])
def test_an_overwrite_has_meant_the_rows_that_it_has_seen_and_does_not_write(java, schedule, broken):
    """Those are no loss; what was added behind its back is one."""
    scenario = scenario_of({"w1": [Overwrite(((1, "A"),))], "w2": [Append(((3, "x"),))]}, catalog="java-api")
    run, live = both(java, scenario, schedule)
    assert kinds(live) == {"w1": "ok", "w2": "ok"}
    assert run.failure == ("acknowledged-writes-survive/lost-row" if broken else None)
