"""The metastore scenarios that come with the product: the reference, the document, what 4.0 ships, Iceberg on top."""

from __future__ import annotations

from sim.scenario import Scenario
from sim.scenarios.hive_build import SESSION_PROMISES, STEPS, metastore
from sim.scenarios.hive_design import DOCUMENT
from sim.scenarios.hive_iceberg import COMPOSITE
from sim.scenarios.hive_reference import REFERENCE
from sim.scenarios.hive_shipped import CACHED_STORE

HIVE: tuple[Scenario, ...] = (*REFERENCE, *DOCUMENT, *CACHED_STORE, *COMPOSITE)

__all__ = ["CACHED_STORE", "COMPOSITE", "DOCUMENT", "HIVE", "REFERENCE", "SESSION_PROMISES", "STEPS", "metastore"]
