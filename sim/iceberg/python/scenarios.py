"""The scenarios of PyIceberg 0.12.0 in the catalogs that it ships."""

from __future__ import annotations

from sim.iceberg.creating import RenameTable
from sim.iceberg.managing import CreateRef, Expire, RollBack
from sim.iceberg.pyiceberg import OF_ROWS, race
from sim.iceberg.python.catalogs import HIVE, PORTS, REST, SQL, STORAGE
from sim.iceberg.python.counters import REFUSED_LOCK, REQUIREMENT_FAILED
from sim.iceberg.workload import Append, Delete
from sim.services.sql_database import NO_ROW, WAITED
from sim.world.fault_spaces import wide
from sim.world.scenario import Scenario

PATIENT = 12
"""Retries that take longer than a lease: five of them, which are the default, take a good minute."""
RENAMED = "who renames makes a version only where it takes another one back"
OF_NAMES = dict.fromkeys(("snapshot-isolation", "conflict-detection", "no-spurious-refusal"), RENAMED)
IN_SQL: tuple[Scenario, ...] = (
    race(
        "sql-append-append",
        "Two appends in PyIceberg's own SQL catalog: the UPDATE of the second finds no row, and it retries.",
        {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]},
        counters=(NO_ROW, WAITED),
        catalog=SQL,
    ),
    race(
        "sql-append-faults",
        "An append of which any statement or the commit may be lost: an error is told, and nothing is cleaned up.",
        {"w1": [Append(((3, "x"),))]},
        faults=wide(PORTS[SQL]),
        counters=("fault drop-before", "fault drop-after"),
        catalog=SQL,
    ),
    race(
        "sql-delete-faults",
        "The same with a delete of a row beside others: of a conflict that is none it would not find its own snapshot.",
        {"w1": [Delete(1)]},
        faults=wide(PORTS[SQL]),
        counters=("fault drop-after",),
        catalog=SQL,
    ),
    race(
        "sql-roll-back-expire",
        "A roll-back beside an expiry in PyIceberg's own SQL catalog: main is removed, and the table is empty.",
        {"w1": [RollBack(1)], "w2": [Expire(1)]},
        history=(Append(((3, "c"),)), Append(((4, "d"),))),
        but=OF_ROWS,
        broken="acknowledged-writes-survive",
        catalog=SQL,
    ),
    race(
        "sql-roll-back-expire-tagged",
        "The same where a tag keeps the snapshot that is rolled back to.",
        {"w1": [RollBack(1)], "w2": [Expire(1)]},
        history=(Append(((3, "c"),)), CreateRef("good", tag=True), Append(((4, "d"),))),
        but=OF_ROWS,
        counters=(NO_ROW,),
        catalog=SQL,
    ),
)
IN_REST: tuple[Scenario, ...] = (
    race(
        "rest-append-append",
        "Two appends in PyIceberg's own REST catalog: the second is answered with 409, and retries.",
        {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]},
        counters=(REQUIREMENT_FAILED,),
        catalog=REST,
    ),
    race(
        "rest-append-faults",
        "An append with retries left, of which any request may be lost, sent twice, or answered with an error.",
        {"w1": [Append(((3, "x"),))]},
        retries=2,
        faults=wide(PORTS[REST]),
        counters=("fault 409-after", "fault 503-after", "fault resend", REQUIREMENT_FAILED),
        catalog=REST,
    ),
    race(
        "rest-rename-append",
        "A table gets another name beside an append: the service renames it as it is, and a late append finds none.",
        {"w1": [RenameTable()], "w2": [Append(((3, "x"),))]},
        but=OF_NAMES,
        catalog=REST,
    ),
    race(
        "rest-delete-faults",
        "A delete of a row beside others: told of a conflict with itself, it cleans up what it has committed.",
        {"w1": [Delete(1)]},
        faults=wide(PORTS[REST]),
        broken="readable",
        catalog=REST,
    ),
)
ORPHAN = {"no-spurious-refusal": "a lock that nobody gives back refuses everybody until its lease ends"}
LOCKED = {"no-spurious-refusal": "who waits for a lock for too long is refused"}
IN_HIVE: tuple[Scenario, ...] = (
    race(
        "hive-append-append",
        "Two appends in PyIceberg's own Hive catalog: whoever does not get the lock in time is refused.",
        {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]},
        retries=1,
        but=LOCKED,
        counters=(REFUSED_LOCK,),
        catalog=HIVE,
        steps=("lock", "get_table", "alter_table"),
    ),
    race(
        "hive-append-slow",
        "The same where the second waits for longer than a lease, and the first takes as long: its alter comes last.",
        {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]},
        retries=PATIENT,
        but=LOCKED,
        broken="acknowledged-writes-survive",
        catalog=HIVE,
    ),
    race(
        "hive-rename-append",
        "The Hive catalog renames a table without a lock: it puts the location back that it has read.",
        {"w1": [RenameTable()], "w2": [Append(((3, "x"),))]},
        but=OF_NAMES,
        broken="acknowledged-writes-survive",
        catalog=HIVE,
        steps=("get_table", "alter_table", "rename_table"),
    ),
    race(
        "hive-delete-faults",
        "A delete of a row beside others, of which any call may be lost, late or sent twice: an error is told.",
        {"w1": [Delete(1)]},
        faults=wide(PORTS[HIVE]),
        but=ORPHAN,
        counters=("fault drop-after", "fault late", "fault resend", REFUSED_LOCK),
        catalog=HIVE,
    ),
)
ON_STORAGE: tuple[Scenario, ...] = (
    race(
        "storage-append-append",
        "Two appends, where the loser's deletion of its old manifests may fail: it stays quiet, and no row is lost.",
        {"w1": [Append(((3, "x"),))], "w2": [Append(((4, "y"),))]},
        retries=1,
        faults=wide(STORAGE),
        counters=("fault drop-before", "fault drop-after"),
        steps=("load", "commit", "delete"),
    ),
    race(
        "storage-delete",
        "A delete of a row beside others, of which any read, write or deletion of a file may fail.",
        {"w1": [Delete(1)]},
        faults=wide(STORAGE),
        counters=("fault drop-before", "fault drop-after"),
        steps=("commit", *STORAGE.kinds),
    ),
)
OWN_CATALOGS: tuple[Scenario, ...] = (*IN_SQL, *IN_REST, *IN_HIVE, *ON_STORAGE)
