"""The cells of a protocol's matrix: each pair of operations, at each level in each format, on a drawn table."""

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
        matrix, draw = matrix_of(self.protocol), random.Random(f"{first} {self.name}")
        pairs = list(product(matrix.operations, repeat=2))
        draw.shuffle(pairs)
        for row, column in pairs:
            self.drawn += 1
            tables = draw.sample(list(matrix.tables), len(matrix.tables))
            scenario = self._cell(matrix, tables, row, column)
            if scenario is None:
                self.refused["operations that cannot be on any table"] += 1
                continue
            runs: list[Run] = []
            judged(scenario, each=runs.append)
            yield Chosen(self, SYSTEM, scenario, tuple([Played(schedule_of(run), run) for run in runs]))

    def _cell(self, matrix: Matrix, tables: list[str], row: str, column: str) -> Scenario | None:
        """On the first of these tables that the operations can be on."""
        places = (Place(self.version, table, self.level, row, column) for table in tables)
        return next((found for place in places if (found := matrix.scenario(place)) is not None), None)


def cells_of(protocol: str) -> list[Way]:
    """The levels of a protocol's matrix, in each format."""
    matrix = matrix_of(protocol)
    return [
        Cells(protocol, f"format {version}, {level}", {}, version=version, level=level)
        for version, level in product(matrix.formats, matrix.levels)
    ]
