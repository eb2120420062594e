"""Scenarios that come with the product, by name; a user's own scenario is a file of the same shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.scenario import Scenario


def catalog() -> dict[str, Scenario]:
    """All built-in scenarios by name, in the order in which they are listed."""
    from sim.scenarios.hive import HIVE
    from sim.scenarios.hudi import HUDI
    from sim.scenarios.iceberg import ICEBERG
    from sim.scenarios.pyiceberg import PYICEBERG

    return {scenario.name: scenario for scenario in (*ICEBERG, *PYICEBERG, *HUDI, *HIVE)}
