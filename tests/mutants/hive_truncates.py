"""The rules of truncates with one broken: which scenario shows it, and on what property.

Source: hive/7 (row 52); `model.hive.truncates`.
"""

from dataclasses import replace

from model.hive import FIXED, truncates
from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "truncate-of-what-was-read", "a truncate writes what it has read of the table before", (),
        replace(FIXED, truncates_what_is_there=False),
    ),
    replace(
        edited("truncate-one-partition", "a truncate reaches the first partition alone",
               (truncates, "truncate", ("in seen.parts]", "in seen.parts[:1]]"))),
        base=FIXED,
    ),
)  # fmt: skip
KILLS = {
    "truncate-of-what-was-read": ("hive/truncate-altered", "acknowledged-writes-survive"),
    "truncate-one-partition": ("hive/truncate", "truncates-as-told"),
}
"""The scenario that shows a mutant, and the property that breaks."""
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
