"""Scenarios of tables that are created, replaced and dropped while others do so, or write. Source: `creating`."""

from __future__ import annotations

from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import IDEMPOTENT
from sim.iceberg.built_in.managed import ADDED, KEPT
from sim.iceberg.built_in.transactions import Writers
from sim.iceberg.creating import CreateTable, DropTable
from sim.iceberg.scenarios import CONSISTENT, race
from sim.iceberg.workload import Statement
from sim.world.fault_spaces import REGISTER, wide
from sim.world.scenario import FaultSpace, Scenario

ABSENT = (DropTable(),)
NEW, OTHER = CreateTable(((7, "n"),)), CreateTable(((8, "m"),))
PUT, PUT_OTHER = CreateTable(((7, "n"),), replaces=True), CreateTable(((8, "m"),), replaces=True)
OF_TABLES = "nothing else is asked of what makes tables"
COMPARED = "a drop is compared with nothing"
LEFT_OUT = {"409-before": COMPARED, "409-after": COMPARED, "late": "who makes a table late is told nothing of it"}
ANY_ANSWER = wide(REGISTER, without={**CONSISTENT, **LEFT_OUT})
LEFT = ("readable", "acknowledged-writes-survive")
TOLD_WRONG = "a creation that is sent again is told that the table exists, see iceberg/rest-create-resent"
RESENT_CREATION = FaultSpace(
    {"commit": ("503-after-retry",)}, 1, ("w1",),
    words="503-after-retry at commit of w1 (the one answer that is asked about; a drop meets them all)",
)  # fmt: skip
DROPPED_AGAIN: Writers = {"w1": [DropTable()], "w2": [NEW]}


def of_tables(name: str, summary: str, writers: Writers, *before: Statement, **further: Any) -> Scenario:
    """A race on a table of one row, or on none. Args: `before`: what was done since; as `race`."""
    given: dict[str, Any] = {"catalog": "java-api", "properties": KEPT, "because": OF_TABLES, **further}
    return race(name, summary, writers, rows=((1, "a"),), history=before, **given)


CREATING: tuple[Scenario, ...] = (
    of_tables(
        "create-create",
        "Two create a table of one name: one is told that it exists.",
        {"w1": [NEW], "w2": [OTHER]},
        *ABSENT,
        counters=(coverage.TABLE_EXISTS,),
    ),
    of_tables(
        "create-or-replace-create",
        "One creates or replaces a table that is not there, another one creates it and appends: both are gone.",
        {"w1": [PUT], "w2": [OTHER, ADDED]},
        *ABSENT,
        broken="acknowledged-writes-survive",
    ),
    of_tables(
        "rest-create-or-replace-create",
        "The same over REST, both create or replace: who was told to create is told that the table exists.",
        {"w1": [PUT], "w2": [PUT_OTHER]},
        *ABSENT,
        catalog="rest",
        counters=(coverage.TABLE_EXISTS,),
    ),
    of_tables(
        "create-or-replace-append",
        "A table is created or replaced beside an append that is committed after that was begun: it vanishes.",
        {"w1": [PUT], "w2": [ADDED]},
        broken="acknowledged-writes-survive",
    ),
    of_tables(
        "create-or-replace-drop",
        "A table is created or replaced beside a drop: what is in memory alone refuses what it should create.",
        {"w1": [PUT], "w2": [DropTable()]},
    ),
    of_tables(
        "drop-append",
        "A table is dropped beside an append: it is refused, or it goes with the table.",
        {"w1": [DropTable()], "w2": [ADDED]},
        counters=(coverage.CLEANED_AFTER_FAILURE,),
    ),
    of_tables(
        "drop-create-append",
        "A table is dropped and created anew beside an append: its uuid is another one, and the append is refused.",
        {"w1": [DropTable(), NEW], "w2": [ADDED]},
        counters=(coverage.ANOTHER_TABLE,),
    ),
    of_tables(
        "rest-drop-create-append",
        "The same over REST, where the uuid is required, too.",
        {"w1": [DropTable(), NEW], "w2": [ADDED]},
        catalog="rest",
        counters=(coverage.ANOTHER_TABLE,),
    ),
    of_tables(
        "rest-drop-resent",
        "A drop over REST; any call may fail: it is sent again, and a table that was created since is dropped.",
        DROPPED_AGAIN,
        catalog="rest",
        faults=ANY_ANSWER,
        properties=LEFT,
        because=TOLD_WRONG,
        broken="acknowledged-writes-survive",
    ),
    of_tables(
        "rest-drop-resent-idempotent",
        "The same with idempotency keys: the first answer is repeated.",
        DROPPED_AGAIN,
        catalog="rest",
        rules=IDEMPOTENT,
        faults=ANY_ANSWER,
        properties=LEFT,
        because=TOLD_WRONG,
        counters=("stored reply repeated",),
    ),
    of_tables(
        "rest-create-resent",
        "A creation over REST is answered 503 with a time to wait and sent again: it is told that the table exists.",
        {"w1": [NEW]},
        *ABSENT,
        catalog="rest",
        faults=RESENT_CREATION,
        broken="no-aborted-reads",
    ),
    of_tables(
        "rest-replace-resent",
        "A table is replaced over REST; any call may fail: what is applied and sent again is refused (400, the snapshot"
        " is there), and files of the current snapshot are deleted.",
        {"w1": [PUT]},
        catalog="rest",
        faults=ANY_ANSWER,
        properties=LEFT,
        because=TOLD_WRONG,
        broken="readable",
    ),
    of_tables(
        "rest-replace-resent-idempotent",
        "The same with the catalog's stored reply under an idempotency key.",
        {"w1": [PUT]},
        catalog="rest",
        rules=IDEMPOTENT,
        faults=ANY_ANSWER,
        properties=LEFT,
        because=TOLD_WRONG,
        counters=("stored reply repeated",),
    ),
)
