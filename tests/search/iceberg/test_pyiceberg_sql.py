"""PyIceberg's own SQL catalog, unmodified, at the statements of a simulated SQLite."""

from collections import Counter

import pytest

from sim.iceberg.pyiceberg import race
from sim.iceberg.python.catalogs import SQL
from sim.iceberg.workload import Append
from sim.kernel.schedule import steps_of
from sim.search.explore import exhaustive, same_twice
from sim.search.run import Runner
from sim.services.sql_database import GAVE_UP, WAITED
from sim.world.scenario import FaultSpace

ONE, TWO = {"w1": [Append(((3, "x"),))]}, {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]}


def told(run, process="w1"):
    """The type and the error of a process's last event."""
    last = [event for event in run.events if event.process == process][-1]
    return last.type, last.error


def test_bytes_of_a_run_repeat():
    """SQL, Parquet, Avro and JSON included."""
    assert len({same_twice(race("x", "", TWO, catalog=SQL), seed) for seed in range(3)}) > 1


def test_the_statements_of_a_commit_are_its_steps():
    """A load, one more for the commit, the conditional UPDATE, the commit of the transaction."""
    run = Runner(race("x", "", ONE, catalog=SQL)).play(steps_of("w1:end"))
    steps = [row[2] for row in run.trace if row[2] in ("select", "update", "commit")]
    assert steps == ["select", "select", "update", "commit"]
    sent = [row[4][0] for row in run.trace if row[2] == "update"]
    assert "WHERE" in sent[0]
    assert "iceberg_tables.metadata_location = ?" in sent[0]


@pytest.mark.parametrize(("fault", "rows"), [("drop-before", 2), ("drop-after", 3)])
def test_a_lost_commit_is_told_as_the_error_of_the_driver_and_nothing_is_cleaned_up(fault, rows):
    """The library knows no error of a database: its files stay, whether it has landed or not."""
    scenario = race("x", "", ONE, catalog=SQL, faults=FaultSpace({"commit": (fault,)}))
    run = Runner(scenario).play(steps_of(f"w1:commit w1.commit!{fault} w1:end"))
    kind, error = told(run)
    assert kind == "info"
    assert error is not None
    assert error.startswith("OperationalError: (sqlite3.OperationalError) disk I/O error")
    assert run.failure is None
    read = [event for event in run.events if event.process == "r-final"][-1]
    assert len([one for one in read.reads if one.value is not None]) == rows
    assert not [row for row in run.trace if row[2] == "delete"]


def test_who_stands_still_in_a_transaction_locks_the_others_out():
    """They wait for five seconds, and are told that the database is locked; nothing of theirs is committed."""
    faults = FaultSpace({"commit": ("pause",)}, pause_ms=10_000)
    scenario = race("x", "", TWO, catalog=SQL, faults=faults)
    run = Runner(scenario).play(steps_of("w1:commit w1.commit!pause w2:end w1:end"))
    assert run.coverage[GAVE_UP] == 1
    kind, error = told(run, "w2")
    assert kind == "info"
    assert error is not None
    assert "database is locked" in error
    assert told(run) == ("ok", None)


def test_who_waits_for_less_than_five_seconds_goes_on():
    """The other one stands still for four and commits; the row is another one then, and the commit is tried again."""
    faults = FaultSpace({"commit": ("pause",)}, pause_ms=4_000)
    run = Runner(race("x", "", TWO, catalog=SQL, faults=faults)).play(
        steps_of("w1:commit w1.commit!pause w2:end w1:end")
    )
    assert run.coverage[WAITED] == 1
    assert GAVE_UP not in run.coverage
    assert told(run) == told(run, "w2") == ("ok", None)


def test_who_waits_for_a_dead_client_goes_on_when_its_transaction_is_rolled_back():
    """In every order in which one client dies."""
    faults = FaultSpace({"update": ("crash-after",)}, 1)
    ended: Counter[str] = Counter()
    result = exhaustive(
        race("x", "", TWO, catalog=SQL, faults=faults), limit=500, each=lambda run: ended.update([told(run, "w2")[0]])
    )
    assert result.complete
    assert result.verdict == "holds"
    assert set(ended) == {"ok", "info"}
