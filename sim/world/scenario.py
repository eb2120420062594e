"""A scenario: the services, the actors, the properties that must hold, the counters that must not stay zero.

A scenario is a plain object; a user writes one in his own file, as a module-level `scenario`, and passes the path.

    def start(simulation: Simulation) -> None:
        simulation.actor("alice", transfer(simulation, "alice"))
        simulation.actor("bob", transfer(simulation, "bob"))

    scenario = Scenario("bank/transfer", program(start, prepare=open_account), ("no-lost-update",))
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from sim.kernel.fault_kinds import Extent
from sim.kernel.processes import SLOWEST
from sim.services.register import Keys
from sim.world import checks
from sim.world.checks import require, require_faults
from sim.world.live import Live
from sim.world.program import Program

LEASE_MS = 300_000
MAX_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class FaultSpace:
    """The faults that may be injected: at most `limit` a run, of these kinds per operation.

    Args: `kinds` are the kinds of faults by operation ({"commit": ("503-after",)}); at most `limit` happen in a run;
    `actors` names the processes that may be hit (empty: all); `pause_ms` and `partition_ms` are how long a pause and a
    partition last, `clock_step_ms` how far a clock jumps, `clock_drift_percent` (0 to 90) how fast or slow it gets; a
    partition cuts a process off from the operations that know it; `words` say in bounds what may happen ("": the kinds,
    operations and actors by their names).

    Raises: `ValueError` if that is no space of faults: a kind that does not exist, a number below zero.
    """

    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    limit: int = 0
    actors: tuple[str, ...] = ()
    pause_ms: int = 0
    words: str = ""
    partition_ms: int = 0
    clock_step_ms: int = 0
    clock_drift_percent: int = 0

    def __post_init__(self) -> None:
        for name in ("limit", "pause_ms", "partition_ms", "clock_step_ms"):
            number = getattr(self, name)
            require(checks.is_count(number), f"faults: {name}", "a number from 0", number)
        percent = self.clock_drift_percent
        slow = checks.is_count(percent) and percent <= -SLOWEST
        require(slow, "faults: clock_drift_percent", f"a number from 0 to {-SLOWEST}", percent)
        require_faults(self.kinds, self.limit, self.actors)
        require(checks.is_text(self.words), "faults: words", "a text", self.words)

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds that may be injected, each once, in order; none if the limit is 0."""
        return tuple(sorted({kind for kinds in self.kinds.values() for kind in kinds})) if self.limit else ()

    @property
    def extent(self) -> Extent:
        """How far the faults go."""
        partitioned = frozenset([operation for operation, kinds in self.kinds.items() if "partition" in kinds])
        return Extent(self.pause_ms, self.partition_ms, self.clock_step_ms, partitioned, self.clock_drift_percent)

    def may(self, kind: str) -> bool:
        """Returns: whether a fault of this `kind` may be injected."""
        return bool(self.kinds) and any(kind in kinds for kinds in self.kinds.values())

    def __str__(self) -> str:
        if not self.limit:
            return "no faults"
        return f"at most {self.limit} fault{'s' if self.limit > 1 else ''} of {self.words or self._listed()}"

    def _listed(self) -> str:
        """The kinds with their operations, and the actors, by name."""
        operations: dict[str, list[str]] = {}
        for operation, kinds in self.kinds.items():
            operations.setdefault(", ".join(sorted(kinds)), []).append(operation)
        places = [f"{kinds} at {', '.join(names)}" for kinds, names in operations.items() if kinds]
        return "; ".join(places) + (f" of {', '.join(self.actors)}" if self.actors else "")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One question: do these properties hold for these actors on these services?

    Args: `name` is a path-like identifier; `program` what the actors do; `properties` name what must hold; `summary`
    one sentence; `bounds` says what the question is limited to ("2 writers, 1 statement each"); `expect` is the verdict
    that is no surprise ("unknown": nothing is ever acknowledged); `broken` is the weakest property that is expected to
    break, and a search goes on until it does; `counters` are coverage counters that must be hit
    somewhere in a search for "holds" to mean anything; `yield_points` limits the steps to these operations (None: every
    port call); `live` is the live counterpart (None: there is none), and `not_live` says what it lacks for one ("":
    nobody has said); `parameters` are names and values for the record;
    `pair` names the scenario that shows the same thing with the other verdict; `protocol` names the one that its
    clients speak, in the table of protocols ("": none that explanations have words for); `lease_ms` is how long a lock
    outlives its last heartbeat; `faults` are those that may be injected; `idempotent`: a register answers a repeated
    key with its first answer, and `keys` says how it keeps it; `latency` draws (request_ms, reply_ms) for an operation,
    for studies in simulated time (None: the strategy decides); `max_steps` ends a run that does not end (from 1);
    `weight` says how many times as long a schedule takes as one of our models (from 1), and a sweep walks as many
    fewer; `first_walk` is the number of a sweep's first walk: scenarios that are alike are walked in other ways.

    Raises: `ValueError` that names the field, if one has a value that it cannot have.
    """

    name: str
    program: Program
    properties: tuple[str, ...]
    summary: str = ""
    expect: Literal["holds", "violated", "unknown"] = "holds"
    broken: str | None = None
    counters: tuple[str, ...] = ()
    faults: FaultSpace = FaultSpace()
    bounds: str = ""
    yield_points: tuple[str, ...] | None = None
    live: Live | None = None
    not_live: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    pair: str | None = None
    protocol: str = ""
    lease_ms: int = LEASE_MS
    idempotent: bool = False
    keys: Keys = "kept"
    latency: Callable[..., tuple[int, int]] | None = None
    max_steps: int = MAX_STEPS
    weight: int = 1
    first_walk: int = 0

    def __post_init__(self) -> None:
        for name, good, expected in _FIELDS:
            value = getattr(self, name)
            require(good(value), f"scenario: {name}", expected, value)
        if self.broken is not None:
            require(self.expect == "violated", "scenario: expect", "'violated' beside `broken`", self.expect)
            require(self.broken in self.properties, "scenario: broken", "one of its properties", self.broken)

    @property
    def expectation(self) -> str:
        """What is expected: "holds", or "violated: property"."""
        return self.expect if self.broken is None else f"{self.expect}: {self.broken}"

    @property
    def may_be_stale(self) -> bool:
        """Whether a reader may be shown an older state than the newest."""
        return bool(self.faults.kinds) and self.faults.may("stale")


_FIELDS: tuple[tuple[str, Callable[[Any], object], str], ...] = (
    ("name", checks.is_path, checks.NAME),
    ("program", checks.is_program, "a program(...), or an object whose prepare, start and finish take a simulation"),
    ("properties", checks.are_texts, "a tuple of names, as in ('no-lost-update',)"),
    ("summary", checks.is_text, "a text"),
    ("expect", ("holds", "violated", "unknown").__contains__, "'holds', 'violated' or 'unknown'"),
    ("broken", checks.is_text_or_none, "the name of a property, or None"),
    ("counters", checks.are_texts, "a tuple of names, as in ('race lost',)"),
    ("faults", lambda value: isinstance(value, FaultSpace), "a FaultSpace"),
    ("bounds", checks.is_text, "a text"),
    ("yield_points", lambda value: value is None or (value and checks.are_texts(value)),
     "several names of operations, as in ('load', 'commit'), or None"),
    ("live", lambda value: value is None or isinstance(value, Live), "a live counterpart, or None"),
    ("not_live", checks.is_text, "a text"),
    ("parameters", checks.are_pairs, "a tuple of pairs of texts, as in (('mode', 'merge-on-read'),)"),
    ("pair", checks.is_text_or_none, "the name of another scenario, or None"),
    ("protocol", checks.is_text, "the name of a protocol, or ''"),
    ("lease_ms", checks.is_count, "whole milliseconds from 0"),
    ("idempotent", lambda value: isinstance(value, bool), "True or False"),
    ("keys", get_args(Keys).__contains__, f"one of {', '.join(get_args(Keys))}"),
    ("latency", lambda value: value is None or callable(value), "a function, or None"),
    ("max_steps", lambda value: checks.is_count(value) and value > 0, "a number of steps from 1"),
    ("weight", lambda value: checks.is_count(value) and value > 0, "a whole number from 1"),
    ("first_walk", checks.is_count, "a whole number from 0"),
)  # fmt: skip


def scenario_of(
    program: Program, name: str, *, live: Live | str, broken: str | None = None, pair: str | None = None, **others: Any
) -> Scenario:
    """The scenario `name` of a program.

    Args: `live`: its live counterpart, or what it lacks for one; `broken`: the property that is expected to break, if
    one is; `pair`: the other scenario's name within the same
    protocol; `others`: further fields of `Scenario`.
    """
    return Scenario(
        name=name,
        program=program,
        live=live if isinstance(live, Live) else None,
        not_live=live if isinstance(live, str) else "",
        expect="violated" if broken else "holds",
        broken=broken,
        pair=f"{name.partition('/')[0]}/{pair}" if pair else None,
        **others,
    )


def parameters_of(options: Any, without: Collection[str] = ()) -> tuple[tuple[str, str], ...]:
    """The fields of a dataclass instance as a scenario's parameters, in their order, but for those in `without`."""
    names = [one.name for one in fields(options) if one.name not in without]
    return tuple([(name.replace("_", " "), _in_words(getattr(options, name))) for name in names])


def _in_words(value: Any) -> str:
    """A parameter's value for people: "yes", "none", "h1, h2", "lease = 5, retries = 3"; else as Python prints it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        pairs = all(isinstance(one, tuple) and len(one) == 2 for one in value)
        words = [f"{_in_words(one[0])} = {_in_words(one[1])}" if pairs else _in_words(one) for one in value]
        return ", ".join(words) or "none"
    return "none" if value is None else str(value)
