"""From a search and the run that shows its result to the record that every report is made from."""

from dataclasses import replace

from checkers.histories.history import History
from reports.explanation.explain import explain
from reports.explanation.judging import judge
from reports.explanation.phrases import SHOWN, listed
from reports.explanation.renderer import Renderer
from reports.record import Explanation, Judged, Record, Search, Sentence
from sim.search.projection import Shown
from sim.search.result import Result
from sim.search.run import Run
from sim.world.scenario import Scenario
from sim.world.words import counted

FIRST, LAST = 100, 40
"""How many sentences of an explanation are kept, at its beginning and at its end."""


def search_of(result: Result, shown: Shown) -> Search:
    """What was searched. Counters in the order of their names."""
    return Search(
        result.method, result.schedules, result.states, result.complete, result.failed,
        dict(sorted(result.coverage.items())), result.scenario.counters, minimality_of(shown),
        exhaustive=result.exhaustive, found_within=result.found_within, no_search_needed=result.no_search_needed,
        endless=result.cut_short + result.stuck, reasons=result.reasons, nothing_found=result.nothing_found,
    )  # fmt: skip


def minimality_of(shown: Shown) -> str:
    """How small the run that is shown is, and of which run that was proven; "" if nothing failed."""
    if shown.shrunk is None:
        return ""
    how = "proven smallest" if shown.shrunk.proven else "not proven smallest"
    proof = f"({how}, {counted(shown.shrunk.executions, 'run')})"
    count = counted(len(shown.shrunk.deviations), "deviation")
    if shown.projected is None:
        return f"{count} from the default order {proof}"
    own = counted(shown.projected, "deviation")
    return f"{own} from the default order, projected on the steps of the live gates from a run with {count} {proof}"


def judge_run(run: Run, history: History) -> Judged:
    """The verdict on a run's history as it was stored."""
    return judge(history, run.scenario.properties)


def record_of(
    result: Result, shown: Shown, judged: Judged, *, renderer: Renderer, knobs: dict[str, str], command: str, tool: str,
) -> Record:  # fmt: skip
    """The record of a search. `command` replays the run that is shown; `renderer` is its protocol's."""
    scenario = result.scenario
    return Record(
        tool=tool, scenario=scenario.name, summary=scenario.summary, question=question_of(scenario),
        expect=scenario.expectation, verdict=result.verdict, as_expected=result.as_expected,
        headline=headline_of(result, judged), knobs=knobs, search=search_of(result, shown), judged=judged,
        explanation=clipped(explain(shown.run, renderer)), schedule=clipped_text(str(shown.schedule)),
        digest=shown.run.digest(), command=command,
    )  # fmt: skip


def clipped(explanation: Explanation) -> Explanation:
    """The beginning and the end of an explanation that nobody would read: that of a run that did not end."""
    sentences = explanation.sentences
    left_out = len(sentences) - FIRST - LAST
    if left_out <= 0:
        return explanation
    gap = Sentence(FIRST + 1, "", f"... {counted(left_out, 'more step')} ...")
    return replace(explanation, sentences=(*sentences[:FIRST], gap, *sentences[-LAST:]))


def clipped_text(schedule: str) -> str:
    """The beginning and the end of a schedule that nobody would read; its file has all of it."""
    lines = schedule.splitlines()
    left_out = len(lines) - FIRST - LAST
    if left_out <= 0:
        return schedule
    return (
        "\n".join([*lines[:FIRST], f"# ... {counted(left_out, 'more step')}, see the file ...", *lines[-LAST:]]) + "\n"
    )


def question_of(scenario: Scenario) -> str:
    """What the scenario asks. The bounds stand in the headline, and each of many properties has its own verdict."""
    asked = scenario.properties
    if len(asked) == 1:
        return f"Does {asked[0]} hold within these bounds?"
    which = listed(asked) if len(asked) <= SHOWN else f"{len(asked)} properties, from {asked[0]} to {asked[-1]},"
    return f"Do {which} hold within these bounds?"


def headline_of(result: Result, judged: Judged) -> str:
    """The verdict in one line, with its bounds; it never claims more than was searched."""
    if result.verdict != "violated":
        found = f": {result.nothing_found}" if result.nothing_found else ""
        return f"{result.verdict}{found} ({result.bounds})"
    weakest, scenario = judged.findings[0], result.scenario
    bounds = [scenario.bounds] if scenario.bounds else []
    if scenario.faults.limit:
        bounds.append(str(scenario.faults))
    bounds.append(f"found within {result.found_words}")
    if scenario.broken is not None and scenario.broken != weakest.property:
        bounds.append(_instead(result, scenario.broken))
    return f"violated: {weakest.property}: {weakest.anomaly} ({'; '.join(bounds)})"


def _instead(result: Result, expected: str) -> str:
    """What became of the property that was expected to break, where a weaker one did, or it did not."""
    if any(key.startswith(f"{expected}/") for key in result.failures):
        return f"{expected}, expected to break, is stronger"
    return f"{expected}, expected to break, did not within {counted(result.schedules, 'schedule')}"
