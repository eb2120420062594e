"""The rules of constraints with one broken: which scenario shows it, and on what property.

Source: hive/7 (row 48); `model.hive.constraints`.
"""

from dataclasses import replace

from model.hive import FIXED
from model.hive.cache import Cache
from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "constraints-of-another-table", "a load asks for the constraints of another table, of which there are none", (),
        replace(FIXED, loads_constraints=False),
    ),
    replace(
        edited("constraint-not-heard-of", "a cache that hears of a constraint keeps those of its load",
               (Cache, "_change", ("entry.key_known = False", "pass"))),
        base=FIXED,
    ),
)  # fmt: skip
KILLS = {"constraints-of-another-table": "hive/constraints-cold", "constraint-not-heard-of": "hive/constraints"}
BROKEN = "convergence"
"""What both break."""
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
