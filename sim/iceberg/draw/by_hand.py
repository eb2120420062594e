"""Calls of the Java API that no engine makes, in a race that was drawn without: one writer makes one at last, or two
do.

Choices: drawn last, and rarely, so that other races are what they were; who asks for them gets them in every race, on
one table that is there, and whose snapshots nobody manages but by an expiry.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.by_hand import AddPartitions, CompactWith, DeleteAndRemove, ReplaceManifests
from sim.iceberg.draw.calls import of_specs_over_rest, only
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.options import BY_HAND, CALLS, DRAWN_LAST, INCREMENTAL, MERGED
from sim.iceberg.workload import FORMAT, Append, RemoveWhere, SetProperty, Statement, Transaction

USUAL = CALLS.values[0]
BESIDE = (INCREMENTAL, MERGED, *DRAWN_LAST)
RARELY = (USUAL,) * 3
ANYWHERE = ("compact with", "rewrite nothing", "add partitions", "add no partitions", "leave open", "remove where two")
WITH_DELETES = ("delete and remove", "older format")
"""What a table of format 1 cannot have, or go to."""
OF_MANIFESTS = ("replace manifests", "replace manifests but one", "give added files", "give the table's own")
KINDS = (*ANYWHERE, *WITH_DELETES, *OF_MANIFESTS)


def with_calls(draws: Draws, table: Table, writers: Writers, settings: Settings, *, plain: bool) -> Writers:
    """Draw who makes such calls; mostly nobody. Args: `plain`: it is a race in which there may be any."""
    of_specs = of_specs_over_rest(draws, settings)
    if not plain or not (of_specs or draws.pinned(CALLS.key) in (None, USUAL, BY_HAND, *BESIDE)):
        return writers
    beside = next((USUAL for calls in BESIDE if only(draws, calls)), USUAL if of_specs else None)
    if draws.one_of(CALLS.key, (*RARELY, USUAL, BY_HAND), beside) == USUAL:
        return writers
    found = {name: list(todo) for name, todo in writers.items()}
    kinds = (*ANYWHERE, *OF_MANIFESTS) if settings[FORMAT] == "1" else KINDS

    def add(_: int) -> None:
        found[draws.one_of("whose call", list(found))].append(_one(draws, table, kinds))

    draws.list_of("calls by hand", 1, 2, add)
    return found


def _one(draws: Draws, table: Table, kinds: tuple[str, ...]) -> Statement:
    match draws.one_of("call by hand", kinds):
        case "compact with":
            return CompactWith(table.new_row())
        case "rewrite nothing":
            return CompactWith(table.new_row(), of="none")
        case "add partitions":
            return AddPartitions(table.new_row())
        case "add no partitions":
            return AddPartitions()
        case "leave open":
            return Transaction((Append(table.new_row()), Append(table.new_row(), merge=True)), left_open=True)
        case "remove where two":
            return RemoveWhere((table.row_of_any_id()[0], table.new_row()[0][0]))
        case "replace manifests" | "replace manifests but one" as kind:
            return ReplaceManifests(but_one=kind != OF_MANIFESTS[0])
        case "give added files":
            return ReplaceManifests(gives="added files")
        case "give the table's own":  # which has one without added files where they were rewritten
            table.history.append(ClusterManifests())
            return ReplaceManifests(gives="the table's own")
        case "older format":
            return SetProperty(FORMAT, "1")
    return DeleteAndRemove(table.row_of_any_id()[0])
