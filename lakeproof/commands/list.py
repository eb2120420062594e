"""`lakeproof list`: the built-in scenarios and the properties that can be checked."""

import click

from checkers.properties import PROPERTIES
from lakeproof.errors import AS_EXPECTED
from lakeproof.protocols import properties
from lakeproof.scenarios import built_in
from reports.explanation.build import expectation_of


@click.command(name="list")
def list_scenarios() -> int:
    """List the built-in scenarios, what each expects, and the properties, weakest property first."""
    known = built_in()
    name_width = max(len(name) for name in known)
    expect_width = max(len(expectation_of(scenario)) for scenario in known.values())
    for name, scenario in known.items():
        click.echo(f"{name:{name_width}}  {expectation_of(scenario):{expect_width}}  {scenario.summary}")
    click.echo()
    for whose, names in {"any history": PROPERTIES, **properties()}.items():
        click.echo(f"properties of {whose}: {', '.join(names)}")
    return AS_EXPECTED
