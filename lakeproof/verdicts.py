"""The page of verdicts, made from runs: every built-in scenario, every defect, every claim, each row with its bounds.

`make verdicts` writes `docs/verdicts.md`; tests hold its rows against what they find themselves.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from lakeproof import protocols
from lakeproof.protocols import claims_of, part
from lakeproof.talk import say
from reports.pages.claims import claim_cells
from sim.search.claims import ClaimRow, judge
from sim.search.defect import Defect, hints_of
from sim.search.explore import default_plan
from sim.search.result import MOST_NAMED, Result, broken_by
from sim.world.scenario import Scenario

HEAD = """\
# Verdicts

Made by `make verdicts`, which searches every built-in scenario by the default plan and judges every claim; tests hold
every row, and of a search of more than 6,000 schedules that holds, its beginning. Steps that are not named are every
port call; the other bounds are each scenario's own. `rules` names the variant of a protocol
(`model/<protocol>/rules.py`); without it, the rules are those of the release that is named. What the ids mean is in
[sources.md](sources.md); [defects.md](defects.md) tells some of the losses step by step.
"""
DEFECTS_HEAD = """
## Shipped software that loses data

| scenario | what is lost | needs | on the real system | what helps |
| --- | --- | --- | --- | --- |
"""
SEARCHES_HEAD = """
What it takes to find them, by the default plan, with every port call a step. Actors and their statements are those of
the scenario. {} Seconds are of one CPU of the machine that made this page.

| scenario | properties asked | faults | hints | found within | seconds |
| --- | --- | --- | --- | --- | --- |
"""
NO_HINT = "No search was given a hint: no property, no fault, nobody whom it hits and no step was singled out."
SOME_HINTS = "{} of {} searches were given no hint; for the others the column says what was singled out."
SCENARIOS_HEAD = """
## {}

| scenario | question | verdict | bounds |
| --- | --- | --- | --- |
"""
CLAIMS_HEAD = """
## What the document of {} claims

| claim | judged on | verdict | bounds, and what was found | live |
| --- | --- | --- | --- | --- |
"""


def scenario_row(result: Result) -> str:
    """A scenario's row: what was asked, what came of it, and within which bounds."""
    scenario, violated = result.scenario, result.verdict == "violated"
    bounds = [scenario.bounds, str(scenario.faults) if scenario.faults.limit else ""]
    steps = scenario.yield_points or ()
    named = ", ".join(steps) if len(steps) <= MOST_NAMED else f"{len(steps)} operations"
    bounds.append(f"steps: {named}" if steps else "")
    if violated:
        bounds.append(f"found within {result.found_words}")
    else:
        bounds += [result.size, *(["complete"] if result.complete else []), *result.reasons]
    weakest = result.weakest
    verdict = f"violated: {broken_by(weakest)}" if weakest is not None else result.verdict
    return f"| `{scenario.name}` | {scenario.summary} | {verdict} | {'; '.join(filter(None, bounds))} |"


def defect_row(defect: Defect) -> str:
    """A defect's row."""
    helps = "; ".join(f"`{name}`" for name in defect.helps)
    return f"| `{defect.scenario}` | {defect.lost} | {defect.needs} | {defect.real} | {helps} |"


def blind(defect: Defect) -> Scenario:
    """The scenario of a defect, searched as if nobody knew at which steps it lies."""
    return replace(protocols.scenarios()[defect.scenario], yield_points=None)


def search_row(result: Result) -> str:
    """What it took to find a defect, but for the seconds, which are no part of what is held."""
    scenario, kinds = result.scenario, len(result.scenario.faults.names)
    faults = f"at most {scenario.faults.limit}, {kinds} kind{'' if kinds == 1 else 's'}" if kinds else "none"
    hints = ", ".join(hints_of(scenario)) or "none"
    return f"| `{scenario.name}` | {len(scenario.properties)} | {faults} | {hints} | {result.found_words} |"


def hint_words(scenarios: Sequence[Scenario]) -> str:
    """The sentence about hints, which is about these scenarios."""
    without = sum(not hints_of(scenario) for scenario in scenarios)
    return NO_HINT if without == len(scenarios) else SOME_HINTS.format(without, len(scenarios))


def claim_row(row: ClaimRow) -> str:
    """A judged claim's row."""
    return f"| {' | '.join(claim_cells(row))} |"


def defects() -> tuple[Defect, ...]:
    """Every defect, in the order of the protocols."""
    return tuple(defect for protocol in protocols.PROTOCOLS if protocol.defects for defect in part(protocol.defects))


def page() -> Iterator[str]:
    """The page's parts, in order, when every scenario has been searched."""
    found = {scenario.name: _timed(_said(scenario, scenario.name)) for scenario in protocols.scenarios().values()}
    yield HEAD
    yield DEFECTS_HEAD + _lines(map(defect_row, defects()))
    shown = [_timed(_said(blind(defect), f"{defect.scenario}, every port call a step")) for defect in defects()]
    yield SEARCHES_HEAD.format(hint_words([result.scenario for result, _ in shown]))
    yield _lines([f"{search_row(result)} {seconds:.2f} |" for result, seconds in shown])
    for protocol in protocols.PROTOCOLS:
        for title, named in protocol.scenarios.items():
            yield SCENARIOS_HEAD.format(title) + _lines([scenario_row(found[one.name][0]) for one in part(named)])
    for protocol in protocols.PROTOCOLS:
        judged = [judge(_said(claim, claim.text)) for claim in claims_of(protocol.name)]
        if judged:
            yield CLAIMS_HEAD.format(protocol.title) + _lines(map(claim_row, judged))


def _timed(scenario: Scenario) -> tuple[Result, float]:
    """Search a scenario. Returns: what was found, and the CPU-seconds that it took."""
    begun = time.process_time()
    result = default_plan(scenario)
    return result, time.process_time() - begun


def _said(subject: Any, name: str) -> Any:
    say(name)
    return subject


def _lines(rows: Sequence[str] | Iterator[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


if __name__ == "__main__":
    sys.stdout.write("".join(page()))
