"""Judges histories of known verdict by every path, and says which verdicts are wrong."""

import random
from collections.abc import Iterator

from checkers.finding import Finding
from checkers.histories.history import History
from checkers.histories.storage import StoredHistory, to_table
from checkers.large import Large
from checkers.properties import PROPERTIES
from checkers.verdict import INVALID, VALID, check
from tests.known_verdicts import axioms, generate
from tests.known_verdicts.executions import (
    EVERY,
    OPTIMISTIC,
    SERIAL,
    SNAPSHOT,
    UP_TO_SNAPSHOT,
    execution,
    history,
    plants,
)

KINDS = ("tiny", "serial", "optimistic", "snapshot", "planted")
_MADE = {
    "serial": (SERIAL, EVERY),
    "optimistic": (OPTIMISTIC, EVERY),
    "snapshot": (SNAPSHOT, UP_TO_SNAPSHOT),
}


def wrong(kind: str, rng: random.Random) -> list[str]:
    """Make a history of `kind` and judge it. Returns: what is judged wrongly, a line each."""
    if kind == "tiny":
        known = generate.tiny(rng)
        wanted = {
            order + level: VALID if axioms.keeps(known, level, order) else INVALID
            for order in axioms.ORDERS
            for level in axioms.LEVELS
        }
        source = generate.history(known, lineage=rng.random() < 0.7)
        return [f"{line}: {known}" for line in _differences(source, wanted, any_order=True)]
    if kind == "planted":
        groups, newest = execution(rng, rng.choice((SERIAL, OPTIMISTIC)))
        name, planted = rng.choice(list(plants(newest).items()))
        made = [one.commit for group in planted.groups for one in group if one.commit is not None]
        source = history([*groups, *planted.groups], max([newest, *made]), ("p", "q"))
        wanted = {**dict.fromkeys(planted.keeps, VALID), **dict.fromkeys(planted.breaks, INVALID)}
        return [f"{name}: {line}" for line in _differences(source, wanted)]
    rule, kept = _MADE[kind]
    groups, newest = execution(rng, rule)
    return list(_differences(history(groups, newest, lineage=rng.random() < 0.7), dict.fromkeys(kept, VALID)))


def _differences(source: History, wanted: dict[str, str], any_order: bool = False) -> Iterator[str]:
    """Verdicts that are not as wanted; `any_order`: those against stated versions alone do not count."""
    verdict = check(source, PROPERTIES)
    stated = {v.property for v in verdict.violations if v.anomaly.endswith("@stated")}
    broken = {v.property for v in verdict.violations if not v.anomaly.endswith("@stated")}
    for name, outcome in wanted.items():
        got = INVALID if name in broken or (name in stated and not any_order) else VALID
        if outcome != got and not (outcome == VALID and name in stated and name.endswith("snapshot-isolation")):
            yield f"{name} is {got}, should be {outcome}"
    known = Large(StoredHistory(to_table(source)), PROPERTIES)
    for name, one in known.decided.items():
        said = INVALID if any(isinstance(finding, Finding) for finding in one.findings) else VALID
        if (said == INVALID) != (verdict.results[name] == INVALID):
            yield f"{name} is {said} by columns and {verdict.results[name]} by operations"
