"""Histories of a table with snapshots, drawn at random, in which now and then something is wrong."""

from checkers.histories.history import Event, History, Read, Write

KEYS, PROCESSES = ("x", "y", "z"), ("p", "q", "r")


def drawn(draw, flaws, lineage=True, operations=12):
    """A history. Args: `flaws` is how likely something is wrong, at each place where it can be."""
    state = _State(draw, flaws)
    state.setup()
    for number in range(1, draw.randint(2, operations)):
        state.operation(number)
    while state.open:
        state.finish(draw.choice(sorted(state.open)))
    if lineage:
        for version, maker in enumerate(state.makers):
            state.add("lineage", "version", maker, commit=version)
    return History(state.events)


class _State:
    def __init__(self, draw, flaws) -> None:
        self.draw, self.flaws = draw, flaws
        self.events: list[Event] = []
        self.makers: list[int] = []
        self.contents: list[dict[str, str]] = []
        self.open: dict[str, tuple[int, int, list[str], list[str]]] = {}

    def flaw(self):
        return self.draw.random() < self.flaws

    def add(self, process, kind, op, **known):
        self.events.append(Event(len(self.events), 0, process, kind, op, "txn", **known))

    def setup(self):
        self.contents.append(dict.fromkeys(self.draw.sample(KEYS, 2), "0"))
        self.makers.append(0)
        self.add("setup", "ok", 0, commit=0, writes=tuple(Write(*one) for one in self.contents[0].items()))

    def operation(self, number):
        process = self.draw.choice(PROCESSES)
        if process in self.open:
            self.finish(process)
        newest = len(self.makers) - 1
        start = self.draw.randint(0, newest) if self.flaw() else newest
        reads = self.draw.sample(KEYS, self.draw.randint(0, 2))
        self.open[process] = number, start, reads, self.draw.sample(KEYS, self.draw.randint(0, 2))
        self.add(process, "invoke", number)

    def finish(self, process):
        number, start, keys, written = self.open.pop(process)
        content = self.contents[start]
        reads = [Read(key, self._seen(content.get(key), key), self._told(start, key)) for key in keys]
        writes = tuple(Write(key, f"{number}") for key in written)
        clash = any(
            self.contents[later].get(key) != self.contents[later - 1].get(key)
            for key in written
            for later in range(start + 1, len(self.makers))
        )
        if clash and not self.flaw():
            self.add(process, "fail", number, writes=writes, error="conflict")
            return
        if not writes:
            self.add(process, "ok", number, start=start, reads=tuple(reads))
            return
        kind = self.draw.choice(("info", "fail", "lost")) if self.flaw() else "ok"
        commit = len(self.makers)
        told = {"start": start, "reads": tuple(reads), "writes": writes}
        if kind == "lost":
            self.add(process, "ok", number, **told)
            return
        self.makers.append(number)
        self.contents.append({**self.contents[-1], **{key: str(number) for key in written}})
        self.add(process, kind, number, commit=commit if kind == "ok" else None, **told)

    def _seen(self, value, key):
        if not self.flaw():
            return value
        return self.draw.choice([value, None, "77", *(content.get(key) for content in self.contents)])

    def _told(self, start, key):
        return self.draw.choice((None, None, start)) if not self.flaw() else self.draw.randint(0, len(self.makers) - 1)
