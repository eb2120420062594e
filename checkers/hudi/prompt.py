"""What the checker of a timeline server owes, from the spans of markers, instants and watches: RFC-56.

A pass comes by once a period, and finds what is there: so a writer that asks for another marker after the first whole
pass since a conflict could be seen is refused. A watch is a span from an instant's first marker on, with the first
delay and the period in its argument; where passes are not on time (every call is a step) the property asks too much.

Choices: a marker counts from when it has been made. What is asked for is seen while it waits for the next batch, but
not on its way from there to its file.
"""

from typing import NamedTuple

from checkers.finding import T1, T2, T3, Finding, Findings, one_per_shape
from checkers.histories.history import OK, Op
from checkers.hudi.early import INSTANT, MARK, spans
from checkers.isolation.resolve import Facts

WATCH = "watch"


class _Watch(NamedTuple):
    """When a checker comes by. `commits`: it looks for what has completed as well."""

    first_ms: int
    period_ms: int
    commits: bool

    def passed_ms(self, since_ms: int) -> int:
        """When a pass has begun and ended that came later than a moment."""
        if since_ms < self.first_ms:
            return self.first_ms
        return self.first_ms + ((since_ms - self.first_ms) // self.period_ms + 1) * self.period_ms


class _Made(NamedTuple):
    """A marker that was made."""

    position: int
    op: Op
    instant: str
    group: str


def prompt_early_aborts(facts: Facts) -> Findings:
    """Who asks for a marker when a pass could have seen that another writer is in the way is refused."""
    found = []
    watches = {instant: watch for _, op in spans(facts, WATCH) for instant, watch in [_watch_of(op)]}
    lives = {op.arg: op for _, op in spans(facts, INSTANT)}
    made = [_Made(at, op, *(op.arg or " ").split(" ", 1)) for at, op in spans(facts, MARK) if op.type == OK]
    for late in made:
        watch = watches.get(late.instant)
        if watch is None:
            continue
        own = [one for one in made if one.instant == late.instant and (one.op.completed or 0) < late.op.invoked]
        for mine in own:
            for other in made:
                if other.group == mine.group and other.instant != mine.instant:
                    life = lives.get(other.instant)
                    anomaly = _overlooked(watch, own[0], mine, other, life, late)
                    if anomaly:
                        says = f"when {T3} was asked for, a pass had been able to see that {T2} marked what {T1} did"
                        positions = (mine.position, other.position, late.position)
                        found.append(Finding(anomaly, positions, (), (says,)))
    return one_per_shape(found)


def _watch_of(op: Op) -> tuple[str, _Watch]:
    instant, delay_ms, period_ms, *commits = (op.arg or "").split()
    return instant, _Watch(op.invoked_ms + int(delay_ms), int(period_ms), bool(commits))


def _overlooked(watch: _Watch, first: _Made, mine: _Made, other: _Made, life: Op | None, late: _Made) -> str:
    """How a pass between the other one's marker, or its commit, and the late marker must have failed; "" if none
    did."""
    mine_ms, other_ms = mine.op.completed_ms, other.op.completed_ms
    if life is None or mine_ms is None or other_ms is None:
        return ""
    seen_ms = max(mine_ms, other_ms)
    alive = life.completed is None or life.completed > late.op.invoked
    if alive and int(other.instant) < int(mine.instant) and late.op.invoked_ms > watch.passed_ms(seen_ms):
        return "marker-overlooked"
    if not watch.commits or life.type != OK or life.completed is None or life.completed < first.op.invoked:
        return ""
    committed_ms = max(mine_ms, life.completed_ms or 0)
    done = life.completed < late.op.invoked and late.op.invoked_ms > watch.passed_ms(committed_ms)
    return "commit-overlooked" if done else ""
