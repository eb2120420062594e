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
from sim.iceberg.python.catalogs import HIVE, REST, SQL
from sim.world.scenario import Scenario
from tests.mutants.mutant import Mutant
from tests.mutants.pyiceberg_services import HIVE_SERVICE, REST_SERVICE, REST_TABLES, SQL_SERVICE
from tests.search.planted import Planted, explained_by

CALLED = {SQL: "PyIceberg, its SQL catalog", REST: "PyIceberg, its REST catalog", HIVE: "PyIceberg, its Hive catalog"}
WHOLE = "whole tables"
MUTANTS: Mapping[str, tuple[Mutant, ...]] = {SQL: SQL_SERVICE, REST: (*REST_SERVICE, *REST_TABLES), HIVE: HIVE_SERVICE}
OF_TABLES = tuple([one.name for one in REST_TABLES])
"""What is met where whole tables are made."""
FINDINGS = ("pyiceberg/hive-rename-append", "pyiceberg/hive-register-append")


def in_catalog(kind: str) -> Generator:
    """The generator whose races are in the catalog of this kind."""
    settings = GENERATOR.configurations["PyIceberg"]
    pins = {"own catalog": "True", "catalog of its own": kind}
    return replace(GENERATOR, draw=_pinned(pins), configurations={CALLED[kind]: settings})


def of_names_in(kind: str) -> Generator:
    """The same of races in which whole tables are made, dropped, registered and renamed."""
    settings = GENERATOR.configurations["PyIceberg, whole tables"]
    return replace(GENERATOR, draw=_pinned({"names in": kind}), configurations={f"{CALLED[kind]}, {WHOLE}": settings})


def _pinned(pins: Mapping[str, str]) -> Callable[[Draws, Any], Scenario]:
    def draw(draws: Draws, rules: Any) -> Scenario:
        draws._pinned = {**draws._pinned, **pins}
        return GENERATOR.draw(draws, rules)

    return draw


def of_services() -> list[Planted]:
    """Every mutant of what a catalog talks to, in races in that catalog."""
    return [
        Planted(one.name, made := (of_names_in if one.name in OF_TABLES else in_catalog)(kind),
                tuple(made.configurations), mutant=one)
        for kind, mutants in MUTANTS.items()
        for one in mutants
    ]  # fmt: skip


def of_names() -> list[Planted]:
    """Every finding of whole tables: all of them are of the Hive catalog."""
    made = of_names_in(HIVE)
    return [
        Planted(name, made, tuple(made.configurations), "shipped", shows=explained_by(made, name, "shipped"))
        for name in FINDINGS
    ]
