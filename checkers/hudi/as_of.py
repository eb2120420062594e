"""What who reads a Hudi table as of a commit of the race is told: what the table held then, or that it cannot be read.

That is what was written by commits that were requested by then, whenever they were completed: time travel goes by
requested times. A version's name begins with its own. A history has the commit as the version that the operation
states, and the rows in its argument.

Source: Hudi documentation, time travel; `AbstractTableFileSystemView.getLatestMergedFileSlicesBeforeOrOn` (1.2.0).

Choices: of versions that were still being made while somebody asked, or that nobody known made, nothing is known: he
may have been told of them or not. Of two that wrote one row the one that was requested later counts.
"""

from checkers.finding import T1, Check, Finding, Findings, Indeterminate, one_per_shape
from checkers.histories.history import OK, Op
from checkers.histories.told_rows import rows_in
from checkers.isolation.lineage import Chain
from checkers.isolation.resolve import Facts
from checkers.text import plain

READ_AS_OF = "read as of"


def instants_stay(facts: Facts) -> Findings:
    """The table as of a commit is what was written by then, whenever it is read, or is refused."""
    asked = [(at, op) for at, op in enumerate(facts.ops) if op.f == READ_AS_OF]
    if not asked:
        return [Indeterminate("nobody read as of a commit", unseen=True)]
    times = {each.commit: _requested(each.snapshot) for each in facts.history.versions}
    found = []
    for at, op in asked:
        until = None if op.start is None else times.get(op.start)
        for key in [key for key in facts.lineage.chains if until is not None and key.startswith("row:")]:
            told: list[str | None] = [value for row, value in rows_in(op.arg or "") if row == key]
            may_be = _held(facts, op, facts.lineage.chains[key], times, until or 0)
            if op.type == OK and (len(told) > 1 or (told or [None])[0] not in may_be):
                words = " or ".join([value or "nothing" for value in may_be])
                got = ", ".join([value or "" for value in told]) or "nothing"
                says = f"{T1} was told of {plain(key)} = {got}, where it was {words}"
                found.append(Finding("past-changed", (at,), (), (says,)))
    return one_per_shape(found)


def _held(facts: Facts, asks: Op, chain: Chain, times: dict[int | None, int], until: int) -> list[str | None]:
    """The values that a row may have had by a time, as who `asks` may know."""
    values: list[str | None] = [None]
    for requested, place in sorted([(times.get(each, 0), place) for place, each in enumerate(chain.versions)]):
        maker = facts.ops[chain.writers[place]]
        if requested > until or maker.invoked > (asks.completed or 0):
            continue
        known = maker.type == OK and maker.completed is not None and maker.completed < asks.invoked
        values = [chain.values[place]] if known or chain.versions[place] == 0 else [*values, chain.values[place]]
    return values


def _requested(name: str | None) -> int:
    return int((name or "0").partition("_")[0])


AS_OF_CHECKS: dict[str, Check] = {"instants-stay": instants_stay}
"""Asked where somebody reads as of a commit of the race."""
