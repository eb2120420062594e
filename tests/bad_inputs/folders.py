"""Run folders that somebody has edited, moved, cut or filled with something else."""

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from tests.bad_inputs.case import ANSWERED, CONTROL, LONG, Case, damaged

VERBS = ("explain", "report", "check")
NEEDED = ("run.json", "history.parquet")
STRANGE: tuple[Any, ...] = (None, 7, -1, 1e308, "", CONTROL, LONG, [], {}, [[]], {"a": {}}, True, ["x"] * 1_000)


def cases(random: Random, folder: dict[str, bytes]) -> Iterator[Case]:
    """Seventy of them, made from the files of a good one."""
    for name in NEEDED:
        for verb in VERBS:
            left = {one: content for one, content in folder.items() if one != name}
            histories = verb == "check" and "history.parquet" in left  # of which it needs no more to judge a folder
            yield _case(f"no {name}", verb, left, ANSWERED if histories else (64, 65))
    for number in range(16):
        name = random.choice(NEEDED)
        spoilt = folder | {name: damaged(random, folder[name])}
        yield _case(f"damaged {name} {number}", random.choice(VERBS), spoilt, ANSWERED)
    for number in range(44):
        record = json.loads(folder["run.json"])
        where = _change(random, record)
        spoilt = folder | {"run.json": json.dumps(record).encode()}
        yield _case(f"{where} {number}", random.choice(VERBS), spoilt, ANSWERED)
    yield _case("a record that is a list", "report", folder | {"run.json": b"[]"})
    yield _case("a record nested deeply", "explain", folder | {"run.json": b"[" * 100_000})
    yield _case("a live replay that is none", "report", folder | {"live.json": b"{}"})
    yield _case("a live replay of noise", "explain", folder | {"live.json": random.randbytes(300)})


def _case(name: str, verb: str, files: Mapping[str, bytes], codes: tuple[int, ...] = (64, 65)) -> Case:
    return Case(f"{verb}: {name}", (verb, "run"), {f"run/{one}": content for one, content in files.items()}, codes)


def _change(random: Random, record: Any) -> str:
    """Put something strange somewhere into the record, or leave something out. Returns: where, in words."""
    places: list[tuple[str, Any, Any]] = []

    def walk(value: Any, path: str) -> None:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in list(items):
            places.append((f"{path}.{key}", value, key))
            walk(inner, f"{path}.{key}")

    walk(record, "")
    where, holder, key = random.choice(places)
    if random.random() < 0.25:
        del holder[key]
        return f"without {where}"
    holder[key] = random.choice(STRANGE)
    return f"strange {where}"
