"""Row filters by id, and what is removed by them, as calls of Iceberg's Java API."""

from typing import Any

from real_backend.jvm.jvm import Jvm


def any_of(jvm: Jvm, ids: tuple[int, ...]) -> Any:
    """What matches rows of these ids, of which there is at least one."""
    expressions = jvm.iceberg.expressions.Expressions
    found = expressions.equal("id", ids[0])
    for key in ids[1:]:
        found = getattr(expressions, "or")(found, expressions.equal("id", key))
    return found


def remove_where(jvm: Jvm, maker: Any, ids: tuple[int, ...]) -> Any:
    """The update that removes files by a filter for each of these ids. Args: `maker`: the Java table or transaction."""
    update = maker.newDelete()
    for key in ids:
        update = update.deleteFromRowFilter(any_of(jvm, (key,)))
    return update


def overwrite_where(jvm: Jvm, maker: Any, key: int) -> Any:
    """The overwrite by the filter of one row, all of whose files have to have such rows alone."""
    return maker.newOverwrite().overwriteByRowFilter(any_of(jvm, (key,))).validateAddedFilesMatchOverwriteFilter()
