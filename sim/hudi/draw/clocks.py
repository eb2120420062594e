"""How far clocks are apart in generated Hudi races whose actors have hosts of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from model.hudi import HudiConfig
from model.hudi.keys import FILE_SYSTEM, STORAGE_BASED
from model.hudi.storage_lock import DRIFT_MS
from sim.generation.draws import Draws
from sim.world.scenario import FaultSpace


def draw_offsets(draws: Draws, actors: list[str]) -> tuple[tuple[str, int], ...]:
    """How far clocks are ahead: within the skew that is waited for by default, or further."""
    drawn = [(actor, draws.one_of("clock", (0, 100, 1_000))) for actor in actors]
    return tuple([(actor, offset) for actor, offset in drawn if offset])


def of_actors(offsets: tuple[tuple[str, int], ...], actors: Collection[str]) -> tuple[tuple[str, int], ...]:
    """Those of who is there in the end."""
    return tuple([each for each in offsets if each[0] in actors])


def in_time(config: HudiConfig, offsets: tuple[tuple[str, int], ...], faults: FaultSpace) -> bool:
    """Whether no two clocks can get further apart than does no harm; those that drift get ever further."""
    apart_ms = max([offset for _, offset in offsets], default=0) + faults.limit * faults.clock_step_ms
    return not faults.clock_drift_percent and apart_ms <= min(_bounds_ms(config))


def _bounds_ms(config: HudiConfig) -> Iterator[int]:
    """How far clocks may be apart, from each other and from the storage's: for each rule that compares two of them.

    Source: `SkewAdjustingTimeGenerator`; `HoodieHeartbeatClient.isHeartbeatExpired` compares the own clock with the
    time that the storage gave the file, which is an interval old before the next beat; `StorageBasedLockProvider`
    (`isLockStillValid`), with a time that its holder put off a renewal ago; `FileSystemBasedLockProvider`
    (`checkIfExpired`), with the time of a file that its holder made before it waited for the skew.
    """
    yield max(0, config.skew_wait_ms - 1)
    yield config.tolerance_ms - config.heartbeat_interval_ms
    if config.lock_provider == STORAGE_BASED:
        yield 1_000 * (config.lock_validity_s - config.lock_renewal_s) + DRIFT_MS
    if config.lock_provider == FILE_SYSTEM and config.lock_expire_minutes:
        yield 60_000 * config.lock_expire_minutes - config.skew_wait_ms
