"""Small parts: expressions on file metrics, inheritance, back-off arithmetic, errors and their promises."""

import pytest

from model.iceberg import errors
from model.iceberg.api import append, as_reads, overwrite, read
from model.iceberg.backoff import Backoff
from model.iceberg.errors import CommitFailed, RestError, ServiceFailure, ServiceUnavailable, TableUnreadable
from model.iceberg.expressions import FALSE, TRUE, IdBetween, InPartition, id_equals
from model.iceberg.files import DATA, DataFile, IdRange, ManifestFile, delete_file
from model.iceberg.table_properties import TableProperties
from model.iceberg.tables import create_table, open_table
from tests.unit.iceberg.direct_world import Services, actor

FILE = DataFile("f", 3, 2, 9, "p0")
DELETES = delete_file("d", (("f", 0), ("f", 2)), "p0")


def world_of(rows=((1, "a"), (2, "b")), plan=None, **options):
    """A table and the world of w1 on it."""
    services = Services()
    create_table(actor(services, "setup", 0), "t", rows, **options)
    services.trace.clear()
    return services, actor(services, "w1", 1, plan)


@pytest.mark.parametrize(
    ("expression", "may", "must"),
    [
        (TRUE, True, True),
        (FALSE, False, False),
        (id_equals(2), True, False),
        (id_equals(1), False, False),
        (IdBetween(0, 9), True, True),
        (IdBetween(9, 20), True, False),
        (InPartition("p0"), True, True),
        (InPartition("p1"), False, False),
    ],
)
def test_expressions_on_file_bounds(expression, may, must):
    """Inclusive: a row may match. Strict: every row must."""
    assert (expression.may_match(FILE), expression.must_match(FILE)) == (may, must)


def test_delete_files_are_pruned_by_partition_only():
    """Their bounds are of paths and positions, so an id says nothing about them."""
    assert id_equals(99).may_match_delete(DELETES)
    assert not id_equals(99).must_match_delete(DELETES)
    assert not InPartition("p1").may_match_delete(DELETES)
    assert TRUE.must_match_delete(DELETES)
    assert not FALSE.may_match_delete(DELETES)


def test_an_equality_proves_nothing_of_a_partition():
    """Not of one that has a single id, either: two ids may be truncated to one. What a range has it has whole."""
    deletes = delete_file("d", (("f", 0),), IdRange(3, 3))
    assert id_equals(3).may_match_delete(deletes)
    assert not id_equals(3).must_match_delete(deletes)
    assert IdBetween(2, 3).must_match_delete(deletes)


def test_delete_file_of_one_data_file_applies_by_path_else_by_partition():
    """Source: DeleteFileIndex."""
    wide = delete_file("d", (("f", 0), ("g", 0)), "p0")
    other = FILE._replace(path="h")
    assert DELETES.may_apply_to(FILE)
    assert not DELETES.may_apply_to(other)
    assert wide.may_apply_to(other)
    assert not wide.may_apply_to(other._replace(partition="p1"))
    assert wide.referenced_data_file is None


def test_manifest_inherits_the_sequence_number_of_its_list_once():
    """An open number is filled in, also as lower bound; one that is set stays."""
    new = ManifestFile("m", DATA, None, None, 7, 1, 0, 0)
    assert new.assigned(5) == ManifestFile("m", DATA, 5, 5, 7, 1, 0, 0)
    assert new.assigned(5).assigned(6).sequence_number == 5
    assert new._replace(min_sequence_number=2).assigned(5).min_sequence_number == 2


def test_backoff_doubles_up_to_the_cap_and_counts_attempts():
    """Two retries of 100 ms and 150 ms; a third is not allowed."""
    services = Services()
    backoff = Backoff(actor(services, "w1", 1), 2, 100, 150, 10_000)
    slept = []
    while backoff.may_retry():
        before = services.now_ms
        backoff.wait()
        slept.append(services.now_ms - before)
    assert slept == [100, 150]


def test_backoff_timeout_needs_two_attempts():
    """One slow attempt is retried, a second is not."""
    services = Services()
    backoff = Backoff(actor(services, "w1", 1), 9, 0, 0, 1_000)
    services.now_ms = 5_000
    assert backoff.may_retry()
    assert not backoff.may_retry()


