"""Mutants of validators that need an expiry, a rollback, or a commit that no engine makes: races with extra actors."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from lakeproof.scenarios import built_in
from model.iceberg import open_table
from model.iceberg.errors import IcebergError
from model.iceberg.expire import expire_snapshot
from model.iceberg.files import DataFile, delete_file
from model.iceberg.metadata import TableMetadata, move_branch
from model.iceberg.row_delta import RowDelta
from model.iceberg.scan import plan
from model.ports import CasLost
from sim.iceberg.race import TABLE
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append, DeleteRow, Insert, Overwrite, Statement, Update
from sim.search.explore import by_deviations, default_plan
from sim.search.result import Result
from sim.world.program import program
from sim.world.scenario import Scenario
from sim.world.simulation import Simulation
from tests.mutants.iceberg import BY_NAME

Change = Callable[[TableMetadata], TableMetadata]


def expire_all_but_the_head(metadata: TableMetadata) -> TableMetadata:
    """`expireSnapshots` that retains the last one."""
    for snapshot in metadata.snapshots:
        if snapshot.snapshot_id != metadata.current_snapshot_id:
            metadata = expire_snapshot(metadata, snapshot.snapshot_id)
    return metadata


def roll_back_to_the_first(metadata: TableMetadata) -> TableMetadata:
    """`rollbackTo` the initial snapshot."""
    return move_branch(metadata, metadata.snapshots[0].snapshot_id)


def _started_by(scenario: Scenario, start: Callable[[Simulation], None]) -> Scenario:
    """The scenario with another start."""
    own = scenario.program
    return replace(scenario, program=program(start, prepare=own.prepare, finish=own.finish))


def with_maintenance(scenario: Scenario, change: Change) -> Scenario:
    """The race with an actor w3 that changes the metadata once."""

    def start(simulation: Simulation) -> None:
        scenario.program.start(simulation)
        register = simulation.world("w3").register

        def body() -> None:
            while True:
                seen = register.load(TABLE)
                try:
                    register.commit(TABLE, seen.version, change(seen.value))
                except CasLost:
                    continue
                return

        simulation.actor("w3", body)

    return _started_by(scenario, start)


def expiry() -> Result:
    """w1 overwrites what it has loaded; w2 adds a row and an empty commit; w3 expires what is before the head."""
    writers: dict[str, Sequence[Statement]] = {
        "w1": [Overwrite(((1, "A"), (2, "a2")), validate=True)],
        "w2": [Append(((3, "x"),)), DeleteRow(99)],
    }
    program = race("expiry", "", writers, properties=("acknowledged-writes-survive",))
    return by_deviations(with_maintenance(program, expire_all_but_the_head), 2)


def rollback() -> Result:
    """w2 adds row 3, w1 updates it, and w3 rolls w2's commit back before w1 commits."""
    writers: dict[str, Sequence[Statement]] = {"w2": [Insert(((3, "x"),))], "w1": [Update(3, "Z")]}
    program = race("rollback", "", writers, properties=("table-invariants",))
    return by_deviations(with_maintenance(program, roll_back_to_the_first), 2)


def removes_what_it_deletes_from() -> Result:
    """One commit that removes a data file and adds a delete for a row of it."""
    scenario = race("referenced", "", {"w2": [Append(((3, "x"),))]}, properties=("table-invariants",))

    def start(simulation: Simulation) -> None:
        def body() -> None:
            table = open_table(simulation.world("w1"), TABLE)
            op = simulation.record.invoke("w1", "row delta")
            file = plan(table.files, table.ops.refresh().current)[0].file
            try:
                _remove_and_delete(table.world.store.put, RowDelta(table), file).commit()
            except IcebergError as error:
                simulation.record.fail(op, str(error))
            else:
                simulation.record.ok(op)

        simulation.actor("w1", body)
        scenario.program.start(simulation)

    return by_deviations(_started_by(scenario, start), 1)


def _remove_and_delete(put: Callable[..., None], producer: RowDelta, file: DataFile) -> RowDelta:
    positions = ((file.path, 0),)
    put(f"{TABLE}/data/deletes", positions)
    deletes = delete_file(f"{TABLE}/data/deletes", positions)
    return producer.remove_rows(file).add_deletes(deletes).validate_data_files_exist([file.path])


def reads_what_it_has_done() -> Result:
    """A session that caches the table reads, inserts and reads."""
    named = "iceberg/read-insert-read-cached"
    return default_plan(replace(built_in()[named], properties=("read-your-writes",), counters=()))


PROGRAMS = {
    "own-commits-not-cached": reads_what_it_has_done,
    "no-history-check": expiry,
    "no-ancestor-check": rollback,
    "no-referenced-file-check": removes_what_it_deletes_from,
}


@pytest.mark.parametrize(("mutant", "key"), [
    ("no-history-check", "acknowledged-writes-survive/lost-row"),
    ("own-commits-not-cached", "read-your-writes/missed-own-write"),
    ("no-referenced-file-check", "table-invariants/dangling-delete"),
])  # fmt: skip
def test_mutant_is_killed_by_its_story(mutant: str, key: str) -> None:
    """The shipped rules keep the property in the same search."""
    with BY_NAME[mutant].alive():
        assert list(PROGRAMS[mutant]().failures) == [key]
    assert PROGRAMS[mutant]().failures == {}


def test_a_start_on_a_rolled_back_lineage_is_refused_twice_over() -> None:
    """Without the ancestor check the history check still refuses; without both, the deletes miss their file."""
    assert rollback().failures == {}
    with BY_NAME["no-ancestor-check"].alive():
        assert rollback().failures == {}
        with BY_NAME["no-history-check"].alive():
            assert list(rollback().failures) == ["table-invariants/dangling-delete"]
