"""Large histories: every property that whole columns show to hold, and those that a few operations show to be broken.

Arrays say what holds of all operations at once (`checkers.isolation.columns`). What they do not show is first sought
among the operations that touch the keys of whatever failed first: these are decoded, with their reads and writes of
these keys alone, and judged as any small history is. A violation there is one of the whole, for it has all that was
ever done to these keys. What is found in neither way is left to the checks on all operations.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from checkers.finding import Finding, Findings, Indeterminate
from checkers.histories.history import History
from checkers.histories.pairing import arrow, stored
from checkers.histories.storage import StoredHistory, decode
from checkers.isolation.columns import Proofs, came_back
from checkers.isolation.conflicts import is_conflict
from checkers.isolation.cycle import WRITE_SKEW, Exhausted, cheapest, shortest
from checkers.isolation.durability import acknowledged_writes_survive
from checkers.isolation.graph import RT, SO
from checkers.isolation.invariants import INSPECT
from checkers.isolation.levels import LEVELS, SERIALIZABLE, SNAPSHOT
from checkers.isolation.lineage import Lineage
from checkers.isolation.resolve import Facts
from checkers.isolation.segments import Segments, left
from checkers.isolation.table import DONE, PERHAPS, REFUSED, Operations, Unclear, operations, with_keys
from checkers.properties import CHECKS
from checkers.scope import out_of_scope
from checkers.text import plain

SAMPLE, MAX_KEYS, MAX_OPS = 400, 32, 20_000
SKEW, SURVIVE, REFUSAL = "no-write-skew", "acknowledged-writes-survive", "no-spurious-refusal"
_ENDS = ("readable", "table-invariants", "no-leaks")
_WEAKER = tuple(name for name in LEVELS if name not in (SNAPSHOT, SERIALIZABLE))
_SESSIONS = ("monotonic-reads", "read-your-writes", "monotonic-writes", "writes-follow-reads", "session-guarantees")
_LOCAL = (
    *(f"{order}{name}" for order in ("", "strong-session-", "strong-") for name in LEVELS), *_SESSIONS,
    "no-aborted-reads", "no-lost-update", "no-long-fork", SKEW, "conflict-detection",
)  # fmt: skip
"""Properties that are broken for the whole if they are for all that was done to some keys."""

Numbers = npt.NDArray[Any]


class Decided(NamedTuple):
    """What was found of one property, and the facts that its positions are about."""

    facts: Facts
    findings: Findings


class Large:
    """What is known of a large history without its operations: `decided` by property, and counters.

    Args: `names` are the properties that are asked for.
    """

    def __init__(self, history: StoredHistory, names: Iterable[str]) -> None:
        self.history = history
        self.decided: dict[str, Decided] = {}
        self.counters: dict[str, int] = {}
        try:
            self.found: Operations = operations(history.table, history.rows)
            self.proofs = Proofs(self.found)
        except Unclear as reason:
            self.reason = str(reason)
            return
        self.reason = ""
        self.counters = self.proofs.counters
        asked = list(names)
        self.sample = sample = self._sampled()
        held = set(shown(self.proofs, asked)) | ({REFUSAL} if self._refusals_had_company() else set())
        for name in asked:
            if name in held and (out_of_scope(sample, name) is None or self._came_back(name)):
                self.decided[name] = Decided(sample, [])
        self._ends(asked)
        self._broken([name for name in asked if name in _LOCAL and name not in self.decided and name not in held])

    def _came_back(self, name: str) -> bool:
        """Whether a session read a key again, or after it had written it; the sample may be too short to show it."""
        found = self.found
        if name == "read-your-writes":
            return came_back(found.session, found.reads, found.writes)
        return name == "monotonic-reads" and came_back(found.session, found.reads)

    def _part(self, positions: Numbers, keys: Numbers | None = None) -> Facts:
        """The facts of some operations, in order; with `keys`, codes, of what they did to these alone."""
        found = self.found
        rows = np.unique(np.concatenate([found.invoked[positions], found.completed[positions]]))
        table = self.history.table.take(arrow(rows[rows >= 0]))
        history = History(decode(table if keys is None else with_keys(table, found.keys.take(arrow(keys)))))
        made = {at: int(version) for at, version in enumerate(found.made[positions].tolist()) if version >= 0}
        return Facts(history, Lineage(history, made, found.versions, found.stated))

    def _sampled(self) -> Facts:
        """The facts of the first few operations; of the initial content, only of the keys that the others touch."""
        found, codes = self.found, [np.zeros(0, np.int32)]
        for entries in found.every:
            early = np.flatnonzero(entries.op < SAMPLE)
            initial = entries.op[early] == found.setup
            codes += [entries.key[early[~initial]], entries.key[early[initial][:1]]]
        return self._part(np.arange(min(SAMPLE, len(found.kind))), np.unique(np.concatenate(codes)))

    def _touching(self, keys: Iterable[int]) -> Facts | None:
        """The facts of all that was done to some keys; None if that is too much."""
        codes = np.unique(np.array(list(keys), dtype=np.int64))[:MAX_KEYS]
        chosen = [entries.op[np.isin(entries.key, codes)] for entries in self.found.every]
        positions = np.unique(np.concatenate(chosen))
        if len(positions) > MAX_OPS:
            return None
        return self._part(positions, codes)

    def _broken(self, names: list[str]) -> None:
        for keys in self._suspects() if names else ():
            self._judged(keys, names)
        self._searched([name for name in names if name not in self.decided])

    def _judged(self, keys: Numbers, names: list[str]) -> None:
        """Decide those of `names` that are broken among all that was done to `keys`."""
        facts = self._touching(keys)
        for name in names if facts is not None else ():
            assert facts is not None
            if name not in self.decided:
                found = CHECKS[name](facts)
                if any(isinstance(finding, Finding) for finding in found):
                    self.decided[name] = Decided(facts, found)

    def _suspects(self) -> Iterator[Numbers]:
        """Codes of keys that something failed on: a stale read, an overlap, a session that went back."""
        found, proofs = self.found, self.proofs
        if len(proofs.stale):
            yield self._keys_of(int(found.reads.op[proofs.stale[0]]))
        if len(proofs.overlaps):
            yield found.writes.key[proofs.overlaps[:1]]
        if not proofs.real_time:
            yield from self._behind()
        for at in self._out_of_order():
            yield self._keys_of(at)

    def _behind(self) -> Iterator[Numbers]:
        """The key of a read that missed what had been acknowledged before it: to its session, to anybody."""
        found = self.found
        for in_session in (True, False) if not self.proofs.session else (False,):
            for block in self.proofs.places.blocks():
                writer = block.op[block.after]
                missed = (block.after >= 0) & (writer != block.reader) & (found.kind[writer] == DONE)
                missed &= found.completed[writer] < found.invoked[block.reader]
                if in_session:
                    missed &= found.session[writer] == found.session[block.reader]
                if missed.any():
                    yield block.read_key[missed][:1]
                    break

    def _keys_of(self, op: int) -> Numbers:
        reads, writes = self.found.every
        return np.concatenate([reads.key[reads.op == op], writes.key[writes.op == op]])

    def _searched(self, names: list[str]) -> None:
        """Serializability where the order of commits is none: cycles are sought where commits overlap."""
        plain = [name for name in names if name in (SERIALIZABLE, SKEW)]
        with_sessions = [name for name in names if name == f"strong-session-{SERIALIZABLE}"]
        others = [name for name in names if name == f"strong-{SERIALIZABLE}"]
        if len(self.proofs.stale) or not (plain or with_sessions or others):
            return
        segments = Segments(self.found, self.proofs)
        if (graph := segments.graph()) is None:
            return
        try:
            cycle = cheapest(graph, left(self.proofs.snapshot))
            skew = shortest(graph, WRITE_SKEW) if SKEW in plain else None
        except Exhausted:
            return
        for one, its in ((cycle and cycle[1], [*with_sessions, *others, SERIALIZABLE]), (skew, [SKEW])):
            if one:
                self._judged(np.array([int(edge.key or 0) for edge in one]), [name for name in names if name in its])
        for name in plain:
            if (skew if name == SKEW else cycle) is None and out_of_scope(self.sample, name) is None:
                self.decided[name] = Decided(self.sample, [])
        if cycle is None:
            self._searched_in(segments, (SO, RT), [*with_sessions, *others])

    def _searched_in(self, segments: Segments, orders: tuple[str, str], names: list[str]) -> None:
        """The same with the order of sessions, or real time, where that keeps to the order of commits."""
        strengths, isolated = ("strong-session-", "strong-"), (self.proofs.session, self.proofs.real_time)
        for order, strong, forward, held in zip(orders, strengths, self.proofs.forward, isolated, strict=True):
            name = f"{strong}{SERIALIZABLE}"
            graph = segments.graph(order) if name in names and forward else None
            if graph is None:
                continue
            try:
                cycle = cheapest(graph, left(held))
            except Exhausted:
                continue
            if cycle is not None:
                self._judged(np.array([int(edge.key) for edge in cycle[1] if edge.key is not None]), [name])
            elif out_of_scope(self.sample, name) is None:
                self.decided[name] = Decided(self.sample, [])

    def _out_of_order(self) -> Iterator[int]:
        """The first operation that begins behind what its session had been told of."""
        found = self.found
        if not self.proofs.snapshot or self.proofs.session:
            return
        at = np.where(found.made >= 0, found.made, found.start)
        newest: dict[int, int] = {}
        rows = zip(found.session.tolist(), found.start.tolist(), at.tolist(), found.kind.tolist(), strict=True)
        for position, (session, start, told, kind) in enumerate(rows):
            if 0 <= start < newest.get(session, -1):
                yield position
                return
            if kind == DONE and told > newest.get(session, -1):
                newest[session] = told

    def _refusals_had_company(self) -> bool:
        """Whether somebody else committed in the window of everybody who was refused for a conflict."""
        found = self.found
        refused = np.flatnonzero(found.kind == REFUSED)
        if not len(refused):
            return True
        errors = found.table.column("error").take(found.completed[refused]).combine_chunks().dictionary_encode()
        spoken = np.array([is_conflict(error) for error in errors.dictionary.to_pylist()] + [False])
        chosen = refused[spoken[errors.indices.fill_null(len(spoken) - 1).to_numpy()]]
        if (found.start[chosen] < 0).any() or (found.makers < 0).any():
            return False
        soonest = np.minimum.accumulate(found.invoked[found.makers][::-1])[::-1]
        after = found.start[chosen] + 1
        if (after >= len(soonest)).any():
            return False
        return bool((soonest[after] < found.completed[chosen]).all())

    def _ends(self, names: list[str]) -> None:
        """What hangs on the final read, the inspection, and who could not read."""
        found = self.found
        some = [np.flatnonzero(found.kind == PERHAPS)[:1], np.array([found.final] if found.final >= 0 else [], int)]
        words = found.table.column("f").combine_chunks().dictionary_encode()
        kinds, did = words.dictionary.to_pylist(), stored(words.indices).take(found.invoked)
        if INSPECT in kinds:
            some.append(np.flatnonzero(did == kinds.index(INSPECT)))
        refused = np.flatnonzero(found.kind == REFUSED)
        if "read" in kinds and len(refused):
            some.append(refused[did[refused] == kinds.index("read")])
        facts = self._part(np.unique(np.concatenate(some)).astype(np.int64))
        for name in names:
            if name in _ENDS:
                self.decided[name] = Decided(facts, CHECKS[name](facts))
            elif name == SURVIVE and out_of_scope(self.sample, name) is None:
                self.decided[name] = self._survivors()

    def _survivors(self) -> Decided:
        """Whether all that was acknowledged is there, and the final read shows the last version of every key."""
        found, writes = self.found, self.found.every[1]
        lost = writes.op[((found.kind == DONE) & (found.made < 0))[writes.op]]
        final = found.final if found.final >= 0 and found.kind[found.final] == DONE else None
        if len(lost) or final is None:
            facts = self._part(np.unique(lost[:1]))
            return Decided(facts, acknowledged_writes_survive(facts))
        newest: dict[int, str | None] = {}
        for block in self.proofs.places.blocks():
            last = np.flatnonzero(np.append(block.first, True)[1:])
            values = found.writes.value.take(block.write[last]).to_pylist()
            newest.update(zip(block.key[last].tolist(), values, strict=True))
        mine = found.reads.op == final
        seen = dict(zip(found.reads.key[mine].tolist(), found.reads.value.filter(mine).to_pylist(), strict=True))
        wrong = [code for code, value in seen.items() if value != newest.get(code)]
        facts = (self._touching(wrong[:1]) if wrong else None) or self._part(np.array([final]))
        if wrong:
            return Decided(facts, acknowledged_writes_survive(facts))
        missing = [code for code in newest if code not in seen]
        if missing:
            name = plain(found.keys[missing[0]].as_py())
            return Decided(facts, [Indeterminate(f"the final read does not tell about {name}")])
        return Decided(self.sample, [])


def shown(proofs: Proofs, asked: Iterable[str]) -> Iterator[str]:
    """The properties that follow from what was proved, if there is anything that they are about.

    Args: `asked` are all that matter: what says nothing of them is not looked at.
    """
    wanted = frozenset(asked)
    for holds, names in _SHOWN:
        if not wanted.isdisjoint(names) and holds(proofs):
            yield from names


_SHOWN: tuple[tuple[Callable[[Proofs], bool], tuple[str, ...]], ...] = (
    (lambda proofs: proofs.snapshot, (*_WEAKER, SNAPSHOT, "no-lost-update", "no-long-fork")),
    (lambda proofs: not len(proofs.stale), ("no-aborted-reads",)),
    (lambda proofs: not len(proofs.overlaps), ("conflict-detection",)),
    (lambda proofs: not len(proofs.stale) and proofs.forward[0], ("strong-session-read-committed",)),
    (lambda proofs: not len(proofs.stale) and proofs.forward[1], ("strong-read-committed",)),
    (lambda proofs: proofs.session, (*(f"strong-session-{name}" for name in (*_WEAKER, SNAPSHOT)), *_SESSIONS)),
    (lambda proofs: proofs.real_time, tuple(f"strong-{name}" for name in (*_WEAKER, SNAPSHOT))),
    (lambda proofs: proofs.serial, (*_WEAKER, SERIALIZABLE, SKEW, "no-long-fork")),
    (lambda proofs: proofs.serial_session, tuple(f"strong-session-{name}" for name in (*_WEAKER, SERIALIZABLE))),
    (lambda proofs: proofs.serial_real_time, tuple(f"strong-{name}" for name in (*_WEAKER, SERIALIZABLE))),
)
