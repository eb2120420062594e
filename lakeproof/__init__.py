"""Finds, explains and replays concurrency faults of lakehouse table formats: the names that a scenario file needs.

    from lakeproof import CasLost, Scenario, Simulation

Choices: a name is imported when it is first used, because pytest imports this package in every session of anybody who
has it installed; nothing of Spark or of a JVM is imported for any of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lakeproof.campaigns.testing import campaign
    from model.ports import CasLost, ConnectionLost, NotFound, PortError, Refused, Status, Unanswered, Versioned, World
    from sim.kernel.schedule import Divergence, Schedule, Step
    from sim.search.explore import default_plan, exhaustive, portfolio
    from sim.search.result import Result
    from sim.search.run import Run, Runner
    from sim.search.shrink import Shrunk, shrink
    from sim.world.program import Program, program
    from sim.world.scenario import FaultSpace, Scenario
    from sim.world.simulation import Simulation

    __version__: str

_HOMES = {
    "lakeproof.campaigns.testing": "campaign",
    "model.ports": "CasLost ConnectionLost NotFound PortError Refused Status Unanswered Versioned World",
    "sim.search.explore": "default_plan exhaustive portfolio",
    "sim.search.result": "Result",
    "sim.search.run": "Run Runner",
    "sim.world.program": "Program program",
    "sim.world.scenario": "FaultSpace Scenario",
    "sim.kernel.schedule": "Divergence Schedule Step",
    "sim.search.shrink": "Shrunk shrink",
    "sim.world.simulation": "Simulation",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "CasLost",
    "ConnectionLost",
    "Divergence",
    "FaultSpace",
    "NotFound",
    "PortError",
    "Program",
    "Refused",
    "Result",
    "Run",
    "Runner",
    "Scenario",
    "Schedule",
    "Shrunk",
    "Simulation",
    "Status",
    "Step",
    "Unanswered",
    "Versioned",
    "World",
    "__version__",
    "campaign",
    "default_plan",
    "exhaustive",
    "portfolio",
    "program",
    "shrink",
]


def __getattr__(name: str) -> Any:
    if name != "__version__" and name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = _version() if name == "__version__" else getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("lakeproof")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0+unknown"


def __dir__() -> list[str]:
    return sorted(__all__)
