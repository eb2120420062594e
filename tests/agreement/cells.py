"""The cells of a protocol's matrix: each pair of operations, at each level in each format, on a drawn table.

A pair that is the same at every level is played at the first one alone.
"""

import random
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import product

from lakeproof.protocols import matrix_of
from sim.search.matrix import Matrix, Place, judged
from sim.search.projection import Played
from sim.search.run import Run
from sim.search.script import schedule_of
from sim.world.scenario import Scenario
from tests.agreement.drawing import Chosen, Way

SYSTEM = "matrix"


@dataclass(eq=False)
class Cells(Way):
    """The pairs at one level in one format. Their seed draws the order of the pairs, and a table for each."""

    version: str = ""
    level: str = ""

    def chosen(self, asked: Container[str], first: int) -> Iterator[Chosen]:
        """Each pair once, with every schedule that it has."""
        for scenario in self.pairs(first):
            runs: list[Run] = []
            judged(scenario, each=runs.append)
            yield Chosen(self, SYSTEM, scenario, tuple([Played(schedule_of(run), run) for run in runs]))

    def pairs(self, first: int) -> Iterator[Scenario]:
        """Those that are played, in the order and on the tables that this seed draws: a pair's table for itself, so
        that it stays where operations are added, and mostly where tables are."""
        matrix, seed = matrix_of(self.protocol), f"{first} {self.name}"
        pairs = list(product(matrix.operations, repeat=2))
        random.Random(seed).shuffle(pairs)
        for row, column in pairs:
            self.drawn += 1
            drawn = {table: random.Random(f"{seed} {row} {column} {table}").random() for table in matrix.tables}
            tables = sorted(drawn, key=drawn.__getitem__)
            found = self._cell(matrix, tables, row, column)
            if found is None:
                self.refused["operations that cannot be on any table"] += 1
            elif self._is_played_before(matrix, *found):
                self.refused["operations without levels, which are played at the first one"] += 1
            else:
                yield found[1]

    def _cell(self, matrix: Matrix, tables: list[str], row: str, column: str) -> tuple[Place, Scenario] | None:
        """On the first of these tables that the operations can be on."""
        places = (Place(self.version, table, self.level, row, column) for table in tables)
        return next(((place, found) for place in places if (found := matrix.scenario(place)) is not None), None)

    def _is_played_before(self, matrix: Matrix, place: Place, scenario: Scenario) -> bool:
        """Whether both do at this level what they do at the first one."""
        level = next(iter(matrix.levels))
        if level == self.level:
            return False
        there = matrix.scenario(place._replace(level=level))
        return there is not None and scenario.live == there.live


def cells_of(protocol: str) -> list[Way]:
    """The levels of a protocol's matrix, in each format."""
    matrix = matrix_of(protocol)
    return [
        Cells(protocol, f"format {version}, {level}", {}, version=version, level=level)
        for version, level in product(matrix.formats, matrix.levels)
    ]
