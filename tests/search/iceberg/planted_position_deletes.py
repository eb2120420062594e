"""What was planted in rewrites of position deletes, and in INSERTs of SQL beside main: where each is looked for, and
what is missing."""

from collections.abc import Mapping

POSITION_DELETES_WHERE: Mapping[str, str] = {
    "rewritten-deletes-may-be-gone": "merge-on-read deletes, snapshot",
    "rewritten-at-the-lowest-number": "merge-on-read",
    "deletes-of-nothing-kept": "merge-on-read",
    "vectors-rewritten-again": "merge-on-read, format 3",
    "rewritten-in-format-2": "merge-on-read, format 3",
    "rewritten-deletes-of-any-format": "altered beside SQL, merge-on-read",
    "branch-insert-goes-to-main": "procedures beside the Java API",
    "staged-insert-goes-to-main": "procedures beside the Java API",
    "branch-made-by-insert": "altered beside SQL, merge-on-read",
}
POSITION_DELETES_MISSING: Mapping[str, str] = {
    "branch-made-by-insert": "a property about branches that nobody made: no row of main is lost",
    "deletes-of-nothing-kept": "a property about deletes of nothing: they delete no row",
    "vectors-rewritten-again": "a property that tells a commit for nothing: it changes no row",
    "rewritten-deletes-of-any-format": "a property that tells who is kinder: no row is lost by deletes of an older"
    " format",
}
