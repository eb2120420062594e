"""A live system of ten lines behind the gate: actors that read a counter, then add one to what they read."""

from real_backend.gating.actors import Workers, run_actors
from real_backend.gating.gate import Gate


class Toy:
    """`value` is shared and unprotected: two actors that both load before one commits lose an update."""

    def __init__(self, actors=("w1", "w2"), timeout_s=60.0, split_replies=False) -> None:
        self.actors, self.value, self.timeout_s, self.split_replies = actors, 0, timeout_s, split_replies
        self.errors: dict[str, Exception] = {}
        self.running: list[str] = []
        self.most_running = 0

    def play(self, schedule):
        """Run the actors under the schedule and return the gate."""
        workers = Workers()
        try:
            return run_actors(workers, {actor: self._body(actor) for actor in self.actors}, self._gate, schedule)
        finally:
            workers.close()

    def _gate(self, launch):
        self.gate = Gate(
            self.actors,
            launch,
            faults=lambda operation, fault: operation == "commit",
            timeout_s=self.timeout_s,
            split_replies=self.split_replies,
        )
        return self.gate

    def _body(self, actor):
        def body():
            try:
                seen = self._step(actor, "load", lambda fault: self.value)
                self._step(actor, "commit", lambda fault: self._set(seen + 1, fault))
            except Exception as error:
                self.errors[actor] = error

        return body

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
