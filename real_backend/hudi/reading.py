"""What readers do on the real table, each at the step at which it looks at the timeline, and what a client is told."""

from typing import NamedTuple

from real_backend.errors import Abandoned
from real_backend.gating.gate import Gate
from real_backend.gating.journal import OK
from real_backend.hudi.consuming import LiveConsumer
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.interposition import TIMELINE_ROLE
from real_backend.hudi.live_run import Seen
from real_backend.hudi.table import LiveTable, Rows
from sim.hudi.live import LIST
from sim.hudi.statements import OfConsumers


class Told(NamedTuple):
    """What a client learnt from one statement."""

    outcome: str
    instant: str | None = None
    seen: Seen | None = None
    asked: int | None = None
    rows: Rows | None = None


def abandoned(gate: Gate, actor: str) -> Told | None:
    """Hold a reader at his look at the timeline. Returns: what he is told if he gets no further; None: he looks."""
    try:
        gate.hold(actor, LIST, TIMELINE_ROLE)
    except Abandoned as error:
        return Told(root_cause(error))
    return None


def read(gate: Gate, actor: str, table: LiveTable) -> Told:
    """Read the table as it is."""
    if given_up := abandoned(gate, actor):
        return given_up
    rows, unreadable = table.rows()
    return Told(OK if unreadable is None else unreadable, rows=rows)


def consume(gate: Gate, actor: str, consumer: LiveConsumer, statement: OfConsumers) -> Told:
    """Read what came since, or what was."""
    if given_up := abandoned(gate, actor):
        return given_up
    rows, refused, version = consumer.read(statement)
    return Told(refused or OK, rows=rows, seen=Seen(version, (), ()))
