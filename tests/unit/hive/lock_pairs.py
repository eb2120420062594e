"""Every pair of lock parts on a database, a table and its partitions: `tests/vectors/hive_locks.json` has what 4.0.1
says of the later one."""

import json
from collections.abc import Iterator
from pathlib import Path

from model.hive.lock_queue import KINDS, Component
from tests.unit.hive.lock_calls import Manager

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_locks.json"
PLACES = {"database": "", "table": ".t", "partition": ".t", "other partition": ".t", "other table": ".u"}
PARTITIONS = {"partition": "p=1", "other partition": "p=2"}


def vectors() -> dict[str, list[str]]:
    """By earlier kind and place: the later ones that wait for it."""
    waits: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8"))["waits"]
    return waits


def pairs() -> Iterator[tuple[str, str]]:
    """Every earlier part with every later one, as words."""
    words = [f"{kind} {place}" for kind in KINDS for place in PLACES]
    yield from ((earlier, later) for earlier in words for later in words)


def waits_of(manager: Manager, *, of_one: bool = False) -> dict[str, list[str]]:
    """What a manager says of all pairs, of two transactions or of one."""
    found: dict[str, list[str]] = {}
    for place, (earlier, later) in enumerate(pairs()):
        first = manager.open_txn()
        second = first if of_one else manager.open_txn()
        database = f"pairs{place}" + ("of_one" if of_one else "")
        held = manager.lock(first, (_part(earlier, database),))
        assert held.held
        if not manager.lock(second, (_part(later, database),)).held:
            found.setdefault(earlier, []).append(later)
        for txn in dict.fromkeys((second, first)):
            manager.abort_txn(txn)
    return found


def _part(words: str, database: str) -> Component:
    kind, place = words.split(" ", 1)
    return Component(kind, database + PLACES[place], PARTITIONS.get(place, ""))  # type: ignore[arg-type]
