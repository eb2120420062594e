"""Scenarios of commits of several tables over REST: all or nothing, as it is specified, and as servers do it.

Source: iceberg/5.3, iceberg/5.4; `model.iceberg.several_tables`, `model.iceberg.several_servers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.iceberg import SHIPPED, Rules
from model.iceberg.rules import IDEMPOTENT
from sim.iceberg.counterparts import LIVE_FAULTS
from sim.iceberg.scenarios import CONSISTENT, NO_FAULTS
from sim.iceberg.several import CopyAcross, On, ReadEach, SeveralTables, Statement, Together
from sim.iceberg.several_race import SeveralRace
from sim.iceberg.workload import Append, ChangeRow
from sim.world.fault_spaces import REGISTER, wide
from sim.world.live import Live
from sim.world.scenario import FaultSpace, Scenario, parameters_of, scenario_of
from sim.world.words import all_but, not_asked

STEPS = ("load", "commit")
SAFETY = (
    "readable",
    "no-aborted-reads",
    "acknowledged-writes-survive",
    "no-lost-update",
    "read-atomic",
    "strong-session-causal",
    "no-write-skew",
    "no-spurious-refusal",
    "no-unasked-changes",
)
"""What a commit of several tables is promised; who reads table after table sees one of them no later than the other."""
BOTH = Together((On("a", Append(((3, "x"),))), On("b", Append(((3, "y"),)))))
CHANGED = Together((On("a", ChangeRow(1, "x")), On("b", ChangeRow(1, "y"))))
OTHERS = Together((On("a", ChangeRow(1, "u")), On("b", ChangeRow(1, "v"))))
BESIDE = On("b", Append(((4, "z"),)))
ANY_ANSWER = wide(REGISTER, without=CONSISTENT)
SENT_ONCE = {"no-spurious-refusal": "who is told 409 does not ask again"}
Writers = Mapping[str, Sequence[Statement]]


def together(
    name: str, summary: str, writers: Writers, *, rules: Rules = SHIPPED, broken: str | None = None,
    faults: FaultSpace = NO_FAULTS, counters: tuple[str, ...] = (), but: Mapping[str, str] | None = None,
    properties: tuple[str, ...] = SAFETY, steps: tuple[str, ...] | None = STEPS, **workload: Any,
) -> Scenario:  # fmt: skip
    """A race on the tables of a catalog. Args: `but`: what is not asked, and why; `workload`: of `SeveralTables`."""
    given = tuple([(actor, tuple(todo)) for actor, todo in writers.items()])
    work = SeveralTables(given, idempotency=rules.idempotency_key, **workload)
    left_out = dict(but or {})
    said = (work.bounds, not_asked(left_out), "" if faults.limit else "no faults: see iceberg/together-reply-faults")
    return scenario_of(
        SeveralRace(work, rules),
        f"iceberg/{name}",
        protocol="iceberg",
        summary=summary,
        properties=all_but(properties, left_out),
        broken=broken,
        counters=counters,
        faults=faults,
        yield_points=steps,
        bounds="; ".join(filter(None, said)),
        live=Live("iceberg-several-tables", work, (STEPS,), faults=_injectable(work)),
        parameters=parameters_of(work, without=("writers", "rows", "keys")),
        idempotent=rules.idempotency_key,
        keys=work.keys,
    )


def _injectable(work: SeveralTables) -> Mapping[str, tuple[str, ...]]:
    """What the gate can inject: where the server commits table after table, its own steps have no faults."""
    return LIVE_FAULTS["iceberg-java-on-rest"] if work.server == "at once" else {}


SEVERAL: tuple[Scenario, ...] = (
    together(
        "together-together",
        "Two commit changes of two tables each, on a server that commits at once: one of them is refused, whole.",
        {"w1": [CHANGED], "w2": [OTHERS]},
    ),
    together(
        "together-append",
        "A commit of two tables beside an append to one of them, and a reader: both, or neither, are changed.",
        {"w1": [BOTH], "w2": [BESIDE], "r1": [ReadEach()]},
    ),
    together(
        "together-one-by-one-append",
        "The same on a server that commits table after table, as the reference does: it is told of success, and the"
        " change of a table that has moved is dropped.",
        {"w1": [BOTH], "w2": [BESIDE]},
        server="one by one",
        broken="acknowledged-writes-survive",
    ),
    together(
        "together-one-by-one-read",
        "A commit of two tables on such a server beside a reader alone: he sees half of it.",
        {"w1": [BOTH], "r1": [ReadEach()]},
        server="one by one",
        broken="strong-session-causal",
    ),
    together(
        "together-one-by-one-faults",
        "The same; any call may fail: what is told to have failed, or not, is done by half for good.",
        {"w1": [BOTH]},
        server="one by one",
        faults=ANY_ANSWER,
        but=SENT_ONCE,
        broken="no-aborted-reads",
    ),
    together(
        "together-reply-faults",
        "A commit of two tables at once; any call may fail: it is applied, and refused when it is sent again.",
        {"w1": [BOTH]},
        faults=ANY_ANSWER,
        but=SENT_ONCE,
        broken="no-aborted-reads",
    ),
    together(
        "together-reply-faults-idempotent",
        "The same with the catalog's stored reply under an idempotency key.",
        {"w1": [BOTH]},
        rules=IDEMPOTENT,
        but=SENT_ONCE,
        faults=wide(REGISTER, without=CONSISTENT | {"409-after": "no key is sent again after a refusal"}),
        counters=("stored reply repeated",),
    ),
    together(
        "across-across",
        "One reads a row of the first table and writes it to the second, another one the other way round: they swap,"
        " for a commit requires nothing of a table that it leaves as it is.",
        {"w1": [CopyAcross("a", "b", 1)], "w2": [CopyAcross("b", "a", 1)]},
        broken="no-write-skew",
    ),
)