def test_lost_races_wait_as_the_properties_say():
    """100, 200, 400 ms: the defaults of commit.retry."""
    services, world = world_of(plan={("commit", n): "409-before" for n in (1, 2, 3)}, catalog="java-api")
    append(open_table(world, "t", catalog="java-api"), ((3, "c"),))
    assert services.now_ms == 700


def test_only_definite_answers_are_cleanable():
    """What may have happened is never cleaned up after."""
    refused = {"BadRequest", "CommitFailed", "ValidationFailed", "StaleSnapshot", "SeveralVectors", "VersionMissing"}
    cleanable = {*refused, "NoSuchTable", "ServiceUnavailable"}
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.IcebergError)]
    assert {kind.__name__ for kind in kinds if kind.cleanable} == cleanable
    assert all(kind.definite for kind in kinds if kind.cleanable)


def test_an_error_carries_what_the_command_had_worked_on():
    """So that a history can tell, from the lineage, whether the unknown commit is there."""
    _, world = world_of(plan={("commit", 1): "drop-after"})
    table = open_table(world, "t")
    with pytest.raises(RestError) as caught:
        append(table, ((3, "c"),))
    result = caught.value.result
    assert result is not None
    assert (result.start, result.commit, result.writes) == (1, None, ((3, "c"),))
    assert table.ops.refresh().snapshot(result.snapshot) is not None


def test_a_command_reports_start_commit_and_parent():
    """The parent is the committed snapshot's, which a race moves away from the start."""
    services, world = world_of()
    table = open_table(world, "t")
    table.ops.refresh()
    append(open_table(actor(services, "w2", 2), "t"), ((3, "c"),))
    result = overwrite(table, ((4, "d"),))
    assert (result.start, result.parent, result.commit) == (1, 201, 101)


def test_an_append_starts_from_what_is_there_when_it_commits():
    """It depends on no snapshot that its client has seen before."""
    services, world = world_of()
    table = open_table(world, "t")
    table.ops.refresh()
    append(open_table(actor(services, "w2", 2), "t"), ((3, "c"),))
    assert append(table, ((4, "d"),)).start == 201


def test_overwrite_by_filter_replaces_all_rows():
    """Also those that the writer never saw."""
    services, world = world_of()
    overwrite(open_table(world, "t"), ((9, "z"),))
    assert read(open_table(actor(services, "r1", 3), "t")).reads == ((9, "z"),)


def test_reads_join_duplicates_and_name_absent_rows():
    """One entry per id, None for a row that was looked for and not found."""
    assert as_reads(((2, "x"), (2, "y")), 1) == ((1, None), (2, "x|y"))


def test_a_missing_file_makes_the_table_unreadable():
    """The error names the file."""
    services, world = world_of()
    del services.objects["t/metadata/snap-1-1"]
    with pytest.raises(TableUnreadable, match="t/metadata/snap-1-1"):
        read(open_table(world, "t"))


def test_loads_are_resent_and_then_given_up():
    """A GET is idempotent: five resends; then 503 counts as a definite rejection, 500 does not."""
    for fault, kind in (("503-before", ServiceUnavailable), ("500-before", ServiceFailure), ("drop-before", RestError)):
        services, world = world_of(plan={("load", n): fault for n in range(1, 7)})
        with pytest.raises(kind):
            read(open_table(world, "t"))
        assert services.trace == [f"w1.load!{fault}"] * 6


def test_a_bound_on_resends_can_be_given():
    """Two resends, as rest.client.max-retries=2."""
    services, world = world_of(plan={("commit", n): "429-before" for n in range(1, 9)})
    with pytest.raises(RestError):
        append(open_table(world, "t", max_resends=2), ((3, "c"),))
    assert services.catalog_trace().count("commit") == 3


def test_retries_come_from_the_table():
    """commit.retry.num-retries is a table property."""
    plan = {("commit", 1): "409-before"}
    _, world = world_of(plan=plan, properties=TableProperties(commit_retry_num_retries=0))
    with pytest.raises(CommitFailed):
        append(open_table(world, "t"), ((3, "c"),))


def test_the_longest_wait_is_kept_however_often_one_has_waited():
    """Polling a lock while the clock goes back: thousands of times, as upstream's powers are infinite at most."""
    world = actor(Services(), "w1", 1)
    backoff = Backoff(world, 10_000, 50, 5_000, 180_000, scale=1.5)
    backoff.failed = 5_000
    before = world.clock.now_ms()
    backoff.wait()
    assert 5_000 <= world.clock.now_ms() - before <= 5_500
