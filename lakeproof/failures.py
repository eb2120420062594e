"""From an exception to an exit code and one line: the one place where that is decided."""

import errno
import os
import traceback

import click

from checkers.errors import HistoryError
from checkers.text import plain
from checkers.verdict import UnknownProperty
from lakeproof import errors
from lakeproof.errors import one_line
from lakeproof.talk import say
from real_backend.errors import BackendError, NoTable, NothingThere
from reports.errors import GraphError, RecordError
from sim.kernel.errors import NondeterminismError
from sim.kernel.schedule import Divergence, ScheduleError

DEBUG = "LAKEPROOF_DEBUG"
_NO_PLACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EBADF)
_CODES: tuple[tuple[tuple[type[Exception], ...], int], ...] = (
    ((ScheduleError, HistoryError, RecordError, Divergence), errors.BAD_INPUT),
    ((NoTable,), errors.BAD_INPUT),
    ((GraphError, NothingThere), errors.USAGE),
    ((UnknownProperty,), errors.USAGE),
    ((BackendError,), errors.UNKNOWN),
    ((NondeterminismError,), errors.NONDETERMINISM),
)


def explained(error: Exception) -> tuple[int, str]:
    """The exit code of an error, and what to say about it."""
    if isinstance(error, click.Abort):
        return errors.INTERRUPTED, "interrupted"
    if isinstance(error, click.ClickException):
        text = one_line(error.format_message()).rstrip(".")
        context = error.ctx if isinstance(error, click.UsageError) else None
        return errors.USAGE, text + (f"; see `{context.command_path} --help`" if context else "")
    if isinstance(error, errors.CommandError):
        return error.code, one_line(error)
    for kinds, code in _CODES:
        if isinstance(error, kinds):
            return code, one_line(error)
    if isinstance(error, OSError) and error.errno in _NO_PLACE:
        where = error.filename or "standard output, or the run folder"
        return errors.USAGE, f"{where}: expected a place that can be written, got {error.strerror}"
    if isinstance(error, OSError) and error.filename is not None:
        return errors.USAGE, one_line(
            f"{plain(str(error.filename))}: expected a path that can be used, got {error.strerror}"
        )
    what = f"internal error: {type(error).__name__}: {one_line(error)}"
    return errors.INTERNAL, f"{what}; set {DEBUG}=1 to see where, and report it with the command"


def render(error: Exception) -> int:
    """Say what is wrong in one line (after a traceback, if LAKEPROOF_DEBUG asks for it); the exit code."""
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    code, text = explained(error)
    say(f"lakeproof: {text}")
    return code
