"""Every interleaving of some actors of the direct world, at their loads and commits."""

from collections.abc import Callable
from typing import Any

from greenlet import greenlet

from tests.unit.iceberg.direct_world import Services


def explore(start: Callable[[], tuple[Services, dict[str, Callable[[], Any]]]]) -> dict[str, Services]:
    """Every interleaving of the loads and commits of some actors, depth first: trace -> services at the end.

    Args: `start` makes a fresh world and, per actor, what it does; each runs in a greenlet up to its next stop.
    """
    found: dict[str, Services] = {}
    path: list[int] = []
    while True:
        services, bodies = start()
        tasks = {name: greenlet(body) for name, body in bodies.items()}
        running = [name for name, task in tasks.items() if task.switch() is False]
        met: list[int] = []
        while running:
            chosen = path[len(met)] if len(met) < len(path) else 0
            met.append(len(running))
            name = running[chosen]
            if tasks[name].switch() is not False:
                running.remove(name)
        found[services.catalog_trace()] = services
        path += [0] * (len(met) - len(path))
        while path and path[-1] + 1 == met[len(path) - 1]:
            path.pop()
        if not path:
            return found
        path[-1] += 1
