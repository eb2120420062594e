"""A rewrite of manifests in a race of the Java API that was drawn without: by a writer more, alone or in a transaction,
or by one who was there, at last, or as the first step of his last transaction.

Choices: drawn last, and rarely, so that other races are what they were. Who gives manifests that he has written is a
caller by hand.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import others
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.workload import Append, Transaction

RARELY = (False,) * 5 + (True,)
KIND = "cluster manifests"


def with_manifests(draws: Draws, table: Table, writers: Writers) -> Writers:
    """Draw who rewrites manifests, and which; mostly nobody."""
    if not draws.one_of("manifests", RARELY, others(draws)):
        return writers
    clusters = ClusterManifests(draws.one_of("clustered by", ("all", "file")), draws.flag("small manifests"))
    name = draws.one_of("whose manifests", (f"w{len(writers) + 1}", *writers))
    if name not in writers:
        apart = draws.flag("manifests in a transaction")
        return {**writers, name: [Transaction((clusters, Append(table.new_row()))) if apart else clusters]}
    *done, last = writers[name]
    if isinstance(last, Transaction):
        return {**writers, name: [*done, replace(last, steps=(clusters, *last.steps[1:]))]}
    return {**writers, name: [*done, last, clusters]}
