"""What other hands have made of a table before a race of PyIceberg: what the library opens, and does not write.

Ages of its snapshots, format 3 (as `UpgradeFormatVersionUpdate` of Java leaves a table of format 2: no snapshot has row
ids yet), and another place. Set-up only.

Source: the table metadata of the specification; `TableMetadata.Builder.upgradeFormatVersion` of 1.11.0.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.ports import World
from sim.world.substitutes import EPOCH_S

HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Hand:
    """What was made of a table.

    Args: `ages_h`: how many hours before the race each snapshot was made, oldest first (none: as they were);
    `format_version`: 3, or 0: as it was; `folder`: where it writes from then on ("": where it did).
    """

    ages_h: tuple[float, ...] = ()
    format_version: int = 0
    folder: str = ""


UNTOUCHED = Hand()


def words_of(hand: Hand) -> list[str]:
    """What bounds say beside the format. Example: ["snapshots 9 and 5 h old", "moved to m"]."""
    ages = " and ".join([f"{age:g}" for age in hand.ages_h])
    words = [f"snapshots {ages} h old"] if ages else []
    return [*words, f"moved to {hand.folder}"] if hand.folder else words


def time_ms(age_h: float) -> int:
    """The time so many hours before a race of PyIceberg."""
    return EPOCH_S * 1000 - int(age_h * HOUR_MS)


def put(world: World, name: str, hand: Hand) -> None:
    """Make this of the table, whose catalog is a register."""
    seen = world.register.load(name)
    place = str(seen.value)
    metadata = json.loads(world.store.get(place))
    if hand.ages_h:
        _age(metadata, hand.ages_h)
    if hand.format_version:
        metadata |= {"format-version": hand.format_version, "next-row-id": 0}
    if hand.folder:
        metadata["location"] = f"{metadata['location']}/{hand.folder}"
    made = place.replace(".metadata.json", "-by-hand.metadata.json")
    world.store.put(made, json.dumps(metadata).encode())
    world.register.commit(name, seen.version, made)


def _age(metadata: dict[str, Any], ages_h: Sequence[float]) -> None:
    times = {}
    for snapshot, age in zip(metadata["snapshots"], ages_h, strict=True):
        snapshot["timestamp-ms"] = times[snapshot["snapshot-id"]] = time_ms(age)
    for entry in metadata["snapshot-log"]:
        entry["timestamp-ms"] = times[entry["snapshot-id"]]
    metadata["last-updated-ms"] = max(time_ms(0), *times.values())
