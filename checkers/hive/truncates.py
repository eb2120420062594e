"""Whether truncates of tables have reached all of their partitions, and none if refused.

Source: `model.hive.truncates`.

Choices: a partition is owed that was there for sure: put, and acknowledged, before the truncate was asked for, with no
drop of it, or of its table, that was asked for since and before the truncate was answered. One that was refused has
made no version: the files are gone before the first is made.
"""

from checkers.finding import T1, Finding, Findings, one_per_shape
from checkers.histories.history import FAIL, OK, Op
from checkers.hive.words import words_in
from checkers.isolation.resolve import Facts


def truncates_as_told(facts: Facts) -> Findings:
    """A truncate that is acknowledged has truncated every partition that there was; one that is refused, nothing."""
    found: list[Finding] = []
    for position, op in enumerate(facts.ops):
        words = words_in(op.arg)
        if op.f == "truncate" and op.type == FAIL and (made := facts.lineage.made.get(position)):
            says = f"{T1} was told that its truncate is refused, and has made version {made[0]}: the rows are deleted"
            found.append(Finding("refused-and-truncated", (position,), (), (says,)))
        if op.f != "truncate" or op.type != OK or "truncated" not in words:
            continue
        reached = words["truncated"].split(",")
        prefix = f"partition:{_table_of(facts, words)}/"
        left = [key for key in _there(facts, op, prefix) if key.removeprefix(prefix) not in reached]
        for key in left:
            says = f"{T1} was told that the table is truncated, and {key} has all its rows: nobody has touched it"
            found.append(Finding("partition-left", (position,), (), (says,)))
    return one_per_shape(found)


def _table_of(facts: Facts, truncate: dict[str, str]) -> str:
    """The id of the table: of one that has reached nothing what others were told of its name."""
    if truncate["id"] != "0":
        return truncate["id"]
    told = [words_in(op.arg) for op in facts.ops]
    ids = [words.get("seen") or words.get("id", "0") for words in told if truncate["name"] in _names(words)]
    return next((number for number in reversed(ids) if number != "0"), "0")


def _names(words: dict[str, str]) -> tuple[str, ...]:
    return words.get("table", ""), words.get("name", "")


def _there(facts: Facts, truncate: Op, prefix: str) -> list[str]:
    """The keys of partitions that the table had for sure."""
    put: dict[str, int] = {}
    gone: dict[str, list[Op]] = {}
    for op in facts.ops:
        for write in op.writes:
            if not write.key.startswith(prefix):
                continue
            if write.value is None:
                gone.setdefault(write.key, []).append(op)
            elif op.type == OK and op.completed is not None and op.completed < truncate.invoked:
                put[write.key] = op.invoked
    end = truncate.completed or truncate.invoked
    return [
        key
        for key, since in put.items()
        if not any((op.completed or end) > since and op.invoked < end for op in gone.get(key, ()))
    ]
