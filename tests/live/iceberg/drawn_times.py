"""Vectors of ages, drawn: pasts of several lines whose writers' clocks differ, refs, and an expiry or a roll-back."""

import random
from typing import Any


def drawn(seed: int) -> dict[str, Any]:
    """The vector of a seed. Half of the snapshots have times in order, the clocks of the others are hours off. Ages
    that count from now are no whole hours, because the two sides have not quite the same now.
    """
    chance = random.Random(seed)
    count = chance.randint(2, 7)
    ages = [2 * (count - place) + chance.choice((0, 0, 0, -5, 7, 1)) for place in range(count)]
    lines = [
        None,
        *[chance.choice((place, place, place, chance.randint(0, place), None)) for place in range(count - 1)],
    ]
    refs = {"main": _ref(chance, count)}
    for name in chance.sample(("a", "b", "t"), chance.randint(0, 3)):
        refs[name] = _ref(chance, count) if name != "t" else _tag(chance, count)
    vector = {"name": f"drawn-{seed}", "ages": ages, "parents": lines, "refs": refs}
    if chance.random() < 0.7:
        expire = {"older_than": chance.randint(-3, 14), "keep": chance.choice((1, 1, 2, 3))}
        ids = chance.sample(range(count), chance.choice((0, 0, 0, 1)))
        return vector | {"expire": expire | ({"ids": ids} if ids else {})}
    back = {"back_to": chance.randint(-3, 14)}
    return vector | back | ({"meanwhile": chance.randrange(count)} if chance.random() < 0.4 else {})


def _ref(chance: random.Random, count: int) -> dict[str, Any]:
    drawn_ages = {"keep": (1, 2, 3), "max_snapshot_age": (1.5, 4.5, 9.5), "max_ref_age": (2.5, 5.5, 10.5)}
    ref = {key: chance.choice(values) for key, values in drawn_ages.items() if chance.random() < 0.3}
    return {"at": chance.randrange(count)} | ref


def _tag(chance: random.Random, count: int) -> dict[str, Any]:
    ref = {"at": chance.randrange(count), "tag": True}
    return ref | ({"max_ref_age": chance.choice((2.5, 5.5, 10.5))} if chance.random() < 0.5 else {})
