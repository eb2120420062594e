"""How Hudi scenarios are made: actors, options, rules and a question become a `Scenario`.

With its default conflict strategy the shipped protocol loses an update without any fault (`hudi/older-instant`), which
would hide every other question. So the questions about other things are asked where just that cannot happen: of Hudi as
shipped with the strategy that prefers writers (`PREFERRING`), of a variant in which that is repaired, or, under the
default strategy, of every property that it does not break (all but `OLDER`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from model.hudi import SHIPPED, Rules
from model.hudi.errors import ConfigError
from model.hudi.keys import (
    BLOOM_DIRECT,
    BLOOM_SERVER,
    CHECK_COMMIT,
    CONFLICTS,
    EARLY,
    EARLY_STRATEGY,
    FILE_SYSTEM,
    IN_PROCESS,
    INTERVAL,
    LOCK_PROVIDER,
    MARKERS,
    MISSES,
    MODE,
    OCC,
    PREFER_WRITER,
    SERVER_MARKERS,
    SIMPLE_DIRECT,
    SINGLE_WRITER,
    TRANSACTIONAL_DIRECT,
    ZOOKEEPER,
)
from model.hudi.variants import NEWER_BASE_REFUSED
from sim.hudi.bounds import bounds_of, name_of
from sim.hudi.live import live_of
from sim.hudi.race import hudi_race
from sim.hudi.statements import Statement, Upsert
from sim.hudi.workload import HudiWorkload, Options
from sim.world.fault_spaces import CLOCK, FILES, MUTEXES, calls, wide
from sim.world.scenario import FaultSpace, Scenario, scenario_of
from sim.world.words import all_but

SAFETY = (
    "readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update",
    "snapshot-isolation", "somebody-finishes",
)  # fmt: skip
LOCKED = ("one-lock-holder", "rollback-is-final")
EVERYTHING = (*SAFETY, *LOCKED, "clean-at-quiescence")
OLDER = dict.fromkeys(("acknowledged-writes-survive", "snapshot-isolation"), "hudi/older-instant breaks them")
LARGE = dict.fromkeys(LOCKED, "each order of holders would count, and the search is large already")
HIT = {"clean-at-quiescence": "a writer that a fault hits leaves files behind"}
"""What is not asked (`but`), and why."""
EXPIRE = "hoodie.write.lock.filesystem.expire"
SCHEME = "fs.scheme"
RETRIES = "hoodie.write.lock.client.num_retries"
RETRY_WAIT = "hoodie.write.lock.client.wait_time_ms_between_retry"
OPTIMISTIC: Options = ((MODE, OCC), (LOCK_PROVIDER, IN_PROCESS))
PREFERRING: Options = (*OPTIMISTIC, (CONFLICTS, PREFER_WRITER))
NO_CONTROL: Options = ((MODE, SINGLE_WRITER),)
FILE_LOCK: Options = ((MODE, OCC), (LOCK_PROVIDER, FILE_SYSTEM), (RETRIES, "0"), (RETRY_WAIT, "0"))
SHORT_BEATS: Options = ((INTERVAL, "1000"), (MISSES, "1"))
SHIPPED_BEATS: Options = ((INTERVAL, "1000"), (MISSES, "2"))
"""As by default, but for the unit: a beat each second in place of a minute, and two may be missed."""
DIRECT: Options = (*OPTIMISTIC, (EARLY, "true"), (EARLY_STRATEGY, SIMPLE_DIRECT))
DIRECT_AND_COMMITS: Options = (*DIRECT, (CHECK_COMMIT, "true"))
TRANSACTIONAL: Options = (
    (MODE, OCC),
    (LOCK_PROVIDER, ZOOKEEPER),
    (EARLY, "true"),
    (EARLY_STRATEGY, TRANSACTIONAL_DIRECT),
)
SERVER: Options = ((MARKERS, SERVER_MARKERS),)
ASYNC: Options = (*OPTIMISTIC, *SERVER, (EARLY, "true"))
"""RFC-56's default strategy, and Hudi's for its default markers."""
ASYNC_AND_COMMITS: Options = (*ASYNC, (CHECK_COMMIT, "true"))
BLOOM: Options = (*OPTIMISTIC, (EARLY, "true"), (EARLY_STRATEGY, BLOOM_DIRECT))
BLOOM_ASYNC: Options = (*ASYNC, (EARLY_STRATEGY, BLOOM_SERVER))
"""RFC-56's two Bloom strategies, which Hudi never shipped."""
NO_FAULTS = FaultSpace()
MARKER_FILES = calls("marker files", "overwrite", "close")
ONCE = "Hadoop's file systems answer a repeated request once"
UNFENCED = "no lock fences it: hudi/late-completion"
PAUSE_MS = 5_000  # longer than the heartbeats of `SHORT_BEATS` allow
WIDE = wide(FILES, MUTEXES, CLOCK, pause_ms=PAUSE_MS, without={"resend": ONCE})
"""Any fault at any step of anybody."""
IN_TIME = wide(FILES, MUTEXES, CLOCK, pause_ms=PAUSE_MS, without={"resend": ONCE, "late": UNFENCED})
TEARING = wide(FILES, MUTEXES, CLOCK, pause_ms=PAUSE_MS, torn=True, without={"resend": ONCE, "late": UNFENCED})
"""As `IN_TIME`, and files may be torn."""
IN_TIME_ON_SERVERS = wide(
    FILES, MARKER_FILES, MUTEXES, CLOCK, pause_ms=PAUSE_MS, without={"resend": ONCE, "late": UNFENCED}
)
"""As `IN_TIME`, and files of markers are written over."""
AWAKE = wide(FILES, MUTEXES, CLOCK, without={"resend": ONCE, "late": UNFENCED})
"""As `IN_TIME`, but that no process stands still."""

