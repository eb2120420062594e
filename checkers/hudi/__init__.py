"""Properties that only Hudi's histories can have, and how they read. Who imports this package makes both known."""

from checkers.hudi.as_of import AS_OF_CHECKS
from checkers.hudi.news import NEWS_CHECKS
from checkers.hudi.properties import HUDI_CHECKS
from checkers.hudi.time_travel import TIME_TRAVEL_CHECKS
from checkers.hudi.words import WORDS
from checkers.properties import register
from checkers.words import learn

CHECKS = {**HUDI_CHECKS, **NEWS_CHECKS, **TIME_TRAVEL_CHECKS, **AS_OF_CHECKS}
register(CHECKS)
learn(WORDS)
