"""How far clocks are apart in generated Hudi races whose actors have hosts of their own."""

from __future__ import annotations

from model.hudi import HudiConfig
from sim.generation.draws import Draws
from sim.world.scenario import FaultSpace


def draw_offsets(draws: Draws, actors: list[str]) -> tuple[tuple[str, int], ...]:
    """How far clocks are ahead: within the skew that is waited for by default, or further."""
    drawn = [(actor, draws.one_of("clock", (0, 100, 1_000))) for actor in actors]
    return tuple([(actor, offset) for actor, offset in drawn if offset])


def in_time(config: HudiConfig, offsets: tuple[tuple[str, int], ...], faults: FaultSpace) -> bool:
    """Whether no two clocks can get further apart than is waited for; those that drift get ever further."""
    apart_ms = max([offset for _, offset in offsets], default=0) + faults.limit * faults.clock_step_ms
    return not faults.clock_drift_percent and apart_ms < max(1, config.skew_wait_ms)
