"""The causes of a campaign's failures, each told: its smallest run replayed, explained and stored, known or new."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lakeproof import folder as files
from lakeproof.errors import CommandError, one_line
from lakeproof.folder import RunFolder
from lakeproof.investigate import of_generated
from lakeproof.outcome import Outcome, store
from lakeproof.protocols import generator_of
from lakeproof.replay_line import replay_command
from lakeproof.scenarios import Found
from real_backend.pipeline.schema import SmallestRow
from reports.campaign import Cluster
from sim.generation.causes import Cause
from sim.kernel.errors import SimulationError
from sim.kernel.schedule import Divergence, parse
from sim.search.result import Result
from sim.search.run import Runner
from sim.world.words import counted

Told = tuple[Cluster, Outcome | None]
"""A cluster, and its smallest run as it is stored (None: it could not be run)."""


def clusters_of(rows: Sequence[SmallestRow], out: Path) -> list[Told]:
    """Every cause, new ones first, those of many failures before those of few; their run folders are made in `out`."""
    ordered = sorted(rows, key=lambda one: (bool(one.known), -one.failures, one.protocol, one.scenario))
    return [_cluster(one, out, number) for number, one in enumerate(ordered, 1)]


def _cluster(one: SmallestRow, out: Path, number: int) -> Told:
    cause = Cause(one.property, one.anomaly, one.operations, one.faults)
    words = re.sub(r"[^a-z0-9]+", "-", f"{cause.property}-{cause.anomaly}".lower())
    cluster = Cluster(
        one.protocol, cause.property, cause.anomaly, cause.operations, cause.faults, _words(one, cause), one.known,
        one.failures, one.configurations, one.scenario, "", "", error=one.error,
    )  # fmt: skip
    if not one.schedule:
        return cluster, None
    folder = RunFolder(out / f"{number:02}-{one.protocol}-{words}")
    folder.path.mkdir(parents=True)
    try:
        outcome = _outcome(one, folder)
    except (CommandError, Divergence, SimulationError) as error:  # ours, and no reason to lose the others
        folder.write(files.SCHEDULE, one.schedule)
        command = replay_command(folder / files.SCHEDULE, None)
        return replace(cluster, error=one_line(error), command=command), None
    told = replace(cluster, folder=folder.path.name, command=outcome.record.command, record=outcome.record)
    return told, outcome


def _words(one: SmallestRow, cause: Cause) -> str:
    """The cause, and the rules if they are not the shipped ones."""
    generator = generator_of(one.protocol)
    shipped = generator is None or one.rules == next(iter(generator.variants))
    return (
        str(cause)
        if cause.operations and shipped
        else f"{cause}; rules {one.rules}"
        if cause.operations
        else (f"{cause.property} ({cause.anomaly})")
    )


def _outcome(one: SmallestRow, folder: RunFolder) -> Outcome:
    generator = generator_of(one.protocol)
    assert generator is not None
    scenario = generator.again(one.scenario)
    schedule = parse(one.schedule, f"schedule of {one.scenario}")
    points = None if schedule.yield_points == ("*",) else schedule.yield_points
    run = Runner(replace(scenario, yield_points=points)).play(schedule.steps)
    if run.failure is None:
        raise CommandError(f"scenario {one.scenario}: expected its schedule to break {one.property}, got no failure")
    result = Result(run.scenario, "a campaign of generated scenarios")
    result.add(run)
    settled = "no draw of it can be left out" if one.settled else "it may not be the smallest"
    made = f"made small in {counted(one.executions, 'run')}, {settled}"
    chosen = {"search": f"a campaign: {counted(one.failures, 'failure')} of this cause", "this one": made}
    return store(Found(scenario), of_generated(result, run, None, chosen), folder, 0.0)
