"""What a client may conclude from an error, under the model's name of it and under Java's.

A client that lost the race tries again, one that was refused by validation reads again, one that lost its lock waits:
errors of different kinds are different answers, although none of them committed anything. What is not in the table
says nothing: the outcome is unknown. (A connection that closes during a commit gives a bare RESTException. Iceberg does
not call that unknown; it is. A NullPointerException is met by who sets main to a snapshot that has expired: before
anything is sent.)
"""

import re
from collections.abc import Mapping

OK, UNKNOWN = "ok", "unknown"
LOST_RACE, LOST_LOCK, REFUSED, INVALID = "lost the race", "lost the lock", "refused", "invalid"
BAD_REQUEST = "bad request"
NO_TABLE, EXISTS, UNAVAILABLE, NOT_PLANNED = "no table", "table exists", "unavailable", "not planned"
_KINDS: Mapping[str, str] = {
    "CommitFailed": LOST_RACE,
    "CommitFailedException": LOST_RACE,
    "ValidationFailed": REFUSED,
    "StaleSnapshot": REFUSED,
    "SeveralVectors": REFUSED,
    "VersionMissing": REFUSED,
    "ValidationException": REFUSED,
    "CherrypickAncestorCommitException": REFUSED,
    "DuplicateWAPCommitException": REFUSED,
    "BadRequest": BAD_REQUEST,
    "BadRequestException": BAD_REQUEST,
    "InvalidOperation": INVALID,
    "UnknownSchema": INVALID,
    "IllegalStateException": INVALID,
    "IllegalArgumentException": INVALID,
    "NullPointerException": INVALID,
    "UnsupportedOperationException": INVALID,
    "AlreadyExists": EXISTS,
    "AlreadyExistsException": EXISTS,
    "NoSuchTable": NO_TABLE,
    "NoSuchTableException": NO_TABLE,
    "ServiceUnavailable": UNAVAILABLE,
    "ServiceUnavailableException": UNAVAILABLE,
    "RenameUnavailable": UNAVAILABLE,
    "AnalysisException": NOT_PLANNED,
    "CommitStateUnknown": "state unknown",
    "CommitStateUnknownException": "state unknown",
    "RestError": "no answer",
    "RESTException": "no answer",
    "ServiceFailure": "service failed",
    "ServiceFailureException": "service failed",
}
DEFINITE = frozenset({LOST_RACE, LOST_LOCK, REFUSED, BAD_REQUEST, INVALID, NO_TABLE, EXISTS, UNAVAILABLE, NOT_PLANNED})
"""Kinds after which the client knows that nothing was committed."""
_LOCK = re.compile(r"\block\b", re.IGNORECASE)


def kind_of(outcome: str) -> str:
    """The kind of an outcome: "ok", or an error as "Name: message".

    Example: "ValidationException: Found conflicting files" is "refused", "CommitFailed: ..." is "lost the race".
    """
    if outcome == OK:
        return OK
    name, _, message = outcome.partition(":")
    kind = _KINDS.get(name, UNKNOWN)
    return LOST_LOCK if kind == LOST_RACE and _LOCK.search(message) else kind
