"""Claims of the source documents, judged: what a document says, how to find out, and what came of it.

A protocol's claims are a tuple that its row in `lakeproof/protocols.py` names. `lakeproof claims` judges them all and
prints the rows.

    Claim(
        "only one writer can check and create a marker at a time",
        source="RFC-56, early conflict detection with transactions",
        property="marker-checks-exclusive",
        variant="as shipped (1.2.0)",
        scenarios=(BY_NAME["hudi/early-transactional-shipped"],),
        live="tests/live/test_hudi.py::test_both_writers_pass_the_transactional_check",
    )

Choices: one claim on two variants is two claims with one text. A document that says what goes wrong (`predicts` is
"violated") is confirmed by a counterexample. Verdicts are about the bounds beside them, never more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sim.search.explore import BUDGET, Progress, default_plan
from sim.search.projection import shown
from sim.search.result import Result
from sim.search.run import Runner
from sim.search.shrink import shrink
from sim.world.scenario import Scenario

CONFIRMED, REFUTED, UNKNOWN = "confirmed", "refuted", "unknown"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What answers a claim that no schedule can answer, such as one about a comparison rule.

    Args: `holds` is None if it cannot be said; `bounds` says what was looked at; `example` is the counterexample.
    """

    holds: bool | None
    bounds: str
    example: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a source document, and how to judge it.

    Args: `text` in the document's words; `source` the document and its section; `property` the property that it comes
    down to ("": every property of the scenarios); `variant` the rules that it is judged on, in words; `scenarios` are
    searched, each must answer as the claim `predicts`; `evidence` answers in their place; `live` names the test below
    `tests/live` that shows the same on the real system ("": none); `note` one sentence for the reader.
    """

    text: str
    source: str
    property: str
    variant: str
    scenarios: tuple[Scenario, ...] = ()
    predicts: Literal["holds", "violated"] = "holds"
    live: str = ""
    note: str = ""
    evidence: Callable[[], Evidence] | None = None


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A judged claim. `found` is the broken property with its anomaly, or the example of the claim's evidence.

    Args: `schedule` are the steps of the smallest counterexample found, `replay` the same as a schedule file's text,
    `scenario` where it was found.
    """

    claim: Claim
    verdict: str
    bounds: str
    found: str = ""
    schedule: tuple[str, ...] | None = None
    scenario: str = ""
    replay: str = ""

    @property
    def live(self) -> str:
        """The live test, or "no"."""
        return self.claim.live or "no"


def judge(claim: Claim, *, budget: int = BUDGET, progress: Progress | None = None) -> ClaimRow:
    """Search the claim's scenarios, or take its evidence. `budget`: at most so many runs for each scenario; those that
    make a counterexample small come on top.

    Raises: `ValueError` if the claim has neither scenarios nor evidence.
    """
    if claim.evidence is not None:
        return _from_evidence(claim, claim.evidence())
    if not claim.scenarios:
        raise ValueError(f"claim {claim.text!r}: expected scenarios or evidence, got neither")
    results = [default_plan(_asked(claim, scenario), budget=budget, progress=progress) for scenario in claim.scenarios]
    verdicts = [_answer(claim, result.verdict) for result in results]
    verdict = next((word for word in (REFUTED, UNKNOWN) if word in verdicts), CONFIRMED)
    bounds = " | ".join(_bounds(result) for result in results)
    failing = next((result.weakest for result in results if result.weakest is not None), None)
    if failing is None:
        return ClaimRow(claim, verdict, bounds)
    shrunk = shrink(Runner(failing.scenario), failing)
    best = shown(shrunk.run, shrunk)
    broken, steps = (best.run.failure or "").replace("/", ": "), tuple(map(str, best.schedule.steps))
    return ClaimRow(claim, verdict, bounds, broken, steps, best.run.scenario.name, str(best.schedule))


def _asked(claim: Claim, scenario: Scenario) -> Scenario:
    """The scenario with the claim's property alone, so that nothing else that breaks is taken for an answer."""
    if not claim.property:
        return scenario
    return replace(scenario, properties=(claim.property,), expect="holds", broken=None)


def _answer(claim: Claim, verdict: str) -> str:
    if verdict == UNKNOWN:
        return UNKNOWN
    return CONFIRMED if verdict == claim.predicts else REFUTED


def _bounds(result: Result) -> str:
    """What was searched. A violation ends the search, so it needs no word on what was left."""
    if result.verdict != "violated":
        return result.bounds
    scenario = result.scenario
    parts = [scenario.bounds or scenario.name, *([str(scenario.faults)] if scenario.faults.limit else [])]
    return "; ".join([*parts, f"found within {result.found_words}"])


def _from_evidence(claim: Claim, evidence: Evidence) -> ClaimRow:
    if evidence.holds is None:
        return ClaimRow(claim, UNKNOWN, evidence.bounds)
    verdict = _answer(claim, "holds" if evidence.holds else "violated")
    return ClaimRow(claim, verdict, evidence.bounds, evidence.example)


def judge_all(
    claims: Sequence[Claim], *, budget: int = BUDGET, progress: Progress | None = None
) -> tuple[ClaimRow, ...]:
    """Judge claims in their order; `progress` is told after each."""
    rows = []
    for claim in claims:
        rows.append(judge(claim, budget=budget))
        if progress is not None:
            progress(1)
    return tuple(rows)
