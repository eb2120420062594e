"""Mutants of writes that are tried again, and of updates; see `tests.mutants.hudi`."""

from collections.abc import Callable
from typing import Any

from model.hudi.config import HudiConfig
from model.hudi.rules import SHIPPED
from model.hudi.variants import UPDATES_READ_WITHIN
from model.ports import Coverage
from sim.hudi import tries
from sim.hudi.statements import Update, Write
from sim.hudi.tries import Found, Tries
from sim.hudi.writes import Read
from tests.mutants.hudi_deletes import DELETE_MUTANTS
from tests.mutants.mutant import Mutant


def once(config: HudiConfig, counts: Coverage, attempt: Callable[[], Any]) -> Any:
    """Whatever it is refused for, and however many tries are left."""
    return attempt()


def read_first(write: Tries, statement: Write) -> Found | None:
    """An update reads before its write begins, whatever the rules say."""
    return write._read(statement) if isinstance(statement, Update) else None


def base_files(write: Tries, statement: Write) -> Found:
    """An update reads what base files hold, and no log file."""
    found, held = READ(write, statement), {f"row:{key}": value for key, value in write._workload.rows}
    reads: list[Read] = [(key, held[key], at) for key, _, at in found.effect.reads]
    return found._replace(effect=found.effect._replace(reads=reads))


READ = Tries._read
UPDATE_MUTANTS: tuple[Mutant, ...] = (
    Mutant("no-write-tried-again", "a conflict is the end of a write", ((tries, "retried", once),), SHIPPED),
    Mutant(
        "updates-read-first", "an update overwrites what came after its read", ((Tries, "_first", read_first),),
        UPDATES_READ_WITHIN,
    ),
    Mutant("updates-read-base-files", "an update misses what log files hold", ((Tries, "_read", base_files),), SHIPPED),
    *DELETE_MUTANTS,
)  # fmt: skip
