"""Check histories that no memory holds, on Spark: a data set of Parquet files, with one history or many.

    with check_context() as context:
        for found in check_data_set(context, Path("histories")):
            print(found.name, found.verdict)

Four jobs: facts of each split; operations put together by number (exceptions go to all); reads and writes by key, and
rows by process, in one exchange; and the rows of the few operations that fail, which the driver explains.

Choices:
* Judged are the properties of `PROPERTIES`: those that need no search for cycles through several keys. What the order
  of commits does not show is unknown here, never broken: a smaller history says more in memory.
* A violation is a violation because the checks say so of the witness, and not because the kernel suspects it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial, reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from checkers.errors import HistoryError
from checkers.verdict import Verdict
from real_backend.pipeline import check_rows
from real_backend.pipeline.check_exchange import exchanged
from real_backend.pipeline.check_facts import Facts, added, facts_of
from real_backend.pipeline.check_operations import Operations, received, sent
from real_backend.pipeline.check_session import prepare
from real_backend.pipeline.check_splits import Ints, Plan, plan
from real_backend.pipeline.check_verdict import PROPERTIES, Found, verdict_of, wrong_of
from real_backend.pipeline.check_witness import rows_of

__all__ = ("PROPERTIES", "Checked", "check_data_set")
KEY_ENTRIES = 2_000_000
_RAISED = re.compile(r"HistoryError: history (.*?)(?:: expected (.*?), got (.*))?$", re.MULTILINE)


class Checked(NamedTuple):
    """A history by name: its events, and its verdict or why it is none."""

    name: str
    events: int
    verdict: Verdict | HistoryError


def check_data_set(context: Any, path: Path, properties: Iterable[str] | None = None) -> list[Checked]:
    """Check every history of a data set.

    Args: `context` is a Spark context; `path` a Parquet file or a folder of them, the same for driver and workers;
    `properties` default to those of `PROPERTIES` that there is something about.

    Raises: HistoryError if a file cannot be read. One history that is none is its own result.
    """
    prepare(context)
    todo = plan(path)
    try:
        return _checked(context, todo, str(path), tuple(properties or ()))
    except Exception as error:
        raised = _RAISED.search(str(error))
        if raised is None or isinstance(error, HistoryError):
            raise
        raise HistoryError(raised[1], raised[2] or "a history", raised[3] or "something else") from None


def _checked(context: Any, todo: Plan, path: str, properties: tuple[str, ...]) -> list[Checked]:
    facts = _facts(context, todo)
    names = tuple(sorted(facts))
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
    return [
        Checked(called, found[code].facts.rows, _result(found[code], wrong[code], called, properties))
        for code, name in enumerate(names)
        for called in [f"{path}[{name}]" if name or len(names) > 1 else path]
    ]


def _result(found: Found, wrong: HistoryError | None, name: str, properties: Sequence[str]) -> Verdict | HistoryError:
    return verdict_of(found, properties) if wrong is None else wrong.within(name)


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