Writers = Mapping[str, Iterable[Statement]]
ONE_GROUP: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((1, "B"),))]}
TWO_GROUPS = (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)))
WRITES = ("create", "write", "rename", "delete", "try_lock", "sleep")
"""The steps that change something; what only looks happens between them."""
SERVER_WRITES = (*WRITES, "overwrite", "close")
"""The same with markers of a timeline server. Passes of its checker are on time: each happens between two steps."""


def race(
    name: str, summary: str, writers: Writers, *, rules: Rules = NEWER_BASE_REFUSED,
    properties: tuple[str, ...] = SAFETY, counters: tuple[str, ...] = (), broken: str | None = None,
    faults: FaultSpace = NO_FAULTS, yield_points: tuple[str, ...] | None = None, options: Options = OPTIMISTIC,
    pair: str | None = None, but: Mapping[str, str] = {}, **table: Any,
) -> Scenario:  # fmt: skip
    """A scenario of a race on one table.

    Args: `broken`: the property that is expected to break; `but`: those of `properties` that are not asked, and why;
    `table`: fields of `HudiWorkload`.

    Raises: ConfigError, naming the argument or the option that cannot be.
    """
    if not isinstance(rules, Rules):
        raise ConfigError("rules", rules, "Rules, such as model.hudi.SHIPPED")
    if not isinstance(faults, FaultSpace):
        raise ConfigError("faults", faults, "a FaultSpace, such as sim.hudi.build.NO_FAULTS")
    properties = all_but(properties, but)
    statements = tuple((actor, tuple(todo)) for actor, todo in writers.items())
    workload = HudiWorkload(statements, options=options, **table)
    jump = faults.clock_step_ms > 0 or faults.clock_drift_percent > 0
    program = hudi_race(workload, rules, properties, clocks_jump=jump)
    program.config.check_kept()
    return scenario_of(
        program,
        f"hudi/{name}",
        protocol="hudi",
        summary=summary,
        properties=properties,
        broken=broken,
        counters=counters,
        faults=faults,
        yield_points=yield_points,
        bounds=bounds_of(workload, program.config, rules, faults, broken, but),
        live=live_of(workload) if rules is SHIPPED else f"expected Hudi's rules as shipped, got {name_of(rules)}",
        parameters=_parameters(workload, rules),
        pair=pair,
    )


def _parameters(workload: HudiWorkload, rules: Rules) -> tuple[tuple[str, str], ...]:
    """What a record says of a race: the rules, the world, the options, and what is unusual about a statement."""
    clocks = [f"{actor} {offset_ms:+} ms" for actor, offset_ms in workload.clock_offsets_ms]
    unusual = [
        (f"{actor}, {type(statement).__name__.lower()} {number}", settings)
        for actor, statements in workload.writers
        for number, statement in enumerate(statements, 1)
        if (settings := _settings(statement))
    ]
    past = [f"{one.ending}{', just now' if one.recent else ''}" for one in workload.history]
    return (
        ("rules", name_of(rules)),
        ("hosts", "one process" if workload.one_process else "one each"),
        ("clocks", ", ".join(clocks) or "right"),
        ("storage", workload.storage),
        *([("history", ", ".join(past))] if past else []),
        *workload.options,
        *unusual,
    )


def _settings(statement: Statement) -> str:
    """The fields of a statement that differ from their defaults, but for its rows."""
    changed = [
        f for f in fields(statement) if f.name not in ("rows", "ids") and getattr(statement, f.name) != f.default
    ]
    told = [(one.name, getattr(statement, one.name)) for one in changed]
    said = [(name, " ".join(value) if isinstance(value, tuple) else value) for name, value in told]
    return ", ".join([name.replace("_", " ") if value is True else f"{name} {value}" for name, value in said])
