"""Finds, explains and replays concurrency faults of lakehouse table formats: the names that a scenario file needs.

    from lakeproof import CasLost, Scenario, Stage

Choices: nothing here imports Spark, a JVM or a report; a scenario file loads in a moment.
"""

from importlib.metadata import PackageNotFoundError, version

from model.ports import CasLost, ConnectionLost, NotFound, PortError, Refused, Status, Unanswered, Versioned, World
from sim.explore import Result, exhaustive, ladder, portfolio
from sim.run import Run, Runner
from sim.scenario import FaultSpace, Scenario
from sim.schedule import Divergence, Schedule, Step
from sim.shrink import Shrunk, shrink
from sim.stage import Stage

try:
    __version__ = version("lakeproof")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0+unknown"

__all__ = [
    "CasLost",
    "ConnectionLost",
    "Divergence",
    "FaultSpace",
    "NotFound",
    "PortError",
    "Refused",
    "Result",
    "Run",
    "Runner",
    "Scenario",
    "Schedule",
    "Shrunk",
    "Stage",
    "Status",
    "Step",
    "Unanswered",
    "Versioned",
    "World",
    "__version__",
    "exhaustive",
    "ladder",
    "portfolio",
    "shrink",
]
