"""The clients of statements that change no rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from model.hudi import Cleaner, HudiConfig, Rules, SavepointClient
from model.hudi.observer import Observer
from model.ports import World
from sim.hudi.statements import Clean, Savepoint, Service


class Closing(Protocol):
    """A client of any kind."""

    def close(self) -> None:
        """Give back what it has. Raises: HudiError."""


def service_of(
    statement: Service, world: World, config: HudiConfig, rules: Rules, *, owner: str, observer: Observer
) -> tuple[Closing, Callable[[], None]]:  # fmt: skip
    """The client of a statement, and what carries it out."""
    if isinstance(statement, Clean):
        cleaner = Cleaner(world, config, rules, owner=owner, observer=observer)
        return cleaner, cleaner.clean
    client = SavepointClient(world, config, rules, owner=owner, observer=observer)
    if isinstance(statement, Savepoint):
        return client, partial(client.savepoint, statement.back)
    return client, client.delete_savepoint
