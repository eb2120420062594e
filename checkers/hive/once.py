"""Whether a change takes effect once, and not if it was refused. Source: `RetryingMetaStoreClient` makes a call again.

Choices: two versions in a row are one change: nobody could have told them apart.
"""

from checkers.finding import T1, Finding, Findings, one_per_shape
from checkers.histories.history import FAIL
from checkers.hive.facts import CHANGES
from checkers.isolation.resolve import Facts


def changes_happen_once(facts: Facts) -> Findings:
    """No change is made twice, with another one in between."""
    found: list[Finding] = []
    for position, op in enumerate(facts.ops):
        made = facts.lineage.made.get(position, [])
        if op.f in CHANGES and made and made[-1] - made[0] >= len(made):
            says = f"{T1} took effect in versions {', '.join(map(str, made))}, and others changed something in between"
            found.append(Finding("made-twice", (position,), (), (says,)))
    return one_per_shape(found)


def refusals_are_true(facts: Facts) -> Findings:
    """Nobody is told that his change was refused, and it was made."""
    found: list[Finding] = []
    for position, op in enumerate(facts.ops):
        made = facts.lineage.made.get(position, [])
        if op.f in CHANGES and op.type == FAIL and made:
            says = f"{T1} was told that its change is refused, and has made version {made[0]}"
            found.append(Finding("refused-and-made", (position,), (), (says,)))
    return one_per_shape(found)
