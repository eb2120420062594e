"""`lakeproof list`: the built-in scenarios and the properties that can be checked."""

import json
from collections.abc import Iterable, Iterator

import click

from checkers.properties import PROPERTIES
from lakeproof.commands.choice import one_of
from lakeproof.errors import AS_EXPECTED
from lakeproof.protocols import properties, protocol_names
from lakeproof.selection import selected
from lakeproof.tables import terminal_width, wrapped
from sim.world.scenario import Scenario


@click.command(name="list")
@click.argument("patterns", nargs=-1, metavar="[PATTERN]...")
@click.option("--protocol", metavar="NAME", callback=one_of(protocol_names), help="Only scenarios of this protocol.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: scenarios and properties with all that is known.")
def list_verb(patterns: tuple[str, ...], protocol: str | None, as_json: bool) -> int:
    """List the built-in scenarios (that fit a PATTERN such as 'hudi/*'), what each expects, and the properties,
    weakest property first."""
    shown = [found.scenario for found in selected(patterns, protocol)]
    whose = {"any history": tuple(PROPERTIES), **properties()}
    if as_json:
        listed = {"scenarios": [_described(scenario) for scenario in shown], "properties": whose}
        click.echo(json.dumps(listed, indent=1, ensure_ascii=False))
        return AS_EXPECTED
    width = terminal_width()
    click.echo("\n".join(_wide(shown) if width is None else _narrow(shown, width)))
    if not patterns and protocol is None:
        lines = [f"properties of {of}: {', '.join(names)}" for of, names in whose.items()]
        click.echo("\n" + "\n".join(wrapped(line, width, following="  ") for line in lines))
    return AS_EXPECTED


def _wide(scenarios: Iterable[Scenario]) -> Iterator[str]:
    """A line a scenario, for line tools."""
    rows = [(scenario.name, scenario.expectation, scenario.summary) for scenario in scenarios]
    names, expectations = (max(len(row[column]) for row in rows) for column in (0, 1))
    return (f"{name:{names}}  {expectation:{expectations}}  {summary}" for name, expectation, summary in rows)


def _narrow(scenarios: Iterable[Scenario], width: int) -> Iterator[str]:
    for scenario in scenarios:
        yield wrapped(f"{scenario.name}  {scenario.expectation}", width, following="    ")
        yield wrapped(scenario.summary, width, "    ")


def _described(scenario: Scenario) -> dict[str, object]:
    return {
        "name": scenario.name,
        "protocol": scenario.protocol,
        "summary": scenario.summary,
        "expect": scenario.expect,
        "broken": scenario.broken,
        "properties": scenario.properties,
        "bounds": scenario.bounds,
        "faults": str(scenario.faults),
        "live": scenario.live is not None,
    }
