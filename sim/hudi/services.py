"""The clients of statements that write no rows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from model.hudi import (
    Cleaner,
    ClusteringClient,
    HudiConfig,
    RestoreClient,
    Rules,
    SavepointClient,
    TimelineArchiver,
)
from model.hudi.errors import HudiError
from model.hudi.observer import Observer
from model.hudi.timeline import Timeline
from model.ports import World
from sim.hudi.statements import Archive, Clean, PlanClustering, Restore, Savepoint, Service
from sim.hudi.workload import HudiWorkload


class Closing(Protocol):
    """A client of any kind."""

    def close(self) -> None:
        """Give back what it has. Raises: HudiError."""


def service_of(
    statement: Service, world: World, config: HudiConfig, rules: Rules, partitions: tuple[str, ...], *, owner: str,
    observer: Observer,
) -> tuple[Closing, Callable[[], object]]:  # fmt: skip
    """The client of a statement, and what carries it out."""
    if isinstance(statement, Clean):
        cleaner = Cleaner(world, config, rules, owner=owner, observer=observer)
        return cleaner, cleaner.clean
    if isinstance(statement, Archive):
        archiver = TimelineArchiver(world, config, rules, owner=owner, observer=observer)
        return archiver, archiver.archive
    if isinstance(statement, Restore):
        restorer = RestoreClient(world, config, rules, owner=owner, observer=observer)
        return restorer, restorer.restore
    if isinstance(statement, PlanClustering):
        planner = ClusteringClient(world, config, rules, owner=owner, observer=observer)
        return planner, partial(planner.schedule, partitions)
    client = SavepointClient(world, config, rules, owner=owner, observer=observer)
    if isinstance(statement, Savepoint):
        return client, partial(client.savepoint, statement.back)
    return client, client.delete_savepoint


def close(client: Closing) -> None:
    """Give back what a client has."""
    with suppress(HudiError):  # the outcome is known already; what close could not do stays for others to meet
        client.close()


def archives(workload: HudiWorkload) -> bool:
    """Whether anybody archives: the newest version that the active timeline shows need not be the newest one then."""
    return workload.has(Archive)


def has_all(seen: Timeline) -> bool:
    """Whether nothing was archived yet of what is `seen`: the table's first commit would be gone first."""
    return bool(seen.completed) and seen.completed[0].requested == 0
