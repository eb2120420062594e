"""Mutants of what one writer does with failed writes; see `tests.mutants.hudi`."""

from typing import Any

from model.hudi.heartbeats import Heartbeats, NoHeartbeats
from model.hudi.rollback import Cleaner
from model.hudi.rules import SHIPPED
from tests.mutants.hudi_schemas import SCHEMA_MUTANTS
from tests.mutants.mutant import Mutant


def nothing(*_: Any) -> tuple[int, ...]:
    """Whoever begins lets be what is pending."""
    return ()


EAGER_MUTANTS: tuple[Mutant, ...] = (
    Mutant("begins-beside-the-dead", "what a dead writer has left stays", ((Cleaner, "rollback_pending", nothing),),
           SHIPPED),
    Mutant("beats-for-nobody", "a heartbeat stays that nobody asks for", ((NoHeartbeats, "start", Heartbeats.start),),
           SHIPPED),
)  # fmt: skip
SCHEMA_AND_EAGER = (*SCHEMA_MUTANTS, *EAGER_MUTANTS)
