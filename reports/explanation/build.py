"""From a search and the run that shows its result to the record that every report is made from."""

from checkers.histories.history import History
from reports.explanation.explain import explain
from reports.explanation.judging import judge
from reports.explanation.phrases import SHOWN, listed, plural
from reports.explanation.renderer import Renderer
from reports.record import Judged, Record, Search
from sim.kernel.schedule import Schedule
from sim.search.explore import Result
from sim.search.run import Run
from sim.search.shrink import Shrunk
from sim.world.scenario import Scenario


def search_of(result: Result, shrunk: Shrunk | None) -> Search:
    """What was searched. Counters in the order of their names."""
    text = ""
    if shrunk is not None:
        count = plural(len(shrunk.deviations), "deviation")
        how = "proven smallest" if shrunk.proven else "not proven smallest"
        text = f"{count} from the default order ({how}, {plural(shrunk.executions, 'run')})"
    return Search(
        result.method, result.schedules, result.states, result.complete, result.failed,
        dict(sorted(result.coverage.items())), result.scenario.counters, text,
    )  # fmt: skip


def judge_run(run: Run, history: History) -> Judged:
    """The verdict on a run's history as it was stored."""
    return judge(history, run.scenario.properties)


def record_of(
    result: Result, run: Run, judged: Judged, schedule: Schedule, *, renderer: Renderer, shrunk: Shrunk | None,
    knobs: dict[str, str], as_expected: bool, command: str, tool: str,
) -> Record:  # fmt: skip
    """The record of a search. `command` replays the run that is shown; `renderer` is its protocol's."""
    scenario = result.scenario
    return Record(
        tool=tool, scenario=scenario.name, summary=scenario.summary, question=question_of(scenario),
        expect=scenario.expectation, verdict=result.verdict, as_expected=as_expected,
        headline=headline_of(result, judged), knobs=knobs, search=search_of(result, shrunk), judged=judged,
        explanation=explain(run, renderer), schedule=str(schedule), digest=run.digest(), command=command,
    )  # fmt: skip


def question_of(scenario: Scenario) -> str:
    """What the scenario asks; many properties are counted, since the verdict on each stands elsewhere."""
    asked, where = scenario.properties, scenario.bounds or "this scenario"
    if len(asked) == 1:
        return f"Does {asked[0]} hold for {where}?"
    which = listed(asked) if len(asked) <= SHOWN else f"{len(asked)} properties, from {asked[0]} to {asked[-1]},"
    return f"Do {which} hold for {where}?"


def headline_of(result: Result, judged: Judged) -> str:
    """The verdict in one line, with its bounds; it never claims more than was searched."""
    if result.verdict != "violated":
        return f"{result.verdict} ({result.bounds})"
    weakest, scenario = judged.findings[0], result.scenario
    bounds = [scenario.bounds] if scenario.bounds else []
    if scenario.faults.limit:
        bounds.append(str(scenario.faults))
    bounds.append(f"found within {plural(result.schedules, 'simulated schedule')}")
    return f"violated: {weakest.property}: {weakest.anomaly} ({'; '.join(bounds)})"
