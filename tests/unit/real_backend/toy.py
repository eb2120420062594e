"""A live system of ten lines behind the gate: actors that read a counter, then add one to what they read."""

from real_backend.gating.actors import Workers
from real_backend.gating.gate import Gate
from real_backend.gating.race import LiveRace, run_gated


class Toy(LiveRace[Gate]):
    """`value` is shared and unprotected: two actors that both load before one commits lose an update."""

    def __init__(self, actors=("w1", "w2"), timeout_s=60.0) -> None:
        super().__init__(actors)
        self.value, self.timeout_s = 0, timeout_s
        self.errors: dict[str, Exception] = {}
        self.running: list[str] = []
        self.most_running = 0

    def run(self, schedule):
        """Run the actors under the schedule and return the gate."""
        workers = Workers()
        try:
            return run_gated(workers, self, schedule, self.timeout_s)
        finally:
            workers.close()

    def can_fault(self, operation, fault):
        return operation == "commit"

    def act(self, actor):
        try:
            seen = self._step(actor, "load", lambda fault: self.value)
            self._step(actor, "commit", lambda fault: self._set(seen + 1, fault))
        except Exception as error:
            self.errors[actor] = error

    def read_back(self):
        return self.gate

    def _step(self, actor, operation, apply):
        fault = self.gate.hold(actor, operation, "counter")
        self.running.append(actor)
        self.most_running = max(self.most_running, len(self.running))
        result = apply(fault)
        self.gate.note(actor, "done", str(self.value))
        self.running.remove(actor)
        self.gate.hold(actor, operation, "counter", reply=True)
        return result

    def _set(self, value, fault):
        if fault != "500-before":
            self.value = value
        if fault:
            self.gate.note(self.running[-1], "faulty")
            self.running.pop()
            raise ConnectionError(fault)
