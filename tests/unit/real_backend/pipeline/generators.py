"""Generators for tests: the till's, one of which some scenarios cannot be run, and one that kills a worker."""

import os
import signal
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.unit.lakeproof.till import GENERATOR

TILL = "tests.unit.lakeproof.till:GENERATOR"
LOOKING, BLIND = (("till.looks", "yes"),), (("till.looks", "no"),)
"""Options of the till; under the second updates get lost."""
BROKEN = "tests.unit.real_backend.pipeline.generators:SOME_BROKEN"


@dataclass(frozen=True)
class Breaks:
    """A program that raises when it starts."""

    prepare: Any
    finish: Any

    def start(self, simulation):
        raise KeyError("missing")


def draw(draws, rules):
    """Draw as the till's generator, and break the scenarios without faults."""
    scenario = GENERATOR.draw(draws, rules)
    return (
        scenario
        if scenario.faults.limit
        else replace(scenario, program=Breaks(scenario.program.prepare, scenario.program.finish))
    )


SOME_BROKEN = replace(GENERATOR, draw=draw)


KILLS_ITS_WORKER = "tests.unit.real_backend.pipeline.generators:KILLING"
MARK = "LAKEPROOF_TEST_KILLED"


def kill_once(draws, rules):
    """Draw as the till's generator; the first process that does so ends as if the system had killed it."""
    mark = Path(os.environ[MARK])
    with suppress(FileExistsError):
        mark.mkdir()
        os.kill(os.getpid(), signal.SIGKILL)
    return GENERATOR.draw(draws, rules)


KILLING = replace(GENERATOR, draw=kill_once)


UNSTABLE = "tests.unit.real_backend.pipeline.generators:SET_ORDER"


def draw_by_set_order(draws, rules):
    """Draw as the till's generator, and break the scenarios under some hash seeds."""
    scenario = GENERATOR.draw(draws, rules)
    program = scenario.program
    return scenario if hash("a") % 2 else replace(scenario, program=Breaks(program.prepare, program.finish))


SET_ORDER = replace(GENERATOR, draw=draw_by_set_order)
