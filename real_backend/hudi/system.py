"""The live system of Hudi: the real one in Spark, stepped at its storage and its locks.

Choices: what is played are the steps of the simulated run in the storage gate's own names. Imports are where they are
needed: a command without `--live` does without Spark.
"""

from importlib.metadata import version
from typing import TYPE_CHECKING

from checkers.hudi.properties import SPANS
from real_backend.gating.backends import Backends
from real_backend.gating.system import Replayed
from real_backend.jvm.jars import version_of
from sim.hudi.statements import Archive
from sim.kernel.schedule import Schedule, ScheduleError
from sim.search.projection import projection
from sim.search.run import Run
from sim.world.live import Live

if TYPE_CHECKING:
    from real_backend.hudi.live import HudiLive
    from real_backend.jvm.session import Additions


PLAN_IS_GONE = "Error reading clustering plan"
"""What Spark says of a table with an inflight instant of a replacement whose requested file is gone."""


def in_spark() -> "Additions":
    """What Hudi brings into the Spark session; the storage gate, if its classes can be had."""
    from real_backend.hudi.session import additions, has_gate

    return additions(gated=has_gate())


def hudi(backends: Backends) -> "HudiLive":
    """Hudi in the Spark session. Raises: `BackendUnavailable`."""
    from real_backend.hudi.live import HudiLive
    from real_backend.hudi.session import has_gate

    return backends.kept(HudiLive(backends.spark, gated=has_gate()))


class Hudi:
    """Hudi, stepped at its storage and its locks."""

    # What a live history does not have: spans of time, which check refused, what is left over.
    unseen = (*SPANS, "no-early-refusals", "no-late-refusals", "clean-at-quiescence")

    def name(self, live: Live) -> str:
        """As the Protocol."""
        return f"Hudi {version_of('hudi')} on Spark {version('pyspark')}"

    def replay(self, backends: Backends, live: Live, schedule: Schedule, run: Run) -> Replayed:
        """As the Protocol."""
        from real_backend.hudi.conformance import conform, observed_live, simulated
        from real_backend.hudi.history import history_of
        from real_backend.hudi.live import heartbeat_notes
        from real_backend.hudi.live_steps import every_step

        played = projection(run)
        if played is None:
            raise ScheduleError(
                f"schedule of {run.scenario.name}: expected steps and faults that the real Hudi can be made to take "
                f"(yield points {' '.join(live.yield_points[-1])}), got others"
            )
        at = played.run.yield_points or live.yield_points[-1]
        steps = every_step(played.run)
        found = backends.of(hudi).run(live.workload, Schedule(run.scenario.name, steps, at))
        agrees = conform(played.run, found).agrees
        seen = simulated(played.run), observed_live(found)
        differs = found.again.differs_from(found.rows) if found.again else ""
        notes = (*heartbeat_notes(live.workload, steps), *([differs] if differs else ()))
        # Of files older than the active timeline hudi-rs reads others than Spark (hudi/archive-rolled-back); who lists
        # folders reads what a metadata table lacks (hudi/metadata-partition); a plan that is gone it does not look for
        # (hudi/restore-overwrite); a table where one compaction was completed twice it cannot read
        # (hudi/mor-executor-outlived).
        told = (
            live.workload.has(Archive)
            or found.mislisted is not None
            or PLAN_IS_GONE in (found.unreadable or "")
            or (found.again is not None and found.again.meets_twice)
        )
        agrees = agrees and (not differs or told)
        return Replayed(found.trace, history_of(found), played.run.events, *seen, agrees, notes)


HUDI = Hudi()
