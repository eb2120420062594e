"""The causes of a campaign's failures, each told: its smallest run replayed, explained and stored, known or new."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from lakeproof import folder as files
from lakeproof.campaigns.smallest import Smallest, smallest_of
from lakeproof.errors import CommandError, one_line
from lakeproof.folder import RunFolder
from lakeproof.investigate import of_generated
from lakeproof.outcome import Outcome, replay_command, store
from lakeproof.protocols import generator_of
from lakeproof.scenarios import Found
from real_backend.pipeline.folder import Folder
from reports.campaign import Cluster
from sim.generation.causes import Cause
from sim.generation.generator import Generator
from sim.kernel.errors import SimulationError
from sim.kernel.schedule import Divergence, parse
from sim.search.result import Result
from sim.search.run import Runner


def known_as(generator: Generator, cause: Cause) -> str:
    """The finding that explains a cause; "" if it is new."""
    return next((one.scenario for one in generator.known if one.explains(cause)), "")


def clusters_of(folder: Folder, out: Path) -> list[tuple[Cluster, Outcome | None]]:
    """Every cause, new ones first, those of many scenarios before those of few; their run folders are made in `out`."""
    made = [_cluster(one, out, number) for number, one in enumerate(_in_order(smallest_of(folder)), 1)]
    return made


def _in_order(found: list[Smallest]) -> list[Smallest]:
    def rank(one: Smallest) -> tuple[bool, int, str]:
        return bool(_known(one)), -len(one.failing), str(one.cause)

    return sorted(found, key=rank)


def _known(one: Smallest) -> str:
    generator = generator_of(one.protocol)
    return "" if generator is None else known_as(generator, one.cause)


def _cluster(one: Smallest, out: Path, number: int) -> tuple[Cluster, Outcome | None]:
    configurations = tuple(sorted({name for name, _ in one.failing}))
    cause, words = one.cause, re.sub(r"[^a-z0-9]+", "-", f"{one.cause.property}-{one.cause.anomaly}".lower())
    cluster = Cluster(
        one.protocol, cause.property, cause.anomaly, cause.operations, cause.faults, str(cause), _known(one),
        len(one.failing), configurations, one.scenario, "", "", error=one.error,
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
    return replace(
        cluster, folder=folder.path.name, command=outcome.record.command, record=outcome.record
    ), outcome  # fmt: skip


def _outcome(one: Smallest, folder: RunFolder) -> Outcome:
    generator = generator_of(one.protocol)
    assert generator is not None
    scenario = generator.again(one.scenario)
    schedule = parse(one.schedule, f"schedule of {one.scenario}")
    points = None if schedule.yield_points == ("*",) else schedule.yield_points
    run = Runner(replace(scenario, yield_points=points)).play(schedule.steps)
    if run.failure is None:
        raise CommandError(f"scenario {one.scenario}: expected its schedule to break {one.cause}, got no failure")
    result = Result(run.scenario, "a campaign of generated scenarios")
    result.add(run)
    chosen = {"search": f"{len(one.failing):,} scenarios of a campaign fail so; this is the smallest"}
    return store(Found(scenario), of_generated(result, run, None, chosen), folder, 0.0)
