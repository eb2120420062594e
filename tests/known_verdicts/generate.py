"""Makes histories: tiny ones of every kind, for the axioms, and their events as a table would have shown them."""

import random

from checkers.histories.history import Event, History, Read, Write
from tests.known_verdicts.axioms import INITIAL, Known, Transaction

KEYS = "xyz"


def tiny(rng: random.Random) -> Known:
    """Up to four transactions on up to three keys that read anything that was ever written by another one."""
    count, keys = rng.randint(2, 4), KEYS[: rng.randint(1, 3)]
    written = [tuple(key for key in keys if rng.random() < 0.45) for _ in range(count)]
    sessions = [rng.randint(1, 3) for _ in range(count)]
    spans = _spans(rng, sessions)
    made = []
    for number in range(1, count + 1):
        reads = []
        for key in keys:
            writers = [INITIAL, *[n for n in range(1, count + 1) if n != number and key in written[n - 1]]]
            if rng.random() < 0.6:
                reads.append((key, rng.choice(writers)))
        made.append(Transaction(tuple(reads), written[number - 1], sessions[number - 1], *spans[number - 1]))
    return Known(tuple(made))


def _spans(rng: random.Random, sessions: list[int]) -> list[tuple[int, int]]:
    """When each transaction begins and ends: any order in which a session does one thing at a time."""
    waiting = list(range(len(sessions)))
    running: list[int] = []
    spans: dict[int, tuple[int, int]] = {}
    moment = 0
    rng.shuffle(waiting)
    while waiting or running:
        ready = [t for t in waiting if all(sessions[other] != sessions[t] for other in running)]
        if running and (not ready or rng.random() < 0.5):
            ending = running.pop(rng.randrange(len(running)))
            spans[ending] = (spans[ending][0], moment)
        else:
            beginning = rng.choice(ready)
            waiting.remove(beginning)
            running.append(beginning)
            spans[beginning] = (moment, -1)
        moment += 1
    return [spans[number] for number in range(len(sessions))]


def history(known: Known, lineage: bool = True) -> History:
    """The events of `known`: each transaction an operation, its version the place of its number among the writers."""
    keys = sorted({key for one in known.transactions for key in (*one.writes, *[key for key, _ in one.reads])})
    writers = [number for number, one in enumerate(known.transactions, 1) if one.writes]
    version = {number: place for place, number in enumerate((INITIAL, *writers))}
    moments = []
    for number, one in enumerate(known.transactions, 1):
        moments += [(one.begin, "invoke", number, one), (one.end, "ok", number, one)]
    events = [Event(0, 0, "setup", "ok", 0, "insert", commit=0, writes=tuple([Write(key, "0") for key in keys]))]
    for moment, kind, number, one in sorted(moments, key=lambda row: row[0]):
        done = kind == "ok"
        reads = tuple([Read(key, str(saw), version[saw]) for key, saw in one.reads]) if done else ()
        writes = tuple([Write(key, str(number)) for key in one.writes]) if done else ()
        commit = version.get(number) if done else None
        process = f"p{one.session}"
        events.append(
            Event(len(events), moment, process, kind, number, "txn", commit=commit, reads=reads, writes=writes)
        )
    for place, number in enumerate((INITIAL, *writers) if lineage else ()):
        events.append(Event(len(events), 0, "lineage", "version", number, "version", commit=place))
    return History(events)
