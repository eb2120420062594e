"""Which tables a cache may hold: those that an allow list has a pattern for, and a deny list none.

A pattern is matched with the whole of `hive.<database>.<table>`. What is not to be cached is read from the database,
its events are passed over, whatever they say, and neither prewarm, refresh, replica nor miss makes an entry of it.

Source: `CachedStore.shouldCacheTable`, `isNotInBlackList`, `isInWhitelist`, `createPatterns`
(`metastore.cached.rawstore.cached.object.whitelist`, `.*` by default, and `.blacklist`, none; 4.0.1).

Choices: patterns are Python's, which Java's are for what names are made of. Databases are not modelled: upstream looks
for the event of one as for its table "", so that a list of tables alone hides a new database from other metastores.
"""

import re
from functools import lru_cache
from typing import NamedTuple

CATALOG = "hive"


class CachedObjects(NamedTuple):
    """The two lists, each patterns with commas between them."""

    allowed: str = ".*"
    denied: str = ""

    def has(self, table: str) -> bool:
        """Whether a table ("default.t") may be cached: one that both lists name is not."""
        return _matches(self.allowed, table) and not _matches(self.denied, table)


EVERYTHING = CachedObjects()


@lru_cache(maxsize=1 << 12)
def _matches(patterns: str, table: str) -> bool:
    return any(re.fullmatch(pattern, f"{CATALOG}.{table}") for pattern in patterns.split(","))
