"""The generator of Iceberg's races where PyIceberg has its table in one of its own catalogs, for what is planted there.

A pinned draw is recorded like another one: the name of a scenario makes it again without the pin.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sim.generation.draws import Draws
from sim.generation.generator import Generator
from sim.iceberg.generate import GENERATOR
from sim.iceberg.pyiceberg_catalogs import HIVE, REST, SQL
from sim.world.scenario import Scenario
from tests.mutants.mutant import Mutant
from tests.mutants.pyiceberg_services import HIVE_SERVICE, REST_SERVICE, REST_TABLES, SQL_SERVICE
from tests.search.planted import Planted

CALLED = {SQL: "PyIceberg, its SQL catalog", REST: "PyIceberg, its REST catalog", HIVE: "PyIceberg, its Hive catalog"}
MUTANTS: Mapping[str, tuple[Mutant, ...]] = {SQL: SQL_SERVICE, REST: (*REST_SERVICE, *REST_TABLES), HIVE: HIVE_SERVICE}
MISSING = dict.fromkeys([one.name for one in REST_TABLES], "who makes tables by PyIceberg: no race is drawn with it")


def in_catalog(kind: str) -> Generator:
    """The generator whose races are in the catalog of this kind."""
    settings = GENERATOR.configurations["PyIceberg"]
    return replace(GENERATOR, draw=_pinned(kind), configurations={CALLED[kind]: settings})


def _pinned(kind: str) -> Callable[[Draws, Any], Scenario]:
    pins = {"own catalog": "True", "catalog of its own": kind}

    def draw(draws: Draws, rules: Any) -> Scenario:
        draws._pinned = {**draws._pinned, **pins}
        return GENERATOR.draw(draws, rules)

    return draw


def of_services() -> list[Planted]:
    """Every mutant of what a catalog talks to, in races in that catalog."""
    return [
        Planted(one.name, in_catalog(kind), (CALLED[kind],), mutant=one, missing=MISSING.get(one.name, ""))
        for kind, mutants in MUTANTS.items()
        for one in mutants
    ]
