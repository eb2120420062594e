"""Generators for tests: Iceberg's, one of which some scenarios cannot be run, and one that kills a worker."""

import os
import signal
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sim.iceberg.generate import GENERATOR

ICEBERG = "sim.iceberg.generate:GENERATOR"
BROKEN = "tests.unit.real_backend.pipeline.generators:SOME_BROKEN"


@dataclass(frozen=True)
class Breaks:
    """A program that raises when it starts."""

    prepare: Any
    finish: Any

    def start(self, simulation):
        raise KeyError("missing")


def draw(draws, rules):
    """Draw as Iceberg's generator, and break the scenarios that have one row."""
    scenario = GENERATOR.draw(draws, rules)
    rows = next(chosen for name, _, chosen in draws.drawn if name == "rows")
    return scenario if rows else replace(scenario, program=Breaks(scenario.program.prepare, scenario.program.finish))


SOME_BROKEN = replace(GENERATOR, draw=draw)


KILLS_ITS_WORKER = "tests.unit.real_backend.pipeline.generators:KILLING"
MARK = "LAKEPROOF_TEST_KILLED"


def kill_once(draws, rules):
    """Draw as Iceberg's generator; the first process that does so ends as if the system had killed it."""
    mark = Path(os.environ[MARK])
    with suppress(FileExistsError):
        mark.mkdir()
        os.kill(os.getpid(), signal.SIGKILL)
    return GENERATOR.draw(draws, rules)


KILLING = replace(GENERATOR, draw=kill_once)
