"""Properties that only histories of metastores with caches can have, and how they read.

Who imports this package makes both known.
"""

from checkers.hive.properties import HIVE_CHECKS as CHECKS
from checkers.hive.words import WORDS
from checkers.properties import register
from checkers.words import learn

register(CHECKS)
learn(WORDS)
