"""Properties that only Hudi's histories can have, and how they read. Who imports this package makes both known."""

from checkers.hudi.properties import HUDI_CHECKS as CHECKS
from checkers.hudi.words import WORDS
from checkers.properties import register
from checkers.words import learn

register(CHECKS)
learn(WORDS)
