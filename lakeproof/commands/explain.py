"""`lakeproof explain`: tell a stored run, or what is wrong with a history, in sentences; or draw it as a graph."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from checkers.histories.history import History
from checkers.verdict import Violation, check
from lakeproof.commands.check import naming
from lakeproof.errors import AS_EXPECTED, UsageProblem
from lakeproof.inputs import read_run
from lakeproof.stored import find
from reports.explanation.judging import judged
from reports.pages.text import explanation, folded, judged_text
from reports.record import Step


@click.command(name="explain")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--graph", type=click.Path(path_type=Path), metavar="FILE",
              help="Also write dependencies, lineage and who waited for whose lock as a graph to a new FILE, whose "
              "ending names the format: .graphml, .dot or .json.")  # fmt: skip
def explain_verb(run: Path, graph: Path | None) -> int:
    """Explain RUN, a run folder or a history file. Exits 0 whatever the verdict is: the question was why."""
    if graph is not None:
        from reports.graphs.files import check_name  # with networkx: only who asks for a graph waits for it

        check_name(graph)
    if run.is_dir():
        stored = read_run(run)
        click.echo(explanation(stored.record, stored.live), nl=False)
        if graph is not None:
            broken = check(stored.history, stored.record.judged.results).violations
            _write(graph, stored.history, broken, stored.record.explanation.steps)
        return AS_EXPECTED
    found = list(find(run))
    if len(found) > 1:
        raise UsageProblem(f"history {run}: expected one history, got {len(found):,}; `check` judges several")
    log = found[0].read()
    with naming(found[0].name):
        verdict, history = log.judge(log.asked)
        told = judged(history, verdict)
    click.echo(f"{run}: {told.outcome}")
    click.echo(
        judged_text(told) or folded(f"Nothing is wrong as far as {', '.join(told.results)} go.") + "\n", nl=False
    )
    if graph is not None:
        _write(graph, history, verdict.violations, ())
    return AS_EXPECTED


def _write(path: Path, history: History, violations: Sequence[Violation], steps: Iterable[Step]) -> None:
    from reports.graphs.build import whole_graph
    from reports.graphs.files import write_graph

    whole = whole_graph(history, violations, steps)
    write_graph(whole, path)
    click.echo(f"\ngraph: {path} ({whole.number_of_nodes()} nodes, {whole.number_of_edges()} edges)")
