"""Names of operations that a person typed, as yield points or for faults: yield points that no run has would prove
anything.

Choices: an operation of any protocol is known everywhere, since some happen on few paths only;
but yield points of which the first run makes no step at all is refused, whatever its names.
"""

import difflib
from collections.abc import Sequence

from lakeproof.errors import CommandError
from lakeproof.protocols import operations
from sim.search.operations import OPERATIONS, seen_operations, steps_at_all
from sim.world.scenario import Scenario


def require_yield_points(scenario: Scenario, where: str, problem: type[CommandError]) -> None:
    """Raise `problem`, which says `where` the yield points stand, unless they exist and one of them happens."""
    if scenario.yield_points is None:
        return
    require_known(scenario, scenario.yield_points, where, problem)
    if not steps_at_all(scenario):
        made = ", ".join(sorted(seen_operations(scenario, ())))
        got = ", ".join(scenario.yield_points)
        raise problem(f"{where}: expected an operation that {scenario.name} makes ({made or 'none'}), got only {got}")


def require_known(scenario: Scenario, names: Sequence[str], where: str, problem: type[CommandError]) -> None:
    """Raise `problem` if one of `names` is no operation of a service, of a protocol or of this scenario."""
    seen = seen_operations(scenario, names)
    unknown = [name for name in names if name not in OPERATIONS and name not in seen]
    for name in unknown:
        if name not in operations():
            close = difflib.get_close_matches(name, seen | OPERATIONS, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            made = ", ".join(sorted(seen))
            raise problem(f"{where}: expected operations of {scenario.name} ({made or 'none'}), got {name!r}{hint}")
