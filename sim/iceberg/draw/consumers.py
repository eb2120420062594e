"""Consumers beside a race that was drawn without: one or two, each of whom reads what came since, or what was; in Java
now and then beside somebody who puts manifests together, and removes one of the files.

Choices: drawn last, where it is asked for, on one table that is there; else the race is as usual. In Spark SQL changes,
and names inside the table, are read on a REST catalog alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from model.iceberg.spark_reads import By, Since
from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.creating import InSql
from sim.iceberg.draw.alike import with_rows_alike
from sim.iceberg.draw.calls import WHO
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.incremental import ReadAt, ReadSince
from sim.iceberg.managing import CreateRef, RemoveRef, ReplaceRef
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.options import ALIKE, CALLS, CATALOG, CLIENT, INCREMENTAL
from sim.iceberg.workload import Append, RemoveWhere, Statement

KINDS = ("what came", "what came", "what was", "a ref")
REFS = ("b", "t", "main")
"""Those that are drawn where snapshots are managed, and main."""
BY: tuple[By, ...] = ("version", "option", "name")
IN_SQL: tuple[Since, ...] = ("appends", "view", "changes", "net changes", "updates")
WAYS: tuple[Literal["appends", "changes"], ...] = ("appends", "appends", "changes")


def with_consumers(
    draws: Draws, table: Table, writers: Writers, settings: Settings, ages_h: Sequence[float], *, plain: bool
) -> Writers:
    """Draw them. Args: `ages_h`: of the table's snapshots; `plain`: it is a race in which there may be any, if it is
    one of the Java API.

    Where other calls are asked for, of the Java API, nothing is written down: draws before this one are left out there,
    which a replay makes.
    """
    if settings[CLIENT.key] == "spark-sql":
        return _with_sql_consumers(draws, table, writers, settings)
    if not plain or draws.pinned(CALLS.key) not in (None, INCREMENTAL):
        return writers
    if draws.told(CALLS.key, CALLS.values) != INCREMENTAL:
        return writers
    found = {name: list(todo) for name, todo in writers.items()}
    if draws.flag("clusters manifests"):
        first, second = table.new_row(), table.new_row()
        tidies: list[Statement] = [Append(first), Append(second), ClusterManifests("all"), RemoveWhere((first[0][0],))]
        found[draws.one_of("who clusters", list(found))] += tidies
    reads = draws.list_of("consumers", 1, 2, lambda _: draws.list_of("reads", 1, 2, lambda _: _one(draws, ages_h)))
    return found | {f"c{number}": todo for number, todo in enumerate(reads, 1)}


def _with_sql_consumers(draws: Draws, table: Table, writers: Writers, settings: Settings) -> Writers:
    """Draw those of a race of Spark SQL, where they are asked for and nobody purges the table; and, where it has a tag,
    who moves or drops that."""
    client, catalog = settings[CLIENT.key], settings[CATALOG.key]
    purges = any(isinstance(one, InSql) for todo in writers.values() for one in todo)
    if catalog not in WHO[INCREMENTAL][client] or purges:
        return writers
    calls = draws.told(CALLS.key, CALLS.values)  # whatever is asked for: a replay has no pin, and looks here
    if calls == ALIKE and catalog == "rest":
        return with_rows_alike(draws, table, writers)
    if calls != INCREMENTAL:
        return writers

    tags = [one.name for one in table.history if isinstance(one, CreateRef) and one.tag]
    changed = [_of_tag(draws, name) for name in tags[:1] if draws.one_of("tag changes", (True, False))]
    dropped = any(isinstance(one, RemoveRef) for one in changed)
    beside: Writers = {f"w{len(writers) + 1}": changed} if changed else {}

    def read(_: int) -> Statement:
        return _in_sql(draws, changes=catalog == "rest", names=catalog == "rest" and not dropped)

    reads = draws.list_of("consumers", 1, 2, lambda _: draws.list_of("reads", 1, 2, read))
    return writers | beside | {f"c{number}": todo for number, todo in enumerate(reads, 1)}


def _of_tag(draws: Draws, name: str) -> Statement:
    if draws.one_of("tag is", ("moved", "dropped")) == "moved":
        return ReplaceRef(name, tag=True, back=1)
    return RemoveRef(name, tag=True)


def _in_sql(draws: Draws, *, changes: bool, names: bool) -> Statement:
    """One of them. Args: `changes`: it may read changes; `names`: it may name a ref inside the table."""
    match draws.one_of("what is read", KINDS):
        case "what was":
            return ReadAt("", draws.number("how far back", 0, 2), _by(draws, names))
        case "a ref":
            return ReadAt(draws.one_of("which ref", REFS), 0, _by(draws, names))
    what = draws.one_of("what came", IN_SQL) if changes else "appends"
    back = draws.number("from how far back", 0, 1)
    return ReadSince(what, back, draws.one_of("until", ("now", "before")) if back else "now")


def _by(draws: Draws, names: bool) -> By:
    return draws.one_of("named by", BY if names else BY[:2])


def _one(draws: Draws, ages_h: Sequence[float]) -> Statement:
    match draws.one_of("what is read", KINDS):
        case "what was" if ages_h and draws.flag("as of a time"):
            return ReadAt(age_h=float(draws.number("hours ago", 1, int(max(ages_h)) + 1)))
        case "what was":
            return ReadAt(back=draws.number("how far back", 0, 2))
        case "a ref":
            return ReadAt(draws.one_of("which ref", REFS))
    return ReadSince(draws.one_of("what came", WAYS))
