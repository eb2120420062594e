"""Check histories that no memory holds, on Spark: a data set of Parquet files, with one history or many.

    with check_context() as context:
        for found in check_data_set(context, Path("histories")):
            print(found.name, found.verdict)

Small histories, of a campaign say, go whole to one task each. Of the others there are four jobs: facts of each split;
operations put together by number (exceptions go to all); reads and writes by key, and rows by process, in one exchange;
and the rows of the few operations that fail, which the driver explains.

Choices:
* Of large histories the properties judged are `PROPERTIES`: those that need no search for cycles through several keys.
  What the order of commits does not show is unknown here, never broken: a smaller history says more in memory.
* A violation is a violation because the checks say so of the witness, and not because the kernel suspects it.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial, reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from checkers.errors import HistoryError
from checkers.text import plain
from checkers.verdict import LARGE_EVENTS, Verdict
from real_backend.pipeline import check_rows, check_whole
from real_backend.pipeline.check_exchange import exchanged
from real_backend.pipeline.check_facts import Facts, added, facts_of
from real_backend.pipeline.check_operations import Operations, received, sent
from real_backend.pipeline.check_session import prepare
from real_backend.pipeline.check_splits import Ints, Plan, plan
from real_backend.pipeline.check_verdict import PROPERTIES, Found, verdict_of, wrong_of
from real_backend.pipeline.check_witness import rows_of

__all__ = ("PROPERTIES", "Checked", "check_data_set")
KEY_ENTRIES, WHOLE_HISTORIES = 2_000_000, 2_000
Result = Verdict | HistoryError
_RAISED = re.compile(r"HistoryError: history (.*?)(?:: expected (.*?), got (.*))?$", re.MULTILINE)


class Checked(NamedTuple):
    """A history by name: its events, and its verdict or why it is none."""

    name: str
    events: int
    verdict: Verdict | HistoryError


def check_data_set(
    context: Any, path: Path, properties: Iterable[str] | None = None, small_rows: int = LARGE_EVENTS
) -> list[Checked]:
    """Check every history of a data set.

    Args: `context` is a Spark context; `path` a Parquet file or a folder of them, the same for driver and workers;
    `properties` default to those that there is something about; histories of less than `small_rows` rows are judged
    whole, for all properties of any history, larger ones for those of `PROPERTIES`.

    Raises: HistoryError if a file cannot be read. One history that is none is its own result.
    """
    prepare(context)
    todo = plan(path)
    try:
        facts = _facts(context, todo)
        small = {name for name, one in facts.items() if 0 < one.rows < small_rows}
        asked = tuple(properties or ())
        found = {**_whole(context, todo, small, asked), **_checked(context, todo, facts, small, asked)}
    except Exception as error:
        raised = _RAISED.search(str(error))
        if raised is None or isinstance(error, HistoryError):
            raise
        raise HistoryError(raised[1], raised[2] or "a history", raised[3] or "something else") from None
    return _named(str(path), facts, found)


def _whole(context: Any, todo: Plan, small: Collection[str], properties: Sequence[str]) -> dict[str, Result]:
    """The results of small histories."""
    if not small:
        return {}
    count = max(context.defaultParallelism, -(-len(small) // WHOLE_HISTORIES))
    send = partial(check_whole.sent, names=small, count=count)
    parts = exchanged(context, todo.splits, send, count, partial(check_whole.received, properties=properties))
    return {name: HistoryError(*one) if isinstance(one, tuple) else one for part in parts for name, one in part.items()}


def _checked(
    context: Any, todo: Plan, facts: Mapping[str, Facts], small: Collection[str], properties: Sequence[str]
) -> dict[str, Result]:
    """The results of the others."""
    names = tuple(sorted(name for name in facts if name not in small))
    if not names:
        return {}
    count = max(context.defaultParallelism, -(-todo.entries // KEY_ENTRIES), 1)
    operations = _operations(context, todo, names, facts, count)
    found = {code: Found(facts[name], operations.get(code, ())) for code, name in enumerate(names)}
    wrong = {code: wrong_of(one) for code, one in found.items()}
    good = {code: one for code, one in found.items() if wrong[code] is None}
    if good:
        _judge(context, todo, names, good, count)
        for code, one in good.items():
            wrong[code] = wrong_of(one)
        _explain(context, todo, names, {code: one for code, one in good.items() if wrong[code] is None})
    return {name: wrong[code] or verdict_of(found[code], properties) for code, name in enumerate(names)}


def _named(path: str, facts: Mapping[str, Facts], found: Mapping[str, Result]) -> list[Checked]:
    called = {name: f"{path}[{plain(name, 60)}]" if name or len(facts) > 1 else path for name in sorted(facts)}
    return [
        Checked(said, facts[name].rows, one.within(said) if isinstance(one, HistoryError) else one)
        for name, said in called.items()
        for one in [found[name]]
    ]


def _facts(context: Any, todo: Plan) -> dict[str, Facts]:
    found: dict[str, list[Facts]] = {}
    if todo.splits:
        for name, facts in context.parallelize(todo.splits, len(todo.splits)).flatMap(facts_of).collect():
            found.setdefault(name, []).append(facts)
    return {name: reduce(added, some) for name, some in found.items()} or {"": Facts()}


def _operations(
    context: Any, todo: Plan, names: Sequence[str], facts: Mapping[str, Facts], count: int
) -> dict[int, tuple[Operations, ...]]:
    stated = {code: facts[name].versions > 0 for code, name in enumerate(names)}
    send = partial(sent, names=names, stated=stated, count=count)
    parts = exchanged(context, todo.splits, send, 2 * count, partial(received, stated=stated, count=count))
    found: dict[int, tuple[Operations, ...]] = {}
    for part in parts:
        for code, one in part.items():
            found[code] = (*found.get(code, ()), one)
    return found


def _judge(context: Any, todo: Plan, names: Sequence[str], good: Mapping[int, Found], count: int) -> None:
    """Judge keys and sessions of all histories; what is found goes into `good`."""
    shared = context.broadcast({code: _exceptions(one.operations) for code, one in good.items()})

    def send(split: Any) -> Any:
        return check_rows.sent(split, names, shared.value, count)

    for of_sessions, part in exchanged(
        context, todo.splits, send, 2 * count, partial(check_rows.received, count=count)
    ):
        for code, one in part.items():
            if code in good:
                (good[code].sessions if of_sessions else good[code].keys).append(one)
    shared.destroy()


def _exceptions(operations: Sequence[Operations]) -> tuple[Ints, Ints]:
    ops = np.concatenate([one.exceptions[0] for one in operations] or [np.zeros(0, np.int64)])
    made = np.concatenate([one.exceptions[1] for one in operations] or [np.zeros(0, np.int64)])
    order = np.argsort(ops)
    return ops[order], made[order]


def _explain(context: Any, todo: Plan, names: Sequence[str], good: Mapping[int, Found]) -> None:
    """Fetch the rows of all suspects; they go into `good`."""
    wanted = {code: sorted(one.wanted()) for code, one in good.items() if one.wanted()}
    if not wanted:
        return
    fetch = partial(rows_of, names=names, wanted=wanted)
    for code, row in context.parallelize(todo.splits, len(todo.splits)).flatMap(fetch).collect():
        if code in good:
            good[code].rows.setdefault(row["op"], []).append(row)
