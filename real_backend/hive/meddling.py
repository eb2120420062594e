"""What no session asks for in a live race, stepped at its gate: time-outs, cleaned history, evictions, restarts.

Each is recorded when it has happened, as in the simulator, but for a time-out, which is recorded from the moment on at
which it happens.
"""

from collections.abc import Callable
from typing import Any

from checkers.histories.recorder import Recorder
from real_backend.hive.client import split_name
from real_backend.hive.names import Names
from real_backend.hive.replica_race import ReplicaRace
from real_backend.hive.thrift_gate import APPLIED, REFUSED
from sim.hive.live import CLEAN_STEPS, EVICT, RESTART, TIME_OUT

DATABASE = "database"


class Operator:
    """Whoever runs the metastores of a race."""

    def __init__(self, race: ReplicaRace[Any], recorder: Recorder, names: Names) -> None:
        self._race = race
        self._recorder = recorder
        self._names = names

    def make_ready(self) -> None:
        """Start the house keeper, and forget what earlier runs have left for it to clean."""
        assert self._race.replicas.house_keeper is not None
        self._race.replicas.backing.forget_txns()

    def let_time_pass(self) -> None:
        """Let what is there be older than an open may take: whoever begins now may need what is open, and no more."""
        self._race.replicas.backing.make_txns_old()

    def time_out(self, keeper: str, open_by_then: Callable[[], int]) -> None:
        """Let the house keeper abort the transaction that a session has open by then (0: none)."""
        self._race.gate.hold(keeper, TIME_OUT, DATABASE)
        op = self._recorder.invoke(keeper, "time-out", f"at={DATABASE}")
        txn = open_by_then()
        late = bool(txn) and self._race.replicas.house_keeper.abort(self._names.live_txn(txn))
        self._race.gate.note(keeper, APPLIED if late else REFUSED)
        self._recorder.ok(op, arg=f"at={DATABASE} txn={txn if late else 0}")

    def clean_history(self, keeper: str) -> None:
        """Let the house keeper forget what it may of transactions that have ended, part by part."""
        for part in CLEAN_STEPS:
            self._race.gate.hold(keeper, part, DATABASE)
            self._race.replicas.house_keeper.clean(part)
            self._race.gate.note(keeper, APPLIED)
        self._happened(keeper, "clean-history", f"at={DATABASE}")

    def evict(self, actor: str, replica: str, table: str) -> None:
        """Take a table out of a metastore's cache."""
        self._race.gate.hold(actor, EVICT, replica)
        database, name = split_name(self._names.live(table))
        self._race.replicas.metastores[replica].control.ask(f"evict {database} {name}")
        self._race.gate.note(actor, APPLIED)
        self._happened(actor, "evict", f"at={replica} table={table}")

    def restart(self, actor: str, replica: str) -> None:
        """Let a metastore's cache be as at the start of a process."""
        self._race.gate.hold(actor, RESTART, replica)
        self._race.pollers.restart(self._race.gate, replica)
        self._race.gate.note(actor, APPLIED)
        self._happened(actor, "restart", f"at={replica}")

    def _happened(self, actor: str, f: str, arg: str) -> None:
        self._recorder.ok(self._recorder.invoke(actor, f, arg))
