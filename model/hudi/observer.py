"""What a client does besides answering its caller, told to whoever records a history.

Spans begin and end: holding a lock, the life of an instant, checking for and making a marker. Telling is no step, costs
no time and changes nothing; a live world tells the same spans from what its gates saw.

| what | about | begins | ends |
| --- | --- | --- | --- |
| `hold` | name of the lock | the lock is granted | its release begins |
| `instant` | instant | its requested file exists | COMPLETED exists; with an error: the writer gave up or is closed |
| `watch` | instant, first delay and period in ms, "commits" or "" | before the first marker | the client is closed |
| `made` | `instant partition/file group` | before the marker is made | the marker exists |
| `mark` | `instant partition/file group` | before the early check | the marker exists; with an error: it may not |
"""

from typing import Protocol

HOLD, INSTANT, MADE, MARK, WATCH = "hold", "instant", "made", "mark", "watch"


class Observer(Protocol):
    """Somebody who is told. `began` returns a number to name in `ended`."""

    def began(self, what: str, about: str) -> int: ...
    def ended(self, number: int, error: str | None = None) -> None: ...


class Unobserved:
    """Nobody."""

    def began(self, what: str, about: str) -> int:
        return 0

    def ended(self, number: int, error: str | None = None) -> None:
        return None


UNOBSERVED = Unobserved()
