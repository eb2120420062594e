"""Scenarios of Spark sessions whose catalog caches the table, as it does unless `cache-enabled` is set.

What such a session plans and scans on may be long outdated when it sends a statement: nobody needs to be quick for a
race. Whatever is validated is validated from there on. Source: `model.iceberg.spark`.
"""

from __future__ import annotations

from dataclasses import replace

from model.iceberg import coverage
from model.iceberg.rules import PURGE_COMPARES
from sim.iceberg.creating import MoveAside, PurgeTable
from sim.iceberg.scenarios import LEVELS, race
from sim.iceberg.workload import Delete, Insert, Merge, RemoveOrphanFiles, Select, Sql, Statement, Update
from sim.world.scenario import Scenario

READ_BEFORE = ("w1",)
SWEPT: dict[str, list[Sql]] = {"w1": [Select(), RemoveOrphanFiles()], "w2": [Insert(((3, "x"),))]}
SWEPT_KEEPS = ("readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive")
PURGED: dict[str, list[Statement]] = {"w1": [Select(), PurgeTable()], "w2": [MoveAside()]}
UNGATED = "expected a statement that asks the catalog: there alone live gates hold a session"
OF_FILES = "it is about the files that a table has, and about nothing else"


def _cached(name: str, summary: str, then: Sql, other: Sql, **further: object) -> Scenario:
    """Who has read, and then sends a statement, beside another one's."""
    writers: dict[str, list[Sql]] = {"w1": [Select(), then], "w2": [other]}
    given = {"isolation": "serializable", "cached": READ_BEFORE, **further}
    counters = (coverage.TABLE_CACHED, *given.pop("counters", ()))  # type: ignore[misc]  # of names
    return race(name, summary, writers, counters=counters, **given)  # type: ignore[arg-type]  # fields of a workload


CACHED: tuple[Scenario, ...] = (
    race(
        "merge-missing-cached",
        "A MERGE that has only WHEN NOT MATCHED, by a session that has read the table before and caches it: it inserts"
        " a key that was inserted and acknowledged before it was sent.",
        {"w1": [Select(), Merge(((3, "x"),), "nothing")], "w2": [Merge(((3, "y"),), "nothing")]},
        isolation="serializable",
        cached=READ_BEFORE,
        broken="acknowledged-writes-survive",
    ),
    _cached(
        "merge-cached",
        "The same with a WHEN MATCHED beside: it is validated from the snapshot that is cached, and refused.",
        Merge(((3, "x"),)),
        Merge(((3, "y"),)),
        counters=(coverage.ADDED_DATA_FILES_REFUSED,),
    ),
    _cached(
        "update-update-cached",
        "An UPDATE by a session that caches the table beside another one's of that row: the second one is refused.",
        Update(1, "A"),
        Update(1, "B"),
    ),
    _cached(
        "update-cached-copy-on-write",
        "The same, copy-on-write: its second scan does not find that the table has changed, its commit does.",
        Update(1, "A"),
        Update(1, "B"),
        mode="copy-on-write",
    ),
    race(
        "delete-cached-snapshot",
        "A DELETE under snapshot isolation, by a session that caches the table as it was before an UPDATE of that row"
        " was acknowledged: the deleted row is there.",
        {"w1": [Select(), Delete(1)], "w2": [Update(1, "A")]},
        cached=READ_BEFORE,
        broken="acknowledged-writes-survive",
    ),
    replace(
        race(
            "orphans-cached",
            "A session that caches the table removes orphan files, days after another one's INSERT was acknowledged:"
            " the INSERT's files are none that it knows, and go.",
            SWEPT,
            cached=READ_BEFORE,
            properties=SWEPT_KEEPS,
            because=OF_FILES,
            broken="readable",
        ),
        live=None,
        not_live=UNGATED,
    ),
    race(
        "orphans",
        "The same in a session that does not cache: it loads the table, and knows what is older than its orphans.",
        SWEPT,
        properties=SWEPT_KEEPS,
        because=OF_FILES,
    ),
    race(
        "purge-cached",
        "A session that caches the table purges it, which another one has given another name meanwhile, and has made a"
        " new one of the old name: the new one is dropped, and the files of the other one are deleted.",
        PURGED,
        cached=READ_BEFORE,
        properties=SWEPT_KEEPS,
        because=OF_FILES,
        counters=(coverage.TABLE_CACHED,),
        broken="readable",
    ),
    race(
        "purge-cached-compared",
        "The same, with a catalog that compares the table's uuid: the drop is refused.",
        PURGED,
        rules=PURGE_COMPARES,
        cached=READ_BEFORE,
        properties=SWEPT_KEEPS,
        because=OF_FILES,
        counters=(coverage.TABLE_CACHED, coverage.ANOTHER_TABLE),
    ),
    race(
        "purge-moved",
        "The same as shipped, by a session that does not cache the table, but has loaded it before it was moved.",
        PURGED,
        properties=SWEPT_KEEPS,
        because=OF_FILES,
        broken="readable",
    ),
    race(
        "purge-purge",
        "Two sessions that do not cache the table purge it: one of them finds none to drop.",
        {"w1": [Select(), PurgeTable()], "w2": [Select(), PurgeTable()]},
        properties=SWEPT_KEEPS,
        because=OF_FILES,
        counters=(coverage.PURGED,),
    ),
    race(
        "read-insert-read-cached",
        "A session that caches the table reads, inserts and reads beside an INSERT: it sees what it has seen, and what"
        " it has done.",
        {"w1": [Select(), Insert(((3, "x"),)), Select()], "w2": [Insert(((4, "y"),))]},
        isolation="serializable",
        cached=READ_BEFORE,
        properties=(*LEVELS["serializable"], "monotonic-reads", "read-your-writes"),
        counters=(coverage.TABLE_CACHED,),
    ),
)
