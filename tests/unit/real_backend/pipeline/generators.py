"""Generators for tests: Iceberg's, and one whose second scenario cannot be run."""

from dataclasses import dataclass, replace
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
