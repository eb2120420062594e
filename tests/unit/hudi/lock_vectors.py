"""Vectors of Hudi's tests of the storage-based lock, and what else is asked of one provider."""

from typing import Any

from model.hudi import SHIPPED
from model.hudi.names import LOCK_OBJECT
from model.hudi.options import parse_options
from model.hudi.storage_lock import LockObject, StorageLockProvider
from model.ports import CasLost, ConnectionLost, NotFound, PortError, Status, Versioned
from sim.hudi.built_in.storage_locks import STORAGE_LOCK
from tests.unit.hudi.playing import Vector, play
from tests.unit.hudi.worlds import Lab

CONFIG = parse_options(dict(STORAGE_LOCK))
VALID_MS = 1_000 * CONFIG.lock_validity_s


class Objects:
    """Registers of which calls fail as told: before they are applied, or (`after`) afterwards."""

    def __init__(self) -> None:
        self.value: Versioned | None = None
        self.failing: list[PortError] = []
        self.after: list[PortError] = []
        self._after_look: LockObject | None = None

    def load(self, name: str) -> Versioned:
        assert name == LOCK_OBJECT
        if self.failing:
            raise self.failing.pop(0)
        seen, overtaker = self.value, self._after_look
        if overtaker is not None:
            self._after_look = None
            self.becomes(overtaker)
        if seen is None:
            raise NotFound(name)
        return seen

    def commit(self, name: str, expected: int, value: Any, key: str | None = None) -> int:
        if self.failing:
            raise self.failing.pop(0)
        version = self.value.version if self.value is not None else 0
        if version != expected:
            raise CasLost(f"expected version {expected}, got {version}")
        self.value = Versioned(version + 1, value)
        if self.after:
            raise self.after.pop(0)
        return version + 1

    def overtaken(self, value: LockObject) -> None:
        """Let somebody else write it right after the next look."""
        self._after_look = value

    def becomes(self, value: LockObject) -> None:
        """Let somebody else have written it."""
        self.value = Versioned(1 + (self.value.version if self.value else 0), value)


class Case:
    """One provider, or more of the same client, at the table of a `Lab`."""

    def __init__(self, rules: Any = SHIPPED, config: Any = CONFIG) -> None:
        self.lab, self.objects, self.interrupted = Lab(), Objects(), 0
        world = self.lab.world("w1", register=self.objects)
        self.world = world
        self.lock = StorageLockProvider(world, config, rules, "w1", self._interrupt)

    def _interrupt(self) -> None:
        self.interrupted += 1

    @property
    def object(self) -> LockObject:
        assert self.objects.value is not None
        value: LockObject = self.objects.value.value
        return value

    def hits(self, name: str) -> int:
        return int(self.lab.simulation.kernel.coverage.get(name, 0))


def others(case: Case, *, expired: bool = False, for_ms: int = VALID_MS) -> LockObject:
    """A lock of somebody else's, valid for so long from now on."""
    return LockObject(expired, case.lab.now_ms() + for_ms, "w2-1")


def storage_lock(vector: Vector) -> list[str]:
    """One provider of w1's: a try is one look and one write; `others(ms)` makes it w2's, valid for so long."""
    case = Case()

    def do(who: str, what: str, argument: str) -> Any:
        match what:
            case "try":
                return case.lock._attempt()
            case "renew":
                return case.lock._renew_once()
            case "unlock":
                return case.lock.unlock()
            case "others":
                return case.objects.becomes(others(case, for_ms=int(argument)))
            case "overtaken":
                return case.objects.overtaken(others(case))
            case "fail":
                case.objects.failing.append(Status(int(argument)) if argument.isdigit() else ConnectionLost(argument))
                return None
            case "wait":
                return case.lab.wait(int(argument))
        stored = case.objects.value
        return "-" if stored is None or stored.value.expired else stored.value.owner.split("-")[0]

    return play(vector.script, do)
