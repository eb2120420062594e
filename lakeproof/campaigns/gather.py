"""From the folder of a campaign to the record that its page, JUnit file, summary and metrics are made of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from lakeproof import __version__
from lakeproof.protocols import generator_of
from real_backend.pipeline.folder import Folder
from real_backend.pipeline.schema import COUNTER, PAIR
from reports.campaign import CampaignRecord, Cluster, Grown, Replays, Searched, Spent
from sim.generation.generator import Generator
from sim.generation.residual import none_of, residual
from sim.world.words import counted

POINTS = 24
"""How many points a line of the picture has, about."""
FAULT = "fault "
Named = tuple[str, str]


def gather(folder: Folder, clusters: tuple[Cluster, ...], replays: Replays | None, command: str) -> CampaignRecord:
    """The record of the campaign in `folder`. `command` makes its report anew."""
    slices = folder.read("slices").to_pylist()
    coverage = folder.read("coverage").to_pylist()
    generators = {name: _generator(name) for name in dict.fromkeys(row["protocol"] for row in slices)}
    cpu_s = sum(row["cpu_s"] for row in slices)
    wall_s = sum(folder.manifest(wave)["wall_s"] for wave in folder.waves())
    schedules = sum(row["schedules"] for row in slices)
    return CampaignRecord(
        __version__, folder.path.resolve().name, _searched(folder, slices, coverage), tuple(_grown(slices)), clusters,
        {name: generator.cannot for name, generator in generators.items()}, _never(generators, coverage),
        Spent(round(cpu_s, 3), round(wall_s, 3), round(schedules / wall_s if wall_s else 0.0, 1)), command, replays,
    )  # fmt: skip


def _generator(name: str) -> Generator:
    found = generator_of(name)
    assert found is not None, name
    return found


def _searched(folder: Folder, slices: list[dict[str, Any]], coverage: list[dict[str, Any]]) -> tuple[Searched, ...]:
    """A row for each configuration of the plan that was begun, in the plan's order."""
    sums: dict[Named, Counter[str]] = defaultdict(Counter)
    seconds: Counter[Named] = Counter()
    for row in slices:
        named = row["protocol"], row["configuration"]
        seconds[named] += row["cpu_s"]
        for key in ("scenarios", "schedules", "failed", "complete", "indeterminate", "endless"):
            sums[named][key] += row[key]
    kinds: dict[Named, Counter[str]] = defaultdict(Counter)
    for row in coverage:
        if row["kind"] == PAIR:
            kinds[row["protocol"], row["configuration"]][row["name"]] += row["scenarios"]
    missing = _missing(folder.read("runs", ("protocol", "configuration", "missing")).to_pylist())
    found = []
    for one in folder.about["plan"]["configurations"]:
        named = one["protocol"], one["name"]
        if named not in sums:
            continue
        of, left = sums[named], residual(kinds[named].values(), sums[named]["scenarios"])
        reasons = [missing.get(named, "")]
        reasons += [f"{counted(of['endless'], 'schedule')} did not come to their end"] if of["endless"] else []
        found.append(Searched(
            *named, one["rules"], ", ".join(f"{key}={value}" for key, value in one["settings"]), of["scenarios"],
            of["schedules"], of["failed"], of["complete"], of["indeterminate"], of["endless"], len(kinds[named]),
            None if of["failed"] else none_of(of["scenarios"]), left.estimate, left.bound, round(seconds[named], 3),
            "; ".join(filter(None, reasons)),
        ))  # fmt: skip
    return tuple(found)


def _missing(runs: Iterable[Mapping[str, str]]) -> dict[Named, str]:
    """What a verdict on a configuration would lack, where all of its scenarios lack something."""
    reasons: dict[Named, list[str]] = defaultdict(list)
    for run in runs:
        reasons[run["protocol"], run["configuration"]].append(run["missing"])
    return {named: Counter(said).most_common(1)[0][0] for named, said in reasons.items() if all(said)}


def _grown(slices: list[dict[str, Any]]) -> Iterable[Grown]:
    """How far each protocol's search was, slice after slice, in so many points."""
    by_protocol: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in sorted(slices, key=lambda row: (row["wave"], row["seed_lo"], row["configuration"])):
        by_protocol[row["protocol"]].append(row)
    for protocol, rows in by_protocol.items():
        schedules, kinds, causes = 0, set[str](), set[str]()
        every, points = max(1, len(rows) // POINTS), dict[int, Grown]()
        for number, row in enumerate(rows, 1):
            schedules += row["schedules"]
            kinds.update(row["kinds"])
            causes.update(str(cause) for cause in row["causes"])
            if number % every == 0 or number in (1, len(rows)):
                points[schedules] = Grown(protocol, schedules, len(kinds), len(causes))
        yield from points.values()


def _never(generators: Mapping[str, Generator], coverage: list[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """The faults of each generator that never struck."""
    struck: dict[str, set[str]] = defaultdict(set)
    for row in coverage:
        if row["kind"] == COUNTER and row["hits"] and row["name"].startswith(FAULT):
            struck[row["protocol"]].add(row["name"].removeprefix(FAULT))
    return {name: tuple([kind for kind in each.faults if kind not in struck[name]])
            for name, each in generators.items()}  # fmt: skip
