"""Scenarios of the JDBC catalog: tables that are made and dropped on it, and connections that break.

Source: `model.iceberg.jdbc`.

Choices: a statement may go on in the database when its connection is gone (`late`), but where a drop or a creation is
late nobody is told of it, and it is left out there. No database carries out a statement twice that was sent once.
"""

from __future__ import annotations

from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import SELF_CHECK_FIRST
from sim.iceberg.built_in.creating import ABSENT, LEFT, NEW, OTHER, of_tables
from sim.iceberg.built_in.managed import ADDED
from sim.iceberg.creating import CreateTable, DropTable
from sim.iceberg.managing import Stage
from sim.iceberg.scenarios import APPENDS, SAFETY, race
from sim.iceberg.workload import ChangeRow
from sim.world.fault_spaces import CALL_CHANGE, CALL_READ, Port, wide
from sim.world.scenario import Scenario

DATABASE = Port("database", {"load": CALL_READ, "commit": CALL_CHANGE})
"""The statements of the catalog, as the client's pool sees them."""
ONCE = {"resend": "no database carries out a statement twice"}
BREAKS = wide(DATABASE, without=ONCE)
BREAKS_IN_TIME = wide(DATABASE, without=ONCE | {"late": "who makes a table late is told nothing of it"})
NOT_TOLD = "a creation whose connection breaks is left open"
STAGES = {"w1": [Stage(((3, "x"),))]}
CHANGE = {"w1": [ChangeRow(1, "A", level="serializable")]}


def on_jdbc(name: str, summary: str, writers: Any, **further: Any) -> Scenario:
    """A race on a table of a JDBC catalog."""
    return race(f"jdbc-{name}", summary, writers, catalog="jdbc", **further)


JDBC: tuple[Scenario, ...] = (
    of_tables(
        "jdbc-create-create",
        "Two create a table of one name on a JDBC catalog: one is told that it exists.",
        {"w1": [NEW], "w2": [OTHER]},
        *ABSENT,
        catalog="jdbc",
        counters=(coverage.TABLE_EXISTS,),
    ),
    of_tables(
        "jdbc-create-or-replace-drop",
        "A table is created or replaced beside a drop: it is there in the end, or it is gone.",
        {"w1": [CreateTable(((7, "n"),), replaces=True)], "w2": [DropTable()]},
        catalog="jdbc",
        counters=(coverage.LOCATION_CHANGED,),
    ),
    of_tables(
        "jdbc-drop-create-append",
        "A table is dropped and created anew beside an append: its uuid is another one, and the append is refused.",
        {"w1": [DropTable(), NEW], "w2": [ADDED]},
        catalog="jdbc",
        counters=(coverage.ANOTHER_TABLE,),
    ),
    of_tables(
        "jdbc-create-broken",
        "A table is created; any statement's connection may break: its outcome is open, and no file is deleted.",
        {"w1": [NEW]},
        *ABSENT,
        catalog="jdbc",
        faults=BREAKS_IN_TIME,
        properties=LEFT,
        because=NOT_TOLD,
        counters=(coverage.INSERTED_TWICE,),
    ),
    of_tables(
        "jdbc-drop-broken",
        "A table is dropped, and the connection breaks: the statement is run again, on a table that was created since.",
        {"w1": [DropTable()], "w2": [NEW]},
        catalog="jdbc",
        faults=BREAKS_IN_TIME,
        properties=LEFT,
        because=NOT_TOLD,
        broken="acknowledged-writes-survive",
    ),
    on_jdbc(
        "change-broken",
        "A change of a row, validated as by default; its connection breaks when it is committed: run again it is a lost"
        " race, it is refused by its own commit, and files of the current snapshot are deleted.",
        CHANGE,
        properties=SAFETY,
        faults=BREAKS,
        broken="readable",
    ),
    on_jdbc(
        "change-broken-self-check",
        "The same, with a client that looks for its own snapshot before it validates.",
        CHANGE,
        rules=SELF_CHECK_FIRST,
        properties=SAFETY,
        faults=BREAKS,
        counters=(coverage.SELF_RECOGNISED_EARLY, coverage.RUN_AGAIN),
    ),
    on_jdbc(
        "append-broken",
        "Two appends; the connection of one breaks when it is committed: the other one's commit is lost.",
        APPENDS,
        properties=SAFETY,
        faults=BREAKS,
        broken="acknowledged-writes-survive",
    ),
    on_jdbc(
        "append-broken-self-check",
        "The same, with a client that takes its own snapshot below the head for success.",
        APPENDS,
        rules=SELF_CHECK_FIRST,
        faults=wide(DATABASE, without=ONCE | {"load": "the same breaks at a commit"}),
        yield_points=("load", "commit"),
        counters=(coverage.SELF_RECOGNISED_EARLY, coverage.RUN_AGAIN),
    ),
    on_jdbc(
        "stage-broken",
        "A staged append; its connection breaks when it is committed: run again it is a lost race, and the retry, which"
        " finds its snapshot there, sets main to it: what was staged is published.",
        STAGES,
        properties=SAFETY,
        faults=BREAKS,
        broken="no-aborted-reads",
    ),
    on_jdbc(
        "stage-broken-self-check",
        "The same, with a client that takes its own snapshot for success, and leaves main where it is.",
        STAGES,
        rules=SELF_CHECK_FIRST,
        properties=SAFETY,
        faults=BREAKS,
        counters=(coverage.SELF_RECOGNISED_EARLY, coverage.RUN_AGAIN),
    ),
)
