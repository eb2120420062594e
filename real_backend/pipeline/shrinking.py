"""The causes of a campaign's failures, each with its smallest failure.

Failures are many and causes few: those that break alike, through the same operations and faults, have one rough cause,
and so have those that one known finding explains. The shortest failure of each is made small. What it did not need is
gone then, so rough causes turn out to be the same and are joined; the smallest failure stands for all.

Choices: the rough causes are grouped by the driver, since they are read without the histories; making one small is a
task of its own. The shortest represents a cause, not the first, so the order of the waves decides nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from checkers.histories.history import History
from checkers.histories.storage import json_lines, placed
from real_backend.pipeline.folder import Folder, opened
from real_backend.pipeline.schema import SIMULATOR, SmallestRow, schema_of, table_of
from real_backend.pipeline.slices import generator_at, said_of
from real_backend.pipeline.waves import Engine
from sim.generation.causes import Cause, cause_of
from sim.generation.generator import Generator, rules_of
from sim.generation.shrink import shrink_all
from sim.generation.sweep import Plan, sweep
from sim.search.run import Run
from sim.search.script import schedule_of

BUDGET = 4_000
"""How many runs making a failure small may take."""
NOT_REPEATED = "not-repeated"
"""The anomaly of a failure that the same sweep of its scenario does not show again: a defect of the simulator."""
_COLUMNS = (
    "protocol", "configuration", "scenario", "property", "anomaly", "operations", "faults", "found_at", "schedule",
    "error",
)  # fmt: skip
_LISTS = ("operations", "faults")
Tell = Callable[[int, int], None]
"""Told how many of the rough causes are done, and how many there are."""


@dataclass(slots=True)
class _Group:
    """The failures of one cause: the shortest, and what is known of all."""

    shortest: dict[str, Any]
    configurations: set[str]
    failures: int
    rough: int
    first_wave: int
    found_at: int

    def join(self, other: _Group) -> None:
        """Take the failures of another group in."""
        self.shortest = min(self.shortest, other.shortest, key=_length)
        self.configurations |= other.configurations
        self.failures += other.failures
        self.rough += other.rough
        self.first_wave = min(self.first_wave, other.first_wave)
        self.found_at = min(self.found_at, other.found_at)


_Key = tuple[str, str, Cause]
"""Protocol, rules, cause."""


def shrink_causes(
    path: Path, engine: Engine, *, budget: int = BUDGET, tell: Tell = lambda done, of: None
) -> list[SmallestRow]:
    """Make a failure of each cause of a campaign small, and write the causes into its folder, anew each time.

    Args: `path` is the folder; `engine` makes them small; `budget` bounds the runs for each rough cause (from 1);
    `tell` is told how far it is.

    Returns: a row for each cause, those of the most failures first.

    Raises: `ValueError`, one line, if `path` has no campaign, or the budget is below 1.
    """
    if budget < 1:
        raise ValueError(f"budget: expected runs from 1, got {budget}")
    folder = opened(path)
    plan = folder.about["plan"]
    searched = {(one["protocol"], one["name"]): one for one in plan["configurations"]}
    groups = _explained(_rough(folder), searched)
    tasks = [
        json.dumps({
            "budget": budget, "sweep": [plan["first"], plan["most"], plan["strategies"]],
            **{name: searched[_searched(group.shortest)][name] for name in ("generator", "faults")},
            **{name: group.shortest[name] for name in ("scenario", "property", "anomaly", "schedule", "error")},
        })
        for group in groups
    ]  # fmt: skip
    found = engine.each(shrink_one, tasks, lambda done: tell(done, len(tasks)))
    rows = _rows(_joined((group, json.loads(text)) for group, text in zip(groups, found, strict=True)))
    _write(path, rows)
    return rows


def smallest(path: Path) -> list[SmallestRow]:
    """Returns: the causes that `shrink_causes` wrote into this folder; none if it has not."""
    file = path / "causes" / "part-0.parquet"
    if not file.exists():
        return []
    rows = pq.ParquetFile(file).read().cast(schema_of(SmallestRow)).to_pylist()
    return [SmallestRow._make([tuple(one) if isinstance(one, list) else one for one in row.values()]) for row in rows]


def shrink_one(text: str) -> str:
    """Make one failure small. The text is JSON, as is what comes back: `shrink_causes` knows both."""
    asked = json.loads(text)
    if asked["property"] == SIMULATOR:
        return json.dumps(_unshrunk(asked, asked["anomaly"], asked["error"]))
    generator = generator_at(asked["generator"])
    # Not by its schedule: that is played with other choices than a search makes, and shrinking replays choices.
    found = sweep(generator.again(asked["scenario"]), Plan(*asked["sweep"])).failures
    failure = f"{asked['property']}/{asked['anomaly']}"
    run = found.get(failure)
    if run is None:
        return json.dumps(_unshrunk(asked, NOT_REPEATED, f"expected {failure} again, got {', '.join(found) or 'none'}"))
    try:
        made = shrink_all(generator, run, budget=asked["budget"], faults=asked["faults"])
    except Exception as error:  # a smaller scenario could not be run: ours, and no reason to lose the failure
        return json.dumps(_shrunk(generator, run, 0, settled=False, error=said_of(error)))
    return json.dumps(_shrunk(generator, made.shrunk.run, made.executions, settled=made.settled))


def _shrunk(generator: Generator, run: Run, executions: int, *, settled: bool, error: str = "") -> dict[str, Any]:
    cause = cause_of(run)
    return {
        "property": cause.property, "anomaly": cause.anomaly, "operations": cause.operations, "faults": cause.faults,
        "known": generator.known_of(run),
        "scenario": run.scenario.name, "summary": run.scenario.summary, "schedule": str(schedule_of(run)),
        "history": json_lines(History(run.events)), "executions": executions, "settled": settled, "error": error,
    }  # fmt: skip


def _unshrunk(asked: dict[str, Any], anomaly: str, error: str) -> dict[str, Any]:
    """A failure that is ours stays as it was found."""
    return {
        "property": SIMULATOR, "anomaly": anomaly, "operations": [], "faults": [], "known": "", "summary": "",
        "scenario": asked["scenario"], "schedule": asked["schedule"], "history": "", "executions": 0, "settled": True,
        "error": error,
    }  # fmt: skip


def _searched(failure: Mapping[str, Any]) -> tuple[str, str]:
    """Protocol and name of the configuration in which it was found."""
    return failure["protocol"], failure["configuration"]


def _rough(folder: Folder) -> list[_Group]:
    groups: dict[_Key, _Group] = {}
    for row in folder.read("failures", _COLUMNS).to_pylist():
        group = _Group(row, {row["configuration"]}, 1, 0, row["wave"], row["found_at"])
        groups.setdefault(_key(row, row), group)
        if groups[_key(row, row)] is not group:
            groups[_key(row, row)].join(group)
    for group in groups.values():
        group.rough = 1
    return [groups[key] for key in sorted(groups)]


def _explained(groups: Iterable[_Group], searched: Mapping[tuple[str, str], Mapping[str, Any]]) -> list[_Group]:
    """The groups, those joined that one known finding explains."""
    found: dict[tuple[str, ...], _Group] = {}
    for number, group in enumerate(groups):
        failure = group.shortest
        known = _known_as(failure, generator_at(searched[_searched(failure)]["generator"]))
        key = (failure["protocol"], rules_of(failure["scenario"]), known) if known else (str(number),)
        if key in found:
            found[key].join(group)
        else:
            found[key] = group
    return list(found.values())


def _known_as(failure: Mapping[str, Any], generator: Generator) -> str:
    """The known finding that a failure is, as it was found; "" if it is none, or ours."""
    if failure["property"] == SIMULATOR:
        return ""
    cause = Cause(*[failure[name] for name in ("property", "anomaly")], *[tuple(failure[name]) for name in _LISTS])
    name = failure["scenario"]
    return generator.known_as(cause, rules_of(name), generator.again(name).parameters)


def _joined(found: Iterable[tuple[_Group, dict[str, Any]]]) -> dict[_Key, _Group]:
    groups: dict[_Key, _Group] = {}
    for group, made in found:
        key = _key(group.shortest, made)
        group.shortest = made
        if key in groups:
            groups[key].join(group)
        else:
            groups[key] = group
    return groups


def _key(failure: dict[str, Any], found: dict[str, Any]) -> _Key:
    cause = Cause(found["property"], found["anomaly"], tuple(found["operations"]), tuple(found["faults"]))
    protocol, _, rules, _ = failure["scenario"].split("/")
    return protocol, rules, cause


def _length(failure: dict[str, Any]) -> tuple[int, str, int, str]:
    name, schedule = failure["scenario"], failure["schedule"]
    return len(name), name, len(schedule), schedule


def _rows(groups: dict[_Key, _Group]) -> list[SmallestRow]:
    found = sorted(groups.items(), key=lambda one: (-one[1].failures, one[0]))
    return [_row(*key, group) for key, group in found]


def _row(protocol: str, rules: str, cause: Cause, group: _Group) -> SmallestRow:
    counted = {name: getattr(group, name) for name in ("failures", "rough", "first_wave", "found_at")}
    made = {name: group.shortest[name] for name in SmallestRow._fields[SmallestRow._fields.index("known") :]}
    return SmallestRow(
        protocol=protocol,
        rules=rules,
        property=cause.property,
        anomaly=cause.anomaly,
        operations=cause.operations,
        faults=cause.faults,
        configurations=tuple(sorted(group.configurations)),
        **counted,
        **made,
    )


def _write(path: Path, rows: list[SmallestRow]) -> None:
    place = path / "causes" / "part-0.parquet"
    place.parent.mkdir(exist_ok=True)
    with placed(place, overwrite=True) as part:
        pq.write_table(table_of(SmallestRow, rows), part, compression="zstd")
